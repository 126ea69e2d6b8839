"""Smooth surfaces from functions of space: negative inside, zero on the surface, positive outside.

Bodies that grow out of each other are blends: capsules joined by a smooth minimum of their distances.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array

from stringless.errors import InputError
from stringless.flesh.generators import vector
from stringless.flesh.lattice import Counts, lattice_nodes, lattice_paths
from stringless.flesh.surface import Surface, directed_edges
from stringless.spatial.arrays import BoolArray, FloatArray, IntArray

Distance = Callable[[FloatArray], FloatArray]
"""From points (n, 3) [m] to values (n,), negative inside."""

MOST_CELLS = 4_000_000
"""Finer lattices are refused."""
_EDGE_MARGIN = 0.25
"""Vertices keep this part of an edge away from its ends, so that no triangle is degenerate; relaxing moves them on."""
_NEAR_ZERO = 1e-9
"""Values below this part of a cell count as zero, which counts as outside."""

_TET = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])


def smooth_blend(
    signed_distance: Distance, bounds: ArrayLike, cell: float, *, relax: int = 10, name: str = "blend"
) -> Surface:
    """The surface on which a smooth function of space is zero, by marching tetrahedra.

    Closed by construction; mirror-symmetric about the middle of the bounds where the function is.

    Args:
        signed_distance: takes points (n, 3) [m], returns values (n,), negative inside; near zero its size should be
            that of a distance [m].
        bounds: (2, 3) low and high corner of a box that the surface does not reach [m].
        cell: size of the lattice cells, and about that of the triangles [m]. Details below it are lost.
        relax: rounds of evening out the triangles along the surface.
        name: of the surface.

    Raises:
        InputError: the function has nothing inside, or its inside reaches the bounds.
    """
    center, sides, counts = _lattice(bounds, cell)
    nodes = lattice_nodes(center, sides, counts)
    values = _evaluate(signed_distance, nodes)
    inside = values < -_NEAR_ZERO * cell
    _check_inside(inside, counts)
    cuts, triangles = _march(*lattice_paths(counts, _cut_cells(inside, counts)), inside)
    vertices = _find_zeros(signed_distance, nodes[cuts[:, 0]], nodes[cuts[:, 1]])
    for _ in range(relax):
        vertices = _relax(vertices, triangles)
        vertices = _project(signed_distance, vertices, cell)
    return Surface(vertices, triangles, name)


@dataclass(frozen=True)
class Capsule:
    """A limb of a blend: between two points, with a radius at each [m]."""

    a: ArrayLike
    b: ArrayLike
    radius: float
    end_radius: float


def blend(capsules: Sequence[Capsule], *, width: float, cell: float, name: str = "blend") -> Surface:
    """Capsules that grow out of each other.

    Args:
        capsules: at least one.
        width: how far around a joint the surface is rounded [m].
        cell: about the size of the triangles [m].
        name: of the surface.
    """
    for what, length in (("width", width), *(("radius", r) for c in capsules for r in (c.radius, c.end_radius))):
        if not (math.isfinite(length) and length > 0):
            raise InputError(f"{what}: found {length}; expected a positive length [m]")
    if not capsules:
        raise InputError("capsules: found none; expected at least one")
    points = np.array([vector(p, "a and b") for c in capsules for p in (c.a, c.b)])
    # Where n capsules meet, a smooth minimum lies up to width log(n) outside each.
    reach = max(max(c.radius, c.end_radius) for c in capsules) + width * math.log(len(capsules)) + 1.5 * cell

    def distance(x: FloatArray) -> FloatArray:
        return smooth_minimum([capsule_distance(x, c.a, c.b, c.radius, c.end_radius) for c in capsules], width)

    return smooth_blend(distance, (points.min(axis=0) - reach, points.max(axis=0) + reach), cell, name=name)


def smooth_minimum(values: Sequence[FloatArray], width: float) -> FloatArray:
    """The lowest of several values (n,), rounded where they are closer than about `width` [m]. In any order."""
    stack = np.sort(np.stack(list(values)), axis=0)  # sorted, so that equal sets give equal sums
    low = stack[0]
    return low - width * np.log(np.sum(np.exp((low - stack) / width), axis=0))


def capsule_distance(
    points: FloatArray, a: ArrayLike, b: ArrayLike, radius: float, end_radius: float | None = None
) -> FloatArray:
    """Distance (n,) of points (n, 3) from a capsule between a and b [m]; its radius may change along the way.

    With two radii it is not the exact distance, but zero in the same places as one with straight flanks, nearly.
    """
    start, end = vector(a, "a"), vector(b, "b")
    axis = end - start
    length = float(axis @ axis)
    offset = points - start
    along = np.clip(offset @ axis / length, 0, 1) if length > 0 else np.zeros(len(points))
    width = radius + (radius if end_radius is None else end_radius) * along - radius * along
    return np.linalg.norm(offset - along[:, None] * axis, axis=1) - width


def _lattice(bounds: ArrayLike, cell: float) -> tuple[FloatArray, FloatArray, Counts]:
    box = np.asarray(bounds, float)
    if box.shape != (2, 3) or not np.all(np.isfinite(box)) or np.any(box[1] <= box[0]):
        raise InputError(f"bounds: found {bounds}; expected a low and a higher corner, (2, 3) [m]")
    if not (math.isfinite(cell) and cell > 0):
        raise InputError(f"cell: found {cell}; expected a positive length [m]")
    numbers = 2 * np.ceil((box[1] - box[0]) / (2 * cell) - 1e-9)
    if np.prod(numbers) > MOST_CELLS:
        raise InputError(
            f"cell: found {cell:g}, which makes {np.prod(numbers):.3g} cells; expected at most {MOST_CELLS:,}. "
            "Choose larger cells or a smaller box."
        )
    counts = (int(numbers[0]), int(numbers[1]), int(numbers[2]))
    return box.mean(axis=0), (box[1] - box[0]) / numbers, counts


def _evaluate(function: Distance, points: FloatArray) -> FloatArray:
    values = np.asarray(function(points), float)
    if values.shape != (len(points),):
        raise InputError(f"signed_distance: found values of shape {values.shape} for {len(points)} points")
    if not np.all(np.isfinite(values)):
        x, y, z = points[int(np.argmin(np.isfinite(values)))]
        raise InputError(f"signed_distance: found a value that is not finite at ({x:.4g}, {y:.4g}, {z:.4g})")
    return values


def _check_inside(inside: BoolArray, counts: Counts) -> None:
    grid = inside.reshape([n + 1 for n in counts])
    if not np.any(grid):
        raise InputError("signed_distance: found no lattice point inside; expected negative values. Use smaller cells.")
    for axis, letter in enumerate("xyz"):
        if np.any(np.take(grid, [0, -1], axis=axis)):
            raise InputError(f"bounds: found the inside reaching them along {letter}; expected a box around it all")


def _cut_cells(inside: BoolArray, counts: Counts) -> IntArray:
    """Cells with corners on both sides."""
    grid = inside.reshape([n + 1 for n in counts]).astype(np.int8)
    corners = sum(
        grid[i : i + counts[0], j : j + counts[1], k : k + counts[2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)
    )
    total = np.asarray(corners).reshape(-1)
    return np.flatnonzero((total > 0) & (total < 8))


def _march(tets: IntArray, left: BoolArray, inside: BoolArray) -> tuple[IntArray, IntArray]:
    """Cut edges (n, 2), the inner node first, and triangles (m, 3) between the cuts; `left` marks left-handed tets."""
    pattern = inside[tets] @ np.array([1, 2, 4, 8])
    pieces: list[IntArray] = []
    for code in range(1, 15):
        chosen, mirrored = tets[pattern == code], left[pattern == code]
        for triangle in _triangles(code):
            cut = chosen[:, np.array(triangle)]
            cut[mirrored] = cut[mirrored][:, ::-1]
            pieces.append(cut)
    cuts, number = np.unique(np.concatenate(pieces).reshape(-1, 2), axis=0, return_inverse=True)
    return cuts, number.reshape(-1, 3)


def _triangles(code: int) -> list[list[tuple[int, int]]]:
    """Triangles that part the corners in `code` (a bit each) of a tetrahedron from the others, normals away from them.

    Each corner of a triangle is an edge of the tetrahedron, the inner end first.
    """
    within = [k for k in range(4) if code >> k & 1]
    beyond = [k for k in range(4) if not code >> k & 1]
    if len(within) == 2:
        (i, j), (k, l) = within, beyond
        pieces = [[(i, k), (i, l), (j, l)], [(i, k), (j, l), (j, k)]]
    else:
        pieces = [[(i, k) for i in within for k in beyond]]
    outward = _TET[beyond].mean(axis=0) - _TET[within].mean(axis=0)
    for piece in pieces:
        a, b, c = ((_TET[i] + _TET[k]) / 2 for i, k in piece)
        if np.cross(b - a, c - a) @ outward < 0:
            piece.reverse()
    return pieces


def _find_zeros(function: Distance, inner: FloatArray, outer: FloatArray) -> FloatArray:
    """Points (n, 3) between inner and outer ones where the function is zero, by halving the interval."""
    low, high = np.zeros(len(inner)), np.ones(len(inner))
    for _ in range(40):
        middle = (low + high) / 2
        within = _evaluate(function, inner + middle[:, None] * (outer - inner)) < 0
        low, high = np.where(within, middle, low), np.where(within, high, middle)
    at = np.clip((low + high) / 2, _EDGE_MARGIN, 1 - _EDGE_MARGIN)
    return inner + at[:, None] * (outer - inner)


def _relax(vertices: FloatArray, triangles: IntArray) -> FloatArray:
    """Move every vertex half way to the middle of its neighbours."""
    edges, n = directed_edges(triangles), len(vertices)
    graph = coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n, n)).tocsr()
    return 0.5 * vertices + 0.5 * (graph @ vertices) / graph.sum(axis=1)[:, None]


def _project(function: Distance, points: FloatArray, cell: float) -> FloatArray:
    """Bring points back to the zero of the function, along its gradient, by at most half a cell."""
    step = 1e-4 * cell
    for _ in range(2):
        gradient = np.stack(
            [
                (_evaluate(function, points + d) - _evaluate(function, points - d)) / (2 * step)
                for d in step * np.eye(3)
            ],
            axis=1,
        )
        slope = np.sum(gradient**2, axis=1)
        move = -(_evaluate(function, points) / np.where(slope > 1e-6, slope, np.inf))[:, None] * gradient
        length = np.linalg.norm(move, axis=1, keepdims=True)
        points = points + move * np.minimum(1.0, 0.5 * cell / np.maximum(length, 1e-300))
    return points
