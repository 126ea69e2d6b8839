"""The choice of joints by energy: they are let go in rounds, where it wins most, until the budget or the error is met.

Let w be the velocities at the end of the next interval T, if all joints were free: `G w = g`, where G is the mass matrix
with the implicit parts of springs and dampers, and g the momenta that forces lead to, `g = G v + T f`. Joints that are held
let the others move with `α = G_SS⁻¹ g_S`. By Gauss's principle that is the motion nearest to w among those that are left, and
the energy that is missing is `½ (w - α)ᵀ G (w - α)`. A held joint feels the momentum `r = g - G α`, and letting it go alone
would win about `½ r²/G_jj`. So joints are let go where that is most, in a few rounds, with r worked out anew after each: of
many neighbours that feel nearly the same, one is enough.
"""

from __future__ import annotations

import math

from stringless.engines.adaptive.kernels_choice import AIM_BELOW, LARGEST, RELEASE, STAY, STILL, select
from stringless.engines.adaptive.kernels_pieces import feel_rest, try_out
from stringless.engines.adaptive.rows import ACCELERATION, CHOSEN, FLOATING, VELOCITY
from stringless.jit import kernel

ROUNDS = 4
"""In how many rounds a budget is spent."""


@kernel
def hold_all(members, keep, moves, free_out):
    """Hold all joints but those that float, and if `keep` says so those that move now; how many of these, and if any is free."""
    count, floating = 0, False
    for i in range(members.shape[0]):
        stays = keep and moves[i] and members[i].role == CHOSEN
        floats = members[i].role == FLOATING
        free_out[i] = stays or floats
        count += stays
        floating = floating or floats
    return count, count > 0 or floating


@kernel(inline=True)
def win(row, weights, residual, inertia):
    """What letting a held joint go alone would win, `√(rᵀV r · rᵀA r)` where `r_j/√G_jj` is r; and its speed then, squared."""
    velocity, acceleration, speed = 0.0, 0.0, 0.0
    for d in range(row.v0, row.v0 + row.nv):
        by_velocity, by_acceleration = 0.0, 0.0
        for k in range(row.nv):
            r = residual[row.v0 + k] / math.sqrt(inertia[row.v0 + k])
            by_velocity += weights[d, VELOCITY, k] * r
            by_acceleration += weights[d, ACCELERATION, k] * r
        velocity += by_velocity * by_velocity
        acceleration += by_acceleration * by_acceleration
        alone = residual[d] / inertia[d]
        speed += alone * alone
    return math.sqrt(velocity) * math.sqrt(acceleration), speed


@kernel
def rate(tree, members, weights, moves, residual, inertia, free, score_out):
    """What letting each held joint go would win; nothing if it would hardly move. Returns the sum.

    A joint that moves already counts more: among joints that feel nearly the same it goes on.
    """
    total = 0.0
    for i in range(tree.shape[0]):
        score, speed = 0.0, 0.0
        if members[i].role == CHOSEN and not free[i]:
            if tree[i].nv == 1:
                d = tree[i].v0
                alone = residual[d] / inertia[d]
                speed = alone * alone
                score = weights[d, VELOCITY, 0] * weights[d, ACCELERATION, 0] * residual[d] * alone
            else:
                score, speed = win(tree[i], weights, residual, inertia)
        if moves[i]:
            score *= STAY
        if not score < LARGEST:
            score = LARGEST
        score_out[i] = 0.0 if speed < STILL else score
        total += score_out[i]
    return total


@kernel
def let_some_go(score, total, count, free_out):
    """Let up to `count` joints go: the tree is cut into as many stretches of equal score, and each gives its best.

    Neighbours feel nearly the same, and one of them wins nearly all that both would; so they are not taken for being next
    in rank. Returns how many were let go.
    """
    done, stretch, best, passed, scale = 0, 0, -1, 0.0, count / total
    for i in range(free_out.shape[0]):
        if score[i] <= 0.0:
            continue
        here = int(min((passed + 0.5 * score[i]) * scale, count - 1.0))
        passed += score[i]
        if here != stretch:
            if best >= 0:
                free_out[best] = True
                done += 1
            stretch, best = here, -1
        if best < 0 or score[i] > score[best]:
            best = i
    if best >= 0:
        free_out[best] = True
        done += 1
    return done


@kernel
def fill(members, moves, score, room, order_work, free_out):
    """Spend what is left of a budget: on the best that are held, then on those that move already and need not stop."""
    count = 0
    for i in range(members.shape[0]):
        if members[i].role == CHOSEN and not free_out[i] and (score[i] > 0.0 or moves[i]):
            order_work[count] = i
            count += 1
    room = min(room, count)
    select(count, room, score, moves, order_work)
    for k in range(room):
        free_out[order_work[k]] = True


@kernel
def spend(site, members, weights, moves, inertia, budget, none, trial_work, score_work, order_work, free_out):
    """Let `budget` joints go, in a few rounds."""
    tree, dofs, aim, residual_work = site[0], site[1], site[9], trial_work[4]
    count, any_free = hold_all(members, False, moves, free_out)
    if budget == 0:
        return
    for n in range(ROUNDS):
        if any_free:
            try_out(site, free_out, none, trial_work)
            feel_rest(site, trial_work, residual_work)
        else:
            for d in range(dofs.shape[0]):
                residual_work[d] = aim[d]
        total = rate(tree, members, weights, moves, residual_work, inertia, free_out, score_work)
        some = (budget - count + ROUNDS - n - 1) // (ROUNDS - n)
        if total == 0.0:
            break
        count += let_some_go(score_work, total, some, free_out)
        any_free = True
        if count == budget:
            return
    fill(members, moves, score_work, budget - count, order_work, free_out)


@kernel
def meet(site, members, weights, moves, inertia, budget, max_error, none, trial_work, score_work, free_out):
    """Let so many joints go that at most `max_error` of energy is missing, if the budget allows; returns what is missing.

    As long as the joints that move do, and not far too well, they stay; and if they do too well, unless fewer would do.
    """
    tree, residual_work = site[0], trial_work[4]
    for i in range(tree.shape[0]):
        free_out[i] = True
    whole = try_out(site, free_out, none, trial_work)
    count, _ = hold_all(members, True, moves, free_out)
    missing = max(0.5 * (whole - try_out(site, free_out, none, trial_work)), 0.0)
    number, found, good = count, missing, count <= budget and missing <= max_error
    if good and (missing >= RELEASE * max_error or count == 0):
        return missing
    if good or count > budget:
        count, _ = hold_all(members, False, moves, free_out)
        missing = max(0.5 * (whole - try_out(site, free_out, none, trial_work)), 0.0)
    while count < budget and missing > (AIM_BELOW * max_error if count > 0 else max_error):
        feel_rest(site, trial_work, residual_work)
        total = rate(tree, members, weights, moves, residual_work, inertia, free_out, score_work)
        if total == 0.0:
            break
        count += let_some_go(score_work, total, min(budget - count, 1 + count // 3), free_out)
        missing = max(0.5 * (whole - try_out(site, free_out, none, trial_work)), 0.0)
    if good and count >= number:
        hold_all(members, True, moves, free_out)
        return found
    return missing
