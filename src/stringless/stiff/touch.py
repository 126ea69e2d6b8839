"""Bodies that touch: stiff springs along the normal and along the surface, taken at the end of the step.

A step with touching points is solved a few times. First without friction: points that would have to be pulled are let go.
Then all that are left stick. Where that asks for more than Coulomb's share of the push, a point slides: a damper along the
surface brakes it, `c = mu N/|slip|`, with N and slip of the solve before, and so on until nothing changes. So friction never
speeds anything up, also where rounds run out before it has its full size. Against the ground a point adds to its own body's
equations; against another body it becomes rows of `stiff.links`.
"""

from __future__ import annotations

import math

import numpy as np

from stringless.contact.kernels import BACK, depth, find_slot, forget, hold, in_reach, relative_motion
from stringless.contact.penalty import SLOTS
from stringless.contact.runs import is_met
from stringless.contact.shapes import PLANE
from stringless.flesh.motion import add_row3
from stringless.jit import kernel
from stringless.spatial import mat3, vec3
from stringless.stiff.links import set_row
from stringless.stiff.loads import push
from stringless.stiff.sweep import on_the_way, run_into

INT, REAL = np.int64, np.float64
OFF, STICKS, SLIDES = 0, 1, 2
"""What a point does."""
SMOOTH, TRYING, SETTLING, DONE = 0, 1, 2, 3
"""How far a step has come: without friction, with all points sticking, with some sliding."""
FALL = 1.5
"""How far above a surface points are looked at, in units of what gravity makes them fall in a step."""
SAME_FORCE = 0.02
"""A sliding force that is right within this share is not solved for again."""

TOUCH_WORK = np.dtype(
    [
        ("point", INT),  # which probe
        ("obstacle", INT),
        ("slot", INT),  # of its anchor
        ("body", INT),
        ("other", INT),  # the obstacle's body, -1 for the ground
        ("mode", INT),
        ("row", INT),  # first of its rows among the links, -1 for none
        ("r", REAL, (3,)),  # where it touches, as the step begins, from the body's origin ...
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
        ("ball", INT),  # 1: the probe has a radius, its anchor is relative
    ],
    align=True,
)


@kernel(inline=True)
def tangents(n):
    """Two unit vectors normal to n and to each other."""
    e = vec3.unit(0 if abs(n[0]) < 0.6 else 1)
    t = vec3.cross(n, e)
    t = vec3.scale(1.0 / math.sqrt(vec3.dot(t, t)), t)
    return t, vec3.cross(n, t)


