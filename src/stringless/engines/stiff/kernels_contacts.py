"""Contact points at the end of a step: which, where, and with what springs.

A point has a stiff spring along the normal and one along the surface, taken at the end of the step; `kernels_friction` finds
which of them push, stick and slide. A fast point is stopped by what it meets on its way, though it would be past it at the end.
"""

from __future__ import annotations

import math

import numpy as np

from stringless.contact.kernels import (
    BACK,
    find_depth,
    hold_anchor,
    in_reach,
    point_velocity,
    relative_motion,
    release_slots,
)
from stringless.contact.kernels_penalty import SLOTS
from stringless.contact.kernels_runs import is_met
from stringless.contact.kernels_shapes import BOX, PLANE
from stringless.contact.records import DAMPING, STIFFNESS, Obstacle
from stringless.jit import kernel
from stringless.spatial import mat3, vec3

INT, REAL = np.int64, np.float64
OFF, STICKS, SLIDES = 0, 1, 2
"""What a point does."""
MOST_STRIDES = 24
"""Of the search for where a fast point meets an obstacle."""
MET = 1e-5
"""How near it has to come [m]."""
FALL = 1.5
"""How far above a surface points are looked at, in units of what gravity makes them fall in a step."""

CONTACT_WORK = np.dtype(
    [
        ("point", INT),  # which contact sample
        ("obstacle", INT),
        ("slot", INT),  # of its anchor
        ("body", INT),
        ("other", INT),  # the obstacle's body, -1 for the ground
        ("mode", INT),
        ("row", INT),  # first of its rows among the links, -1 for none
        ("r", REAL, (3,)),  # where contact is, as the step begins, from the body's origin ...
        ("r_other", REAL, (3,)),  # ... and from the other's [m]
        ("axes", REAL, (9,)),  # normal and two directions along the surface, in the world
        ("force", REAL, (3,)),  # along them, if nothing were to change [N]
        ("found", REAL, (3,)),  # as the last solve has it [N]
        ("slide", REAL, (2,)),  # friction of a sliding point, if its slip were not to change [N] ...
        ("drag", REAL),  # ... and how it answers to that, h c of its damper [kg]
        ("pressed", REAL),  # push without friction [N]
        ("slip", REAL, (2,)),  # velocity along the surface as the step begins ...
        ("free", REAL, (2,)),  # ... and at its end, without friction [m/s]
        ("slope", REAL),  # h c + h² k [kg]
        ("friction", REAL),
        ("k", REAL),
        ("c", REAL),
        ("ball", INT),  # 1: the sample has a radius, its anchor is relative
    ],
    align=True,
)


@kernel(inline=True)
def tangents(n):
    """Two unit vectors normal to the unit vector n and to each other."""
    e = vec3.unit(0 if abs(n[0]) < 0.6 else 1)
    t = vec3.cross(n, e)
    t = vec3.scale(1.0 / math.sqrt(vec3.dot(t, t)), t)
    return t, vec3.cross(n, t)


@kernel(inline=True)
def tangential(k, c, gap, slip, t):
    """Force of the anchor's spring and damper along t."""
    return -k * vec3.dot(gap, t) - c * vec3.dot(slip, t)


@kernel(inline=True)
def on_the_way(obstacle, body, here, h, radius, body_work):
    """Whether a ball comes near an obstacle on the straight way that it takes through the step, as the obstacle sees it."""
    row = obstacle.row
    if row.kind == PLANE:
        return False
    apart = vec3.subtract(here, vec3.load(obstacle.placed.p, 0))
    way = vec3.subtract(point_velocity(body, here, body_work), point_velocity(row.body, here, body_work))
    way = vec3.scale(h, way)
    share = -vec3.dot(apart, way) / max(vec3.dot(way, way), 1e-300)
    nearest = vec3.add_scaled(apart, min(max(share, 0.0), 1.0), way)
    reach = row.reach + radius
    return vec3.dot(nearest, nearest) <= reach * reach


@kernel
def run_into(obstacle, radius, local, way, stack_work, anchor_work):
    """How deep a ball that goes straight from `local` along `way` would be past the surface that it meets first.

    The search strides by the distance that is left, so it passes through nothing, however thin. Returns whether it meets
    the obstacle from outside, the depth behind the surface there, its normal, and the face of a box.
    """
    long = math.sqrt(vec3.dot(way, way))
    share = 0.0
    for _ in range(MOST_STRIDES):
        there = vec3.add_scaled(local, share, way)
        d, n, _ = find_depth(obstacle, radius, there, there, stack_work, anchor_work)
        if d > 0.0 and share == 0.0:
            return False, 0.0, n, -1
        if d > -MET:
            if vec3.dot(way, n) >= 0.0:
                return False, 0.0, n, -1
            face = -1
            for k in range(3):
                if obstacle.row.kind == BOX and abs(n[k]) > 0.999:
                    face = 2 * k + (1 if n[k] > 0.0 else 0)
            return True, d - (1.0 - share) * vec3.dot(way, n), n, face
        share -= d / long
        if share >= 1.0:
            break
    return False, 0.0, (0.0, 0.0, 0.0), -1


