"""How joints move on while loops stay closed.

Velocities that keep a loop closed do so along the tangents at the step's beginning: at the end it is open by something of
second order. So the way of the step is changed until all gaps are gone, as forces along the rows of the loops would change
it: with the factors that the step has been solved with, and a few rounds (the method of chords). Only poses get this, momenta
and velocities do not. Where joints turn so far in a step that the rounds do not lead together, trees with loops go half of
the way.
"""

from __future__ import annotations

from stringless.dynamics.kernels_response import find_response
from stringless.engines.stiff.kernels_constraints import add_row_force, measure_gaps, solve_rows
from stringless.engines.stiff.kernels_poses import move_joints, store_free_velocity
from stringless.flesh.kernels_motion import clear, copy_rows
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, vec3

FREE = registry.FREE
SHUT = 1e-11
"""A loop that is open by less is closed [m or rad]."""
OPEN = 1e-4
"""Share of a gap by which forces along its rows move bodies at least, if they can close it."""
ROUNDS = 12
"""To close the loops of one step ..."""
HALVINGS = 6
"""... and how often the way is halved if they stay open."""
SLOW = 0.7
"""A round that changes the way by more than this share of what the last one did leads nowhere."""


@kernel(inline=True)
def save_start(state, work):
    """Keep poses and velocities as the joints set out."""
    copy_rows(state.q, work.saved.q)
    copy_rows(state.v, work.saved.v)
    copy_rows(work.bodies, work.start)


@kernel(inline=True)
def restore_poses(state, work):
    """Joints and bodies where they set out."""
    copy_rows(work.saved.q, state.q)
    for i in range(work.bodies.shape[0]):
        body, start = work.bodies[i], work.start[i]
        mat3.store(body.R, 0, mat3.load(start.R, 0))
        vec3.store(body.p, 0, vec3.load(start.p, 0))
        vec3.store(body.r, 0, vec3.load(start.r, 0))


@kernel(inline=True)
def restore_velocities(tree, share, state, work):
    """The velocities of the solved step, or a share of them where loops are."""
    for i in range(tree.shape[0]):
        part = share if work.trees[tree[i].root].tied == 1 else 1.0
        for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
            state.v[d] = part * work.saved.v[d]
        for k in range(6):
            work.bodies[i].V[k] = part * work.start[i].V[k]


@kernel(inline=True)
def close_gaps(skeleton, state, prescribed, rows, h, work):
    """Change the way of the step by forces that take the gaps away, as the solved system answers to them.

    Returns by how much bodies go elsewhere.
    """
    tree, constraints = skeleton.tree, work.constraints
    response = constraints.response
    for k in range(rows):
        constraints.forces[k] = -constraints.rows[k].gap / (h * h)
    solve_rows(rows, constraints.matrix, constraints.forces)
    clear(constraints.wrench)
    for k in range(rows):
        add_row_force(constraints.rows[k], constraints.forces[k], tree, work.bodies, constraints.wrench)
    find_response(skeleton, prescribed, constraints.wrench, work.bodies, work.dofs, response)
    most = 0.0
    for i in range(tree.shape[0]):
        for k in range(6):
            work.bodies[i].V[k] += h * response.A[i, k]
            most = max(most, h * h * abs(response.A[i, k]))
        if tree[i].sequential == 1:  # ball and free joints move with their bodies
            for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
                state.v[d] += h * response.dv[d]
    return most


@kernel(inline=True)
def store_velocities(tree, state, work):
    """Velocities of the solved step at the poses that were reached; what has closed loops is no part of them."""
    restore_velocities(tree, 1.0, state, work)
    for i in range(tree.shape[0]):
        if tree[i].kind == FREE:
            store_free_velocity(tree, i, mat3.load(work.start[i].R, 0), work.bodies, state.v)


@kernel(inline=True)
def try_way(model, state, inputs, rows, h, share, is_open, work):
    """Go a share of the way, and close the gaps of loops; returns the largest gap left, and whether that has converged.

    Gaps of loops that contradict each other, and of those that joints led from outside tear, are left: no force closes them.
    """
    skeleton, constraints = model.skeleton, work.constraints
    restore_poses(state, work)
    restore_velocities(skeleton.tree, share, state, work)
    move_joints(skeleton.tree, state, inputs.followed, h, is_open, work)
    worst = measure_gaps(model.loops, work.bodies, constraints.rows)
    last = 1e300
    for _ in range(ROUNDS):
        if worst <= SHUT or last <= OPEN * worst:
            return worst, True
        restore_poses(state, work)
        change = close_gaps(skeleton, state, inputs.prescribed, rows, h, work)
        move_joints(skeleton.tree, state, inputs.followed, h, is_open, work)
        worst = measure_gaps(model.loops, work.bodies, constraints.rows)
        if change > SLOW * last:
            break
        last = change
    return worst, False


@kernel(inline=True)
def move_closed(model, state, inputs, rows, h, is_open, work):
    """Move all joints on with loops that stay closed; returns the largest gap that is left."""
    save_start(state, work)
    worst, share = 0.0, 1.0
    for _ in range(HALVINGS):
        worst, is_done = try_way(model, state, inputs, rows, h, share, is_open, work)
        if is_done:
            break
        share *= 0.5
    store_velocities(model.skeleton.tree, state, work)
    return worst
