"""A scene starts where it is told, or says why it cannot."""

import numpy as np
import pytest

from models import pendulum, random_forest
from stringless.errors import ModelError
from stringless.model import Scene


def test_default_start_is_neutral_and_at_rest():
    model = random_forest(0)
    scene = Scene(model)
    np.testing.assert_array_equal(scene.q, model.neutral())
    np.testing.assert_array_equal(scene.v, np.zeros(model.nv))
    assert scene.name == "forest_0"


def test_start_is_copied_and_frozen():
    q = np.array([0.5])
    scene = Scene(pendulum(), q=q)
    q[0] = 9.0
    assert scene.q[0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        scene.q[0] = 1.0


@pytest.mark.parametrize(
    ("start", "where", "found", "expected"),
    [
        ({"q": np.zeros(2)}, "initial q", "2 numbers", "1"),
        ({"v": np.zeros(3)}, "initial v", "3 numbers", "1"),
        ({"q": np.array([np.nan])}, "initial q", "not finite", "finite numbers"),
        ({"v": np.array([np.inf])}, "initial v", "not finite", "finite numbers"),
    ],
)
def test_impossible_start_is_refused(start, where, found, expected):
    with pytest.raises(ModelError, match="scene 'swing' has 1 problem") as caught:
        Scene(pendulum(), name="swing", **start)
    problem = caught.value.problems[0]
    assert problem.where == where
    assert found in problem.found
    assert expected in problem.expected


@pytest.mark.parametrize("dt", [0.0, -0.01, np.nan, np.inf])
def test_impossible_step_is_refused(dt):
    with pytest.raises(ModelError, match="dt: found .*; expected a finite number above 0"):
        Scene(pendulum(), dt=dt)


def test_quaternion_that_is_not_unit_is_refused_by_joint():
    model = random_forest(0)
    q = model.neutral()
    joint = next(joint for joint in model.joints if joint.kind.name == "ball")
    q[joint.q_slice] = (0.0, 0.0, 0.0, 1.1)
    with pytest.raises(ModelError, match=f"initial q of joint '{joint.name}': found a quaternion of length 1.1"):
        Scene(model, q=q)


def test_both_wrong_shapes_are_reported_at_once():
    with pytest.raises(ModelError) as caught:
        Scene(pendulum(), q=np.zeros(2), v=np.zeros(2))
    assert [problem.where for problem in caught.value.problems] == ["initial q", "initial v"]


def test_a_scene_may_carry_a_motion_to_edit():
    study = {"duration": 1.2, "nails": [{"kind": "point", "target": [0.1, None]}]}
    assert Scene(pendulum(), study=study).study == study


@pytest.mark.parametrize("study", [3, {"model": object()}], ids=["a number", "no plain value"])
def test_a_study_that_is_no_plain_data_is_refused(study):
    with pytest.raises(ModelError, match="study: found .*expected plain values by name"):
        Scene(pendulum(), study=study)


def test_budgets_may_be_numbers_of_numpy():
    for active in (np.int64(1), {"bob": np.int32(1)}):
        kept = Scene(pendulum(), engine="adaptive", active=active).active
        assert kept == active
        assert type(kept if isinstance(kept, int) else kept["bob"]) is int  # pyright: ignore[reportOptionalSubscript]
    with pytest.raises(ModelError, match="active: found np.float64"):
        Scene(pendulum(), engine="adaptive", active=np.float64(1.0))  # pyright: ignore[reportArgumentType]
