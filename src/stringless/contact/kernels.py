"""Points against obstacles: the force of one on a point, and on all vertices of the skin."""

import math

import numpy as np

from stringless.contact.kernels_meshes import mesh_depth
from stringless.contact.kernels_penalty import SLOTS, friction_force, normal_force
from stringless.contact.kernels_runs import FASTEST, bound_runs
from stringless.contact.kernels_shapes import BOX, MESH, PLANE, way_out
from stringless.contact.records import DAMPING, RESTITUTION, STIFFNESS, Ball, Obstacle
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
        ("met", np.int64),  # ... and 1: samples of the tree that is looked at may touch it
    ],
    align=True,
)
SKIN = -2
"""Stands for the body of a point of the skin, which has a velocity of its own; -1 is the world."""
BACK = 2.0
"""Steps to look back for where a point came in: a bone's velocity does not tell its last place exactly."""


@kernel(inline=True)
def transform_obstacles(obstacles, body_work, obstacle_work):
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
def mark_far_obstacles(obstacles, x, h, obstacle_work):
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
def release_slots(kept, anchor_work):
    """Free the slots of obstacles that a point no longer touches; bit s of `kept` is set where it does."""
    for s in range(SLOTS):
        if (kept >> s) & 1 == 0:
            anchor_work.obstacle[s] = -1


@kernel(inline=True)
def clear_contacts(count, anchor_work, force_out):
    """No forces and no anchors: the first `count` points touch nothing."""
    for i in range(count):
        set_row3(i, (0.0, 0.0, 0.0), force_out)
        release_slots(0, anchor_work[i])


@kernel(inline=True)
def interpolate(vertex, table):
    """Value at a surface vertex of what is given at the nodes."""
    a, b = row3(table, vertex.n[0]), row3(table, vertex.n[1])
    c, d = row3(table, vertex.n[2]), row3(table, vertex.n[3])
    w = vertex.w
    s = vec3.add_scaled(vec3.scale(w[0], a), w[1], b)
    return vec3.add_scaled(vec3.add_scaled(s, w[2], c), w[3], d)


@kernel(inline=True)
def spread_force(vertex, f, f_out):
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
def in_reach(obstacle, x, radius, h, anchor):
    """Tell whether a ball may touch an obstacle, by a quick look; one that a box holds may be beyond it."""
    row, R = obstacle.row, obstacle.placed.R
    apart = vec3.subtract(x, vec3.load(obstacle.placed.p, 0))
    if row.kind == PLANE:
        return apart[0] * R[2] + apart[1] * R[5] + apart[2] * R[8] < radius
    if find_slot(anchor, obstacle.number) >= 0:
        return True
    margin = radius + (FASTEST * h if row.kind == BOX else 0.0)
    reach = row.reach + margin
    if vec3.dot(apart, apart) > reach * reach:
        return False
    if row.kind == BOX:
        local, size = mat3.transform_back(mat3.load(R, 0), apart), row.sizes
        return (
            abs(local[0]) < size[0] + margin and abs(local[1]) < size[1] + margin and abs(local[2]) < size[2] + margin
        )
    return True


@kernel(inline=True)
def relative_motion(obstacle, body, x, xdot, body_work):
    """Where a point is and how it moves, as its obstacle sees it; a point of a body (not SKIN) moves with that."""
    R = mat3.load(obstacle.placed.R, 0)
    moving = xdot if body == SKIN else point_velocity(body, x, body_work)
    local = mat3.transform_back(R, vec3.subtract(x, vec3.load(obstacle.placed.p, 0)))
    return local, mat3.transform_back(R, vec3.subtract(moving, point_velocity(obstacle.row.body, x, body_work)))


@kernel(inline=True)
def find_depth(obstacle, radius, local, before, stack_work, anchor_work):
    """How deep a ball about `local` that was about `before` lately is in an obstacle, the normal, and the face of a box."""
    if obstacle.row.kind == MESH:
        meshes = obstacle.meshes
        d, n = mesh_depth(meshes.meshes[obstacle.row.mesh], meshes, local, radius, stack_work)
        return d + radius, n, -1
    slot = find_slot(anchor_work, obstacle.number)
    held = anchor_work.face[slot] if slot >= 0 else -1
    d, n, face = way_out(obstacle.row, local, before, held)
    return d + radius, n, face


