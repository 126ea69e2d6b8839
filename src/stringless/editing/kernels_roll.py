"""A stretch of motion and the columns of its sensitivity, step by step in one call.

The motion is that of `run_symplectic` (`simulation/step.py`), to the last digit. A moment between two steps is reached by a
step of the length that is missing, from the step before: so a moment, too, has a derivative, and it is exact. Its velocity is
`v + h/2 vdot`, as at the steps, and changes without a jump from one step to the next.
"""

from __future__ import annotations

from stringless.dynamics.kernels_derivatives import prepare
from stringless.editing import kernels_lanes as lanes
from stringless.editing.kernels_columns import (
    RESISTS,
    G,
    Q,
    U,
    V,
    Y,
    accelerate_columns,
    advance_columns,
    refer_factors,
    restore_axes,
)
from stringless.editing.kernels_efforts import resist_columns
from stringless.jit import kernel
from stringless.kinematics.kernels import place
from stringless.model.joints import registry
from stringless.simulation.step import accelerate, first_runaway, kick_time
from stringless.spatial import mat3, rotation, vec3

BALL, FREE = registry.BALL, registry.FREE
LAG, LAG_BEFORE = 7, 8
"""Rows of `vector_work`: what velocities lag behind after the last step taken, and where a sample begins."""


@kernel(inline=True)
def drive_columns(dofs, drives, weights, tau, columns_work):
    """Columns of muscles: an effort changes by its weight, unless the actuator is at its limit."""
    for j in range(drives.shape[0]):
        d = drives[j, 0]
        if abs(tau[d]) < dofs[d].effort:
            columns_work[Y, d, drives[j, 1]] += weights[j]


@kernel(inline=True)
def vary(
    tree, dofs, limits, rest, gravity, bodies, ways, heavies, drives, weights, q, v, u, vdot, tau, external, h, kick,
    kick_rate, frequency, dh, body_work, dof_work, vector_work, sums_work, terms_work, factors_work, mixing_work, path_work,
    load_work, motion_work, columns_work,
):  # fmt: skip
    """Columns over one step, after `accelerate` has found `vdot` and before the state goes on."""
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.nv > 0:
            refer_factors(tree, dofs, bodies, i, body_work, dof_work, factors_work)
            if ways[i, RESISTS] == 1:
                resist_columns(
                    tree, dofs, limits, i, rest, q, v, vdot, h, kick, kick_rate, frequency, dh, vector_work, columns_work
                )
            else:
                lanes.clear_rows(columns_work[Y, row.v0 : row.v0 + row.nv])
            if row.kind == BALL and row.nl > 0:
                mat3.store(mixing_work[i], 0, restore_axes(tree, i, body_work, dof_work))
    drive_columns(dofs, drives, weights, tau, columns_work)
    prepare(tree, dofs, bodies, gravity, u, vdot, external, body_work, dof_work, sums_work, terms_work)
    accelerate_columns(
        tree, dofs, bodies, ways, heavies, body_work, dof_work, sums_work, terms_work, factors_work, mixing_work,
        columns_work, path_work, load_work, motion_work,
    )  # fmt: skip
    for i in range(tree.shape[0]):
        advance_columns(tree, i, u, v, vdot, h, kick, kick_rate, dh, columns_work)


@kernel
def stride(
    tree, dofs, limits, rest, gravity, bodies, ways, heavies, drives, weights, tau, external, given, dh, last, h, frequency,
    max_speed, body_work, dof_work, vector_work, sums_work, terms_work, factors_work, mixing_work, path_work, load_work,
    motion_work, columns_work, q_out, v_out, vdot_out,
):  # fmt: skip
    """One step of the motion and of its columns; returns the coordinate that ran away, -1 if none did."""
    u, vdot, effort = vector_work[0], vector_work[1], vector_work[2]
    for d in range(dofs.shape[0]):
        u[d] = v_out[d] + 0.5 * last * vdot_out[d]
    kick = kick_time(last, h)
    accelerate(
        tree, dofs, limits, rest, gravity, q_out, v_out, u, given, u, tau, external, h, kick, frequency,
        body_work, dof_work, vdot, effort,
    )  # fmt: skip
    bad = first_runaway(dofs, v_out, vdot, h, kick, max_speed)
    if bad >= 0:
        return bad
    kick_rate = 0.5 if last > 0.0 else 1.0
    if dh.shape[0] > 0:
        vary(
            tree, dofs, limits, rest, gravity, bodies, ways, heavies, drives, weights, q_out, v_out, u, vdot, tau, external,
            h, kick, kick_rate, frequency, dh, body_work, dof_work, vector_work, sums_work, terms_work,
            factors_work, mixing_work, path_work, load_work, motion_work, columns_work,
        )  # fmt: skip
    lag(tree, u, v_out, vdot, h, kick, vector_work[LAG])
    for i in range(tree.shape[0]):
        registry.advance(tree[i], u, vdot, h, kick, q_out, v_out)
    for d in range(dofs.shape[0]):
        vdot_out[d] = vdot[d]
    return -1


