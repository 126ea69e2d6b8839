"""The best joints by a score: selection within a budget, and the smallest set for an error.

With clusters any set of joints can be active; it need not be closed under ancestors in an assembly tree, as it must in the paper.
"""

from __future__ import annotations

from stringless.engines.adaptive.rows import SELECTABLE
from stringless.jit import kernel

STILL = 1e-16
"""A joint that turns slower than the root of this [rad²/s²] stands still: forward dynamics is not more exact than that."""
LARGEST = 1e300
"""In the place of a score that is no number: the step that comes finds out why."""
RELEASE, AIM_BELOW = 0.5, 0.7
"""The active region stays as long as its error is between this share of what is allowed and all of it. Otherwise joints are
selected for an error below the second share. So small changes do not lead over the bound and back."""
STAY = 2.0
"""How much more a joint counts that is active already, under a budget: every change costs energy. A power of two, so
that it can be taken back exactly."""


@kernel(inline=True)
def precedes(i, j, score, active):
    """Whether joint i ranks above joint j: the larger score first, then those that are active already, then the first."""
    if score[i] != score[j]:
        return score[i] > score[j]
    if active[i] != active[j]:
        return active[i]
    return i < j


@kernel
def partition(first, end, score, active, order_work):
    """Put a pivot of `order_work[first:end]` where it belongs, those that precede it before it; returns its place."""
    middle = (first + end) // 2
    for k, n in ((first, middle), (middle, end - 1), (first, middle)):
        if precedes(order_work[n], order_work[k], score, active):
            order_work[k], order_work[n] = order_work[n], order_work[k]
    order_work[middle], order_work[end - 1] = order_work[end - 1], order_work[middle]
    pivot = order_work[end - 1]
    at = first
    for k in range(first, end - 1):
        if precedes(order_work[k], pivot, score, active):
            order_work[k], order_work[at] = order_work[at], order_work[k]
            at += 1
    order_work[end - 1] = order_work[at]
    order_work[at] = pivot
    return at


@kernel
def select_best(count, keep, score, active, order_work):
    """Bring the `keep` joints that precede all others to the front of `order_work[:count]`."""
    first, end = 0, count
    while end - first > 1:
        at = partition(first, end, score, active, order_work)
        if at == keep:
            return
        if at < keep:
            first = at + 1
        else:
            end = at


@kernel
def select_within_error(count, error, score, active, order_work):
    """The smallest number of joints that leaves scores of at most `error` to the others, and the sum that it leaves.

    They stand at the front of `order_work[:count]` then.
    """
    first, end, left = 0, count, 0.0
    while end > first:
        at = partition(first, end, score, active, order_work)
        behind = 0.0
        for k in range(at + 1, end):
            behind += score[order_work[k]]
        if left + behind > error:
            first = at + 1
        elif left + behind + score[order_work[at]] > error:
            return at + 1, left + behind
        else:
            left += behind + score[order_work[at]]
            end = at
    return end, left


@kernel
def select_with_preference(count, keep, active, order_work, score_work):
    """As `select_best`, with a preference for joints that are active already."""
    for k in range(count):
        if active[order_work[k]]:
            score_work[order_work[k]] *= STAY
    select_best(count, keep, score_work, active, order_work)
    for k in range(count):
        if active[order_work[k]]:
            score_work[order_work[k]] /= STAY


@kernel
def list_selectable(members, score, active, order_work):
    """List all joints that can be selected; how many they are, how many are active, and the scores of those that are not."""
    count, number, inactive = 0, 0, 0.0
    for i in range(members.shape[0]):
        if members[i].role == SELECTABLE:
            order_work[count] = i
            count += 1
            if active[i]:
                number += 1
            else:
                inactive += score[i]
    return count, number, inactive


@kernel
def activate_all(members, active_out):
    """Activate every joint that can be; how many change."""
    changes = 0
    for i in range(members.shape[0]):
        active = members[i].role >= SELECTABLE
        changes += active_out[i] != active
        active_out[i] = active
    return changes