@kernel
def meet(i, j, probe, obstacle, placed, meshes, here, h, gains, margin, body_work, stack_work, anchor_work, touch_out):
    """Write how probe i touches obstacle j where both will be at the end of the step; whether it may.

    A point that touches now, or falls onto the surface within the step, may: the solved step tells whether it is pushed.
    One that would be past the obstacle by then is stopped where it comes in.
    """
    R = mat3.load(placed.R, 0)
    local, drift = relative_motion(obstacle, placed, probe.body, here, here, body_work)
    before = vec3.add_scaled(local, -BACK * h, drift)
    way = vec3.scale(h, drift)
    end = vec3.add(local, way)
    d, n, face = depth(j, obstacle, meshes, probe.radius, end, before, stack_work, anchor_work)
    if obstacle.kind != PLANE and vec3.dot(way, way) > margin * margin:
        meets, behind, normal, side = run_into(
            j, obstacle, meshes, probe.radius, local, way, stack_work, anchor_work
        )  # fmt: skip
        if meets and (d <= 0.0 or vec3.dot(n, normal) < 0.5):
            d, n, face = behind, normal, side
    local = end
    if d + margin + h * max(vec3.dot(drift, n), 0.0) <= 0.0:
        return False
    foot = vec3.add_scaled(local, -probe.radius, n)
    point = vec3.add_scaled(here, -probe.radius, mat3.transform(R, n))
    is_ball = probe.radius > 0.0
    if is_ball:
        _, drift = relative_motion(obstacle, placed, probe.body, point, point, body_work)
    slot, gap = hold(j, face, (0.0, 0.0, 0.0) if is_ball else foot, n, anchor_work)
    rate = vec3.dot(drift, n)
    slip = vec3.add_scaled(drift, -rate, n)
    if is_ball:
        gap = vec3.add_scaled(gap, h, slip)
    k, c = gains[0] * probe.kn, gains[1] * probe.cn
    touch_out.point, touch_out.obstacle, touch_out.slot = i, j, slot if slot >= 0 else SLOTS
    touch_out.body, touch_out.other, touch_out.mode, touch_out.ball = (
        probe.body,
        obstacle.body,
        SLIDES,
        1 if is_ball else 0,
    )
    touch_out.slide[0], touch_out.slide[1], touch_out.drag = 0.0, 0.0, 0.0
    touch_out.k, touch_out.c, touch_out.slope, touch_out.friction = k, c, h * (c + h * k), obstacle.friction
    t, b = tangents(n)
    touch_out.slip[0], touch_out.slip[1] = vec3.dot(slip, t), vec3.dot(slip, b)
    vec3.store(touch_out.force, 0, (k * d - c * rate, tangential(k, c, gap, slip, t), tangential(k, c, gap, slip, b)))
    vec3.store(touch_out.axes, 0, mat3.transform(R, n))
    vec3.store(touch_out.axes, 3, mat3.transform(R, t))
    vec3.store(touch_out.axes, 6, mat3.transform(R, b))
    vec3.store(touch_out.r, 0, vec3.subtract(point, vec3.load(body_work[probe.body].p, 0)))
    other = vec3.load(body_work[obstacle.body].p, 0) if obstacle.body >= 0 else (0.0, 0.0, 0.0)
    vec3.store(touch_out.r_other, 0, vec3.subtract(point, other))
    return True


@kernel(inline=True)
def tangential(k, c, gap, slip, t):
    """Force of the anchor's spring and damper along t."""
    return -k * vec3.dot(gap, t) - c * vec3.dot(slip, t)


@kernel
def find_touches(
    tree, probes, obstacles, meshes, gravity, h, gains, body_work, obstacle_work, stack_work, anchor_work, touches_out
):  # fmt: skip
    """All probes that may touch obstacles of the ground or of other trees at the end of the step; returns how many."""
    count = 0
    margin = FALL * h * h * math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    for i in range(probes.shape[0]):
        probe = probes[i]
        body = body_work[probe.body]
        arm = mat3.transform(mat3.load(body.R, 0), vec3.load(probe.r, 0))
        here = vec3.add(vec3.load(body.p, 0), arm)
        xdot = vec3.add(vec3.load(body.V, 3), vec3.cross(vec3.load(body.V, 0), arm))
        moved, near = vec3.add_scaled(here, h, xdot), probe.radius + margin
        kept, first, way = 0, 0, h * math.sqrt(vec3.dot(xdot, xdot))
        while first < obstacles.shape[0]:
            end = obstacles[first].end
            far = near + way + h * obstacle_work[first].fast
            if not is_met(first, tree, obstacles, probe.body, here, far, h, anchor_work[i], obstacle_work):
                first = end
                continue
            for j in range(first, end):
                obstacle = obstacles[j]
                if not in_reach(j, obstacle, obstacle_work[j], moved, near, h, anchor_work[i]) and not on_the_way(
                    obstacle, obstacle_work[j], probe.body, here, h, near, body_work
                ):
                    continue
                if count < touches_out.shape[0] and meet(
                    i, j, probe, obstacle, obstacle_work[j], meshes, here, h, gains, margin, body_work, stack_work,
                    anchor_work[i], touches_out[count],
                ):  # fmt: skip
                    kept |= 1 << touches_out[count].slot
                    count += 1
            first = end
        forget(kept, anchor_work[i])
    return count


