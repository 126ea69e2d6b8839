"""One step, and many: the walk from a state to the next.

kinematics -> forces (springs, dampers, stops) -> dynamics -> check -> integration. Springs, dampers and stops are
taken at the end of the step (linearly implicit): their stiffness joins the joint's own inertia as `h c + h² k`, so
that a stiff spring on a light bone cannot make the step unstable.
"""

from __future__ import annotations

import math

from stringless.dynamics.kernels import solve
from stringless.dynamics.kernels_joints import recouple, resist, stop
from stringless.jit import kernel
from stringless.kinematics.kernels import move, place
from stringless.model.joints import registry


@kernel(inline=True)
def load_joints(
    tree, dofs, limits, rest, q, v, u, prescribed, tau, h, kick, frequency, body_work, dof_work, stretch_out
):  # fmt: skip
    """Motions of all bodies and efforts on all joints, with everything stiff taken at the end of a step of length h.

    The step changes v by `kick` times the acceleration, and q by h times the new v. `v` is what springs, dampers and stops
    act on, `u` what the velocity products are taken from.
    """
    for i in range(tree.shape[0]):
        R, r = place(tree, i, q, body_work)
        move(tree, dofs, i, q, u, R, r, body_work, dof_work)
        resist(tree, dofs, i, rest, q, v, prescribed, tau, h, h, kick, dof_work, stretch_out)
        stop(tree, limits, i, q, v, prescribed, h, h, kick, frequency, body_work, dof_work)


@kernel(inline=True)
def answer(tree, dofs, gravity, external, prescribed, vdot, body_work, dof_work, vdot_out, effort_out):
    """Accelerations of all joints under the efforts that `load_joints` has left, and efforts where they are prescribed."""
    solve(tree, dofs, gravity, prescribed, vdot, external, body_work, dof_work, vdot_out, effort_out)
    for i in range(tree.shape[0]):
        recouple(tree, i, body_work, dof_work, vdot_out)


@kernel(inline=True)
def accelerate(
    tree, dofs, limits, rest, gravity, q, v, u, prescribed, vdot, tau, external, h, kick, frequency,
    body_work, dof_work, vdot_out, effort_out,
):  # fmt: skip
    """Accelerations of a state without flesh and contact."""
    load_joints(tree, dofs, limits, rest, q, v, u, prescribed, tau, h, kick, frequency, body_work, dof_work, vdot_out)
    answer(tree, dofs, gravity, external, prescribed, vdot, body_work, dof_work, vdot_out, effort_out)


@kernel(inline=True)
def follow(tree, followed, q_to, q, v, u, ahead, kick, given_out):
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
def first_diverged(dofs, v, vdot, h, kick, max_speed):
    """First coordinate whose next speed is not a number or too high to be true; -1 if there is none."""
    for d in range(dofs.shape[0]):
        # Written so that NaN fails the comparison.
        if not abs(v[d] + kick * vdot[d]) <= (math.pi / h if dofs[d].turns == 1 else max_speed):
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
    for step in range(steps):
        for d in range(dofs.shape[0]):
            u[d] = v_out[d] + 0.5 * last * vdot_out[d]
        kick = kick_time(last, h)
        if followed.shape[0] > 0:
            follow(tree, followed, targets[step], q_out, v_out, u, h, kick, given_work)
        accelerate(
            tree, dofs, limits, rest, gravity, q_out, v_out, u, prescribed, given_work, tau, external, h, kick, frequency,
            body_work, dof_work, vdot, effort_out,
        )  # fmt: skip
        bad = first_diverged(dofs, v_out, vdot, h, kick, max_speed)
        if bad >= 0:
            return step, time, bad
        for i in range(tree.shape[0]):
            registry.advance(tree[i], u, vdot, h, kick, q_out, v_out)
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
    for step in range(steps):
        for d in range(dofs.shape[0]):
            x[d], u[d], x_sum[d], v_sum[d] = 0.0, v_out[d], 0.0, 0.0
        for stage in range(4):
            for i in range(tree.shape[0]):
                registry.integrate(tree[i], q_out, x, 1.0, q_work)
                registry.tangent_rate(tree[i], x, u, rate)
            accelerate(
                tree, dofs, limits, rest, gravity, q_work, u, u, prescribed, given_work, tau, external, 0.0, 0.0, frequency,
                body_work, dof_work, vdot, effort_out,
            )  # fmt: skip
            weight = 1.0 / 6.0 if stage == 0 or stage == 3 else 1.0 / 3.0
            ahead = h if stage == 2 else 0.5 * h
            for d in range(dofs.shape[0]):
                x_sum[d] += weight * rate[d]
                v_sum[d] += weight * vdot[d]
                x[d] = ahead * rate[d]
                u[d] = v_out[d] + ahead * vdot[d]
        bad = first_diverged(dofs, v_out, v_sum, h, h, max_speed)
        if bad >= 0:
            return step, time, bad
        for i in range(tree.shape[0]):
            registry.integrate(tree[i], q_out, x_sum, h, q_out)
        for d in range(dofs.shape[0]):
            v_out[d] += h * v_sum[d]
        time += h
    return steps, time, -1
