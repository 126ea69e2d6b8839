"""Tables of the adaptive engine: one row per tree of the model, one per body."""

from __future__ import annotations

import numpy as np

INT, REAL = np.int64, np.float64
RIGID, CHOSEN, FLOATING = 0, 1, 2
"""What the engine may do with a joint: it has no coordinates; it moves while it matters; it moves always."""

EYE, RIGHT, UP, FORWARD, WIDE, TALL, HEIGHT, LOOKED, VIEW = 0, 3, 6, 9, 12, 13, 14, 15, 16
"""Numbers of a view: where the eye is, three axes, slopes of the picture's sides, its height [px], and whether anybody looks."""

TREE_ROW = np.dtype(
    [
        ("first", INT),  # its first row in the tables of bodies
        ("count", INT),  # its bodies
        ("q0", INT),  # where its coordinates begin
        ("nq", INT),
        ("v0", INT),
        ("nv", INT),
        (
            "like",
            INT,
        ),  # the first row of a tree that is built alike, in the tables of bodies: crowds share what never changes
        ("like_q", INT),  # where the coordinates of that tree begin
        ("like_v", INT),
        ("root", INT),  # the model's number of its root
        ("base", INT),  # where it is, is where this body of it is: its root, or what floats on a root that is fixed
        ("joints", INT),  # joints that can be chosen to move
        ("asked", INT),  # how many of its joints may move where it is seen best; a floating root does not count
        ("allowed", REAL),  # error of leaving joints out that is small enough there, below 0 if only the budget counts
        ("budget", INT),  # how many of its joints may move, at the last look
        ("max_error", REAL),  # error that was small enough then
        ("size", REAL),  # radius of a ball around its root that holds it [m]; 0 as long as nobody has looked
        ("sight", REAL, (VIEW,)),  # from where it is looked at
        ("choice", REAL),  # tells one set of budget, error and weights from another
        (
            "horizon",
            REAL,
        ),  # for which interval the coefficients of joints held are [s]; 0 if the clusters are new and have none
        ("firmness", REAL),  # for which frequency of stops they are [rad/s]
        (
            "clusters",
            INT,
        ),  # rigid clusters it is made of now; what hangs on the ground without a joint that moves is none
        ("cluster_nq", INT),
        ("cluster_nv", INT),
        ("error", REAL),  # of leaving joints out, at the last update; UNKNOWN by energy if nobody has bounded it
        ("updates", INT),  # so far
        ("switched", INT),  # joints that began or ceased to move, so far
        ("pull0", INT),  # its first row in the table of springs to the world
        ("pulls", INT),  # how many pull it
        ("pad0", INT),  # its first row in the table of bodies that can touch obstacles
        ("pads", INT),  # how many of its bodies can
        ("ball0", INT),  # its first row in the table of balls around clusters
    ],
    align=True,
)

MEMBER_ROW = np.dtype(
    [
        ("body", INT),  # the model's number of this body
        ("q", INT),  # the model's first configuration coordinate of its joint
        ("v", INT),  # the model's first velocity coordinate
        ("role", INT),
    ],
    align=True,
)

