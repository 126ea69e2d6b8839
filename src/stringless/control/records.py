"""What the kernels of directing are given: records of tables; n bodies, nv velocity coordinates.

`TaskTables` say what is wanted, `DirectorWork` is scratch. The other records are parts of it, or put together from both at
each step. Annotations of scratch give the shapes of arrays, and the layouts of tables, to `workspace.allocate`.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from stringless.control.kernels_quadratic import BOUND_ROW
from stringless.control.tables import MOMENTUM, SUPPORT_POINTS
from stringless.dynamics.kernels_commands import CommandResponse
from stringless.spatial.arrays import FloatArray, IntArray
from stringless.state.scratch import BODY_WORK, DOF_WORK


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


class LevelProgram(NamedTuple):
    """What the levels of a command share."""

    unknowns: int
    levels: int
    alpha: float
    """Damping of the robust inverse, for rows of the size 1."""
    filtered: bool
    """Whether only what is singular is damped, and what the rows do not see hardly counts."""
    orthonormal: bool
    """Whether the columns of N that the levels begin with are orthonormal in the norm of the style."""
    H: FloatArray
    """Matrix of the style ..."""
    c: FloatArray
    """... and its right-hand side: `½ xᵀ H x - cᵀ x` is what is kept least."""


# --- scratch, as large as the largest character needs ---


class BoundTables(NamedTuple):
    """Room for bounds."""

    G: Annotated[FloatArray, "bounds", "unknowns"]
    rows: Annotated[Any, "bounds", BOUND_ROW]


class GroundWork(NamedTuple):
    """The character as a whole, its flesh taken as rigid, and its response when it counts on the ground."""

    inertia: Annotated[FloatArray, "bodies", 10]
    """Of each member with what it carries, about its origin: inertia, first moment and mass."""
    P: Annotated[FloatArray, 3, "nv"]
    """Momentum of the whole per unit speed of each coordinate ..."""
    L: Annotated[FloatArray, 3, "nv"]
    """... and its moment about the root's origin."""
    center: Annotated[FloatArray, 6]
    """Place and velocity of the centre of gravity."""
    load: Annotated[FloatArray, 6]
    """Force that the whole needs with no joint accelerating, and its moment about the root's origin."""
    M: Annotated[FloatArray, 6, 6]
    """Inertia at the coordinates of the root ..."""
    right: Annotated[FloatArray, 6]
    """... and a right-hand side."""
    points: Annotated[FloatArray, SUPPORT_POINTS, 12]
    """Support points: position, normal and two tangents."""
    D: Annotated[FloatArray, "nv", "unknowns"]
    qdd0: Annotated[FloatArray, "nv"]


class StyleWork(NamedTuple):
    """Scratch of the styles."""

    error: Annotated[FloatArray, "nv"]
    """Joint displacements to the rest pose."""
    rest: Annotated[FloatArray, "columns"]
    """Accelerations toward the rest pose."""
    H: Annotated[FloatArray, "unknowns", "unknowns"]
    """Matrix of the style ..."""
    c: Annotated[FloatArray, "unknowns"]
    """... and its right-hand side."""
    J: Annotated[FloatArray, 3, "nv"]
    """Jacobian of a support point ..."""
    row: Annotated[FloatArray, "unknowns"]
    """... and a row of it by unknown."""


class TaskRows(NamedTuple):
    """Rows `A x = b` of all goals."""

    A: Annotated[FloatArray, "rows", "unknowns"]
    b: Annotated[FloatArray, "rows"]
    scale: Annotated[FloatArray, "rows"]
    """What each row could be at most."""
    size: Annotated[FloatArray, "rows"]
    """What levels divide each row by: the Frobenius norm of all directions of its task, times the largest weight of its level."""
    ends: Annotated[IntArray, "rows", int]
    """Row behind the last one of each level."""
    rates: Annotated[FloatArray, "rows"]
    """How fast the goals of each level gain the speed that they want [1/s]."""
    J: Annotated[FloatArray, 3, "nv"]
    """Jacobian of a task ..."""
    P: Annotated[FloatArray, 3, "unknowns"]
    """... and its response to the command, `J D`."""
    ease: Annotated[FloatArray, "unknowns"]
    """Inverse squares of the joint weights, by unknown."""
    error: Annotated[FloatArray, "nv"]
    """Joint displacements to a pose."""
    reach: Annotated[FloatArray, "nv"]
    """Largest number of every row of D."""


class SolverWork(NamedTuple):
    """Scratch of the quadratic program, and of the levels above it."""

    H: Annotated[FloatArray, "unknowns", "unknowns"]
    """Matrix of the program, then its Cholesky factor."""
    J: Annotated[FloatArray, "unknowns", "unknowns"]
    """`Q L⁻¹`, see `kernels_quadratic`."""
    R: Annotated[FloatArray, "unknowns", "unknowns"]
    """Triangle of the active bounds' normals."""
    d: Annotated[FloatArray, "wide"]
    """A normal as J turns it."""
    z: Annotated[FloatArray, "wide"]
    s: Annotated[FloatArray, "wide"]
    """Slopes of the multipliers."""
    u: Annotated[FloatArray, "wide"]
    """Multipliers."""
    normal: Annotated[FloatArray, "wide"]
    missing: Annotated[FloatArray, "wide"]
    """By how much guessed bounds are missed."""
    active: Annotated[IntArray, "active", 2, int]
    """Active bounds: number and side."""
    F: Annotated[FloatArray, "rows", "unknowns"]
    """Rows of a level as the columns of N see them ..."""
    e: Annotated[FloatArray, "wide"]
    """... and what they lack."""
    N: Annotated[FloatArray, "unknowns", "unknowns"]
    """Changes in the null space of the levels above."""
    centres: Annotated[FloatArray, 2, "unknowns"]
    """Coordinates in N of the command that the damping leads to, per rate of a level, and of the style's own optimum."""
    w: Annotated[FloatArray, "wide"]
    """The change that is looked for."""
    x0: Annotated[FloatArray, "wide"]
    """What the levels above have settled."""
    y: Annotated[FloatArray, "wide"]
    """A reflection, or a residual."""


class MomentumWork(NamedTuple):
    """Momentum from step to step: centre of gravity, momentum, its moment about that centre, inertia there."""

    bodies: Annotated[Any, "bodies", BODY_WORK]
    dofs: Annotated[Any, "nv", DOF_WORK]
    before: Annotated[FloatArray, "characters", MOMENTUM]
    """At the beginning of a step."""
    load: Annotated[FloatArray, "characters", 6]
    """Force from outside and its moment about that centre."""
    after: Annotated[FloatArray, MOMENTUM]
    """At the end of the step."""
    M: Annotated[FloatArray, 3, 3]
    """Inertia about the axes of the root ..."""
    right: Annotated[FloatArray, 3]
    """... and a right-hand side."""


class DirectorWork(NamedTuple):
    """Scratch of directing."""

    response: CommandResponse
    """The true answer to the accelerations of directed coordinates."""
    bias: Annotated[FloatArray, "bodies", 6]
    """Accelerations of bodies with no joint accelerating, offset by -g."""
    ground: GroundWork
    style: StyleWork
    bounds: BoundTables
    rows: TaskRows
    solver: SolverWork
    momentum: MomentumWork
    x: Annotated[FloatArray, "unknowns"]
    """The command."""
    tau: Annotated[FloatArray, "columns"]
    """Efforts of directed coordinates."""
    held: Annotated[IntArray, "limits", int]
    """Which joint limits hold a joint back: 1 at the upper side, -1 at the lower one, by row of the model's limits."""
