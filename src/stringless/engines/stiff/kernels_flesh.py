"""Bones in long implicit steps, flesh in short explicit ones (the setting of Hernández et al. 2011, section 5).

The flesh walks through a step in short parts, and the bones answer in every part: wrenches `W(t)` other than those they were
solved for, `W_s`, add the accelerations that the solved system has for them, `R (W(t) - W_s)`. R is the response of the
whole tree with its stiff springs, stops and contacts, and costs one sweep. So flesh that is pressed stops its bone in the
time that this really takes, however long the step.

A step has two such walks. The first begins with the bones' velocities at its beginning and with the wrenches there, and finds
the mean of W. With that the bones are solved for, as if it were a constant force, and step like bones without flesh,
`q+ = q + h v+`. In the second walk they begin with these velocities, and only what W differs from its mean moves them
otherwise: nothing, once all is at rest. Solved with the mean of the second walk they gain the momentum that the flesh has lost.
"""

from __future__ import annotations

import math

from stringless.contact.kernels_step import flesh_forces, into_body_axes
from stringless.dynamics.kernels_joints import recouple
from stringless.engines.stiff.kernels_momentum import ENERGY, center, keep_momenta, weights
from stringless.engines.stiff.kernels_response import respond
from stringless.engines.stiff.kernels_step import begin, find_velocities, first_diverged, follow, go_on, tell
from stringless.flesh.kernels_motion import carry, clear, copy_rows, copy_table, fall, first_lost_node, row3, set_row3
from stringless.jit import kernel
from stringless.kinematics.kernels import move, place
from stringless.model.joints import registry
from stringless.spatial import inertia, mat3, vec3

FREE = registry.FREE


@kernel(inline=True)
def stand(tree, dofs, q, s, u, body_work, dof_work, q_work):
    """Poses and velocities of the bones after they have gone the way s."""
    for i in range(tree.shape[0]):
        registry.integrate(tree[i], q, s, 1.0, q_work)
        R, r = place(tree, i, q_work, body_work)
        move(tree, dofs, i, q_work, u, R, r, body_work, dof_work)


@kernel(inline=True)
def answer(tree, dofs, prescribed, wrench, solved, rate, piece, body_work, dof_work, room_work, s_out, u_out):
    """The bones' next velocities, and the way they go with them, under wrenches other than those they were solved for."""
    other, load, y, A, dv = room_work.tied, room_work.load, room_work.y, room_work.A, room_work.dv
    for i in range(tree.shape[0]):
        for k in range(6):
            other[i, k] = wrench[i, k] - solved[i, k]
    respond(tree, dofs, prescribed, other, body_work, dof_work, load, y, A, dv)
    for i in range(tree.shape[0]):
        recouple(tree, i, body_work, dof_work, dv)
    for d in range(dofs.shape[0]):
        u_out[d] += piece * (rate[d] + dv[d])
        s_out[d] += piece * u_out[d]


@kernel
def walk(
    tree, dofs, gravity, flesh, touching, prescribed, q, u_start, rate, h, parts, max_speed, gains, full, body_work, dof_work,
    contact_work, q_work, room_work, flesh_work, path_work, anchors_out, x_out, xdot_out, touch_out, counts_out,
):  # fmt: skip
    """Move the nodes in `parts` explicit steps while the bones set out with `u_start`, gain `rate` evenly, and answer.

    Leaves the mean of the wrenches on the bones, the way s that they go and their velocities u at the end. Returns the node
    that ran away, or -1.
    """
    nodes = flesh[0]
    f, wrench, mean, solved, element_work = flesh_work
    there, axes, s, u = path_work
    piece = h / parts
    clear(mean)
    for d in range(dofs.shape[0]):
        s[d], u[d] = 0.0, u_start[d]
    for _ in range(parts):
        stand(tree, dofs, q, s, u, there, axes, q_work)
        flesh_forces(
            tree, flesh, touching, False, full, piece, gains, there, element_work, contact_work, anchors_out, x_out, xdot_out,
            f, wrench, touch_out, counts_out,
        )  # fmt: skip
        lost = first_lost_node(nodes, f, xdot_out, piece, max_speed)
        if lost >= 0:
            return lost
        for i in range(tree.shape[0]):
            for k in range(6):
                mean[i, k] += wrench[i, k] / parts
        answer(tree, dofs, prescribed, wrench, solved, rate, piece, body_work, dof_work, room_work, s, u)
        fall(nodes, gravity, f, piece, piece, x_out, xdot_out)
    stand(tree, dofs, q, s, u, there, axes, q_work)
    return -1


