"""Characters at rest sleep: nothing is computed for them until something about them changes.

docs/theory/adaptive.md, section 5.2. A tree is at rest if it hardly moves, and if all its joints were active, and nothing moved,
no body would gather speed under the mean of the forces that it stands on. What falls would; so would a limb that is held in
mid-air, or that swings and turns back now.
"""

from __future__ import annotations

import math

from stringless.engines.adaptive.kernels_targets import compute_targets
from stringless.engines.adaptive.kernels_trials import motion_row, solve_trial
from stringless.jit import kernel
from stringless.spatial import mat3, vec3

SLOW = 0.03
"""A tree at rest has no more energy than if all of it moved at this speed [m/s]."""
STEADY = 0.25
"""No body of it would be accelerated by more than this share of gravity, were all joints active."""
LIGHT = 0.005
"""Bodies of a smaller share of the tree's mass do not keep it awake: fingers would, long after all else has come to rest."""
WHILE = 0.11
"""For so long it must have been at rest to fall asleep [s]."""
FIRST = 1e-9
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


@kernel
def is_at_rest(model, inputs, external, settings, horizon, work):
    """Whether a tree, gathered in the scratch, is slow and stays so for the horizon with all joints active: `G w = T f`."""
    skeleton, scratch = model.skeleton, work.scratch
    tree, gravity, still = skeleton.tree, skeleton.gravity, scratch.vectors.vdot
    candidate, mass = scratch.candidate[: tree.shape[0]], 0.0
    for i in range(tree.shape[0]):
        mass += tree[i].mass
        candidate[i] = True
    if not is_slow(skeleton.dofs, scratch.vectors.v, mass):
        return False
    for d in range(work.status.nv):
        still[d] = 0.0
    compute_targets(model, inputs.tau, still, external, settings, horizon, work)
    solve_trial(model, candidate, work)
    most = STEADY * horizon * math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    for i in range(tree.shape[0]):
        if tree[i].mass > LIGHT * mass:
            R = mat3.load(scratch.motions[motion_row(work.clusters, work.status, i)].R, 0)
            center = vec3.scale(1.0 / tree[i].mass, vec3.load(tree[i].h, 0))
            arm = mat3.transform(R, mat3.transform(mat3.load(work.clusters.place[i], 0), center))
            body = scratch.bodies[i]
            speed = vec3.add(vec3.load(body.A, 3), vec3.cross(vec3.load(body.A, 0), arm))
            if not vec3.dot(speed, speed) < most * most:
                return False
    return True


@kernel(inline=True)
def add_to_digest(total, at, x):
    """Add one number to a digest, and where the next one stands."""
    at = at + STRIDE
    at -= math.floor(at)
    return total + (0.5 + at) * x, at


@kernel
def digest_inputs(contact, model, inputs, wrenches, settings):
    """A digest of what acts on a tree: efforts, wrenches, and everything that is configured; 0 without contact.

    The same gives the same to the last bit; two that differ agree by a chance of one in 10¹⁵.
    """
    if contact is None:
        return 0.0
    total, at = add_to_digest(0.0, 0.0, settings.digest)
    total, at = add_to_digest(total, at, model.row.criteria)
    for i in range(model.members.shape[0]):
        for d in range(model.members[i].v, model.members[i].v + model.skeleton.tree[i].nv):
            total, at = add_to_digest(total, at, inputs.tau[d])
    for n in range(inputs.loaded.shape[0]):
        total, at = add_to_digest(total, at, float(inputs.loaded[n]))
        for k in range(6):
            total, at = add_to_digest(total, at, wrenches[n, k])
    return total


@kernel
def digest_motion(tree, members, q, v):
    """A digest of where a tree is and how it moves."""
    total, at = 0.0, 0.0
    for i in range(tree.shape[0]):
        for c in range(members[i].q, members[i].q + tree[i].nq):
            total, at = add_to_digest(total, at, q[c])
        for d in range(members[i].v, members[i].v + tree[i].nv):
            total, at = add_to_digest(total, at, v[d])
    return total


@kernel(inline=True)
def is_asleep(contact, root, bodies):
    """Whether a tree is asleep; without contact none is."""
    if contact is None:
        return False
    return bodies[root].rest >= WHILE


@kernel
def fall_asleep(contact, model, digest, state, work):
    """Let a tree stand where it is; `digest` is that of what acts on it. Contact forces, no part of a state, are forgotten."""
    if contact is None:
        return
    tree, members, root = model.skeleton.tree, model.members, state.bodies[model.row.root]
    for k in range(contact.bodies.shape[0]):
        for i in range(contact.bodies[k].first, contact.bodies[k].first + contact.bodies[k].count):
            for n in range(3):
                work.contact.forces[i, n] = 0.0
    for i in range(tree.shape[0]):
        work.clusters.active[i] = False
        state.bodies[members[i].body].active = 0.0
        for d in range(members[i].v, members[i].v + tree[i].nv):
            state.v[d], state.vdot[d] = 0.0, 0.0
    work.status.clusters, work.status.nq, work.status.nv = 0, 0, 0
    root.inputs, root.place = digest, digest_motion(tree, members, state.q, state.v)


@kernel
def may_sleep_on(contact, model, digest, moved, state):
    """Whether a tree that is asleep may stay so: nothing else acts on it, and it was not `moved` from outside."""
    if contact is None:
        return False
    root = state.bodies[model.row.root]
    if root.inputs != digest:
        return False
    return not moved or root.place == digest_motion(model.skeleton.tree, model.members, state.q, state.v)


@kernel(inline=True)
def wake_up(contact, root, bodies_out):
    """A tree that was asleep is not at rest any more."""
    if contact is not None:
        bodies_out[root].rest = 0.0
