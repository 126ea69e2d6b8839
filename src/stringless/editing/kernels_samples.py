"""Samples between two steps: velocities that belong to them, without a jump from step to step; and the way of a point.

Velocities of the step lag half of it behind (`engines/reduced/pipeline.py`). What they lag behind is kept beside them, so that a
moment has `u = v + h/2 vdot`, the velocity that belongs to its configuration.
"""

from __future__ import annotations

from stringless.editing import kernels_lanes as lanes
from stringless.editing.kernels_lanes import LANES, G, Q, U, V, Y, set_three, three_of
from stringless.jit import kernel
from stringless.kinematics.kernels import find_pose
from stringless.model.joints import registry
from stringless.spatial import mat3, rotation, vec3

FREE = registry.FREE


@kernel(inline=True)
def lag(tree, v, span, work):
    """What velocities lag behind at the end of a step: `h/2 vdot`; of a free joint along its axes then.

    Its linear velocity is advanced along world axes: `h/2 E (vdot + u_w x u_v)`, `E = exp(-h w+)`.
    """
    h, u, vdot = span.h, work.u, work.vdot
    for i in range(tree.shape[0]):
        row = tree[i]
        for d in range(row.v0, row.v0 + row.nv):
            work.lag[d] = 0.5 * h * vdot[d]
        if row.kind == FREE:
            d = row.v0
            w = vec3.add_scaled(vec3.load(v, d), span.h_v, vec3.load(vdot, d))
            rate = vec3.add(vec3.load(vdot, d + 3), vec3.cross(vec3.load(u, d), vec3.load(u, d + 3)))
            E = rotation.exp_matrix(vec3.scale(-h, w))
            vec3.store(work.lag, d + 3, vec3.scale(0.5 * h, mat3.transform(E, rate)))


@kernel(inline=True)
def first_lag(tree, last, state, columns_work, lag_out):
    """What velocities lag behind where a roll begins, and the columns of that."""
    v, vdot = state.v, state.vdot
    for i in range(tree.shape[0]):
        row = tree[i]
        for d in range(row.v0, row.v0 + row.nv):
            lag_out[d] = 0.5 * last * vdot[d]
        if row.kind == FREE:
            d = row.v0
            w, s = vec3.load(v, d), vec3.load(v, d + 3)
            vec3.store(lag_out, d + 3, vec3.scale(0.5 * last, vec3.add(vec3.load(vdot, d + 3), vec3.cross(w, s))))
            for b in range(columns_work.shape[0]):
                for l in range(LANES):
                    dw, ds = three_of(columns_work[b], V, d, l), three_of(columns_work[b], V, d + 3, l)
                    turned = vec3.add(vec3.cross(dw, s), vec3.cross(w, ds))
                    set_three(G, d + 3, l, vec3.scale(0.5 * last, turned), columns_work[b])


@kernel(inline=True)
def smooth_free(first, last, h, part, dh, work, columns, columns_work, v_out):
    """`smooth` for the sliding coordinates of a free joint: all along the axes of the sample."""
    back, share, lag_before, lag_after = 1.0 - part / h, last / part, work.lag_before, work.lag
    d = first + 3
    g, before = vec3.load(lag_after, d), vec3.load(lag_before, d)
    E = rotation.exp_matrix(vec3.scale(-part, vec3.load(v_out, first)))
    e = mat3.transform(E, before)
    jump = vec3.subtract(vec3.scale(share, g), e)
    vec3.store(v_out, d, vec3.add_scaled(vec3.add(vec3.load(v_out, d), g), -back, jump))
    for b in range(dh.shape[0]):
        before_b, after_b = columns[b], columns_work[b]
        for l in range(LANES):
            turn, turn_after = three_of(before_b, Q, first, l), three_of(after_b, Q, first, l)
            dg = three_of(after_b, G, d, l)
            de = mat3.transform(E, vec3.add(vec3.cross(turn, before), three_of(before_b, G, d, l)))
            de = vec3.subtract(de, vec3.cross(turn_after, e))
            d_jump = vec3.subtract(vec3.scale(share, vec3.add_scaled(dg, -dh[b, l] / part, g)), de)
            x = vec3.add(three_of(after_b, V, d, l), dg)
            set_three(U, d, l, lanes.add_two(x, -back, d_jump, dh[b, l] / h, jump), after_b)


@kernel(inline=True)
def smooth(tree, last, h, part, dh, work, columns, columns_work, v_out):
    """Velocity of a sample from the v it has reached: `u = v + part/2 vdot - (1 - s) last/2 (vdot - vdot_before)`.

    s is the share of the step. The last term makes `v + last/2 vdot_before` of it at the step's beginning, and vanishes at its
    end and under a constant acceleration. `columns` are those before the sample's step, `columns_work` those after it.
    """
    lag_before, lag_after = work.lag_before, work.lag
    for i in range(tree.shape[0]):
        row = tree[i]
        turning = 3 if row.kind == FREE else row.nv
        if part == 0.0:
            for d in range(row.v0, row.v0 + row.nv):
                v_out[d] += lag_before[d]
            for d in range(row.v0 + turning, row.v0 + row.nv):
                for b in range(dh.shape[0]):
                    for l in range(LANES):
                        columns_work[b, d].x[U, l] = columns_work[b, d].x[V, l] + columns_work[b, d].x[G, l]
            continue
        if row.kind == FREE:
            smooth_free(row.v0, last, h, part, dh, work, columns, columns_work, v_out)
        back = 1.0 - part / h
        for d in range(row.v0, row.v0 + turning):
            jump = last / part * lag_after[d] - lag_before[d]
            v_out[d] += lag_after[d] - back * jump
            for b in range(dh.shape[0]):
                for l in range(LANES):
                    d_jump = 0.5 * last * columns_work[b, d].x[Y, l] - (columns[b, d].x[U, l] - columns[b, d].x[V, l])
                    columns_work[b, d].x[U, l] += jump / h * dh[b, l] - back * d_jump


@kernel(inline=True)
def keep(columns, columns_out):
    """δq and δu of a sample."""
    for b in range(columns.shape[0]):
        for d in range(columns.shape[1]):
            for l in range(LANES):
                columns_out[0, d, LANES * b + l] = columns[b, d].x[Q, l]
                columns_out[1, d, LANES * b + l] = columns[b, d].x[U, l]


@kernel
def trace(tree, q_frames, body, point, body_work, x_out):
    """Where a point of a body is in each frame, along world axes."""
    for f in range(q_frames.shape[0]):
        for i in range(body + 1):
            find_pose(tree, i, q_frames[f], body_work)
        R = mat3.load(body_work[body].R, 0)
        vec3.store(x_out[f], 0, vec3.add(vec3.load(body_work[body].p, 0), mat3.transform(R, vec3.load(point, 0))))
