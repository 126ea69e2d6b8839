"""The phases of one implicit step of bones; `pipeline` has them in order."""

from __future__ import annotations

import numpy as np

from stringless.contact.kernels import transform_obstacles
from stringless.dynamics.kernels_joints import recouple
from stringless.engines.stiff.kernels_closure import move_closed
from stringless.engines.stiff.kernels_conservation import restore_momenta, store_momenta
from stringless.engines.stiff.kernels_constraints import solve_constraints, write_loop_rows
from stringless.engines.stiff.kernels_contacts import find_contacts
from stringless.engines.stiff.kernels_friction import DONE, SMOOTH, judge_contacts, push_contacts, store_contacts
from stringless.engines.stiff.kernels_goals import add_body_springs, add_center_springs
from stringless.engines.stiff.kernels_limits import charge_limits, judge_limits, measure_limits
from stringless.engines.stiff.kernels_poses import move_joints, take_velocities
from stringless.engines.stiff.kernels_solve import load_joints, reset_axes, solve_condensed
from stringless.engines.stiff.kernels_tension import transmit_forces
from stringless.engines.stiff.records import Iterate, Solution
from stringless.engines.stiff.reference.kernels_blocks import GENERAL_BLOCKS
from stringless.engines.stiff.reference.kernels_joint_forces import EXACT, PLAIN
from stringless.engines.stiff.reference.kernels_multipliers import solve_multiplied
from stringless.engines.stiff.reference.records import MaximalSettings, MaximalState
from stringless.flesh.kernels_motion import clear, copy_rows, copy_table
from stringless.jit import kernel
from stringless.kinematics.kernels import find_pose, move
from stringless.model.joints import registry
from stringless.model.records import Inputs
from stringless.spatial import mat3, rotation, vec3

FREE = registry.FREE
MOST_ROUNDS = 8
"""How often a step is solved while contacts have to end, and while other limits push than were solved for."""
CONVERGED = 1e-12
"""Newton's method is done when velocities change by less than this share of the largest."""

REPORT_ROW = np.dtype(
    [
        ("iterations", np.int64),  # Newton iterations of the last step
        ("rounds", np.int64),  # solves of the last iteration, for contacts that end and limits that are met
        ("change", np.float64),  # largest change of a velocity in the last iteration [rad/s or m/s]
        ("gap", np.float64),  # largest gap of a closed loop after the last step [m or rad]
    ],
    align=True,
)


@kernel(inline=True)
def copy_state(state, state_out):
    """Put the state by, or take it back; q, v and vdot stay what they are until a step is known to be good."""
    copy_rows(state.anchors, state_out.anchors)
    copy_table(state.momenta, state_out.momenta)
    copy_table(state.x, state_out.x)
    copy_table(state.xdot, state_out.xdot)


@kernel(inline=True)
def update_bodies(skeleton, q, v, body_work, dof_work):
    """Poses, velocities and axes of all bodies; velocity products have no part in an implicit step."""
    for i in range(skeleton.tree.shape[0]):
        R, r = find_pose(skeleton.tree, i, q, body_work)
        move(skeleton.tree, skeleton.dofs, i, q, v, R, r, body_work, dof_work)
        for k in range(6):
            body_work[i].eta[k] = 0.0


@kernel(inline=True)
def follow_path(tree, state, inputs, h, step, work):
    """Prescribe the accelerations that lead to the target at the end of the step, for coordinates that follow a path."""
    followed = inputs.followed
    if followed.shape[0] == 0:
        return
    copy_rows(inputs.targets[step], work.target)
    q, to, vdot = state.q, work.target, work.vdot
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.nv == 0 or not followed[row.v0]:
            continue
        if row.kind == FREE:
            k = row.q0 + 3
            Q = (q[k], q[k + 1], q[k + 2], q[k + 3])
            turn = rotation.multiply_quaternions(rotation.conjugate(Q), (to[k], to[k + 1], to[k + 2], to[k + 3]))
            apart = vec3.subtract(vec3.load(to, row.q0), vec3.load(q, row.q0))
            vec3.store(vdot, row.v0, rotation.log_quaternion(rotation.normalise(turn)))
            vec3.store(vdot, row.v0 + 3, mat3.transform_back(rotation.from_quaternion(Q), apart))
        else:
            registry.difference(row, q, to, vdot)
        for d in range(row.v0, row.v0 + row.nv):
            vdot[d] = (vdot[d] / h - state.v[d]) / h


