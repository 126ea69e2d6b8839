"""Points against obstacles: what a point feels of one, and all vertices of the skin."""

from __future__ import annotations

import math

import numpy as np

from stringless.contact.kernels_meshes import mesh_depth
from stringless.contact.kernels_penalty import SLOTS, friction_force, normal_force
from stringless.contact.kernels_runs import FASTEST, bound_runs
from stringless.contact.kernels_shapes import BOX, MESH, PLANE, way_out
from stringless.flesh.kernels_motion import add_row3, push_bone, row3, set_row3
from stringless.jit import kernel
from stringless.spatial import mat3, vec3

OBSTACLE_WORK = np.dtype(
    [
        ("R", np.float64, (9,)),  # world pose of the obstacle: rotation ...
        ("p", np.float64, (3,)),  # ... and position [m]
        ("far", np.int64),  # 1: no skin can touch it in this step
        ("low", np.float64, (3,)),  # of a box around all of its run, if it is the first of it: from here ...
        ("high", np.float64, (3,)),  # ... to here [m] ...
        ("fast", np.float64),  # ... the run's highest speed [m/s] ...
        ("met", np.int64),  # ... and 1: probes of the tree that is looked at may touch it
    ],
    align=True,
)
SKIN = -2
"""Stands for the body of a point of the skin, which has a velocity of its own; -1 is the world."""
BACK = 2.0
"""Steps to look back for where a point came in: a bone's velocity does not tell its last place exactly."""


@kernel(inline=True)
def place_obstacles(obstacles, body_work, obstacle_work):
    """World pose of every obstacle, and what bounds its run."""
    for j in range(obstacles.shape[0]):
        row = obstacles[j]
        work = obstacle_work[j]
        R, p = mat3.load(row.R, 0), vec3.load(row.p, 0)
        if row.body >= 0:
            body = body_work[row.body]
            R_B = mat3.load(body.R, 0)
            R = mat3.multiply(R_B, R)
            p = vec3.add(vec3.load(body.p, 0), mat3.transform(R_B, p))
        mat3.store(work.R, 0, R)
        vec3.store(work.p, 0, p)
    bound_runs(obstacles, body_work, obstacle_work)


@kernel(inline=True)
def bounds(x):
    """Lowest and highest coordinates of all nodes."""
    low, high = (math.inf, math.inf, math.inf), (-math.inf, -math.inf, -math.inf)
    for i in range(x.shape[0]):
        low = (min(low[0], x[i, 0]), min(low[1], x[i, 1]), min(low[2], x[i, 2]))
        high = (max(high[0], x[i, 0]), max(high[1], x[i, 1]), max(high[2], x[i, 2]))
    return low, high


@kernel(inline=True)
def look_around(obstacles, x, h, obstacle_work):
    """Mark the obstacles that no skin within the nodes `x` can touch; returns whether that is all of them.

    A vertex stands between the nodes that carry it. A box may hold one that has gone through it, but not farther than
    three times its own size.
    """
    low, high = bounds(x)
    alone = True
    for j in range(obstacles.shape[0]):
        work = obstacle_work[j]
        p = vec3.load(work.p, 0)
        height = 0.0
        away = 0.0
        for k in range(3):
            n = work.R[3 * k + 2]
            height += min(n * (low[k] - p[k]), n * (high[k] - p[k]))
            d = max(low[k] - p[k], p[k] - high[k], 0.0)
            away += d * d
        reach = 4.0 * obstacles[j].reach + FASTEST * h
        work.far = 1 if (height > 0.0 if obstacles[j].kind == PLANE else away > reach * reach) else 0
        alone = alone and work.far == 1
    return alone


@kernel(inline=True)
def forget(kept, anchor_work):
    """Free the slots of obstacles that a point no longer touches; bit s of `kept` is set where it does."""
    for s in range(SLOTS):
        if (kept >> s) & 1 == 0:
            anchor_work.obstacle[s] = -1


@kernel(inline=True)
def let_go(count, anchor_work, force_out):
    """No forces and no anchors: the first `count` points touch nothing."""
    for i in range(count):
        set_row3(i, (0.0, 0.0, 0.0), force_out)
        forget(0, anchor_work[i])


