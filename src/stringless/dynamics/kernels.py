"""Forward, inverse and hybrid dynamics as one recursion (Kim & Pollard 2008, Tables 3 and 4).

A joint's coordinates are eliminated one after the other, the last first. That is the block elimination of the paper
carried out column by column; it needs no matrix inverse, treats a joint of any number of coordinates alike, and lets
each single coordinate be prescribed or not.
"""

from __future__ import annotations

from stringless.jit import kernel
from stringless.kinematics.kernels import cross_force, move, place
from stringless.model.joints import registry
from stringless.spatial import inertia, mat3, vec3

BALL, FREE, TRANSLATIONAL = registry.BALL, registry.FREE, registry.TRANSLATIONAL
ZERO3 = (0.0, 0.0, 0.0)
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
ZERO9 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel(inline=True)
def resist_passively(tree, dofs, i, rest, q, v, dof_work, stretch_out):
    """Efforts of the joint's own spring and damper, `-k x - c u`, and its armature."""
    row = tree[i]
    if row.sprung == 1:
        registry.stretch(row, rest, q, stretch_out)
    for d in range(row.v0, row.v0 + row.nv):
        dof = dof_work[d]
        dof.arm = dofs[d].armature
        dof.tau = -dofs[d].damping * v[d]
        if row.sprung == 1:
            dof.tau -= dofs[d].stiffness * stretch_out[d]


@kernel(inline=True)
def drive(tree, i, prescribed, tau, dof_work):
    """Add the given efforts to the passive ones, except where the acceleration is prescribed."""
    row = tree[i]
    for d in range(row.v0, row.v0 + row.nv):
        if prescribed.shape[0] == 0 or not prescribed[d]:
            dof_work[d].tau += tau[d]


@kernel(inline=True)
def bear(tree, i, external, body_work):
    """Articulated inertia Jh and bias B of body i: its own, and what its children have handed over.

    `Jh_i = J_i + Σ Pi_k`, `B_i = -ad(V)ᵀ J V - F_ext + Σ beta_k`.
    """
    row = tree[i]
    work = body_work[i]
    R = mat3.load(work.R, 0)
    V_w, V_v = vec3.load(work.V, 0), vec3.load(work.V, 3)
    I = mat3.rotate_symmetric(R, mat3.load_symmetric(row.I_o, 0))
    h = mat3.transform(R, vec3.load(row.h, 0))
    l, p = inertia.momentum(I, h, row.mass, V_w, V_v)
    m, f = cross_force(V_w, V_v, l, p)
    if external.shape[0] > 0:
        m = vec3.subtract(m, mat3.transform(R, (external[i, 0], external[i, 1], external[i, 2])))
        f = vec3.subtract(f, mat3.transform(R, (external[i, 3], external[i, 4], external[i, 5])))
    I, H, M = inertia.rigid(I, h, row.mass)
    if row.leaf == 0:
        I, H, M = inertia.add(I, H, M, work.Jh)
        m = vec3.add(m, vec3.load(work.B, 0))
        f = vec3.add(f, vec3.load(work.B, 3))
    return I, H, M, m, f


@kernel(inline=True)
def hand_over(tree, i, I, H, M, m, f, body_work):
    """Add (Pi, beta) of body i, taken about the parent's origin, to the parent's sums.

    The first child to do so overwrites what was there before.
    """
    row = tree[i]
    if row.parent < 0:
        return
    parent = body_work[row.parent]
    if row.first_in == 0:
        I, H, M = inertia.add(I, H, M, parent.Jh)
        m = vec3.add(m, vec3.load(parent.B, 0))
        f = vec3.add(f, vec3.load(parent.B, 3))
    inertia.store(parent.Jh, I, H, M)
    vec3.store(parent.B, 0, m)
    vec3.store(parent.B, 3, f)


@kernel(inline=True)
def resist(turns, I, H, M, a):
    """`U = Jh S` and `D = Sᵀ Jh S` of one coordinate."""
    if turns == 1:
        return mat3.transform_symmetric(I, a), mat3.transform_back(H, a), mat3.quadratic(I, a)
    return mat3.transform(H, a), mat3.transform_symmetric(M, a), mat3.quadratic(M, a)


@kernel(inline=True)
def respond(D, y, U_m, U_f, dof_work):
    """Keep what later sweeps need of one coordinate: `Psi = 1/(D + armature)`, effort left y, U."""
    Psi = 1.0 / (D + dof_work.arm)
    dof_work.Psi = Psi
    dof_work.y = y
    vec3.store(dof_work.U, 0, U_m)
    vec3.store(dof_work.U, 3, U_f)
    return Psi


