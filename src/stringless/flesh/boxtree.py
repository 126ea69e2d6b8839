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

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stringless.flesh.kernels_boxtree import LEAF
from stringless.spatial.arrays import FloatArray, IntArray

STACK = 64
"""Length of the stack that a walk needs: more than twice the depth of any tree that fits into memory."""
_EMPTY = 1e300
"""Bounds of a box with nothing in it: low above, high below everything."""


@dataclass(frozen=True, eq=False)
class BoxTree:
    """Items by place, and the boxes around them."""

    order: IntArray
    """(n,) item at each place; leaf j holds places LEAF j to LEAF (j + 1)."""
    bounds: FloatArray
    """(2 leaves, 6) low and high corner of every node [m]; the leaves are the last half."""


def build_tree(low: FloatArray, high: FloatArray) -> BoxTree:
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


def _merge(boxes: FloatArray, size: int) -> FloatArray:
    groups = boxes.reshape(-1, size, 6)
    return np.concatenate([groups[:, :, :3].min(axis=1), groups[:, :, 3:].max(axis=1)], axis=1)


def _morton(points: FloatArray) -> NDArray[np.uint64]:
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