@kernel(inline=True)
def copy_state(q, v, vdot, q_out, v_out, vdot_out):
    """The same state elsewhere."""
    for k in range(q.shape[0]):
        q_out[k] = q[k]
    for d in range(v.shape[0]):
        v_out[d], vdot_out[d] = v[d], vdot[d]


@kernel(inline=True)
def lag(tree, u, v, vdot, h, kick, lag_out):
    """What velocities lag behind at the end of a step: `h/2 vdot`; of a free joint along its axes then.

    Its linear velocity is advanced along world axes: `h/2 E (vdot + u_w x u_v)`, `E = exp(-h w+)`.
    """
    for i in range(tree.shape[0]):
        row = tree[i]
        for d in range(row.v0, row.v0 + row.nv):
            lag_out[d] = 0.5 * h * vdot[d]
        if row.kind == FREE:
            d = row.v0
            w = vec3.add_scaled(vec3.load(v, d), kick, vec3.load(vdot, d))
            rate = vec3.add(vec3.load(vdot, d + 3), vec3.cross(vec3.load(u, d), vec3.load(u, d + 3)))
            vec3.store(lag_out, d + 3, vec3.scale(0.5 * h, mat3.transform(rotation.exp_matrix(vec3.scale(-h, w)), rate)))


@kernel(inline=True)
def first_lag(tree, last, v, vdot, columns_work, lag_out):
    """What velocities lag behind where a roll begins, and the columns of that."""
    for i in range(tree.shape[0]):
        row = tree[i]
        for d in range(row.v0, row.v0 + row.nv):
            lag_out[d] = 0.5 * last * vdot[d]
        if row.kind == FREE:
            d = row.v0
            w, s = vec3.load(v, d), vec3.load(v, d + 3)
            vec3.store(lag_out, d + 3, vec3.scale(0.5 * last, vec3.add(vec3.load(vdot, d + 3), vec3.cross(w, s))))
            for l in range(columns_work.shape[2]):
                dw, ds = lanes.get(columns_work[V], d, l), lanes.get(columns_work[V], d + 3, l)
                turned = vec3.add(vec3.cross(dw, s), vec3.cross(w, ds))
                lanes.put(d + 3, l, vec3.scale(0.5 * last, turned), columns_work[G])


@kernel(inline=True)
def smooth_free(first, last, h, part, dh, lag_before, lag_after, columns, columns_work, v_out):
    """`smooth` for the sliding coordinates of a free joint: all along the axes of the sample."""
    back, share = 1.0 - part / h, last / part
    d = first + 3
    g, before = vec3.load(lag_after, d), vec3.load(lag_before, d)
    E = rotation.exp_matrix(vec3.scale(-part, vec3.load(v_out, first)))
    e = mat3.transform(E, before)
    jump = vec3.subtract(vec3.scale(share, g), e)
    vec3.store(v_out, d, vec3.add_scaled(vec3.add(vec3.load(v_out, d), g), -back, jump))
    for l in range(dh.shape[0]):
        turn, turn_after = lanes.get(columns[Q], first, l), lanes.get(columns_work[Q], first, l)
        dg = lanes.get(columns_work[G], d, l)
        de = mat3.transform(E, vec3.add(vec3.cross(turn, before), lanes.get(columns[G], d, l)))
        de = vec3.subtract(de, vec3.cross(turn_after, e))
        d_jump = vec3.subtract(vec3.scale(share, vec3.add_scaled(dg, -dh[l] / part, g)), de)
        x = vec3.add(lanes.get(columns_work[V], d, l), dg)
        lanes.put(d, l, lanes.add_two(x, -back, d_jump, dh[l] / h, jump), columns_work[U])


@kernel(inline=True)
def smooth(tree, last, h, part, dh, lag_before, lag_after, columns, columns_work, v_out):
    """Velocity of a sample from the v it has reached: `u = v + part/2 vdot - (1 - s) last/2 (vdot - vdot_before)`.

    s is the share of the step. The last term makes `v + last/2 vdot_before` of it at the step's beginning, and vanishes at its
    end and under a constant acceleration. `columns` are those before the sample's step, `columns_work` those after it.
    """
    for i in range(tree.shape[0]):
        row = tree[i]
        turning = 3 if row.kind == FREE else row.nv
        if part == 0.0:
            for d in range(row.v0, row.v0 + row.nv):
                v_out[d] += lag_before[d]
            for d in range(row.v0 + turning, row.v0 + row.nv):
                for l in range(dh.shape[0]):
                    columns_work[U, d, l] = columns_work[V, d, l] + columns_work[G, d, l]
            continue
        if row.kind == FREE:
            smooth_free(row.v0, last, h, part, dh, lag_before, lag_after, columns, columns_work, v_out)
        back = 1.0 - part / h
        for d in range(row.v0, row.v0 + turning):
            jump = last / part * lag_after[d] - lag_before[d]
            v_out[d] += lag_after[d] - back * jump
            for l in range(dh.shape[0]):
                d_jump = 0.5 * last * columns_work[Y, d, l] - (columns[U, d, l] - columns[V, d, l])
                columns_work[U, d, l] += jump / h * dh[l] - back * d_jump


