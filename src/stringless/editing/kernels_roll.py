"""A stretch of motion and the columns of its sensitivity, step by step in one call.

The motion is that of `run_symplectic` (`simulation/step.py`), to the last digit. A moment between two steps is reached by a
step of the length that is missing, from the step before: so a moment, too, has a derivative, and it is exact. Its velocity is
`v + h/2 vdot`, as at the steps, and changes without a jump from one step to the next.
"""

from __future__ import annotations

from stringless.dynamics.kernels_derivatives import prepare_terms
from stringless.editing import kernels_lanes as lanes
from stringless.editing.kernels_columns import (
    MIX,
    RESISTS,
    accelerate_columns,
    advance_columns,
    refer_factors,
    restore_axes,
    slide_moment,
    turn_step,
)
from stringless.editing.kernels_efforts import resist_columns
from stringless.editing.kernels_samples import first_lag, keep, lag, smooth
from stringless.engines.reduced.kernels_bones import accelerate, first_diverged, kick_time
from stringless.engines.reduced.records import Span
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.model.records import Inputs, Skeleton
from stringless.spatial import mat3
from stringless.state.scratch import RecursionWork

BALL, FREE = registry.BALL, registry.FREE
LAG, LAG_BEFORE = 7, 8
"""Rows of `vector_work`: what velocities lag behind after the last step taken, and where a sample begins."""


@kernel(inline=True)
def drive_columns(dofs, drives, weights, tau, columns_work):
    """Columns of muscles: an effort changes by its weight, unless the actuator is at its limit."""
    for j in range(drives.shape[0]):
        d = drives[j, 0]
        if abs(tau[d]) < dofs[d].effort:
            c = drives[j, 1]
            columns_work[c // lanes.LANES, d].x[lanes.Y, c % lanes.LANES] += weights[j]


@kernel(inline=True)
def vary(
    tree, dofs, limits, rest, gravity, bodies, ways, heavies, drives, weights, q, v, u, vdot, tau, external, h, kick,
    kick_rate, frequency, dh, body_work, dof_work, vector_work, sums_work, terms_work, factors_work, mixing_work, path_work,
    load_work, motion_work, columns_work,
):  # fmt: skip
    """Columns over one step, after `accelerate` has found `vdot` and before the state goes on.

    What a joint does to all of them comes first; then block after block of columns goes through the whole tree.
    """
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.nv > 0:
            refer_factors(tree, dofs, bodies, i, body_work, dof_work, factors_work)
            if ways[i, RESISTS] == 1:
                resist_columns(
                    tree, dofs, limits, i, rest, q, v, vdot, h, kick, kick_rate, frequency, dh, vector_work, columns_work
                )  # fmt: skip
            else:
                for b in range(columns_work.shape[0]):
                    for d in range(row.v0, row.v0 + row.nv):
                        lanes.clear(columns_work[b, d])
            if row.kind == BALL and row.nl > 0:
                mat3.store(mixing_work[i], MIX, restore_axes(tree, i, body_work, dof_work))
            if row.kind == BALL or row.kind == FREE:
                turn_step(row, v, vdot, h, kick, mixing_work[i])
    drive_columns(dofs, drives, weights, tau, columns_work)
    skeleton, tables = Skeleton(tree, dofs, limits, rest, gravity), RecursionWork(body_work, dof_work)
    prepare_terms(skeleton, bodies, u, vdot, external, tables, sums_work, terms_work)
    for i in range(tree.shape[0]):
        if tree[i].kind == FREE:
            mat3.store(mixing_work[i], MIX, slide_moment(bodies, i, sums_work, terms_work))
    for b in range(columns_work.shape[0]):
        accelerate_columns(
            tree, bodies, ways, heavies, b, sums_work, terms_work, factors_work, mixing_work, columns_work[b], path_work[b],
            load_work[b], motion_work[b],
        )  # fmt: skip
        for i in range(tree.shape[0]):
            advance_columns(tree, i, u, v, vdot, h, kick, kick_rate, dh[b], mixing_work, columns_work[b])


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
    skeleton, inputs = Skeleton(tree, dofs, limits, rest, gravity), Inputs(given, u, given, tau, tau, external)
    span = Span(h, kick, last)
    accelerate(skeleton, q_out, v_out, u, inputs, span, frequency, body_work, dof_work, vdot, effort)
    bad = first_diverged(dofs, v_out, vdot, span, max_speed)
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
def copy_columns(columns, columns_out):
    """The same columns elsewhere."""
    for b in range(columns.shape[0]):
        for d in range(columns.shape[1]):
            columns_out[b, d] = columns[b, d]


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
            )  # fmt: skip
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