@kernel(inline=True)
def eliminate_one(tree, dofs, i, I, H, M, m, f, body_work, dof_work):
    """Take a joint of one free coordinate out of its body's equations: (Jh, B) becomes (Pi, beta).

    `Pi = Jh - Psi U Uᵀ`, `beta = B + Jh eta + Psi y U`. Both are shifted to the parent's origin before the division
    that gives Psi is done: the processor works on the one while it waits for the other.
    """
    row = tree[i]
    dof = dof_work[row.v0]
    r = vec3.load(body_work[i].r, 0)
    a = vec3.load(dof.a, 0)
    U_m, U_f, D = resist(dofs[row.v0].turns, I, H, M, a)
    y = dof.tau - vec3.dot(a, m if dofs[row.v0].turns == 1 else f)
    I, H, M = inertia.shift(I, H, M, r)
    m, f = inertia.shift_force(m, f, r)
    U_m, U_f = inertia.shift_force(U_m, U_f, r)
    Psi = respond(D, y, U_m, U_f, dof)
    I, H, M = inertia.remove_rank_one(I, H, M, Psi, U_m, U_f)
    m, f = vec3.add_scaled(m, Psi * y, U_m), vec3.add_scaled(f, Psi * y, U_f)
    hand_over(tree, i, I, H, M, m, f, body_work)


@kernel(inline=True)
def eliminate_many(tree, dofs, i, prescribed, vdot, I, H, M, m, f, body_work, dof_work):
    """The same for any joint: free coordinates are taken out one by one, the last first; prescribed ones add to B."""
    row = tree[i]
    r = vec3.load(body_work[i].r, 0)
    loose = row.nv > 0
    for k in range(row.nv):
        d = row.v0 + row.nv - 1 - k
        dof = dof_work[d]
        a = vec3.load(dof.a, 0)
        U_m, U_f, D = resist(dofs[d].turns, I, H, M, a)
        if prescribed.shape[0] > 0 and prescribed[d]:
            loose = False
            shifted_m, shifted_f = inertia.shift_force(U_m, U_f, r)
            respond(D, 0.0, shifted_m, shifted_f, dof)
            m, f = vec3.add_scaled(m, vdot[d], U_m), vec3.add_scaled(f, vdot[d], U_f)
        else:
            loose = loose and dof.arm == 0.0
            y = dof.tau - vec3.dot(a, m if dofs[d].turns == 1 else f)
            shifted_m, shifted_f = inertia.shift_force(U_m, U_f, r)
            Psi = respond(D, y, shifted_m, shifted_f, dof)
            I, H, M = inertia.remove_rank_one(I, H, M, Psi, U_m, U_f)
            m, f = vec3.add_scaled(m, Psi * y, U_m), vec3.add_scaled(f, Psi * y, U_f)
    if loose:
        # These blocks are zero in theory. Their rounding noise would be amplified from ball to ball up a chain.
        if row.kind == BALL or row.kind == FREE:
            I = ZERO6
            H = ZERO9
        if row.kind == TRANSLATIONAL or row.kind == FREE:
            H = ZERO9
            M = ZERO6
    I, H, M = inertia.shift(I, H, M, r)
    m, f = inertia.shift_force(m, f, r)
    hand_over(tree, i, I, H, M, m, f, body_work)


@kernel(inline=True)
def eliminate(tree, dofs, i, prescribed, vdot, I, H, M, m, f, body_work, dof_work):
    """Take the joint of body i out of its equations and hand the rest to the parent."""
    row = tree[i]
    e_m, e_f = inertia.apply(I, H, M, vec3.load(body_work[i].eta, 0), vec3.load(body_work[i].eta, 3))
    m = vec3.add(m, e_m)
    f = vec3.add(f, e_f)
    if row.nv == 1 and prescribed.shape[0] == 0:
        eliminate_one(tree, dofs, i, I, H, M, m, f, body_work, dof_work)
    else:
        eliminate_many(tree, dofs, i, prescribed, vdot, I, H, M, m, f, body_work, dof_work)


