"""Layout of the tables of the adaptive engine, and the codes in them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit

INT, REAL = np.int64, np.float64

RIGID, SELECTABLE, FLOATING = 0, 1, 2
"""Roles of a joint: it has no coordinates; it is active while it matters; it is always active."""
VELOCITY, ACCELERATION = 0, 1
"""The two metrics in the table of joint weights, `[coordinate, metric, coordinate of the joint]`."""
MOTION, ENERGY = 0, 1
"""Criteria by which joints are selected: the rates of the inactive joints, as in the paper, or the energy that they miss."""
UNKNOWN = -1.0
"""Stands for an error that was not computed."""
OUTSIDE = -1.0
"""Stands for the share of the picture of a character that is not in it."""

# --- trees ------------------------------------------------------------------------------------------------------------

CAMERA_ROW = np.dtype(
    [
        ("eye", REAL, (3,)),  # [m]
        ("right", REAL, (3,)),  # its axes
        ("up", REAL, (3,)),
        ("forward", REAL, (3,)),
        ("wide", REAL),  # half the picture's width at a distance of 1
        ("tall", REAL),  # half its height there
        ("height", REAL),  # [px]
        ("given", INT),  # 1: there is a view
    ],
    align=True,
)
"""A view as the kernels take it."""
TREE_ROW = np.dtype(
    [
        ("first", INT),  # its first row in the tables of bodies
        ("count", INT),  # its bodies
        ("q0", INT),  # where its coordinates begin
        ("nq", INT),
        ("v0", INT),
        ("nv", INT),
        # The same of the first tree that is built alike: a crowd shares the rows of what never changes.
        ("shared", INT),
        ("shared_q", INT),
        ("shared_v", INT),
        ("root", INT),  # the model's index of its root
        ("located", INT),  # the body that tells where it is: its root, or what floats on a root that is fixed
        ("joints", INT),  # joints that can be selected
        ("contact0", INT),  # its first row in the table of bodies that can touch obstacles
        ("contacts", INT),  # how many of its bodies can
        ("sphere0", INT),  # its first row in the table of bounding spheres of clusters
        # Criteria, as configured.
        ("max_active", INT),  # budget of active joints where it fills the picture; a floating root does not count
        ("max_error", REAL),  # allowed error there, below 0 if only the budget counts
        ("criteria", REAL),  # digest of budget, error and weights
        ("radius", REAL),  # of a ball around its root that holds it [m]; 0 as long as there was no view
        ("camera", CAMERA_ROW),
    ],
    align=True,
)
"""A tree of the model: a character."""
STATUS_ROW = np.dtype(
    [
        ("clusters", INT),  # rigid clusters that it is made of; what is fixed to the ground is none
        ("nq", INT),  # their coordinates
        ("nv", INT),
        ("horizon", REAL),  # interval that coefficients of inactive joints are for [s]; 0 for new clusters, without any
        ("limit_frequency", REAL),  # frequency of joint limits that they are for [rad/s]
        ("budget", INT),  # active joints allowed at the last update
        ("allowed_error", REAL),  # error allowed then, below 0 if only the budget counted
        ("error", REAL),  # of the active region, at the last update; UNKNOWN by energy if no error is configured
        ("updates", INT),  # of the active region, so far
        ("switches", INT),  # joints that became active or inactive, so far
    ],
    align=True,
)
"""What the engine knows of a tree between calls; all of it follows from the state, but for the two counts."""
MEMBER_ROW = np.dtype(
    [
        ("body", INT),  # the model's index of this body
        ("q", INT),  # the model's first configuration coordinate of its joint
        ("v", INT),  # the model's first velocity coordinate
        ("role", INT),
    ],
    align=True,
)
"""A body of a tree, as the model numbers it."""
SPRING_ROW = np.dtype(
    [
        ("entry", INT),  # its place among the loads of its tree
        ("point", REAL, (3,)),  # of the body, along its axes [m]
        ("anchor", REAL, (3,)),  # in the world [m]
        ("stiffness", REAL),  # [N/m]
        ("damping", REAL),  # [N·s/m]
    ],
    align=True,
)
"""A spring from a body to the world."""

# --- clusters ---------------------------------------------------------------------------------------------------------

COMPOSITE_ROW = np.dtype(
    [
        ("I", REAL, (6,)),  # about the cluster's origin [kg·m²]
        ("h", REAL, (3,)),  # mass times centre of mass [kg·m]
        ("mass", REAL),  # [kg]
    ],
    align=True,
)
"""Inertia of a body and of all that it carries within its cluster, along the cluster's axes."""
COEFFICIENT_ROW = np.dtype(
    [
        ("s", REAL, (6,)),  # its axis as a motion (w, v) of the cluster's origin
        ("P", REAL, (6,)),  # momentum of what the joint carries in its cluster, for this motion
        ("Q", REAL, (6,)),  # what the products of the cluster's spin take of it: xx, yy, zz, xy, xz, yz
        ("effort", REAL),  # of springs and limits, at rest
        ("arm", REAL),  # inertia on its own axis, with the implicit parts of spring, damper and limits
        ("G", REAL),  # all its inertia, within the cluster
    ],
    align=True,
)
"""Coefficients of a coordinate of an inactive joint (docs/theory/adaptive.md, section 3.3), valid as long as the cluster is."""
MOTION_ROW = np.dtype(
    [
        ("R", REAL, (9,)),  # to world axes
        ("r", REAL, (3,)),  # from the origin of the cluster that carries it, along world axes [m]
        ("V", REAL, (6,)),  # velocity, along its own axes, about its own origin
        ("X", REAL, (6,)),  # the same at the end of the interval if no joint is accelerated, offset by gravity
        ("Y", REAL, (6,)),  # products of its spin, times the interval
    ],
    align=True,
)
"""How a cluster moves."""
SUM_ROW = np.dtype(
    [
        ("marked", INT),  # 1: something was added
        ("F", REAL, (6,)),  # momentum
        ("I", REAL, (6,)),
        ("h", REAL, (3,)),
        ("mass", REAL),
    ],
    align=True,
)
"""What other clusters and pieces add to a body, along the axes of its cluster and about its origin."""

