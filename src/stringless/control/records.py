"""What the kernels of directing are given: records of tables; n bodies, nv velocity coordinates.

`TaskTables` say what is wanted, `DirectorWork` is scratch. The other records are parts of it, or put together from both at
each step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless.dynamics.kernels_commands import CommandResponse

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class TaskTables(NamedTuple):
    """What the goals ask for."""

    characters: Any
    """Rows of `CHARACTER_ROW`."""
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


class Spline(NamedTuple):
    """A motion between its keys."""

    knots: FloatArray
    """Their times [s]."""
    q: FloatArray
    """Configurations at the knots."""
    chords: FloatArray
    """Straight ways from each to the next."""
    rates: FloatArray
    """Rates at the knots."""


# --- put together at each step ---


class CharacterTables(NamedTuple):
    """One character: its row of `CHARACTER_ROW`, with its parts of the other tables."""

    root: int
    passive: bool
    mass: float
    members: IntArray
    columns: IntArray
    column_of: IntArray
    tasks: Any
    levels: int
    style: int
    push: bool
    correct: bool
    top_acceleration: float
    mu: float
    limit_kp: float
    rest_kp: float
    rest_kv: float


class CharacterMotion(NamedTuple):
    """How a character moves at the beginning of a step."""

    time: float
    h: float
    """Length of the step [s]."""
    q: FloatArray
    v: FloatArray
    bodies: Any
    """Tables of the recursions: `BODY_WORK` ..."""
    dofs: Any
    """... and `DOF_WORK`."""


class CommandEffect(NamedTuple):
    """What a command x does: accelerations `D x + qdd0` of all coordinates, efforts `T x + t0`."""

    directed: int
    """x holds the accelerations of so many coordinates ..."""
    unknowns: int
    """... and three components of the reaction at each support point."""
    on_ground: bool
    """Whether ground reactions are counted on."""
    D: FloatArray
    qdd0: FloatArray
    T: FloatArray
    t0: FloatArray
    bias: FloatArray
    """Accelerations of bodies with no joint accelerating, offset by -g."""
    points: FloatArray
    """Support points: position, normal and two tangents, shape (count, 12)."""
    point_bodies: IntArray


class ContactPoints(NamedTuple):
    """Contact points of all bodies, as the search for support points reads them."""

    bodies: IntArray
    """Body of every point, -1 for none."""
    anchors: Any
    x: FloatArray
    """Where they are, shape (points, 3)."""
    forces: FloatArray


class Bounds(NamedTuple):
    """Bounds `lower <= G x <= upper` on a command."""

    size: int
    """How many there are."""
    G: FloatArray
    rows: Any
    """Rows of `BOUND_ROW`."""


# --- scratch, as large as the largest character needs ---


class BoundTables(NamedTuple):
    """Room for bounds."""

    G: FloatArray
    rows: Any
    """Rows of `BOUND_ROW`."""


class GroundWork(NamedTuple):
    """The character as a whole, its flesh taken as rigid, and its response when it counts on the ground."""

    inertia: FloatArray
    """Of each member with what it carries, about its origin: inertia, first moment and mass, shape (n, 10)."""
    P: FloatArray
    """Momentum of the whole per unit speed of each coordinate, shape (3, nv) ..."""
    L: FloatArray
    """... and its moment about the root's origin."""
    center: FloatArray
    """Place and velocity of the centre of gravity, shape (6,)."""
    load: FloatArray
    """Force that the whole needs with no joint accelerating, and its moment about the root's origin, shape (6,)."""
    M: FloatArray
    """Inertia at the coordinates of the root, shape (6, 6) ..."""
    right: FloatArray
    """... and a right-hand side, shape (6,)."""
    points: FloatArray
    """Support points: position, normal and two tangents, shape (points, 12)."""
    D: FloatArray
    qdd0: FloatArray


class StyleWork(NamedTuple):
    """Scratch of the styles."""

    error: FloatArray
    """Joint displacements to the rest pose, shape (nv,)."""
    rest: FloatArray
    """Accelerations toward the rest pose, by column."""
    J: FloatArray
    """Jacobian of a support point, shape (3, nv) ..."""
    row: FloatArray
    """... and a row of it by unknown."""


class TaskRows(NamedTuple):
    """Rows `A x = b` of all goals."""

    A: FloatArray
    b: FloatArray
    scale: FloatArray
    """What each row could be at most."""
    ends: IntArray
    """Row behind the last one of each level."""
    J: FloatArray
    """Jacobian of a task, shape (3, nv)."""
    error: FloatArray
    """Joint displacements to a pose, shape (nv,)."""
    reach: FloatArray
    """Largest number of every row of D, shape (nv,)."""


class SolverWork(NamedTuple):
    """Scratch of the quadratic program, and of the levels above it."""

    H: FloatArray
    """Matrix of the program, then its Cholesky factor."""
    J: FloatArray
    """`Q L⁻¹`, see `kernels_quadratic`."""
    R: FloatArray
    """Triangle of the active bounds' normals."""
    d: FloatArray
    """A normal as J turns it."""
    z: FloatArray
    s: FloatArray
    """Slopes of the multipliers."""
    u: FloatArray
    """Multipliers."""
    normal: FloatArray
    missing: FloatArray
    """By how much guessed bounds are missed."""
    active: IntArray
    """Active bounds: number and side."""
    F: FloatArray
    """Rows of a level as the columns of N see them ..."""
    e: FloatArray
    """... and what they lack."""
    N: FloatArray
    """Changes in the null space of the levels above."""
    w: FloatArray
    """The change that is looked for."""
    x0: FloatArray
    """What the levels above have settled."""
    y: FloatArray


class MomentumWork(NamedTuple):
    """Momentum from step to step: centre of gravity, momentum, its moment about that centre, inertia there."""

    bodies: Any
    """Tables of the recursions: `BODY_WORK` ..."""
    dofs: Any
    """... and `DOF_WORK`."""
    before: FloatArray
    """At the beginning of a step, by character, shape (c, 15)."""
    load: FloatArray
    """Force from outside and its moment about that centre, by character, shape (c, 6)."""
    after: FloatArray
    """At the end of the step, shape (15,)."""
    M: FloatArray
    """Inertia about the axes of the root, shape (3, 3) ..."""
    right: FloatArray
    """... and a right-hand side, shape (3,)."""


class DirectorWork(NamedTuple):
    """Scratch of directing."""

    response: CommandResponse
    """The true answer to the accelerations of directed coordinates."""
    bias: FloatArray
    """Accelerations of bodies with no joint accelerating, offset by -g, shape (n, 6)."""
    ground: GroundWork
    style: StyleWork
    bounds: BoundTables
    rows: TaskRows
    solver: SolverWork
    momentum: MomentumWork
    x: FloatArray
    """The command."""
    tau: FloatArray
    """Efforts of directed coordinates, by column."""
    held: IntArray
    """Which joint limits hold a joint back: 1 at the upper side, -1 at the lower one, by row of the model's limits."""
