"""What is fixed while kernels run, as they are given it: records of tables.

numba takes a NamedTuple of arrays as it is, and records may hold records. A Python call pays about 0.1 µs an array for it,
which is nothing beside many steps; only single calls of plain dynamics functions are given bare tables.
"""

from typing import Any, NamedTuple

from stringless.spatial.arrays import BoolArray, FloatArray


class Skeleton(NamedTuple):
    """Bodies and joints."""

    tree: Any
    """Bodies, parents before children: rows of `BODY_ROW`."""
    dofs: Any
    """Velocity coordinates: rows of `DOF_ROW`."""
    limits: Any
    """Joint limits: rows of `LIMIT_ROW`."""
    rest: FloatArray
    """Configuration in which springs are at rest, shape (nq,)."""
    gravity: FloatArray
    """[m/s²], shape (3,)."""


class FleshTables(NamedTuple):
    """Nodes of the cage, its elements in blocks, their materials, and the vertices of the skin."""

    nodes: Any
    elements: Any
    materials: Any
    vertices: Any


class Inputs(NamedTuple):
    """What drives a model for the next steps."""

    prescribed: BoolArray
    """Coordinates whose acceleration is given, shape (nv,)."""
    vdot: FloatArray
    """Their accelerations, shape (nv,)."""
    followed: BoolArray
    """Coordinates that follow a path, shape (nv,), or (0,) if none does."""
    targets: FloatArray
    """Where that path is after each of the steps, shape (steps, nq)."""
    tau: FloatArray
    """Actuator efforts, shape (nv,)."""
    external: FloatArray
    """Wrenches on bodies, moment first, along their own axes, shape (n, 6)."""
