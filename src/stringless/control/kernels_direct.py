"""One character, one step: from goals to joint accelerations.

response -> style -> bounds -> rows of the goals, level by level -> command -> accelerations and efforts of all joints.
"""

from __future__ import annotations

from stringless.control.kernels_bounds import joint_bounds, note_held, other_bounds, torque_bounds
from stringless.control.kernels_footing import find_footholds, lay_out
from stringless.control.kernels_hierarchy import solve_levels
from stringless.control.kernels_linear import dot, factor, inverse_transposed, solve_factored
from stringless.control.kernels_response import biases, count_on_ground, push_columns, respond, weigh_whole, whole_bias
from stringless.control.kernels_styles import style_form
from stringless.control.kernels_tasks import rows_of
from stringless.flesh.kernels_motion import row3
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, vec3


@kernel
def gravity_motion(tree, members, nodes, root, mass, x, xdot, body_work, motion_out):
    """Where the character's centre of gravity is and how it moves, flesh included."""
    first, P = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(members.shape[0]):
        row = tree[members[k]]
        work = body_work[members[k]]
        h = mat3.transform(mat3.load(work.R, 0), vec3.load(row.h, 0))
        first = vec3.add(first, vec3.add_scaled(h, row.mass, vec3.load(work.p, 0)))
        P = vec3.add(P, vec3.add_scaled(vec3.cross(vec3.load(work.V, 0), h), row.mass, vec3.load(work.V, 3)))
    for j in range(nodes.shape[0]):
        node = nodes[j]
        if node.fixed == 0 and node.bone >= 0 and tree[node.bone].root == root:
            first = vec3.add_scaled(first, node.mass, row3(x, j))
            P = vec3.add_scaled(P, node.mass, row3(xdot, j))
    vec3.store(motion_out, 0, vec3.scale(1.0 / mass, first))
    vec3.store(motion_out, 3, vec3.scale(1.0 / mass, P))


@kernel
def lean(tree, dofs, columns, q, v, pose, kp, kv, error_work, lean_out):
    """Accelerations toward the posture that the style prefers: `-kp (q ⊖ q_0) - kv v`."""
    done = -1
    for c in range(columns.shape[0]):
        d = columns[c]
        body = dofs[d].body
        if body != done:
            registry.difference(tree[body], q, pose, error_work)
            done = body
        lean_out[c] = kp * error_work[d] - kv * v[d]


@kernel
def within_efforts(dofs, columns, T, t0, work, vector_work, x_out):
    """Cut the efforts to what the actuators can give, and the command to what follows; returns how many were at a limit."""
    n = columns.shape[0]
    tau = vector_work[0]
    count, over = 0, False
    for k in range(n):
        d = columns[k]
        tau[k] = t0[d] + dot(n, T[d], x_out)
        most = dofs[d].effort
        if abs(tau[k]) >= most * (1.0 - 1e-9):
            count += 1
            over = over or abs(tau[k]) > most * (1.0 + 1e-9)
            tau[k] = min(max(tau[k], -most), most)
    if over:
        # T is the inertia that the actuators feel, symmetric and positive definite.
        for i in range(n):
            tau[i] -= t0[columns[i]]
            for j in range(i + 1):
                work[0, i, j] = T[columns[i], j]
        factor(n, work[0])
        solve_factored(n, work[0], tau)
        for i in range(n):
            x_out[i] = tau[i]
    return count


@kernel
def wanted_rows(
    tree, dofs, members, tasks, levels, time, gravity, columns, column_of, nx, D, qdd0, A_bias, q, v, poses, pose_weights,
    mass, motion, P, sums, pushing, body_work, dof_work, J_work, error_work, reach_work, levels_out, A_out, b_out, scale_out,
):  # fmt: skip
    """Rows `A x = b` of all goals, level by level; returns how many. `scale` is what each row could be at most."""
    for i in range(members.shape[0]):
        body = tree[members[i]]
        for d in range(body.v0, body.v0 + body.nv):
            reach_work[d] = 0.0
            for c in range(nx):
                reach_work[d] = max(reach_work[d], abs(D[d, c]))
    row, level = nx - nx, nx - nx  # numba would compile for the literal 0 and once more for what it becomes
    for t in range(tasks.shape[0]):
        while level < tasks[t].level:
            levels_out[level] = row
            level += 1
        row += rows_of(
            tree, dofs, tasks[t], time, gravity, columns, column_of, nx, D, reach_work, qdd0, A_bias, q, v, poses,
            pose_weights, mass, motion, P, sums, pushing, row, body_work, dof_work, J_work, error_work, A_out, b_out,
            scale_out,
        )  # fmt: skip
    while level < levels:
        levels_out[level] = row
        level += 1
    return row


@kernel
def obey(tree, members, n, x, true, T, vdot_out, effort_out):
    """Add what a command does to accelerations and efforts."""
    for i in range(members.shape[0]):
        body = tree[members[i]]
        for d in range(body.v0, body.v0 + body.nv):
            vdot_out[d] += dot(n, true[d], x)
            effort_out[d] += dot(n, T[d], x)


