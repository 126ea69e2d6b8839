"""Rotations: group axioms, exponential and logarithm near zero and near half a turn, Jacobians by differences."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from checks import derivative
from models import random_direction, random_quaternion
from naive.kinematics import skew
from stringless.spatial import rotation

ROUND_OFF = 4e-15
"""Some ten operations on numbers of order one."""
ANGLES = (0.0, 1e-300, 1e-160, 1e-12, 1e-9, 1e-6, 0.99e-3, 1.01e-3, 0.1, 1.0, 2.0, 3.0, np.pi - 1e-6, np.pi - 1e-12)
"""From nothing, across the border of the series at 1e-3, to half a turn."""
SEEDS = range(4)


def matrix(q):
    return np.array(rotation.from_quaternion(q)).reshape(3, 3)


def as_vector(angle, seed):
    return tuple(angle * np.array(random_direction(np.random.default_rng(seed))))


@pytest.fixture(params=SEEDS)
def rng(request):
    return np.random.default_rng(request.param)


# --- the group ---


def test_product_is_associative_and_stays_unit(rng):
    a, b, c = (random_quaternion(rng) for _ in range(3))
    left = rotation.multiply_quaternions(rotation.multiply_quaternions(a, b), c)
    right = rotation.multiply_quaternions(a, rotation.multiply_quaternions(b, c))
    np.testing.assert_allclose(left, right, atol=ROUND_OFF)
    assert np.linalg.norm(left) == pytest.approx(1, abs=ROUND_OFF)


def test_identity_and_inverse(rng):
    a, eye = random_quaternion(rng), (0.0, 0.0, 0.0, 1.0)
    assert rotation.multiply_quaternions(a, eye) == a
    assert rotation.multiply_quaternions(eye, a) == a
    np.testing.assert_allclose(rotation.multiply_quaternions(a, rotation.conjugate(a)), eye, atol=ROUND_OFF)


def test_product_of_quaternions_is_product_of_matrices(rng):
    a, b = random_quaternion(rng), random_quaternion(rng)
    np.testing.assert_allclose(matrix(rotation.multiply_quaternions(a, b)), matrix(a) @ matrix(b), atol=ROUND_OFF)


def test_matrix_of_a_quaternion_is_scipys_and_does_not_depend_on_its_length(rng):
    a = random_quaternion(rng)
    expected = Rotation.from_quat(a).as_matrix()
    np.testing.assert_allclose(matrix(a), expected, atol=ROUND_OFF)
    np.testing.assert_allclose(matrix(tuple(3.0 * np.array(a))), expected, atol=ROUND_OFF)
    np.testing.assert_allclose(matrix(a) @ matrix(a).T, np.eye(3), atol=ROUND_OFF)
    assert np.linalg.det(matrix(a)) == pytest.approx(1, abs=ROUND_OFF)


def test_normalise_makes_unit_length(rng):
    a = random_quaternion(rng)
    np.testing.assert_allclose(rotation.normalise(tuple(0.3 * np.array(a))), a, atol=ROUND_OFF)


def test_turn_about_an_axis_is_the_exponential_of_its_cross_product(rng):
    a, angle = random_direction(rng), rng.uniform(-7, 7)
    found = np.array(rotation.about_axis(a, angle)).reshape(3, 3)
    # SciPy's matrix exponential squares several times and loses a digit.
    np.testing.assert_allclose(found, expm(angle * skew(np.array(a))), atol=10 * ROUND_OFF)


# --- exponential and logarithm ---


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("angle", ANGLES)
def test_exponential_is_unit_and_the_logarithm_undoes_it(angle, seed):
    x = as_vector(angle, seed)
    q = rotation.exp_quaternion(x)
    assert np.linalg.norm(q) == pytest.approx(1, abs=ROUND_OFF)
    np.testing.assert_allclose(rotation.log_quaternion(q), x, rtol=ROUND_OFF, atol=ROUND_OFF * angle)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("angle", ANGLES[4:])
def test_exponential_is_scipys(angle, seed):
    x = as_vector(angle, seed)
    np.testing.assert_allclose(matrix(rotation.exp_quaternion(x)), Rotation.from_rotvec(x).as_matrix(), atol=ROUND_OFF)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("angle", [*ANGLES, 0.4999, 0.5001, 4.0, 20.0])
def test_matrix_of_a_rotation_vector_is_that_of_its_quaternion(angle, seed):
    x = as_vector(angle, seed)
    np.testing.assert_allclose(
        np.reshape(rotation.exp_matrix(x), (3, 3)), matrix(rotation.exp_quaternion(x)), rtol=0, atol=ROUND_OFF
    )


@pytest.mark.parametrize("angle", [1e-12, 0.5, 3.0])
def test_logarithm_does_not_depend_on_the_sign_of_the_quaternion(angle):
    q = rotation.exp_quaternion(as_vector(angle, 7))
    np.testing.assert_array_equal(rotation.log_quaternion(tuple(-np.array(q))), rotation.log_quaternion(q))


def test_logarithm_of_more_than_half_a_turn_takes_the_short_way():
    a = np.array(random_direction(np.random.default_rng(3)))
    found = rotation.log_quaternion(rotation.exp_quaternion(tuple(4.0 * a)))
    np.testing.assert_allclose(found, (4.0 - 2 * np.pi) * a, atol=ROUND_OFF)


def test_logarithm_of_exactly_half_a_turn_is_half_a_turn():
    np.testing.assert_allclose(rotation.log_quaternion((0.0, 1.0, 0.0, 0.0)), (0, np.pi, 0), atol=ROUND_OFF)


def test_logarithm_keeps_its_digits_near_the_identity():
    """The arc cosine would be wrong by a fifth at 2.4e-8 rad (docs/theory/articulated.md, section 1.3)."""
    x = (2.4e-8, 0.0, 0.0)
    assert rotation.log_quaternion(rotation.exp_quaternion(x))[0] == pytest.approx(2.4e-8, rel=ROUND_OFF)


# --- Jacobians ---

JACOBIAN_ANGLES = (0.0, 1e-12, 1e-6, 0.99e-3, 1.01e-3, 0.1, 1.0, 2.5, np.pi - 1e-6, np.pi)
DIFFERENCE = 1e-10
"""Fourth-order differences of numbers of order one."""
JUST_ABOVE_THE_SERIES = 1e-9
"""(t - sin t)/t³ loses digits where t is small: 1e-16/t³ of a term that is itself multiplied by t²; t >= 1e-3."""


@pytest.mark.parametrize("angle", JACOBIAN_ANGLES)
def test_left_jacobian_is_the_derivative_of_the_exponential(angle):
    """exp(x + s y) = exp(s Jl(x) y) exp(x) to first order."""
    x, y = np.array(as_vector(angle, 1)), np.random.default_rng(2).normal(size=3)

    def turned(s):
        there = rotation.exp_quaternion(tuple(x + s * y))
        back = rotation.conjugate(rotation.exp_quaternion(tuple(x)))
        return np.array(rotation.log_quaternion(rotation.multiply_quaternions(there, back)))

    found = np.array(rotation.left_jacobian(tuple(x), tuple(y)))
    assert np.linalg.norm(found) > 0.1
    np.testing.assert_allclose(found, derivative(turned), atol=DIFFERENCE)


@pytest.mark.parametrize("angle", JACOBIAN_ANGLES)
def test_inverse_jacobians_undo_the_jacobians(angle):
    x, y = as_vector(angle, 4), tuple(np.random.default_rng(5).normal(size=3))
    back = tuple(-np.array(x))
    there = rotation.left_jacobian(x, y)
    np.testing.assert_allclose(rotation.left_jacobian_inverse(x, there), y, atol=JUST_ABOVE_THE_SERIES)
    # Jr(x) = Jl(-x)
    np.testing.assert_allclose(
        rotation.right_jacobian_inverse(x, rotation.left_jacobian(back, y)), y, atol=JUST_ABOVE_THE_SERIES
    )


@pytest.mark.parametrize("angle", [1e-9, 1e-3, 0.3, 2.0, np.pi - 1e-3])
def test_left_jacobian_is_the_mean_turn_along_the_way(angle):
    """Jl(x) = ∫ exp(s x) ds from 0 to 1, by Gauss quadrature."""
    x, y = np.array(as_vector(angle, 6)), np.random.default_rng(8).normal(size=3)
    nodes, weights = np.polynomial.legendre.leggauss(16)
    mean = sum(w / 2 * Rotation.from_rotvec((s + 1) / 2 * x).apply(y) for s, w in zip(nodes, weights, strict=True))
    np.testing.assert_allclose(rotation.left_jacobian(tuple(x), tuple(y)), mean, atol=1e-12)
