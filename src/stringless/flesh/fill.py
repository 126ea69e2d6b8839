"""How much of every element lies inside a closed surface, exactly.

For a closed surface of outward triangles and any point o, the solid is the signed sum of the tetrahedra (o, a, b, c)
over all triangles. For an element take o as its first node and measure in its own barycentric coordinates
u = (phi1, phi2, phi3), in which the element is u, v, w >= 0, u + v + w <= 1, and o the origin. Three of the four planes
go through o, so that clipping a tetrahedron by them is clipping its triangle; by the fourth, a cone over a triangle
beyond it ends there, at corners scaled to u + v + w = 1. Every piece is again a tetrahedron with one corner at o, of
determinant d = 6 V: its share of the element is d, and its integral of a linear phi is d times the mean of the corners.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stringless.flesh.boxtree import STACK, build_tree
from stringless.flesh.kernels_fill import fill_elements
from stringless.flesh.surface import Surface, read_only
from stringless.spatial.arrays import FloatArray, IntArray

CORNERS = 16
"""Corners that a clipped triangle may come to have. Four cuts make 7 of 3; where rounding makes it wavy in a plane,
each cut adds up to a half: 3, 4, 6, 9, 13."""
_CHUNK = 4_000_000
"""Elements times triangles between two reports."""


@dataclass(frozen=True, eq=False)
class Fill:
    """What part of a cage is filled."""

    filled: FloatArray
    """(k,) filled part of the volume of each element, from 0 to 1."""
    node_volume: FloatArray
    """(n,) integral of each node's shape function over the filled part [m³]: times the density, the node's mass."""

    @property
    def volume(self) -> float:
        """Filled volume [m³]: that of the surface, if the cage covers it."""
        return float(self.node_volume.sum())


def fill_cage(
    surface: Surface, nodes: FloatArray, tets: IntArray, *, report: Callable[[int, int], None] | None = None
) -> Fill:
    """Measure what part of each element the surface encloses.

    Args:
        surface: closed, outward; not checked here.
        nodes: (n, 3) of the cage [m].
        tets: (k, 4) nodes of each element, positively oriented.
        report: told how many elements are done, and how many there are.
    """
    corners = surface.corners
    tree = build_tree(corners.min(axis=1), corners.max(axis=1))
    sorted_corners = read_only(corners[tree.order].reshape(-1, 9))
    nodes, tets = read_only(nodes), read_only(tets)
    filled, node_volume = np.zeros(len(tets)), np.zeros(len(nodes))
    stack, polygon = np.zeros(STACK, np.int64), np.zeros((3, CORNERS, 3))
    step = max(1, _CHUNK // max(1, len(corners)))
    for start in range(0, len(tets), step):
        end = min(start + step, len(tets))
        fill_elements(nodes, tets, sorted_corners, tree.bounds, start, end, stack, polygon, filled, node_volume)
        if report is not None:
            report(end, len(tets))
    filled.setflags(write=False)
    node_volume.setflags(write=False)
    return Fill(filled, node_volume)