@kernel
def direct(
    k, script, tree, dofs, limits, gravity, nodes, touching, point_bodies, touch, prescribed, q, v, x, xdot, anchors,
    time, h, body_work, dof_work, contact_work, stage_work, memory_work, residual_out, report_out, vdot_out, effort_out,
):  # fmt: skip
    """Direct character k: `vdot_out` and `effort_out`, those of zero command on entry, become those of the best one.

    `script` is what `Director.script` tells, `stage_work` the scratch of `Stage`.
    """
    cast, all_members, all_columns, column_of, all_tasks, poses, pose_weights, weights = script
    (
        _, _, force_work, A_work, bias_work, T_work, D_work, true_work, whole_work, P_work, L_work, J_work, foothold_work,
        task_work, scalar_work, G_work, bounds_work, work, vector_work, active_work, levels_work, held_out, _,
    ) = stage_work  # fmt: skip
    actor = cast[k]
    root = actor.root
    members = all_members[actor.first_member : actor.last_member]
    columns = all_columns[actor.first_column : actor.last_column]
    tasks = all_tasks[actor.first_task : actor.last_task]
    n = columns.shape[0]
    if n == 0:
        return
    biases(tree, members, gravity, body_work, bias_work)
    respond(tree, dofs, members, columns, prescribed, body_work, dof_work, force_work, A_work, true_work, T_work)
    qdd0, x_command, motion, sums = scalar_work[0], scalar_work[1], scalar_work[2], scalar_work[3]
    toward, right, error, scale = scalar_work[4], scalar_work[5], scalar_work[6], scalar_work[7]
    # --- what the command does ---
    pushing = False
    count = 0
    if actor.push == 1:
        find_footholds(tree, root, touching, point_bodies, touch, anchors, time, body_work, contact_work, memory_work)
        count = memory_work.count
        pushing = count > 0 or actor.passive == 0
    report_out.footholds = count
    footholds = foothold_work[:count]
    D = true_work
    if pushing:
        lay_out(memory_work, body_work, foothold_work)
        gravity_motion(tree, members, nodes, root, actor.mass, x, xdot, body_work, motion)
        weigh_whole(tree, members, nodes, root, x, body_work, whole_work)
        whole_bias(members, root, bias_work, whole_work, body_work, sums)
        push_columns(tree, dofs, members, root, body_work, dof_work, whole_work, P_work, L_work)
        count_on_ground(tree, dofs, root, actor.passive, columns, footholds, vdot_out, P_work, L_work, sums, body_work,
                        dof_work, work, vector_work, D_work, qdd0)  # fmt: skip
        D = D_work
    else:
        for d in range(dofs.shape[0]):
            qdd0[d] = vdot_out[d]
    nx = n + 3 * count
    # --- what is kept least ---
    lean(tree, dofs, columns, q, v, poses[0], actor.posture_kp, actor.posture_kv, error, toward)
    style_form(
        actor.style, tree, dofs, members, columns, weights, nx, D, qdd0, T_work, effort_out, v, h, toward,
        actor.posture_kv, pushing, footholds, memory_work.body, gravity, bias_work, body_work, dof_work, J_work, error,
        work[0], right,
    )  # fmt: skip
    factor(nx, work[0])
    inverse_transposed(nx, work[0], work[6])
    solve_factored(nx, work[0], right)
    for c in range(nx):
        x_command[c] = right[c]
    # --- what must hold ---
    p = torque_bounds(dofs, columns, nx, T_work, effort_out, n - n, G_work, bounds_work)
    p = joint_bounds(tree, limits, members, column_of, nx, q, v, actor.limit_kp, p, G_work, bounds_work)
    p = other_bounds(n, nx, actor.top_acceleration, count, actor.mu, p, G_work, bounds_work)
    # --- what is wanted ---
    A, b, reach = task_work, scalar_work[8], scalar_work[9]
    row = wanted_rows(
        tree, dofs, members, tasks, actor.levels, time, gravity, columns, column_of, nx, D, qdd0, bias_work, q, v, poses,
        pose_weights, actor.mass, motion, P_work, sums, pushing, body_work, dof_work, J_work, error, reach, levels_work, A, b,
        scale,
    )  # fmt: skip
    # --- the command ---
    report_out.dropped = solve_levels(
        nx, levels_work[: actor.levels], b, scale, p, G_work, 1.0 if pushing else 0.0, A, bounds_work, work, vector_work,
        active_work, memory_work.active, work[6], x_command,
    )  # fmt: skip
    report_out.drops += 1 if report_out.dropped != 0 else 0
    note_held(tree, members, p, nx, G_work, bounds_work, x_command, held_out)
    report_out.saturated = within_efforts(dofs, columns, T_work, effort_out, work, vector_work, x_command)
    for i in range(row):
        residual_out[i] = dot(nx, A[i], x_command) - b[i]
    obey(tree, members, n, x_command, true_work, T_work, vdot_out, effort_out)