@kernel(inline=True)
def into_bones(nodes, body_work, x_out):
    """Places of free nodes as their bones see them."""
    for i in range(nodes.shape[0]):
        if nodes[i].fixed == 0 and nodes[i].bone >= 0:
            bone = body_work[nodes[i].bone]
            arm = vec3.subtract(row3(x_out, i), vec3.load(bone.p, 0))
            set_row3(i, mat3.transform_back(mat3.load(bone.R, 0), arm), x_out)


@kernel(inline=True)
def out_of_bones(nodes, body_work, x_out):
    """Places of free nodes in the world, from those that their bones see."""
    for i in range(nodes.shape[0]):
        if nodes[i].fixed == 0 and nodes[i].bone >= 0:
            bone = body_work[nodes[i].bone]
            arm = mat3.transform(mat3.load(bone.R, 0), row3(x_out, i))
            set_row3(i, vec3.add(vec3.load(bone.p, 0), arm), x_out)


@kernel(inline=True)
def hold_back(tree, dofs, h, q, s, lag_out, there_out, axes_out, body_out, v_out):
    """Take from the velocities at the end of the step what they are ahead of their mean on the way."""
    for d in range(dofs.shape[0]):
        lag_out[d] -= s[d] / h
        v_out[d] -= lag_out[d]
    for i in range(tree.shape[0]):
        R, r = place(tree, i, q, there_out)
        move(tree, dofs, i, q, lag_out, R, r, there_out, axes_out)
        for k in range(6):
            body_out[i].V[k] -= there_out[i].V[k]


@kernel(inline=True)
def catch_up(tree, dofs, lag, body_work, there_work, momenta_out, v_out):
    """Give back to momenta and velocities what they were ahead. Those of free joints are told along their new axes."""
    for d in range(dofs.shape[0]):
        v_out[d] += lag[d]
    for i in range(tree.shape[0]):
        row = tree[i]
        I, h = weights(tree, i, there_work)
        c = center(tree, i, h)
        l, p = inertia.momentum(I, h, row.mass, vec3.load(there_work[i].V, 0), vec3.load(there_work[i].V, 3))
        L = vec3.subtract(l, vec3.cross(c, p))
        for k in range(3):
            momenta_out[i, k] += L[k]
            momenta_out[i, k + 3] += p[k]
        momenta_out[i, ENERGY] = math.inf  # flesh takes energy from bones and returns it
        if row.kind == FREE:
            R_old, R = mat3.load(there_work[i].R, 0), mat3.load(body_work[i].R, 0)
            w, v = vec3.load(lag, row.v0), vec3.load(lag, row.v0 + 3)
            arm = mat3.transform_back(R_old, c)
            moving = mat3.transform_back(R, mat3.transform(R_old, vec3.add(v, vec3.cross(w, arm))))
            turned = mat3.transform_back(R, mat3.transform(R_old, w))
            change = vec3.subtract(vec3.subtract(moving, vec3.cross(turned, arm)), v)
            vec3.add_to(v_out, row.v0 + 3, change)


@kernel(inline=True)
def copy_state(anchors, q, v, momenta, x, xdot, anchors_out, q_out, v_out, momenta_out, x_out, xdot_out):
    """Put a state by, or take it back."""
    copy_rows(anchors, anchors_out)
    copy_rows(q, q_out)
    copy_rows(v, v_out)
    copy_table(momenta, momenta_out)
    copy_table(x, x_out)
    copy_table(xdot, xdot_out)