@kernel
def push_touches(count, first, touches_work, stiff_out, wrench_out, links_out):
    """Put all touching points into the equations; returns how many rows of links there are then.

    Those between two bodies become links as far as there is room.
    """
    rows = first
    for n in range(count):
        touch = touches_work[n]
        touch.row = -1
        if touch.mode == OFF:
            continue
        directions = 1 if touch.mode == SLIDES and touch.drag <= 0.0 else 3
        r = vec3.load(touch.r, 0)
        if touch.other >= 0 and rows + directions <= links_out.shape[0]:
            touch.row = rows
        for k in range(directions):
            a = vec3.load(touch.axes, 3 * k)
            slides = k > 0 and touch.mode == SLIDES
            force, slope = (touch.slide[k - 1], touch.drag) if slides else (touch.force[k], touch.slope)
            if touch.other < 0:
                push(touch.body, r, a, force, slope, stiff_out, wrench_out)
            elif touch.row >= 0:
                m, m_other = vec3.cross(r, a), vec3.cross(vec3.load(touch.r_other, 0), a)
                set_row(
                    rows,
                    touch.other,
                    touch.body,
                    vec3.scale(-1.0, m_other),
                    vec3.scale(-1.0, a),
                    m,
                    a,
                    1.0 / slope,
                    links_out,
                )
                links_out[rows].bias = force / slope
                rows += 1
    return rows


@kernel(inline=True)
def acceleration_at(body, r, gravity, body_work):
    """True acceleration over the step of the point of a body at the arm r; zero for the ground."""
    if body < 0:
        return (0.0, 0.0, 0.0)
    A = body_work[body].A
    A_v = (A[3] + gravity[0], A[4] + gravity[1], A[5] + gravity[2])
    return vec3.add(A_v, vec3.cross((A[0], A[1], A[2]), r))


@kernel(inline=True)
def find_forces(phase, h, gravity, body_work, touch_work):
    """Forces at a point as the solved step has them, and how it slips without friction."""
    here = acceleration_at(touch_work.body, vec3.load(touch_work.r, 0), gravity, body_work)
    there = acceleration_at(touch_work.other, vec3.load(touch_work.r_other, 0), gravity, body_work)
    A = vec3.subtract(here, there)
    for k in range(3):
        slides = k > 0 and touch_work.mode == SLIDES
        force, slope = (touch_work.slide[k - 1], touch_work.drag) if slides else (touch_work.force[k], touch_work.slope)
        touch_work.found[k] = force - slope * vec3.dot(A, vec3.load(touch_work.axes, 3 * k))
    if phase == SMOOTH:
        for k in range(2):
            touch_work.free[k] = touch_work.slip[k] + h * vec3.dot(A, vec3.load(touch_work.axes, 3 * (k + 1)))


@kernel(inline=True)
def let_go(touch_work):
    """A point that would have to be pulled touches no more."""
    touch_work.mode = OFF
    vec3.store(touch_work.found, 0, (0.0, 0.0, 0.0))


@kernel(inline=True)
def limit_friction(push, h, touch_work):
    """Let a point slide if it asks for more friction than a push allows, or brake it as that does; whether that is new.

    A point that begins to slide is braked by how it would slip without friction, one that slides by how it does.
    """
    most = touch_work.friction * max(push, 0.0)
    size = math.sqrt(touch_work.found[1] * touch_work.found[1] + touch_work.found[2] * touch_work.found[2])
    if touch_work.mode == STICKS and size <= most:
        return False
    old = touch_work.drag if touch_work.mode == SLIDES else 0.0
    fast = math.sqrt(touch_work.free[0] * touch_work.free[0] + touch_work.free[1] * touch_work.free[1])
    if old > 0.0:
        fast = h * size / old
    drag = min(h * most / fast, touch_work.slope) if fast > 0.0 else touch_work.slope
    is_new = touch_work.mode == STICKS or abs(drag - old) > SAME_FORCE * drag
    touch_work.mode, touch_work.drag = SLIDES, drag
    for k in range(2):
        touch_work.slide[k] = -drag / h * touch_work.slip[k]
    return is_new


