"""One step of a directed scene, and many.

kinematics -> forces (flesh, contact, dampers, springs) -> director (goals to commands) -> dynamics -> check ->
integration -> momentum kept. The dynamics are solved once, for zero command; what the command adds is linear.
"""

from __future__ import annotations

from stringless.control.balance import account, keep_momentum, loads
from stringless.control.direct import direct
from stringless.jit import kernel
from stringless.simulation.flesh_step import first_lost_node, forces, move_on
from stringless.simulation.step import answer, first_runaway, follow


@kernel
def run_directed(
    tree, dofs, limits, rest, gravity, nodes, elements, materials, vertices, obstacles, probes,
    prescribed, followed, targets, tau, external, h, frequency, max_speed, gains, full, steps, time,
    cast, point_bodies, members, columns, column_of, tasks, poses, pose_weights, weights,
    body_work, dof_work, given_work, u_work, vdot_work, wrench_work, node_work, flagged_work, F_work, P_work,
    obstacle_work, other_body_work, other_dof_work, force_work, A_work, bias_work, T_work, D_work, true_work, whole_work,
    momentum_work, moment_work, J_work, foothold_work, task_work, scalar_work, G_work, bounds_work, work, vector_work,
    active_work, levels_work, account_work,
    residual_out, report_out, memory_out, anchors_out, x_out, xdot_out, effort_out, vdot_out, q_out, v_out, touch_out,
    counts_out,
):  # fmt: skip
    """Advance a directed scene in place by `steps` steps of symplectic Euler. Returns as `run_flesh` does."""
    for step in range(steps):
        for d in range(dofs.shape[0]):
            u_work[d] = v_out[d] + 0.5 * h * vdot_out[d]
        if followed.shape[0] > 0:
            follow(tree, followed, targets[step], q_out, v_out, u_work, h, given_work)
        forces(
            tree, dofs, limits, rest, nodes, elements, materials, vertices, obstacles, probes, q_out, v_out, u_work,
            prescribed, tau, external, h, frequency, gains, full, body_work, dof_work, vdot_work, flagged_work, F_work,
            P_work, obstacle_work, anchors_out, x_out, xdot_out, node_work, wrench_work, touch_out, counts_out,
        )  # fmt: skip
        answer(tree, dofs, gravity, wrench_work, prescribed, given_work, body_work, dof_work, vdot_work, effort_out)
        for k in range(cast.shape[0]):
            direct(
                cast[k], tree, dofs, limits, gravity, nodes, vertices, probes, obstacles, point_bodies, members, columns,
                column_of, tasks, poses, pose_weights, weights, prescribed, q_out, v_out, x_out, xdot_out, anchors_out,
                time, h, obstacle_work, body_work, dof_work, memory_out[k], force_work, A_work, bias_work, T_work, D_work,
                true_work, whole_work, momentum_work, moment_work, J_work, foothold_work, task_work, scalar_work, G_work,
                bounds_work, work, vector_work, active_work, levels_work, residual_out[k], report_out[k], vdot_work,
                effort_out,
            )  # fmt: skip
            if cast[k].correct == 1:
                group = members[cast[k].first_member : cast[k].last_member]
                account(tree, dofs, group, nodes, cast[k].root, cast[k].mass, q_out, v_out, x_out, xdot_out,
                        other_body_work, other_dof_work, account_work[k, 0])  # fmt: skip
                loads(tree, group, nodes, cast[k].root, gravity, cast[k].mass, account_work[k, 0], wrench_work, node_work,
                      x_out, body_work, account_work[k, 1])  # fmt: skip
        bad = first_runaway(dofs, v_out, vdot_work, h, max_speed)
        lost = first_lost_node(nodes, node_work, xdot_out, h, max_speed)
        if bad >= 0 or lost >= 0:
            return step, time, bad, lost
        move_on(tree, dofs, nodes, gravity, u_work, vdot_work, node_work, h, x_out, xdot_out, vdot_out, q_out, v_out)
        for k in range(cast.shape[0]):
            if cast[k].correct == 1:
                size = keep_momentum(
                    cast[k], tree, dofs, members[cast[k].first_member : cast[k].last_member], nodes, account_work[k, 0],
                    account_work[k, 1], h, other_body_work, other_dof_work, account_work[k, 2], work, vector_work, x_out,
                    xdot_out, q_out, v_out,
                )  # fmt: skip
                report_out[k].correction = size
                report_out[k].largest_correction = max(size, report_out[k].largest_correction)
        time += h
    return steps, time, -1, -1
