"""A tree of bounding boxes, to find quickly what is near.

The items are sorted along a space-filling curve and cut into leaves of a few neighbours each; the boxes above them form
a complete binary tree in one table, the root at 1 and the children of node i at 2 i and 2 i + 1.

Kernels walk down it from leaf to leaf, with a small stack of their own:

```python
top = start_walk(stack_work)
first, top = next_leaf(bounds, low, high, top, stack_work)
while first >= 0:
    for place in range(first, min(first + LEAF, order.shape[0])):
        ...  # order[place]
    first, top = next_leaf(bounds, low, high, top, stack_work)
```
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stringless.flesh.surface import Floats, Ints
from stringless.jit import kernel

LEAF = 4
"""Items of a leaf."""
STACK = 64
"""Length of the stack that a walk needs: more than twice the depth of any tree that fits into memory."""
_EMPTY = 1e300
"""Bounds of a box with nothing in it: low above, high below everything."""


@dataclass(frozen=True, eq=False)
class BoxTree:
    """Items by place, and the boxes around them."""

    order: Ints
    """(n,) item at each place; leaf j holds places LEAF j to LEAF (j + 1)."""
    bounds: Floats
    """(2 leaves, 6) low and high corner of every node [m]; the leaves are the last half."""


def build_tree(low: Floats, high: Floats) -> BoxTree:
    """A tree over boxes with corners `low` and `high` (n, 3) [m]."""
    count = len(low)
    order = np.argsort(_morton((low + high) / 2), kind="stable").astype(np.int64)
    leaves = 1
    while leaves * LEAF < count:
        leaves *= 2
    level = np.full((leaves * LEAF, 6), _EMPTY)
    level[:, 3:] = -_EMPTY
    level[:count, :3], level[:count, 3:] = low[order], high[order]
    bounds = np.zeros((2 * leaves, 6))
    level, at = _merge(level, LEAF), leaves
    while True:
        bounds[at : 2 * at] = level
        if at == 1:
            break
        level, at = _merge(level, 2), at // 2
    order.setflags(write=False)
    bounds.setflags(write=False)
    return BoxTree(order, bounds)


def _merge(boxes: Floats, size: int) -> Floats:
    groups = boxes.reshape(-1, size, 6)
    return np.concatenate([groups[:, :, :3].min(axis=1), groups[:, :, 3:].max(axis=1)], axis=1)


def _morton(points: Floats) -> NDArray[np.uint64]:
    """Place of each point (n, 3) on a curve that visits neighbours together: the bits of x, y and z interleaved."""
    if len(points) == 0:
        return np.zeros(0, np.uint64)
    low, high = points.min(axis=0), points.max(axis=0)
    extent = float(np.max(high - low)) or 1.0
    cells = ((points - low) / extent * (2**20 - 1)).astype(np.uint64)
    code = np.zeros(len(points), np.uint64)
    for axis in range(3):
        code |= _spread_bits(cells[:, axis]) << np.uint64(axis)
    return code


def _spread_bits(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Put two zero bits between the bits of 20-bit numbers."""
    for shift, mask in (
        (32, 0x1F00000000FFFF),
        (16, 0x1F0000FF0000FF),
        (8, 0x100F00F00F00F00F),
        (4, 0x10C30C30C30C30C3),
        (2, 0x1249249249249249),
    ):
        x = (x | (x << np.uint64(shift))) & np.uint64(mask)
    return x


@kernel(inline=True)
def apart(bounds, node, low, high):
    """Tell whether the box of `node` and the one from `low` to `high` have no point in common."""
    return (
        bounds[node, 0] > high[0]
        or bounds[node, 1] > high[1]
        or bounds[node, 2] > high[2]
        or bounds[node, 3] < low[0]
        or bounds[node, 4] < low[1]
        or bounds[node, 5] < low[2]
    )


@kernel(inline=True)
def highest(bounds, node, row, origin):
    """Highest value of `row · (x - origin)` over the box of `node`."""
    x = bounds[node, 3] if row[0] > 0.0 else bounds[node, 0]
    y = bounds[node, 4] if row[1] > 0.0 else bounds[node, 1]
    z = bounds[node, 5] if row[2] > 0.0 else bounds[node, 2]
    return row[0] * (x - origin[0]) + row[1] * (y - origin[1]) + row[2] * (z - origin[2])


@kernel(inline=True)
def gap_square(bounds, node, x):
    """Square of the distance from a point to the box of `node`, 0 inside."""
    dx = max(bounds[node, 0] - x[0], x[0] - bounds[node, 3], 0.0)
    dy = max(bounds[node, 1] - x[1], x[1] - bounds[node, 4], 0.0)
    dz = max(bounds[node, 2] - x[2], x[2] - bounds[node, 5], 0.0)
    return dx * dx + dy * dy + dz * dz


@kernel(inline=True)
def start_walk(stack_work):
    """Put the root on the stack; return how many nodes wait there."""
    stack_work[0] = 1
    return 1


@kernel(inline=True)
def descend(node, leaves, top, stack_work):
    """Put the children of a node on the stack and return -1; for a leaf, return its first place."""
    if node >= leaves:
        return (node - leaves) * LEAF, top
    stack_work[top] = 2 * node
    stack_work[top + 1] = 2 * node + 1
    return -1, top + 2


@kernel(inline=True)
def next_leaf(bounds, low, high, top, stack_work):
    """First place of the next leaf whose box meets the one from `low` to `high`, or -1; and the height of the stack."""
    first = -1
    while first < 0 and top > 0:
        top -= 1
        if not apart(bounds, stack_work[top], low, high):
            first, top = descend(stack_work[top], bounds.shape[0] // 2, top, stack_work)
    return first, top


@kernel(inline=True)
def next_leaf_ahead(bounds, o, a, b, c, top, stack_work):
    """As `next_leaf`, for leaves that are not wholly on the outer side of a plane through o with normal a, b or c."""
    first = -1
    while first < 0 and top > 0:
        top -= 1
        node = stack_work[top]
        if min(highest(bounds, node, a, o), highest(bounds, node, b, o), highest(bounds, node, c, o)) > 0.0:
            first, top = descend(node, bounds.shape[0] // 2, top, stack_work)
    return first, top
