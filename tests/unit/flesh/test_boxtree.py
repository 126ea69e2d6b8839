"""The tree of boxes holds every item once, inside every box above it."""

import numpy as np
import pytest

from stringless.flesh.boxtree import STACK, build_tree
from stringless.flesh.kernels_boxtree import LEAF, apart, highest, next_leaf, next_leaf_ahead, start_walk


@pytest.mark.parametrize("count", [0, 1, 4, 5, 37, 200])
def test_boxes_hold_what_is_below_them(count):
    rng = np.random.default_rng(count)
    low = rng.uniform(-1, 1, (count, 3))
    high = low + rng.uniform(0, 0.3, (count, 3))
    tree = build_tree(low, high)
    assert sorted(tree.order) == list(range(count))
    leaves = len(tree.bounds) // 2
    for place, item in enumerate(tree.order):
        node = leaves + place // LEAF
        while node >= 1:
            assert np.all(tree.bounds[node, :3] <= low[item])
            assert np.all(tree.bounds[node, 3:] >= high[item])
            node //= 2


def test_the_same_items_give_the_same_tree():
    low = np.random.default_rng(0).uniform(-1, 1, (50, 3))
    first, second = build_tree(low, low + 0.1), build_tree(low.copy(), low + 0.1)
    assert np.array_equal(first.order, second.order)
    assert np.array_equal(first.bounds, second.bounds)


def test_items_in_one_place_are_no_trouble():
    assert sorted(build_tree(np.ones((9, 3)), np.ones((9, 3))).order) == list(range(9))


def test_box_questions():
    bounds = np.array([[0.0] * 6, [0, 0, 0, 1, 2, 3]])
    assert not apart(bounds, 1, (1.0, 2.0, 3.0), (4.0, 4.0, 4.0))  # a common corner
    assert apart(bounds, 1, (1.1, 0.0, 0.0), (2.0, 1.0, 1.0))
    assert apart(bounds, 1, (0.0, 0.0, -2.0), (1.0, 1.0, -1.0))
    assert highest(bounds, 1, (1.0, -1.0, 2.0), (0.5, 0.5, 0.5)) == 0.5 + 0.5 + 5.0


@pytest.mark.parametrize("count", [0, 1, 5, 200])
def test_walk_finds_every_item_that_a_box_meets(count):
    rng = np.random.default_rng(count)
    low = rng.uniform(-1, 1, (count, 3))
    high = low + rng.uniform(0, 0.3, (count, 3))
    tree = build_tree(low, high)
    for _ in range(20):
        a = rng.uniform(-1, 1, 3)
        b = a + rng.uniform(0, 0.5, 3)
        visited = walk(tree, lambda top, stack, a=a, b=b: next_leaf(tree.bounds, a, b, top, stack))
        assert len(visited) == len(set(visited))
        assert set(np.flatnonzero(np.all((low <= b) & (high >= a), axis=1))) <= set(visited)
    everything = walk(tree, lambda top, stack: next_leaf(tree.bounds, (-9.0,) * 3, (9.0,) * 3, top, stack))
    assert sorted(everything) == list(range(count))


def test_walk_ahead_finds_every_item_in_a_corner_of_three_planes():
    rng = np.random.default_rng(1)
    low = rng.uniform(-1, 1, (100, 3))
    tree = build_tree(low, low + 0.1)
    o, normals = np.array((0.1, -0.2, 0.05)), rng.normal(size=(3, 3))
    corners = np.array([low + 0.1 * np.array(c) for c in np.ndindex(2, 2, 2)])
    ahead = np.all(np.max((corners - o) @ normals.T, axis=0) > 0, axis=1)
    visited = walk(tree, lambda top, stack: next_leaf_ahead(tree.bounds, o, *normals, top, stack))
    assert set(np.flatnonzero(ahead)) <= set(visited)
    assert len(visited) < 100


def walk(tree, following):
    """All items of the leaves that a walk visits."""
    stack = np.zeros(STACK, np.int64)
    visited: list[int] = []
    first, top = following(start_walk(stack), stack)
    while first >= 0:
        visited += tree.order[first : first + LEAF].tolist()
        first, top = following(top, stack)
    return visited
