"""Support points: a few at the rim of the contact patch, where virtual ground reactions may act.

Two or more extremes of the contact patch carry a push-off better than one point per bone in contact, which makes the
character curl up and bounce. Support points are remembered for a moment, because flesh trembles on the ground.
"""

from __future__ import annotations

import math

from stringless.contact.kernels_penalty import SLOTS
from stringless.contact.kernels_shapes import MESH, depth
from stringless.flesh.kernels_motion import row3
from stringless.jit import kernel
from stringless.spatial import mat3, vec3

KEPT = 0.015
"""How long support points are remembered after the last contact [s]."""
APART = 0.2
"""Points beside the line between the two ends are worth having if they are this share of its length away."""


@kernel
def find_farthest(count, a, along, side, index, x):
    """The point farthest from the line through `a` (along a null vector: from `a` itself) and its distance.

    If `side` is not zero, only points on the other side of the line count.
    """
    best, far = index[0], -1.0
    for c in range(count):
        r = vec3.subtract(row3(x, index[c]), a)
        r = vec3.add_scaled(r, -vec3.dot(r, along), along)
        size = vec3.dot(r, r)
        if size > far and vec3.dot(r, side) <= 0.0:
            best, far = index[c], size
    return best, math.sqrt(max(far, 0.0))


@kernel(inline=True)
def list_contact_points(tree, root, points, index_out):
    """List the character's points that are in contact; returns how many, and their middle."""
    count = 0
    middle = (0.0, 0.0, 0.0)
    bodies = points.bodies
    for i in range(bodies.shape[0]):
        if first_slot(points.anchors[i]) >= 0 and bodies[i] >= 0 and tree[bodies[i]].root == root:
            middle = vec3.add(middle, row3(points.x, i))
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
def choose_support_points(root, time, tree, obstacles, points, body_work, contact_work, memory_out):
    """Choose support points among those in contact now, farthest from each other first; else keep those remembered."""
    x, listed = points.x, contact_work.listed
    count, middle = list_contact_points(tree, root, points, listed)
    if count == 0:
        if time - memory_out.last_contact > KEPT:
            memory_out.count = 0
        return
    memory_out.last_contact = time
    memory_out.count = 0
    # The ends of the patch, then what lies farthest to either side of the line between them.
    first, _ = find_farthest(count, middle, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), listed, x)
    a = row3(x, first)
    second, far = find_farthest(count, a, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), listed, x)
    remember_point(0, first, obstacles, points, contact_work.obstacles, memory_out)
    if far > 1e-6:
        remember_point(1, second, obstacles, points, contact_work.obstacles, memory_out)
        along = vec3.scale(1.0 / far, vec3.subtract(row3(x, second), a))
        third, beside = find_farthest(count, a, along, (0.0, 0.0, 0.0), listed, x)
        if beside > APART * far:
            remember_point(2, third, obstacles, points, contact_work.obstacles, memory_out)
            side = vec3.subtract(row3(x, third), a)
            side = vec3.add_scaled(side, -vec3.dot(side, along), along)
            fourth, beyond = find_farthest(count, a, along, side, listed, x)
            if beyond > APART * far:
                remember_point(3, fourth, obstacles, points, contact_work.obstacles, memory_out)
    fix_to_bodies(body_work, memory_out)


@kernel(inline=True)
def remember_point(k, i, obstacles, points, obstacle_work, memory_out):
    """Remember contact point i as support point k; its place stays along world axes for now."""
    here = row3(points.x, i)
    j = points.anchors[i].obstacle[first_slot(points.anchors[i])]
    placed = obstacle_work[j]
    R = mat3.load(placed.R, 0)
    push = row3(points.forces, i)
    n = vec3.scale(1.0 / max(math.sqrt(vec3.dot(push, push)), 1e-12), push)
    if obstacles[j].kind != MESH:
        # Friction is part of the push: the shape itself knows better. A mesh would have to be searched once more.
        _, local = depth(obstacles[j], mat3.transform_back(R, vec3.subtract(here, vec3.load(placed.p, 0))))
        n = mat3.transform(R, local)
        if vec3.dot(n, push) < 0.0:
            # A thin wall pushes back to where the point came from, not to the nearer side.
            n = vec3.scale(-1.0, n)
    memory_out.body[k] = points.bodies[i]
    vec3.store(memory_out.r, 3 * k, here)
    vec3.store(memory_out.n, 3 * k, n)
    memory_out.count = k + 1


@kernel(inline=True)
def fix_to_bodies(body_work, memory_out):
    """Fix the chosen points to their bones."""
    for k in range(memory_out.count):
        work = body_work[memory_out.body[k]]
        r = vec3.subtract(vec3.load(memory_out.r, 3 * k), vec3.load(work.p, 0))
        vec3.store(memory_out.r, 3 * k, mat3.transform_back(mat3.load(work.R, 0), r))


@kernel
def transform_support_points(memory, body_work, points_out):
    """Position, normal and two tangents of each remembered point: 12 numbers."""
    for k in range(memory.count):
        work = body_work[memory.body[k]]
        x = vec3.add(vec3.load(work.p, 0), mat3.transform(mat3.load(work.R, 0), vec3.load(memory.r, 3 * k)))
        n = vec3.load(memory.n, 3 * k)
        other = (1.0, 0.0, 0.0) if abs(n[0]) < 0.7 else (0.0, 1.0, 0.0)
        t = vec3.cross(n, other)
        t = vec3.scale(1.0 / math.sqrt(vec3.dot(t, t)), t)
        vec3.store(points_out[k], 0, x)
        vec3.store(points_out[k], 3, n)
        vec3.store(points_out[k], 6, t)
        vec3.store(points_out[k], 9, vec3.cross(n, t))
