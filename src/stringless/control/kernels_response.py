"""What the command does: accelerations of all coordinates as `qdd = D x + qdd0`.

Two answers. The true one comes from hybrid dynamics with all forces at work (Kim & Pollard 2008, Table 6): x holds the
accelerations of the directed coordinates. It cannot move the centre of gravity, because contact forces are what they
are within a step (docs/theory/control.md, section 5.1). To push off, a character must count on the ground: then x also holds
virtual reactions at a few footholds, and the passive root follows from the momentum of the whole, flesh taken as rigid.
"""

from __future__ import annotations

from stringless.control.kernels_linear import factor, solve_factored
from stringless.dynamics.kernels_commands import set6, sweep_in, sweep_out
from stringless.dynamics.kernels_mass_matrix import spread
from stringless.flesh.kernels_motion import row3
from stringless.jit import kernel
from stringless.kinematics.kernels import cross_force
from stringless.spatial import inertia, mat3, vec3


@kernel
def biases(tree, members, gravity, body_work, A_out):
    """Accelerations of all members with no joint accelerating, offset by -g as in the recursion."""
    for k in range(members.shape[0]):
        i = members[k]
        row = tree[i]
        work = body_work[i]
        A_w = (0.0, 0.0, 0.0)
        A_v = (-gravity[0], -gravity[1], -gravity[2])
        if row.parent >= 0:
            P_w = (A_out[row.parent, 0], A_out[row.parent, 1], A_out[row.parent, 2])
            P_v = (A_out[row.parent, 3], A_out[row.parent, 4], A_out[row.parent, 5])
            A_w, A_v = inertia.shift_motion(P_w, P_v, vec3.load(work.r, 0))
        A_w, A_v = vec3.add(A_w, vec3.load(work.eta, 0)), vec3.add(A_v, vec3.load(work.eta, 3))
        for c in range(3):
            A_out[i, c], A_out[i, c + 3] = A_w[c], A_v[c]


@kernel
def respond(tree, dofs, members, columns, prescribed, body_work, dof_work, force_work, A_work, vdot_out, tau_out):
    """The true answer: one column of accelerations and efforts for each directed coordinate."""
    for c in range(columns.shape[0]):
        for k in range(members.shape[0]):
            set6(members[k], c, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), force_work)
        for k in range(members.shape[0] - 1, -1, -1):
            sweep_in(tree, dofs, members[k], c, columns[c], prescribed, body_work, dof_work, force_work, vdot_out)
        for k in range(members.shape[0]):
            sweep_out(
                tree, dofs, members[k], c, columns[c], prescribed, body_work, dof_work, force_work, vdot_out, tau_out,
                A_work,
            )  # fmt: skip


@kernel
def weigh_whole(tree, members, nodes, root, x, body_work, whole_out):
    """Inertia, first moment and mass of each member with the free flesh that hangs on it: 6 + 3 + 1 numbers.

    About the body's origin along world axes.
    """
    for k in range(members.shape[0]):
        i = members[k]
        row = tree[i]
        R = mat3.load(body_work[i].R, 0)
        mat3.store_symmetric(whole_out[i], 0, mat3.rotate_symmetric(R, mat3.load_symmetric(row.I_o, 0)))
        vec3.store(whole_out[i], 6, mat3.transform(R, vec3.load(row.h, 0)))
        whole_out[i, 9] = row.mass
    for j in range(nodes.shape[0]):
        node = nodes[j]
        if node.fixed == 0 and node.bone >= 0 and tree[node.bone].root == root:
            arm = vec3.subtract(row3(x, j), vec3.load(body_work[node.bone].p, 0))
            I = spread(arm, vec3.scale(0.5 * node.mass, arm))
            into = whole_out[node.bone]
            for c in range(6):
                into[c] += I[c]
            vec3.add_to(into, 6, vec3.scale(node.mass, arm))
            into[9] += node.mass


@kernel
def push_columns(tree, dofs, members, root, body_work, dof_work, whole_work, P_out, L_out):
    """Momentum of the whole, and its moment about the root's origin, per unit speed of each coordinate.

    `whole_work` becomes the sums over each body and all it carries.
    """
    p_root = vec3.load(body_work[root].p, 0)
    for k in range(members.shape[0] - 1, -1, -1):
        i = members[k]
        row = tree[i]
        I, h = mat3.load_symmetric(whole_work[i], 0), vec3.load(whole_work[i], 6)
        mass = whole_work[i, 9]
        arm = vec3.subtract(vec3.load(body_work[i].p, 0), p_root)
        for d in range(row.v0, row.v0 + row.nv):
            a = vec3.load(dof_work[d].a, 0)
            turn, slide = (a, (0.0, 0.0, 0.0)) if dofs[d].turns == 1 else ((0.0, 0.0, 0.0), a)
            m, f = inertia.momentum(I, h, mass, turn, slide)
            m = vec3.add(m, vec3.cross(arm, f))
            for c in range(3):
                P_out[c, d], L_out[c, d] = f[c], m[c]
        if row.parent >= 0:
            into = whole_work[row.parent]
            r = vec3.load(body_work[i].r, 0)
            shifted = mat3.add_symmetric(I, spread(r, vec3.add_scaled(h, 0.5 * mass, r)))
            for c in range(6):
                into[c] += shifted[c]
            vec3.add_to(into, 6, vec3.add_scaled(h, mass, r))
            into[9] += mass


