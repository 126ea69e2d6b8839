"""Mass, centre of mass and inertia of solids, in closed form, and of several solids joined into one body."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from stringless.errors import InputError
from stringless.model.pose import Pose, Vector, floats
from stringless.model.shapes import Shape
from stringless.spatial.arrays import FloatArray, IntArray

WATER = 1000.0
"""Density of water, the usual guess for a living body [kg/m³]."""


@dataclass(frozen=True)
class Solid:
    """Mass properties of a rigid body."""

    mass: float = 0.0
    """[kg]."""
    center_of_mass: Vector = (0.0, 0.0, 0.0)
    """[m]."""
    inertia: Vector = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    """About the centre of mass: xx, yy, zz, xy, xz, yz [kg·m²]."""

    def placed(self, place: Pose) -> Solid:
        """The same solid seen from a frame in which its own frame sits at `place`."""
        return Solid(self.mass, place.apply(self.center_of_mass), turn_inertia(self.inertia, place.matrix))

    def scaled(self, mass: float) -> Solid:
        """The same shape made of stuff that weighs `mass` [kg] in total."""
        if self.mass == 0:
            raise InputError("a solid without mass cannot be scaled to another mass")
        ratio = mass / self.mass
        return Solid(mass, self.center_of_mass, tuple(ratio * value for value in self.inertia))


def shape_solid(
    shape: Shape,
    *,
    density: float | None = None,
    mass: float | None = None,
    mesh: tuple[ArrayLike, ArrayLike] | None = None,
) -> Solid:
    """Mass properties of a shape, in the frame of the body that it is fixed to.

    Args:
        shape: any kind but a plane.
        density: of the homogeneous solid [kg/m³]; that of water if neither `density` nor `mass` is given.
        mass: of the whole solid [kg]; wins over `density`.
        mesh: vertices (n, 3) [m] before scaling and triangles (m, 3), for a shape of kind `mesh`.
    """
    if shape.kind == "mesh":
        if mesh is None:
            raise InputError(f"mesh '{shape.mesh}' needs its vertices and triangles to have a mass")
        scale = np.asarray(shape.size or (1.0, 1.0, 1.0), float)
        solid = mesh_solid(np.asarray(mesh[0], float) * scale, mesh[1])
    else:
        solid = _checked_primitive(shape)
    wanted = solid.mass * (WATER if density is None else density) if mass is None else mass
    return solid.scaled(wanted).placed(shape.place)


def has_volume(shape: Shape) -> bool:
    """Whether the size of a shape is one that a solid can have; a mesh may be mirrored by a negative scale."""
    return all(math.isfinite(size) and (size > 0 or (shape.kind == "mesh" and size < 0)) for size in shape.size)


def combine(solids: Iterable[Solid]) -> Solid:
    """Join solids given in one frame into one body (parallel axes). Overlapping parts count twice."""
    solids = list(solids)
    if len(solids) == 1:
        return solids[0]
    mass = math.fsum(solid.mass for solid in solids)
    if mass == 0:
        return Solid()
    moment = sum((solid.mass * np.asarray(solid.center_of_mass) for solid in solids), np.zeros(3))
    center = moment / mass
    total = np.zeros((3, 3))
    for solid in solids:
        r = np.asarray(solid.center_of_mass) - center
        total += tensor(solid.inertia) + solid.mass * (r @ r * np.eye(3) - np.outer(r, r))
    return Solid(mass, floats(center), components(total))


def mesh_solid(vertices: ArrayLike, triangles: ArrayLike) -> Solid:
    """Mass properties of a closed triangle mesh of density 1 kg/m³: signed tetrahedra to the origin, summed.

    A mesh turned inside out (all normals inward) is taken as if it were not.

    Raises:
        InputError: the mesh is not closed or has no volume.
    """
    points, faces = np.asarray(vertices, float), np.asarray(triangles, int)
    _check_closed(points, faces)
    origin = points.mean(axis=0)  # near the solid, so that nothing cancels
    size = float(np.ptp(points, axis=0).max())
    volume, center, inertia = volume_moments(points[faces] - origin)
    if abs(volume) <= 1e-12 * size**3:
        raise InputError("the mesh encloses no volume")
    return Solid(abs(volume), floats(origin + center), components(math.copysign(1.0, volume) * inertia))


def volume_moments(corners: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Volume of a closed surface of triangles `corners` (m, 3, 3), its centre, and its inertia about that as if of 1 kg/m³.

    Best with the origin near, so that nothing cancels. The signs are those of outward triangles.
    """
    volumes = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    volume, sums = float(volumes.sum()), corners.sum(axis=1)
    center = (volumes[:, None] * sums).sum(axis=0) / (4 * volume if volume else 4)
    # Integral of x xᵀ over a tetrahedron with one corner at the origin: V/20 (Σ pᵢ pᵢᵀ + s sᵀ), s = Σ pᵢ.
    parts = (corners[:, 0], corners[:, 1], corners[:, 2], sums)
    second = sum(np.einsum("i,ij,ik->jk", volumes, p, p) for p in parts) / 20 - volume * np.outer(center, center)
    return volume, center, np.trace(second) * np.eye(3) - second


