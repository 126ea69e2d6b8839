"""One step, and many: the walk from a state to the next.

kinematics -> forces (springs, dampers, stops) -> dynamics -> check -> integration. Springs, dampers and stops are
taken at the end of the step (linearly implicit): their stiffness joins the joint's own inertia as `h c + h² k`, so
that a stiff spring on a light bone cannot make the step unstable.
"""

from __future__ import annotations

import math

from stringless.dynamics.kernels import solve
from stringless.jit import kernel
from stringless.kinematics.kernels import move, place
from stringless.model.joints import registry
from stringless.spatial import mat3, vec3


@kernel(inline=True)
def resist(tree, dofs, i, rest, q, v, prescribed, tau, h, kick, dof_work, stretch_out):
    """Efforts on the joint of body i: actuator within its limit, spring and damper at the end of a step of length h.

    Where the acceleration is prescribed the actuator gives what that takes: only spring and damper are counted here.
    """
    row = tree[i]
    if row.sprung == 1:
        registry.stretch(row, rest, q, stretch_out)
    for d in range(row.v0, row.v0 + row.nv):
        dof = dof_work[d]
        k, c = dofs[d].stiffness, dofs[d].damping
        effort = -(c + h * k) * v[d]
        if prescribed.shape[0] == 0 or not prescribed[d]:
            effort += min(max(tau[d], -dofs[d].effort), dofs[d].effort)
        dof.tau = effort - k * stretch_out[d] if row.sprung == 1 else effort
        dof.arm = dofs[d].armature + kick * (c + h * k)


@kernel(inline=True)
def stop(tree, limits, i, q, v, prescribed, h, kick, frequency, body_work, dof_work):
    """Stops of the joint of body i: critically damped, one-sided springs on its limit coordinates.

    Their stiffness is that of the inertia they hold, and no less than what holds the actuator: `k = max(f² I, k_firm)`,
    `c = 2 √(k I)`. A stop that is about to be passed within the step acts already. Its implicit part is
    `(h c + h² k) g gᵀ`, which couples the coordinates of a ball joint. A ball joint whose acceleration is prescribed has
    no stop: its coordinates must stay what they are.
    """
    row = tree[i]
    first = row.v0
    if row.sequential == 0 and row.nl > 0 and prescribed.shape[0] > 0 and prescribed[first]:
        return
    coupled = False
    coupling = body_work[i].Jh  # nobody needs it before the way in
    if row.nl > 0 and row.sequential == 0:
        for k in range(9):
            coupling[k] = 0.0
        for k in range(3):
            coupling[4 * k] = dof_work[first + k].arm
    for j in range(row.nl):
        limit = limits[row.l0 + j]
        value, g = registry.limit(row, q, j)
        rate = 0.0
        for k in range(min(row.nv, 3)):
            rate += g[k] * v[first + k]
        side = 0.0
        over = 0.0
        if value + h * rate > limit.upper:
            side = 1.0
            over = value - limit.upper
        elif value + h * rate < limit.lower:
            side = -1.0
            over = limit.lower - value
        stiffness = max(frequency * frequency * limit.inertia, limit.firm)
        damping = 2.0 * math.sqrt(stiffness * limit.inertia)
        force = stiffness * (over + h * side * rate) + damping * side * rate
        if side != 0.0 and force > 0.0:
            held = kick * (damping + h * stiffness)
            coupled = row.sequential == 0
            for k in range(min(row.nv, 3)):
                dof_work[first + k].tau -= side * force * g[k]
                if row.sequential == 1:
                    dof_work[first + k].arm += held * g[k]
                else:
                    for n in range(3):
                        coupling[3 * k + n] += held * g[k] * g[n]
    if coupled:
        decouple(first, coupling, dof_work)


@kernel(inline=True)
def decouple(first, coupling_work, dof_work):
    """Choose axes for a ball joint along which the inertia of its stops does not couple its coordinates.

    Elimination by congruence, the largest pivot first: `Lᵀ A L` becomes diagonal, the axes are those of `R L`. They
    are neither normal to each other nor of unit length, which the recursion does not ask for.
    """
    for n in range(2):
        p = n
        for k in range(n + 1, 3):
            if coupling_work[4 * k] > coupling_work[4 * p]:
                p = k
        if p != n:
            swap_axes(n, p, first, coupling_work, dof_work)
        pivot = coupling_work[4 * n]
        for k in range(n + 1, 3):
            # Where the pivot is nothing but rounding, so is what it would remove.
            if pivot > 1e-14 * coupling_work[0]:
                share = coupling_work[3 * k + n] / pivot
                for m in range(n + 1, 3):
                    coupling_work[3 * k + m] -= share * coupling_work[3 * n + m]
                dof_work[first + k].tau -= share * dof_work[first + n].tau
                a = vec3.load(dof_work[first + k].a, 0)
                vec3.store(dof_work[first + k].a, 0, vec3.add_scaled(a, -share, vec3.load(dof_work[first + n].a, 0)))
    for k in range(3):
        dof_work[first + k].arm = coupling_work[4 * k]


@kernel(inline=True)
def swap_axes(n, p, first, coupling_work, dof_work):
    """Exchange two of a ball joint's coordinates: rows and columns of its coupling, axes, efforts."""
    for k in range(3):
        x, y = coupling_work[3 * n + k], coupling_work[3 * p + k]
        coupling_work[3 * n + k], coupling_work[3 * p + k] = y, x
    for k in range(3):
        x, y = coupling_work[3 * k + n], coupling_work[3 * k + p]
        coupling_work[3 * k + n], coupling_work[3 * k + p] = y, x
    one, two = dof_work[first + n], dof_work[first + p]
    t, u = one.tau, two.tau
    one.tau, two.tau = u, t
    a, b = vec3.load(one.a, 0), vec3.load(two.a, 0)
    vec3.store(one.a, 0, b)
    vec3.store(two.a, 0, a)


@kernel(inline=True)
def recouple(tree, i, body_work, dof_work, vdot_out):
    """Accelerations of a limited ball joint along body axes again, from those along the axes that were chosen."""
    row = tree[i]
    if row.nl > 0 and row.sequential == 0:
        w = (0.0, 0.0, 0.0)
        for d in range(row.v0, row.v0 + 3):
            w = vec3.add_scaled(w, vdot_out[d], vec3.load(dof_work[d].a, 0))
        vec3.store(vdot_out, row.v0, mat3.transform_back(mat3.load(body_work[i].R, 0), w))


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
        resist(tree, dofs, i, rest, q, v, prescribed, tau, h, kick, dof_work, stretch_out)
        stop(tree, limits, i, q, v, prescribed, h, kick, frequency, body_work, dof_work)


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
def first_runaway(dofs, v, vdot, h, kick, max_speed):
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
        bad = first_runaway(dofs, v_out, vdot, h, kick, max_speed)
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
        bad = first_runaway(dofs, v_out, v_sum, h, h, max_speed)
        if bad >= 0:
            return step, time, bad
        for i in range(tree.shape[0]):
            registry.integrate(tree[i], q_out, x_sum, h, q_out)
        for d in range(dofs.shape[0]):
            v_out[d] += h * v_sum[d]
        time += h
    return steps, time, -1