@kernel(inline=True)
def largest(values, scale):
    """Largest size in an array, scaled."""
    most = 0.0
    for k in range(values.shape[0]):
        most = max(most, abs(scale * values[k]))
    return most


@kernel(inline=True)
def first_diverged(dofs, v, max_speed):
    """First coordinate whose speed is not a number or too high; -1 if there is none."""
    for d in range(dofs.shape[0]):
        if not abs(v[d]) <= max_speed:  # NaN fails the comparison
            return d
    return -1


@kernel(inline=True)
def solve_tree(skeleton, state, inputs, forces, settings, work, maximal_work, effort_out):
    """Solve the tree without what ties bodies across it; by Lagrange multipliers unless `maximal_work` is None."""
    if maximal_work is None:
        solve_condensed(
            skeleton, inputs, forces, state.momenta, settings.dt, work.bodies, work.dofs, state.vdot, effort_out
        )
    else:
        slope = EXACT if maximal_work.blocks.shape[1] == GENERAL_BLOCKS else PLAIN
        maximal = MaximalState(state.q, work.v, maximal_work.bodies)
        ways = MaximalSettings(settings.dt, settings.limit_frequency, settings.max_speed, slope)
        solve_multiplied(
            skeleton, maximal, state.momenta, inputs, forces, ways, maximal_work, work, state.vdot, effort_out
        )


@kernel(inline=True)
def solve_step(model, state, inputs, goals, settings, time, contacts, work, result_out):
    """One linear system: the tree with all forces on its bodies, then the constraints between them; returns their rows.

    Solved again while contacts have to end.
    """
    skeleton, h, constraints = model.skeleton, settings.dt, work.constraints
    tree = skeleton.tree
    forces = work.no_forces if goals.tasks.shape[0] == 0 and contacts == 0 else work.forces
    rounds, rows, phase = 0, 0, SMOOTH
    while phase != DONE and rounds < MOST_ROUNDS:
        clear(forces.inertia)
        clear(forces.wrench)
        add_body_springs(goals, tree, time, h, work.bodies, forces, result_out.reactions)
        rows = write_loop_rows(model.loops, h, work.bodies, constraints.rows)
        rows = add_center_springs(goals, tree, time, h, rows, work.bodies, forces.wrench, constraints.rows)
        rows = push_contacts(contacts, rows, work.contacts, forces, constraints.rows)
        solve_tree(skeleton, state, inputs, forces, settings, work, work.maximal, result_out.effort)
        if rows > 0:
            solve_constraints(
                skeleton, inputs.prescribed, rows, work.bodies, work.dofs, constraints, state.vdot, result_out.effort
            )
        rounds += 1
        phase = judge_contacts(contacts, phase, h, skeleton.gravity, work.bodies, work.contacts)
    for i in range(tree.shape[0]):
        if tree[i].nl > 0 and work.limits[tree[i].l0].far == 0:  # others have kept their axes
            recouple(tree, i, work.bodies, work.dofs, state.vdot)
    result_out.report[0].rounds += rounds
    return rows


@kernel(inline=True)
def move_on(tree, h, q, v, body_work, dof_work, q_out):
    """Where the joints would be at the end of the step, to take their forces there in a further Newton iteration."""
    for i in range(tree.shape[0]):
        registry.integrate(tree[i], q, v, h, q_out)
        reset_axes(tree, i, q, body_work, dof_work)


