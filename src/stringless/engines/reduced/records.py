"""Records that the kernels of the reduced engine read and write, by role; n bodies, nv velocity coordinates."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless.contact.records import Contact, ContactWork
from stringless.control.records import DirectorWork
from stringless.flesh.kernels_lanes import ElasticWork
from stringless.model.records import FleshTables, Skeleton

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class ReducedModel(NamedTuple):
    """What is fixed."""

    skeleton: Skeleton
    flesh: FleshTables | None
    """Empty tables if there is none but contact or a director; None if there is neither."""
    contact: Contact | None
    sizes: FloatArray | None
    """Size of the cells around every node [m]."""
    point_bodies: IntArray | None
    """Body of every contact point: vertices of the skin, then samples."""


class ReducedState(NamedTuple):
    """What moves."""

    q: FloatArray
    v: FloatArray
    vdot: FloatArray
    """Accelerations of the step before."""
    x: FloatArray
    """Positions of nodes ..."""
    xdot: FloatArray
    """... and their velocities."""
    anchors: Any
    """Where contact points stick: vertices of the skin, then samples."""
    memory: Any
    """What directing remembers between steps, one row for each character."""


class ReducedSettings(NamedTuple):
    """How a step is taken."""

    dt: float
    """[s]."""
    limit_frequency: float
    """Stiffness of joint limits, as a natural frequency [1/s]."""
    max_speed: float
    """Speed beyond which a coordinate counts as diverged."""
    gains: FloatArray
    """Factors on stiffness and damping of contact and flesh."""
    full: bool
    """Whether every element is decomposed."""
    coarse: int
    """How often every step is halved ..."""
    finest: int
    """... and how often at most."""


class Span(NamedTuple):
    """One step, or one part of a divided step."""

    h: float
    """Its length [s]."""
    h_v: float
    """Length of its velocity step: for how long forces act in it [s]."""
    last: float
    """Length of the step before, 0 at a start [s]."""


class ReducedWork(NamedTuple):
    """Scratch, allocated once per simulation."""

    bodies: Any
    """Tables of the recursions: `BODY_WORK` ..."""
    dofs: Any
    """... and `DOF_WORK`."""
    u: FloatArray
    """Velocities that velocity products are taken from."""
    vdot: FloatArray
    """Accelerations of the step at hand."""
    given: FloatArray
    """Accelerations of prescribed coordinates: `vdot` of the inputs."""
    wrench: FloatArray
    """Wrenches on bodies, those of flesh and contact included, along body axes, shape (n, 6)."""
    f: FloatArray
    """Forces on nodes."""
    saved: ReducedState
    """The state that a step which fails goes back to ..."""
    effort: FloatArray
    """... and the efforts."""


class Phases(NamedTuple):
    """Scratch of the phases that may be absent: None, and then not compiled."""

    elastic: ElasticWork | None
    dampers: Any
    """Of every bone: rows of `DAMPER_ROW`; None without flesh."""
    contact: ContactWork | None
    director: DirectorWork | None


class ReducedResult(NamedTuple):
    """What steps report beside the state."""

    effort: FloatArray
    """Efforts of all actuators, shape (nv,)."""
    contact_forces: FloatArray | None
    """Force on every contact point, shape (points, 3)."""
    counts: IntArray | None
    """Elements decomposed, points in contact with obstacles, points in contact with skin."""
    split: IntArray
    """Steps that were divided, and how often one was halved at most."""
    residual: FloatArray | None
    """What every row of the goals lacks, by character."""
    report: Any
    """Report of the director, by character: rows of `REPORT_ROW`."""
