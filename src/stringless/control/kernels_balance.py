"""Keep the momentum of a character to rounding.

A step of finite length turns inner forces into a little momentum of the whole (first order in its length). After each
step, momentum, its moment and the centre of gravity are compared with what gravity and contact alone make of them, and
the difference is given to the root as a rigid motion. It is never part of an acceleration, and its size is reported.
"""

from __future__ import annotations

import math

from stringless.control.kernels_linear import factor, solve_factored
from stringless.dynamics.kernels_mass_matrix import spread
from stringless.flesh.kernels_motion import add_row3, row3
from stringless.jit import kernel
from stringless.kinematics.kernels import move, place
from stringless.spatial import inertia, mat3, vec3


@kernel
def account(tree, dofs, members, nodes, root, mass, q, v, x, xdot, body_work, dof_work, account_out):
    """Centre of gravity, momentum, its moment about that centre, and the inertia there: 3 + 3 + 3 + 6 numbers."""
    first, P, L = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    J = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for k in range(members.shape[0]):
        i = members[k]
        R, r = place(tree, i, q, body_work)
        w, u = move(tree, dofs, i, q, v, R, r, body_work, dof_work)
        row = tree[i]
        I = mat3.rotate_symmetric(R, mat3.load_symmetric(row.I_o, 0))
        h = mat3.transform(R, vec3.load(row.h, 0))
        p = vec3.subtract(vec3.load(body_work[i].p, 0), vec3.load(body_work[root].p, 0))
        l, f = inertia.momentum(I, h, row.mass, w, u)
        P = vec3.add(P, f)
        L = vec3.add(L, vec3.add(l, vec3.cross(p, f)))
        J = mat3.add_symmetric(J, mat3.add_symmetric(I, spread(p, vec3.add_scaled(h, 0.5 * row.mass, p))))
        first = vec3.add(first, vec3.add_scaled(h, row.mass, p))
    origin = vec3.load(body_work[root].p, 0)
    for j in range(nodes.shape[0]):
        node = nodes[j]
        if node.fixed == 0 and node.bone >= 0 and tree[node.bone].root == root:
            p = vec3.subtract(row3(x, j), origin)
            f = vec3.scale(node.mass, row3(xdot, j))
            P = vec3.add(P, f)
            L = vec3.add(L, vec3.cross(p, f))
            J = mat3.add_symmetric(J, spread(p, vec3.scale(0.5 * node.mass, p)))
            first = vec3.add_scaled(first, node.mass, p)
    c = vec3.scale(1.0 / mass, first)
    L = vec3.subtract(L, vec3.cross(c, P))
    back = spread(c, vec3.scale(0.5 * mass, c))
    vec3.store(account_out, 0, vec3.add(c, origin))
    vec3.store(account_out, 3, P)
    vec3.store(account_out, 6, L)
    for k in range(6):
        account_out[9 + k] = J[k] - back[k]


@kernel
def loads(tree, members, nodes, root, gravity, mass, center, wrench, f, x, body_work, loads_out):
    """Force on the whole and its moment about the centre of gravity: forces between its parts cancel in the sum."""
    force, moment = vec3.scale(mass, (gravity[0], gravity[1], gravity[2])), (0.0, 0.0, 0.0)
    c = vec3.load(center, 0)
    for k in range(members.shape[0]):
        i = members[k]
        R = mat3.load(body_work[i].R, 0)
        m = mat3.transform(R, row3(wrench, i))
        g = mat3.transform(R, (wrench[i, 3], wrench[i, 4], wrench[i, 5]))
        force = vec3.add(force, g)
        moment = vec3.add(moment, vec3.add(m, vec3.cross(vec3.subtract(vec3.load(body_work[i].p, 0), c), g)))
    for j in range(nodes.shape[0]):
        node = nodes[j]
        if node.fixed == 0 and node.bone >= 0 and tree[node.bone].root == root:
            g = row3(f, j)
            force = vec3.add(force, g)
            moment = vec3.add(moment, vec3.cross(vec3.subtract(row3(x, j), c), g))
    vec3.store(loads_out, 0, force)
    vec3.store(loads_out, 3, moment)


