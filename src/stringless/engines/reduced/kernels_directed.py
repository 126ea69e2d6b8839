"""One step of a directed scene, and many.

kinematics -> forces (flesh, contact, dampers, springs) -> director (goals to commands) -> dynamics -> check ->
integration -> momentum kept. The dynamics are solved once, for zero command; what the command adds is linear.
"""

from __future__ import annotations

from stringless.control.kernels_balance import keep_momentum, weigh_up
from stringless.control.kernels_direct import direct
from stringless.engines.reduced.kernels_bones import answer, first_diverged, follow
from stringless.engines.reduced.kernels_flesh import forces, move_on
from stringless.flesh.kernels_motion import copy_rows, first_lost_node
from stringless.jit import kernel


@kernel
def run_directed(
    tree, dofs, limits, rest, gravity, nodes, elements, materials, vertices, touching,
    prescribed, followed, targets, tau, external, h, frequency, max_speed, gains, full, steps, time, script, point_bodies,
    body_work, dof_work, given_work, u_work, vdot_work, wrench_work, node_work, elastic_work,
    contact_work, anchor_work, effort_work, memory_work, stage_work, residual_out, report_out, memory_out, anchors_out,
    x_out, xdot_out, effort_out, vdot_out, q_out, v_out, touch_out, counts_out,
):  # fmt: skip
    """Advance a directed scene in place by `steps` steps of symplectic Euler. Returns as `run_flesh` does.

    `script` and `stage_work` are the tuples of `control.direct`. Momentum is kept from step to step, so v is that of the
    time of q, and a step may follow one of any length.
    """
    cast = script[0]
    for step in range(steps):
        copy_rows(anchors_out, anchor_work)
        copy_rows(effort_out, effort_work)
        copy_rows(memory_out, memory_work)
        for d in range(dofs.shape[0]):
            u_work[d] = v_out[d] + 0.5 * h * vdot_out[d]
        if followed.shape[0] > 0:
            follow(tree, followed, targets[step], q_out, v_out, u_work, h, h, given_work)
        forces(
            tree, dofs, limits, rest, nodes, elements, materials, vertices, touching, q_out, v_out, u_work,
            prescribed, tau, external, h, h, frequency, gains, full, body_work, dof_work, vdot_work, elastic_work,
            contact_work, anchors_out, x_out, xdot_out, node_work, wrench_work, touch_out, counts_out,
        )  # fmt: skip
        answer(tree, dofs, gravity, wrench_work, prescribed, given_work, body_work, dof_work, vdot_work, effort_out)
        for k in range(cast.shape[0]):
            direct(
                k, script, tree, dofs, limits, gravity, nodes, touching, point_bodies, touch_out, prescribed, q_out, v_out,
                x_out, xdot_out, anchors_out, time, h, body_work, dof_work, contact_work, stage_work, memory_out[k],
                residual_out[k], report_out[k], vdot_work, effort_out,
            )  # fmt: skip
            weigh_up(k, script, tree, dofs, nodes, gravity, wrench_work, node_work, q_out, v_out, x_out, xdot_out,
                     body_work, stage_work)  # fmt: skip
        bad = first_diverged(dofs, v_out, vdot_work, h, h, max_speed)
        lost = first_lost_node(nodes, node_work, xdot_out, h, max_speed)
        if bad >= 0 or lost >= 0:
            copy_rows(anchor_work, anchors_out)
            copy_rows(effort_work, effort_out)
            copy_rows(memory_work, memory_out)
            return step, time, bad, lost
        move_on(tree, dofs, nodes, gravity, u_work, vdot_work, node_work, h, h, x_out, xdot_out, vdot_out, q_out, v_out)
        for k in range(cast.shape[0]):
            keep_momentum(k, script, tree, dofs, nodes, h, stage_work, report_out[k], x_out, xdot_out, q_out, v_out)
        time += h
    return steps, time, -1, -1
