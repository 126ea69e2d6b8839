"""Depth and way out of every shape, against brute force over points of its surface."""

import numpy as np
import pytest

from flesh_models import random_rotation
from stringless import jit
from stringless.contact.kernels_shapes import CODES, OBSTACLE_ROW, behind_face, depth, entered_face, way_out

SIZES = {
    "plane": (),
    "box": (0.3, 0.5, 0.2),
    "sphere": (0.4,),
    "capsule": (0.2, 0.3),
    "cylinder": (0.25, 0.4),
    "ellipsoid": (0.3, 0.5, 0.2),
}
SAMPLES = 40_000
FINENESS = 0.012
"""Mean distance of the samples on a surface of a few square metres, with room: the brute-force distance is that sure."""
ROUNDING = 1e-12


def shape(kind):
    row = jit.rows(1, OBSTACLE_ROW)
    row["kind"] = CODES[kind]
    row["sizes"][0, : len(SIZES[kind])] = SIZES[kind]
    return row.view(np.recarray)[0]


def surface(kind, rng):
    """Points all over a shape's surface."""
    n = SAMPLES
    size = SIZES[kind]
    d = rng.normal(size=(n, 3))
    d /= np.linalg.norm(d, axis=1)[:, None]
    if kind == "plane":
        return np.column_stack([rng.uniform(-1.5, 1.5, (n, 2)), np.zeros(n)])
    if kind == "box":
        x = rng.uniform(-1, 1, (n, 3))
        axis = rng.integers(0, 3, n)
        x[np.arange(n), axis] = np.sign(x[np.arange(n), axis])
        return x * size
    if kind == "sphere":
        return d * size[0]
    if kind == "ellipsoid":
        return d * size
    if kind == "capsule":
        x = d * size[0]
        x[:, 2] += np.sign(d[:, 2]) * size[1]
        half = n // 2
        x[:half, :2] = size[0] * d[:half, :2] / np.linalg.norm(d[:half, :2], axis=1)[:, None]
        x[:half, 2] = rng.uniform(-size[1], size[1], half)
        return x
    angle = rng.uniform(0, 2 * np.pi, n)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    radius = np.where(np.arange(n) % 2 == 0, size[0], size[0] * np.sqrt(rng.uniform(0, 1, n)))
    z = np.where(np.arange(n) % 2 == 0, rng.uniform(-size[1], size[1], n), size[1] * rng.choice([-1, 1], n))
    return np.column_stack([circle * radius[:, None], z])


def inside(kind, x):
    """Whether a point is in the solid, by its definition."""
    size = np.array(SIZES[kind])
    if kind == "plane":
        return x[2] < 0
    if kind == "box":
        return np.all(np.abs(x) < size)
    if kind == "sphere":
        return np.linalg.norm(x) < size[0]
    if kind == "ellipsoid":
        return np.sum((x / size) ** 2) < 1
    if kind == "capsule":
        return np.linalg.norm(x - [0, 0, np.clip(x[2], -size[1], size[1])]) < size[0]
    return np.hypot(x[0], x[1]) < size[0] and abs(x[2]) < size[1]


def points(rng, count=400):
    return rng.uniform(-0.7, 0.7, (count, 3))


@pytest.mark.parametrize("kind", SIZES)
def test_depth_and_normal_against_brute_force(kind):
    rng = np.random.default_rng(1)
    skin, row = surface(kind, rng), shape(kind)
    sides = set()
    for x in points(rng):
        d, n = depth(row, tuple(x))
        assert (d > 0) == inside(kind, x)
        sides.add(bool(d > 0))
        assert np.linalg.norm(n) == pytest.approx(1.0, abs=ROUNDING)
        assert abs(d) == pytest.approx(np.linalg.norm(skin - x, axis=1).min(), abs=FINENESS)
        # Going out by the depth along the normal leads to the surface, and not through it.
        there = x + np.array(n) * d
        assert depth(row, tuple(there))[0] == pytest.approx(0.0, abs=1e-9)
    assert sides == {True, False}


@pytest.mark.parametrize("kind", SIZES)
def test_normal_is_minus_the_slope_of_depth(kind):
    rng = np.random.default_rng(2)
    row = shape(kind)
    step, checked = 1e-6, 0
    for x in points(rng, 200):
        _, n = depth(row, tuple(x))
        slope = [
            (depth(row, tuple(x + step * e))[0] - depth(row, tuple(x - step * e))[0]) / (2 * step) for e in np.eye(3)
        ]
        if abs(np.linalg.norm(slope) - 1) < 1e-3:  # not across an edge of the skeleton, where the nearest point jumps
            np.testing.assert_allclose(slope, -np.array(n), rtol=0, atol=1e-5)
            checked += 1
    assert checked > 190


@pytest.mark.parametrize("kind", SIZES)
def test_depth_is_continuous(kind):
    """Along random lines, depth changes no faster than the way."""
    rng = np.random.default_rng(3)
    row = shape(kind)
    fastest = 1.0 + 1e-9
    for _ in range(20):
        a, b = points(rng, 2)
        line = np.linspace(a, b, 2001)
        d = np.array([depth(row, tuple(x))[0] for x in line])
        assert np.abs(np.diff(d)).max() <= fastest * np.linalg.norm(b - a) / 2000
        assert np.ptp(d) > 1e-3


