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
def chase(error, rate, kp, kv, top):
    """Wanted acceleration from an error and the speed still to be gained: PD control that never asks for more than `top`.

    `kv (min(kp/kv |e|, top) e/|e| + rate)`: a target far away is approached at the top speed.
    """
    pace = kp / kv
    size = pace * math.sqrt(vec3.dot(error, error))
    if size > top:
        pace *= top / size
    return vec3.scale(kv, vec3.add_scaled(rate, pace, error))


@kernel(inline=True)
def faded(task, time):
    """How far a goal has faded in: 0 to 1, smooth at both ends."""
    if task.fade <= 0.0:
        return 1.0
    s = min(max((time - task.start) / task.fade, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


@kernel(inline=True)
def ahead(task, time):
    """How long the target has moved at its rate."""
    return max(min(time, task.until) - task.since, 0.0)


@kernel(inline=True)
def point_rows(tree, dofs, body, x, turning, body_work, dof_work, J_out):
    """Rows of the world point `x` on `body`, or of the body's turning; `J_out` is cleared first."""
    for d in range(dofs.shape[0]):
        J_out[0, d], J_out[1, d], J_out[2, d] = 0.0, 0.0, 0.0
    i = body
    while i >= 0:
        row = tree[i]
        arm = vec3.subtract(x, vec3.load(body_work[i].p, 0))
        for d in range(row.v0, row.v0 + row.nv):
            a = vec3.load(dof_work[d].a, 0)
            if turning:
                if dofs[d].turns == 0:
                    continue
                column = a
            else:
                column = vec3.cross(a, arm) if dofs[d].turns == 1 else a
            J_out[0, d], J_out[1, d], J_out[2, d] = column[0], column[1], column[2]
        i = row.parent


@kernel(inline=True)
def point_motion(body, x, gravity, A_bias, body_work):
    """Velocity of the world point `x` on `body`, and its acceleration with no joint accelerating."""
    work = body_work[body]
    arm = vec3.subtract(x, vec3.load(work.p, 0))
    w, v = vec3.load(work.V, 0), vec3.load(work.V, 3)
    xdot = vec3.add(v, vec3.cross(w, arm))
    A_w, A_v = vec3.load(A_bias[body], 0), vec3.load(A_bias[body], 3)
    bias = vec3.add(vec3.add(A_v, vec3.cross(A_w, arm)), vec3.cross(w, xdot))
    return xdot, vec3.add(bias, gravity)


@kernel(inline=True)
def project(nv, nx, direction, J, D, reach, qdd0, wanted, weight, row, A_out, b_out, scale_out):
    """One row along a direction: `n·J D x = n·(wanted - J qdd0)`, times its weight. `reach` is the largest of each row of D."""
    b = vec3.dot(direction, wanted)
    for c in range(nx):
        A_out[row, c] = 0.0
    size = 0.0
    for d in range(nv):
        j = direction[0] * J[0, d] + direction[1] * J[1, d] + direction[2] * J[2, d]
        if j != 0.0:
            b -= j * qdd0[d]
            size += abs(j) * reach[d]
            j *= weight
            for c in range(nx):
                A_out[row, c] += j * D[d, c]
    b_out[row] = weight * b
    scale_out[row] = weight * size


@kernel
def place_rows(tree, dofs, task, time, gravity, nx, D, reach, qdd0, A_bias, row, body_work, dof_work, J_work,
               A_out, b_out, scale_out):  # fmt: skip
    """A point of a body follows a target, along the task's directions."""
    work = body_work[task.body]
    x = vec3.add(vec3.load(work.p, 0), mat3.transform(mat3.load(work.R, 0), vec3.load(task.r, 0)))
    xdot, bias = point_motion(task.body, x, (gravity[0], gravity[1], gravity[2]), A_bias, body_work)
    rate = vec3.load(task.xdot, 0)
    target = vec3.add_scaled(vec3.load(task.x, 0), ahead(task, time), rate)
    if time > task.until:
        rate = (0.0, 0.0, 0.0)
    error, rate = vec3.subtract(target, x), vec3.subtract(rate, xdot)
    if task.count < 3:
        # What the task does not care for must not slow it down.
        kept, kept_rate = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for k in range(task.count):
            n = vec3.load(task.axes, 3 * k)
            kept = vec3.add_scaled(kept, vec3.dot(n, error), n)
            kept_rate = vec3.add_scaled(kept_rate, vec3.dot(n, rate), n)
        error, rate = kept, kept_rate
    share = faded(task, time)
    wanted = vec3.subtract(chase(error, rate, share * task.kp, task.kv, task.top), bias)
    point_rows(tree, dofs, task.body, x, False, body_work, dof_work, J_work)
    for k in range(task.count):
        project(dofs.shape[0], nx, vec3.load(task.axes, 3 * k), J_work, D, reach, qdd0, wanted, task.weight,
                row + k, A_out, b_out, scale_out)  # fmt: skip
    return task.count


@kernel
def turn_rows(
    tree, dofs, task, time, nx, D, reach, qdd0, A_bias, row, body_work, dof_work, J_work, A_out, b_out, scale_out
):
    """A body's orientation follows a target: `wdot = kp R log(Rᵀ R_d) + kv (w_d - w)`, along the task's directions."""
    work = body_work[task.body]
    R = mat3.load(work.R, 0)
    rate = vec3.load(task.w, 0)
    Q = (task.Q[0], task.Q[1], task.Q[2], task.Q[3])
    moved = vec3.scale(ahead(task, time), rate)
    if vec3.dot(moved, moved) > 0.0:
        Q = rotation.multiply_quaternions(rotation.exp_quaternion(moved), Q)
    if time > task.until:
        rate = (0.0, 0.0, 0.0)
    step = rotation.multiply_quaternions(rotation.conjugate(rotation.to_quaternion(R)), Q)
    error = mat3.transform(R, rotation.log_quaternion(rotation.normalise(step)))
    rate = vec3.subtract(rate, vec3.load(work.V, 0))
    wanted = chase(error, rate, faded(task, time) * task.kp, task.kv, task.top)
    wanted = vec3.subtract(wanted, vec3.load(A_bias[task.body], 0))
    point_rows(tree, dofs, task.body, vec3.load(work.p, 0), True, body_work, dof_work, J_work)
    for k in range(task.count):
        project(dofs.shape[0], nx, vec3.load(task.axes, 3 * k), J_work, D, reach, qdd0, wanted, task.weight,
                row + k, A_out, b_out, scale_out)  # fmt: skip
    return task.count


@kernel
def center_rows(
    dofs, task, time, gravity, nx, D, reach, qdd0, mass, motion, P, sums, row, J_work, A_out, b_out, scale_out
):
    """The centre of gravity follows a target. `motion` holds where it is and how it moves, `P` the momentum columns."""
    rate = vec3.load(task.xdot, 0)
    target = vec3.add_scaled(vec3.load(task.x, 0), ahead(task, time), rate)
    if time > task.until:
        rate = (0.0, 0.0, 0.0)
    error = vec3.subtract(target, vec3.load(motion, 0))
    rate = vec3.subtract(rate, vec3.load(motion, 3))
    wanted = chase(error, rate, faded(task, time) * task.kp, task.kv, task.top)
    # `sums` holds the force that the whole needs with no joint accelerating, gravity's share included.
    bias = vec3.add_scaled((gravity[0], gravity[1], gravity[2]), 1.0 / mass, vec3.load(sums, 0))
    wanted = vec3.subtract(wanted, bias)
    for d in range(dofs.shape[0]):
        for k in range(3):
            J_work[k, d] = P[k, d] / mass
    for k in range(task.count):
        project(dofs.shape[0], nx, vec3.load(task.axes, 3 * k), J_work, D, reach, qdd0, wanted, task.weight,
                row + k, A_out, b_out, scale_out)  # fmt: skip
    return task.count


@kernel
def pose_rows(tree, dofs, task, time, columns, column_of, nx, q, v, pose, weights, row, error_work, A_out, b_out,
              scale_out):  # fmt: skip
    """Joint coordinates follow a pose: `qdd = γ kp (q_d ⊖ q) - kv v`, for those directed and weighted above zero."""
    share = faded(task, time)
    done = -1
    used = 0
    for c in range(columns.shape[0]):
        d = columns[c]
        if weights[d] <= 0.0:
            continue
        body = dofs[d].body
        if body != done:
            registry.difference(tree[body], q, pose, error_work)
            done = body
        weight = task.weight * weights[d]
        for k in range(nx):
            A_out[row + used, k] = 0.0
        pace = min(max(share * task.kp / task.kv * error_work[d], -task.top), task.top)
        A_out[row + used, column_of[d]] = weight
        b_out[row + used] = weight * task.kv * (pace - v[d])
        scale_out[row + used] = weight
        used += 1
    return used


@kernel
def rows_of(tree, dofs, task, time, gravity, columns, column_of, nx, D, reach, qdd0, A_bias, q, v, poses, pose_weights, mass,
            motion, P, sums, pushing, row, body_work, dof_work, J_work, error_work, A_out, b_out, scale_out):  # fmt: skip
    """Rows of one task from number `row` on; returns how many."""
    if task.kind == PLACE:
        return place_rows(tree, dofs, task, time, gravity, nx, D, reach, qdd0, A_bias, row, body_work, dof_work, J_work,
                          A_out, b_out, scale_out)  # fmt: skip
    if task.kind == TURN:
        return turn_rows(
            tree,
            dofs,
            task,
            time,
            nx,
            D,
            reach,
            qdd0,
            A_bias,
            row,
            body_work,
            dof_work,
            J_work,
            A_out,
            b_out,
            scale_out,
        )
    if task.kind == CENTER:
        # Without the ground, no command can move it: there is no row.
        if not pushing:
            return 0
        return center_rows(
            dofs, task, time, gravity, nx, D, reach, qdd0, mass, motion, P, sums, row, J_work, A_out, b_out, scale_out
        )
    return pose_rows(tree, dofs, task, time, columns, column_of, nx, q, v, poses[task.pose], pose_weights[task.pose],
                     row, error_work, A_out, b_out, scale_out)  # fmt: skip
