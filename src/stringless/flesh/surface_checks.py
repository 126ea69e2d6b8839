"""What is wrong with a surface, as a list of problems: everything that can be told, the cheap checks first."""

from collections.abc import Iterator, Sequence

import numpy as np

from stringless.errors import ModelError, Problem
from stringless.flesh.boxtree import STACK, build_tree
from stringless.flesh.kernels_crossings import cross_pairs
from stringless.flesh.surface import Surface, directed_edges
from stringless.spatial.arrays import FloatArray, IntArray

MOST_TRIANGLES = 200_000
"""Larger surfaces are refused: to read, check and fill so many takes some fifteen seconds and 400 MB, a million minutes
and more than a gigabyte, and every vertex is looked at in every step."""
MOST_NESTED_PAIRS = 200_000_000
"""Pieces times triangles beyond which pieces are not searched for others around them."""
FARTHEST = 1e9
"""Largest coordinate [m]."""
LEAST_AREA = 1e-14
"""Area of a triangle that counts as none, as a part of its longest edge squared. Rounding leaves about 1e-16."""
_NAMED = 5
"""How many places a message names."""


def check_surface(surface: Surface) -> list[Problem]:
    """All problems of a surface that is to be filled with flesh; an empty list if it is good."""
    return (
        list(_simple_problems(surface))  # what follows would only repeat them, and so on
        or [*_triangle_problems(surface), *_edge_problems(surface)]
        or list(_crossing_problems(surface))
        or list(_orientation_problems(surface))
    )


def require_surface(surface: Surface) -> None:
    """Refuse a surface that flesh cannot fill.

    Raises:
        ModelError: with every problem.
    """
    problems = check_surface(surface)
    if problems:
        raise ModelError(surface.name, problems)


def count_problem(name: str, count: int) -> Problem | None:
    """The problem of a surface of too many triangles."""
    if count <= MOST_TRIANGLES:
        return None
    remedy = "Reduce it in a mesh editor (decimate); a few thousand triangles are plenty for a character."
    return Problem(name, f"{count:,} triangles", f"at most {MOST_TRIANGLES:,}", remedy)


def name_some(what: str, indices: Sequence[int] | IntArray) -> str:
    """`vertices 3, 5, 8 and 12 more`."""
    shown = ", ".join(str(int(index)) for index in indices[:_NAMED])
    more = len(indices) - _NAMED
    return f"{what} {shown}" + (f" and {more} more" if more > 0 else "")


def place(points: FloatArray) -> str:
    """`near (1, 2, 3)`: the middle of some points (k, 3) [m]."""
    x, y, z = points.reshape(-1, 3).mean(axis=0)
    return f"near ({x:.4g}, {y:.4g}, {z:.4g})"


def _simple_problems(surface: Surface) -> Iterator[Problem]:
    name, x, t = surface.name, surface.vertices, surface.triangles
    too_many = count_problem(name, len(t))
    if too_many:
        yield too_many
        return
    if len(t) == 0:
        yield Problem(name, "no triangles", "a closed surface", "Give it at least four triangles.")
        return
    wild = np.flatnonzero(np.any((t < 0) | (t >= len(x)), axis=1))
    if len(wild):
        found = f"{name_some('triangles', wild)} that name vertices which do not exist"
        yield Problem(name, found, f"vertices from 0 to {len(x) - 1}")
    lost = lost_vertices(x)
    if len(lost):
        found = f"{name_some('vertices', lost)} with a coordinate that is not a finite number, or beyond {FARTHEST:g} m"
        yield Problem(name, found, "finite coordinates [m]", "Look for a division by zero where it was made.")


def lost_vertices(x: FloatArray) -> IntArray:
    """Vertices that are nowhere: not finite, or so far away that areas and volumes lose their meaning."""
    return np.flatnonzero(~np.all(np.abs(x) < FARTHEST, axis=1))


def thin_triangles(surface: Surface) -> IntArray:
    """Triangles with no area: a corner named twice, corners in one place or in one line."""
    p = surface.corners
    longest = np.max(np.sum((p - np.roll(p, 1, axis=1)) ** 2, axis=2), axis=1)
    return np.flatnonzero(surface.areas <= LEAST_AREA * longest)


def _triangle_problems(surface: Surface) -> Iterator[Problem]:
    thin = thin_triangles(surface)
    if len(thin):
        found = f"{name_some('triangles', thin)} without an area"
        yield Problem(surface.name, found, "three corners not in one line", "Read it from a file to have it repaired.")
    _, first, count = np.unique(np.sort(surface.triangles, axis=1), axis=0, return_index=True, return_counts=True)
    repeated = np.sort(first[count > 1])
    if len(repeated):
        found = f"{name_some('triangles', repeated)} more than once"
        yield Problem(surface.name, found, "every triangle once", "Remove the repeated ones.")


