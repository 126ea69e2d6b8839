"""Bones in long implicit steps, flesh in short explicit ones (the setting of Hernández et al. 2011, section 5).

The flesh walks through a step in short parts, and the bones answer in every part: wrenches `W(t)` other than those they were
solved for, `W_s`, add the accelerations that the solved system has for them, `R (W(t) - W_s)`. R is the response of the
whole tree with its stiff springs, limits and contacts, and costs one sweep. So flesh that is pressed stops its bone in the
time that this really takes, however long the step.

A step has two such walks. The first begins with the bones' velocities at its beginning and with the wrenches there, and finds
the mean of W. With that the bones are solved for, as if it were a constant force, and step like bones without flesh,
`q+ = q + h v+`. In the second pass they begin with these velocities, and only what W differs from its mean moves them
otherwise: nothing, once all is at rest. Solved with the mean of the second pass they gain the momentum that the flesh has lost.
"""

from __future__ import annotations

import math

from stringless.contact.kernels_step import flesh_forces, into_body_axes
from stringless.contact.records import FLESH_DAMPING
from stringless.dynamics.kernels_joints import recouple
from stringless.dynamics.kernels_response import find_response
from stringless.engines.stiff.kernels_momentum import ENERGY, center
from stringless.engines.stiff.kernels_step import find_velocities, update_bodies
from stringless.engines.stiff.records import Solution
from stringless.flesh.kernels_dampers import damp_nodes
from stringless.flesh.kernels_motion import carry, clear, copy_rows, copy_table, fall, first_lost_node, row3, set_row3
from stringless.jit import kernel
from stringless.kinematics.kernels import find_pose, move, rotate_inertia
from stringless.model.joints import registry
from stringless.spatial import inertia, mat3, vec3

FREE = registry.FREE


@kernel(inline=True)
def find_bone_poses(skeleton, q, q_work, flesh_work):
    """Poses and velocities of the bones after they have gone the way s."""
    for i in range(skeleton.tree.shape[0]):
        registry.integrate(skeleton.tree[i], q, flesh_work.s, 1.0, q_work)
        R, r = find_pose(skeleton.tree, i, q_work, flesh_work.bodies)
        move(skeleton.tree, skeleton.dofs, i, q_work, flesh_work.u, R, r, flesh_work.bodies, flesh_work.dofs)


@kernel(inline=True)
def answer_flesh(skeleton, prescribed, rate, piece, work, flesh_work):
    """The bones' next velocities, and the way they go with them, under wrenches other than those they were solved for."""
    other, response = work.constraints.wrench, work.constraints.response
    for i in range(skeleton.tree.shape[0]):
        for k in range(6):
            other[i, k] = flesh_work.wrench[i, k] - flesh_work.solved[i, k]
    find_response(skeleton, prescribed, other, work.bodies, work.dofs, response)
    for i in range(skeleton.tree.shape[0]):
        recouple(skeleton.tree, i, work.bodies, work.dofs, response.dv)
    for d in range(skeleton.dofs.shape[0]):
        flesh_work.u[d] += piece * (rate[d] + response.dv[d])
        flesh_work.s[d] += piece * flesh_work.u[d]


@kernel(inline=True)
def move_flesh(model, state, inputs, settings, u_start, rate, work, flesh_work, result_out):
    """Move the nodes in explicit steps while the bones set out with `u_start`, gain `rate` evenly, and answer.

    Leaves the mean of the wrenches on the bones, the way s that they go and their velocities u at the end. Returns the node
    that diverged, or -1.
    """
    skeleton, nodes = model.skeleton, model.flesh.nodes
    parts, mean, elements, contact, f = settings.parts, flesh_work.mean, flesh_work.elements, work.contact, flesh_work.f
    piece, damping = settings.dt / parts, settings.gains[FLESH_DAMPING]
    clear(mean)
    for d in range(skeleton.dofs.shape[0]):
        flesh_work.s[d], flesh_work.u[d] = 0.0, u_start[d]
    for _ in range(parts):
        find_bone_poses(skeleton, state.q, work.q, flesh_work)
        flesh_forces(
            model, state, settings, piece, False, flesh_work.bodies, elements, contact, f, flesh_work.wrench, result_out
        )
        damp_nodes(nodes, state.x, state.xdot, damping, flesh_work.bodies, f, flesh_work.wrench)
        lost = first_lost_node(nodes, f, state.xdot, piece, settings.max_speed)
        if lost >= 0:
            return lost
        for i in range(skeleton.tree.shape[0]):
            for k in range(6):
                mean[i, k] += flesh_work.wrench[i, k] / parts
        answer_flesh(skeleton, inputs.prescribed, rate, piece, work, flesh_work)
        fall(nodes, skeleton.gravity, f, piece, piece, state.x, state.xdot)
    find_bone_poses(skeleton, state.q, work.q, flesh_work)
    return -1


