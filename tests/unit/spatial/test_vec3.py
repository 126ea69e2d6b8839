"""Vectors as tuples against NumPy."""

import numpy as np
import pytest

from stringless.spatial import vec3

A, B = (1.5, -2.0, 0.25), (-0.5, 3.0, 4.0)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (vec3.add(A, B), np.add(A, B)),
        (vec3.subtract(A, B), np.subtract(A, B)),
        (vec3.scale(-3.0, A), -3.0 * np.array(A)),
        (vec3.add_scaled(A, 0.5, B), np.array(A) + 0.5 * np.array(B)),
        (vec3.dot(A, B), np.dot(A, B)),
        (vec3.cross(A, B), np.cross(A, B)),
        (vec3.unit(0), (1, 0, 0)),
        (vec3.unit(1), (0, 1, 0)),
        (vec3.unit(2), (0, 0, 1)),
    ],
)
def test_operation_equals_numpys(found, expected):
    # Short sums of numbers with few digits: exact.
    np.testing.assert_array_equal(found, expected)


def test_numbers_go_to_and_from_their_place_in_an_array():
    values = np.arange(8.0)
    vec3.store(values, 2, A)
    np.testing.assert_array_equal(values, [0, 1, *A, 5, 6, 7])
    assert vec3.load(values, 2) == A
    vec3.add_to(values, 3, (10.0, 20.0, 30.0))
    np.testing.assert_array_equal(values, [0, 1, A[0], A[1] + 10, A[2] + 20, 35, 6, 7])
