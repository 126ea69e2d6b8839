"""How joints move on while loops stay closed.

Velocities that keep a loop closed do so along the tangents at the step's beginning: at the end it is open by something of
second order. So the way of the step is changed until all gaps are gone, as forces along the rows of the loops would change
it: with the factors that the step has been solved with, and a few rounds (the method of chords). Only poses get this, momenta
and velocities do not. Where joints turn so far in a step that the rounds do not lead together, trees with loops go half of
the way.
"""

from __future__ import annotations

from stringless.engines.stiff.kernels_advance import move_joints, tell_free_velocity
from stringless.engines.stiff.kernels_links import read_gaps, solve_rows, spread_force
from stringless.engines.stiff.kernels_response import respond
from stringless.flesh.kernels_motion import clear, copy_rows
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3

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
def remember(tree, q, v, body_work, room_work):
    """Keep poses and velocities as the joints set out."""
    copy_rows(q, room_work.q)
    copy_rows(v, room_work.v)
    for i in range(tree.shape[0]):
        work, start = body_work[i], room_work.start[i]
        for k in range(9):
            start[k] = work.R[k]
        for k in range(3):
            start[9 + k], start[12 + k] = work.p[k], work.r[k]
        for k in range(6):
            start[15 + k] = work.V[k]


@kernel(inline=True)
def set_back(tree, room, body_out, q_out):
    """Joints and bodies where they set out."""
    copy_rows(room.q, q_out)
    for i in range(tree.shape[0]):
        work, start = body_out[i], room.start[i]
        for k in range(9):
            work.R[k] = start[k]
        for k in range(3):
            work.p[k], work.r[k] = start[9 + k], start[12 + k]


@kernel(inline=True)
def set_out(tree, room, share, body_out, v_out):
    """The velocities of the solved step, or a share of them where loops are."""
    for i in range(tree.shape[0]):
        part = share if room.trees[tree[i].root].tied == 1 else 1.0
        for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
            v_out[d] = part * room.v[d]
        for k in range(6):
            body_out[i].V[k] = part * room.start[i, 15 + k]


@kernel
def draw_together(tree, dofs, prescribed, rows, h, body_work, dof_work, room_work, v_out):
    """Change the way of the step by forces that take the gaps away, as the solved system answers to them.

    Returns by how much bodies go elsewhere.
    """
    room = room_work
    for k in range(rows):
        room.forces[k] = -room.links[k].gap / (h * h)
    solve_rows(rows, room.matrix, room.forces)
    clear(room.tied)
    for k in range(rows):
        spread_force(room.links[k], room.forces[k], tree, body_work, room.tied)
    respond(tree, dofs, prescribed, room.tied, body_work, dof_work, room.load, room.y, room.A, room.dv)
    most = 0.0
    for i in range(tree.shape[0]):
        for k in range(6):
            body_work[i].V[k] += h * room.A[i, k]
            most = max(most, h * h * abs(room.A[i, k]))
        if tree[i].sequential == 1:  # ball and free joints move with their bodies
            for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
                v_out[d] += h * room.dv[d]
    return most


@kernel(inline=True)
def tell_velocities(tree, room, body_work, v_out):
    """Velocities of the solved step at the poses that were reached; what has closed loops is no part of them."""
    set_out(tree, room, 1.0, body_work, v_out)
    for i in range(tree.shape[0]):
        if tree[i].kind == FREE:
            tell_free_velocity(tree, i, mat3.load(room.start[i], 0), body_work, v_out)


@kernel
def try_way(
    tree, dofs, loops, prescribed, followed, target, rows, h, share, is_open, body_work, dof_work, room_work, q_out, v_out
):  # fmt: skip
    """Go a share of the way, and draw loops together; returns the largest gap left, and whether that has led somewhere.

    Gaps of loops that contradict each other, and of those that joints led from outside tear, are left: no force closes them.
    """
    room = room_work
    set_back(tree, room, body_work, q_out)
    set_out(tree, room, share, body_work, v_out)
    move_joints(tree, followed, target, h, is_open, room.stops, room.trees, body_work, q_out, v_out)
    worst = read_gaps(loops, body_work, room.links)
    last = 1e300
    for _ in range(ROUNDS):
        if worst <= SHUT or last <= OPEN * worst:
            return worst, True
        set_back(tree, room, body_work, q_out)
        change = draw_together(tree, dofs, prescribed, rows, h, body_work, dof_work, room, v_out)
        move_joints(tree, followed, target, h, is_open, room.stops, room.trees, body_work, q_out, v_out)
        worst = read_gaps(loops, body_work, room.links)
        if change > SLOW * last:
            break
        last = change
    return worst, False


@kernel
def move_closed(
    tree, dofs, loops, prescribed, followed, target, rows, h, is_open, body_work, dof_work, room_work, q_out, v_out
):  # fmt: skip
    """Move all joints on with loops that stay closed; returns the largest gap that is left."""
    remember(tree, q_out, v_out, body_work, room_work)
    worst, share = 0.0, 1.0
    for _ in range(HALVINGS):
        worst, is_done = try_way(
            tree, dofs, loops, prescribed, followed, target, rows, h, share, is_open, body_work, dof_work, room_work, q_out,
            v_out,
        )  # fmt: skip
        if is_done:
            break
        share *= 0.5
    tell_velocities(tree, room_work, body_work, v_out)
    return worst
