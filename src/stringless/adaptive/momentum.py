"""The choice of joints by energy: what every joint is about to do, and what it costs to hold it.

Let w be the velocities at the end of the next interval T, if all joints were free: `G w = g`, where G is the mass matrix
with the implicit parts of springs and dampers, and g the momenta that forces lead to, `g = G v + T f`. Joints that are held
let the others move with `α = G_SS⁻¹ g_S`. By Gauss's principle that is the motion nearest to w among those that are left, and
the energy that is missing is `½ (w - α)ᵀ G (w - α)`. A held joint feels the momentum `r = g - G α`, and letting it go alone
would win about `½ r²/G_jj`. So joints are let go where that is most, in a few rounds, with r worked out anew after each: of
many neighbours that feel nearly the same, one is enough.
"""

from __future__ import annotations

from stringless.dynamics.kernels_in import eliminate, hand_over
from stringless.dynamics.kernels_joints import resist, stop
from stringless.dynamics.kernels_mass_matrix import spread
from stringless.dynamics.kernels_out import accelerate
from stringless.jit import kernel
from stringless.kinematics.kernels import cross_force, move, place
from stringless.spatial import inertia, mat3, vec3

ZERO3 = (0.0, 0.0, 0.0)


@kernel(inline=True)
def look_out(tree, dofs, limits, rest, gravity, q, v, tau, none, horizon, frequency, body_work, dof_work, stretch_out):
    """Motions of all bodies, accelerations without any of the joints, and efforts on joints at the end of the interval."""
    for i in range(tree.shape[0]):
        row = tree[i]
        R, r = place(tree, i, q, body_work)
        move(tree, dofs, i, q, v, R, r, body_work, dof_work)
        resist(tree, dofs, i, rest, q, v, none, tau, horizon, horizon, horizon, dof_work, stretch_out)
        if row.sequential == 1:  # stops of a ball joint would turn its axes; a choice can do without them
            stop(tree, limits, i, q, v, none, horizon, horizon, horizon, frequency, body_work, dof_work)
        work = body_work[i]
        A_w, A_v = ZERO3, (-gravity[0], -gravity[1], -gravity[2])
        if row.parent >= 0:
            above = body_work[row.parent]
            A_w, A_v = inertia.shift_motion(vec3.load(above.A, 0), vec3.load(above.A, 3), r)
        vec3.store(work.A, 0, vec3.add(A_w, vec3.load(work.eta, 0)))
        vec3.store(work.A, 3, vec3.add(A_v, vec3.load(work.eta, 3)))
        for at in (0, 3):
            vec3.store(work.F, at, ZERO3)
            vec3.store(work.B, at, ZERO3)


@kernel(inline=True)
def own_share(tree, i, external, horizon, body_work):
    """What body i adds to the sums of its subtree: inertia, momentum, and momentum at the end of the interval."""
    row = tree[i]
    work = body_work[i]
    R = mat3.load(work.R, 0)
    I = mat3.rotate_symmetric(R, mat3.load_symmetric(row.I_o, 0))
    h = mat3.transform(R, vec3.load(row.h, 0))
    V_w, V_v = vec3.load(work.V, 0), vec3.load(work.V, 3)
    l, p = inertia.momentum(I, h, row.mass, V_w, V_v)
    m, f = inertia.momentum(I, h, row.mass, vec3.load(work.A, 0), vec3.load(work.A, 3))
    turned_m, turned_f = cross_force(V_w, V_v, l, p)
    m, f = vec3.add(m, turned_m), vec3.add(f, turned_f)
    if external.shape[0] > 0:
        m = vec3.subtract(m, mat3.transform(R, (external[i, 0], external[i, 1], external[i, 2])))
        f = vec3.subtract(f, mat3.transform(R, (external[i, 3], external[i, 4], external[i, 5])))
    return I, h, row.mass, l, p, vec3.add_scaled(l, -horizon, m), vec3.add_scaled(p, -horizon, f)


