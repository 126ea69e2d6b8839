"""Which element carries each vertex of a surface, and by what weights of its four nodes."""

import numpy as np

from stringless.errors import ModelError, Problem
from stringless.flesh.boxtree import STACK, build_tree
from stringless.flesh.cage import Cage
from stringless.flesh.kernels_embedding import locate_points
from stringless.flesh.surface import Surface, read_only
from stringless.flesh.surface_checks import name_some
from stringless.spatial.arrays import FloatArray, IntArray

OUTSIDE = -1e-9
"""A vertex with all weights above this lies in the element: on a face, rounding leaves about -1e-16."""


def embed(surface: Surface, cage: Cage, *, tolerance: float = 0.0) -> tuple[IntArray, FloatArray]:
    """Find the element (n,) of every vertex, and the weights (n, 4) of its nodes.

    The weights sum to 1 and are not below -1e-9, except for a vertex outside the cage by at most `tolerance` [m]: it
    goes with the nearest element, as if that went on beyond its face.

    Raises:
        ModelError: vertices lie further outside; the message names them.
    """
    tet, weights = locate(surface.vertices, cage.nodes, cage.tets)
    lost = np.flatnonzero((tet < 0) | (weights.min(axis=1) < OUTSIDE))
    if len(lost) == 0:
        return tet, weights
    distance, nearest = _nearest_elements(surface.vertices[lost], cage)
    far = lost[distance > tolerance]
    if len(far):
        worst = int(lost[np.argmax(distance)])
        x, y, z = surface.vertices[worst]
        found = (
            f"{len(far)} vertices outside the cage: {name_some('vertices', far)}; the furthest, {worst} at "
            f"({x:.4g}, {y:.4g}, {z:.4g}), by {distance.max():.3g} m"
        )
        expected = "every vertex in an element" + (f", or within {tolerance:g} m of one" if tolerance else "")
        remedy = "Enlarge the cage" + (f", or allow a tolerance of {distance.max():.3g} m." if tolerance else ".")
        raise ModelError(surface.name, [Problem(surface.name, found, expected, remedy)])
    tet[lost] = nearest
    weights[lost] = _weights(surface.vertices[lost], cage.nodes, cage.tets[nearest])
    return tet, weights


def locate(points: FloatArray, nodes: FloatArray, tets: IntArray) -> tuple[IntArray, FloatArray]:
    """The element (m,) in which each point (m, 3) lies deepest, and its weights (m, 4); -1 with none near."""
    points, nodes, tets = read_only(points), read_only(nodes), read_only(tets)
    corners = nodes[tets]
    tree = build_tree(corners.min(axis=1), corners.max(axis=1))
    slack = 1e-9 * float(np.max(np.ptp(nodes, axis=0)))
    tet, weights = np.full(len(points), -1, np.int64), np.zeros((len(points), 4))
    locate_points(points, nodes, tets, tree.order, tree.bounds, slack, np.zeros(STACK, np.int64), tet, weights)
    return tet, weights


def _weights(points: FloatArray, nodes: FloatArray, tets: IntArray) -> FloatArray:
    """Barycentric coordinates (m, 4) of points in given elements (m, 4)."""
    origin = nodes[tets[:, 0]]
    edges = np.swapaxes(nodes[tets[:, 1:]] - origin[:, None], 1, 2)
    u = np.linalg.solve(edges, (points - origin)[:, :, None])[:, :, 0]
    return np.asarray(np.concatenate([1 - u.sum(axis=1, keepdims=True), u], axis=1), np.float64)


def _nearest_elements(points: FloatArray, cage: Cage) -> tuple[FloatArray, IntArray]:
    """Distance (m,) [m] of points outside a cage, and the element (m,) whose outer face is nearest."""
    faces, owner = cage.outer_faces
    corners = cage.nodes[faces]
    distance, nearest = np.zeros(len(points)), np.zeros(len(points), np.int64)
    for i, point in enumerate(points):
        away = triangle_distances(point, corners)
        distance[i], nearest[i] = away.min(), owner[int(np.argmin(away))]
    return distance, nearest


def triangle_distances(point: FloatArray, corners: FloatArray) -> FloatArray:
    """Distance (m,) of a point (3,) to each triangle of `corners` (m, 3, 3) [m]."""
    from trimesh.triangles import closest_point  # here, because few scenes need it

    nearest = closest_point(corners, np.broadcast_to(point, (len(corners), 3)))
    return np.asarray(np.linalg.norm(nearest - point, axis=1), np.float64)