@kernel
def find_together(
    tree, dofs, limits, rest, gravity, loops, touching, prescribed, given, tau, external, script, sizes, flesh, parts, full, h,
    frequency, max_speed, gains, newton, time, momenta, q, v, old_anchors, old_x, body_work, dof_work, contact_work, q_work,
    room_work, flesh_work, path_work, external_work, felt_out, report_out, effort_out, vdot_out, anchors_out, x_out, xdot_out,
    v_out, touch_out, counts_out,
):  # fmt: skip
    """Velocities of the bones at the end of a step, and nodes of the flesh that have walked through it with them.

    Returns the coordinate and the node that ran away (-1 if none did), the rows that link bodies and the points that touch.
    """
    skin = flesh[3].shape[0]
    f, _, mean, solved, element_work = flesh_work
    flesh_forces(
        tree, flesh, touching, False, full, h / parts, gains, body_work, element_work, contact_work, anchors_out, x_out, xdot_out,
        f, solved, touch_out, counts_out,
    )  # fmt: skip
    bad, lost, rows, found = -1, -1, 0, 0
    for walks in range(3):
        into_body_axes(external, solved, body_work, external_work)
        rows, found = find_velocities(
            tree, dofs, limits, rest, gravity, loops, touching, prescribed, given, tau, external_work, script, sizes, h,
            frequency, gains, newton, time, momenta, q, v, body_work, dof_work, contact_work, q_work, room_work, None, felt_out,
            report_out, effort_out, vdot_out, anchors_out[skin:], v_out,
        )  # fmt: skip
        bad = first_diverged(dofs, v_out, max_speed)
        if bad >= 0 or walks == 2:
            break
        copy_rows(old_anchors[:skin], anchors_out[:skin])
        copy_table(old_x[0], x_out)
        copy_table(old_x[1], xdot_out)
        start, rate = (v, vdot_out) if walks == 0 else (v_out, room_work.nothing)
        lost = walk(
            tree, dofs, gravity, flesh, touching, prescribed, q, start, rate, h, parts, max_speed, gains, full, body_work,
            dof_work, contact_work, q_work, room_work, flesh_work, path_work, anchors_out, x_out, xdot_out, touch_out, counts_out,
        )  # fmt: skip
        if lost >= 0:
            break
        copy_table(mean, solved)
        begin(tree, dofs, q, v, body_work, dof_work)
    return bad, lost, rows, found


@kernel
def run_stiff_flesh(
    tree, dofs, limits, rest, gravity, loops, touching, prescribed, followed, targets, tau, external, script, sizes, flesh,
    parts, full, h, frequency, max_speed, gains, newton, is_start, steps, time, body_work, dof_work, contact_work,
    anchor_work, given_work, q_work, v_work, room_work, flesh_work, path_work, external_work, old_work, felt_out, report_out,
    effort_out, vdot_out, anchors_out, momenta_out, x_out, xdot_out, q_out, v_out, touch_out, counts_out,
):  # fmt: skip
    """Advance bones and flesh in place by `steps` implicit steps.

    Returns the steps done, the time reached, the coordinate and the node that ran away (-1 if none did): the state is then
    that of the last good step.
    """
    nodes, skin = flesh[0], flesh[3].shape[0]
    old_q, old_v, old_momenta, old_x = old_work
    there, axes, s, u = path_work
    for step in range(steps):
        copy_state(
            anchors_out,
            q_out,
            v_out,
            momenta_out,
            x_out,
            xdot_out,
            anchor_work,
            old_q,
            old_v,
            old_momenta,
            old_x[0],
            old_x[1],
        )
        begin(tree, dofs, q_out, v_out, body_work, dof_work)
        if is_start and step == 0:
            keep_momenta(tree, body_work, momenta_out)
        target = targets[step] if followed.shape[0] > 0 else old_q
        if followed.shape[0] > 0:
            follow(tree, followed, target, q_out, v_out, h, given_work)
        bad, lost, rows, found = find_together(
            tree, dofs, limits, rest, gravity, loops, touching, prescribed, given_work, tau, external, script, sizes, flesh,
            parts, full, h, frequency, max_speed, gains, newton, time, momenta_out, q_out, v_out, anchor_work, old_x, body_work,
            dof_work, contact_work, q_work, room_work, flesh_work, path_work, external_work, felt_out, report_out, effort_out,
            vdot_out, anchors_out, x_out, xdot_out, v_work, touch_out, counts_out,
        )  # fmt: skip
        if bad >= 0 or lost >= 0:
            copy_state(
                anchor_work, old_q, old_v, old_momenta, old_x[0], old_x[1], anchors_out, q_out, v_out, momenta_out, x_out,
                xdot_out,
            )  # fmt: skip
            return step, time, bad, lost
        into_bones(nodes, there, x_out)
        tell(
            tree, dofs, script, sizes, found, v_work, h, time, body_work, contact_work, room_work, felt_out, vdot_out,
            anchors_out[skin:], v_out, touch_out[skin:],
        )  # fmt: skip
        hold_back(tree, dofs, h, q_out, s, u, there, axes, body_work, v_out)
        go_on(
            tree, dofs, limits, gravity, loops, prescribed, followed, target, rows, h, frequency, room_work.stops[:0], body_work,
            dof_work, room_work, report_out, momenta_out, q_out, v_out,
        )  # fmt: skip
        catch_up(tree, dofs, u, body_work, there, momenta_out, v_out)
        begin(tree, dofs, q_out, v_out, body_work, dof_work)
        out_of_bones(nodes, body_work, x_out)
        carry(nodes, body_work, x_out, xdot_out)
        time += h
    return steps, time, -1, -1
