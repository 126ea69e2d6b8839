"""What is fixed while kernels run, as they are given it: records of tables.

numba takes a NamedTuple of arrays as it is, and records may hold records. A Python call pays about 0.1 µs an array for it,
which is nothing beside many steps; only single calls of plain dynamics functions are given bare tables.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Skeleton(NamedTuple):
    """Bodies and joints."""

    tree: Any
    """Bodies, parents before children: rows of `BODY_ROW`."""
    dofs: Any
    """Velocity coordinates: rows of `DOF_ROW`."""
    limits: Any
    """Joint limits: rows of `LIMIT_ROW`."""
    rest: NDArray[np.float64]
    """Configuration in which springs are at rest, shape (nq,)."""
    gravity: NDArray[np.float64]
    """[m/s²], shape (3,)."""


class FleshTables(NamedTuple):
    """Nodes of the cage, its elements in blocks, their materials, and the vertices of the skin."""

    nodes: Any
    elements: Any
    materials: Any
    vertices: Any


class Inputs(NamedTuple):
    """What drives a model for the next steps."""

    prescribed: NDArray[np.bool_]
    """Coordinates whose acceleration is given, shape (nv,)."""
    vdot: NDArray[np.float64]
    """Their accelerations, shape (nv,)."""
    followed: NDArray[np.bool_]
    """Coordinates that follow a path, shape (nv,), or (0,) if none does."""
    targets: NDArray[np.float64]
    """Where that path is after each of the steps, shape (steps, nq)."""
    tau: NDArray[np.float64]
    """Actuator efforts, shape (nv,)."""
    external: NDArray[np.float64]
    """Wrenches on bodies, moment first, along their own axes, shape (n, 6)."""
