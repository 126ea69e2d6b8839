"""F = U diag(s) Vᵀ with rotations: reconstruction, order and sign, also where F is flat, tiny or huge."""

import numpy as np
import pytest

from flesh_models import deformation, random_rotation
from stringless.flesh.kernels_diagonal import compose, decompose

EXACT = 1e-13
"""Reconstruction and orthogonality, relative to the largest stretch: five Jacobi sweeps leave rounding."""
HALF_DIGITS = 1e-7
"""Directions of a tiny stretch beside a large one come from FᵀF, which keeps half the digits."""

CASES = {
    "rest": (1.0, 1.0, 1.0),
    "distinct": (1.7, 1.1, 0.6),
    "first two equal": (1.4, 1.4, 0.5),
    "last two equal": (1.4, 0.5, 0.5),
    "nearly equal": (1.0 + 1e-9, 1.0, 1.0 - 1e-9),
    "inverted": (1.2, 0.9, -0.7),
    "inverted, equal sizes": (0.8, 0.8, -0.8),
    "reflection": (1.0, 1.0, -1.0),
    "flat": (1.3, 0.7, 0.0),
    "a line": (1.3, 0.0, 0.0),
    "a point": (0.0, 0.0, 0.0),
    "almost flat": (1.3, 0.7, 1e-9),
    "almost flat, inverted": (1.3, 0.7, -1e-9),
    "needle": (1e3, 1.0, 1e-3),
}
SIZES = (1e-30, 1e-9, 1.0, 1e9, 1e30)


def matrices(F):
    u, v, w, s, a, b, e = decompose(tuple(F.ravel()))
    return np.column_stack([u, v, w]), np.array(s), np.column_stack([a, b, e])


def check(F):
    U, s, V = matrices(F)
    size = np.linalg.norm(F, 2)
    assert np.all(np.isfinite(U))
    assert np.all(np.isfinite(V))
    for Q in (U, V):
        np.testing.assert_allclose(Q.T @ Q, np.eye(3), rtol=0, atol=EXACT)
        assert np.linalg.det(Q) == pytest.approx(1.0, abs=EXACT)
    np.testing.assert_allclose(U @ np.diag(s) @ V.T, F, rtol=0, atol=HALF_DIGITS * size)
    slack = EXACT * size
    assert s[0] >= s[1] - slack
    assert s[1] >= abs(s[2]) - slack
    assert s[1] >= -slack
    return U, s, V


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", SIZES)
def test_stretches_rotations_and_order(name, size):
    rng = np.random.default_rng(1)
    stretches = np.array(CASES[name])
    for _ in range(10):
        F = size * deformation(rng, stretches)
        _, s, _ = check(F)
        np.testing.assert_allclose(s, size * stretches, rtol=0, atol=HALF_DIGITS * size * max(stretches[0], 1.0))


@pytest.mark.parametrize("name", [name for name, s in CASES.items() if s[0] < 1e2 and abs(s[2]) > 0.1])
def test_reconstruction_to_rounding(name):
    rng = np.random.default_rng(2)
    for _ in range(50):
        F = deformation(rng, CASES[name])
        U, s, V = matrices(F)
        np.testing.assert_allclose(U @ np.diag(s) @ V.T, F, rtol=0, atol=10 * EXACT)
        np.testing.assert_allclose(s, CASES[name], rtol=0, atol=10 * EXACT)


def test_random_matrices_agree_with_numpy():
    rng = np.random.default_rng(3)
    signs = set()
    for _ in range(2000):
        F = rng.normal(size=(3, 3))
        _, s, _ = check(F)
        expected = np.linalg.svd(F, compute_uv=False)
        np.testing.assert_allclose(np.abs(s), expected, rtol=0, atol=HALF_DIGITS)
        assert np.sign(s[2]) == np.sign(np.linalg.det(F))
        signs.add(float(np.sign(s[2])))
    assert signs == {-1.0, 1.0}


@pytest.mark.parametrize(
    "F",
    [
        np.diag([1.0, 2.0, 3.0]),
        np.diag([-1.0, -1.0, 1.0]),
        np.diag([1.0, 1.0, -1.0]),
        np.diag([0.0, 0.0, 2.0]),
        np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
        np.ones((3, 3)),
        np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        np.outer([1.0, 2.0, -2.0], [0.6, 0.0, 0.8]),
    ],
)
def test_exact_zeros_and_ties(F):
    """Entries that make a Jacobi rotation divide zero by zero if it is written carelessly."""
    check(F)


def test_compose_is_the_inverse_of_decompose():
    rng = np.random.default_rng(4)
    F = deformation(rng, (1.4, 0.9, -0.3))
    u, v, w, s, a, b, e = decompose(tuple(F.ravel()))
    np.testing.assert_allclose(np.reshape(compose(u, v, w, s, a, b, e), (3, 3)), F, rtol=0, atol=10 * EXACT)
    p = (3.0, -2.0, 0.5)
    P = np.reshape(compose(u, v, w, p, a, b, e), (3, 3))
    U, _, V = matrices(F)
    np.testing.assert_allclose(P, U @ np.diag(p) @ V.T, rtol=0, atol=10 * EXACT)


def test_rotation_of_the_axes_turns_only_one_side():
    """`R F` has the same stretches and V, and U turned by R."""
    rng = np.random.default_rng(5)
    F, R = deformation(rng, (1.5, 1.0, 0.6)), random_rotation(rng)
    U, s, V = matrices(F)
    U2, s2, V2 = matrices(R @ F)
    np.testing.assert_allclose(s2, s, rtol=0, atol=10 * EXACT)
    np.testing.assert_allclose(np.abs(V2.T @ V), np.eye(3), rtol=0, atol=100 * EXACT)
    np.testing.assert_allclose(np.abs(U2.T @ R @ U), np.eye(3), rtol=0, atol=100 * EXACT)
