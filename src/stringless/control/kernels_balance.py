"""Keep the momentum of a character to rounding.

A step of finite length turns inner forces into a little momentum of the whole (first order in its length). After each
step, momentum, its moment and the centre of gravity are compared with what gravity and contact alone make of them, and
the difference is given to the root as a rigid motion. It is never part of an acceleration, and its size is reported.
"""

from __future__ import annotations

import math

from stringless.control.kernels_characters import find_character
from stringless.control.kernels_linear import factor, solve_factored
from stringless.dynamics.kernels_mass_matrix import spread
from stringless.flesh.kernels_motion import add_row3, row3
from stringless.jit import kernel
from stringless.kinematics.kernels import find_pose, move
from stringless.spatial import inertia, mat3, vec3


@kernel
def measure_momentum(skeleton, nodes, character, state, body_work, dof_work, momentum_out):
    """Centre of gravity, momentum, its moment about that centre, and the inertia there: 3 + 3 + 3 + 6 numbers."""
    tree, root, mass = skeleton.tree, character.root, character.mass
    first, P, L = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    J = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for k in range(character.members.shape[0]):
        i = character.members[k]
        R, r = find_pose(tree, i, state.q, body_work)
        w, u = move(tree, skeleton.dofs, i, state.q, state.v, R, r, body_work, dof_work)
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
            p = vec3.subtract(row3(state.x, j), origin)
            f = vec3.scale(node.mass, row3(state.xdot, j))
            P = vec3.add(P, f)
            L = vec3.add(L, vec3.cross(p, f))
            J = mat3.add_symmetric(J, spread(p, vec3.scale(0.5 * node.mass, p)))
            first = vec3.add_scaled(first, node.mass, p)
    c = vec3.scale(1.0 / mass, first)
    L = vec3.subtract(L, vec3.cross(c, P))
    back = spread(c, vec3.scale(0.5 * mass, c))
    vec3.store(momentum_out, 0, vec3.add(c, origin))
    vec3.store(momentum_out, 3, P)
    vec3.store(momentum_out, 6, L)
    for k in range(6):
        momentum_out[9 + k] = J[k] - back[k]


@kernel
def sum_loads(skeleton, nodes, character, center, wrench, f, x, body_work, load_out):
    """Force on the whole and its moment about the centre of gravity: forces between its parts cancel in the sum."""
    force, moment = vec3.scale(character.mass, vec3.load(skeleton.gravity, 0)), (0.0, 0.0, 0.0)
    c = vec3.load(center, 0)
    for k in range(character.members.shape[0]):
        i = character.members[k]
        R = mat3.load(body_work[i].R, 0)
        m = mat3.transform(R, row3(wrench, i))
        g = mat3.transform(R, vec3.load(wrench[i], 3))
        force = vec3.add(force, g)
        moment = vec3.add(moment, vec3.add(m, vec3.cross(vec3.subtract(vec3.load(body_work[i].p, 0), c), g)))
    for j in range(nodes.shape[0]):
        node = nodes[j]
        if node.fixed == 0 and node.bone >= 0 and skeleton.tree[node.bone].root == character.root:
            g = row3(f, j)
            force = vec3.add(force, g)
            moment = vec3.add(moment, vec3.cross(vec3.subtract(row3(x, j), c), g))
    vec3.store(load_out, 0, force)
    vec3.store(load_out, 3, moment)


@kernel(inline=True)
def note_momentum(k, model, state, tasks, work, director_work):
    """Note character k's momentum before a step, and the forces that act on it from outside."""
    character = find_character(k, tasks)
    if character.correct:
        skeleton, nodes, notes = model.skeleton, model.flesh.nodes, director_work.momentum
        measure_momentum(skeleton, nodes, character, state, notes.bodies, notes.dofs, notes.before[k])
        sum_loads(skeleton, nodes, character, notes.before[k], work.wrench, work.f, state.x, work.bodies, notes.load[k])