@kernel
def weigh_up(k, script, tree, dofs, nodes, gravity, wrench, f, q, v, x, xdot, body_work, stage_work):
    """Note character k's momentum before a step, and the forces that act on it from outside."""
    actor = script[0][k]
    if actor.correct == 1:
        members = script[1][actor.first_member : actor.last_member]
        notes = stage_work[-1][k]
        account(
            tree, dofs, members, nodes, actor.root, actor.mass, q, v, x, xdot, stage_work[0], stage_work[1], notes[0]
        )
        loads(tree, members, nodes, actor.root, gravity, actor.mass, notes[0], wrench, f, x, body_work, notes[1])


@kernel
def keep_momentum(k, script, tree, dofs, nodes, h, stage_work, report_out, x_out, xdot_out, q_out, v_out):
    """Give character k's root what the step has added to its momentum, negated.

    Wanted are `P + h F`, `L + h T` and the centre of gravity at the mean of both velocities, in the directions that the
    root joint leaves free.
    """
    actor = script[0][k]
    if actor.correct == 0:
        return
    members = script[1][actor.first_member : actor.last_member]
    body_work, dof_work, work, vector_work = stage_work[0], stage_work[1], stage_work[17], stage_work[18]
    before, loads, account_work = stage_work[-1][k, 0], stage_work[-1][k, 1], stage_work[-1][k, 2]
    root = actor.root
    mass = actor.mass
    account(tree, dofs, members, nodes, root, mass, q_out, v_out, x_out, xdot_out, body_work, dof_work, account_work)
    P = vec3.add_scaled(vec3.load(before, 3), h, vec3.load(loads, 0))
    L = vec3.add_scaled(vec3.load(before, 6), h, vec3.load(loads, 3))
    mean = vec3.scale(0.5 / mass, vec3.add(vec3.load(before, 3), P))
    shift = vec3.subtract(vec3.add_scaled(vec3.load(before, 0), h, mean), vec3.load(account_work, 0))
    dv = vec3.scale(1.0 / mass, vec3.subtract(P, vec3.load(account_work, 3)))
    dL = vec3.subtract(L, vec3.load(account_work, 6))
    row = tree[root]
    # The inertia about the axes that the root can turn about: one for a planar root, three for a free one.
    dw = (0.0, 0.0, 0.0)
    moved, pushed = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    turns = 0
    for d in range(row.v0, row.v0 + row.nv):
        a = vec3.load(dof_work[d].a, 0)
        if dofs[d].turns == 1:
            b = mat3.transform_symmetric(mat3.load_symmetric(account_work, 9), a)
            e = 0
            for c in range(row.v0, row.v0 + row.nv):
                if dofs[c].turns == 1:
                    work[0, turns, e] = vec3.dot(b, vec3.load(dof_work[c].a, 0))
                    e += 1
            vector_work[0, turns] = vec3.dot(a, dL)
            turns += 1
        else:
            moved = vec3.add_scaled(moved, vec3.dot(a, shift), a)
            pushed = vec3.add_scaled(pushed, vec3.dot(a, dv), a)
    factor(turns, work[0])
    solve_factored(turns, work[0], vector_work[0])
    e = 0
    for d in range(row.v0, row.v0 + row.nv):
        if dofs[d].turns == 1:
            dw = vec3.add_scaled(dw, vector_work[0, e], vec3.load(dof_work[d].a, 0))
            e += 1
    c = vec3.load(account_work, 0)
    arm = vec3.subtract(vec3.load(body_work[root].p, 0), c)
    at_root = vec3.add(pushed, vec3.cross(dw, arm))
    for d in range(row.v0, row.v0 + row.nv):
        v_out[d] += vec3.dot(vec3.load(dof_work[d].a, 0), dw if dofs[d].turns == 1 else at_root)
    step = mat3.transform_back(mat3.load(row.R, 0), moved) if row.turned == 1 else moved
    # Free and planar joints both begin with their position.
    for j in range(3 if row.nv == 6 else 2):
        q_out[row.q0 + j] += step[j]
    for j in range(nodes.shape[0]):
        node = nodes[j]
        if node.bone >= 0 and tree[node.bone].root == root:
            rigid = vec3.add(pushed, vec3.cross(dw, vec3.subtract(row3(x_out, j), c)))
            add_row3(j, rigid, xdot_out)
            add_row3(j, moved, x_out)
    report_out.correction = math.sqrt(vec3.dot(pushed, pushed)) / h
    report_out.largest_correction = max(report_out.correction, report_out.largest_correction)
