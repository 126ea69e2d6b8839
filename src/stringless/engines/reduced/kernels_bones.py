"""One step, and many: the walk from a state to the next.

kinematics -> forces (springs, dampers, limits) -> dynamics -> check -> integration. Springs, dampers and limits are
taken at the end of the step (linearly implicit): their stiffness joins the joint's own inertia as `h c + h² k`, so
that a stiff spring on a light bone cannot make the step unstable.
"""

from __future__ import annotations

import math

from stringless.dynamics.kernels import solve
from stringless.dynamics.kernels_joints import load_joint, load_limits, recouple
from stringless.engines.reduced.records import Span
from stringless.jit import kernel
from stringless.kinematics.kernels import move, place
from stringless.model.joints import registry
from stringless.model.records import Inputs, Skeleton


@kernel(inline=True)
def load_joints(skeleton, q, v, u, inputs, span, limit_frequency, body_work, dof_work, displacement_out):
    """Motions of all bodies and efforts on all joints, with everything stiff taken at the end of the step.

    The step changes v by `span.kick` times the acceleration, and q by `span.h` times the new v. `v` is what springs, dampers
    and limits act on, `u` what the velocity products are taken from.
    """
    tree, prescribed, h, kick = skeleton.tree, inputs.prescribed, span.h, span.kick
    for i in range(tree.shape[0]):
        R, r = place(tree, i, q, body_work)
        move(tree, skeleton.dofs, i, q, u, R, r, body_work, dof_work)
        load_joint(skeleton, i, q, v, prescribed, inputs.tau, h, h, kick, dof_work, displacement_out)
        load_limits(skeleton, i, q, v, prescribed, h, kick, limit_frequency, body_work, dof_work)


@kernel(inline=True)
def solve_accelerations(skeleton, inputs, external, body_work, dof_work, vdot_out, effort_out):
    """Accelerations of all joints under the efforts that `load_joints` has left, and efforts where they are prescribed.

    `external` are the wrenches on bodies; those of flesh and contact may be added to the ones of `inputs`.
    """
    tree = skeleton.tree
    solve(
        tree, skeleton.dofs, skeleton.gravity, inputs.prescribed, inputs.vdot, external, body_work, dof_work, vdot_out,
        effort_out,
    )  # fmt: skip
    for i in range(tree.shape[0]):
        recouple(tree, i, body_work, dof_work, vdot_out)


@kernel(inline=True)
def accelerate(skeleton, q, v, u, inputs, span, limit_frequency, body_work, dof_work, vdot_out, effort_out):
    """Accelerations of a state without flesh and contact: `load_joints`, then `solve_accelerations`."""
    load_joints(skeleton, q, v, u, inputs, span, limit_frequency, body_work, dof_work, vdot_out)
    solve_accelerations(skeleton, inputs, inputs.external, body_work, dof_work, vdot_out, effort_out)


@kernel(inline=True)
def follow_path(tree, followed, q_to, q, v, u, ahead, kick, given_out):
    """Prescribe the accelerations that lead to the configuration `q_to` in the time `ahead`, where `followed` says so."""
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.nv > 0 and followed[row.v0]:
            registry.reach(row, q_to, q, v, u, ahead, kick, given_out)


@kernel(inline=True)
def kick_time(last, h):
    """For how long forces act in a step of length h: from the middle of the last step, if there was one, to its own."""
    return 0.5 * (last + h) if last > 0.0 else h


@kernel(inline=True)
def first_diverged(dofs, v, vdot, span, max_speed):
    """First coordinate whose speed after the step is not a number or exceeds `max_speed`, or half a turn a step; -1 if none."""
    for d in range(dofs.shape[0]):
        # Written so that NaN fails the comparison.
        if not abs(v[d] + span.kick * vdot[d]) <= (math.pi / span.h if dofs[d].turns == 1 else max_speed):
            return d
    return -1


