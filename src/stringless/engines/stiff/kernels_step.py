"""One implicit step, and many: the walk of the stiff engine.

poses -> springs, dampers and stops of joints -> forces on bodies with their slopes -> one solve for the end velocities ->
check -> momenta -> joint coordinates -> poses rebuilt.
"""

from __future__ import annotations

import numpy as np

from stringless.contact.kernels import place_obstacles
from stringless.dynamics.kernels_joints import recouple
from stringless.engines.stiff.kernels_advance import move_joints, take_velocities
from stringless.engines.stiff.kernels_closing import move_closed
from stringless.engines.stiff.kernels_efforts import load_joints, reset_axes
from stringless.engines.stiff.kernels_friction import DONE, SMOOTH, judge_touches, leave_touches, push_touches
from stringless.engines.stiff.kernels_links import loop_rows, tie
from stringless.engines.stiff.kernels_loads import lead_bodies, lead_centers
from stringless.engines.stiff.kernels_momentum import keep_momenta
from stringless.engines.stiff.kernels_settle import expect, settle
from stringless.engines.stiff.kernels_solve import condense
from stringless.engines.stiff.kernels_stops import judge_stops, read_stops
from stringless.engines.stiff.kernels_taut import transmit
from stringless.engines.stiff.kernels_touch import find_touches
from stringless.engines.stiff.reference.kernels_blocks import GENERAL_BLOCKS
from stringless.engines.stiff.reference.kernels_joint_forces import EXACT, PLAIN
from stringless.engines.stiff.reference.kernels_multipliers import multiply_out
from stringless.flesh.kernels_motion import clear, copy_rows
from stringless.jit import kernel
from stringless.kinematics.kernels import move, place
from stringless.model.joints import registry
from stringless.spatial import mat3, rotation, vec3

FREE = registry.FREE
MOST_ROUNDS = 8
"""How often a step is solved while points that touch have to be let go, and while other stops push than were solved for."""
CONVERGED = 1e-12
"""Newton's method is done when velocities change by less than this share of the largest."""

REPORT_ROW = np.dtype(
    [
        ("iterations", np.int64),  # Newton iterations of the last step
        ("rounds", np.int64),  # solves of the last iteration, for contacts that let go and stops that are met
        ("open", np.int64),  # 1: rounds have run out before all stops were settled
        ("rows", np.int64),  # links between bodies
        ("change", np.float64),  # largest change of a velocity in the last iteration [rad/s or m/s]
        ("gap", np.float64),  # largest gap of a closed loop after the last step [m or rad]
    ],
    align=True,
)


@kernel(inline=True)
def begin(tree, dofs, q, v, body_work, dof_work):
    """Poses, velocities and axes of all bodies; velocity products have no part in an implicit step."""
    for i in range(tree.shape[0]):
        R, r = place(tree, i, q, body_work)
        move(tree, dofs, i, q, v, R, r, body_work, dof_work)
        for k in range(6):
            body_work[i].eta[k] = 0.0


@kernel(inline=True)
def follow(tree, followed, q_to, q, v, h, given_out):
    """Prescribe the accelerations that lead to the configuration `q_to` at the end of the step, where `followed` says so."""
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.nv == 0 or not followed[row.v0]:
            continue
        if row.kind == FREE:
            k = row.q0 + 3
            Q = (q[k], q[k + 1], q[k + 2], q[k + 3])
            to = rotation.multiply_quaternions(rotation.conjugate(Q), (q_to[k], q_to[k + 1], q_to[k + 2], q_to[k + 3]))
            apart = vec3.subtract(vec3.load(q_to, row.q0), vec3.load(q, row.q0))
            vec3.store(given_out, row.v0, rotation.log_quaternion(rotation.normalise(to)))
            vec3.store(given_out, row.v0 + 3, mat3.transform_back(rotation.from_quaternion(Q), apart))
        else:
            registry.difference(row, q, q_to, given_out)
        for d in range(row.v0, row.v0 + row.nv):
            given_out[d] = (given_out[d] / h - v[d]) / h


@kernel(inline=True)
def largest(values, scale):
    """Largest size in an array, scaled."""
    most = 0.0
    for k in range(values.shape[0]):
        most = max(most, abs(scale * values[k]))
    return most


@kernel(inline=True)
def first_diverged(dofs, v, max_speed):
    """First coordinate whose speed is not a number or too high to be true; -1 if there is none."""
    for d in range(dofs.shape[0]):
        if not abs(v[d]) <= max_speed:  # NaN fails the comparison
            return d
    return -1