@kernel
def whole_bias(members, root, A_bias, whole, body_work, sums_out):
    """Force and moment about the root's origin that the whole needs with no joint accelerating: gravity included."""
    p_root = vec3.load(body_work[root].p, 0)
    force, moment = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(members.shape[0]):
        i = members[k]
        I, h = mat3.load_symmetric(whole[i], 0), vec3.load(whole[i], 6)
        V_w, V_v = vec3.load(body_work[i].V, 0), vec3.load(body_work[i].V, 3)
        l, p = inertia.momentum(I, h, whole[i, 9], V_w, V_v)
        m, f = cross_force(V_w, V_v, l, p)
        A_w, A_v = (A_bias[i, 0], A_bias[i, 1], A_bias[i, 2]), (A_bias[i, 3], A_bias[i, 4], A_bias[i, 5])
        a_m, a_f = inertia.momentum(I, h, whole[i, 9], A_w, A_v)
        f = vec3.add(f, a_f)
        force = vec3.add(force, f)
        arm = vec3.subtract(vec3.load(body_work[i].p, 0), p_root)
        moment = vec3.add(moment, vec3.add(vec3.add(m, a_m), vec3.cross(arm, f)))
    vec3.store(sums_out, 0, force)
    vec3.store(sums_out, 3, moment)


@kernel(inline=True)
def on_root(dofs, d, force, moment, dof_work):
    """Effort on coordinate d of the root joint of a force and its moment about the root's origin."""
    a = vec3.load(dof_work[d].a, 0)
    return vec3.dot(a, moment if dofs[d].turns == 1 else force)


@kernel
def count_on_ground(
    tree, dofs, root, passive, columns, footholds, vdot, P, L, sums, body_work, dof_work, work, vector_work, D_out,
    qdd0_out,
):  # fmt: skip
    """The answer with virtual reactions at footholds: `M_r qdd + h_r = J_rᵀ f` gives the root's coordinates.

    Columns are the directed coordinates, then three components per foothold (normal, two along the ground) of
    `footholds`: position, normal and two tangents, 12 numbers each.
    """
    first = tree[root].v0
    count = tree[root].nv if passive == 1 else 0
    n = columns.shape[0]
    for d in range(dofs.shape[0]):
        qdd0_out[d] = vdot[d]
        for c in range(n + 3 * footholds.shape[0]):
            D_out[d, c] = 0.0
    for c in range(n):
        D_out[columns[c], c] = 1.0
        qdd0_out[columns[c]] = 0.0
    if count == 0:
        return
    M, right = work[0], vector_work[0]
    for i in range(count):
        d = first + i
        for j in range(count):
            M[i, j] = on_root(dofs, d, (P[0, first + j], P[1, first + j], P[2, first + j]),
                              (L[0, first + j], L[1, first + j], L[2, first + j]), dof_work)  # fmt: skip
        right[i] = -on_root(dofs, d, vec3.load(sums, 0), vec3.load(sums, 3), dof_work)
        qdd0_out[d] = 0.0
    for e in range(dofs.shape[0]):
        if tree[dofs[e].body].root == root and qdd0_out[e] != 0.0:
            for i in range(count):
                right[i] -= qdd0_out[e] * on_root(
                    dofs, first + i, (P[0, e], P[1, e], P[2, e]), (L[0, e], L[1, e], L[2, e]), dof_work
                )
    factor(count, M)
    solve_factored(count, M, right)
    for i in range(count):
        qdd0_out[first + i] = right[i]
    for c in range(n):
        e = columns[c]
        for i in range(count):
            right[i] = -on_root(dofs, first + i, (P[0, e], P[1, e], P[2, e]), (L[0, e], L[1, e], L[2, e]), dof_work)
        solve_factored(count, M, right)
        for i in range(count):
            D_out[first + i, c] = right[i]
    p_root = vec3.load(body_work[root].p, 0)
    for k in range(footholds.shape[0]):
        arm = vec3.subtract(vec3.load(footholds[k], 0), p_root)
        for s in range(3):
            f = vec3.load(footholds[k], 3 + 3 * s)
            for i in range(count):
                right[i] = on_root(dofs, first + i, f, vec3.cross(arm, f), dof_work)
            solve_factored(count, M, right)
            for i in range(count):
                D_out[first + i, n + 3 * k + s] = right[i]