@kernel
def run_symplectic(
    tree, dofs, limits, rest, gravity, prescribed, followed, targets, tau, external, last, h, frequency, max_speed, steps,
    time, body_work, dof_work, vector_work, given_work, effort_out, vdot_out, q_out, v_out,
):  # fmt: skip
    """Advance the state in place by `steps` steps of symplectic Euler: `v+ = v + h vdot`, `q+ = q ⊕ h v+`.

    Such a v lags half a step behind q. Where the inertia depends on q, velocity products taken from it would pump
    energy in or out, step after step; so they are taken from `u = v + h/2 vdot`, with `vdot_out` of the step before.
    When the step before had another length, `last`, the first `v+ = v + (last + h)/2 vdot` leads from the middle of one to
    the middle of the other.
    Returns the steps done, the time reached and the coordinate that ran away (-1 if none did): the state is then that
    of the last good step.
    """
    u, vdot = vector_work[0], vector_work[1]
    skeleton = Skeleton(tree, dofs, limits, rest, gravity)
    inputs = Inputs(prescribed, given_work, followed, targets, tau, external)
    for step in range(steps):
        for d in range(dofs.shape[0]):
            u[d] = v_out[d] + 0.5 * last * vdot_out[d]
        span = Span(h, kick_time(last, h), last)
        if followed.shape[0] > 0:
            follow_path(tree, followed, targets[step], q_out, v_out, u, h, span.kick, given_work)
        accelerate(skeleton, q_out, v_out, u, inputs, span, frequency, body_work, dof_work, vdot, effort_out)
        bad = first_diverged(dofs, v_out, vdot, span, max_speed)
        if bad >= 0:
            return step, time, bad
        for i in range(tree.shape[0]):
            registry.advance(tree[i], u, vdot, h, span.kick, q_out, v_out)
        for d in range(dofs.shape[0]):
            vdot_out[d] = vdot[d]
        last = h
        time += h
    return steps, time, -1


@kernel
def run_rk4(
    tree, dofs, limits, rest, gravity, prescribed, followed, targets, tau, external, h, frequency, max_speed, steps, time,
    body_work, dof_work, vector_work, given_work, q_work, effort_out, q_out, v_out,
):  # fmt: skip
    """Advance the state in place by `steps` steps of the classical fourth-order Runge-Kutta method.

    On the manifold the stages are taken in the tangent space at the step's start (Munthe-Kaas 1998): q ⊕ x, with
    velocity u and the rate of x that belongs to it. Returns as `run_symplectic` does.
    """
    x, u, vdot, rate = vector_work[0], vector_work[1], vector_work[2], vector_work[3]
    x_sum, v_sum = vector_work[4], vector_work[5]
    skeleton = Skeleton(tree, dofs, limits, rest, gravity)
    inputs = Inputs(prescribed, given_work, followed, targets, tau, external)
    for step in range(steps):
        for d in range(dofs.shape[0]):
            x[d], u[d], x_sum[d], v_sum[d] = 0.0, v_out[d], 0.0, 0.0
        for stage in range(4):
            for i in range(tree.shape[0]):
                registry.integrate(tree[i], q_out, x, 1.0, q_work)
                registry.tangent_rate(tree[i], x, u, rate)
            now = Span(0.0, 0.0, 0.0)
            accelerate(skeleton, q_work, u, u, inputs, now, frequency, body_work, dof_work, vdot, effort_out)
            weight = 1.0 / 6.0 if stage == 0 or stage == 3 else 1.0 / 3.0
            ahead = h if stage == 2 else 0.5 * h
            for d in range(dofs.shape[0]):
                x_sum[d] += weight * rate[d]
                v_sum[d] += weight * vdot[d]
                x[d] = ahead * rate[d]
                u[d] = v_out[d] + ahead * vdot[d]
        bad = first_diverged(dofs, v_out, v_sum, Span(h, h, h), max_speed)
        if bad >= 0:
            return step, time, bad
        for i in range(tree.shape[0]):
            registry.integrate(tree[i], q_out, x_sum, h, q_out)
        for d in range(dofs.shape[0]):
            v_out[d] += h * v_sum[d]
        time += h
    return steps, time, -1