def _check_closed(points: FloatArray, faces: IntArray) -> None:
    if points.ndim != 2 or points.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3 or len(faces) == 0:
        raise InputError(f"a mesh needs vertices (n, 3) and triangles (m, 3), got {points.shape} and {faces.shape}")
    if faces.min() < 0 or faces.max() >= len(points):
        raise InputError(f"a triangle names vertex {int(faces.max())} of a mesh of {len(points)} vertices")
    if not np.all(np.isfinite(points)):
        raise InputError("a vertex of the mesh is not finite")
    # Corners that coincide count as one: files repeat them for each triangle, or for their texture.
    _, same = np.unique(points, axis=0, return_inverse=True)
    faces = same.reshape(-1)[faces]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    edges = edges[edges[:, 0] != edges[:, 1]]
    forward, counts = np.unique(edges, axis=0, return_counts=True)
    back, back_counts = np.unique(edges[:, ::-1], axis=0, return_counts=True)
    if not (np.array_equal(forward, back) and np.array_equal(counts, back_counts)):
        raise InputError("the mesh is not closed (an edge has a triangle on one side only), so it has no volume")


def _checked_primitive(shape: Shape) -> Solid:
    try:
        solid = _primitive(shape.kind, tuple(float(value) for value in shape.size))
    except OverflowError:
        solid = Solid(math.inf)
    if not (0 < solid.mass < math.inf and max(solid.inertia) < math.inf):
        raise InputError(f"a {shape.kind} of size {shape.size} has no volume that can be computed")
    return solid


def _primitive(kind: str, size: Vector) -> Solid:
    """A solid of density 1 kg/m³ about its own centre."""
    if kind == "sphere":
        (r,) = size
        mass = 4 / 3 * math.pi * r**3
        return _diagonal(mass, *([0.4 * mass * r * r] * 3))
    if kind == "box":
        a, b, c = size
        mass = 8 * a * b * c
        return _diagonal(mass, *(mass / 3 * part for part in (b * b + c * c, a * a + c * c, a * a + b * b)))
    if kind == "ellipsoid":
        a, b, c = size
        mass = 4 / 3 * math.pi * a * b * c
        return _diagonal(mass, *(mass / 5 * part for part in (b * b + c * c, a * a + c * c, a * a + b * b)))
    if kind in ("cylinder", "capsule"):
        return _round_bar(*size, capped=kind == "capsule")
    raise InputError(f"a shape of kind '{kind}' has no mass; expected box, sphere, capsule, cylinder or ellipsoid")


def _round_bar(r: float, half: float, *, capped: bool) -> Solid:
    """Cylinder along z, with half a sphere on each end if `capped`."""
    bar, h = 2 * math.pi * r * r * half, 2 * half
    across, along = bar * (r * r / 4 + h * h / 12), bar * r * r / 2
    if not capped:
        return _diagonal(bar, across, across, along)
    caps = 4 / 3 * math.pi * r**3
    along += 0.4 * caps * r * r
    # Each hemisphere's centre of mass lies 3r/8 beyond the end of the bar.
    across += caps * (0.4 * r * r + h * h / 4 + 3 * h * r / 8)
    return _diagonal(bar + caps, across, across, along)


def _diagonal(mass: float, xx: float, yy: float, zz: float) -> Solid:
    return Solid(mass, inertia=(xx, yy, zz, 0.0, 0.0, 0.0))


# --- inertia tensors --------------------------------------------------------------------------------------------------


def turn_inertia(inertia: Vector, rotation: FloatArray) -> Vector:
    """Components xx, yy, zz, xy, xz, yz along the axes that `rotation` leads to: R I Rᵀ."""
    return components(rotation @ tensor(inertia) @ rotation.T)


def tensor(inertia: Vector) -> FloatArray:
    """The 3 by 3 matrix of xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def components(matrix: FloatArray) -> Vector:
    """Read xx, yy, zz, xy, xz, yz out of a symmetric matrix."""
    m = (matrix + matrix.T) / 2
    return floats((m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]))
