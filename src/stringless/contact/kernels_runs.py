"""Balls around runs of contact samples: which can meet at all."""

import math

from stringless.contact.kernels_penalty import SLOTS
from stringless.jit import kernel
from stringless.spatial import vec3, vec6

FASTEST = 20.0
"""The way into a box is followed for points no faster than this [m/s]."""


@kernel(inline=True)
def bound_run(first, end, obstacles, body_work, obstacle_work):
    """A box around the obstacles of a run, and no less than the speed of their fastest point, into its first row."""
    low, high = (math.inf, math.inf, math.inf), (-math.inf, -math.inf, -math.inf)
    fast = 0.0
    for j in range(first, end):
        p, body = vec3.load(obstacle_work[j].p, 0), body_work[obstacles[j].body]
        arm = vec3.subtract(p, vec3.load(body.p, 0))
        w, v = vec6.load(body.V, 0)
        reach = obstacles[j].reach
        low, high = widen(low, high, p, reach)
        turning = math.sqrt(vec3.dot(w, w)) * (math.sqrt(vec3.dot(arm, arm)) + reach)
        fast = max(fast, math.sqrt(vec3.dot(v, v)) + turning)
    vec3.store(obstacle_work[first].low, 0, low)
    vec3.store(obstacle_work[first].high, 0, high)
    obstacle_work[first].fast = fast


@kernel(inline=True)
def widen(low, high, x, reach):
    """The box from `low` to `high`, and all that is no farther than `reach` from x along each axis."""
    return (
        (min(low[0], x[0] - reach), min(low[1], x[1] - reach), min(low[2], x[2] - reach)),
        (max(high[0], x[0] + reach), max(high[1], x[1] + reach), max(high[2], x[2] + reach)),
    )


@kernel(inline=True)
def is_apart(placed, low, high, margin):
    """Whether a box is farther than this from that of a run."""
    apart = False
    for k in range(3):
        apart = apart or low[k] > placed.high[k] + margin or high[k] < placed.low[k] - margin
    return apart


@kernel(inline=True)
def bound_runs(obstacles, body_work, obstacle_work):
    """Bound all runs of bodies; their obstacles are placed."""
    j = 0
    while j < obstacles.shape[0]:
        if obstacles[j].body >= 0:
            bound_run(j, obstacles[j].end, obstacles, body_work, obstacle_work)
        j = obstacles[j].end


@kernel(inline=True)
def is_held(first, end, anchor):
    """Whether obstacles of a run hold a point already."""
    held = False
    for s in range(SLOTS):
        held = held or first <= anchor.obstacle[s] < end
    return held


@kernel(inline=True)
def is_met(first, tree, obstacles, body, x, reach, h, anchor, obstacle_work):
    """Whether a point of a body, this far from x at most, may touch obstacles of the run that begins with the first.

    What holds the point already may be farther away.
    """
    obstacle = obstacles[first]
    if obstacle.body < 0:
        return True
    if tree[obstacle.body].root == tree[body].root:
        return False
    return not is_apart(obstacle_work[first], x, x, reach + FASTEST * h) or is_held(first, obstacle.end, anchor)


@kernel(inline=True)
def mark_met(root, tree, obstacles, low, high, h, obstacle_work):
    """Mark the runs that points of a tree within a box may touch, if nothing holds them yet; whether there are any."""
    some, first = False, 0
    while first < obstacles.shape[0]:
        obstacle, placed = obstacles[first], obstacle_work[first]
        met = obstacle.body < 0
        if not met and tree[obstacle.body].root != root:
            met = not is_apart(placed, low, high, FASTEST * h)
        placed.met = 1 if met else 0
        some = some or met
        first = obstacle.end
    return some
