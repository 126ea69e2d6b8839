"""Bodies that touch: stiff springs along the normal and along the surface, taken at the end of the step.

A step with touching points is solved a few times. First without friction: points that would have to be pulled are let go.
Then all that are left stick. Where that asks for more than Coulomb's share of the push, a point slides: a damper along the
surface brakes it, `c = mu N/|slip|`, with N and slip of the solve before, and so on until nothing changes. So friction never
speeds anything up, also where rounds run out before it has its full size. Against the ground a point adds to its own body's
equations; against another body it becomes rows of `stiff.links`.
"""

from __future__ import annotations

import math

from stringless.contact.kernels import find_slot
from stringless.contact.kernels_penalty import SLOTS
from stringless.engines.stiff.kernels_links import set_row
from stringless.engines.stiff.kernels_loads import push
from stringless.engines.stiff.kernels_touch import OFF, SLIDES, STICKS
from stringless.flesh.kernels_motion import add_row3
from stringless.jit import kernel
from stringless.spatial import mat3, vec3

SMOOTH, TRYING, SETTLING, DONE = 0, 1, 2, 3
"""How far a step has come: without friction, with all points sticking, with some sliding."""
SAME_FORCE = 0.02
"""A sliding force that is right within this share is not solved for again."""


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
