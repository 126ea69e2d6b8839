"""What the kernels of directing are given: records of tables."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class TaskTables(NamedTuple):
    """What the goals ask for."""

    characters: Any
    """Rows of `CAST_ROW`."""
    members: IntArray
    """Bodies, character by character."""
    columns: IntArray
    """Directed coordinates, character by character."""
    column_of: IntArray
    """Column of every coordinate, -1 if it is not directed."""
    tasks: Any
    """Rows of `TASK_ROW`."""
    poses: FloatArray
    """Poses that are wanted; the first is the rest pose of the styles."""
    pose_weights: FloatArray
    weights: FloatArray
    """Joint weights, shape (nv,)."""


class DirectorWork(NamedTuple):
    """Scratch of directing, as large as the largest character needs."""

    bodies: Any
    dofs: Any
    force: FloatArray
    A: FloatArray
    bias: FloatArray
    T: FloatArray
    D: FloatArray
    true: FloatArray
    whole: FloatArray
    momentum: FloatArray
    moment: FloatArray
    J: FloatArray
    footholds: FloatArray
    tasks: FloatArray
    scalars: FloatArray
    G: FloatArray
    bounds: Any
    work: FloatArray
    vectors: FloatArray
    active: IntArray
    levels: IntArray
    held: IntArray
    account: FloatArray
