"""What the kernels of contact are given: records of tables."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Contact(NamedTuple):
    """What can touch."""

    obstacles: Any
    """Solids of the world and of bodies without flesh: rows of `OBSTACLE_ROW`."""
    samples: Any
    """Contact samples of bodies without flesh: rows of `PROBE_ROW`."""
    meshes: Any
    """Closed meshes among the obstacles: `MeshTables` in the order of its fields."""
    near: NDArray[np.int8]
    """Which bodies are too near in the tree to touch, shape (n, n)."""
    landing: Any
    """Bodies that `restitution` acts on: rows of `LANDING_ROW`."""
    regions: Any
    """Stretches of skin on one bone: rows of `REGION_ROW` ..."""
    members: IntArray
    """... their vertices ..."""
    pairs: IntArray
    """... which of them may touch ..."""
    triangles: Any
    """... and their triangles: rows of `TRIANGLE_ROW`."""


class ContactWork(NamedTuple):
    """Scratch of contact."""

    obstacles: Any
    """Obstacles where they are now: rows of `OBSTACLE_WORK`."""
    stack: IntArray
    landing: Any
    points: FloatArray
    """Contact points in the world, shape (points, 3)."""
    boxes: FloatArray
    """Bounds of regions of the skin, shape (regions, 6)."""
    hits: Any
    listed: IntArray
    """A list for whoever looks for points."""
    moments: FloatArray
    """Moments of the forces on samples about their centres, shape (samples, 3)."""