@kernel(inline=True)
def keep(columns, columns_out):
    """δq and δu of a sample."""
    for d in range(columns.shape[1]):
        for l in range(columns.shape[2]):
            columns_out[0, d, l] = columns[Q, d, l]
            columns_out[1, d, l] = columns[U, d, l]


@kernel(inline=True)
def copy_columns(columns, columns_out):
    """The same columns elsewhere, as many tables as there is room for."""
    for k in range(columns_out.shape[0]):
        for d in range(columns.shape[1]):
            for l in range(columns.shape[2]):
                columns_out[k, d, l] = columns[k, d, l]


@kernel
def roll(
    tree, dofs, limits, rest, gravity, bodies, ways, heavies, drives, weights, tau, external, given, dh, sample_steps,
    sample_times, last, h, frequency, max_speed, steps, body_work, dof_work, vector_work, sums_work, terms_work,
    factors_work, mixing_work, path_work, load_work, motion_work, columns_work, spare_columns_work, q_work, v_work, vdot_work,
    q_samples_out, v_samples_out, columns_samples_out, q_frames_out, v_frames_out, vdot_frames_out,
):  # fmt: skip
    """Roll a motion on by `steps` steps, from the first frame, which is given; frames and samples are written.

    Sample s is taken `sample_times[s]` after step `sample_steps[s]` (in order): configuration, velocity
    `u = v + h/2 vdot`, and the columns δq and δu. `dh` tells for each column how the moment of a sample changes.
    `tau` and `weights` have a row for each step, or none. Returns the steps done and the coordinate that ran away, or -1.
    """
    taken = 0
    copy_state(q_frames_out[0], v_frames_out[0], vdot_frames_out[0], q_work, v_work, vdot_work)
    still = dh[0]
    first_lag(tree, last, v_work, vdot_work, columns_work, vector_work[LAG_BEFORE])
    for step in range(steps + 1):
        row = step if step < tau.shape[0] else tau.shape[0] - 1
        while taken < sample_steps.shape[0] and sample_steps[taken] == step:
            q, v, vdot = q_samples_out[taken], v_samples_out[taken], vector_work[6]
            copy_state(q_work, v_work, vdot_work, q, v, vdot)
            copy_columns(columns_work, spare_columns_work)
            part = sample_times[taken]
            if part > 0.0:
                bad = stride(
                    tree, dofs, limits, rest, gravity, bodies, ways, heavies, drives, weights[row], tau[row], external, given,
                    dh[1], last, part, frequency, max_speed, body_work, dof_work, vector_work, sums_work, terms_work,
                    factors_work, mixing_work, path_work, load_work, motion_work, spare_columns_work, q, v, vdot,
                )  # fmt: skip
                if bad >= 0:
                    return step, bad
            smooth(
                tree, last, h, part, dh[1], vector_work[LAG_BEFORE], vector_work[LAG], columns_work, spare_columns_work, v
            )
            keep(spare_columns_work, columns_samples_out[taken])
            taken += 1
        if step == steps:
            break
        bad = stride(
            tree, dofs, limits, rest, gravity, bodies, ways, heavies, drives, weights[row], tau[row], external, given,
            still, last, h, frequency, max_speed, body_work, dof_work, vector_work, sums_work, terms_work,
            factors_work, mixing_work, path_work, load_work, motion_work, columns_work, q_work, v_work, vdot_work,
        )  # fmt: skip
        if bad >= 0:
            return step, bad
        last = h
        for d in range(dofs.shape[0]):
            vector_work[LAG_BEFORE, d] = vector_work[LAG, d]
        if step + 1 < q_frames_out.shape[0]:
            copy_state(
                q_work, v_work, vdot_work, q_frames_out[step + 1], v_frames_out[step + 1], vdot_frames_out[step + 1]
            )
    return steps, -1


@kernel
def trace(tree, q_frames, body, point, body_work, x_out):
    """Where a point of a body is in each frame, along world axes."""
    for f in range(q_frames.shape[0]):
        for i in range(body + 1):
            place(tree, i, q_frames[f], body_work)
        R = mat3.load(body_work[body].R, 0)
        vec3.store(x_out[f], 0, vec3.add(vec3.load(body_work[body].p, 0), mat3.transform(R, vec3.load(point, 0))))
