"""The active region by energy (docs/theory/adaptive.md, sections 3.1 and 3.2): joints are activated where it gains most.

Let w be the velocities at the end of the next interval T, if all joints were active: `G w = g`. With some inactive they are
`α = G_SS⁻¹ g_S`, and the energy that is missing is `½ (w - α)ᵀ G (w - α)`. On an inactive joint acts the momentum `r = g - G α`,
and activating it alone would gain about `½ r²/G_jj`. So joints are activated where that is most, with r found again after each
round: of many neighbours with nearly the same momentum, one is enough.
"""

from __future__ import annotations

import math

from stringless.engines.adaptive.kernels_ranking import AIM_BELOW, LARGEST, RELEASE, STAY, STILL, select_best
from stringless.engines.adaptive.kernels_targets import compute_targets
from stringless.engines.adaptive.kernels_trials import compute_cluster_momenta, compute_residual, solve_trial
from stringless.engines.adaptive.rows import ACCELERATION, FLOATING, SELECTABLE, UNKNOWN, VELOCITY
from stringless.jit import kernel

ROUNDS = 4
"""In how many rounds a budget is filled."""


@kernel
def reset_candidates(members, keep, active, candidate_out):
    """Joints that float are candidates, and if `keep` says so those that are active; how many of these, and if there is any."""
    count, floating = 0, False
    for i in range(members.shape[0]):
        stays = keep and active[i] and members[i].role == SELECTABLE
        floats = members[i].role == FLOATING
        candidate_out[i] = stays or floats
        count += stays
        floating = floating or floats
    return count, count > 0 or floating


@kernel(inline=True)
def score_joint(row, weights, r, G):
    """What activating a joint alone would gain, `√(ρᵀV ρ · ρᵀA ρ)` with `ρ_j = r_j/√G_jj`; and its speed then, squared."""
    velocity, acceleration, speed = 0.0, 0.0, 0.0
    for d in range(row.v0, row.v0 + row.nv):
        by_velocity, by_acceleration = 0.0, 0.0
        for k in range(row.nv):
            rho = r[row.v0 + k] / math.sqrt(G[row.v0 + k])
            by_velocity += weights[d, VELOCITY, k] * rho
            by_acceleration += weights[d, ACCELERATION, k] * rho
        velocity += by_velocity * by_velocity
        acceleration += by_acceleration * by_acceleration
        alone = r[d] / G[d]
        speed += alone * alone
    return math.sqrt(velocity) * math.sqrt(acceleration), speed


@kernel
def score_joints(model, active, r, G, candidate, score_out):
    """What activating each inactive joint would gain; nothing if it would hardly move. Returns the sum.

    A joint that is active already counts more: among joints with nearly the same momentum it stays active.
    """
    tree, members, weights = model.skeleton.tree, model.members, model.weights
    total = 0.0
    for i in range(tree.shape[0]):
        score, speed = 0.0, 0.0
        if members[i].role == SELECTABLE and not candidate[i]:
            if tree[i].nv == 1:
                d = tree[i].v0
                alone = r[d] / G[d]
                speed = alone * alone
                score = weights[d, VELOCITY, 0] * weights[d, ACCELERATION, 0] * r[d] * alone
            else:
                score, speed = score_joint(tree[i], weights, r, G)
        if active[i]:
            score *= STAY
        if not score < LARGEST:
            score = LARGEST
        score_out[i] = 0.0 if speed < STILL else score
        total += score_out[i]
    return total


@kernel
def add_candidates(score, total, count, candidate_out):
    """Add up to `count` joints: the tree is cut into as many segments of equal score, and each gives its best.

    Neighbours have nearly the same momentum, and one of them gains nearly all that both would; so they are not taken for being
    next in rank. Returns how many were added.
    """
    done, segment, best, passed, scale = 0, 0, -1, 0.0, count / total
    for i in range(candidate_out.shape[0]):
        if score[i] <= 0.0:
            continue
        here = int(min((passed + 0.5 * score[i]) * scale, count - 1.0))
        passed += score[i]
        if here != segment:
            if best >= 0:
                candidate_out[best] = True
                done += 1
            segment, best = here, -1
        if best < 0 or score[i] > score[best]:
            best = i
    if best >= 0:
        candidate_out[best] = True
        done += 1
    return done


