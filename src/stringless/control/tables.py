"""Layout of what a director hands to its kernels: characters, tasks, and what is remembered between steps."""

from __future__ import annotations

import numpy as np

INT, REAL = np.int64, np.float64

PLACE, TURN, CENTER, POSE = 0, 1, 2, 3
"""Kinds of tasks: a point of a body, a body's orientation, the centre of gravity, joint coordinates."""
ACCELERATION, TORQUE, VELOCITY = 0, 1, 2
"""Styles: what is kept least where the goals leave a choice."""
HINTED, HINTED_LEVELS = 128, 4
"""Bounds, and levels of goals, whose state is remembered from step to step to begin the next solution with."""
SUPPORT_POINTS = 4
"""Most points of a character that virtual ground reactions may act at."""
MOMENTUM = 15
"""Numbers that are noted of a momentum: centre of gravity, momentum, its moment about that centre, inertia there."""

TASK_ROW = np.dtype(
    [
        ("kind", INT),
        ("level", INT),  # 0 is met first
        ("body", INT),  # of a point or an orientation
        ("count", INT),  # how many of the directions below count
        ("pose", INT),  # row in the table of poses
        ("r", REAL, (3,)),  # the point, along body axes [m]
        ("axes", REAL, (9,)),  # directions in the world, one after the other
        ("x", REAL, (3,)),  # wanted position [m] ...
        ("xdot", REAL, (3,)),  # ... and its rate [m/s]
        ("Q", REAL, (4,)),  # wanted orientation ...
        ("w", REAL, (3,)),  # ... and its rate, along world axes [rad/s]
        ("since", REAL),  # time at which the target was there [s]
        ("until", REAL),  # time up to which its rate carries it on [s]
        ("kp", REAL),  # acceleration per error [1/s²]
        ("kv", REAL),  # acceleration per speed [1/s]
        ("top", REAL),  # largest speed at which an error is made good [m/s or rad/s]
        ("weight", REAL),  # square root of its weight within its level
        ("start", REAL),  # a goal fades in from this time on ...
        ("fade", REAL),  # ... within this time [s]
    ],
    align=True,
)

CHARACTER_ROW = np.dtype(
    [
        ("root", INT),  # root body
        ("passive", INT),  # 1: the root joint is free or planar, and not driven
        ("first_member", INT),  # its bodies, in `members`
        ("last_member", INT),
        ("first_column", INT),  # its directed coordinates, in `columns`
        ("last_column", INT),
        ("first_task", INT),
        ("last_task", INT),
        ("levels", INT),
        ("style", INT),
        ("push", INT),  # 1: a task counts on the ground
        ("mass", REAL),  # bones and free flesh [kg]
        ("correct", INT),  # 1: momentum is kept to rounding
        ("top_acceleration", REAL),  # of every directed coordinate, inf for no limit
        ("mu", REAL),  # friction that the virtual ground reactions count on
        ("limit_kp", REAL),  # stiffness of joint limits [1/s²]
        ("rest_kp", REAL),  # acceleration per displacement from the rest pose [1/s²] ...
        ("rest_kv", REAL),  # ... and per speed [1/s]
    ],
    align=True,
)

MEMORY_ROW = np.dtype(
    [
        ("count", INT),  # support points remembered
        ("body", INT, (SUPPORT_POINTS,)),
        ("r", REAL, (3 * SUPPORT_POINTS,)),  # along body axes [m]
        ("n", REAL, (3 * SUPPORT_POINTS,)),  # outward normal of the ground there
        ("last_contact", REAL),  # time of the last contact [s]
        ("active", np.int8, (HINTED * HINTED_LEVELS,)),  # 1, -1: a bound's upper, lower side was active on a level
    ],
    align=True,
)

REPORT_ROW = np.dtype(
    [
        ("dropped", INT),  # kinds of bounds that could not be kept in the last step, as bits
        ("drops", INT),  # how many steps had to drop some
        ("saturated", INT),  # actuators at their limit in the last step
        ("support_points", INT),  # points that ground reactions were counted on
        ("correction", REAL),  # velocity given to the root in the last step to keep momentum, per time [m/s²]
        ("largest_correction", REAL),  # over all steps
    ],
    align=True,
)