@kernel(inline=True)
def find_contact(i, obstacle, sample, here, h, gains, margin, body_work, stack_work, anchor_work, contact_out):
    """Write how contact sample i touches an obstacle where both will be at the end of the step; whether it may.

    A point that touches now, or falls onto the surface within the step, may: the solved step tells whether it is pushed.
    One that would be past the obstacle by then is stopped where it comes in.
    """
    row = obstacle.row
    R = mat3.load(obstacle.placed.R, 0)
    local, drift = relative_motion(obstacle, sample.body, here, here, body_work)
    before = vec3.add_scaled(local, -BACK * h, drift)
    way = vec3.scale(h, drift)
    end = vec3.add(local, way)
    d, n, face = find_depth(obstacle, sample.radius, end, before, stack_work, anchor_work)
    if row.kind != PLANE and vec3.dot(way, way) > margin * margin:
        meets, behind, normal, side = run_into(obstacle, sample.radius, local, way, stack_work, anchor_work)
        if meets and (d <= 0.0 or vec3.dot(n, normal) < 0.5):
            d, n, face = behind, normal, side
    local = end
    if d + margin + h * max(vec3.dot(drift, n), 0.0) <= 0.0:
        return False
    foot = vec3.add_scaled(local, -sample.radius, n)
    point = vec3.add_scaled(here, -sample.radius, mat3.transform(R, n))
    is_ball = sample.radius > 0.0
    if is_ball:
        _, drift = relative_motion(obstacle, sample.body, point, point, body_work)
    slot, gap = hold_anchor(obstacle.number, face, (0.0, 0.0, 0.0) if is_ball else foot, n, anchor_work)
    rate = vec3.dot(drift, n)
    slip = vec3.add_scaled(drift, -rate, n)
    if is_ball:
        gap = vec3.add_scaled(gap, h, slip)
    k, c = gains[STIFFNESS] * sample.kn, gains[DAMPING] * sample.cn
    contact_out.point, contact_out.obstacle, contact_out.slot = i, obstacle.number, slot if slot >= 0 else SLOTS
    contact_out.body, contact_out.other, contact_out.mode = sample.body, row.body, SLIDES
    contact_out.ball = 1 if is_ball else 0
    contact_out.slide[0], contact_out.slide[1], contact_out.drag = 0.0, 0.0, 0.0
    contact_out.k, contact_out.c, contact_out.slope, contact_out.friction = k, c, h * (c + h * k), row.friction
    t, b = tangents(n)
    contact_out.slip[0], contact_out.slip[1] = vec3.dot(slip, t), vec3.dot(slip, b)
    vec3.store(contact_out.force, 0, (k * d - c * rate, tangential(k, c, gap, slip, t), tangential(k, c, gap, slip, b)))
    vec3.store(contact_out.axes, 0, mat3.transform(R, n))
    vec3.store(contact_out.axes, 3, mat3.transform(R, t))
    vec3.store(contact_out.axes, 6, mat3.transform(R, b))
    vec3.store(contact_out.r, 0, vec3.subtract(point, vec3.load(body_work[sample.body].p, 0)))
    other = vec3.load(body_work[row.body].p, 0) if row.body >= 0 else (0.0, 0.0, 0.0)
    vec3.store(contact_out.r_other, 0, vec3.subtract(point, other))
    return True


@kernel
def find_contacts(skeleton, contact, h, gains, body_work, contact_work, anchor_work, contacts_out):
    """All contact samples that may touch obstacles of the ground or of other trees at the end of the step; returns how many."""
    obstacles, placed, stack, gravity = contact.obstacles, contact_work.obstacles, contact_work.stack, skeleton.gravity
    count = 0
    margin = FALL * h * h * math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    for i in range(contact.samples.shape[0]):
        sample, anchor = contact.samples[i], anchor_work[i]
        body = body_work[sample.body]
        arm = mat3.transform(mat3.load(body.R, 0), vec3.load(sample.r, 0))
        here = vec3.add(vec3.load(body.p, 0), arm)
        xdot = vec3.add(vec3.load(body.V, 3), vec3.cross(vec3.load(body.V, 0), arm))
        moved, near = vec3.add_scaled(here, h, xdot), sample.radius + margin
        kept, first, way = 0, 0, h * math.sqrt(vec3.dot(xdot, xdot))
        while first < obstacles.shape[0]:
            end = obstacles[first].end
            far = near + way + h * placed[first].fast
            if not is_met(first, skeleton.tree, obstacles, sample.body, here, far, h, anchor, placed):
                first = end
                continue
            for j in range(first, end):
                obstacle = Obstacle(j, obstacles[j], placed[j], contact.meshes)
                if not in_reach(obstacle, moved, near, h, anchor) and not on_the_way(
                    obstacle, sample.body, here, h, near, body_work
                ):
                    continue
                if count < contacts_out.shape[0] and find_contact(
                    i, obstacle, sample, here, h, gains, margin, body_work, stack, anchor, contacts_out[count]
                ):
                    kept |= 1 << contacts_out[count].slot
                    count += 1
            first = end
        release_slots(kept, anchor)
    return count
