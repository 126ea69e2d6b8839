"""Steps of the adaptive engine: the lumps of every tree move on, and now and then joints are chosen anew.

Trees do not know of each other, so one after the other runs through all steps, and only what moves is touched. Choosing:
a look at the whole tree -> the best set of joints -> lumps -> momenta of the joints that go on.
"""

from __future__ import annotations

from stringless.adaptive.choice import choose, measure
from stringless.adaptive.exchange import (
    AIM,
    EFFORT,
    INERTIA,
    RATE,
    RESIDUAL,
    TAU,
    VDOT,
    P,
    V,
    bring_back,
    carry_momenta,
    collect,
    fetch,
    form_lumps,
    keeps_moving,
    lumps_of,
    of_tree,
    push_lumps,
    settle,
)
from stringless.adaptive.momentum import prepare
from stringless.adaptive.rigidify import momenta
from stringless.adaptive.rounds import meet, spend
from stringless.adaptive.rows import CHOICE, CHOSEN, DUE, ENERGY, MOVES, UNKNOWN
from stringless.adaptive.seeing import see
from stringless.jit import kernel
from stringless.simulation.step import accelerate, run_symplectic

NO_TIME = 1e-300
"""Length of the step before, where v does not lag behind q: the next step then brings v to its middle, not farther [s]."""


@kernel
def choose_by_motion(own, limits, gravity, none, external, h, frequency, room_work, moves_out, part_out):
    """Choose by the rates that joints would have at the end of the interval h, in a step of that length; how many change."""
    tree, dofs, rest, members, weights = own
    body_work, dof_work, vectors_work, _, q_work, _, score_work, order_work, _ = room_work
    v = vectors_work[V]
    accelerate(
        tree, dofs, limits, rest, gravity, q_work, v, v, none[0], v, vectors_work[TAU], external, h, h, frequency, body_work,
        dof_work, vectors_work[VDOT], vectors_work[EFFORT],
    )  # fmt: skip
    measure(tree, members, weights, v, vectors_work[VDOT], h, score_work)
    changes, part_out.error = choose(members, score_work, part_out.budget, part_out.max_error, order_work, moves_out)
    momenta(tree, dofs, q_work, v, body_work, vectors_work[P])
    return changes


@kernel
def choose_by_energy(own, limits, gravity, none, external, h, frequency, room_work, moves_out, part_out):
    """Choose by the energy that would be missing at the end of the interval h if joints were held; how many change."""
    tree, dofs, rest, members, weights = own
    body_work, dof_work, vectors_work, _, q_work, _, score_work, order_work, free_work = room_work
    no_mask, no_gravity, _, _ = none
    aim, inertia = vectors_work[AIM], vectors_work[INERTIA]
    prepare(
        tree, dofs, limits, rest, gravity, q_work, vectors_work[V], vectors_work[TAU], external, no_mask, h, frequency,
        body_work, dof_work, vectors_work[P], aim, inertia,
    )  # fmt: skip
    free = free_work[: tree.shape[0]]
    if part_out.max_error >= 0.0:
        part_out.error = meet(
            tree, dofs, members, weights, moves_out, aim, inertia, part_out.budget, part_out.max_error, no_gravity, no_mask,
            body_work, dof_work, vectors_work[EFFORT], vectors_work[RATE], vectors_work[RESIDUAL], score_work, free,
        )  # fmt: skip
    else:
        part_out.error = UNKNOWN
        spend(
            tree, dofs, members, weights, moves_out, aim, inertia, part_out.budget, no_gravity, no_mask, body_work,
            dof_work, vectors_work[EFFORT], vectors_work[RATE], vectors_work[RESIDUAL], score_work, order_work, free,
        )  # fmt: skip
    changes = 0
    for i in range(tree.shape[0]):
        moving = free[i] and members[i].role >= CHOSEN
        changes += moves_out[i] != moving
        moves_out[i] = moving
    return changes


@kernel
def take_all(members, moves_out):
    """Let every joint move that can; how many change."""
    changes = 0
    for i in range(members.shape[0]):
        moving = members[i].role >= CHOSEN
        changes += moves_out[i] != moving
        moves_out[i] = moving
    return changes


