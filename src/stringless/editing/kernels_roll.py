"""A stretch of motion and the columns of its sensitivity, step by step in one call.

The motion is that of the reduced engine without flesh and contact, by the same phases, to the last digit. A time between two
steps is reached by a step of the length that is missing, from the step before: so such a time, too, has a derivative, and it is
exact. Its velocity is `v + h/2 vdot`, as at the steps, and changes without a jump from one step to the next.
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
from stringless.editing.records import Motion
from stringless.engines.reduced.kernels_bones import accelerate, first_diverged, velocity_step
from stringless.engines.reduced.kernels_step import move_bones, set_product_velocities
from stringless.engines.reduced.records import Span
from stringless.flesh.kernels_motion import copy_rows
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.model.records import Inputs
from stringless.spatial import mat3

BALL, FREE = registry.BALL, registry.FREE


@kernel(inline=True)
def drive_columns(model, weights, tau, columns_work):
    """Columns of muscles: an effort changes by its weight, unless the actuator is at its limit."""
    for j in range(model.drives.shape[0]):
        d = model.drives[j, 0]
        if abs(tau[d]) < model.skeleton.dofs[d].effort:
            c = model.drives[j, 1]
            columns_work[c // lanes.LANES, d].x[lanes.Y, c % lanes.LANES] += weights[j]


@kernel(inline=True)
def load_columns(model, state, span, frequency, dh, work, columns_work):
    """What joints do to all columns: how their efforts change, and factors and matrices of the step."""
    skeleton = model.skeleton
    for i in range(skeleton.tree.shape[0]):
        row = skeleton.tree[i]
        if row.nv > 0:
            refer_factors(model, i, work.bodies, work.dofs, work.factors)
            if model.ways[i, RESISTS] == 1:
                resist_columns(skeleton, i, state, span, frequency, dh, work, columns_work)
            else:
                for b in range(columns_work.shape[0]):
                    for d in range(row.v0, row.v0 + row.nv):
                        lanes.clear(columns_work[b, d])
            if row.kind == BALL and row.nl > 0:
                mat3.store(work.mixing[i], MIX, restore_axes(skeleton.tree, i, work.bodies, work.dofs))
            if row.kind == BALL or row.kind == FREE:
                turn_step(row, state.v, work.vdot, span, work.mixing[i])


@kernel(inline=True)
def vary(model, inputs, weights, state, span, frequency, dh, work, columns_work):
    """Columns over one step, after `accelerate` has found `vdot` and before the state goes on.

    What a joint does to all of them comes first; then block after block of columns goes through the whole tree.
    """
    skeleton, bodies = model.skeleton, model.bodies
    load_columns(model, state, span, frequency, dh, work, columns_work)
    drive_columns(model, weights, inputs.tau, columns_work)
    prepare_terms(skeleton, bodies, work.u, work.vdot, inputs.external, work, work.sums, work.terms)
    for i in range(skeleton.tree.shape[0]):
        if skeleton.tree[i].kind == FREE:
            mat3.store(work.mixing[i], MIX, slide_moment(bodies, i, work.sums, work.terms))
    for b in range(columns_work.shape[0]):
        accelerate_columns(model, b, work, columns_work[b])
        for i in range(skeleton.tree.shape[0]):
            advance_columns(skeleton.tree[i], state.v, span, dh[b], work.mixing[i], work, columns_work[b])


@kernel
def stride(model, inputs, row, last, h, settings, dh, work, columns_work, state):
    """One step of the motion and of its columns, by the phases of the engine; the coordinate that ran away, -1 if none did."""
    skeleton, span = model.skeleton, Span(h, velocity_step(last, h), last)
    frequency, tau = settings.limit_frequency, inputs.tau[row]
    drive = Inputs(inputs.prescribed, work.u, inputs.prescribed, inputs.tau, tau, inputs.external)
    set_product_velocities(state, span, work)
    accelerate(
        skeleton, state.q, state.v, work.u, drive, span, frequency, work.bodies, work.dofs, work.vdot, work.effort
    )
    bad = first_diverged(skeleton.dofs, state.v, work.vdot, span, settings.max_speed)
    if bad >= 0:
        return bad
    if dh.shape[0] > 0:
        vary(model, drive, inputs.weights[row], state, span, frequency, dh, work, columns_work)
    lag(skeleton.tree, state.v, span, work)
    move_bones(skeleton, span, work, state)
    return -1


@kernel(inline=True)
def copy_state(before, state):
    """The same state elsewhere."""
    copy_rows(before.q, state.q)
    copy_rows(before.v, state.v)
    copy_rows(before.vdot, state.vdot)


@kernel(inline=True)
def row_of(motions, k):
    """One of many states."""
    return Motion(motions.q[k], motions.v[k], motions.vdot[k])


@kernel(inline=True)
def copy_columns(columns, columns_out):
    """The same columns elsewhere."""
    for b in range(columns.shape[0]):
        for d in range(columns.shape[1]):
            columns_out[b, d] = columns[b, d]


@kernel
def roll(model, inputs, settings, sample_times, steps, last, work, columns_work, spare_work, samples_out, frames_out):
    """Roll a motion on by `steps` steps, from the first frame, which is given; frames and samples are written.

    `last` is the length of the step before. A sample has configuration, velocity `u = v + h/2 vdot`, and the columns δq and δu.
    Returns the steps done and the coordinate that ran away, or -1.
    """
    tree, h, still, moved = model.skeleton.tree, settings.dt, sample_times.dh[0], sample_times.dh[1]
    taken = 0
    copy_state(row_of(frames_out, 0), work.state)
    first_lag(tree, last, work.state, columns_work, work.lag_before)
    for step in range(steps + 1):
        row = min(step, inputs.tau.shape[0] - 1)
        while taken < sample_times.steps.shape[0] and sample_times.steps[taken] == step:
            sample, part = row_of(samples_out.motion, taken), sample_times.parts[taken]
            copy_state(work.state, sample)
            copy_columns(columns_work, spare_work)
            if part > 0.0:
                bad = stride(model, inputs, row, last, part, settings, moved, work, spare_work, sample)
                if bad >= 0:
                    return step, bad
            smooth(tree, last, h, part, moved, work, columns_work, spare_work, sample.v)
            keep(spare_work, samples_out.columns[taken])
            taken += 1
        if step == steps:
            break
        bad = stride(model, inputs, row, last, h, settings, still, work, columns_work, work.state)
        if bad >= 0:
            return step, bad
        last = h
        copy_rows(work.lag, work.lag_before)
        if step + 1 < frames_out.q.shape[0]:
            copy_state(work.state, row_of(frames_out, step + 1))
    return steps, -1
