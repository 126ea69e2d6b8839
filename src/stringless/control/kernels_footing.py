"""Where a character stands: a few footholds at the rim of all that touches.

Two or more extremes of the contact patch carry a push-off better than one point per touching bone, which makes the
character curl up and bounce. Footholds are remembered for a moment, because flesh trembles on the ground.
"""

from __future__ import annotations

import math

from stringless.contact.kernels_penalty import SLOTS
from stringless.contact.kernels_shapes import MESH, depth
from stringless.flesh.kernels_motion import row3
from stringless.jit import kernel
from stringless.spatial import mat3, vec3

KEPT = 0.015
"""How long footholds are remembered after the last touch [s]."""
APART = 0.2
"""Footholds beside the line between the two ends are worth having if they are this share of its length away."""


@kernel
def farthest(count, a, along, side, index, point_work):
    """The point farthest from the line through `a` (along a null vector: from `a` itself) and its distance.

    If `side` is not zero, only points on the other side of the line count.
    """
    best, far = index[0], -1.0
    for c in range(count):
        r = vec3.subtract(row3(point_work, index[c]), a)
        r = vec3.add_scaled(r, -vec3.dot(r, along), along)
        size = vec3.dot(r, r)
        if size > far and vec3.dot(r, side) <= 0.0:
            best, far = index[c], size
    return best, math.sqrt(max(far, 0.0))


@kernel(inline=True)
def standing(tree, root, point_bodies, anchors, point_work, index_out):
    """Collect the character's contact points that touch something; returns how many, and their middle."""
    count = 0
    middle = (0.0, 0.0, 0.0)
    for i in range(point_bodies.shape[0]):
        if first_slot(anchors[i]) >= 0 and point_bodies[i] >= 0 and tree[point_bodies[i]].root == root:
            middle = vec3.add(middle, row3(point_work, i))
            index_out[count] = i
            count += 1
    return count, vec3.scale(1.0 / max(count, 1), middle)


@kernel(inline=True)
def first_slot(anchor):
    """First slot of a point's anchors that is in use, -1 if none is."""
    for s in range(SLOTS):
        if anchor.obstacle[s] >= 0:
            return s
    return -1


@kernel
def find_footholds(tree, root, touching, point_bodies, touch, anchors, time, body_work, contact_work, memory_work):
    """Choose footholds among the points that touch now, farthest from each other first; else keep those remembered."""
    obstacle_work, _, _, point_work, _, _, index_work, _ = contact_work
    count, middle = standing(tree, root, point_bodies, anchors, point_work, index_work)
    if count == 0:
        if time - memory_work.touched > KEPT:
            memory_work.count = 0
        return
    memory_work.touched = time
    memory_work.count = 0
    # The ends of the patch, then what lies farthest to either side of the line between them.
    first, _ = farthest(count, middle, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), index_work, point_work)
    a = row3(point_work, first)
    second, far = farthest(count, a, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), index_work, point_work)
    keep(0, first, touching[0], point_bodies, touch, anchors, obstacle_work, point_work, memory_work)
    if far > 1e-6:
        keep(1, second, touching[0], point_bodies, touch, anchors, obstacle_work, point_work, memory_work)
        along = vec3.scale(1.0 / far, vec3.subtract(row3(point_work, second), a))
        third, beside = farthest(count, a, along, (0.0, 0.0, 0.0), index_work, point_work)
        if beside > APART * far:
            keep(2, third, touching[0], point_bodies, touch, anchors, obstacle_work, point_work, memory_work)
            side = vec3.subtract(row3(point_work, third), a)
            side = vec3.add_scaled(side, -vec3.dot(side, along), along)
            fourth, beyond = farthest(count, a, along, side, index_work, point_work)
            if beyond > APART * far:
                keep(3, fourth, touching[0], point_bodies, touch, anchors, obstacle_work, point_work, memory_work)
    into_body_axes(body_work, memory_work)


@kernel(inline=True)
def keep(k, i, obstacles, point_bodies, touch, anchors, obstacle_work, point_work, memory_work):
    """Remember contact point i as foothold k; its place stays along world axes for now."""
    here = row3(point_work, i)
    j = anchors[i].obstacle[first_slot(anchors[i])]
    placed = obstacle_work[j]
    R = mat3.load(placed.R, 0)
    push = row3(touch, i)
    n = vec3.scale(1.0 / max(math.sqrt(vec3.dot(push, push)), 1e-12), push)
    if obstacles[j].kind != MESH:
        # Friction is part of the push: the shape itself knows better. A mesh would have to be searched once more.
        _, local = depth(obstacles[j], mat3.transform_back(R, vec3.subtract(here, vec3.load(placed.p, 0))))
        n = mat3.transform(R, local)
        if vec3.dot(n, push) < 0.0:
            # A thin wall pushes back to where the point came from, not to the nearer side.
            n = vec3.scale(-1.0, n)
    memory_work.body[k] = point_bodies[i]
    vec3.store(memory_work.r, 3 * k, here)
    vec3.store(memory_work.n, 3 * k, n)
    memory_work.count = k + 1


@kernel(inline=True)
def into_body_axes(body_work, memory_work):
    """Fix the chosen footholds to their bones."""
    for k in range(memory_work.count):
        work = body_work[memory_work.body[k]]
        r = vec3.subtract(vec3.load(memory_work.r, 3 * k), vec3.load(work.p, 0))
        vec3.store(memory_work.r, 3 * k, mat3.transform_back(mat3.load(work.R, 0), r))


@kernel
def lay_out(memory, body_work, footholds_out):
    """Position, normal and two tangents of each remembered foothold: 12 numbers."""
    for k in range(memory.count):
        work = body_work[memory.body[k]]
        x = vec3.add(vec3.load(work.p, 0), mat3.transform(mat3.load(work.R, 0), vec3.load(memory.r, 3 * k)))
        n = vec3.load(memory.n, 3 * k)
        other = (1.0, 0.0, 0.0) if abs(n[0]) < 0.7 else (0.0, 1.0, 0.0)
        t = vec3.cross(n, other)
        t = vec3.scale(1.0 / math.sqrt(vec3.dot(t, t)), t)
        vec3.store(footholds_out[k], 0, x)
        vec3.store(footholds_out[k], 3, n)
        vec3.store(footholds_out[k], 6, t)
        vec3.store(footholds_out[k], 9, vec3.cross(n, t))