def _edge_problems(surface: Surface) -> Iterator[Problem]:
    """Every edge must be used exactly twice, once in each direction."""
    x, edges = surface.vertices, directed_edges(surface.triangles)
    both = np.sort(edges, axis=1)
    unique, which, count = np.unique(both, axis=0, return_inverse=True, return_counts=True)
    opened, crowded = unique[count == 1], unique[count > 2]
    if len(opened):
        found = f"{len(opened)} edges with a triangle on one side only, {place(x[opened[0]])}"
        yield Problem(surface.name, found, "a closed surface", "Fill the holes, or weld vertices that coincide.")
    if len(crowded):
        found = f"{len(crowded)} edges with more than two triangles, {place(x[crowded[0]])}"
        yield Problem(surface.name, found, "two triangles at every edge", "Separate the parts that meet there.")
    forward = np.bincount(which.reshape(-1), weights=edges[:, 0] < edges[:, 1], minlength=len(unique))
    turned = unique[(count == 2) & (forward != 1)]
    if len(turned):
        found = f"{len(turned)} edges between triangles of opposite sense, {place(x[turned[0]])}"
        remedy = "Turn the triangles that disagree with their neighbours."
        yield Problem(surface.name, found, "all triangles counter-clockwise seen from outside", remedy)


def _orientation_problems(surface: Surface) -> Iterator[Problem]:
    """Each piece must be a solid outside all others, or a hollow inside one."""
    pieces, volumes = surface.components, surface.piece_volumes
    if surface.volume <= 1e-12 * surface.size**3:
        found = f"a volume of {surface.volume:.3g} m³"
        remedy = "Turn all triangles: the surface is inside out."
        yield Problem(surface.name, found, "a positive volume", remedy if surface.volume < 0 else "")
    elif 1 < len(volumes) <= MOST_NESTED_PAIRS // len(surface.triangles):
        for piece, start in enumerate(np.unique(pieces, return_index=True)[1]):
            turns = winding(surface, surface.vertices[surface.triangles[start, 0]])
            around = float(turns[pieces != piece].sum())
            expected = 0 if volumes[piece] > 0 else 1
            if round(around) != expected:
                where = f"piece {piece} ({place(surface.vertices[surface.triangles[pieces == piece]])})"
                state = "a solid" if volumes[piece] > 0 else "a hollow"
                found = f"{where}, {state} that lies inside {round(around)} others"
                yield Problem(surface.name, found, "solids side by side, and hollows inside one solid")


def winding(surface: Surface, point: FloatArray) -> FloatArray:
    """(m,) part of the view from a point (3,) that each triangle fills (van Oosterom, Strackee 1983).

    The sum over a closed piece is 1 for a point inside and 0 outside.
    """
    p = surface.corners - point
    length = np.linalg.norm(p, axis=2)
    top = np.einsum("ij,ij->i", p[:, 0], np.cross(p[:, 1], p[:, 2]))
    low = length.prod(axis=1)
    for k in range(3):
        low = low + np.einsum("ij,ij->i", p[:, k], p[:, (k + 1) % 3]) * length[:, (k + 2) % 3]
    return np.arctan2(top, low) / (2 * np.pi)


def _crossing_problems(surface: Surface) -> Iterator[Problem]:
    pairs = find_crossings(surface)
    if len(pairs):
        i, j = pairs[0]
        amount = f"{len(pairs)} pairs" if len(pairs) < 100 else "100 or more pairs"
        found = f"{amount} of triangles that cross or touch, first {i} and {j} {place(surface.corners[pairs[0]])}"
        yield Problem(surface.name, found, "a surface that does not cross itself", "Join the parts that overlap.")


def find_crossings(surface: Surface, most: int = 100) -> IntArray:
    """Pairs of triangles (k, 2) that cross, touch away from what they share, or are folded onto each other.

    Every pair whose boxes meet is tested by the signs of determinants. A sign counts only beyond the bound of its rounding error
    (Shewchuk 1997); within it, the points count as coplanar, and what touches counts as crossing.

    Args:
        surface: closed and without degenerate or repeated triangles; others give meaningless answers.
        most: stop after so many pairs.
    """
    pairs = np.zeros((most, 2), np.int64)
    low, high = surface.corners.min(axis=1), surface.corners.max(axis=1)
    tree = build_tree(low, high)
    count = cross_pairs(
        surface.vertices, surface.triangles, low, high, tree.order, tree.bounds, np.zeros(STACK, np.int64), pairs
    )
    return pairs[:count]
