"""A lattice of cuboid cells cut into tetrahedra that mirror each other.

Every cell is cut into six tetrahedra around one of its diagonals (Kuhn 1960). Neighbouring cells are mirror images of
each other, so that their faces match and every plane of nodes mirrors the pattern: a lattice with an even number of
cells across a plane is symmetric about it, also in its elements.
"""

import itertools
from collections.abc import Sequence

import numpy as np

from stringless.spatial.arrays import BoolArray, FloatArray, IntArray

Counts = tuple[int, int, int]

PER_CELL = 6
"""Tetrahedra of a cell."""


def lattice_nodes(center: FloatArray, cell: FloatArray, counts: Counts) -> FloatArray:
    """(n, 3) nodes of a lattice of `counts` cells of size `cell` (3,) [m] about `center` (3,) [m], z fastest."""
    axes = [c + (np.arange(n + 1) - n / 2) * h for c, h, n in zip(center, cell, counts, strict=True)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def lattice_tets(counts: Counts) -> IntArray:
    """(6 k, 4) tetrahedra of all cells, six after six; det [x1-x0, x2-x0, x3-x0] > 0.

    Mirroring the lattice maps tetrahedron j of a cell to tetrahedron j of the mirrored cell.
    """
    tets, left = lattice_paths(counts, np.arange(np.prod(counts)))
    tets[left] = tets[left][:, [0, 1, 3, 2]]
    return tets


def lattice_paths(counts: Counts, cells: IntArray) -> tuple[IntArray, BoolArray]:
    """Tetrahedra (6 k, 4) of `cells` (k,), each a path of three steps along the axes, and which are left-handed (6 k,).

    Mirroring the lattice maps each path to a path, node by node, of the other hand.
    """
    place = np.stack(np.unravel_index(cells, counts), axis=1)
    # Corner 0 or 1 of the pattern along each axis is the far or the near end of the cell, in turn.
    far = (place + _first_turn(counts)) % 2 == 1
    paths = np.array([np.cumsum([(0, 0, 0), *np.eye(3, dtype=int)[list(p)]], axis=0) for p in _PERMUTATIONS])
    corner = place[:, None, None, :] + np.where(far[:, None, None, :], 1 - paths, paths)
    tets = np.ravel_multi_index(tuple(np.moveaxis(corner, -1, 0)), tuple(n + 1 for n in counts))
    # A path along the axes in an odd order, or in an odd number of mirrored axes, is left-handed.
    left = (_ODD[None, :] + far.sum(axis=1)[:, None]) % 2 == 1
    return tets.reshape(-1, 4).astype(np.int64), left.reshape(-1)


_PERMUTATIONS = tuple(itertools.permutations(range(3)))
_ODD = np.array([sum(a > b for a, b in itertools.combinations(p, 2)) % 2 for p in _PERMUTATIONS])


def _first_turn(counts: Counts) -> IntArray:
    """Which way the cells at the low ends face.

    The diagonals avoid the edges of the lattice that run along its longest side, so that elements there hold a corner
    of a section each and can be dropped where a section is round.
    """
    turn = np.zeros(3, np.int64)
    longest = int(np.argmax(counts))
    turn[2 if longest != 2 else 1] = 1
    return turn


def mirror_marks(marks: BoolArray, counts: Counts, planes: Sequence[bool]) -> BoolArray:
    """Marks (6 k,) of all elements, true also where a mirror image about one of the wanted planes is marked."""
    grid = marks.reshape(*counts, PER_CELL)
    for axis in range(3):
        if planes[axis]:
            grid = grid | np.flip(grid, axis)
    return grid.reshape(-1)
