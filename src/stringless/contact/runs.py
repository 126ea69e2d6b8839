"""Obstacles of one tree, looked at together: most probes are far from all of them.

Obstacles of a tree that follow each other in the table are a run; those of the world are each one of their own.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from stringless.contact.penalty import SLOTS
from stringless.jit import kernel
from stringless.spatial import vec3

FASTEST = 20.0
"""The way into a box is followed for points no faster than this [m/s]."""


def mark_runs(obstacles: Any, root: Any) -> None:
    """Tell each obstacle where its run ends, with the root of every body."""
    tree = np.array([root[body] if body >= 0 else -1 - j for j, body in enumerate(obstacles["body"])], np.int64)
    breaks = np.flatnonzero(np.append(tree[1:] != tree[:-1], True)) + 1
    obstacles["end"] = breaks[np.searchsorted(breaks, np.arange(len(obstacles)), side="right")]


@kernel(inline=True)
def bound_run(first, end, obstacles, body_work, obstacle_work):
    """A ball around the obstacles of a run, and no less than the speed of their fastest point, into its first row."""
    middle = (0.0, 0.0, 0.0)
    for j in range(first, end):
        middle = vec3.add_scaled(middle, 1.0 / (end - first), vec3.load(obstacle_work[j].p, 0))
    around, fast = 0.0, 0.0
    for j in range(first, end):
        p, body = vec3.load(obstacle_work[j].p, 0), body_work[obstacles[j].body]
        apart, arm = vec3.subtract(p, middle), vec3.subtract(p, vec3.load(body.p, 0))
        w, v = vec3.load(body.V, 0), vec3.load(body.V, 3)
        reach = obstacles[j].reach
        around = max(around, math.sqrt(vec3.dot(apart, apart)) + reach)
        turning = math.sqrt(vec3.dot(w, w)) * (math.sqrt(vec3.dot(arm, arm)) + reach)
        fast = max(fast, math.sqrt(vec3.dot(v, v)) + turning)
    vec3.store(obstacle_work[first].middle, 0, middle)
    obstacle_work[first].around, obstacle_work[first].fast = around, fast


@kernel(inline=True)
def bound_runs(obstacles, body_work, obstacle_work):
    """Bound all runs of bodies; their obstacles are placed."""
    j = 0
    while j < obstacles.shape[0]:
        if obstacles[j].body >= 0:
            bound_run(j, obstacles[j].end, obstacles, body_work, obstacle_work)
        j = obstacles[j].end


@kernel(inline=True)
def is_met(first, tree, obstacles, body, x, reach, h, anchor, obstacle_work):
    """Whether a point of a body, this far from x at most, may touch obstacles of the run that begins with the first.

    What holds the point already may be farther away.
    """
    obstacle, placed = obstacles[first], obstacle_work[first]
    if obstacle.body < 0:
        return True
    if tree[obstacle.body].root == tree[body].root:
        return False
    apart = vec3.subtract(x, vec3.load(placed.middle, 0))
    near = placed.around + reach + FASTEST * h
    met = vec3.dot(apart, apart) <= near * near
    for s in range(SLOTS):
        met = met or first <= anchor.obstacle[s] < obstacle.end
    return met
