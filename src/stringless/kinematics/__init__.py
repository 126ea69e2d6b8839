"""Positions, velocities and Jacobians of bodies, points and the centre of gravity."""

from stringless.kinematics.bodies import (
    BodyPoses,
    CenterOfGravity,
    body_accelerations,
    body_jacobian,
    body_jacobian_rate,
    body_poses,
    body_velocities,
    center_of_gravity,
    center_of_gravity_jacobian,
    point_jacobian,
    point_jacobian_rate,
)
from stringless.kinematics.loops import check_loops, close_loops, loop_gaps

__all__ = [
    "BodyPoses",
    "CenterOfGravity",
    "body_accelerations",
    "body_jacobian",
    "body_jacobian_rate",
    "body_poses",
    "body_velocities",
    "center_of_gravity",
    "center_of_gravity_jacobian",
    "check_loops",
    "close_loops",
    "loop_gaps",
    "point_jacobian",
    "point_jacobian_rate",
]
