"""Layout of the tables that kernels read: one row per body, one row per degree of freedom, one per limit.

A row is one stretch of memory, so a sweep over the tree reads straight on; and a whole model crosses from Python into
compiled code as a handful of arrays, which keeps a call below a microsecond.
"""

import numpy as np

INT, REAL = np.int64, np.float64

BODY_ROW = np.dtype(
    [
        ("parent", INT),  # index of the parent, -1 for the ground; always smaller than the body's own
        ("kind", INT),  # code of the joint type
        ("q0", INT),  # first configuration coordinate of the joint
        ("nq", INT),
        ("v0", INT),  # first velocity coordinate of the joint
        ("nv", INT),
        ("l0", INT),  # first row in the table of limits
        ("nl", INT),
        ("sequential", INT),  # 1: the coordinates act one after the other, 0: all at once (ball, free)
        ("leaf", INT),  # 1: carries no other body
        ("first_in", INT),  # 1: highest index among its siblings, so the first of them on the way in
        ("sprung", INT),  # 1: the joint has a spring
        ("root", INT),  # index of the root body of this tree
        ("turned", INT),  # 1: the joint's place in the parent is turned, R below is not the identity
        ("R", REAL, (9,)),  # place of the joint in the parent: rotation ...
        ("p", REAL, (3,)),  # ... and position [m]
        ("axes", REAL, (6,)),  # up to two unit axes in the joint frame
        ("mass", REAL),  # [kg]
        ("h", REAL, (3,)),  # mass times centre of mass, along body axes [kg·m]
        ("I_o", REAL, (6,)),  # inertia about the body origin, along body axes [kg·m²]
    ],
    align=True,
)

DOF_ROW = np.dtype(
    [
        ("body", INT),  # body whose joint this coordinate belongs to
        ("parent", INT),  # previous coordinate on the way to the root, -1 at the root
        ("rotational", INT),  # 1: turns about its axis, 0: slides along it
        ("stiffness", REAL),  # [N·m/rad or N/m]
        ("damping", REAL),  # [N·m·s/rad or N·s/m]
        ("armature", REAL),  # [kg·m² or kg]
        ("effort", REAL),  # largest actuator effort, inf if unlimited
        ("inertia", REAL),  # joint-space inertia at the neutral configuration, armature included
    ],
    align=True,
)

LIMIT_ROW = np.dtype(
    [
        ("lower", REAL),  # [rad or m], -inf if none
        ("upper", REAL),  # inf if none
        ("inertia", REAL),  # inertia that a stop has to hold, free flesh included, for the gains of the stop
        ("least_stiffness", REAL),  # so that the limit holds the actuator at full effort
    ],
    align=True,
)
