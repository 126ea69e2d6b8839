"""Matrices of three by three as tuples against NumPy."""

import numpy as np
import pytest

from stringless.spatial import mat3

ROUND_OFF = 1e-15
"""Sums of three products of order one."""


def full(a):
    return np.array(a).reshape(3, 3)


def symmetric(a):
    xx, yy, zz, xy, xz, yz = a
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@pytest.fixture
def numbers():
    rng = np.random.default_rng(5)
    return [tuple(rng.uniform(-1, 1, n)) for n in (9, 9, 6, 6, 3)]


def test_products_equal_numpys(numbers):
    A, B, S, _, x = numbers
    np.testing.assert_allclose(mat3.transform(A, x), full(A) @ x, atol=ROUND_OFF)
    np.testing.assert_allclose(mat3.transform_back(A, x), full(A).T @ x, atol=ROUND_OFF)
    np.testing.assert_allclose(full(mat3.multiply(A, B)), full(A) @ full(B), atol=ROUND_OFF)
    np.testing.assert_allclose(mat3.transform_symmetric(S, x), symmetric(S) @ x, atol=ROUND_OFF)
    np.testing.assert_allclose(mat3.quadratic(S, x), x @ symmetric(S) @ x, atol=2 * ROUND_OFF)


def test_symmetric_matrix_turns_like_numpys(numbers):
    A, _, S, _, _ = numbers
    turned = symmetric(mat3.rotate_symmetric(A, S))
    np.testing.assert_allclose(turned, full(A) @ symmetric(S) @ full(A).T, atol=4 * ROUND_OFF)


def test_symmetric_matrices_add(numbers):
    _, _, S, T, _ = numbers
    np.testing.assert_array_equal(mat3.add_symmetric(S, T), np.add(S, T))


def test_numbers_go_to_and_from_their_place_in_an_array(numbers):
    A, _, S, _, _ = numbers
    values = np.zeros(20)
    mat3.store(values, 1, A)
    mat3.store_symmetric(values, 11, S)
    np.testing.assert_array_equal(values, [0, *A, 0, *S, 0, 0, 0])
    assert mat3.load(values, 1) == A
    assert mat3.load_symmetric(values, 11) == S
