"""Cages drawn by hand from sections, for long bodies whose cage should have few elements where a lattice has many.

Both kinds mirror themselves where their sections do.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from stringless.errors import InputError
from stringless.flesh.cage import Cage, from_tets
from stringless.spatial.arrays import FloatArray, IntArray

Place = tuple[int, int, int]


def between_sections(sections: ArrayLike, slices: int) -> FloatArray:
    """The rows of a table of sections, each space between two of them cut into `slices`."""
    rows = np.asarray(sections, float)
    steps = np.linspace(0.0, len(rows) - 1.0, slices * (len(rows) - 1) + 1)
    return np.stack([np.interp(steps, np.arange(len(rows)), column) for column in rows.T], axis=1)


def diamond_cage(sections: ArrayLike, *, name: str = "cage") -> Cage:
    """A row of prisms of diamond section along x: five nodes a section, twelve tetrahedra between two.

    Node 5 k is the middle of section k; its top, bottom, right (+z) and left follow. The elements are symmetric about
    the planes of y and z through the middles.

    Args:
        sections: (n, 4) place along x, reach to the sides, up and down [m], two sections or more in order.
        name: for messages.
    """
    rows = np.asarray(sections, float)
    if rows.ndim != 2 or rows.shape[1] != 4 or len(rows) < 2:
        raise InputError(f"sections: found an array of shape {rows.shape}; expected (n, 4) with n of at least 2")
    nodes = [p for x, w, up, down in rows for p in ((x, 0, 0), (x, up, 0), (x, -down, 0), (x, 0, w), (x, 0, -w))]
    tets: list[tuple[int, ...]] = []
    for k in range(len(rows) - 1):
        here, there = (5 * k, 5 * k + 5)[:: 1 if k % 2 else -1]
        for ridge in (1, 2):
            for side in (3, 4):
                # A staircase from one section to the other, always in the order middle, ridge, side.
                path = (0, ridge, side)
                tets += [tuple([here + n for n in path[: s + 1]] + [there + n for n in path[s:]]) for s in range(3)]
    return from_tets(nodes, tets, name=name)[0]


def centred_cage(
    corners: FloatArray, middles: FloatArray | None = None, *, name: str = "cage"
) -> tuple[Cage, IntArray]:
    """A body-centred lattice of bent cells: a node at every corner and one in the middle of every cell.

    Four tetrahedra join the middles of two neighbouring cells, two close a face without a neighbour. There is no
    preferred diagonal inside: even numbers of cells make the cage symmetric.

    Args:
        corners: (a + 1, b + 1, c + 1, 3) corners of a times b times c cells [m].
        middles: (a, b, c, 3) their middles [m]; the means of their corners if not given.
        name: for messages.

    Returns:
        The cage, its nodes being the corners and then the middles, and the node (a, b, c) in the middle of each cell.
    """
    counts = tuple(n - 1 for n in corners.shape[:3])
    if corners.ndim != 4 or corners.shape[3] != 3 or min(counts) < 1:
        raise InputError(f"corners: found an array of shape {corners.shape}; expected (a + 1, b + 1, c + 1, 3)")
    grid = np.arange(np.prod(corners.shape[:3])).reshape(corners.shape[:3])
    if middles is None:
        middles = cell_middles(corners)
    number = grid.size + np.arange(np.prod(counts)).reshape(counts)
    tets = [tet for cell in np.ndindex(counts) for tet in _cell_tets(cell, number, grid)]
    nodes = np.concatenate([corners.reshape(-1, 3), middles.reshape(-1, 3)])
    return from_tets(nodes, tets, name=name)[0], number


def cell_middles(corners: FloatArray) -> FloatArray:
    """(a, b, c, 3) means of the corners (a + 1, b + 1, c + 1, 3) of each cell."""
    a, b, c = (n - 1 for n in corners.shape[:3])
    parts = [corners[i : i + a, j : j + b, k : k + c] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    return np.mean(parts, axis=0)


def _cell_tets(cell: Place, number: IntArray, grid: IntArray) -> Iterator[tuple[int, int, int, int]]:
    """The tetrahedra of a cell: those to its next neighbour along each axis, and those on its open faces."""
    for axis in range(3):
        for end in (0, 1):
            corners = _face(cell, axis, end)
            ring = [int(grid[corner]) for corner in corners]
            beyond = _moved(cell, axis, 2 * end - 1)
            if not 0 <= beyond[axis] < number.shape[axis]:
                # Cut from an even corner to the opposite one: neighbouring faces mirror each other.
                odd = sum(corners[0]) % 2
                a, b, c, d = ring[odd:] + ring[:odd]
                yield from ((int(number[cell]), a, b, c), (int(number[cell]), a, c, d))
            elif end == 1:
                yield from ((int(number[cell]), int(number[beyond]), ring[k - 1], ring[k]) for k in range(4))


def _face(cell: Place, axis: int, end: int) -> list[Place]:
    """The four corners of a face of a cell, in order around it."""
    first = _moved(cell, axis, end)
    one, two = (axis + 1) % 3, (axis + 2) % 3
    return [first, _moved(first, one, 1), _moved(_moved(first, one, 1), two, 1), _moved(first, two, 1)]


def _moved(place: Place, axis: int, steps: int) -> Place:
    """The place some steps further along an axis."""
    i, j, k = (p + steps * (axis == n) for n, p in enumerate(place))
    return i, j, k
