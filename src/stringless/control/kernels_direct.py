"""One character, one step: from goals to joint accelerations.

response -> style -> bounds -> rows of the goals, level by level -> command -> accelerations and efforts of all joints.
"""

from __future__ import annotations

from stringless.control.kernels_bounds import (
    add_acceleration_bounds,
    add_cone_bounds,
    add_joint_bounds,
    add_torque_bounds,
    note_held_limits,
)
from stringless.control.kernels_characters import find_character
from stringless.control.kernels_ground import (
    find_center_motion,
    find_ground_response,
    find_inertias,
    find_momentum_columns,
    find_whole_load,
)
from stringless.control.kernels_hierarchy import solve_levels
from stringless.control.kernels_linear import dot, factor, solve_factored
from stringless.control.kernels_styles import begin_levels, find_pose_bias, write_style
from stringless.control.kernels_support import choose_support_points, transform_support_points
from stringless.control.kernels_tasks import write_rows
from stringless.control.records import Bounds, CharacterMotion, CommandEffect, ContactPoints
from stringless.dynamics.kernels_commands import find_command_response
from stringless.jit import kernel
from stringless.spatial import inertia, vec3


@kernel(inline=True)
def direct(k, model, state, inputs, tasks, time, h, work, contact_work, director_work, result_out):
    """Direct character k: accelerations and efforts, those of zero command on entry, become those of the best one.

    `contact_work` is None if no contact is possible.
    """
    character = find_character(k, tasks)
    if character.columns.shape[0] > 0:
        skeleton, memory, report = model.skeleton, state.memory[k], result_out.report[k]
        solver, x = director_work.solver, director_work.x
        # --- what the command does ---
        report.support_points = 0
        # A test of the argument alone: without it, the rest is not compiled.
        if contact_work is not None:  # noqa: SIM102
            if character.push:
                forces, obstacles = result_out.contact_forces, model.contact.obstacles
                points = ContactPoints(model.point_bodies, state.anchors, contact_work.points, forces)
                tree, root = skeleton.tree, character.root
                choose_support_points(root, time, tree, obstacles, points, work.bodies, contact_work, memory)
                report.support_points = memory.count
        motion = CharacterMotion(time, h, state.q, state.v, work.bodies, work.dofs)
        count, prescribed, effort = report.support_points, inputs.prescribed, result_out.effort
        effect = find_effect(count, model, character, state, memory, prescribed, effort, work, director_work)
        # --- what is kept least ---
        style = director_work.style
        find_pose_bias(skeleton, character, motion, tasks.poses[0], style)
        write_style(skeleton, character, motion, tasks.weights, effect, style)
        # --- what must hold, and what is wanted ---
        bounds = find_bounds(skeleton, character, motion, effect, director_work.bounds)
        used = write_rows(skeleton, character, motion, tasks, effect, director_work.ground, director_work.rows)
        # --- the command ---
        program = begin_levels(character, motion, tasks.weights, effect, style, solver)
        report.dropped = solve_levels(program, bounds, director_work.rows, solver, memory.active, x)
        report.drops += 1 if report.dropped != 0 else 0
        note_held_limits(skeleton.tree, character.members, effect.unknowns, bounds, x, director_work.held)
        report.saturated = limit_efforts(skeleton.dofs, character.columns, effect, solver.H, director_work.tau, x)
        for i in range(used):
            lack = dot(effect.unknowns, director_work.rows.A[i], x) - director_work.rows.b[i]
            result_out.residual[k, i] = lack
        apply_command(skeleton.tree, character, x, director_work.response, work.bodies, work.vdot, result_out.effort)


@kernel
def find_bias(skeleton, members, body_work, A_out):
    """Accelerations of all members with no joint accelerating, offset by -g as in the recursion."""
    for k in range(members.shape[0]):
        i = members[k]
        row = skeleton.tree[i]
        work = body_work[i]
        A_w = (0.0, 0.0, 0.0)
        A_v = (-skeleton.gravity[0], -skeleton.gravity[1], -skeleton.gravity[2])
        if row.parent >= 0:
            above = A_out[row.parent]
            A_w, A_v = inertia.shift_motion(vec3.load(above, 0), vec3.load(above, 3), vec3.load(work.r, 0))
        vec3.store(A_out[i], 0, vec3.add(A_w, vec3.load(work.eta, 0)))
        vec3.store(A_out[i], 3, vec3.add(A_v, vec3.load(work.eta, 3)))


