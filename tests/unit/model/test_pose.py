"""Poses compose like matrices; quaternions and matrices turn into each other."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from models import random_quaternion
from naive.kinematics import matrix
from stringless.model import Pose
from stringless.model.pose import multiply_quaternions, quaternion_from_matrix, rotation_matrix

ROUND_OFF = 4e-15


def random_pose(seed):
    rng = np.random.default_rng(seed)
    return Pose(tuple(rng.normal(size=3)), random_quaternion(rng))


def dense(pose):
    return matrix(Rotation.from_quat(pose.rotation).as_matrix(), np.array(pose.position))


@pytest.mark.parametrize("seed", range(4))
def test_composition_inverse_and_points_are_those_of_matrices(seed):
    a, b = random_pose(seed), random_pose(seed + 100)
    np.testing.assert_allclose(dense(a @ b), dense(a) @ dense(b), atol=ROUND_OFF)
    np.testing.assert_allclose(dense(a.inverse()), np.linalg.inv(dense(a)), atol=ROUND_OFF)
    np.testing.assert_allclose(a.apply((1.0, 2.0, 3.0)), (dense(a) @ [1, 2, 3, 1])[:3], atol=ROUND_OFF)
    back = Pose.from_matrix(a.matrix, a.position)
    np.testing.assert_allclose(dense(back), dense(a), atol=ROUND_OFF)


def test_default_is_the_identity():
    np.testing.assert_array_equal(dense(Pose()), np.eye(4))


@pytest.mark.parametrize(
    "q",
    [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0.5, 0.5, 0.5, -0.5), (0.6, 0.8, 0, 0), (0.6, 0, 0, 0.8)],
)
def test_matrix_and_quaternion_undo_each_other_at_special_turns(q):
    found = quaternion_from_matrix(rotation_matrix(q))
    assert found[3] >= 0
    assert min(np.abs(found - q).max(), np.abs(found + q).max()) < ROUND_OFF


@pytest.mark.parametrize("seed", range(20))
def test_matrix_and_quaternion_undo_each_other(seed):
    q = np.array(random_quaternion(np.random.default_rng(seed)))
    q = q if q[3] >= 0 else -q
    np.testing.assert_allclose(quaternion_from_matrix(rotation_matrix(tuple(q))), q, atol=ROUND_OFF)


def test_product_applies_the_second_turn_first():
    rng = np.random.default_rng(0)
    a, b = random_quaternion(rng), random_quaternion(rng)
    expected = (Rotation.from_quat(a) * Rotation.from_quat(b)).as_matrix()
    np.testing.assert_allclose(rotation_matrix(tuple(multiply_quaternions(a, b))), expected, atol=ROUND_OFF)
