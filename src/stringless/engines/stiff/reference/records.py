"""Records that the solvers in maximal coordinates read and write, by role."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.engines.stiff.reference.kernels_blocks import GENERAL_BLOCKS, SYMMETRIC_BLOCKS, WIDTH
from stringless.engines.stiff.reference.kernels_pairs import PAIR_WORK, POSE_ROW
from stringless.errors import InputError
from stringless.model.model import Model

FloatArray = NDArray[np.float64]


class MaximalState(NamedTuple):
    """What moves."""

    q: FloatArray
    """Joint coordinates, shape (nq,); they follow the bodies."""
    v: FloatArray
    """Joint velocities, shape (nv,)."""
    bodies: FloatArray
    """Poses and velocities of bodies, shape (n, POSE_ROW): see `kernels_pairs`."""


class MaximalSettings(NamedTuple):
    """How a step is taken."""

    dt: float
    """[s]."""
    limit_frequency: float
    """Stiffness of joint limits, as a natural frequency [1/s]."""
    max_speed: float
    """Speed beyond which a coordinate counts as diverged."""
    slope: int
    """How derivatives of joint forces are taken: PLAIN, SYMMETRIC or EXACT of `kernels_joint_forces`."""


class MaximalWork(NamedTuple):
    """Scratch for one model: bodies, joints as pairs of bodies, and the linear system in its blocks."""

    bodies: FloatArray
    """Poses and velocities, shape (n, POSE_ROW), for the solver within the default update."""
    pairs: Any
    nodes: NDArray[np.int64]
    """Size, parent and grandparent of every node, shape (2 n, 3)."""
    blocks: FloatArray
    """The matrix, then its factors, shape (2 n, 3 or 5, 6, 6)."""
    pad: FloatArray
    x: FloatArray
    """Right side, then solution: of body i the impulses of its joint in row 2 i, its velocity in 2 i + 1."""
    displacement: FloatArray
    """Displacements of springs, shape (nv,)."""


KINDS = ("fixed", "revolute", "prismatic", "universal", "ball", "planar", "translational", "free")
"""Joints that have their constraint rows, directions and coordinates written out here."""


def maximal_work(model: Model, *, general: bool) -> MaximalWork:
    """Allocate for `model`; `general` gives room for a system that is not symmetric.

    Raises:
        InputError: it has a joint of a type for which there are no constraint rows here.
    """
    for joint in model.joints:
        if joint.kind.name not in KINDS:
            raise InputError(
                f"joint '{joint.name}' is {joint.kind.name}, for which solvers 'ldlt' and 'ldu' have no constraints; expected "
                f"one of {', '.join(KINDS)}. Use solver 'condensed'"
            )
    n = model.body_count
    return MaximalWork(
        bodies=np.zeros((n, POSE_ROW)),
        pairs=jit.rows(n, PAIR_WORK),
        nodes=np.zeros((2 * n, 3), dtype=np.int64),
        blocks=np.zeros((2 * n, GENERAL_BLOCKS if general else SYMMETRIC_BLOCKS, WIDTH, WIDTH)),
        pad=np.zeros((3, WIDTH, WIDTH)),
        x=np.zeros((2 * n, WIDTH)),
        displacement=np.zeros(model.nv),
    )
