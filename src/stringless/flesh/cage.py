"""The coarse tetrahedral cage that carries a surface: its nodes move, and the surface goes with them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from stringless.errors import ModelError, Problem
from stringless.flesh.surface import locked, signed_volumes
from stringless.flesh.surface_checks import name_some, place
from stringless.spatial.arrays import FloatArray, IntArray

LEAST_VOLUME = 1e-9
"""Volume of an element that counts as none, as a part of its longest edge cubed. A flat one would need steps of time
that go to zero with it."""
_FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])
"""Faces opposite to nodes 0 to 3, counter-clockwise seen from outside."""


@dataclass(frozen=True, eq=False)
class Cage:
    """Nodes and the tetrahedra between them, all with det [x1-x0, x2-x0, x3-x0] > 0.

    Made by `lattice_cage.lattice_cage` or, from a given mesh, by `from_tets`; making one directly checks shapes only.
    """

    nodes: FloatArray
    """(n, 3) [m], read-only."""
    tets: IntArray
    """(k, 4) nodes of each element, read-only."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", locked(self.nodes, np.float64, "nodes", 3))
        object.__setattr__(self, "tets", locked(self.tets, np.int64, "tets", 4))

    @cached_property
    def volumes(self) -> FloatArray:
        """(k,) signed volume of each element [m³]."""
        p = self.nodes[self.tets]
        return signed_volumes(p[:, 1:] - p[:, :1])

    @cached_property
    def outer_faces(self) -> tuple[IntArray, IntArray]:
        """Faces (f, 3) with an element on one side only, counter-clockwise seen from outside, and that element (f,)."""
        faces = self.tets[:, _FACES].reshape(-1, 3)
        _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
        outer = np.sort(first[count == 1])
        return faces[outer], outer // 4


def from_tets(nodes: ArrayLike, tets: ArrayLike, *, name: str = "cage") -> tuple[Cage, list[Problem]]:
    """A cage from a given mesh, and warnings of what was mended: inverted elements are turned, unused nodes left out.

    Args:
        nodes: (n, 3) [m].
        tets: (k, 4).
        name: what messages call it.

    Raises:
        ModelError: a mesh that cannot be used, with every reason.
    """
    given, problems = Cage(np.asarray(nodes), np.asarray(tets)), list[Problem]()
    _require_shape(given, name)
    x, elements = given.nodes, given.tets.copy()
    inverted = np.flatnonzero(given.volumes < 0)
    if len(inverted):
        elements[inverted] = elements[inverted][:, [0, 1, 3, 2]]
        found = f"{len(inverted)} inverted elements: {name_some('tetrahedra', inverted)}"
        problems.append(
            Problem(name, found, "det [x1-x0, x2-x0, x3-x0] > 0", "Their last two nodes were exchanged.", "warning")
        )
    used, renumbered = np.unique(elements, return_inverse=True)
    if len(used) < len(x):
        idle = np.setdiff1d(np.arange(len(x)), used)
        found = f"{name_some('nodes', idle)} without an element"
        remedy = f"They were left out and the other {len(used)} renumbered."
        problems.append(Problem(name, found, "every node in an element", remedy, "warning"))
        x, elements = x[used], renumbered.reshape(-1, 4)
    return Cage(x, elements), problems


def require_cage(cage: Cage, *, name: str = "cage") -> None:
    """Refuse a cage that no flesh can have, with every reason."""
    _require_shape(cage, name)
    inverted = np.flatnonzero(cage.volumes < 0)
    if len(inverted):
        found = f"{len(inverted)} inverted elements: {name_some('tetrahedra', inverted)}"
        remedy = "Exchange two of their nodes, or make the cage by `from_tets`, which does."
        raise ModelError(name, [Problem(name, found, "det [x1-x0, x2-x0, x3-x0] > 0", remedy)])


def _require_shape(cage: Cage, name: str) -> None:
    problems = list(_simple_problems(cage, name)) or list(_shape_problems(cage, name))
    if problems:
        raise ModelError(name, problems)


def _simple_problems(cage: Cage, name: str) -> Iterator[Problem]:
    x, tets = cage.nodes, cage.tets
    if len(tets) == 0:
        yield Problem(name, "no tetrahedra", "at least one")
        return
    wild = np.flatnonzero(np.any((tets < 0) | (tets >= len(x)), axis=1))
    if len(wild):
        found = f"{name_some('tetrahedra', wild)} that name nodes which do not exist"
        yield Problem(name, found, f"nodes from 0 to {len(x) - 1}")
    lost = np.flatnonzero(~np.all(np.isfinite(x), axis=1))
    if len(lost):
        found = f"{name_some('nodes', lost)} with a coordinate that is not a finite number"
        yield Problem(name, found, "finite coordinates [m]")


def _shape_problems(cage: Cage, name: str) -> Iterator[Problem]:
    x, tets = cage.nodes, cage.tets
    p = x[tets]
    longest = np.max(np.linalg.norm(p[:, :, None] - p[:, None, :], axis=3), axis=(1, 2))
    flat = np.flatnonzero(np.abs(cage.volumes) <= LEAST_VOLUME * longest**3)
    if len(flat):
        found = f"{name_some('tetrahedra', flat)} without a volume"
        yield Problem(name, found, "four nodes not in one plane", "Remove them, or move their nodes apart.")
    _, first, count = np.unique(np.sort(tets, axis=1), axis=0, return_index=True, return_counts=True)
    repeated = np.sort(first[count > 1])
    if len(repeated):
        yield Problem(name, f"{name_some('tetrahedra', repeated)} more than once", "every tetrahedron once")
        return
    faces = np.sort(tets[:, _FACES].reshape(-1, 3), axis=1)
    unique, count = np.unique(faces, axis=0, return_counts=True)
    crowded = unique[count > 2]
    if len(crowded):
        found = f"{len(crowded)} faces with more than two tetrahedra, {place(x[crowded[0]])}"
        yield Problem(name, found, "one or two tetrahedra at every face", "Separate the parts that overlap there.")
