"""What the kernels of contact are given: records of tables."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless.spatial.arrays import FloatArray, IntArray

Vector = tuple[float, float, float]
STIFFNESS, DAMPING, RESTITUTION, FLESH_DAMPING, FRICTION = 0, 1, 2, 3, 4
"""What stands where in `SimulationConfig.gains`: factors on contact and flesh."""


class MeshTables(NamedTuple):
    """All closed meshes of a model."""

    meshes: Any
    """Which part of the other tables belongs to which mesh: rows of `MESH_ROW`."""
    facets: Any
    """Triangles with their normals: rows of `FACET_ROW`."""
    boxes: FloatArray
    """Trees of boxes around the triangles, shape (boxes, 6)."""
    depths: FloatArray
    """Grids of depths."""


class SkinTables(NamedTuple):
    """The skin of all characters in regions, and the pairs of them that can touch."""

    regions: Any
    """Skin near one bone, or the contact samples of one body: rows of `REGION_ROW`."""
    members: IntArray
    """Points of the regions, one region after the other: skin vertices, then samples counted on from them."""
    pairs: IntArray
    """(n, 2) regions that can touch."""
    triangles: Any
    """Sorted by region: rows of `TRIANGLE_ROW`."""


class Contact(NamedTuple):
    """What can touch."""

    obstacles: Any
    """Solids of the world and of bodies without flesh: rows of `OBSTACLE_ROW`."""
    samples: Any
    """Contact samples of bodies without flesh: rows of `SAMPLE_ROW`."""
    meshes: MeshTables
    """Closed meshes among the obstacles."""
    near: NDArray[np.int8]
    """Which bodies are too near in the tree to touch, shape (n, n)."""
    restitution: Any
    """How contact takes the bounce out of the flesh of every body: rows of `RESTITUTION_ROW`."""
    skin: SkinTables


class ContactWork(NamedTuple):
    """Scratch of contact."""

    obstacles: Any
    """Obstacles where they are now: rows of `OBSTACLE_WORK`."""
    stack: IntArray
    """Boxes still to be visited in a tree."""
    restitution: Any
    """Motion of the flesh of every body: rows of `RESTITUTION_WORK`."""
    points: FloatArray
    """Contact points in the world, vertices of the skin, then samples, shape (points, 3)."""
    boxes: FloatArray
    """Bounds of regions of the skin, shape (regions, 6)."""
    hits: Any
    """Triangles that a contact point is behind: rows of `HIT_ROW`."""
    listed: IntArray
    """A list for searches of points."""
    moments: FloatArray
    """Moments of the forces on samples about their centres, shape (samples, 3)."""


# --- what kernels hand each other ------------------------------------------------------------------------------------


class ContactState(NamedTuple):
    """What moves in contact: nodes of the flesh, and where contact points stick."""

    x: FloatArray
    xdot: FloatArray
    anchors: Any


class ContactSettings(NamedTuple):
    """How contact is taken in a step."""

    h: float
    """Length of the step [s]."""
    gains: Any
    """At `STIFFNESS` and `DAMPING` factors on those of points, `RESTITUTION`, and `FRICTION` of skin with skin."""


class ContactForces(NamedTuple):
    """Where forces of contact go."""

    points: FloatArray
    """Force on every contact point, shape (points, 3)."""
    bodies: FloatArray
    """Wrenches on bodies, about their origins along world axes, shape (n, 6)."""


class Obstacle(NamedTuple):
    """One obstacle."""

    number: int
    row: Any
    """Its row of `OBSTACLE_ROW` ..."""
    placed: Any
    """... and of `OBSTACLE_WORK`."""
    meshes: MeshTables


class Ball(NamedTuple):
    """What touches an obstacle: a contact sample, or a vertex of the skin."""

    radius: float
    """0 for a point [m]."""
    kn: float
    """Stiffness [N/m]."""
    cn: float
    """Damping [N·s/m]."""
    x: Vector
    """Where its centre is in the world ..."""
    xdot: Vector
    """... and how that moves, if it has a velocity of its own."""


class SkinPoints(NamedTuple):
    """The points of all regions: vertices of the skin, then contact samples."""

    x: FloatArray
    """Where they are, shape (points, 3)."""
    skin: int
    """How many are vertices."""
    samples: Any