@kernel(inline=True)
def find_effect(count, model, character, state, memory, prescribed, effort, work, director_work):
    """What a command does, with `count` support points: the true answer, or the one that counts on the ground."""
    skeleton, nodes, members, columns = model.skeleton, model.flesh.nodes, character.members, character.columns
    bias, response, ground = director_work.bias, director_work.response, director_work.ground
    find_bias(skeleton, members, work.bodies, bias)
    find_command_response(skeleton, members, columns, prescribed, work.bodies, work.dofs, response)
    D, qdd0, points = response.vdot, work.vdot, ground.points[:count]
    on_ground = character.push and (count > 0 or not character.passive)
    if on_ground:
        transform_support_points(memory, work.bodies, points)
        find_center_motion(skeleton.tree, nodes, character, state.x, state.xdot, work.bodies, ground.center)
        find_inertias(skeleton.tree, nodes, character, state.x, work.bodies, ground.inertia)
        find_whole_load(character, bias, work.bodies, ground)
        find_momentum_columns(skeleton, character, work.bodies, work.dofs, ground)
        find_ground_response(skeleton, character, qdd0, points, work.bodies, work.dofs, ground)
        D, qdd0 = ground.D, ground.qdd0
    n = columns.shape[0]
    return CommandEffect(n, n + 3 * count, on_ground, D, qdd0, response.tau, effort, bias, points, memory.body)


@kernel(inline=True)
def find_bounds(skeleton, character, motion, effect, bounds_out):
    """Bounds that every command keeps."""
    n, unknowns = effect.directed, effect.unknowns
    p = add_torque_bounds(skeleton.dofs, character.columns, effect, n - n, bounds_out)
    p = add_joint_bounds(skeleton, character, motion, unknowns, p, bounds_out)
    p = add_acceleration_bounds(n, unknowns, character.top_acceleration, p, bounds_out)
    p = add_cone_bounds(n, unknowns, character.mu, p, bounds_out)
    return Bounds(p, bounds_out.G, bounds_out.rows)


@kernel
def limit_efforts(dofs, columns, effect, H_work, tau_work, x_out):
    """Cut the efforts to what the actuators can give, and the command to what follows; returns how many were at a limit."""
    n, T, t0 = columns.shape[0], effect.T, effect.t0
    count, over = 0, False
    for k in range(n):
        d = columns[k]
        tau_work[k] = t0[d] + dot(n, T[d], x_out)
        most = dofs[d].effort
        if abs(tau_work[k]) >= most * (1.0 - 1e-9):
            count += 1
            over = over or abs(tau_work[k]) > most * (1.0 + 1e-9)
            tau_work[k] = min(max(tau_work[k], -most), most)
    if over:
        # T is the inertia at the actuators, symmetric and positive definite.
        for i in range(n):
            tau_work[i] -= t0[columns[i]]
            for j in range(i + 1):
                H_work[i, j] = T[columns[i], j]
        factor(n, H_work)
        solve_factored(n, H_work, tau_work)
        for i in range(n):
            x_out[i] = tau_work[i]
    return count


@kernel
def apply_command(tree, character, x, response, body_work, vdot_out, effort_out):
    """Add what a command does to accelerations and efforts."""
    n = character.columns.shape[0]
    for i in range(character.members.shape[0]):
        body, work = tree[character.members[i]], body_work[character.members[i]]
        for k in range(6):
            work.A[k] += dot(n, response.A[character.members[i], k], x)
        for d in range(body.v0, body.v0 + body.nv):
            vdot_out[d] += dot(n, response.vdot[d], x)
            effort_out[d] += dot(n, response.tau[d], x)