@kernel
def solve(
    tree, dofs, limits, rest, gravity, q, v, prescribed, vdot, tau, external, script, sizes, loops, touches_found, time, h,
    frequency, momenta, body_work, dof_work, room_work, blocks_work, felt_out, report_out, vdot_out, effort_out,
):  # fmt: skip
    """One linear system: the tree with all forces on its bodies, then the links between them.

    Solved again while touching points have to be let go. `blocks_work` is None, or the tables of the solver with multipliers,
    which then takes the place of the condensed one.
    """
    room = room_work
    stiff, wrench, links, touches = room.stiff, room.wrench, room.links, room.touches
    if script[4].shape[0] == 0 and touches_found == 0:
        stiff, wrench = room.no_stiff, room.no_wrench
    rounds, rows, phase = 0, 0, SMOOTH
    while phase != DONE and rounds < MOST_ROUNDS:
        clear(stiff)
        clear(wrench)
        lead_bodies(script, sizes, tree, time, h, h, body_work, stiff, wrench, felt_out)
        rows = loop_rows(loops, h, body_work, links)
        rows = lead_centers(script, tree, time, h, rows, body_work, wrench, links)
        rows = push_touches(touches_found, rows, touches, stiff, wrench, links)
        if blocks_work is None:
            condense(
                tree, dofs, gravity, prescribed, vdot, external, stiff, wrench, momenta, h, body_work, dof_work, vdot_out,
                effort_out,
            )  # fmt: skip
        else:
            bodies, pairs, nodes, blocks, pad, x, vector = blocks_work
            slope = EXACT if blocks.shape[1] == GENERAL_BLOCKS else PLAIN
            multiply_out(
                tree, dofs, limits, rest, gravity, q, v, prescribed, vdot, tau, external, stiff, wrench, momenta, h,
                frequency, slope, room.stops, body_work, dof_work, bodies, pairs, nodes, blocks, pad, x, vector, vdot_out,
                effort_out,
            )  # fmt: skip
        if rows > 0:
            tie(
                tree, dofs, gravity, prescribed, rows, links, body_work, dof_work, room.tied, room.load, room.y, room.A,
                room.dv, room.matrix, room.forces, vdot_out, effort_out,
            )  # fmt: skip
        rounds += 1
        phase = judge_touches(touches_found, phase, h, gravity, body_work, touches)
    for i in range(tree.shape[0]):
        if tree[i].nl > 0 and room.stops[tree[i].l0].far == 0:  # others have kept their axes
            recouple(tree, i, body_work, dof_work, vdot_out)
    report_out.rounds += rounds
    report_out.rows = rows
    return rows


@kernel(inline=True)
def seek(tree, h, q, v, body_work, dof_work, q_work):
    """Where the joints would be at the end of the step, to take their forces there in a further Newton iteration."""
    for i in range(tree.shape[0]):
        registry.integrate(tree[i], q, v, h, q_work)
        reset_axes(tree, i, q, body_work, dof_work)


@kernel
def find_velocities(
    tree, dofs, limits, rest, gravity, loops, touching, prescribed, given, tau, external, script, sizes, h, frequency, gains,
    newton, time, momenta, q, v, body_work, dof_work, contact_work, q_work, room_work, blocks_work, felt_out, report_out,
    effort_out, vdot_out, anchors_out, v_out,
):  # fmt: skip
    """Velocities of joints and bodies at the end of a step that has begun; the rows that link bodies, the points that touch."""
    obstacles, probes, meshes = touching[0], touching[1], touching[2]
    obstacle_work, stack_work = contact_work[0], contact_work[1]
    touches, nothing, stops = room_work.touches, room_work.nothing, room_work.stops
    copy_rows(v, v_out)
    place_obstacles(obstacles, body_work, obstacle_work)
    rows, found, change = 0, 0, 0.0
    for iteration in range(newton):
        if iteration > 0:
            seek(tree, h, q, v_out, body_work, dof_work, q_work)
        # What is prescribed has been led where it was to go by the first solve.
        where, ahead, led = (q, h, given) if iteration == 0 else (q_work, 0.0, nothing)
        read_stops(tree, limits, where, v_out, prescribed, ahead, h, frequency, stops)
        report_out.rounds = 0
        for turn in range(MOST_ROUNDS):
            if turn > 0:
                for i in range(tree.shape[0]):
                    reset_axes(tree, i, q, body_work, dof_work)
            load_joints(
                tree, dofs, limits, rest, script, where, v_out, v, prescribed, tau, time, h, ahead, frequency, stops, body_work,
                dof_work, vdot_out,
            )  # fmt: skip
            found = find_touches(
                tree, probes, obstacles, meshes, gravity, h, gains, body_work, obstacle_work, stack_work, anchors_out, touches
            )  # fmt: skip
            rows = solve(
                tree, dofs, limits, rest, gravity, q, v_out, prescribed, led, tau, external, script, sizes, loops, found, time,
                h, frequency, momenta, body_work, dof_work, room_work, blocks_work, felt_out, report_out, vdot_out, effort_out,
            )  # fmt: skip
            is_open = judge_stops(
                tree, limits, where, v_out, vdot_out, prescribed, ahead, h, frequency, turn == MOST_ROUNDS - 1, stops
            )  # fmt: skip
            report_out.open = 1 if is_open else 0
            if not is_open:
                break
        take_velocities(tree, dofs, gravity, vdot_out, h, body_work, v_out)
        change = largest(vdot_out, h)
        report_out.iterations = iteration + 1
        if change < CONVERGED * (1.0 + largest(v_out, 1.0)):
            break
    report_out.change = change
    is_pushed = script[4].shape[0] > 0 or found > 0
    transmit(
        tree,
        gravity,
        h,
        external,
        is_pushed,
        room_work.stiff,
        room_work.wrench,
        rows > 0,
        room_work.tied,
        momenta,
        body_work,
    )
    return rows, found