@kernel
def fill_budget(members, active, score, left, order_work, candidate_out):
    """Use up what is left of a budget: on the best of the others, then on those that are active already and need not stop."""
    count = 0
    for i in range(members.shape[0]):
        if members[i].role == SELECTABLE and not candidate_out[i] and (score[i] > 0.0 or active[i]):
            order_work[count] = i
            count += 1
    left = min(left, count)
    select_best(count, left, score, active, order_work)
    for k in range(left):
        candidate_out[order_work[k]] = True


@kernel
def find_within_budget(model, active, work, candidate_out):
    """Find `budget` joints, in a few rounds."""
    budget, G, scratch = work.status.budget, work.scratch.vectors.G, work.scratch
    members, r, scores = model.members, scratch.vectors.r, scratch.scores
    count, any_candidate = reset_candidates(members, False, active, candidate_out)
    if budget == 0:
        return
    for n in range(ROUNDS):
        if any_candidate:
            solve_trial(model, candidate_out, work)
            compute_residual(model.skeleton, work)
        else:
            for d in range(model.skeleton.dofs.shape[0]):
                r[d] = scratch.vectors.g[d]
        total = score_joints(model, active, r, G, candidate_out, scores)
        some = (budget - count + ROUNDS - n - 1) // (ROUNDS - n)
        if total == 0.0:
            break
        count += add_candidates(scores, total, some, candidate_out)
        any_candidate = True
        if count == budget:
            return
    fill_budget(members, active, scores, budget - count, scratch.order, candidate_out)


@kernel
def find_within_error(model, active, work, candidate_out):
    """Find so many joints that at most the allowed error of energy is missing, if the budget allows; returns what is missing.

    As long as the active region does, and not far too well, it stays; and if it does too well, unless fewer would do.
    """
    budget, max_error, scratch = work.status.budget, work.status.allowed_error, work.scratch
    members, G, scores = model.members, scratch.vectors.G, scratch.scores
    for i in range(members.shape[0]):
        candidate_out[i] = True
    whole = solve_trial(model, candidate_out, work)
    count, _ = reset_candidates(members, True, active, candidate_out)
    missing = max(0.5 * (whole - solve_trial(model, candidate_out, work)), 0.0)
    number, found, good = count, missing, count <= budget and missing <= max_error
    if good and (missing >= RELEASE * max_error or count == 0):
        return missing
    if good or count > budget:
        count, _ = reset_candidates(members, False, active, candidate_out)
        missing = max(0.5 * (whole - solve_trial(model, candidate_out, work)), 0.0)
    while count < budget and missing > (AIM_BELOW * max_error if count > 0 else max_error):
        compute_residual(model.skeleton, work)
        total = score_joints(model, active, scratch.vectors.r, G, candidate_out, scores)
        if total == 0.0:
            break
        count += add_candidates(scores, total, min(budget - count, 1 + count // 3), candidate_out)
        missing = max(0.5 * (whole - solve_trial(model, candidate_out, work)), 0.0)
    if good and count >= number:
        reset_candidates(members, True, active, candidate_out)
        return found
    return missing


@kernel
def select_by_energy(model, tau, external, settings, horizon, work):
    """Select by the energy that would be missing after the horizon if joints were inactive; how many change.

    If any does, momenta of all joints are left in the scratch.
    """
    scratch, status, active = work.scratch, work.status, work.clusters.active
    v, candidate = scratch.vectors.cluster_v, scratch.candidate[: active.shape[0]]
    compute_targets(model, tau, v, external, settings, horizon, work)
    if status.allowed_error >= 0.0:
        status.error = find_within_error(model, active, work, candidate)
    else:
        status.error = UNKNOWN
        find_within_budget(model, active, work, candidate)
    changes, count = 0, 0
    for i in range(active.shape[0]):
        activated = candidate[i] and model.members[i].role >= SELECTABLE
        changes += active[i] != activated
        count += activated
        active[i] = activated
    if changes > 0 or count != status.clusters:
        compute_cluster_momenta(model.skeleton, v, work, scratch.vectors.p)
    return changes
