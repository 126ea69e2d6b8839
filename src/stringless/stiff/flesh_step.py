"""Bones in long implicit steps, flesh in short explicit ones (the setting of Hernández et al. 2011, section 5).

A step is walked twice by the flesh. First along the way that the bones would go at the speed they have: its mean force is
what they feel in the step. Of how that force answers to their acceleration they are told the larger part: what the flesh
weighs moves with them, and flesh that is pressed against something resists, `W - (M + h² k/2) A`. Without that, flesh that
is heavier or firmer than its bone would make the step unstable. Then the bones step, and the flesh moves along the way that
they have gone.
"""

from __future__ import annotations

from stringless.contact.step import all_contact_forces
from stringless.flesh.elastic import elastic_forces
from stringless.flesh.motion import carry, clear, copy_rows, damp, fall, first_lost_node, pass_on, row3
from stringless.jit import kernel
from stringless.kinematics.kernels import move, place
from stringless.model.joints import registry
from stringless.spatial import inertia, vec3
from stringless.stiff.momentum import spread
from stringless.stiff.step import copy_table, step_bones


@kernel(inline=True)
def add_mass(bone, mass, r, stiff_out):
    """Add a point mass at the arm r to the inertia of a bone."""
    x, y, z = r
    I, H, M = inertia.load(stiff_out[bone])
    s = spread(mass, r)
    I = (I[0] + s[0], I[1] + s[1], I[2] + s[2], I[3] + s[3], I[4] + s[4], I[5] + s[5])
    H = (
        H[0], H[1] - mass * z, H[2] + mass * y,
        H[3] + mass * z, H[4], H[5] - mass * x,
        H[6] - mass * y, H[7] + mass * x, H[8],
    )  # fmt: skip
    M = (M[0] + mass, M[1] + mass, M[2] + mass, M[3], M[4], M[5])
    inertia.store(stiff_out[bone], I, H, M)


@kernel
def weigh_flesh(nodes, vertices, x, touch, added, body_work, pressed_work, stiff_out):
    """Inertia that the free nodes add to their bones, and on those that are pressed `added`, which stands for stiffness."""
    clear(stiff_out)
    for i in range(pressed_work.shape[0]):
        pressed_work[i] = 0.0
    for i in range(vertices.shape[0]):
        if vertices[i].bone >= 0 and (touch[i, 0] != 0.0 or touch[i, 1] != 0.0 or touch[i, 2] != 0.0):
            pressed_work[vertices[i].bone] = 1.0
    for i in range(nodes.shape[0]):
        node = nodes[i]
        if node.fixed == 0 and node.bone >= 0:
            r = vec3.subtract(row3(x, i), vec3.load(body_work[node.bone].p, 0))
            add_mass(node.bone, node.mass + pressed_work[node.bone] * added[i], r, stiff_out)


@kernel
def move_flesh(
    tree, dofs, gravity, flesh, touching, q_from, q_to, h, parts, max_speed, gains, full, body_work, dof_work, contact_work,
    flesh_work, q_work, v_work, anchors_out, x_out, xdot_out, touch_out, counts_out,
):  # fmt: skip
    """Move the nodes in `parts` explicit steps while the bones go from one configuration to another.

    Adds up the wrenches on the bones. Returns the node that ran away, or -1.
    """
    nodes, elements, materials, vertices = flesh
    f, wrench, mean, flagged, F, P = flesh_work
    piece = h / parts
    for i in range(tree.shape[0]):
        registry.difference(tree[i], q_from, q_to, v_work)
    for d in range(dofs.shape[0]):
        v_work[d] /= h
    clear(mean)
    for part in range(parts):
        for i in range(tree.shape[0]):
            registry.integrate(tree[i], q_from, v_work, part * piece, q_work)
            R, r = place(tree, i, q_work, body_work)
            move(tree, dofs, i, q_work, v_work, R, r, body_work, dof_work)
        carry(nodes, body_work, x_out, xdot_out)
        clear(f)
        clear(wrench)
        counts_out[0] = elastic_forces(elements, materials, x_out, full, flagged, F, P, f)
        all_contact_forces(
            tree, nodes, vertices, touching, False, x_out, xdot_out, piece, gains, body_work, contact_work, anchors_out, f,
            wrench, touch_out, counts_out,
        )  # fmt: skip
        damp(nodes, x_out, xdot_out, gains[3], body_work, f, wrench)
        pass_on(nodes, x_out, f, body_work, wrench)
        lost = first_lost_node(nodes, f, xdot_out, piece, max_speed)
        if lost >= 0:
            return lost
        for i in range(tree.shape[0]):
            for k in range(6):
                mean[i, k] += wrench[i, k]
        fall(nodes, gravity, f, piece, piece, x_out, xdot_out)
    for i in range(tree.shape[0]):
        R, r = place(tree, i, q_to, body_work)
        move(tree, dofs, i, q_to, v_work, R, r, body_work, dof_work)
    carry(nodes, body_work, x_out, xdot_out)
    return -1


