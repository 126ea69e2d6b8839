"""One step of a skeleton in flesh, and many.

kinematics -> forces (flesh, contact, dampers, springs, stops) -> dynamics of bones -> check -> integration of bones and
nodes.
"""

from __future__ import annotations

from stringless.contact.kernels import contact_forces, place_obstacles, probe_forces
from stringless.contact.landing import calm
from stringless.contact.skin import skin_forces
from stringless.flesh.elastic import elastic_forces
from stringless.flesh.motion import carry, damp, fall, pass_on
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.simulation.step import answer, first_runaway, load_joints
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
def run_flesh(
    tree, dofs, limits, rest, gravity, nodes, elements, materials, vertices, obstacles, probes,
    near, landing, regions, members, pairs, triangles, tau, external, nothing, none_given, h, frequency, max_speed, gains, full, steps, time,
    body_work, dof_work, u_work, vdot_work, wrench_work, node_work, flagged_work, F_work, P_work, obstacle_work,
    landing_work, point_work, box_work, depth_work, hit_work, anchors_out, x_out, xdot_out, vdot_out, q_out, v_out, touch_out, counts_out,
):  # fmt: skip
    """Advance bones and flesh in place by `steps` steps of symplectic Euler.

    Returns the steps done, the time reached, the coordinate and the node that ran away (-1 if none did). `counts_out`
    gets the flagged elements, the points that touch obstacles and those that touch skin, of the last step.
    """
    for step in range(steps):
        for d in range(dofs.shape[0]):
            u_work[d] = v_out[d] + 0.5 * h * vdot_out[d]
        load_joints(tree, dofs, limits, rest, q_out, v_out, u_work, tau, h, frequency, body_work, dof_work, vdot_work)
        carry(nodes, body_work, x_out, xdot_out)
        clear(node_work)
        clear(wrench_work)
        counts_out[0] = elastic_forces(elements, materials, x_out, full, flagged_work, F_work, P_work, node_work)
        place_obstacles(obstacles, body_work, obstacle_work)
        skin = vertices.shape[0]
        counts_out[1] = contact_forces(
            vertices, obstacles, near, x_out, xdot_out, h, gains, body_work, obstacle_work, anchors_out, node_work,
            touch_out, point_work, wrench_work,
        ) + probe_forces(
            tree, probes, obstacles, h, gains, body_work, obstacle_work, anchors_out[skin:], touch_out[skin:],
            point_work[skin:], wrench_work,
        )  # fmt: skip
        counts_out[2] = skin_forces(
            vertices, probes, regions, members, pairs, triangles, point_work, xdot_out, h, gains, body_work,
            box_work, depth_work, hit_work, node_work, wrench_work,
        )  # fmt: skip
        if gains[2] < 1.0 and counts_out[1] > 0:
            calm(
                tree, landing, nodes, vertices, probes, x_out, xdot_out, touch_out, h, gravity, gains, body_work,
                landing_work, node_work, wrench_work,
            )  # fmt: skip
        damp(nodes, x_out, xdot_out, gains[3], body_work, node_work, wrench_work)
        pass_on(nodes, x_out, node_work, body_work, wrench_work)
        into_body_axes(external, wrench_work, body_work, wrench_work)
        answer(tree, dofs, gravity, wrench_work, nothing, none_given, body_work, dof_work, vdot_work)
        bad = first_runaway(dofs, v_out, vdot_work, h, max_speed)
        lost = first_lost_node(nodes, node_work, xdot_out, h, max_speed)
        if bad >= 0 or lost >= 0:
            return step, time, bad, lost
        for i in range(tree.shape[0]):
            registry.advance(tree[i], u_work, vdot_work, h, q_out, v_out)
        for d in range(dofs.shape[0]):
            vdot_out[d] = vdot_work[d]
        fall(nodes, gravity, node_work, h, x_out, xdot_out)
        time += h
    return steps, time, -1, -1