@kernel
def look(
    own, limits, gravity, none, pushed, wrenches, begin, end, h, frequency, criterion, room_work, moves_out,
    part_out,
):  # fmt: skip
    """Choose the joints of a tree that move, from its collected state; how many change."""
    tree, members = own[0], own[3]
    if part_out.max_error < 0.0 and part_out.budget == part_out.joints:
        part_out.error = 0.0
        return take_all(members, moves_out)
    external_work = room_work[5]
    for n in range(begin, end):
        for k in range(6):
            external_work[pushed[n], k] += wrenches[n, k]
    external = external_work[: tree.shape[0] if end > begin else 0]
    if criterion == ENERGY:
        changes = choose_by_energy(own, limits, gravity, none, external, h, frequency, room_work, moves_out, part_out)
    else:
        changes = choose_by_motion(own, limits, gravity, none, external, h, frequency, room_work, moves_out, part_out)
    for n in range(begin, end):
        for k in range(6):
            external_work[pushed[n], k] = 0.0
    return changes


@kernel
def choose_joints(
    own, limits, gravity, none, pushed, wrenches, begin, end, tau, last, h, frequency, criterion, lump_work, room_work,
    kept_out, vdot_out, q_out, v_out, part_out,
):  # fmt: skip
    """Look at a whole tree, and choose the joints that move for the interval h; all its rates are in `v_out`.

    Returns whether something changes. Then velocities do not lag behind q any more. That joints are let go or stopped changes
    accelerations at once: half a step of the old ones with half a step of the new ones on top is what a step would be that
    went on from velocities that lag, and a chain of light links would gain energy at every change.
    """
    tree, members = own[0], own[3]
    lumps, _, _, lump_tau, lump_vdot, lump_q, lump_v, _, _, _, body_of, moves = lump_work
    vectors_work, q_work = room_work[2], room_work[4]
    collect(tree, members, tau, last, vdot_out, q_out, v_out, vectors_work, q_work)
    see(tree[0], members[0], q_out, kept_out, part_out)
    changes = look(
        own, limits, gravity, none, pushed, wrenches, begin, end, h, frequency, criterion, room_work, moves, part_out
    )  # fmt: skip
    part_out.updates += 1
    part_out.switched += changes
    v = vectors_work[V]
    loose = keeps_moving(tree, moves, v)
    if changes == 0 and not loose:
        return False
    for i in range(tree.shape[0]):
        kept_out[members[i].body, MOVES] = 1.0 if moves[i] else 0.0
    form_lumps(own, q_work, lump_work, part_out)
    settle(tree, members, moves, v, vdot_out, v_out)
    m = part_out.lumps
    fetch(m, lumps, members, body_of, tau, vdot_out, q_out, v_out, lump_tau, lump_vdot, lump_q, lump_v)
    if loose:
        carry_momenta(own, none, lump_work, room_work, part_out)
        bring_back(m, lumps, members, body_of, lump_vdot, lump_q, lump_v, vdot_out, q_out, v_out)
    return True


@kernel
def take_up(own, tau, renew, lump_work, room_work, kept_out, vdot_out, q_out, v_out, part_out):
    """Begin where the state stands; True if joints must be chosen at once.

    `renew`: somebody has put the state elsewhere, so that the lumps are not those of it. A joint that is not to move and
    has a velocity must be brought to rest.
    """
    tree, _, _, members, _ = own
    lumps, _, _, lump_tau, lump_vdot, lump_q, lump_v, _, _, _, body_of, moves = lump_work
    vectors_work, q_work = room_work[2], room_work[4]
    now = kept_out[part_out.root, CHOICE] != part_out.choice
    if renew:
        for i in range(tree.shape[0]):
            moves[i] = kept_out[members[i].body, MOVES] > 0.0 and members[i].role >= CHOSEN
        collect(tree, members, tau, 0.0, vdot_out, q_out, v_out, vectors_work, q_work)
        now = now or keeps_moving(tree, moves, vectors_work[V])
        form_lumps(own, q_work, lump_work, part_out)
    fetch(part_out.lumps, lumps, members, body_of, tau, vdot_out, q_out, v_out, lump_tau, lump_vdot, lump_q, lump_v)
    return now


