"""The paper's divide-and-conquer passes, written to be read: what the fast path is tested against.

Spatial vectors are angular first. All of them are taken at the world's origin along world axes, at one instant, so that
nothing needs to be carried from one frame into another.
"""