@kernel
def judge_touches(count, phase, h, gravity, body_work, touches_work):
    """Forces as the solved step has them, and what must change; returns the phase of the next solve, or DONE.

    While sticking is tried, its large forces say little about who is pushed: points are let go of before and after.
    """
    gone, sliding, held = False, False, False
    for n in range(count):
        touch = touches_work[n]
        if touch.mode == OFF or (touch.other >= 0 and touch.row < 0):
            let_go(touch)
            continue
        find_forces(phase, h, gravity, body_work, touch)
        held = True
        if phase == SMOOTH:
            touch.pressed = touch.found[0]
            if touch.found[0] <= 0.0:
                let_go(touch)
                gone = True
        elif limit_friction(touch.pressed if phase == TRYING else touch.found[0], h, touch):
            sliding = True
    if phase == SMOOTH and held and not gone:
        for n in range(count):
            if touches_work[n].mode == SLIDES:
                touches_work[n].mode = STICKS
        return TRYING
    if phase != SMOOTH and not (phase == TRYING and sliding):
        for n in range(count):
            if touches_work[n].mode != OFF and touches_work[n].found[0] <= 0.0:
                let_go(touches_work[n])
                gone = True
    if gone or sliding:
        return SMOOTH if phase == SMOOTH else SETTLING
    return DONE


@kernel
def leave_touches(count, touches, h, obstacle_work, body_work, anchors_out, force_out):
    """Move the anchors of what slides or rolls on, and add the force on every probe."""
    for n in range(count):
        touch = touches[n]
        anchor = anchors_out[touch.point]
        if touch.mode == OFF:
            slot = find_slot(anchor, touch.obstacle)
            if slot >= 0:
                anchor.obstacle[slot] = -1
            continue
        f = (0.0, 0.0, 0.0)
        for k in range(3):
            f = vec3.add_scaled(f, touch.found[k], vec3.load(touch.axes, 3 * k))
        add_row3(touch.point, f, force_out)
        if touch.slot < SLOTS and (touch.mode == SLIDES or touch.ball == 1):
            drag_anchor(touch, h, obstacle_work[touch.obstacle], body_work, anchor)


@kernel(inline=True)
def drag_anchor(touch, h, placed, body_work, anchor_out):
    """Keep the anchor's spring stretched by what it has come to hold.

    `body_work` has the velocities at the end of the step, and the poses at its beginning.
    """
    f = vec3.add(
        vec3.scale(touch.found[1], vec3.load(touch.axes, 3)), vec3.scale(touch.found[2], vec3.load(touch.axes, 6))
    )
    slip = end_slip(touch, body_work)
    gap = vec3.scale(-1.0 / touch.k, vec3.add_scaled(f, touch.c, slip))
    gap = mat3.transform_back(mat3.load(placed.R, 0), gap)
    if touch.ball == 1:
        vec3.store(anchor_out.a, 3 * touch.slot, vec3.scale(-1.0, gap))
        return
    moved = vec3.add_scaled(vec3.load(touch.r, 0), h, slip)
    foot = vec3.subtract(vec3.add(vec3.load(body_work[touch.body].p, 0), moved), vec3.load(placed.p, 0))
    foot = mat3.transform_back(mat3.load(placed.R, 0), foot)
    vec3.store(anchor_out.a, 3 * touch.slot, vec3.subtract(foot, gap))


@kernel(inline=True)
def end_slip(touch, body_work):
    """Velocity along the surface between the two at the end of the step."""
    drift = (0.0, 0.0, 0.0)
    r, r_other = vec3.load(touch.r, 0), vec3.load(touch.r_other, 0)
    work = body_work[touch.body]
    drift = vec3.add(vec3.load(work.V, 3), vec3.cross(vec3.load(work.V, 0), r))
    if touch.other >= 0:
        work = body_work[touch.other]
        drift = vec3.subtract(drift, vec3.add(vec3.load(work.V, 3), vec3.cross(vec3.load(work.V, 0), r_other)))
    n = vec3.load(touch.axes, 0)
    return vec3.add_scaled(drift, -vec3.dot(drift, n), n)
