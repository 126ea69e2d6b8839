"""Trees that rest on something fall asleep: nothing is done for them until something about them changes.

A tree rests if no body would be fast at the end of the next interval, were all its joints free, under the mean of the forces
that it stands on. What falls would be; so would a limb that is held in mid-air, and a swing at its turning point.
"""

from __future__ import annotations

import math

from stringless.adaptive.exchange import AIM, EFFORT, INERTIA, RATE, TAU, P, V
from stringless.adaptive.momentum import prepare, respond
from stringless.adaptive.rows import CALM, INPUTS, MOVES, WHERE
from stringless.jit import kernel
from stringless.spatial import vec3

SLOW = 0.03
"""Nothing in a tree at rest is faster, or would be after an interval [m/s]; in 20 ms the weight alone makes 0.2."""
TURN = 1.0
"""A root that turns faster than this is not at rest, whatever its body is like [rad/s]."""
LOOKS = 5
"""At so many looks in a row a tree must be at rest to fall asleep."""
STRIDE = 0.6180339887498949
"""Between two weights of a digest, as a share of 1: they never come near each other again soon."""


@kernel(inline=True)
def is_slow_root(row, v):
    """Whether the root of a tree hardly moves."""
    worst = 0.0
    for d in range(row.v0, row.v0 + row.nv):
        worst = max(worst, abs(v[d]))
    return worst < TURN


@kernel
def rests(own, limits, gravity, none, external, h, frequency, room_work):
    """Whether a tree, collected in `room_work`, is slow and would still be after the interval h with all joints free."""
    tree, dofs, rest, _, _ = own
    body_work, dof_work, vectors_work, _, q_work, _, _, _, free_work = room_work
    no_mask, no_gravity, _, _ = none
    v = vectors_work[V]
    if not is_slow_root(tree[0], v):
        return False
    prepare(
        tree, dofs, limits, rest, gravity, q_work, v, vectors_work[TAU], external, no_mask, h, frequency, body_work, dof_work,
        vectors_work[P], vectors_work[AIM], vectors_work[INERTIA],
    )  # fmt: skip
    twice, mass = 0.0, 0.0
    for d in range(dofs.shape[0]):
        twice += v[d] * vectors_work[P][d]
    free = free_work[: tree.shape[0]]
    for i in range(tree.shape[0]):
        mass += tree[i].mass
        free[i] = True
    if not twice < mass * SLOW * SLOW:
        return False
    respond(
        tree,
        dofs,
        free,
        vectors_work[AIM],
        no_gravity,
        no_mask,
        body_work,
        dof_work,
        vectors_work[EFFORT],
        vectors_work[RATE],
    )
    for i in range(tree.shape[0]):
        work = body_work[i]
        speed = vec3.load(work.A, 3)
        if tree[i].mass > 0.0:
            arm = vec3.scale(1.0 / tree[i].mass, vec3.load(work.h, 0))
            speed = vec3.add(speed, vec3.cross(vec3.load(work.A, 0), arm))
        if not vec3.dot(speed, speed) < SLOW * SLOW:
            return False
    return True


@kernel(inline=True)
def weigh(total, at, x):
    """Add one number to a digest, and where the next one stands."""
    at = at + STRIDE
    at -= math.floor(at)
    return total + (0.5 + at) * x, at


@kernel
def digest_inputs(tree, members, tau, pushed, wrenches, begin, end, stamp, choice):
    """A number that tells what acts on a tree: efforts, forces, and by `stamp` and `choice` everything that was set.

    The same gives the same to the last bit; two that differ agree by a chance of one in 10¹⁵.
    """
    total, at = weigh(0.0, 0.0, stamp)
    total, at = weigh(total, at, choice)
    for i in range(tree.shape[0]):
        for d in range(members[i].v, members[i].v + tree[i].nv):
            total, at = weigh(total, at, tau[d])
    for n in range(begin, end):
        total, at = weigh(total, at, float(pushed[n]))
        for k in range(6):
            total, at = weigh(total, at, wrenches[n, k])
    return total


@kernel
def digest_place(tree, members, q, v):
    """A number that tells where a tree is and how it moves."""
    total, at = 0.0, 0.0
    for i in range(tree.shape[0]):
        for c in range(members[i].q, members[i].q + tree[i].nq):
            total, at = weigh(total, at, q[c])
        for d in range(members[i].v, members[i].v + tree[i].nv):
            total, at = weigh(total, at, v[d])
    return total


@kernel
def fall_asleep(tree, members, inputs, q, moves_out, kept_out, vdot_out, v_out, part_out):
    """Let a tree stand where it is."""
    for i in range(tree.shape[0]):
        moves_out[i] = False
        kept_out[members[i].body, MOVES] = 0.0
        for d in range(members[i].v, members[i].v + tree[i].nv):
            v_out[d], vdot_out[d] = 0.0, 0.0
    part_out.lumps, part_out.lump_nq, part_out.lump_nv = 0, 0, 0
    kept_out[part_out.root, INPUTS] = inputs
    kept_out[part_out.root, WHERE] = digest_place(tree, members, q, v_out)


@kernel
def sleeps_on(tree, members, inputs, moved, q, v, kept, root):
    """Whether a tree that is asleep may sleep on: nothing acts on it otherwise, and nobody has put it elsewhere."""
    if kept[root, INPUTS] != inputs:
        return False
    return not moved or kept[root, WHERE] == digest_place(tree, members, q, v)


@kernel(inline=True)
def is_asleep(root, kept):
    """Whether a tree is asleep."""
    return kept[root, CALM] >= LOOKS