@kernel(inline=True)
def accelerate(tree, dofs, i, gravity, prescribed, vdot, body_work, dof_work, vdot_out, tau_out):
    """Accelerations of body i's joint from its parent's; efforts of its prescribed coordinates.

    `qdd = Psi (y - U·Vdot)` with Vdot at the parent's origin, where U was left; then
    `Vdot_i = shift(Vdot_parent) + eta + S qdd`.
    """
    row = tree[i]
    work = body_work[i]
    r = vec3.load(work.r, 0)
    P_w = ZERO3
    P_v = (-gravity[0], -gravity[1], -gravity[2])
    if row.parent >= 0:
        P_w, P_v = vec3.load(body_work[row.parent].A, 0), vec3.load(body_work[row.parent].A, 3)
    A_w, A_v = inertia.shift_motion(P_w, P_v, r)
    A_w, A_v = vec3.add(A_w, vec3.load(work.eta, 0)), vec3.add(A_v, vec3.load(work.eta, 3))
    some_given = False
    if row.nv == 1 and prescribed.shape[0] == 0:
        # As below; what follows the last coordinate is not needed.
        dof = dof_work[row.v0]
        load = vec3.dot(vec3.load(dof.U, 0), P_w) + vec3.dot(vec3.load(dof.U, 3), P_v)
        vdot_d = dof.Psi * (dof.y - load)
        vdot_out[row.v0] = vdot_d
        if dofs[row.v0].turns == 1:
            A_w = vec3.add_scaled(A_w, vdot_d, vec3.load(dof.a, 0))
        else:
            A_v = vec3.add_scaled(A_v, vdot_d, vec3.load(dof.a, 0))
    else:
        for d in range(row.v0, row.v0 + row.nv):
            dof = dof_work[d]
            a = vec3.load(dof.a, 0)
            if prescribed.shape[0] > 0 and prescribed[d]:
                some_given = True
                vdot_d = vdot[d]
            else:
                load = vec3.dot(vec3.load(dof.U, 0), P_w) + vec3.dot(vec3.load(dof.U, 3), P_v)
                vdot_d = dof.Psi * (dof.y - load)
            vdot_out[d] = vdot_d
            if dofs[d].turns == 1:
                P_w, P_v = vec3.add_scaled(P_w, vdot_d, a), vec3.add_scaled(P_v, vdot_d, vec3.cross(r, a))
                A_w = vec3.add_scaled(A_w, vdot_d, a)
            else:
                P_v = vec3.add_scaled(P_v, vdot_d, a)
                A_v = vec3.add_scaled(A_v, vdot_d, a)
    vec3.store(work.A, 0, A_w)
    vec3.store(work.A, 3, A_v)
    if some_given:
        actuate(tree, dofs, i, prescribed, A_w, A_v, vdot_out, body_work, dof_work, tau_out)


@kernel(inline=True)
def actuate(tree, dofs, i, prescribed, A_w, A_v, vdot, body_work, dof_work, tau_out):
    """Efforts of the prescribed coordinates of body i: `tau = Sᵀ F`, `F = Jh Vdot + B`, less the passive part."""
    row = tree[i]
    work = body_work[i]
    I, H, M = inertia.load(work.Jh)
    m, f = inertia.apply(I, H, M, A_w, A_v)
    m, f = vec3.add(m, vec3.load(work.B, 0)), vec3.add(f, vec3.load(work.B, 3))
    for d in range(row.v0, row.v0 + row.nv):
        dof = dof_work[d]
        if prescribed[d]:
            through = vec3.dot(vec3.load(dof.a, 0), m if dofs[d].turns == 1 else f)
            # dof.tau holds only springs and dampers here: the actuator gives the rest.
            tau_out[d] = through + dof.arm * vdot[d] - dof.tau


@kernel(inline=True)
def solve(tree, dofs, gravity, prescribed, vdot, external, body_work, dof_work, vdot_out, tau_out):
    """In (articulated inertias) and out again (accelerations), once motions and efforts are in the work tables."""
    n = tree.shape[0]
    for i in range(n - 1, -1, -1):
        I, H, M, m, f = bear(tree, i, external, body_work)
        if prescribed.shape[0] > 0:
            inertia.store(body_work[i].Jh, I, H, M)
            vec3.store(body_work[i].B, 0, m)
            vec3.store(body_work[i].B, 3, f)
        eliminate(tree, dofs, i, prescribed, vdot, I, H, M, m, f, body_work, dof_work)
    for i in range(n):
        accelerate(tree, dofs, i, gravity, prescribed, vdot, body_work, dof_work, vdot_out, tau_out)


@kernel
def hybrid(tree, dofs, rest, gravity, q, v, prescribed, vdot, tau, external, body_work, dof_work, vdot_out, tau_out):
    """Accelerations where efforts are given, efforts where accelerations are prescribed.

    Three loops: out (kinematics), in (articulated inertias), out (accelerations). An empty `prescribed` means that no
    coordinate is, an empty `external` that no body is pushed.
    """
    for i in range(tree.shape[0]):
        R, r = place(tree, i, q, body_work)
        move(tree, dofs, i, q, v, R, r, body_work, dof_work)
        # vdot_out is free until the last loop fills it: the springs' stretch goes there meanwhile.
        resist_passively(tree, dofs, i, rest, q, v, dof_work, vdot_out)
        drive(tree, i, prescribed, tau, dof_work)
    solve(tree, dofs, gravity, prescribed, vdot, external, body_work, dof_work, vdot_out, tau_out)
