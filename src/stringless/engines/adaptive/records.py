"""What the kernels of the adaptive engine are given: records by role, of all trees and of one.

Indices within a tree begin at its own first body and coordinate.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless.model.records import Skeleton

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# --- model ------------------------------------------------------------------------------------------------------------


class Absent(NamedTuple):
    """Inputs of the recursions that are not there."""

    mask: BoolArray
    """No coordinate is prescribed, shape (0,)."""
    gravity: FloatArray
    """No gravity, shape (3,)."""
    wrenches: FloatArray
    """No wrenches, shape (0, 6)."""
    targets: FloatArray
    """Nothing is followed, shape (0, 0)."""


class ContactModel(NamedTuple):
    """Obstacles of the world, and what can touch them."""

    obstacles: Any
    meshes: Any
    samples: Any
    """Contact samples of all bodies, as the model numbers them: rows of `SAMPLE_ROW`."""
    bodies: Any
    """Bodies that have some: rows of `CONTACT_BODY_ROW`."""
    no_anchors: Any
    """Anchors of a point that touches nothing."""


class AdaptiveModel(NamedTuple):
    """All trees of a model, side by side, or one of them."""

    row: Any
    """Rows of `TREE_ROW`; of one tree its row."""
    skeleton: Skeleton
    members: Any
    """Of every body of the skeleton, where the model has it: rows of `MEMBER_ROW`."""
    weights: FloatArray
    """Roots of the joint weights, `[coordinate, metric, coordinate of the joint]`."""
    absent: Absent
    contact: ContactModel | None


# --- state, inputs, settings ------------------------------------------------------------------------------------------


class AdaptiveState(NamedTuple):
    """What moves, as the model numbers it."""

    q: FloatArray
    v: FloatArray
    """Half a step behind q."""
    vdot: FloatArray
    """Accelerations of the step before."""
    bodies: Any
    """Of every body: rows of `BODY_STATE`, or of `CONTACT_BODY_STATE` where there are obstacles."""
    anchors: Any
    """Friction anchors of all contact samples."""


class ForestInputs(NamedTuple):
    """What drives all trees for the next steps."""

    tau: FloatArray
    """Actuator efforts, as the model numbers them."""
    loaded: IntArray
    """Bodies with a wrench on them, by their place within their tree, tree by tree; one may be there twice."""
    first_load: IntArray
    """Where those of every tree begin, and where the last end."""
    springs: Any
    """World springs, whose wrenches every step finds: rows of `SPRING_ROW`."""
    first_spring: IntArray


class TreeInputs(NamedTuple):
    """What drives one tree."""

    tau: FloatArray
    """Of all trees, as the model numbers them."""
    loaded: IntArray
    springs: Any


class Settings(NamedTuple):
    """How to step."""

    dt: float
    """[s]."""
    limit_frequency: float
    """Natural frequency of joint limits [rad/s]."""
    max_speed: float
    """Above it a coordinate counts as diverged [m/s]."""
    update_every: int
    """Steps from one update of the active region to the next."""
    criterion: int
    """MOTION or ENERGY."""
    gains: FloatArray
    """Factors of contact: stiffness, damping, restitution, ...."""
    digest: float
    """A number that differs between any two sets of parameters: trees that sleep wake if it changes."""


# --- work -------------------------------------------------------------------------------------------------------------


class Clusters(NamedTuple):
    """Rigid clusters of trees: a shorter skeleton, its coordinates, and where bodies are in it.

    They follow from the configuration and from which joints are active, and stay as long as these do.
    """

    tree: Any
    dofs: Any
    rest: FloatArray
    q: FloatArray
    v: FloatArray
    vdot: FloatArray
    tau: FloatArray
    external: FloatArray
    """Wrenches on them, along their own axes."""
    cluster_of: IntArray
    """The cluster of every body, FIXED if it hangs rigidly on the ground."""
    place: FloatArray
    """Pose of every body in its cluster: rotation and position, 12 numbers."""
    body_of: IntArray
    """The first body of every cluster: its joint is active."""
    active: BoolArray
    """Whether each body's joint is active."""
    composites: Any
    """Of every body: rows of `COMPOSITE_ROW`."""
    coefficients: Any
    """Of every coordinate: rows of `COEFFICIENT_ROW`."""


class Vectors(NamedTuple):
    """A number for every coordinate of a tree. Symbols are those of docs/theory/adaptive.md, section 3."""

    v: FloatArray
    """Velocities at the time of q."""
    vdot: FloatArray
    tau: FloatArray
    p: FloatArray
    """Generalised momenta."""
    effort: FloatArray
    g: FloatArray
    """Momenta at the end of the interval."""
    r: FloatArray
    """Of these, the part on inactive joints."""
    G: FloatArray
    """Inertia of each coordinate with all others inactive."""
    alpha: FloatArray
    """Velocities at the end of the interval."""
    arm: FloatArray
    """Inertia on the coordinate's own axis."""
    cluster_v: FloatArray
    """Velocities of the clusters' coordinates at the time of q."""


class TrialWork(NamedTuple):
    """Scratch of a trial, in which clusters are cut into pieces."""

    sums: Any
    """Rows of `SUM_ROW`."""
    pieces: Any
    """Rows of bodies: the tree of the pieces."""
    composites: Any
    """Inertias of the pieces: rows of `COMPOSITE_ROW`."""
    piece_of: IntArray
    """The piece of every body, FIXED if there is none."""
    order: IntArray
    """All pieces, parents first."""


class Scratch(NamedTuple):
    """Scratch for one tree at a time, the largest: it stays in the processor's cache from one tree to the next."""

    bodies: Any
    dofs: Any
    steps: FloatArray
    """Vectors of a step."""
    wrenches: FloatArray
    """On every cluster, those of obstacles included."""
    vectors: Vectors
    q: FloatArray
    """Configuration of the whole tree."""
    external: FloatArray
    """Wrenches on all bodies, along their own axes; zero between updates."""
    scores: FloatArray
    """Of every joint."""
    order: IntArray
    candidate: BoolArray
    """Joints that are active on trial."""
    motions: Any
    """Of every cluster, and of the ground behind them: rows of `MOTION_ROW`."""
    trial: TrialWork


class ContactWork(NamedTuple):
    """Scratch of contact."""

    obstacles: Any
    stack: IntArray
    samples: Any
    """Contact samples in the frames of clusters."""
    bodies: Any
    """Rows of `CONTACT_BODY_WORK`."""
    spheres: Any
    """Of every cluster, and of what is fixed to the ground: rows of `SPHERE_WORK`."""
    order: IntArray
    """Bodies that can touch, cluster by cluster."""
    moments: FloatArray
    """On every sample, about its centre [N·m]."""
    forces: FloatArray
    """On every sample in the last step, along world axes [N]."""


class AdaptiveWork(NamedTuple):
    """Scratch of all trees, or of one."""

    status: Any
    """Rows of `STATUS_ROW`; of one tree its row."""
    clusters: Clusters
    scratch: Scratch
    wrenches: FloatArray
    """Of all loads, along the axes of the bodies."""
    contact: ContactWork | None
