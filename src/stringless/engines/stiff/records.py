"""Records that the kernels of the stiff engine read and write, by role; n bodies, nv velocity coordinates."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless.contact.records import Contact, ContactWork
from stringless.dynamics.kernels_response import Response
from stringless.model.records import FleshTables, Skeleton

FloatArray = NDArray[np.float64]


class StiffModel(NamedTuple):
    """What is fixed."""

    skeleton: Skeleton
    loops: Any
    """Closed loops: rows of `LOOP_ROW`."""
    contact: Contact
    flesh: FleshTables
    """Empty tables if there is none."""


class StiffState(NamedTuple):
    """What moves."""

    q: FloatArray
    v: FloatArray
    vdot: FloatArray
    momenta: FloatArray
    """What is kept of every body, shape (n, KEPT): see `kernels_momentum`."""
    anchors: Any
    """Where contact points stick: vertices of the skin, then samples."""
    x: FloatArray
    """Positions of nodes ..."""
    xdot: FloatArray
    """... and their velocities."""


class StiffSettings(NamedTuple):
    """How a step is taken."""

    dt: float
    """[s]."""
    limit_frequency: float
    """Stiffness of joint limits, as a natural frequency [1/s]."""
    max_speed: float
    """Speed beyond which a coordinate counts as diverged."""
    gains: Any
    """Factors on stiffness and damping of contact and flesh."""
    full: bool
    """Whether elements are decomposed exactly."""
    newton: int
    """Newton iterations at most."""
    parts: int
    """Into how many explicit steps of the flesh a step is divided."""


class StiffForces(NamedTuple):
    """Forces on bodies that are taken at the end of the step, about body origins along world axes; both may be empty."""

    inertia: FloatArray
    """`G = h c + h² k` along their directions, which resists changes of velocity as an inertia does, shape (n, 21)."""
    wrench: FloatArray
    """Wrench on a body at the end of the step if its velocity stayed, moment first, shape (n, 6)."""


class Iterate(NamedTuple):
    """Where the forces of an iteration are taken: after the time `ahead` from q at the speed v."""

    q: FloatArray
    v: FloatArray
    ahead: float


class Solution(NamedTuple):
    """What solving a step has come to."""

    coordinate: int
    """The velocity coordinate ..."""
    node: int
    """... and the node that diverged, -1 if none did."""
    rows: int
    """Constraint rows between bodies."""
    contacts: int
    """Contact points of bodies without flesh."""
    is_open: bool
    """Whether rounds ran out before all joint limits were settled."""


class ConstraintWork(NamedTuple):
    """What ties bodies across the tree (`kernels_constraints`)."""

    rows: Any
    matrix: FloatArray
    """The Schur complement over the rows, then its factor."""
    forces: FloatArray
    """What the rows transmit ..."""
    wrench: FloatArray
    """... and the wrenches on bodies from it, shape (n, 6)."""
    response: Response
    """What the tree answers to a wrench."""


class WalkWork(NamedTuple):
    """Scratch of flesh and bones on their way through a step (`kernels_flesh`)."""

    f: FloatArray
    """Forces on nodes."""
    wrench: FloatArray
    """Wrenches of the flesh on bones now, shape (n, 6) ..."""
    mean: FloatArray
    """... in the mean over a step ..."""
    solved: FloatArray
    """... and what they were solved for."""
    elements: Any
    """Scratch of the elastic forces."""
    bodies: Any
    """Where bones are on their way ..."""
    dofs: Any
    s: FloatArray
    """... how far the joints have gone, shape (nv,) ..."""
    u: FloatArray
    """... and how fast."""
    external: FloatArray
    """Wrenches on bodies, those of the flesh included, along body axes, shape (n, 6)."""


class StiffWork(NamedTuple):
    """Scratch, allocated once per simulation."""

    bodies: Any
    """Tables of the recursions: `BODY_WORK` ..."""
    dofs: Any
    """... and `DOF_WORK`."""
    q: FloatArray
    """Configuration of a further iteration, or within a step of the flesh."""
    v: FloatArray
    """Velocities at the end of the step."""
    vdot: FloatArray
    """Accelerations of prescribed coordinates, shape (nv,)."""
    target: FloatArray
    """Configuration that followed coordinates reach at the end of the step."""
    zero: FloatArray
    """Zero for every velocity coordinate."""
    trees: Any
    """Sums over each tree (`kernels_conservation`)."""
    forces: StiffForces
    no_forces: StiffForces
    """Empty, for steps in which nothing pushes bodies."""
    constraints: ConstraintWork
    limits: Any
    """Joint limits in this step: rows of `LIMIT_STATE`."""
    contacts: Any
    """Contact points: rows of `CONTACT_WORK`."""
    contact: ContactWork
    saved: StiffState
    """The state that a step which fails goes back to; its q and v are those from which the joints of closed loops set out."""
    start: Any
    """The bodies as they set out then: rows of `BODY_WORK`, none if there are no loops."""
    maximal: Any
    """`MaximalWork` if a solver with Lagrange multipliers takes the place of the condensed one, else None."""


class StiffResult(NamedTuple):
    """What steps report beside the state."""

    effort: FloatArray
    """Efforts of prescribed coordinates, shape (nv,)."""
    reactions: FloatArray
    """Force of every task of the director on its body, moment first, along world axes, shape (tasks, 6)."""
    contact_forces: FloatArray
    """Force on every contact point, shape (points, 3)."""
    counts: NDArray[np.int64]
    """Elements decomposed, vertices in contact with obstacles, points in contact with skin."""
    report: Any
    """One row of `REPORT_ROW`."""


class GoalTables(NamedTuple):
    """What the director asks for."""

    characters: Any
    column_of: NDArray[np.int64]
    tasks: Any
    poses: FloatArray
    pose_weights: FloatArray
    sizes: FloatArray
    """Size of every character [m]."""
