"""Trees that rest on something fall asleep: nothing is done for them until something about them changes.

A tree rests if it hardly moves, and if all its joints were free, and nothing moved, no body would gather speed under the mean
of the forces that it stands on. What falls would; so would a limb that is held in mid-air, or that swings and turns back now.
"""

from __future__ import annotations

import math

from stringless.engines.adaptive.kernels_exchange import VDOT, V
from stringless.engines.adaptive.kernels_pieces import try_out
from stringless.engines.adaptive.kernels_survey import site_of, survey, trial
from stringless.engines.adaptive.rows import CALM, INPUTS, MOVES, WHERE
from stringless.jit import kernel
from stringless.spatial import mat3, vec3

SLOW = 0.03
"""A tree at rest has no more energy than if all of it moved at this speed [m/s]."""
STEADY = 0.25
"""No body of it would be accelerated by more than this share of gravity, were all joints free."""
LIGHT = 0.005
"""Bodies of a smaller share of the tree's mass do not keep it awake: fingers would, long after all else has come to rest."""
WHILE = 0.11
"""For so long it must have been at rest to fall asleep [s]."""
GLANCE = 1e-9
"""How long it counts as at rest that is seen so for the first time [s]."""
STRIDE = 0.6180339887498949
"""Between two weights of a digest, as a share of 1: they never come near each other again soon."""


@kernel(inline=True)
def is_slow(dofs, v, mass):
    """Whether a tree hardly moves, by the energy of every coordinate alone: `Σ I v² < m SLOW²`."""
    twice = 0.0
    for d in range(dofs.shape[0]):
        twice += dofs[d].inertia * v[d] * v[d]
    return twice < mass * SLOW * SLOW


@kernel(inline=True)
def rest_longer(calm, h):
    """For how long a tree has been at rest, seen so once more after the time h; a first glance says nothing of before it."""
    return calm + h if calm > 0.0 else GLANCE


@kernel
def rests(own, limits, gravity, none, tau, external, h, frequency, cluster_work, room_work, part_out):
    """Whether a tree, collected in `room_work`, is slow and stays so for the interval h with all joints free: `G w = h f`."""
    tree, dofs = own[0], own[1]
    vectors_work, free, mass = room_work[2], room_work[8][: tree.shape[0]], 0.0
    still = vectors_work[VDOT]
    for i in range(tree.shape[0]):
        mass += tree[i].mass
        free[i] = True
    if not is_slow(dofs, vectors_work[V], mass):
        return False
    for d in range(part_out.cluster_nv):
        still[d] = 0.0
    survey(own, limits, gravity, none, tau, still, external, h, frequency, cluster_work, room_work, part_out)
    try_out(site_of(own, part_out.clusters, cluster_work, room_work), free, none, trial(room_work))
    most = STEADY * h * math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    cluster_of, place, motion = cluster_work[8], cluster_work[9], room_work[9]
    for i in range(tree.shape[0]):
        if tree[i].mass > LIGHT * mass:
            R = mat3.load(motion[cluster_of[i] if cluster_of[i] >= 0 else part_out.clusters].R, 0)
            center = vec3.scale(1.0 / tree[i].mass, vec3.load(tree[i].h, 0))
            arm = mat3.transform(R, mat3.transform(mat3.load(place[i], 0), center))
            work = room_work[0][i]
            speed = vec3.add(vec3.load(work.A, 3), vec3.cross(vec3.load(work.A, 0), arm))
            if not vec3.dot(speed, speed) < most * most:
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
def fall_asleep(tree, members, pads, inputs, q, touch_out, moves_out, kept_out, vdot_out, v_out, part_out):
    """Let a tree stand where it is. Forces of what it lies on are not told any more: they are no part of a state."""
    for k in range(pads.shape[0]):
        for i in range(pads[k].first, pads[k].first + pads[k].count):
            for n in range(3):
                touch_out[i, n] = 0.0
    for i in range(tree.shape[0]):
        moves_out[i] = False
        kept_out[members[i].body, MOVES] = 0.0
        for d in range(members[i].v, members[i].v + tree[i].nv):
            v_out[d], vdot_out[d] = 0.0, 0.0
    part_out.clusters, part_out.cluster_nq, part_out.cluster_nv = 0, 0, 0
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
    return kept[root, CALM] >= WHILE
