"""Surface vertices against obstacles."""

from __future__ import annotations

import numpy as np

from stringless.contact.penalty import friction_force, normal_force
from stringless.contact.shapes import depth
from stringless.flesh.motion import add_row3, push_bone, row3
from stringless.jit import kernel
from stringless.spatial import mat3, vec3

OBSTACLE_WORK = np.dtype(
    [
        ("R", np.float64, (9,)),  # world pose of the obstacle: rotation ...
        ("p", np.float64, (3,)),  # ... and position [m]
    ],
    align=True,
)


@kernel(inline=True)
def place_obstacles(obstacles, body_work, obstacle_work):
    """World pose of every obstacle."""
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


@kernel(inline=True)
def weigh(vertex, table):
    """Value at a surface vertex of what is given at the nodes."""
    a, b = row3(table, vertex.n[0]), row3(table, vertex.n[1])
    c, d = row3(table, vertex.n[2]), row3(table, vertex.n[3])
    w = vertex.w
    s = vec3.add_scaled(vec3.scale(w[0], a), w[1], b)
    return vec3.add_scaled(vec3.add_scaled(s, w[2], c), w[3], d)


@kernel(inline=True)
def obstacle_velocity(obstacle, x, body_work):
    """Velocity of the obstacle's material at the world point `x`."""
    if obstacle.body < 0:
        return (0.0, 0.0, 0.0)
    body = body_work[obstacle.body]
    arm = vec3.subtract(x, vec3.load(body.p, 0))
    return vec3.add(vec3.load(body.V, 3), vec3.cross(vec3.load(body.V, 0), arm))


@kernel(inline=True)
def touch(vertex, obstacle, placed, x, xdot, d, n, gains, body_work, anchor_work):
    """Force on a vertex that is `d` deep in an obstacle with outward normal `n`; keeps the friction anchor."""
    relative = vec3.subtract(xdot, obstacle_velocity(obstacle, x, body_work))
    rate = vec3.dot(relative, n)
    kn, cn = gains[0] * vertex.kn, gains[1] * vertex.cn
    fn = normal_force(d, rate, kn, cn, gains[2])
    # The anchor lives in the obstacle's frame, so that friction holds on a moving obstacle.
    R, p = mat3.load(placed.R, 0), vec3.load(placed.p, 0)
    anchor = vec3.add(p, mat3.transform(R, vec3.load(anchor_work.a, 0)))
    gap = vec3.subtract(x, anchor)
    gap = vec3.add_scaled(gap, -vec3.dot(gap, n), n)
    slip = vec3.add_scaled(relative, -rate, n)
    ft, share = friction_force(gap, slip, fn, kn, cn, obstacle.friction)
    if share < 1.0:
        # Sliding: drag the anchor to where its spring just holds the cone.
        held = vec3.add_scaled(ft, cn, slip)
        anchor = vec3.add_scaled(x, 1.0 / kn, held)
        vec3.store(anchor_work.a, 0, mat3.transform_back(R, vec3.subtract(anchor, p)))
    return vec3.add_scaled(ft, fn, n)


@kernel(inline=True)
def contact_forces(
    vertices, obstacles, x, xdot, gains, body_work, obstacle_work, anchor_work, f_out, force_out, wrench_out
):
    """Forces of all surface vertices on obstacles, spread to the nodes that carry them; returns how many touch."""
    count = 0
    for i in range(vertices.shape[0]):
        vertex = vertices[i]
        here = weigh(vertex, x)
        anchor = anchor_work[i]
        touched = -1
        for k in range(3):
            force_out[i, k] = 0.0
        for j in range(obstacles.shape[0]):
            placed = obstacle_work[j]
            apart = vec3.subtract(here, vec3.load(placed.p, 0))
            if vec3.dot(apart, apart) <= obstacles[j].reach * obstacles[j].reach:
                R = mat3.load(placed.R, 0)
                local = mat3.transform_back(R, apart)
                d, n = depth(obstacles[j], local)
                if d > 0.0:
                    if anchor.obstacle != j:
                        anchor.obstacle = j
                        vec3.store(anchor.a, 0, local)
                    touched = j
                    f = touch(
                        vertex, obstacles[j], placed, here, weigh(vertex, xdot), d, mat3.transform(R, n), gains,
                        body_work, anchor,
                    )  # fmt: skip
                    add_row3(i, f, force_out)
                    for k in range(4):
                        add_row3(vertex.n[k], vec3.scale(vertex.w[k], f), f_out)
                    if obstacles[j].body >= 0:
                        push_bone(obstacles[j].body, here, vec3.scale(-1.0, f), body_work, wrench_out)
        if touched < 0:
            anchor.obstacle = -1
        else:
            count += 1
    return count


@kernel(inline=True)
def probe_forces(tree, probes, obstacles, h, gains, body_work, obstacle_work, anchor_work, force_out, wrench_out):
    """Forces of all probes on obstacles of the world and of other trees; returns how many touch.

    They act where the surfaces meet, not at the centre of the ball. That point wanders over a rolling ball, so the anchor
    of a ball is kept relative to it, and moves by what slips.
    """
    count = 0
    for i in range(probes.shape[0]):
        probe = probes[i]
        body = body_work[probe.body]
        here = vec3.add(vec3.load(body.p, 0), mat3.transform(mat3.load(body.R, 0), vec3.load(probe.r, 0)))
        anchor = anchor_work[i]
        touched = False
        for k in range(3):
            force_out[i, k] = 0.0
        for j in range(obstacles.shape[0]):
            other = obstacles[j].body
            if other >= 0 and tree[other].root == tree[probe.body].root:
                continue
            placed = obstacle_work[j]
            apart = vec3.subtract(here, vec3.load(placed.p, 0))
            reach = obstacles[j].reach + probe.radius
            if vec3.dot(apart, apart) <= reach * reach:
                R = mat3.load(placed.R, 0)
                local = mat3.transform_back(R, apart)
                d, n = depth(obstacles[j], local)
                if d + probe.radius > 0.0:
                    foot = vec3.add_scaled(local, -probe.radius, n)
                    if anchor.obstacle != j:
                        anchor.obstacle = j
                        vec3.store(anchor.a, 0, foot)
                    elif probe.radius > 0.0:
                        vec3.store(anchor.a, 0, vec3.add(foot, vec3.load(anchor.a, 0)))
                    touched = True
                    point = vec3.add(vec3.load(placed.p, 0), mat3.transform(R, foot))
                    moving = obstacle_velocity(probe, point, body_work)
                    f = touch(
                        probe, obstacles[j], placed, point, moving, d + probe.radius, mat3.transform(R, n), gains,
                        body_work, anchor,
                    )  # fmt: skip
                    if probe.radius > 0.0:
                        slip = vec3.subtract(moving, obstacle_velocity(obstacles[j], point, body_work))
                        slip = mat3.transform_back(R, slip)
                        slip = vec3.add_scaled(slip, -vec3.dot(slip, n), n)
                        held = vec3.subtract(vec3.load(anchor.a, 0), foot)
                        vec3.store(anchor.a, 0, vec3.add_scaled(held, -h, slip))
                    add_row3(i, f, force_out)
                    push_bone(probe.body, point, f, body_work, wrench_out)
                    if other >= 0:
                        push_bone(other, point, vec3.scale(-1.0, f), body_work, wrench_out)
        if touched:
            count += 1
        else:
            anchor.obstacle = -1
    return count
