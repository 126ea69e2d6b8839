"""Bones: motions and joint forces, accelerations, and whether these can be right.

Springs, dampers and limits are taken at the end of the step (linearly implicit): their stiffness joins the joint's own inertia
as `h c + h² k`, so that a stiff spring on a light bone cannot make the step unstable.
"""

from __future__ import annotations

import math

from stringless.dynamics.kernels import solve
from stringless.dynamics.kernels_joints import load_joint, load_limits, recouple
from stringless.flesh.kernels_dampers import find_damper_velocity
from stringless.jit import kernel
from stringless.kinematics.kernels import find_pose, move
from stringless.model.joints import registry


@kernel(inline=True)
def load_joints(skeleton, q, v, u, inputs, span, limit_frequency, body_work, dof_work, damper_work, displacement_out):
    """Motions of all bodies and efforts on all joints, with everything stiff taken at the end of the step.

    The step changes v by `span.h_v` times the acceleration, and q by `span.h` times the new v. `v` is what springs, dampers
    and limits act on, `u` what the velocity products are taken from. `damper_work` gets the velocities that dampers of flesh act
    on; None if there is no flesh.
    """
    tree, prescribed, h, h_v = skeleton.tree, inputs.prescribed, span.h, span.h_v
    for i in range(tree.shape[0]):
        R, r = find_pose(tree, i, q, body_work)
        move(tree, skeleton.dofs, i, q, u, R, r, body_work, dof_work)
        if damper_work is not None:
            find_damper_velocity(tree, skeleton.dofs, i, v, r, dof_work, damper_work)
        load_joint(skeleton, i, q, v, prescribed, inputs.tau, h, h, h_v, dof_work, displacement_out)
        load_limits(skeleton, i, q, v, prescribed, h, h_v, limit_frequency, body_work, dof_work)


@kernel(inline=True)
def solve_accelerations(skeleton, inputs, external, added, body_work, dof_work, vdot_out, effort_out):
    """Accelerations of all joints under the efforts that `load_joints` has left, and efforts where they are prescribed.

    `external` are the wrenches on bodies; those of flesh and contact may be added to the ones of `inputs`. `added` are the
    inertias and wrenches of the flesh's dampers; None if there are none.
    """
    tree, dofs, gravity, prescribed, vdot = (
        skeleton.tree,
        skeleton.dofs,
        skeleton.gravity,
        inputs.prescribed,
        inputs.vdot,
    )
    solve(tree, dofs, gravity, prescribed, vdot, external, added, body_work, dof_work, vdot_out, effort_out)
    for i in range(tree.shape[0]):
        recouple(tree, i, body_work, dof_work, vdot_out)


@kernel(inline=True)
def accelerate(skeleton, q, v, u, inputs, span, limit_frequency, body_work, dof_work, vdot_out, effort_out):
    """Accelerations of a state without flesh and contact: `load_joints`, then `solve_accelerations`."""
    load_joints(skeleton, q, v, u, inputs, span, limit_frequency, body_work, dof_work, None, vdot_out)
    solve_accelerations(skeleton, inputs, inputs.external, None, body_work, dof_work, vdot_out, effort_out)


@kernel(inline=True)
def follow_path(tree, followed, q_to, q, v, u, ahead, h_v, given_out):
    """Prescribe the accelerations that lead to the configuration `q_to` in the time `ahead`, where `followed` says so."""
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.nv > 0 and followed[row.v0]:
            registry.reach(row, q_to, q, v, u, ahead, h_v, given_out)


@kernel(inline=True)
def velocity_step(last, h):
    """For how long forces act in a step of length h: from the middle of the last step, if there was one, to its own."""
    return 0.5 * (last + h) if last > 0.0 else h


@kernel(inline=True)
def first_diverged(dofs, v, vdot, span, max_speed):
    """First coordinate whose speed after the step is not a number or exceeds `max_speed`, or half a turn a step; -1 if none."""
    for d in range(dofs.shape[0]):
        # Written so that NaN fails the comparison.
        if not abs(v[d] + span.h_v * vdot[d]) <= (math.pi / span.h if dofs[d].rotational == 1 else max_speed):
            return d
    return -1