@pytest.mark.parametrize("size", [(0.3, 0.5, 0.2), (0.4, 0.4, 0.4), (0.5, 0.005, 0.5), (2e-3, 1.0, 1e-3)])
def test_way_out_of_an_ellipsoid(size):
    """From points on the surface along the normal: out by any way, in as far as the sharpest curve allows."""
    rng = np.random.default_rng(4)
    size = np.array(size)
    row = shape("ellipsoid")
    row.sizes = size
    deepest = size.min() ** 2 / size.max()  # no centre of curvature is nearer to the surface
    for direction in rng.normal(size=(200, 3)):
        on = size * direction / np.linalg.norm(direction)
        n = on / size**2 / np.linalg.norm(on / size**2)
        for gap in (0.9 * deepest, 0.01 * deepest, -0.01 * deepest, -0.1, -1.0):
            found, normal = depth(row, tuple(on - gap * n))
            assert found == pytest.approx(gap, rel=1e-9, abs=1e-12)
            np.testing.assert_allclose(normal, n, atol=1e-6)


def test_middle_of_an_ellipsoid_leaves_by_its_shortest_axis():
    row = shape("ellipsoid")
    for x in ((0.0, 0.0, 0.0), (0.0, 0.1, 0.0), (0.05, 0.1, 0.0)):
        d, n = depth(row, x)
        at = np.array(x)
        # Of all ways out through the surface none is shorter.
        skin = surface("ellipsoid", np.random.default_rng(5))
        assert d <= np.linalg.norm(skin - at, axis=1).min() + 1e-6
        assert abs(n[2]) > 0.9
        assert np.sum(((at + d * np.array(n)) / row.sizes) ** 2) == pytest.approx(1.0, abs=1e-7)


@pytest.mark.parametrize("kind", SIZES)
def test_middle_and_symmetry_points_have_a_way_out(kind):
    row = shape(kind)
    for x in ((0.0, 0.0, 0.0), (0.0, 0.0, 0.1), (0.1, 0.0, 0.0), (0.0, -0.0, -0.1)):
        d, n = depth(row, x)
        assert np.isfinite(d)
        assert np.linalg.norm(n) == pytest.approx(1.0, abs=ROUNDING)
        if kind == "sphere":
            assert d == pytest.approx(0.4 - np.linalg.norm(x))


def test_plane_faces_its_own_z():
    R = random_rotation(np.random.default_rng(5))
    row = shape("plane")
    x = R @ np.array([0.3, -0.2, -0.05])
    d, n = depth(row, tuple(R.T @ x))
    assert d == pytest.approx(0.05)
    np.testing.assert_allclose(R @ n, R[:, 2], atol=ROUNDING)


# --- the way into a box ---------------------------------------------------------------------------------------------

HALF = (0.3, 0.01, 0.2)


def brute_face(x, before):
    """The face by which a finely cut way enters first; -1 if it stays outside, None if it starts inside."""
    way = before + np.linspace(0, 1, 20_001)[:, None] * (x - before)
    inside = np.all(np.abs(way) < HALF, axis=1)
    if inside[0]:
        return None
    if not inside.any():
        return -1
    at = way[int(np.argmax(inside))]
    axis = int(np.argmin(np.array(HALF) - np.abs(at)))
    return 2 * axis + int(at[axis] > 0)


def test_entered_face_against_a_walk_along_the_way():
    rng = np.random.default_rng(6)
    seen = set()
    for _ in range(300):
        x, before = rng.uniform(-1, 1, (2, 3)) * (0.5, 0.05, 0.4)
        expected = brute_face(x, before)
        if expected is None:
            continue
        seen.add(expected)
        assert entered_face(tuple(x), tuple(before), HALF) == expected
    assert seen == {-1, 0, 1, 2, 3, 4, 5}


def test_way_that_starts_inside_takes_the_nearest_face_and_one_that_leaves_none():
    assert entered_face((0.0, 0.004, 0.0), (0.0, -0.004, 0.0), HALF) == 3
    assert entered_face((0.0, 0.004, 0.0), (0.0, 0.004, 0.0), HALF) == 3
    assert entered_face((0.0, 0.05, 0.0), (0.0, 0.004, 0.0), HALF) == -1


def test_a_point_goes_out_by_the_face_it_came_in_by():
    row = shape("box")
    row.sizes = HALF
    above = (0.0, 0.012, 0.0)
    # In one step beyond the middle, and beyond the far side: it still goes up.
    for y in (0.009, -0.005, -0.03):
        d, n, face = way_out(row, (0.0, y, 0.0), above, -1)
        assert (d, face) == (pytest.approx(0.01 - y), 3)
        np.testing.assert_array_equal(n, (0.0, 1.0, 0.0))
    # Later too, wherever it came from in the last step.
    d, n, face = way_out(row, (0.0, -0.015, 0.0), (0.0, -0.016, 0.0), 3)
    assert (d, face) == (pytest.approx(0.025), 3)
    # Once it has left by the side or the front it is free.
    assert way_out(row, (0.31, 0.0, 0.0), (0.29, 0.0, 0.0), 3)[0] < 0
    assert way_out(row, (0.0, 0.011, 0.0), (0.0, 0.009, 0.0), 3)[0] < 0
    assert behind_face((0.0, -0.4, 0.0), HALF, 3)[0] == 0, "not from farther than the box is long"
    # Coming from below it goes out below.
    assert way_out(row, (0.0, 0.005, 0.0), (0.0, -0.02, 0.0), -1)[2] == 2
