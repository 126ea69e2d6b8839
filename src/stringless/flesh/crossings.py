"""Where a triangle surface crosses or touches itself.

Every pair of triangles whose boxes meet is tested by the signs of determinants. A sign counts only beyond the bound of
its rounding error (Shewchuk 1997); within it, the points count as coplanar, and what touches counts as crossing.
"""

import numpy as np

from stringless.flesh.boxtree import STACK, BoxTree, build_tree
from stringless.flesh.kernels_crossings import cross_pairs
from stringless.flesh.surface import Surface
from stringless.spatial.arrays import IntArray


def find_crossings(surface: Surface, most: int = 100) -> IntArray:
    """Pairs of triangles (k, 2) that cross, touch away from what they share, or are folded onto each other.

    Args:
        surface: closed and without degenerate or repeated triangles; others give meaningless answers.
        most: stop after so many pairs.
    """
    tree = triangle_tree(surface)
    pairs = np.zeros((most, 2), np.int64)
    corners = surface.corners
    low, high = corners.min(axis=1), corners.max(axis=1)
    count = cross_pairs(
        surface.vertices, surface.triangles, low, high, tree.order, tree.bounds, np.zeros(STACK, np.int64), pairs
    )
    return pairs[:count]


def triangle_tree(surface: Surface) -> BoxTree:
    """Tree over the boxes of the triangles."""
    return build_tree(surface.corners.min(axis=1), surface.corners.max(axis=1))
