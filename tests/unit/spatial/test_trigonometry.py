"""Sine, cosine and arc tangent against forty-digit values, in units of the last place; compiled, as the kernels use them."""

import math
from decimal import Decimal

import numba
import numpy as np
import pytest

from naive import trigonometry as naive
from stringless import jit
from stringless.spatial import trigonometry

UNITS = 2.0
"""Errors allowed, in units of the last place of the result."""


def _all(x, s_out, c_out):
    for k in range(x.shape[0]):
        s_out[k], c_out[k] = trigonometry.sincos(x[k])


def evaluate(x, compiled=True):
    # Not `jit.kernel`: its cache is keyed by the package's sources, and this function is not among them.
    run = numba.njit(_all, **jit._FLAGS) if compiled else _all
    x = np.asarray(x, float)
    s, c = np.empty_like(x), np.empty_like(x)
    run(x, s, c)
    return s, c


def units(found, exact):
    return abs(Decimal(float(found)) - exact) / Decimal(math.ulp(float(exact)))


def angles(kind):
    rng = np.random.default_rng(1)
    if kind == "a few turns":
        return rng.uniform(-20, 20, 400)
    if kind == "many turns":
        return rng.uniform(-1e6, 1e6, 400)
    if kind == "small":
        return np.concatenate([10.0 ** rng.uniform(-300, -1, 200), -(10.0 ** rng.uniform(-300, -1, 200)), [0.0]])
    if kind == "near multiples of a quarter turn":
        n = rng.integers(-600_000, 600_000, 400)
        return n * (math.pi / 2) * (1 + rng.integers(-2, 3, 400) * 2.3e-16)
    if kind == "at the border of the reduction":
        border = trigonometry.LARGE
        return np.array([border, -border, np.nextafter(border, 0), np.nextafter(border, 2e6), border + 0.5])
    return np.concatenate([10.0 ** rng.uniform(6, 22, 200), -(10.0 ** rng.uniform(6, 22, 200))])


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    "kind",
    [
        "a few turns",
        "many turns",
        "small",
        "near multiples of a quarter turn",
        "at the border of the reduction",
        "enormous",
    ],
)
def test_sine_and_cosine_are_right_to_the_last_places(kind, compiled):
    x = angles(kind)
    s, c = evaluate(x, compiled)
    worst = 0
    for angle, found_s, found_c in zip(x, s, c, strict=True):
        exact_s, exact_c = naive.sincos(float(angle))
        worst = max(worst, units(found_s, exact_s), units(found_c, exact_c))
    assert worst <= UNITS


def test_the_reference_itself_is_the_c_librarys():
    for x in (0.5, -2.0, 1e5, 3e20):
        s, c = naive.sincos(x)
        assert float(s) == pytest.approx(math.sin(x), rel=1e-15)
        assert float(c) == pytest.approx(math.cos(x), rel=1e-15)


@pytest.mark.compiled  # Python's own sine refuses infinity
def test_what_is_not_a_number_or_not_finite_gives_nan():
    s, c = evaluate([np.nan, np.inf, -np.inf])
    assert np.isnan(s).all()
    assert np.isnan(c).all()


def test_squares_add_up_to_one():
    s, c = evaluate(np.linspace(-100, 100, 4001))
    np.testing.assert_allclose(s * s + c * c, 1.0, atol=1e-15)


def _all_angles(x, y, angle_out):
    for k in range(x.shape[0]):
        angle_out[k] = trigonometry.angle_of(x[k], y[k])


def points(kind):
    rng = np.random.default_rng(2)
    if kind == "all around":
        turn = rng.uniform(0, math.pi / 2, 600)
        size = 10.0 ** rng.uniform(-3, 3, 600)
        return size * np.cos(turn), size * np.sin(turn)
    if kind == "along the axes":
        small = 10.0 ** rng.uniform(-300, -1, 200)
        return np.concatenate([np.ones(200), small, [1.0, 0.0]]), np.concatenate([small, np.ones(200), [0.0, 1.0]])
    # Where one direction hands over to the next.
    border = np.repeat([0.21, 0.68, 1 / 0.68, 1 / 0.21], 50)
    return np.ones(200), border * (1 + 4e-16 * rng.integers(-20, 21, 200))


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("kind", ["all around", "along the axes", "at the borders"])
def test_angles_of_points_are_right_to_the_last_places(kind, compiled):
    x, y = points(kind)
    found = np.empty_like(x)
    (numba.njit(_all_angles, **jit._FLAGS) if compiled else _all_angles)(x, y, found)
    worst = max(units(f, naive.angle(float(a), float(b))) for a, b, f in zip(x, y, found, strict=True))
    assert worst <= UNITS


def test_the_angle_of_what_is_not_a_number_is_nan():
    for x, y in ((math.nan, 1.0), (1.0, math.nan)):
        assert math.isnan(trigonometry.angle_of(x, y))
