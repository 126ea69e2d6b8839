"""One step of a skeleton in flesh, and many.

kinematics -> forces (flesh, contact, dampers, springs, stops) -> dynamics of bones -> check -> integration of bones and
nodes.
"""

from __future__ import annotations

from stringless.contact.step import all_contact_forces
from stringless.flesh.elastic import elastic_forces
from stringless.flesh.motion import carry, damp, fall, pass_on
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.simulation.step import answer, first_runaway, follow, load_joints
from stringless.spatial import mat3


@kernel(inline=True)
def clear(table_out):
    """Set a table to zero."""
    for i in range(table_out.shape[0]):
        for k in range(table_out.shape[1]):
            table_out[i, k] = 0.0


@kernel(inline=True)
def into_body_axes(external, wrench, body_work, wrench_out):
    """Wrenches of flesh and contact, along world axes, turned into the bones' frames and added to the given ones."""
    for i in range(wrench.shape[0]):
        R = mat3.load(body_work[i].R, 0)
        m = mat3.transform_back(R, (wrench[i, 0], wrench[i, 1], wrench[i, 2]))
        f = mat3.transform_back(R, (wrench[i, 3], wrench[i, 4], wrench[i, 5]))
        for k in range(3):
            wrench_out[i, k] = external[i, k] + m[k]
            wrench_out[i, k + 3] = external[i, k + 3] + f[k]


@kernel(inline=True)
def first_lost_node(nodes, f, xdot, h, max_speed):
    """First free node whose next speed is not a number or too high to be true; -1 if there is none."""
    for i in range(nodes.shape[0]):
        if nodes[i].fixed == 0:
            s = h / nodes[i].mass
            for k in range(3):
                if not abs(xdot[i, k] + s * f[i, k]) <= max_speed:
                    return i
    return -1


@kernel
def forces(
    tree, dofs, limits, rest, nodes, elements, materials, vertices, touching, q, v, u, prescribed, tau,
    external, h, frequency, gains, full,
    body_work, dof_work, stretch_work, flagged_work, F_work, P_work, contact_work,
    anchors_out, x_out, xdot_out, f_out, wrench_out, touch_out, counts_out,
):  # fmt: skip
    """Motions of bones and fixed nodes, and every force on bones and nodes but gravity."""
    load_joints(tree, dofs, limits, rest, q, v, u, prescribed, tau, h, frequency, body_work, dof_work, stretch_work)
    carry(nodes, body_work, x_out, xdot_out)
    clear(f_out)
    clear(wrench_out)
    counts_out[0] = elastic_forces(elements, materials, x_out, full, flagged_work, F_work, P_work, f_out)
    all_contact_forces(
        tree, nodes, vertices, touching, x_out, xdot_out, h, gains, body_work, contact_work, anchors_out, f_out,
        wrench_out, touch_out, counts_out,
    )  # fmt: skip
    damp(nodes, x_out, xdot_out, gains[3], body_work, f_out, wrench_out)
    pass_on(nodes, x_out, f_out, body_work, wrench_out)
    into_body_axes(external, wrench_out, body_work, wrench_out)


@kernel
def move_on(tree, dofs, nodes, gravity, u, vdot, f, h, x_out, xdot_out, vdot_out, q_out, v_out):
    """Integrate bones and free nodes by one step of symplectic Euler."""
    for i in range(tree.shape[0]):
        registry.advance(tree[i], u, vdot, h, q_out, v_out)
    for d in range(dofs.shape[0]):
        vdot_out[d] = vdot[d]
    fall(nodes, gravity, f, h, x_out, xdot_out)


@kernel
def run_flesh(
    tree, dofs, limits, rest, gravity, nodes, elements, materials, vertices, touching,
    prescribed, followed, targets, tau, external, h, frequency, max_speed, gains, full, steps, time,
    body_work, dof_work, given_work, u_work, vdot_work, wrench_work, node_work, flagged_work, F_work, P_work,
    contact_work, anchors_out, x_out, xdot_out, effort_out, vdot_out, q_out, v_out, touch_out, counts_out,
):  # fmt: skip
    """Advance bones and flesh in place by `steps` steps of symplectic Euler.

    Returns the steps done, the time reached, the coordinate and the node that ran away (-1 if none did). `touching`
    and `contact_work` are the tuples of `contact.step`. `counts_out` gets the flagged elements, the points that touch
    obstacles and those that touch skin, of the last step.
    """
    for step in range(steps):
        for d in range(dofs.shape[0]):
            u_work[d] = v_out[d] + 0.5 * h * vdot_out[d]
        if followed.shape[0] > 0:
            follow(tree, followed, targets[step], q_out, v_out, u_work, h, given_work)
        forces(
            tree, dofs, limits, rest, nodes, elements, materials, vertices, touching, q_out, v_out, u_work,
            prescribed, tau, external, h, frequency, gains, full, body_work, dof_work, vdot_work, flagged_work, F_work,
            P_work, contact_work, anchors_out, x_out, xdot_out, node_work, wrench_work, touch_out, counts_out,
        )  # fmt: skip
        answer(tree, dofs, gravity, wrench_work, prescribed, given_work, body_work, dof_work, vdot_work, effort_out)
        bad = first_runaway(dofs, v_out, vdot_work, h, max_speed)
        lost = first_lost_node(nodes, node_work, xdot_out, h, max_speed)
        if bad >= 0 or lost >= 0:
            return step, time, bad, lost
        move_on(tree, dofs, nodes, gravity, u_work, vdot_work, node_work, h, x_out, xdot_out, vdot_out, q_out, v_out)
        time += h
    return steps, time, -1, -1
