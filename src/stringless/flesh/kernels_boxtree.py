"""The walk through a tree of boxes."""

from stringless.jit import kernel

LEAF = 4
"""Items of a leaf."""


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