@kernel(inline=True)
def keep_momentum(k, model, tasks, h, director_work, state, result_out):
    """Give character k's root what the step has added to its momentum, negated."""
    character = find_character(k, tasks)
    if character.correct:
        skeleton, nodes, notes = model.skeleton, model.flesh.nodes, director_work.momentum
        measure_momentum(skeleton, nodes, character, state, notes.bodies, notes.dofs, notes.after)
        correct_root(k, skeleton, nodes, character, h, notes, state, result_out.report[k])


@kernel
def correct_root(k, skeleton, nodes, character, h, momentum_work, state, report_out):
    """Move character k as a rigid body so that its momentum becomes what the loads of the step have made of it.

    Wanted are `P + h F`, `L + h T` and the centre of gravity at the mean of both velocities, in the directions that the
    root joint leaves free.
    """
    before, load, after = momentum_work.before[k], momentum_work.load[k], momentum_work.after
    bodies, axes, M, right = momentum_work.bodies, momentum_work.dofs, momentum_work.M, momentum_work.right
    tree, dofs, root, mass = skeleton.tree, skeleton.dofs, character.root, character.mass
    P = vec3.add_scaled(vec3.load(before, 3), h, vec3.load(load, 0))
    L = vec3.add_scaled(vec3.load(before, 6), h, vec3.load(load, 3))
    mean = vec3.scale(0.5 / mass, vec3.add(vec3.load(before, 3), P))
    shift = vec3.subtract(vec3.add_scaled(vec3.load(before, 0), h, mean), vec3.load(after, 0))
    dv = vec3.scale(1.0 / mass, vec3.subtract(P, vec3.load(after, 3)))
    dL = vec3.subtract(L, vec3.load(after, 6))
    row = tree[root]
    # The inertia about the axes that the root can turn about: one for a planar root, three for a free one.
    dw = (0.0, 0.0, 0.0)
    moved, pushed = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    turns = 0
    for d in range(row.v0, row.v0 + row.nv):
        a = vec3.load(axes[d].a, 0)
        if dofs[d].rotational == 1:
            b = mat3.transform_symmetric(mat3.load_symmetric(after, 9), a)
            e = 0
            for c in range(row.v0, row.v0 + row.nv):
                if dofs[c].rotational == 1:
                    M[turns, e] = vec3.dot(b, vec3.load(axes[c].a, 0))
                    e += 1
            right[turns] = vec3.dot(a, dL)
            turns += 1
        else:
            moved = vec3.add_scaled(moved, vec3.dot(a, shift), a)
            pushed = vec3.add_scaled(pushed, vec3.dot(a, dv), a)
    factor(turns, M)
    solve_factored(turns, M, right)
    e = 0
    for d in range(row.v0, row.v0 + row.nv):
        if dofs[d].rotational == 1:
            dw = vec3.add_scaled(dw, right[e], vec3.load(axes[d].a, 0))
            e += 1
    c = vec3.load(after, 0)
    arm = vec3.subtract(vec3.load(bodies[root].p, 0), c)
    at_root = vec3.add(pushed, vec3.cross(dw, arm))
    for d in range(row.v0, row.v0 + row.nv):
        state.v[d] += vec3.dot(vec3.load(axes[d].a, 0), dw if dofs[d].rotational == 1 else at_root)
    step = mat3.transform_back(mat3.load(row.R, 0), moved) if row.turned == 1 else moved
    # Free and planar joints both begin with their position.
    for j in range(3 if row.nv == 6 else 2):
        state.q[row.q0 + j] += step[j]
    for j in range(nodes.shape[0]):
        node = nodes[j]
        if node.bone >= 0 and tree[node.bone].root == root:
            rigid = vec3.add(pushed, vec3.cross(dw, vec3.subtract(row3(state.x, j), c)))
            add_row3(j, rigid, state.xdot)
            add_row3(j, moved, state.x)
    report_out.correction = math.sqrt(vec3.dot(pushed, pushed)) / h
    report_out.largest_correction = max(report_out.correction, report_out.largest_correction)