@kernel
def prepare(
    tree, dofs, limits, rest, gravity, q, v, tau, external, none, horizon, frequency, body_work, dof_work, p_out, aim_out,
    inertia_out,
):  # fmt: skip
    """Momenta `p = M v` and aims `g` of all coordinates, and their own inertia `G_jj` with all else held.

    Velocities and turns in the work table are forgotten then: what follows is about momenta alone. Every body's own inertia
    along world axes is left there instead, I in the place of V, and that of all it carries, held, in the place of R.
    """
    look_out(tree, dofs, limits, rest, gravity, q, v, tau, none, horizon, frequency, body_work, dof_work, aim_out)
    for i in range(tree.shape[0] - 1, -1, -1):
        row = tree[i]
        work = body_work[i]
        I, h, mass, l, p, aim_l, aim_p = own_share(tree, i, external, horizon, body_work)
        mat3.store_symmetric(work.V, 0, I)
        vec3.store(work.h, 0, h)
        if row.leaf == 0:
            I = mat3.add_symmetric(I, mat3.load_symmetric(work.Jh, 0))
            h, mass = vec3.add(h, vec3.load(work.Jh, 6)), mass + work.Jh[9]
        mat3.store_symmetric(work.R, 0, I)
        vec3.store(work.R, 6, h)
        work.mass = mass
        l, p = vec3.add(l, vec3.load(work.B, 0)), vec3.add(p, vec3.load(work.B, 3))
        aim_l, aim_p = vec3.add(aim_l, vec3.load(work.F, 0)), vec3.add(aim_p, vec3.load(work.F, 3))
        for d in range(row.v0, row.v0 + row.nv):
            dof = dof_work[d]
            a = vec3.load(dof.a, 0)
            turns = dofs[d].turns == 1
            p_out[d] = vec3.dot(a, l if turns else p) + dofs[d].armature * v[d]
            aim_out[d] = vec3.dot(a, aim_l if turns else aim_p) + dof.arm * v[d] + horizon * dof.tau
            inertia_out[d] = (mat3.quadratic(I, a) if turns else mass) + dof.arm
        if row.parent >= 0:
            above = body_work[row.parent]
            r = vec3.load(work.r, 0)
            l, p = inertia.shift_force(l, p, r)
            aim_l, aim_p = inertia.shift_force(aim_l, aim_p, r)
            vec3.add_to(above.B, 0, l)
            vec3.add_to(above.B, 3, p)
            vec3.add_to(above.F, 0, aim_l)
            vec3.add_to(above.F, 3, aim_p)
            I = mat3.add_symmetric(I, spread(r, vec3.add_scaled(h, 0.5 * mass, r)))
            h = vec3.add_scaled(h, mass, r)
            if row.first_in == 0:
                I = mat3.add_symmetric(I, mat3.load_symmetric(above.Jh, 0))
                h, mass = vec3.add(h, vec3.load(above.Jh, 6)), mass + above.Jh[9]
            mat3.store_symmetric(above.Jh, 0, I)
            vec3.store(above.Jh, 6, h)
            above.Jh[9] = mass
        vec3.store(work.eta, 0, ZERO3)
        vec3.store(work.eta, 3, ZERO3)


@kernel(inline=True)
def carried(work):
    """Inertia of a body and all that it carries, held, as `prepare` has left it: I, h and mass."""
    return mat3.load_symmetric(work.R, 0), vec3.load(work.R, 6), work.mass


@kernel
def look_beyond(tree, free, beyond_out):
    """Tell of every body whether it carries a joint that is free."""
    for i in range(tree.shape[0]):
        beyond_out[i] = False
    for i in range(tree.shape[0] - 1, 0, -1):
        if tree[i].parent >= 0 and (free[i] or beyond_out[i]):
            beyond_out[tree[i].parent] = True


