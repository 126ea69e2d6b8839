"""One look at a whole state: finite numbers, unit quaternions."""

import math

import numpy as np
import pytest

from models import random_forest, random_motion
from stringless.state.kernels_soundness import UNIT, is_sound

KINDS = ("free", "ball", "revolute", "universal", "fixed")


@pytest.fixture(params=range(3))
def case(request):
    model = random_forest(request.param, bodies=12, kinds=KINDS)
    motion = random_motion(model, 1)
    return model, motion.q.copy(), motion.v.copy()


def test_a_state_as_it_should_be_is_sound(case):
    model, q, v = case
    assert is_sound(model.tree, q, v)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_any_number_that_is_not_finite_is_found(case, bad):
    model, q, v = case
    for array in (q, v):
        for k in range(len(array)):
            kept, array[k] = array[k], bad
            assert not is_sound(model.tree, q, v)
            array[k] = kept
    assert is_sound(model.tree, q, v)


def test_quaternions_must_be_of_unit_length(case):
    model, q, v = case
    found = 0
    for joint in model.joints:
        if not joint.kind.is_vector:
            found += 1
            place = slice(joint.q_slice.stop - 4, joint.q_slice.stop)
            kept = q[place].copy()
            for length, sound in (
                (1 + 0.9 * UNIT, True),
                (1 - 0.9 * UNIT, True),
                (1 + 1.1 * UNIT, False),
                (0.0, False),
            ):
                q[place] = length * kept
                assert is_sound(model.tree, q, v) == sound
            q[place] = kept
    assert found > 0


def test_a_model_without_coordinates_is_sound():
    model = random_forest(0, bodies=2, kinds=("fixed",), roots=0.0)
    assert is_sound(model.tree, np.zeros(0), np.zeros(0))
