"""Deformable flesh: a coarse tetrahedral cage driven by the skeleton, carrying a fine surface."""