# --- contact ----------------------------------------------------------------------------------------------------------

CONTACT_BODY_ROW = np.dtype(
    [
        ("body", INT),  # its place within its tree
        ("index", INT),  # the model's index of it
        ("first", INT),  # its first contact sample, as the model counts them
        ("count", INT),  # of its samples
        ("c", REAL, (3,)),  # centre of a sphere around them, in the body's frame [m]
        ("radius", REAL),  # of the sphere [m]
        ("mass", REAL),  # of it and all that is fixed to it without a joint [kg]
    ],
    align=True,
)
"""A body that can touch obstacles."""
CONTACT_BODY_WORK = np.dtype(
    [
        ("cluster", INT),  # that it is part of
        ("in_contact", INT),  # 1: a sample of it was in contact with an obstacle in the last step
        ("c", REAL, (3,)),  # centre of its sphere in the frame of its cluster [m]
        ("restitution", REAL),  # share of the restitution that its contacts have
    ],
    align=True,
)
SPHERE_WORK = np.dtype(
    [
        ("first", INT),  # its first body in the list of those that can touch ...
        ("end", INT),  # ... and where they end
        ("in_contact", INT),  # 1: one of them was in contact with an obstacle in the last step
        ("c", REAL, (3,)),  # centre, in the cluster's frame [m]
        ("radius", REAL),  # [m]
    ],
    align=True,
)
"""The sphere around all of a cluster that can touch."""

# --- what a state keeps -----------------------------------------------------------------------------------------------

_STATE = [
    ("active", REAL),  # 1: its joint is active
    # Of a root:
    ("due", REAL),  # steps until the active region of its tree is updated
    ("criteria", REAL),  # digest of the criteria of the last update
    ("share", REAL),  # share of the picture that the tree had then: 0 if there was no view, OUTSIDE if it was not in it
]
_CONTACT_STATE = [
    ("wrench", REAL, (6,)),  # of obstacles, about its origin along world axes, summed over steps
    # Of a root:
    ("steps", REAL),  # over how many
    ("rest", REAL),  # how long the tree has been at rest [s]
    ("inputs", REAL),  # of a tree asleep: digest of what acts on it
    ("place", REAL),  # of a tree asleep: digest of where it is
]
BODY_STATE = np.dtype(_STATE, align=True)
"""What a state keeps of every body."""
CONTACT_BODY_STATE = np.dtype(_STATE + _CONTACT_STATE, align=True)
"""What it keeps where there are obstacles."""
LAYOUTS = {layout.itemsize // 8: layout for layout in (BODY_STATE, CONTACT_BODY_STATE)}
"""Layouts by how many numbers a state keeps of a body."""


def body_states(bodies: NDArray[np.float64]) -> Any:
    """What a state keeps of the bodies, `State.bodies`, as rows; they are the same memory."""
    layout = LAYOUTS[bodies.shape[1]]
    return bodies.view(layout)[:, 0].view(type(jit.rows(0, layout)))
