"""Loops become a table that nothing can change, in the order they were given."""

import copy
import pickle

import numpy as np
import pytest

from stringless.model import JointSpec, LoopSpec, ModelBuilder, Pose
from stringless.model.loops import LOOP_KINDS, LOOP_ROW

SOLID = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1, 0.0, 0.0, 0.0)}
HALF = np.sqrt(0.5)


def arms(*loops):
    builder = ModelBuilder("arms")
    # Given children first: the table must hold the numbers of the model, not of the description.
    builder.add_body("hand", "arm", JointSpec(kind="revolute", axes=(0.0, 0.0, 1.0)), **SOLID)
    builder.add_body("arm", "", JointSpec(kind="ball"), **SOLID)
    for loop in loops:
        builder.close(loop)
    return builder.build()


def test_model_without_loops_has_an_empty_table():
    model = arms()
    assert model.loops.dtype == LOOP_ROW
    assert len(model.loops) == 0
    assert model.loop_specs == ()


def test_rows_hold_bodies_kinds_and_places():
    place = Pose((1.0, 2.0, 3.0), (0.0, 0.0, HALF, HALF))
    grip = LoopSpec("grip", "hinge", "hand", place_a=place, place_b=Pose((4.0, 5.0, 6.0)))
    model = arms(grip, LoopSpec("tie", "point", "arm", "hand", (0.1, 0.2, 0.3)))
    assert model.loop_specs[0] is grip
    first, second = model.loops
    assert (model.body("arm").index, model.body("hand").index) == (0, 1)
    assert (first["a"], first["b"], first["rows"]) == (1, -1, 5)
    assert (second["a"], second["b"], second["rows"]) == (0, 1, 3)
    np.testing.assert_allclose(first["R_a"].reshape(3, 3), [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-15)
    np.testing.assert_array_equal(first["p_a"], (1.0, 2.0, 3.0))
    np.testing.assert_array_equal(first["R_b"].reshape(3, 3), np.eye(3))
    np.testing.assert_array_equal(first["p_b"], (4.0, 5.0, 6.0))
    np.testing.assert_array_equal(second["p_a"], (0.1, 0.2, 0.3))
    assert [LOOP_KINDS[kind] for kind in ("point", "hinge", "weld")] == [3, 5, 6]


@pytest.mark.parametrize("again", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_table_is_frozen_and_copied_with_the_model(again):
    model = arms(LoopSpec("grip", "weld", "hand"))
    twin = again(model)
    np.testing.assert_array_equal(twin.loops, model.loops)
    assert twin.loop_specs == model.loop_specs
    for one in (model, twin):
        with pytest.raises(ValueError, match="read-only"):
            one.loops["a"] = 0
