"""A closed triangle surface: what is seen of a character, and what its flesh fills."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from stringless.errors import InputError
from stringless.model.solids import volume_moments
from stringless.spatial.arrays import FloatArray, IntArray

MIRROR_TOLERANCE = 1e-9
"""How far a vertex may lie from the mirror image of another, as a part of the surface's size."""


@dataclass(frozen=True, eq=False)
class Surface:
    """Vertices and the triangles between them, counter-clockwise seen from outside.

    Making one checks shapes only; `surface_checks.check_surface` finds what is wrong with it.
    """

    vertices: FloatArray
    """(n, 3) [m], read-only."""
    triangles: IntArray
    """(m, 3) vertices of each triangle, read-only."""
    name: str = "surface"
    """What messages call it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices", locked(self.vertices, np.float64, "vertices", 3))
        object.__setattr__(self, "triangles", locked(self.triangles, np.int64, "triangles", 3))

    @cached_property
    def bounds(self) -> FloatArray:
        """(2, 3) lowest and highest coordinates [m]."""
        if len(self.vertices) == 0:
            return np.zeros((2, 3))
        return np.array([self.vertices.min(axis=0), self.vertices.max(axis=0)])

    @cached_property
    def size(self) -> float:
        """Longest side of the bounds [m]."""
        return float(np.max(self.bounds[1] - self.bounds[0]))

    @cached_property
    def corners(self) -> FloatArray:
        """(m, 3, 3) positions of the three corners of every triangle [m]."""
        return self.vertices[self.triangles]

    @cached_property
    def areas(self) -> FloatArray:
        """(m,) area of every triangle [m²]."""
        p = self.corners
        return np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1) / 2

    @property
    def area(self) -> float:
        """Area of the whole surface [m²]."""
        return float(self.areas.sum())

    @property
    def volume(self) -> float:
        """Enclosed volume [m³]; negative if the surface is inside out."""
        return self._moments[0]

    @property
    def center(self) -> FloatArray:
        """(3,) centre of the enclosed volume [m]."""
        return self._moments[1]

    @property
    def inertia(self) -> FloatArray:
        """(3, 3) inertia about `center` of the enclosed volume at a density of 1 kg/m³ [kg·m²]."""
        return self._moments[2]

    @cached_property
    def _moments(self) -> tuple[float, FloatArray, FloatArray]:
        origin = self.bounds.mean(axis=0)  # near the solid, so that nothing cancels
        volume, center, inertia = volume_moments(self.corners - origin)
        return volume, origin + center, inertia

    @cached_property
    def components(self) -> IntArray:
        """(m,) which connected piece each triangle belongs to, counted from 0 in the order of the triangles."""
        if len(self.triangles) == 0:
            return np.zeros(0, np.int64)
        t, n = self.triangles, len(self.vertices)
        _, label = connect(np.concatenate([t[:, [0, 1]], t[:, [1, 2]]]), n)
        _, first, piece = np.unique(label[t[:, 0]], return_index=True, return_inverse=True)
        rank = np.empty(len(first), np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        return rank[piece]

    @cached_property
    def piece_volumes(self) -> FloatArray:
        """(pieces,) volume that each connected piece encloses [m³]; negative if it is inside out, as a hollow is."""
        volumes: FloatArray = signed_volumes(self.corners - self.bounds.mean(axis=0))
        return np.bincount(self.components, weights=volumes).astype(np.float64)

    @cached_property
    def mirror_planes(self) -> tuple[float | None, float | None, float | None]:
        """Where x, y and z have a plane that mirrors the set of vertices onto itself [m]; None where there is none."""
        if len(self.vertices) == 0:
            return (None, None, None)
        tree = KDTree(self.vertices)
        tolerance = MIRROR_TOLERANCE * self.size
        planes: list[float | None] = []
        for axis in range(3):
            plane = float(self.bounds[:, axis].mean())
            image = self.vertices.copy()
            image[:, axis] = 2 * plane - image[:, axis]
            far, _ = tree.query(image, distance_upper_bound=2 * tolerance + np.finfo(float).tiny)
            planes.append(plane if bool(np.all(far <= tolerance)) else None)
        return (planes[0], planes[1], planes[2])

    def moved(self, offset: ArrayLike) -> Surface:
        """The same surface elsewhere; `offset` (3,) [m]."""
        return dataclasses.replace(self, vertices=self.vertices + np.asarray(offset, float))

    def flipped(self) -> Surface:
        """The same surface inside out."""
        return dataclasses.replace(self, triangles=self.triangles[:, ::-1])


def join(*surfaces: Surface, name: str = "surface") -> Surface:
    """Several surfaces as the pieces of one. They must not touch."""
    starts = np.cumsum([0, *(len(s.vertices) for s in surfaces[:-1])])
    triangles = [s.triangles + start for s, start in zip(surfaces, starts, strict=True)]
    return Surface(np.concatenate([s.vertices for s in surfaces]), np.concatenate(triangles), name)


def connect(pairs: IntArray, count: int) -> tuple[int, IntArray]:
    """How many groups `pairs` (k, 2) make of so many things, and the group of each."""
    graph = coo_array((np.ones(len(pairs), bool), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    return connected_components(graph, directed=False)


def signed_volumes(corners: FloatArray) -> FloatArray:
    """(m,) volumes of the tetrahedra between the origin and each triangle of `corners` (m, 3, 3)."""
    return np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6


def directed_edges(triangles: IntArray) -> IntArray:
    """(3 m, 2) edges of the triangles in their sense of rotation: edge k of triangle t is row 3 t + k."""
    return np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2)


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view, for kernels: numba compiles them once more for arrays that can be written."""
    view = np.ascontiguousarray(array).view()
    view.setflags(write=False)
    return view


def locked(values: ArrayLike, kind: type[np.float64 | np.int64], what: str, width: int) -> NDArray[Any]:
    """A read-only copy of `values` as an array (n, width).

    Raises:
        InputError: the values have another shape, or are not integers where such are wanted.
    """
    given = np.asarray(values)
    if given.size == 0:
        given = given.reshape(0, width)
    if given.ndim != 2 or given.shape[1] != width:
        raise InputError(f"{what}: found an array of shape {given.shape}; expected (n, {width})")
    if np.issubdtype(kind, np.integer) and given.size and not np.issubdtype(given.dtype, np.integer):
        raise InputError(f"{what}: found numbers of type {given.dtype}; expected integers")
    return read_only(np.array(given, dtype=kind, order="C"))