@kernel(inline=True)
def find_velocities(model, state, inputs, external, goals, settings, time, work, result_out):
    """Velocities of joints and bodies at the end of a step that has begun, by Newton's method."""
    skeleton, h, report = model.skeleton, settings.dt, result_out.report[0]
    tree, v = skeleton.tree, work.v
    anchors = state.anchors[model.flesh.vertices.shape[0] :]
    copy_rows(state.v, v)
    transform_obstacles(model.contact.obstacles, work.bodies, work.contact.obstacles)
    rows, contacts, change, is_open = 0, 0, 0.0, False
    for iteration in range(settings.newton):
        if iteration > 0:
            move_on(tree, h, state.q, v, work.bodies, work.dofs, work.q)
        # What is prescribed has been led where it was to go by the first solve.
        q, ahead, vdot = (state.q, h, work.vdot) if iteration == 0 else (work.q, 0.0, work.zero)
        iterate = Iterate(q, v, ahead)
        drive = Inputs(inputs.prescribed, vdot, inputs.followed, inputs.targets, inputs.tau, external)
        measure_limits(skeleton, iterate, inputs.prescribed, settings, work.limits)
        report.rounds = 0
        for turn in range(MOST_ROUNDS):
            if turn > 0:
                for i in range(tree.shape[0]):
                    reset_axes(tree, i, state.q, work.bodies, work.dofs)
            load_joints(skeleton, iterate, state.v, drive, goals, settings, time, work, state.vdot)
            contacts = find_contacts(
                skeleton, model.contact, h, settings.gains, work.bodies, work.contact, anchors, work.contacts
            )
            rows = solve_step(model, state, drive, goals, settings, time, contacts, work, result_out)
            is_last = turn == MOST_ROUNDS - 1
            is_open = judge_limits(skeleton, iterate, state.vdot, inputs.prescribed, settings, is_last, work.limits)
            if not is_open:
                break
        take_velocities(tree, skeleton.dofs, skeleton.gravity, state.vdot, h, work.bodies, v)
        change = largest(state.vdot, h)
        report.iterations = iteration + 1
        if change < CONVERGED * (1.0 + largest(v, 1.0)):
            break
    report.change = change
    is_pushed = goals.tasks.shape[0] > 0 or contacts > 0
    transmit_forces(skeleton, h, external, is_pushed, rows > 0, state.momenta, work)
    bad = first_diverged(skeleton.dofs, v, settings.max_speed)
    return Solution(bad, -1, rows, contacts, is_open)


@kernel(inline=True)
def report_step(model, solution, goals, h, time, work, state, result_out):
    """Report a solved step: forces of contacts and of goals, accelerations, the velocities of joints at its end."""
    skin = model.flesh.vertices.shape[0]
    anchors, contact_forces = state.anchors[skin:], result_out.contact_forces[skin:]
    clear(contact_forces)
    store_contacts(solution.contacts, work.contacts, h, work.contact.obstacles, work.bodies, anchors, contact_forces)
    add_body_springs(goals, model.skeleton.tree, time, h, work.bodies, work.forces, result_out.reactions)
    for d in range(state.v.shape[0]):
        state.vdot[d] = (work.v[d] - state.v[d]) / h
        state.v[d] = work.v[d]


@kernel(inline=True)
def move_bodies(model, solution, inputs, settings, is_charged, work, state, result_out):
    """Move all joints and bodies on with the velocities of a solved step, and keep their momenta.

    `is_charged` says that energy which limits gain by rebuilding poses is taken from the motion.
    """
    skeleton, h, report = model.skeleton, settings.dt, result_out.report[0]
    store_momenta(model, state, inputs.prescribed, h, work)
    if model.loops.shape[0] > 0:
        report.gap = move_closed(model, state, inputs, solution.rows, h, solution.is_open, work)
    else:
        report.gap = 0.0
        move_joints(skeleton.tree, state, inputs.followed, h, solution.is_open, work)
    if is_charged:
        charge_limits(skeleton, state.q, settings.limit_frequency, work.limits, work.trees)
    restore_momenta(skeleton, state, h, work)
