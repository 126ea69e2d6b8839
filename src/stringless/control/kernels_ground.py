"""The character counts on the ground: accelerations of all coordinates as `qdd = D x + qdd0`.

The true answer to commands comes from hybrid dynamics with all forces at work (`dynamics.kernels_commands`): x holds the
accelerations of the directed coordinates. It cannot move the centre of gravity, because contact forces are what they
are within a step (docs/theory/control.md, section 5.1). To push off, a character must count on the ground: then x also holds
virtual reactions at a few support points, and the passive root follows from the momentum of the whole, flesh taken as rigid.
"""

from __future__ import annotations

from stringless.control.kernels_linear import factor, solve_factored
from stringless.dynamics.kernels_mass_matrix import spread
from stringless.flesh.kernels_motion import row3
from stringless.jit import kernel
from stringless.kinematics.kernels import cross_force
from stringless.spatial import inertia, mat3, vec3


@kernel
def find_center_motion(tree, nodes, character, x, xdot, body_work, center_out):
    """Where the character's centre of gravity is and how it moves, flesh included."""
    root, mass = character.root, character.mass
    first, P = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(character.members.shape[0]):
        row = tree[character.members[k]]
        work = body_work[character.members[k]]
        h = mat3.transform(mat3.load(work.R, 0), vec3.load(row.h, 0))
        first = vec3.add(first, vec3.add_scaled(h, row.mass, vec3.load(work.p, 0)))
        P = vec3.add(P, vec3.add_scaled(vec3.cross(vec3.load(work.V, 0), h), row.mass, vec3.load(work.V, 3)))
    for j in range(nodes.shape[0]):
        node = nodes[j]
        if node.fixed == 0 and node.bone >= 0 and tree[node.bone].root == root:
            first = vec3.add_scaled(first, node.mass, row3(x, j))
            P = vec3.add_scaled(P, node.mass, row3(xdot, j))
    vec3.store(center_out, 0, vec3.scale(1.0 / mass, first))
    vec3.store(center_out, 3, vec3.scale(1.0 / mass, P))


@kernel
def find_inertias(tree, nodes, character, x, body_work, inertia_out):
    """Inertia, first moment and mass of each member with the free flesh that hangs on it: 6 + 3 + 1 numbers.

    About the body's origin along world axes.
    """
    for k in range(character.members.shape[0]):
        i = character.members[k]
        row = tree[i]
        R = mat3.load(body_work[i].R, 0)
        mat3.store_symmetric(inertia_out[i], 0, mat3.rotate_symmetric(R, mat3.load_symmetric(row.I_o, 0)))
        vec3.store(inertia_out[i], 6, mat3.transform(R, vec3.load(row.h, 0)))
        inertia_out[i, 9] = row.mass
    for j in range(nodes.shape[0]):
        node = nodes[j]
        if node.fixed == 0 and node.bone >= 0 and tree[node.bone].root == character.root:
            arm = vec3.subtract(row3(x, j), vec3.load(body_work[node.bone].p, 0))
            I = spread(arm, vec3.scale(0.5 * node.mass, arm))
            into = inertia_out[node.bone]
            for c in range(6):
                into[c] += I[c]
            vec3.add_to(into, 6, vec3.scale(node.mass, arm))
            into[9] += node.mass


@kernel
def find_whole_load(character, A_bias, body_work, ground_work):
    """Force and moment about the root's origin that the whole needs with no joint accelerating: gravity included."""
    whole = ground_work.inertia
    p_root = vec3.load(body_work[character.root].p, 0)
    force, moment = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(character.members.shape[0]):
        i = character.members[k]
        I, h = mat3.load_symmetric(whole[i], 0), vec3.load(whole[i], 6)
        V_w, V_v = vec3.load(body_work[i].V, 0), vec3.load(body_work[i].V, 3)
        l, p = inertia.momentum(I, h, whole[i, 9], V_w, V_v)
        m, f = cross_force(V_w, V_v, l, p)
        a_m, a_f = inertia.momentum(I, h, whole[i, 9], vec3.load(A_bias[i], 0), vec3.load(A_bias[i], 3))
        f = vec3.add(f, a_f)
        force = vec3.add(force, f)
        arm = vec3.subtract(vec3.load(body_work[i].p, 0), p_root)
        moment = vec3.add(moment, vec3.add(vec3.add(m, a_m), vec3.cross(arm, f)))
    vec3.store(ground_work.load, 0, force)
    vec3.store(ground_work.load, 3, moment)