@kernel(inline=True)
def solve_with_flesh(model, state, inputs, goals, settings, time, work, flesh_work, result_out):
    """Velocities of the bones at the end of a step, and nodes of the flesh that have walked through it with them."""
    skeleton, saved = model.skeleton, work.saved
    skin = model.flesh.vertices.shape[0]
    piece, elements, contact, f = settings.dt / settings.parts, flesh_work.elements, work.contact, flesh_work.f
    flesh_forces(model, state, settings, piece, False, work.bodies, elements, contact, f, flesh_work.solved, result_out)
    damping = settings.gains[FLESH_DAMPING]
    damp_nodes(model.flesh.nodes, state.x, state.xdot, damping, work.bodies, f, flesh_work.solved)
    found, lost = Solution(-1, -1, 0, 0, False), -1
    for walks in range(3):
        into_body_axes(inputs.external, flesh_work.solved, work.bodies, flesh_work.external)
        found = find_velocities(model, state, inputs, flesh_work.external, goals, settings, time, work, result_out)
        if found.coordinate >= 0 or walks == 2:
            break
        copy_rows(saved.anchors[:skin], state.anchors[:skin])
        copy_table(saved.x, state.x)
        copy_table(saved.xdot, state.xdot)
        start, rate = (state.v, state.vdot) if walks == 0 else (work.v, work.zero)
        lost = move_flesh(model, state, inputs, settings, start, rate, work, flesh_work, result_out)
        if lost >= 0:
            break
        copy_table(flesh_work.mean, flesh_work.solved)
        update_bodies(skeleton, state.q, state.v, work.bodies, work.dofs)
    return Solution(found.coordinate, lost, found.rows, found.contacts, found.is_open)


@kernel(inline=True)
def into_bone_axes(nodes, body_work, x_out):
    """Positions of free nodes as their bones see them."""
    for i in range(nodes.shape[0]):
        if nodes[i].fixed == 0 and nodes[i].bone >= 0:
            bone = body_work[nodes[i].bone]
            arm = vec3.subtract(row3(x_out, i), vec3.load(bone.p, 0))
            set_row3(i, mat3.transform_back(mat3.load(bone.R, 0), arm), x_out)


@kernel(inline=True)
def out_of_bone_axes(nodes, body_work, x_out):
    """Positions of free nodes in the world, from those that their bones see."""
    for i in range(nodes.shape[0]):
        if nodes[i].fixed == 0 and nodes[i].bone >= 0:
            bone = body_work[nodes[i].bone]
            arm = mat3.transform(mat3.load(bone.R, 0), row3(x_out, i))
            set_row3(i, vec3.add(vec3.load(bone.p, 0), arm), x_out)


@kernel(inline=True)
def detach_flesh(model, h, work, flesh_work, state):
    """Let nodes be carried by their bones, and take from velocities what they are ahead of their mean on the way."""
    skeleton, ahead, there = model.skeleton, flesh_work.u, flesh_work.bodies
    into_bone_axes(model.flesh.nodes, there, state.x)
    for d in range(skeleton.dofs.shape[0]):
        ahead[d] -= flesh_work.s[d] / h
        state.v[d] -= ahead[d]
    for i in range(skeleton.tree.shape[0]):
        R, r = find_pose(skeleton.tree, i, state.q, there)
        move(skeleton.tree, skeleton.dofs, i, state.q, ahead, R, r, there, flesh_work.dofs)
        for k in range(6):
            work.bodies[i].V[k] -= there[i].V[k]


@kernel(inline=True)
def attach_flesh(model, work, flesh_work, state):
    """Give back to momenta and velocities what they were ahead, and put nodes where their bones have gone.

    Velocities of free joints are given along their new axes.
    """
    tree, ahead, there = model.skeleton.tree, flesh_work.u, flesh_work.bodies
    for d in range(ahead.shape[0]):
        state.v[d] += ahead[d]
    for i in range(tree.shape[0]):
        row = tree[i]
        I, h = rotate_inertia(row, mat3.load(there[i].R, 0))
        c = center(tree[i], h)
        l, p = inertia.momentum(I, h, row.mass, vec3.load(there[i].V, 0), vec3.load(there[i].V, 3))
        L = vec3.subtract(l, vec3.cross(c, p))
        vec3.add_to(state.momenta[i], 0, L)
        vec3.add_to(state.momenta[i], 3, p)
        state.momenta[i, ENERGY] = math.inf  # flesh takes energy from bones and returns it
        if row.kind == FREE:
            R_old, R = mat3.load(there[i].R, 0), mat3.load(work.bodies[i].R, 0)
            w, v = vec3.load(ahead, row.v0), vec3.load(ahead, row.v0 + 3)
            arm = mat3.transform_back(R_old, c)
            moving = mat3.transform_back(R, mat3.transform(R_old, vec3.add(v, vec3.cross(w, arm))))
            turned = mat3.transform_back(R, mat3.transform(R_old, w))
            change = vec3.subtract(vec3.subtract(moving, vec3.cross(turned, arm)), v)
            vec3.add_to(state.v, row.v0 + 3, change)
    update_bodies(model.skeleton, state.q, state.v, work.bodies, work.dofs)
    out_of_bone_axes(model.flesh.nodes, work.bodies, state.x)
    carry(model.flesh.nodes, work.bodies, state.x, state.xdot)