@kernel(inline=True)
def weigh(vertex, table):
    """Value at a surface vertex of what is given at the nodes."""
    a, b = row3(table, vertex.n[0]), row3(table, vertex.n[1])
    c, d = row3(table, vertex.n[2]), row3(table, vertex.n[3])
    w = vertex.w
    s = vec3.add_scaled(vec3.scale(w[0], a), w[1], b)
    return vec3.add_scaled(vec3.add_scaled(s, w[2], c), w[3], d)


@kernel(inline=True)
def spread(vertex, f, f_out):
    """Give a force on a surface vertex to the nodes that carry it."""
    for k in range(4):
        add_row3(vertex.n[k], vec3.scale(vertex.w[k], f), f_out)


@kernel(inline=True)
def point_velocity(body, x, body_work):
    """Velocity of the material of a body (-1: the world) at the world point `x`."""
    if body < 0:
        return (0.0, 0.0, 0.0)
    row = body_work[body]
    arm = vec3.subtract(x, vec3.load(row.p, 0))
    return vec3.add(vec3.load(row.V, 3), vec3.cross(vec3.load(row.V, 0), arm))


@kernel(inline=True)
def find_slot(anchor, obstacle):
    """Slot of a point's anchors that belongs to an obstacle, -1 if none does."""
    for s in range(SLOTS):
        if anchor.obstacle[s] == obstacle:
            return s
    return -1


@kernel(inline=True)
def in_reach(j, obstacle, placed, x, radius, h, anchor):
    """Tell whether a ball may touch obstacle `j`, by a quick look; one that a box holds may be beyond it."""
    apart = vec3.subtract(x, vec3.load(placed.p, 0))
    R = placed.R
    if obstacle.kind == PLANE:
        return apart[0] * R[2] + apart[1] * R[5] + apart[2] * R[8] < radius
    if find_slot(anchor, j) >= 0:
        return True
    margin = radius + (FASTEST * h if obstacle.kind == BOX else 0.0)
    reach = obstacle.reach + margin
    if vec3.dot(apart, apart) > reach * reach:
        return False
    if obstacle.kind == BOX:
        local, size = mat3.transform_back(mat3.load(R, 0), apart), obstacle.sizes
        return (
            abs(local[0]) < size[0] + margin and abs(local[1]) < size[1] + margin and abs(local[2]) < size[2] + margin
        )
    return True


@kernel(inline=True)
def relative_motion(obstacle, placed, body, x, xdot, body_work):
    """Where a point is and how it moves, as its obstacle sees it; a point of a body (not SKIN) moves with that."""
    R = mat3.load(placed.R, 0)
    moving = xdot if body == SKIN else point_velocity(body, x, body_work)
    local = mat3.transform_back(R, vec3.subtract(x, vec3.load(placed.p, 0)))
    return local, mat3.transform_back(R, vec3.subtract(moving, point_velocity(obstacle.body, x, body_work)))


@kernel(inline=True)
def depth(j, obstacle, meshes, radius, local, before, stack_work, anchor_work):
    """How deep a ball about `local` that was about `before` lately is in obstacle `j`, the normal, and the face of a box."""
    if obstacle.kind == MESH:
        rows, facets, boxes, depths = meshes
        d, n = mesh_depth(rows[obstacle.mesh], facets, boxes, depths, local, radius, stack_work)
        return d + radius, n, -1
    slot = find_slot(anchor_work, j)
    held = anchor_work.face[slot] if slot >= 0 else -1
    d, n, face = way_out(obstacle, local, before, held)
    return d + radius, n, face


@kernel(inline=True)
def hold(j, face, origin, n, anchor_work):
    """The slot of the anchor of obstacle `j`, a new one at `origin` if it has none, and the way along the surface from it."""
    slot = find_slot(anchor_work, j)
    if slot < 0:
        slot = find_slot(anchor_work, -1)
        if slot >= 0:
            anchor_work.obstacle[slot] = j
            vec3.store(anchor_work.a, 3 * slot, origin)
    gap = (0.0, 0.0, 0.0)
    if slot >= 0:
        anchor_work.face[slot] = face
        gap = vec3.subtract(origin, vec3.load(anchor_work.a, 3 * slot))
        gap = vec3.add_scaled(gap, -vec3.dot(gap, n), n)
    return slot, gap


