"""Bending a joint: the nearest turn that it can do, found as trying all would find it."""

import numpy as np
import pytest

import stringless as sl
from stringless.editing import studies
from stringless.model import JointSpec
from stringless.model.pose import rotation_matrix
from stringless.project.commands.editing.drags import Joint, _log, find_nearest_bend

GRID = 2 * np.pi / 240
"""Distance of the angles that are tried [rad]."""


def wish(seed):
    quaternion = np.random.default_rng(seed).normal(size=4)
    return rotation_matrix(tuple(quaternion / np.linalg.norm(quaternion)))


def away(turn, wanted):
    return float(np.linalg.norm(_log(turn.T @ wanted)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("body", ["head", "left_elbow"])
def test_a_hinge_is_bent_as_near_as_it_can(body, seed):
    model = sl.load("humanoid").model
    joint, wanted = Joint(model, model.body(body).index), wish(seed)
    tried = [away(joint.find_rotation(joint.move(model.neutral(), a)), wanted) for a in np.arange(-np.pi, np.pi, GRID)]
    assert away(find_nearest_bend(model, body, wanted), wanted) <= min(tried) + 1e-9
    assert min(tried) > 0.1  # it cannot do what is wanted


@pytest.mark.parametrize("seed", range(3))
def test_what_a_universal_joint_can_do_it_does(seed):
    joint = JointSpec(kind="universal", axes=((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    model = studies.links((joint, joint))
    both = Joint(model, 1)
    angles = np.random.default_rng(seed).uniform(-1.2, 1.2, 2)
    wanted = both.find_rotation(both.move(model.neutral(), angles))
    np.testing.assert_allclose(find_nearest_bend(model, "link 2", wanted), wanted, atol=1e-6)


def test_a_ball_and_a_root_turn_as_one_likes():
    model = studies.links(("free", "ball"))
    for body in ("link 1", "link 2"):
        assert find_nearest_bend(model, body, wish(1)) is not None
        assert np.array_equal(find_nearest_bend(model, body, wish(1)), wish(1))
