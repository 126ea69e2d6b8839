"""Which joints move: the metric of every joint, and the best set within a budget or an error.

With clusters any set of joints can move; it need not be closed under ancestors in an assembly tree, as it must in the paper.
At the true state plain forward dynamics gives all accelerations, hence every metric, faster than Theorem 2 does.
"""

from __future__ import annotations

from stringless.engines.adaptive.rows import ACCELERATION, CHOSEN, FLOATING, VELOCITY
from stringless.jit import kernel

STILL = 1e-16
"""A joint that turns slower than the root of this [rad²/s²] stands still: forward dynamics is not more exact than that."""
LARGEST = 1e300
RELEASE, AIM_BELOW = 0.5, 0.7
"""Joints that move do as long as the error is between this share of what is allowed and all of it; where they do not, joints are
chosen for an error below the second share. So small changes do not lead over the bound and back."""
STAY = 2.0
"""How much more a joint counts that moves already, where a budget is spent: every change costs energy. A power of two, so that
it can be taken back exactly."""


@kernel
def measure(tree, members, weights, v, vdot, horizon, metric_out):
    """Metric of every joint, `|√V q̇ + T √A q̈|²`: where it will be going when joints are chosen again, after the time T.

    With no acceleration that is the velocity metric of section 5.2, with no velocity T² times the acceleration metric. The
    paper ranks velocities a step ahead; then a newcomer, which starts from rest, never outruns a joint that moves already.
    """
    for i in range(tree.shape[0]):
        row = tree[i]
        metric, speed = 0.0, 0.0
        if members[i].role == CHOSEN:
            for d in range(row.v0, row.v0 + row.nv):
                ahead = v[d] + horizon * vdot[d]
                speed += ahead * ahead
                ahead = 0.0
                for k in range(row.nv):
                    n = row.v0 + k
                    ahead += weights[d, VELOCITY, k] * v[n] + horizon * weights[d, ACCELERATION, k] * vdot[n]
                metric += ahead * ahead
        if not metric < LARGEST:  # or not a number: the step that comes finds out why
            metric = LARGEST
        metric_out[i] = 0.0 if speed < STILL else metric


@kernel(inline=True)
def precedes(i, j, metric, moves):
    """Whether joint i is to move rather than j: the larger metric first, then those that move already, then the first."""
    if metric[i] != metric[j]:
        return metric[i] > metric[j]
    if moves[i] != moves[j]:
        return moves[i]
    return i < j


@kernel
def part(first, end, metric, moves, order_work):
    """Put a pivot of `order_work[first:end]` where it belongs, those that precede it before it; returns its place."""
    middle = (first + end) // 2
    for k, n in ((first, middle), (middle, end - 1), (first, middle)):
        if precedes(order_work[n], order_work[k], metric, moves):
            order_work[k], order_work[n] = order_work[n], order_work[k]
    order_work[middle], order_work[end - 1] = order_work[end - 1], order_work[middle]
    pivot = order_work[end - 1]
    at = first
    for k in range(first, end - 1):
        if precedes(order_work[k], pivot, metric, moves):
            order_work[k], order_work[at] = order_work[at], order_work[k]
            at += 1
    order_work[end - 1] = order_work[at]
    order_work[at] = pivot
    return at


@kernel
def select(count, keep, metric, moves, order_work):
    """Bring the `keep` joints that precede all others to the front of `order_work[:count]`."""
    first, end = 0, count
    while end - first > 1:
        at = part(first, end, metric, moves, order_work)
        if at == keep:
            return
        if at < keep:
            first = at + 1
        else:
            end = at


@kernel
def needed(count, error, metric, moves, order_work):
    """The smallest number of joints that leaves a metric of at most `error` to the others, and what it leaves.

    They stand at the front of `order_work[:count]` then.
    """
    first, end, left = 0, count, 0.0
    while end > first:
        at = part(first, end, metric, moves, order_work)
        behind = 0.0
        for k in range(at + 1, end):
            behind += metric[order_work[k]]
        if left + behind > error:
            first = at + 1
        elif left + behind + metric[order_work[at]] > error:
            return at + 1, left + behind
        else:
            left += behind + metric[order_work[at]]
            end = at
    return end, left


@kernel
def sum_up(members, metric, moves, order_work):
    """List all joints that can be chosen; how many they are, how many move, and the metric of those that do not."""
    count, number, held = 0, 0, 0.0
    for i in range(members.shape[0]):
        if members[i].role == CHOSEN:
            order_work[count] = i
            count += 1
            if moves[i]:
                number += 1
            else:
                held += metric[i]
    return count, number, held


@kernel
def select_within(count, keep, moves, order_work, metric_work):
    """As `select`, with a preference for joints that move already."""
    for k in range(count):
        if moves[order_work[k]]:
            metric_work[order_work[k]] *= STAY
    select(count, keep, metric_work, moves, order_work)
    for k in range(count):
        if moves[order_work[k]]:
            metric_work[order_work[k]] /= STAY


@kernel
def choose(members, budget, max_error, metric_work, order_work, moves_out):
    """Decide which joints of a tree move, from those that do; returns how many change, and the metric of those left out.

    `max_error` below zero means that the budget alone counts. Joints that move stay as long as their error is small enough,
    unless far fewer would do.
    """
    count, number, held = sum_up(members, metric_work, moves_out, order_work)
    keep = min(budget, count)
    good = max_error >= 0.0 and number <= budget and held <= max_error
    stay = good and (held >= RELEASE * max_error or number == 0)
    if max_error >= 0.0 and not stay:
        wanted, _ = needed(count, AIM_BELOW * max_error, metric_work, moves_out, order_work)
        stay = good and wanted >= number
        if wanted > budget:
            select_within(count, keep, moves_out, order_work, metric_work)
        else:
            keep = wanted
    elif not stay and keep < count:
        select_within(count, keep, moves_out, order_work, metric_work)
    changes, error = 0, held if stay else 0.0
    if not stay:
        for k in range(count):
            i = order_work[k]
            changes += moves_out[i] != (k < keep)
            moves_out[i] = k < keep
            if k >= keep:
                error += metric_work[i]
    for i in range(members.shape[0]):
        if members[i].role == FLOATING and not moves_out[i]:
            moves_out[i] = True
            changes += 1
    return changes, error
