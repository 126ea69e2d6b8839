"""A look at a whole tree of the adaptive engine: what acts on it, whether it rests, and the best set of joints."""

from __future__ import annotations

from stringless.engines.adaptive.kernels_choice import choose, measure
from stringless.engines.adaptive.kernels_exchange import EFFORT, INERTIA, OF_CLUSTERS, TAU, VDOT, P, V
from stringless.engines.adaptive.kernels_pieces import keep_momenta
from stringless.engines.adaptive.kernels_rigidify import momenta
from stringless.engines.adaptive.kernels_rounds import meet, spend
from stringless.engines.adaptive.kernels_sleep import rest_longer, rests
from stringless.engines.adaptive.kernels_survey import site_of, survey, trial
from stringless.engines.adaptive.kernels_touch import clear_pads, is_pressed, lean
from stringless.engines.adaptive.rows import CALM, CHOSEN, ENERGY, UNKNOWN
from stringless.engines.reduced.kernels_bones import accelerate
from stringless.jit import kernel


@kernel
def choose_by_motion(own, limits, gravity, none, external, h, frequency, room_work, moves_out, part_out):
    """Choose by the rates that joints would have at the end of the interval h, in a step of that length; how many change."""
    tree, dofs, rest, members, weights = own
    body_work, dof_work, vectors_work, _, q_work, _, score_work, order_work = room_work[:8]
    v = vectors_work[V]
    accelerate(
        tree, dofs, limits, rest, gravity, q_work, v, v, none[0], v, vectors_work[TAU], external, h, h, frequency, body_work,
        dof_work, vectors_work[VDOT], vectors_work[EFFORT],
    )  # fmt: skip
    measure(tree, members, weights, v, vectors_work[VDOT], h, score_work)
    changes, part_out.error = choose(members, part_out.budget, part_out.max_error, score_work, order_work, moves_out)
    momenta(tree, dofs, q_work, v, body_work, vectors_work[P])
    return changes


@kernel
def choose_by_energy(
    own, limits, gravity, none, tau, external, h, frequency, cluster_work, room_work, moves_out, part_out
):
    """Choose by the energy that would be missing at the end of the interval h if joints were held; how many change."""
    tree, _, _, members, weights = own
    vectors_work, score_work, order_work, free_work = room_work[2], room_work[6], room_work[7], room_work[8]
    rates = vectors_work[OF_CLUSTERS]
    survey(own, limits, gravity, none, tau, rates, external, h, frequency, cluster_work, room_work, part_out)
    site = site_of(own, part_out.clusters, cluster_work, room_work)
    trial_work, inertia, free = trial(room_work), vectors_work[INERTIA], free_work[: tree.shape[0]]
    if part_out.max_error >= 0.0:
        part_out.error = meet(
            site, members, weights, moves_out, inertia, part_out.budget, part_out.max_error, none, trial_work, score_work, free,
        )  # fmt: skip
    else:
        part_out.error = UNKNOWN
        spend(
            site, members, weights, moves_out, inertia, part_out.budget, none, trial_work, score_work, order_work, free
        )
    changes, count = 0, 0
    for i in range(tree.shape[0]):
        moving = free[i] and members[i].role >= CHOSEN
        changes += moves_out[i] != moving
        count += moving
        moves_out[i] = moving
    if changes > 0 or count != part_out.clusters:
        keep_momenta(site, cluster_work[0], rates, trial_work, vectors_work[P])
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
    own, limits, gravity, none, ground, pushed, wrenches, begin, end, tau, h, frequency, criterion, cluster_work, room_work,
    kept_out, moves_out, part_out,
):  # fmt: skip
    """Choose the joints of a tree that move, from its collected state; how many change."""
    tree, members, root = own[0], own[3], part_out.root
    if part_out.max_error < 0.0 and part_out.budget == part_out.joints:
        part_out.error = 0.0
        return take_all(members, moves_out)
    external_work = room_work[5]
    acted = end > begin
    for n in range(begin, end):
        for k in range(6):
            external_work[pushed[n], k] += wrenches[n, k]
    if ground is not None:
        pressed = is_pressed(root, ground[3], kept_out)
        acted = acted or pressed
        if pressed:
            lean(root, tree, ground[3], kept_out, room_work[4], room_work[0], external_work)
        # What a spring pulls may be pulled elsewhere as soon as it moves: it does not sleep.
        calm = pressed and part_out.pulls == 0 and rests(
            own, limits, gravity, none, tau, external_work[: tree.shape[0]], h, frequency, cluster_work, room_work, part_out
        )  # fmt: skip
        kept_out[root, CALM] = rest_longer(kept_out[root, CALM], h) if calm else 0.0
    external = external_work[: tree.shape[0] if acted else 0]
    if criterion == ENERGY:
        changes = choose_by_energy(
            own, limits, gravity, none, tau, external, h, frequency, cluster_work, room_work, moves_out, part_out
        )
    else:
        changes = choose_by_motion(own, limits, gravity, none, external, h, frequency, room_work, moves_out, part_out)
    for n in range(begin, end):
        for k in range(6):
            external_work[pushed[n], k] = 0.0
    if ground is not None:
        clear_pads(ground[3], external_work)
    return changes