@kernel
def run_tree(
    number, full, limits, gravity, none, pushed, wrenches, begin, end, tau, last, h, frequency, max_speed, interval, criterion,
    renew, steps, lump_work, room_work, kept_out, vdot_out, q_out, v_out, part_out,
):  # fmt: skip
    """Advance one tree by `steps` steps; the steps done, and the model's coordinate that ran away or -1."""
    own, mine = of_tree(part_out, full), lumps_of(part_out, lump_work)
    lumps, dofs, rest, lump_tau, lump_vdot, lump_q, lump_v, external, lump_of, place, body_of, _ = mine
    body_work, dof_work, vectors_work, step_work, _, _, _, _, _ = room_work
    no_mask, _, _, no_targets = none
    members, root = own[3], part_out.root
    due = int(kept_out[root, DUE])
    now = take_up(own, tau, renew, mine, room_work, kept_out, vdot_out, q_out, v_out, part_out)
    if last == 0.0:
        # Trees are looked at one after the other, not all at the same step.
        due, now = interval - number % interval, True
    push_lumps(pushed, wrenches, begin, end, part_out.lumps, lump_of, place, external)
    done, bad = 0, -1
    while done < steps and bad < 0:
        if now or due == 0:
            bring_back(part_out.lumps, lumps, members, body_of, lump_vdot, lump_q, lump_v, vdot_out, q_out, v_out)
            changed = choose_joints(
                own, limits, gravity, none, pushed, wrenches, begin, end, tau, last, interval * h, frequency, criterion, mine,
                room_work, kept_out, vdot_out, q_out, v_out, part_out,
            )  # fmt: skip
            if changed and last > 0.0:
                last = NO_TIME
            push_lumps(pushed, wrenches, begin, end, part_out.lumps, lump_of, place, external)
            due, now = due if due > 0 else interval, False
        m, nv = part_out.lumps, part_out.lump_nv
        some = min(steps - done, due)
        if m > 0:
            some, _, bad = run_symplectic(
                lumps[:m], dofs[:nv], limits, rest, gravity, no_mask, no_mask, no_targets, lump_tau,
                external[: m if end > begin else 0], last, h, frequency, max_speed, some, 0.0, body_work, dof_work, step_work,
                step_work[2], vectors_work[EFFORT], lump_vdot, lump_q, lump_v,
            )  # fmt: skip
        last = h if some > 0 else last
        done += some
        due -= some
    bring_back(part_out.lumps, lumps, members, body_of, lump_vdot, lump_q, lump_v, vdot_out, q_out, v_out)
    kept_out[root, DUE], kept_out[root, CHOICE] = due, part_out.choice
    if bad >= 0:
        c = dofs[bad].body
        bad = members[body_of[c]].v + bad - lumps[c].v0
    return done, bad


@kernel
def run_adaptive(
    full, limits, gravity, none, pushed, wrenches, begins, tau, last, h, frequency, max_speed, interval, criterion, renew, steps,
    time, lump_work, room_work, kept_out, vdot_out, q_out, v_out, trees_out,
):  # fmt: skip
    """Advance all trees by `steps` steps of symplectic Euler, choosing joints anew every `interval` steps.

    `pushed` are bodies by their place within their tree, those of tree t from `begins[t]` on, with wrenches along their own
    axes. Nothing here looks at a joint that does not move, but when joints are chosen.
    Returns the steps done, the time reached and the coordinate that ran away (-1 if none did). If one did, the others may
    have gone on: the caller goes back and takes as many steps as were done.
    """
    least, bad = steps, -1
    if steps == 0:
        return 0, time, -1
    for t in range(trees_out.shape[0]):
        done, lost = run_tree(
            t, full, limits, gravity, none, pushed, wrenches, begins[t], begins[t + 1], tau, last, h, frequency, max_speed,
            interval, criterion, renew, least, lump_work, room_work, kept_out, vdot_out, q_out, v_out, trees_out[t],
        )  # fmt: skip
        if lost >= 0:
            least, bad = done, lost
    for _ in range(least):
        time += h
    return least, time, bad
