"""Contact and friction: stiff springs along the normal and along the surface, taken at the end of the step.

A step with contact points is solved a few times. First without friction: points that would have to be pulled are let go.
Then all that are left stick. Where that asks for more than Coulomb's share of the push, a point slides: a damper along the
surface brakes it, `c = mu N/|slip|`, with N and slip of the solve before, and so on until nothing changes. So friction never
speeds anything up, also where rounds run out before it has its full size. Against the ground a point adds to its own body's
equations; against another body it becomes constraint rows (`kernels_constraints`).
"""

from __future__ import annotations

import math

from stringless.contact.kernels import find_slot
from stringless.contact.kernels_penalty import SLOTS
from stringless.engines.stiff.kernels_constraints import set_row
from stringless.engines.stiff.kernels_contacts import OFF, SLIDES, STICKS
from stringless.engines.stiff.kernels_goals import add_push
from stringless.flesh.kernels_motion import add_row3
from stringless.jit import kernel
from stringless.spatial import mat3, vec3

SMOOTH, TRYING, SETTLING, DONE = 0, 1, 2, 3
"""How far a step has come: without friction, with all points sticking, with some sliding."""
SAME_FORCE = 0.02
"""A sliding force that is right within this share is not solved for again."""


@kernel(inline=True)
def spring_along(contact, k):
    """Force of a point along axis k if nothing were to change, and its slope; sliding it has a damper instead of a spring."""
    if k > 0 and contact.mode == SLIDES:
        return contact.slide[k - 1], contact.drag
    return contact.force[k], contact.slope


@kernel
def push_contacts(count, first, contacts_work, forces_out, rows_out):
    """Put all contact points into the equations; returns how many constraint rows there are then.

    Those between two bodies become rows as far as there is room.
    """
    rows = first
    for n in range(count):
        contact = contacts_work[n]
        contact.row = -1
        if contact.mode == OFF:
            continue
        directions = 1 if contact.mode == SLIDES and contact.drag <= 0.0 else 3
        r = vec3.load(contact.r, 0)
        if contact.other >= 0 and rows + directions <= rows_out.shape[0]:
            contact.row = rows
        for k in range(directions):
            a = vec3.load(contact.axes, 3 * k)
            force, slope = spring_along(contact, k)
            if contact.other < 0:
                add_push(contact.body, r, a, force, slope, forces_out)
            elif contact.row >= 0:
                on = vec3.cross(r, a)
                back, on_other = vec3.scale(-1.0, a), vec3.scale(-1.0, vec3.cross(vec3.load(contact.r_other, 0), a))
                set_row(rows, contact.other, contact.body, on_other, back, on, a, 1.0 / slope, rows_out)
                rows_out[rows].bias = force / slope
                rows += 1
    return rows


@kernel(inline=True)
def acceleration_at(body, r, gravity, body_work):
    """True acceleration over the step of the point of a body at the arm r; zero for the ground."""
    if body < 0:
        return (0.0, 0.0, 0.0)
    A = body_work[body].A
    return vec3.add(vec3.add(vec3.load(A, 3), vec3.load(gravity, 0)), vec3.cross(vec3.load(A, 0), r))


@kernel(inline=True)
def find_forces(phase, h, gravity, body_work, point_work):
    """Forces at a point as the solved step has them, and how it slips without friction."""
    here = acceleration_at(point_work.body, vec3.load(point_work.r, 0), gravity, body_work)
    there = acceleration_at(point_work.other, vec3.load(point_work.r_other, 0), gravity, body_work)
    A = vec3.subtract(here, there)
    for k in range(3):
        force, slope = spring_along(point_work, k)
        point_work.found[k] = force - slope * vec3.dot(A, vec3.load(point_work.axes, 3 * k))
    if phase == SMOOTH:
        for k in range(2):
            point_work.free[k] = point_work.slip[k] + h * vec3.dot(A, vec3.load(point_work.axes, 3 * (k + 1)))


@kernel(inline=True)
def release(point_work):
    """End a contact that would have to pull."""
    point_work.mode = OFF
    vec3.store(point_work.found, 0, (0.0, 0.0, 0.0))


