"""Records that the kernels of a roll read and write, by role; n bodies, nv velocity coordinates."""

from __future__ import annotations

from typing import Any, NamedTuple

from stringless.model.records import Skeleton
from stringless.spatial.arrays import BoolArray, FloatArray, IntArray

Vector = tuple[float, float, float]
Matrix = tuple[float, float, float, float, float, float, float, float, float]


class RollModel(NamedTuple):
    """What is fixed."""

    skeleton: Skeleton
    bodies: IntArray
    """Bodies in depth-first order: `PackedModel.bodies`."""
    ways: IntArray
    """For each body the moving one that carries it, and whether its joint resists: columns UP and RESISTS."""
    heavies: IntArray
    """Pairs of body and column: the column makes the body heavier."""
    drives: IntArray
    """Pairs of coordinate and column: the column changes the effort on the coordinate."""


class RollInputs(NamedTuple):
    """What drives the motion."""

    tau: FloatArray
    """Efforts, a row for each step or one for all."""
    weights: FloatArray
    """By how much the effort of each of the drives changes, row by row as `tau`."""
    prescribed: BoolArray
    external: FloatArray
    """Both empty: every joint is free to move, and no wrench acts."""


class RollSettings(NamedTuple):
    """How steps are taken."""

    dt: float
    """[s]."""
    limit_frequency: float
    """Stiffness of joint limits, as a natural frequency [1/s]."""
    max_speed: float
    """Speed beyond which a coordinate counts as diverged."""


class Motion(NamedTuple):
    """A state; or those of many frames or samples, a row each."""

    q: FloatArray
    v: FloatArray
    vdot: FloatArray
    """Accelerations of the step that led there."""


class SampleTimes(NamedTuple):
    """When samples are taken."""

    steps: IntArray
    """After this step, in order ..."""
    parts: FloatArray
    """... so much later [s]."""
    dh: FloatArray
    """How this time changes with each column; before that, a row of zeros for steps: shape (2, blocks, LANES)."""


class SampleTables(NamedTuple):
    """What is found at these times."""

    motion: Motion
    columns: FloatArray
    """δq and δu, shape (samples, 2, nv, columns)."""


class RollWork(NamedTuple):
    """Scratch of a roll."""

    bodies: Any
    """Tables of the recursions: `BODY_WORK` ..."""
    dofs: Any
    """... and `DOF_WORK`."""
    u: FloatArray
    """Velocities that velocity products are taken from."""
    vdot: FloatArray
    """Accelerations of the step at hand."""
    effort: FloatArray
    displacement: FloatArray
    """Displacement of the spring of a joint ..."""
    unit: FloatArray
    """... one of its directions ..."""
    rate: FloatArray
    """... and how the displacement changes along it."""
    lag: FloatArray
    """What velocities lag behind after the last step taken ..."""
    lag_before: FloatArray
    """... and where a sample begins."""
    sums: FloatArray
    """Sums of bodies and terms of coordinates about the anchor, as in `DerivativeWork`."""
    terms: FloatArray
    factors: FloatArray
    """Factors of the mass matrix about the anchor, shape (nv, 16)."""
    mixing: FloatArray
    """Matrices of balls and free joints, shape (n, MIXING)."""
    path: Any
    load: Any
    motion: Any
    """Blocks of columns, a row for each body, one for the ground, and two to spare."""
    state: Motion
    """The motion as it goes on."""


class Turning(NamedTuple):
    """The turn of a ball or free joint over a step."""

    w: Vector
    """Angular velocity."""
    E: Matrix
    """The step turned back: `exp(-h w)`."""
    J: Matrix
    """Right Jacobian `Jr(h w)`."""


class Sliding(NamedTuple):
    """The slide of a free joint over a step."""

    m: Vector
    """Linear velocity after the step along the axes before it ..."""
    v: Vector
    """... and along those after it."""
    u_w: Vector
    """Velocities that velocity products are taken from."""
    u_v: Vector


class Variation(NamedTuple):
    """How the bodies of a tree move and how its axes turn, in all columns."""

    turn: FloatArray
    shift: FloatArray
    dw: FloatArray
    dv: FloatArray
    """Of bodies, (n, 3, columns)."""
    da: FloatArray
    """Of axes, (nv, 3, columns)."""


class JointColumns(NamedTuple):
    """Columns of the joints and of the place of the root."""

    dq: FloatArray
    dv: FloatArray
    place: FloatArray
    """Turn, then shift, (6, columns)."""