@kernel
def tell(
    tree, dofs, script, sizes, found, v_end, h, time, body_work, contact_work, room_work, felt_out, vdot_out, anchors_out,
    v_out, touch_out,
):  # fmt: skip
    """What a solved step tells: forces of touch and of goals, accelerations, the velocities of joints at its end."""
    leave_touches(found, room_work.touches, h, contact_work[0], body_work, anchors_out, touch_out)
    lead_bodies(script, sizes, tree, time, h, h, body_work, room_work.stiff, room_work.wrench, felt_out)
    for d in range(dofs.shape[0]):
        vdot_out[d] = (v_end[d] - v_out[d]) / h
        v_out[d] = v_end[d]


@kernel
def go_on(
    tree, dofs, limits, gravity, loops, prescribed, followed, target, rows, h, frequency, charged, body_work, dof_work,
    room_work, report_out, momenta_out, q_out, v_out,
):  # fmt: skip
    """Move all joints and bodies on with the velocities of a solved step, and keep their momenta.

    `charged` are the stops that have to be paid for: those of the step, or none.
    """
    room = room_work
    expect(tree, loops, prescribed, h, body_work, room.trees, momenta_out, v_out)
    is_open = report_out.open == 1
    if loops.shape[0] > 0:
        report_out.gap = move_closed(
            tree, dofs, loops, prescribed, followed, target, rows, h, is_open, body_work, dof_work, room, q_out, v_out
        )  # fmt: skip
    else:
        report_out.gap = 0.0
        move_joints(tree, followed, target, h, is_open, room.stops, room.trees, body_work, q_out, v_out)
    settle(tree, limits, gravity, h, frequency, charged, body_work, room.trees, momenta_out, q_out)


@kernel
def run_stiff(
    tree, dofs, limits, rest, gravity, loops, touching, prescribed, followed, targets, tau, external, script, sizes, h,
    frequency, max_speed, gains, newton, is_start, steps, time, body_work, dof_work, contact_work, anchor_work, given_work,
    q_work, v_work, room_work, blocks_work, felt_out, report_out, effort_out, vdot_out, anchors_out, momenta_out, q_out, v_out,
    touch_out,
):  # fmt: skip
    """Advance the state in place by `steps` implicit steps.

    `is_start` says that the momenta are not known yet and follow from q and v. `touching` and `contact_work` are the tuples
    of `contact.step`, `script` that of `control.direct`. Returns the steps done, the time reached and the coordinate that
    ran away (-1 if none did): the state is then that of the last good step.
    """
    for step in range(steps):
        copy_rows(anchors_out, anchor_work)
        target = targets[step] if followed.shape[0] > 0 else q_work
        begin(tree, dofs, q_out, v_out, body_work, dof_work)
        if is_start and step == 0:
            keep_momenta(tree, body_work, momenta_out)
        if followed.shape[0] > 0:
            follow(tree, followed, target, q_out, v_out, h, given_work)
        rows, found = find_velocities(
            tree, dofs, limits, rest, gravity, loops, touching, prescribed, given_work, tau, external, script, sizes, h,
            frequency, gains, newton, time, momenta_out, q_out, v_out, body_work, dof_work, contact_work, q_work, room_work,
            blocks_work, felt_out, report_out, effort_out, vdot_out, anchors_out, v_work,
        )  # fmt: skip
        bad = first_diverged(dofs, v_work, max_speed)
        if bad >= 0:
            copy_rows(anchor_work, anchors_out)
            return step, time, bad
        clear(touch_out)
        tell(
            tree, dofs, script, sizes, found, v_work, h, time, body_work, contact_work, room_work, felt_out, vdot_out,
            anchors_out, v_out, touch_out,
        )  # fmt: skip
        go_on(
            tree, dofs, limits, gravity, loops, prescribed, followed, target, rows, h, frequency, room_work.stops, body_work,
            dof_work, room_work, report_out, momenta_out, q_out, v_out,
        )  # fmt: skip
        time += h
    return steps, time, -1