@kernel(inline=True)
def hold_anchor(j, face, origin, n, anchor_work):
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
def find_contact_force(obstacle, body, ball, settings, body_work, stack_work, anchor_work):
    """Force of an obstacle on a ball that moves with a body (or `SKIN`), and the point where it acts, in the world.

    Also returns the slot of the anchor: -1 if they do not touch, SLOTS if all slots are taken. The force acts where the
    surfaces meet, not at the centre of the ball. That point wanders over a rolling ball, so the anchor of a ball is kept
    relative to it, and moves by what slips.
    """
    R, p, radius, h = mat3.load(obstacle.placed.R, 0), vec3.load(obstacle.placed.p, 0), ball.radius, settings.h
    local, drift = relative_motion(obstacle, body, ball.x, ball.xdot, body_work)
    before = vec3.add_scaled(local, -BACK * h, drift)
    d, n, face = find_depth(obstacle, radius, local, before, stack_work, anchor_work)
    if d <= 0.0:
        return -1, (0.0, 0.0, 0.0), ball.x
    foot = vec3.add_scaled(local, -radius, n)
    point = vec3.add(p, mat3.transform(R, foot))
    if radius > 0.0:
        _, drift = relative_motion(obstacle, body, point, point, body_work)
    origin = foot if radius == 0.0 else (0.0, 0.0, 0.0)  # what the anchor is counted from
    slot, gap = hold_anchor(obstacle.number, face, origin, n, anchor_work)
    rate = vec3.dot(drift, n)
    slip = vec3.add_scaled(drift, -rate, n)
    kn, cn = settings.gains[STIFFNESS] * ball.kn, settings.gains[DAMPING] * ball.cn
    fn = normal_force(d, rate, kn, cn, h, settings.gains[RESTITUTION])
    ft, share = friction_force(gap, slip, fn, kn, cn, obstacle.row.friction)
    if share < 1.0:
        # Sliding: drag the anchor to where its spring just holds the cone.
        gap = vec3.scale(-1.0 / kn, vec3.add_scaled(ft, cn, slip))
    if slot >= 0 and radius > 0.0:
        vec3.store(anchor_work.a, 3 * slot, vec3.scale(-1.0, vec3.add_scaled(gap, h, slip)))
    elif slot >= 0 and share < 1.0:
        vec3.store(anchor_work.a, 3 * slot, vec3.subtract(foot, gap))
    return slot if slot >= 0 else SLOTS, mat3.transform(R, vec3.add_scaled(ft, fn, n)), point


@kernel
def add_obstacle_forces(vertices, contact, settings, body_work, contact_work, state, f_out, forces_out):
    """Forces of obstacles on all surface vertices, spread to the nodes that carry them; returns how many touch.

    A vertex is not in contact with bodies near its own bone (`near`). `contact_work.points` gets where the vertices are, if
    contact of skin with skin needs that or anything is near.
    """
    count, anchors, wanted = 0, state.anchors, contact.skin.pairs.shape[0] > 0
    if mark_far_obstacles(contact.obstacles, state.x, settings.h, contact_work.obstacles) and not wanted:
        clear_contacts(vertices.shape[0], anchors, forces_out.points)
        return 0
    for i in range(vertices.shape[0]):
        vertex = vertices[i]
        here = interpolate(vertex, state.x)
        set_row3(i, here, contact_work.points)
        set_row3(i, (0.0, 0.0, 0.0), forces_out.points)
        kept = 0
        for j in range(contact.obstacles.shape[0]):
            obstacle = Obstacle(j, contact.obstacles[j], contact_work.obstacles[j], contact.meshes)
            if obstacle.placed.far == 1 or not in_reach(obstacle, here, 0.0, settings.h, anchors[i]):
                continue
            body = obstacle.row.body
            if body >= 0 and vertex.bone >= 0 and contact.near[vertex.bone, body] == 1:
                continue
            ball = Ball(0.0, vertex.kn, vertex.cn, here, interpolate(vertex, state.xdot))
            slot, f, _ = find_contact_force(obstacle, SKIN, ball, settings, body_work, contact_work.stack, anchors[i])
            if slot >= 0:
                kept |= 1 << slot
                add_row3(i, f, forces_out.points)
                spread_force(vertex, f, f_out)
                if body >= 0:
                    push_bone(body, here, vec3.scale(-1.0, f), body_work, forces_out.bodies)
        release_slots(kept, anchors[i])
        if kept > 0:
            count += 1
    return count
