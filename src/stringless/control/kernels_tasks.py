"""Rows of the tasks: `A x = b` says which command gives a task its wanted acceleration.

docs/theory/control.md, section 1.2. A task sees the accelerations `qdd = D x + qdd0` through its Jacobian: `A = J D`,
`b = wanted - J qdd0 - Jdot v`.
"""

from __future__ import annotations

import math

from stringless.control.tables import CENTER, PLACE, TURN
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, rotation, vec3


@kernel(inline=True)
def wanted_acceleration(error, rate, kp, kv, top):
    """Acceleration from an error and the speed still to be gained: PD control that never asks for more than `top`.

    `kv (min(kp/kv |e|, top) e/|e| + rate)`: a target far away is approached at the top speed.
    """
    pace = kp / kv
    size = pace * math.sqrt(vec3.dot(error, error))
    if size > top:
        pace *= top / size
    return vec3.scale(kv, vec3.add_scaled(rate, pace, error))


@kernel(inline=True)
def fade_in(task, time):
    """How far a goal has come into force: 0 to 1, smooth at both ends."""
    if task.fade <= 0.0:
        return 1.0
    s = min(max((time - task.start) / task.fade, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


@kernel(inline=True)
def elapsed(task, time):
    """For how long the target has moved at its rate."""
    return max(min(time, task.until) - task.since, 0.0)


@kernel(inline=True)
def find_target(task, time):
    """Where the target is, and how fast it moves on."""
    rate = vec3.load(task.xdot, 0)
    target = vec3.add_scaled(vec3.load(task.x, 0), elapsed(task, time), rate)
    if time > task.until:
        rate = (0.0, 0.0, 0.0)
    return target, rate


@kernel(inline=True)
def write_point_jacobian(skeleton, motion, body, x, turning, J_out):
    """Jacobian of the world point `x` on `body`, or of the body's turning; `J_out` is cleared first."""
    for d in range(skeleton.dofs.shape[0]):
        J_out[0, d], J_out[1, d], J_out[2, d] = 0.0, 0.0, 0.0
    i = body
    while i >= 0:
        row = skeleton.tree[i]
        arm = vec3.subtract(x, vec3.load(motion.bodies[i].p, 0))
        for d in range(row.v0, row.v0 + row.nv):
            a = vec3.load(motion.dofs[d].a, 0)
            if turning:
                if skeleton.dofs[d].rotational == 0:
                    continue
                column = a
            else:
                column = vec3.cross(a, arm) if skeleton.dofs[d].rotational == 1 else a
            J_out[0, d], J_out[1, d], J_out[2, d] = column[0], column[1], column[2]
        i = row.parent


@kernel(inline=True)
def point_motion(body, x, gravity, A_bias, bodies):
    """Velocity of the world point `x` on `body`, and its acceleration with no joint accelerating."""
    work = bodies[body]
    arm = vec3.subtract(x, vec3.load(work.p, 0))
    w, v = vec3.load(work.V, 0), vec3.load(work.V, 3)
    xdot = vec3.add(v, vec3.cross(w, arm))
    A_w, A_v = vec3.load(A_bias[body], 0), vec3.load(A_bias[body], 3)
    bias = vec3.add(vec3.add(A_v, vec3.cross(A_w, arm)), vec3.cross(w, xdot))
    return xdot, vec3.add(bias, gravity)


@kernel(inline=True)
def find_axis_response(k, coordinates, effect, rows_work):
    """Row k of `P = J D`; returns `J qdd0` along that axis of the world, and what the row could be at most."""
    J, P = rows_work.J, rows_work.P
    passive, most = 0.0, 0.0
    for c in range(effect.unknowns):
        P[k, c] = 0.0
    for d in range(coordinates):
        j = J[k, d]
        if j != 0.0:
            passive += j * effect.qdd0[d]
            most += abs(j) * rows_work.reach[d]
            for c in range(effect.unknowns):
                P[k, c] += j * effect.D[d, c]
    return passive, most


@kernel
def write_directions(coordinates, task, wanted, effect, row, rows_work):
    """One row along each of the task's directions, `n·J D x = n·(wanted - J qdd0)`, times its weight; returns how many.

    Their size is that of all three directions together: what hardly moves along one of them is singular there.
    """
    A, P, ease = rows_work.A, rows_work.P, rows_work.ease
    p0, most0 = find_axis_response(0, coordinates, effect, rows_work)
    p1, most1 = find_axis_response(1, coordinates, effect, rows_work)
    p2, most2 = find_axis_response(2, coordinates, effect, rows_work)
    b = vec3.subtract(wanted, (p0, p1, p2))
    square = 0.0
    for c in range(effect.directed):
        square += ease[c] * (P[0, c] * P[0, c] + P[1, c] * P[1, c] + P[2, c] * P[2, c])
    for k in range(task.count):
        n, i = vec3.scale(task.weight, vec3.load(task.axes, 3 * k)), row + k
        for c in range(effect.unknowns):
            A[i, c] = n[0] * P[0, c] + n[1] * P[1, c] + n[2] * P[2, c]
        rows_work.b[i] = vec3.dot(n, b)
        rows_work.scale[i] = abs(n[0]) * most0 + abs(n[1]) * most1 + abs(n[2]) * most2
        rows_work.size[i] = math.sqrt(square)
    return task.count


@kernel
def write_place_rows(skeleton, motion, task, effect, row, rows_work):
    """A point of a body follows a target, along the task's directions."""
    work, time = motion.bodies[task.body], motion.time
    x = vec3.add(vec3.load(work.p, 0), mat3.transform(mat3.load(work.R, 0), vec3.load(task.r, 0)))
    xdot, bias = point_motion(task.body, x, vec3.load(skeleton.gravity, 0), effect.bias, motion.bodies)
    target, rate = find_target(task, time)
    error, rate = vec3.subtract(target, x), vec3.subtract(rate, xdot)
    if task.count < 3:
        # What the task does not care for must not slow it down.
        kept, kept_rate = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for k in range(task.count):
            n = vec3.load(task.axes, 3 * k)
            kept = vec3.add_scaled(kept, vec3.dot(n, error), n)
            kept_rate = vec3.add_scaled(kept_rate, vec3.dot(n, rate), n)
        error, rate = kept, kept_rate
    share = fade_in(task, time)
    wanted = vec3.subtract(wanted_acceleration(error, rate, share * task.kp, task.kv, task.top), bias)
    write_point_jacobian(skeleton, motion, task.body, x, False, rows_work.J)
    return write_directions(skeleton.dofs.shape[0], task, wanted, effect, row, rows_work)


@kernel
def write_turn_rows(skeleton, motion, task, effect, row, rows_work):
    """A body's orientation follows a target: `wdot = kp R log(Rᵀ R_d) + kv (w_d - w)`, along the task's directions."""
    work, time = motion.bodies[task.body], motion.time
    R = mat3.load(work.R, 0)
    rate = vec3.load(task.w, 0)
    Q = (task.Q[0], task.Q[1], task.Q[2], task.Q[3])
    moved = vec3.scale(elapsed(task, time), rate)
    if vec3.dot(moved, moved) > 0.0:
        Q = rotation.multiply_quaternions(rotation.exp_quaternion(moved), Q)
    if time > task.until:
        rate = (0.0, 0.0, 0.0)
    step = rotation.multiply_quaternions(rotation.conjugate(rotation.to_quaternion(R)), Q)
    error = mat3.transform(R, rotation.log_quaternion(rotation.normalise(step)))
    rate = vec3.subtract(rate, vec3.load(work.V, 0))
    wanted = wanted_acceleration(error, rate, fade_in(task, time) * task.kp, task.kv, task.top)
    wanted = vec3.subtract(wanted, vec3.load(effect.bias[task.body], 0))
    write_point_jacobian(skeleton, motion, task.body, vec3.load(work.p, 0), True, rows_work.J)
    return write_directions(skeleton.dofs.shape[0], task, wanted, effect, row, rows_work)


@kernel
def write_center_rows(gravity, mass, time, task, effect, ground, row, rows_work):
    """The centre of gravity follows a target."""
    target, rate = find_target(task, time)
    error = vec3.subtract(target, vec3.load(ground.center, 0))
    rate = vec3.subtract(rate, vec3.load(ground.center, 3))
    wanted = wanted_acceleration(error, rate, fade_in(task, time) * task.kp, task.kv, task.top)
    # What the whole needs with no joint accelerating has gravity's share in it.
    bias = vec3.add_scaled(vec3.load(gravity, 0), 1.0 / mass, vec3.load(ground.load, 0))
    wanted = vec3.subtract(wanted, bias)
    coordinates = ground.P.shape[1]
    for d in range(coordinates):
        for k in range(3):
            rows_work.J[k, d] = ground.P[k, d] / mass
    return write_directions(coordinates, task, wanted, effect, row, rows_work)


@kernel
def write_pose_rows(skeleton, character, motion, task, pose, weights, unknowns, row, rows_work):
    """Joint coordinates follow a pose: `qdd = γ kp (q_d ⊖ q) - kv v`, for those directed and weighted above zero."""
    share = fade_in(task, motion.time)
    done = -1
    used = 0
    for c in range(character.columns.shape[0]):
        d = character.columns[c]
        if weights[d] <= 0.0:
            continue
        body = skeleton.dofs[d].body
        if body != done:
            registry.difference(skeleton.tree[body], motion.q, pose, rows_work.error)
            done = body
        weight = task.weight * weights[d]
        for k in range(unknowns):
            rows_work.A[row + used, k] = 0.0
        pace = min(max(share * task.kp / task.kv * rows_work.error[d], -task.top), task.top)
        rows_work.A[row + used, character.column_of[d]] = weight
        rows_work.b[row + used] = weight * task.kv * (pace - motion.v[d])
        rows_work.scale[row + used] = weight
        rows_work.size[row + used] = math.sqrt(rows_work.ease[character.column_of[d]])
        used += 1
    return used


@kernel(inline=True)
def write_task(skeleton, character, motion, tables, task, effect, ground, row, rows_work):
    """Rows of one task from number `row` on; returns how many."""
    if task.kind == PLACE:
        return write_place_rows(skeleton, motion, task, effect, row, rows_work)
    if task.kind == TURN:
        return write_turn_rows(skeleton, motion, task, effect, row, rows_work)
    if task.kind == CENTER:
        # Without the ground, no command can move it: there is no row.
        if not effect.on_ground:
            return 0
        return write_center_rows(skeleton.gravity, character.mass, motion.time, task, effect, ground, row, rows_work)
    pose, weights = tables.poses[task.pose], tables.pose_weights[task.pose]
    return write_pose_rows(skeleton, character, motion, task, pose, weights, effect.unknowns, row, rows_work)


@kernel(inline=True)
def write_level_sizes(first, end, weight, rate, motion, effect, level, rows_work):
    """What a level divides its rows by, and how fast its damping brakes joints: never harder than to a stop in one step.

    With the ground counted on, rows are weighed against the style as they are.
    """
    for i in range(first, end):
        rows_work.size[i] = 1.0 if effect.on_ground else weight * rows_work.size[i]
    rows_work.ends[level] = end
    rows_work.rates[level] = 1.0 if effect.on_ground else min(rate, 1.0 / motion.h)


@kernel
def write_rows(skeleton, character, motion, tables, effect, ground, rows_work):
    """Rows `A x = b` of all goals, level by level; returns how many."""
    for i in range(character.members.shape[0]):
        body = skeleton.tree[character.members[i]]
        for d in range(body.v0, body.v0 + body.nv):
            rows_work.reach[d] = 0.0
            for c in range(effect.unknowns):
                rows_work.reach[d] = max(rows_work.reach[d], abs(effect.D[d, c]))
    for c in range(effect.directed):
        weight = tables.weights[character.columns[c]]
        rows_work.ease[c] = 1.0 / (weight * weight)
    row = effect.unknowns - effect.unknowns  # numba would compile for the literal 0 and once more for what it becomes
    t = row
    for level in range(character.levels):
        first, weight, rate = row, 0.0, 0.0
        while t < character.tasks.shape[0] and character.tasks[t].level == level:
            task = character.tasks[t]
            row += write_task(skeleton, character, motion, tables, task, effect, ground, row, rows_work)
            weight, rate = max(weight, task.weight), max(rate, task.kv)
            t += 1
        write_level_sizes(first, row, weight, rate, motion, effect, level, rows_work)
    return row