@kernel(inline=True)
def hand_in(tree, dofs, i, free, beyond, aim, no_mask, body_work, dof_work):
    """Hand what body i and all it carries is to a motion of its parent. What moves nowhere is one rigid body."""
    work = body_work[i]
    m, f = ZERO3, ZERO3
    if beyond[i]:
        I, H, M = inertia.rigid(mat3.load_symmetric(work.V, 0), vec3.load(work.h, 0), tree[i].mass)
        I, H, M = inertia.add(I, H, M, work.Jh)
        m, f = vec3.load(work.B, 0), vec3.load(work.B, 3)
    else:
        rigid_I, h, mass = carried(work)
        I, H, M = inertia.rigid(rigid_I, h, mass)
    if free[i]:
        eliminate(tree, dofs, i, no_mask, aim, I, H, M, m, f, body_work, dof_work)
    else:
        r = vec3.load(work.r, 0)
        I, H, M = inertia.shift(I, H, M, r)
        m, f = inertia.shift_force(m, f, r)
        hand_over(tree, i, I, H, M, m, f, body_work)


@kernel
def respond(tree, dofs, free, aim, no_gravity, no_mask, body_work, dof_work, effort_work, beyond_work, rate_out):
    """Velocities α of the joints that are free, `G_SS α = g_S`: the recursion of forward dynamics, past those that are held.

    Returns `αᵀ g`: twice the energy of that motion. The bodies' velocities are left in the place of accelerations.
    """
    look_beyond(tree, free, beyond_work)
    for d in range(dofs.shape[0]):
        dof_work[d].tau = aim[d]
        rate_out[d] = 0.0
    for i in range(tree.shape[0] - 1, -1, -1):
        if free[i] or (tree[i].parent >= 0 and beyond_work[tree[i].parent]):
            hand_in(tree, dofs, i, free, beyond_work, aim, no_mask, body_work, dof_work)
    for i in range(tree.shape[0]):
        if free[i]:
            accelerate(tree, dofs, i, no_gravity, no_mask, aim, body_work, dof_work, rate_out, effort_work)
        else:
            work = body_work[i]
            A_w, A_v = ZERO3, ZERO3
            if tree[i].parent >= 0:
                above = body_work[tree[i].parent]
                A_w, A_v = inertia.shift_motion(vec3.load(above.A, 0), vec3.load(above.A, 3), vec3.load(work.r, 0))
            vec3.store(work.A, 0, A_w)
            vec3.store(work.A, 3, A_v)
    twice = 0.0
    for d in range(dofs.shape[0]):
        twice += rate_out[d] * aim[d]
    return twice


@kernel
def feel(tree, dofs, free, beyond, aim, body_work, dof_work, residual_out):
    """What held joints feel, `r = g - G α`, from the motion that `respond` has left; free ones feel nothing."""
    for i in range(tree.shape[0]):
        if beyond[i]:
            vec3.store(body_work[i].F, 0, ZERO3)
            vec3.store(body_work[i].F, 3, ZERO3)
    for i in range(tree.shape[0] - 1, -1, -1):
        row = tree[i]
        work = body_work[i]
        I, h, mass = carried(work)
        if beyond[i]:
            I, h, mass = mat3.load_symmetric(work.V, 0), vec3.load(work.h, 0), row.mass
        l, p = inertia.momentum(I, h, mass, vec3.load(work.A, 0), vec3.load(work.A, 3))
        if beyond[i]:
            l, p = vec3.add(l, vec3.load(work.F, 0)), vec3.add(p, vec3.load(work.F, 3))
        for d in range(row.v0, row.v0 + row.nv):
            a = vec3.load(dof_work[d].a, 0)
            residual_out[d] = 0.0 if free[i] else aim[d] - vec3.dot(a, l if dofs[d].turns == 1 else p)
        if row.parent >= 0 and beyond[row.parent]:
            l, p = inertia.shift_force(l, p, vec3.load(work.r, 0))
            vec3.add_to(body_work[row.parent].F, 0, l)
            vec3.add_to(body_work[row.parent].F, 3, p)