@kernel
def find_momentum_columns(skeleton, character, body_work, dof_work, ground_work):
    """Momentum of the whole, and its moment about the root's origin, per unit speed of each coordinate.

    The inertias become the sums over each body and all it carries.
    """
    whole, P, L = ground_work.inertia, ground_work.P, ground_work.L
    p_root = vec3.load(body_work[character.root].p, 0)
    for k in range(character.members.shape[0] - 1, -1, -1):
        i = character.members[k]
        row = skeleton.tree[i]
        I, h = mat3.load_symmetric(whole[i], 0), vec3.load(whole[i], 6)
        mass = whole[i, 9]
        arm = vec3.subtract(vec3.load(body_work[i].p, 0), p_root)
        for d in range(row.v0, row.v0 + row.nv):
            a = vec3.load(dof_work[d].a, 0)
            turn, slide = (a, (0.0, 0.0, 0.0)) if skeleton.dofs[d].rotational == 1 else ((0.0, 0.0, 0.0), a)
            m, f = inertia.momentum(I, h, mass, turn, slide)
            m = vec3.add(m, vec3.cross(arm, f))
            for c in range(3):
                P[c, d], L[c, d] = f[c], m[c]
        if row.parent >= 0:
            into = whole[row.parent]
            r = vec3.load(body_work[i].r, 0)
            shifted = mat3.add_symmetric(I, spread(r, vec3.add_scaled(h, 0.5 * mass, r)))
            for c in range(6):
                into[c] += shifted[c]
            vec3.add_to(into, 6, vec3.add_scaled(h, mass, r))
            into[9] += mass


@kernel(inline=True)
def effort_on_root(dofs, d, force, moment, dof_work):
    """Effort on coordinate d of the root joint of a force and its moment about the root's origin."""
    a = vec3.load(dof_work[d].a, 0)
    return vec3.dot(a, moment if dofs[d].rotational == 1 else force)


@kernel(inline=True)
def column3(table, c):
    """Three numbers of column c."""
    return table[0, c], table[1, c], table[2, c]


@kernel
def find_ground_response(skeleton, character, vdot, points, body_work, dof_work, ground_work):
    """The answer with virtual reactions at support points: `M_r qdd + h_r = J_rᵀ f` gives the root's coordinates.

    Columns are the directed coordinates, then three components per support point (normal, two along the ground).
    """
    tree, dofs, columns, root = skeleton.tree, skeleton.dofs, character.columns, character.root
    D, qdd0, P, L = ground_work.D, ground_work.qdd0, ground_work.P, ground_work.L
    M, right = ground_work.M, ground_work.right
    first = tree[root].v0
    count = tree[root].nv if character.passive else 0
    n = columns.shape[0]
    for d in range(dofs.shape[0]):
        qdd0[d] = vdot[d]
        for c in range(n + 3 * points.shape[0]):
            D[d, c] = 0.0
    for c in range(n):
        D[columns[c], c] = 1.0
        qdd0[columns[c]] = 0.0
    if count == 0:
        return
    for i in range(count):
        d = first + i
        for j in range(count):
            M[i, j] = effort_on_root(dofs, d, column3(P, first + j), column3(L, first + j), dof_work)
        right[i] = -effort_on_root(dofs, d, vec3.load(ground_work.load, 0), vec3.load(ground_work.load, 3), dof_work)
        qdd0[d] = 0.0
    for e in range(dofs.shape[0]):
        if tree[dofs[e].body].root == root and qdd0[e] != 0.0:
            for i in range(count):
                right[i] -= qdd0[e] * effort_on_root(dofs, first + i, column3(P, e), column3(L, e), dof_work)
    factor(count, M)
    solve_factored(count, M, right)
    for i in range(count):
        qdd0[first + i] = right[i]
    for c in range(n):
        e = columns[c]
        for i in range(count):
            right[i] = -effort_on_root(dofs, first + i, column3(P, e), column3(L, e), dof_work)
        solve_factored(count, M, right)
        for i in range(count):
            D[first + i, c] = right[i]
    p_root = vec3.load(body_work[root].p, 0)
    for k in range(points.shape[0]):
        arm = vec3.subtract(vec3.load(points[k], 0), p_root)
        for s in range(3):
            f = vec3.load(points[k], 3 + 3 * s)
            for i in range(count):
                right[i] = effort_on_root(dofs, first + i, f, vec3.cross(arm, f), dof_work)
            solve_factored(count, M, right)
            for i in range(count):
                D[first + i, n + 3 * k + s] = right[i]