@kernel
def run_stiff_flesh(
    tree, dofs, limits, rest, gravity, loops, touching, prescribed, followed, targets, tau, external, script, sizes, flesh,
    added, parts, full, h, frequency, max_speed, gains, newton, is_start, steps, time, body_work, dof_work, contact_work,
    anchor_work, given_work, q_work, ahead_work, v_work, room_work, flesh_work, base_work, old_work, felt_out, report_out,
    effort_out, vdot_out, anchors_out, momenta_out, x_out, xdot_out, q_out, v_out, touch_out, counts_out,
):  # fmt: skip
    """Advance bones and flesh in place by `steps` implicit steps.

    Returns the steps done, the time reached, the coordinate and the node that ran away (-1 if none did): the state is then
    that of the last good step.
    """
    nodes, vertices = flesh[0], flesh[3]
    skin = vertices.shape[0]
    stiff, pressed = base_work
    old_q, old_v, old_momenta, old_x = old_work
    mean = flesh_work[2]
    for step in range(steps):
        copy_rows(anchors_out, anchor_work)
        copy_rows(q_out, old_q)
        copy_rows(v_out, old_v)
        copy_table(momenta_out, old_momenta)
        copy_table(x_out, old_x[0])
        copy_table(xdot_out, old_x[1])
        bad = -1
        for i in range(tree.shape[0]):
            registry.integrate(tree[i], q_out, v_out, h, ahead_work)
        lost = move_flesh(
            tree, dofs, gravity, flesh, touching, old_q, ahead_work, h, parts, max_speed, gains, full, body_work, dof_work,
            contact_work, flesh_work, q_work, v_work, anchors_out, x_out, xdot_out, touch_out, counts_out,
        )  # fmt: skip
        copy_table(old_x[0], x_out)
        copy_table(old_x[1], xdot_out)
        copy_rows(anchor_work, anchors_out)
        if lost < 0:
            for i in range(tree.shape[0]):
                place(tree, i, q_out, body_work)
                for k in range(6):
                    mean[i, k] /= parts
            weigh_flesh(nodes, vertices, x_out, touch_out, added, body_work, pressed, stiff)
            target = targets[step] if followed.shape[0] > 0 else q_work
            starts = is_start and step == 0
            bad = step_bones(
                tree, dofs, limits, rest, gravity, loops, touching, prescribed, followed, target, tau, external, script,
                sizes, stiff, mean, h, frequency, max_speed, gains, newton, starts, time, body_work, dof_work, contact_work,
                given_work, q_work, v_work, room_work, None, felt_out, report_out, effort_out, vdot_out, anchors_out[skin:],
                momenta_out, q_out, v_out, touch_out[skin:],
            )  # fmt: skip
        if bad < 0 and lost < 0:
            lost = move_flesh(
                tree, dofs, gravity, flesh, touching, old_q, q_out, h, parts, max_speed, gains, full, body_work, dof_work,
                contact_work, flesh_work, q_work, v_work, anchors_out, x_out, xdot_out, touch_out, counts_out,
            )  # fmt: skip
        if bad >= 0 or lost >= 0:
            copy_rows(anchor_work, anchors_out)
            copy_rows(old_q, q_out)
            copy_rows(old_v, v_out)
            copy_table(old_momenta, momenta_out)
            copy_table(old_x[0], x_out)
            copy_table(old_x[1], xdot_out)
            return step, time, bad, lost
        time += h
    return steps, time, -1, -1
