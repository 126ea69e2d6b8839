"""Surfaces of functions: closed, on the zero of the function, symmetric where it is."""

import math

import numpy as np
import pytest

from stringless.errors import InputError
from stringless.flesh import isosurface
from stringless.flesh.isosurface import capsule_distance, smooth_blend, smooth_minimum
from stringless.flesh.surface_checks import check_surface

CUBE = np.array([(-1.3, -1.3, -1.3), (1.3, 1.3, 1.3)])


def ball(points):
    return np.linalg.norm(points, axis=1) - 1


def star(points):
    """Five arms in the plane of x and z, symmetric about z = 0."""
    arms = [(math.cos(a), 0, math.sin(a)) for a in 2 * np.pi * np.arange(5) / 5]
    return smooth_minimum([capsule_distance(points, (0, 0, 0), arm, 0.3, 0.15) for arm in arms], 0.05)


def test_ball_converges():
    bodies = [smooth_blend(ball, CUBE, cell) for cell in (0.325, 0.1625)]
    errors = [4 / 3 * math.pi - body.volume for body in bodies]
    assert errors[0] > errors[1] > 0
    assert 3.5 < errors[0] / errors[1] < 4.5
    for body in bodies:
        assert check_surface(body) == []
        assert np.abs(ball(body.vertices)).max() < 1e-9
        assert body.mirror_planes == pytest.approx((0, 0, 0), abs=1e-12)


def test_star_is_closed_and_symmetric():
    body = smooth_blend(star, 1.1 * CUBE, 0.15)
    assert check_surface(body) == []
    assert body.components.max() == 0
    assert body.mirror_planes == (None, pytest.approx(0, abs=1e-12), pytest.approx(0, abs=1e-12))
    assert np.abs(star(body.vertices)).max() < 1e-6


def test_triangles_are_well_shaped():
    body = smooth_blend(star, 1.1 * CUBE, 0.15)
    edges = np.sum((body.corners - np.roll(body.corners, 1, axis=1)) ** 2, axis=(1, 2))
    quality = 4 * math.sqrt(3) * body.areas / edges  # 1 for three equal sides
    assert quality.min() > 0.25
    assert np.median(quality) > 0.8


def test_zero_exactly_at_lattice_nodes():
    """A diamond whose faces go through nodes: values of zero count as outside, and no triangle is degenerate."""
    body = smooth_blend(lambda p: np.abs(p).sum(axis=1) - 1, [(-2, -2, -2), (2, 2, 2)], 0.5, relax=0)
    assert check_surface(body) == []
    assert body.mirror_planes == (0, 0, 0)


def test_the_same_input_gives_the_same_surface():
    first, second = (smooth_blend(star, 1.1 * CUBE, 0.3) for _ in range(2))
    assert np.array_equal(first.vertices, second.vertices)
    assert np.array_equal(first.triangles, second.triangles)


def test_two_pieces_and_a_hollow():
    body = smooth_blend(lambda p: np.abs(np.linalg.norm(p, axis=1) - 1) - 0.25, 1.2 * CUBE, 0.2)
    assert check_surface(body) == []
    assert body.components.max() == 1
    assert body.volume == pytest.approx(4 / 3 * math.pi * (1.25**3 - 0.75**3), rel=0.05)


def test_smooth_minimum():
    a, b = np.array([1.0, 2.0]), np.array([5.0, 2.0])
    np.testing.assert_allclose(smooth_minimum([a, b], 0.1), (1.0, 2.0 - 0.1 * math.log(2)))
    assert np.array_equal(smooth_minimum([a, b, a + 1], 0.3), smooth_minimum([a + 1, b, a], 0.3))


def test_capsule_distance():
    points = np.array([(0.5, 2, 0), (-1, 0, 0), (3, 0, 0)])
    np.testing.assert_allclose(capsule_distance(points, (0, 0, 0), (1, 0, 0), 0.5), (1.5, 0.5, 1.5))
    np.testing.assert_allclose(capsule_distance(points, (0, 0, 0), (1, 0, 0), 0.5, 1.0), (1.25, 0.5, 1.0))
    np.testing.assert_allclose(capsule_distance(points, (0, 0, 0), (0, 0, 0), 0.5)[1:], (0.5, 2.5))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((ball, [(0, 0, 0), (1, 0, 1)], 0.1), "bounds: found .* expected a low and a higher corner"),
        ((ball, CUBE, 0.0), "cell: found 0.0; expected a positive length"),
        ((ball, CUBE, 1e-3), "cell: found 0.001, which makes .* cells; expected at most 4,000,000"),
        ((lambda p: p[:, 0] * 0 + 1, CUBE, 0.5), "found no lattice point inside"),
        ((ball, 0.5 * CUBE, 0.2), "bounds: found the inside reaching them along x; expected a box around it all"),
        ((lambda p: p, CUBE, 0.5), "found values of shape .* for 343 points"),
        ((lambda p: p[:, 0] / 0.0, CUBE, 0.5), "found a value that is not finite at"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    with np.errstate(all="ignore"), pytest.raises(InputError, match=message):
        smooth_blend(*arguments)


def test_every_pattern_of_a_tetrahedron_parts_inside_from_outside():
    for code in range(1, 15):
        within = np.array([bool(code >> k & 1) for k in range(4)])
        _, triangles = isosurface._march(np.array([[0, 1, 2, 3]]), np.array([False]), within)
        assert len(triangles) == (2 if within.sum() == 2 else 1)
