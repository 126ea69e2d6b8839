"""Efforts on joints, with everything stiff taken at the end of a step: springs, dampers, actuators, joint limits.

Their stiffness joins the joint's own inertia as `h c + h² k`, so that a stiff spring on a light bone cannot make a step
unstable.
"""

import math

from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, vec3

SWING, TWIST = 0, 1
"""Limits of a ball joint; the twist has two signs."""


@kernel(inline=True)
def load_joint(skeleton, i, q, v, prescribed, tau, ahead, h, h_v, dof_work, displacement_out):
    """Efforts on the joint of body i: actuator within its limit, spring and damper after the time `ahead` at the speed v.

    The step changes v by `h_v` times the acceleration, and q by h times the new v.
    Where the acceleration is prescribed the actuator gives what that takes: only spring and damper are counted here.
    """
    row, dofs = skeleton.tree[i], skeleton.dofs
    if row.sprung == 1:
        registry.displacement(row, skeleton.rest, q, displacement_out)
    for d in range(row.v0, row.v0 + row.nv):
        dof = dof_work[d]
        k, c = dofs[d].stiffness, dofs[d].damping
        effort = -(c + ahead * k) * v[d]
        if prescribed.shape[0] == 0 or not prescribed[d]:
            effort += min(max(tau[d], -dofs[d].effort), dofs[d].effort)
        dof.tau = effort - k * displacement_out[d] if row.sprung == 1 else effort
        dof.arm = dofs[d].armature + h_v * (c + h * k)


@kernel(inline=True)
def resist_limit(limit, value, rate, h, frequency):
    """Stiffness, damping and force of a joint limit, positive against growing values; all are zero if it is inactive.

    A critically damped, one-sided spring as stiff as the inertia that it holds asks for, and no less than what holds the
    actuator: `k = max(f² I, k_min)`, `c = 2 √(k I)`. A limit that is about to be passed within the time `h` acts already.
    """
    side = 0.0
    over = 0.0
    if value + h * rate > limit.upper:
        side = 1.0
        over = value - limit.upper
    elif value + h * rate < limit.lower:
        side = -1.0
        over = limit.lower - value
    k = max(frequency * frequency * limit.inertia, limit.least_stiffness)
    c = 2.0 * math.sqrt(k * limit.inertia)
    force = k * (over + h * side * rate) + c * side * rate
    if side == 0.0 or force <= 0.0:
        return 0.0, 0.0, 0.0
    return k, c, side * force


@kernel(inline=True)
def load_limits(skeleton, i, q, v, prescribed, h, h_v, frequency, body_work, dof_work):
    """Limits of the joint of body i, `resist_limit` on each of its limited coordinates.

    The implicit part of a limit is `(h c + h² k) g gᵀ`, which couples the coordinates of a ball joint. A ball joint whose
    acceleration is prescribed has no limits: its coordinates must stay what they are.
    """
    row = skeleton.tree[i]
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
        limit = skeleton.limits[row.l0 + j]
        if row.sequential == 0 and j != TWIST and limit.upper >= math.pi and limit.lower <= 0.0:
            continue  # no swing or turn goes farther than that
        value, g = registry.limit(row, q, j)
        rate = 0.0
        for k in range(min(row.nv, 3)):
            rate += g[k] * v[first + k]
        stiffness, damping, force = resist_limit(limit, value, rate, h, frequency)
        if force != 0.0:
            held = h_v * (damping + h * stiffness)
            coupled = row.sequential == 0
            for k in range(min(row.nv, 3)):
                dof_work[first + k].tau -= force * g[k]
                if row.sequential == 1:
                    dof_work[first + k].arm += held * g[k]
                else:
                    for n in range(3):
                        coupling[3 * k + n] += held * g[k] * g[n]
    if coupled:
        decouple(first, coupling, dof_work)


@kernel(inline=True)
def decouple(first, coupling_work, dof_work):
    """Choose axes for a ball joint along which the inertia of its limits does not couple its coordinates.

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
