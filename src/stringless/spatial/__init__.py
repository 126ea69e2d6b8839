"""Rotations, motions, forces and inertias: small pure functions on tuples of numbers.

A vector is 3 numbers, a rotation or any other 3 by 3 matrix 9 (row by row), a symmetric 3 by 3 matrix 6 (xx, yy, zz,
xy, xz, yz), a quaternion 4 (x, y, z, w). Tuples live in registers: nothing here allocates.
"""