@kernel(inline=True)
def limit_friction(push, h, point_work):
    """Let a point slide if it asks for more friction than a push allows, or brake it as that does; whether that is new.

    A point that begins to slide is braked by how it would slip without friction, one that slides by how it does.
    """
    most = point_work.friction * max(push, 0.0)
    size = math.sqrt(point_work.found[1] * point_work.found[1] + point_work.found[2] * point_work.found[2])
    if point_work.mode == STICKS and size <= most:
        return False
    old = point_work.drag if point_work.mode == SLIDES else 0.0
    fast = math.sqrt(point_work.free[0] * point_work.free[0] + point_work.free[1] * point_work.free[1])
    if old > 0.0:
        fast = h * size / old
    drag = min(h * most / fast, point_work.slope) if fast > 0.0 else point_work.slope
    is_new = point_work.mode == STICKS or abs(drag - old) > SAME_FORCE * drag
    point_work.mode, point_work.drag = SLIDES, drag
    for k in range(2):
        point_work.slide[k] = -drag / h * point_work.slip[k]
    return is_new


@kernel
def judge_contacts(count, phase, h, gravity, body_work, contacts_work):
    """Forces as the solved step has them, and what must change; returns the phase of the next solve, or DONE.

    While sticking is tried, its large forces say little about which points push: they are released before and after.
    """
    gone, sliding, held = False, False, False
    for n in range(count):
        contact = contacts_work[n]
        if contact.mode == OFF or (contact.other >= 0 and contact.row < 0):
            release(contact)
            continue
        find_forces(phase, h, gravity, body_work, contact)
        held = True
        if phase == SMOOTH:
            contact.pressed = contact.found[0]
            if contact.found[0] <= 0.0:
                release(contact)
                gone = True
        elif limit_friction(contact.pressed if phase == TRYING else contact.found[0], h, contact):
            sliding = True
    if phase == SMOOTH and held and not gone:
        for n in range(count):
            if contacts_work[n].mode == SLIDES:
                contacts_work[n].mode = STICKS
        return TRYING
    if phase != SMOOTH and not (phase == TRYING and sliding):
        for n in range(count):
            if contacts_work[n].mode != OFF and contacts_work[n].found[0] <= 0.0:
                release(contacts_work[n])
                gone = True
    if gone or sliding:
        return SMOOTH if phase == SMOOTH else SETTLING
    return DONE


@kernel
def store_contacts(count, contacts, h, obstacle_work, body_work, anchors_out, force_out):
    """Move the anchors of what slides or rolls on, and add the force on every contact sample."""
    for n in range(count):
        contact = contacts[n]
        anchor = anchors_out[contact.point]
        if contact.mode == OFF:
            slot = find_slot(anchor, contact.obstacle)
            if slot >= 0:
                anchor.obstacle[slot] = -1
            continue
        f = (0.0, 0.0, 0.0)
        for k in range(3):
            f = vec3.add_scaled(f, contact.found[k], vec3.load(contact.axes, 3 * k))
        add_row3(contact.point, f, force_out)
        if contact.slot < SLOTS and (contact.mode == SLIDES or contact.ball == 1):
            drag_anchor(contact, h, obstacle_work[contact.obstacle], body_work, anchor)


@kernel(inline=True)
def drag_anchor(contact, h, placed, body_work, anchor_out):
    """Keep the anchor's spring stretched by what it has come to hold.

    `body_work` has the velocities at the end of the step, and the poses at its beginning.
    """
    f = vec3.scale(contact.found[1], vec3.load(contact.axes, 3))
    f = vec3.add(f, vec3.scale(contact.found[2], vec3.load(contact.axes, 6)))
    slip = end_slip(contact, body_work)
    gap = vec3.scale(-1.0 / contact.k, vec3.add_scaled(f, contact.c, slip))
    gap = mat3.transform_back(mat3.load(placed.R, 0), gap)
    if contact.ball == 1:
        vec3.store(anchor_out.a, 3 * contact.slot, vec3.scale(-1.0, gap))
        return
    moved = vec3.add_scaled(vec3.load(contact.r, 0), h, slip)
    foot = vec3.subtract(vec3.add(vec3.load(body_work[contact.body].p, 0), moved), vec3.load(placed.p, 0))
    foot = mat3.transform_back(mat3.load(placed.R, 0), foot)
    vec3.store(anchor_out.a, 3 * contact.slot, vec3.subtract(foot, gap))


@kernel(inline=True)
def end_slip(contact, body_work):
    """Velocity along the surface between the two at the end of the step."""
    V = body_work[contact.body].V
    drift = vec3.add(vec3.load(V, 3), vec3.cross(vec3.load(V, 0), vec3.load(contact.r, 0)))
    if contact.other >= 0:
        V, r = body_work[contact.other].V, vec3.load(contact.r_other, 0)
        drift = vec3.subtract(drift, vec3.add(vec3.load(V, 3), vec3.cross(vec3.load(V, 0), r)))
    n = vec3.load(contact.axes, 0)
    return vec3.add_scaled(drift, -vec3.dot(drift, n), n)