@kernel
def feel(j, obstacle, placed, meshes, body, kn, cn, radius, x, xdot, h, gains, body_work, stack_work, anchor_work):
    """Force of obstacle `j` on a ball about `x` that belongs to `body`, and the point where it acts, in the world.

    Also returns the slot of the anchor: -1 if they do not touch, SLOTS if all slots are taken. The force acts where the
    surfaces meet, not at the centre of the ball. That point wanders over a rolling ball, so the anchor of a ball is kept
    relative to it, and moves by what slips.
    """
    R, p = mat3.load(placed.R, 0), vec3.load(placed.p, 0)
    local, drift = relative_motion(obstacle, placed, body, x, xdot, body_work)
    before = vec3.add_scaled(local, -BACK * h, drift)
    d, n, face = depth(j, obstacle, meshes, radius, local, before, stack_work, anchor_work)
    if d <= 0.0:
        return -1, (0.0, 0.0, 0.0), x
    foot = vec3.add_scaled(local, -radius, n)
    point = vec3.add(p, mat3.transform(R, foot))
    if radius > 0.0:
        _, drift = relative_motion(obstacle, placed, body, point, point, body_work)
    origin = foot if radius == 0.0 else (0.0, 0.0, 0.0)  # what the anchor is counted from
    slot, gap = hold(j, face, origin, n, anchor_work)
    rate = vec3.dot(drift, n)
    slip = vec3.add_scaled(drift, -rate, n)
    kn, cn = gains[0] * kn, gains[1] * cn
    fn = normal_force(d, rate, kn, cn, h, gains[2])
    ft, share = friction_force(gap, slip, fn, kn, cn, obstacle.friction)
    if share < 1.0:
        # Sliding: drag the anchor to where its spring just holds the cone.
        gap = vec3.scale(-1.0 / kn, vec3.add_scaled(ft, cn, slip))
    if slot >= 0 and radius > 0.0:
        vec3.store(anchor_work.a, 3 * slot, vec3.scale(-1.0, vec3.add_scaled(gap, h, slip)))
    elif slot >= 0 and share < 1.0:
        vec3.store(anchor_work.a, 3 * slot, vec3.subtract(foot, gap))
    return slot if slot >= 0 else SLOTS, mat3.transform(R, vec3.add_scaled(ft, fn, n)), point


@kernel
def contact_forces(
    vertices, obstacles, meshes, near, x, xdot, h, gains, placed, body_work, obstacle_work, stack_work, anchor_work,
    f_out, force_out, point_out, wrench_out,
):  # fmt: skip
    """Forces of obstacles on all surface vertices, spread to the nodes that carry them; returns how many touch.

    A vertex does not feel bodies near its own bone (`near`, 1 for such a pair). `point_out` gets where the vertices are,
    if that is wanted by others (`placed`) or anything is near.
    """
    count = 0
    if look_around(obstacles, x, h, obstacle_work) and not placed:
        let_go(vertices.shape[0], anchor_work, force_out)
        return 0
    for i in range(vertices.shape[0]):
        vertex = vertices[i]
        here = weigh(vertex, x)
        set_row3(i, here, point_out)
        set_row3(i, (0.0, 0.0, 0.0), force_out)
        kept = 0
        for j in range(obstacles.shape[0]):
            obstacle = obstacles[j]
            if obstacle_work[j].far == 1 or not in_reach(j, obstacle, obstacle_work[j], here, 0.0, h, anchor_work[i]):
                continue
            if obstacle.body >= 0 and vertex.bone >= 0 and near[vertex.bone, obstacle.body] == 1:
                continue
            slot, f, _ = feel(
                j, obstacle, obstacle_work[j], meshes, SKIN, vertex.kn, vertex.cn, 0.0, here, weigh(vertex, xdot), h, gains,
                body_work, stack_work, anchor_work[i],
            )  # fmt: skip
            if slot >= 0:
                kept |= 1 << slot
                add_row3(i, f, force_out)
                spread(vertex, f, f_out)
                if obstacle.body >= 0:
                    push_bone(obstacle.body, here, vec3.scale(-1.0, f), body_work, wrench_out)
        forget(kept, anchor_work[i])
        if kept > 0:
            count += 1
    return count