FROZEN_BODY = np.dtype(
    [
        (
            "I",
            REAL,
            (6,),
        ),  # inertia of it and of all that it carries within its cluster, about the cluster's origin [kg·m²]
        ("h", REAL, (3,)),  # their mass times centre of mass [kg·m]
        ("mass", REAL),  # [kg]
    ],
    align=True,
)
"""What a body is in its cluster, along the cluster's axes. It stays as long as the cluster does."""
FROZEN_DOF = np.dtype(
    [
        ("s", REAL, (6,)),  # its axis as a motion (w, v) of the cluster's origin
        ("P", REAL, (6,)),  # momentum of what the joint carries in its cluster, for this motion
        ("Q", REAL, (6,)),  # what the products of the cluster's spin take of it: xx, yy, zz, xy, xz, yz
        ("effort", REAL),  # of springs and stops, at rest
        ("arm", REAL),  # inertia on its own axis, with the implicit parts of spring, damper and stops
        ("G", REAL),  # all its inertia, within the cluster
    ],
    align=True,
)
"""Linear coefficients of a joint that is held: its momentum follows from the motion of its cluster by two short sums."""
CLUSTER_MOTION = np.dtype(
    [
        ("R", REAL, (9,)),  # to world axes
        ("r", REAL, (3,)),  # from the origin of the cluster that it is seated in, along world axes [m]
        ("V", REAL, (6,)),  # velocity, along its own axes, about its own origin
        ("X", REAL, (6,)),  # the same at the end of the interval, if no joint is accelerated, less what gravity gives
        ("Y", REAL, (6,)),  # products of its spin, times the interval
    ],
    align=True,
)
"""How a cluster moves."""
SUM = np.dtype(
    [
        ("marked", INT),  # 1: something is in it
        ("F", REAL, (6,)),  # momentum
        ("I", REAL, (6,)),
        ("h", REAL, (3,)),
        ("mass", REAL),
    ],
    align=True,
)
"""What other clusters and pieces add to a body, along the axes of its cluster and about its origin."""

PULL_ROW = np.dtype(
    [
        ("entry", INT),  # its place in the list of bodies that are pushed
        ("point", REAL, (3,)),  # of the body that it pulls, along its axes [m]
        ("anchor", REAL, (3,)),  # to where, in the world [m]
        ("stiffness", REAL),  # [N/m]
        ("damping", REAL),  # [N·s/m]
    ],
    align=True,
)

PAD_ROW = np.dtype(
    [
        ("body", INT),  # its place within its tree
        ("owner", INT),  # the model's number of it
        ("first", INT),  # its first probe, as the model counts them
        ("count", INT),  # of its probes
        ("c", REAL, (3,)),  # middle of a ball around them, in the body's frame [m]
        ("radius", REAL),  # [m]
        ("mass", REAL),  # of it and all that is fixed to it without a joint [kg]
    ],
    align=True,
)
"""A body that can touch obstacles."""
PAD_WORK = np.dtype(
    [
        ("cluster", INT),  # that it is part of
        ("held", INT),  # 1: obstacles hold a probe of it already
        ("c", REAL, (3,)),  # middle of its ball in the frame of its cluster [m]
        ("spring", REAL),  # share of the restitution that its landings have
    ],
    align=True,
)
BALL_WORK = np.dtype(
    [
        ("first", INT),  # its first body in the list of those that can touch ...
        ("end", INT),  # ... and where they end
        ("held", INT),  # 1: obstacles hold one of them already
        ("c", REAL, (3,)),  # middle of a ball around all that can touch, in the cluster's frame [m]
        ("radius", REAL),  # [m]
    ],
    align=True,
)
"""A cluster, as obstacles see it."""

MOVES, DUE, CHOICE, SEEN, KEPT = 0, 1, 2, 3, 4
"""What a state keeps of every body: whether its joint moves; of a root, in how many steps its tree is looked at again, what
its joints were chosen by, and the share of the picture that it had: 0 if nobody looked, `OUT` if it was not in it."""
PRESS, STEPS, CALM, INPUTS, WHERE, KEPT_ON_GROUND = 4, 10, 11, 12, 13, 14
"""Where there are obstacles, also the wrenches that they did to it, about its origin along world axes, summed over steps; of a
root, over how many, for how long its tree has been at rest [s], and of a tree asleep what acted on it and where it is."""
OUT = -1.0
UNKNOWN = -1.0
"""In the place of an error that was not worked out."""
VELOCITY, ACCELERATION = 0, 1
"""Where the roots of the weights of both metrics are in the table of weights, `[coordinate, metric, coordinate of the joint]`."""
MOTION, ENERGY = 0, 1
"""By what joints are chosen: their rates, as in the paper, or the energy that is missing if they are held."""
