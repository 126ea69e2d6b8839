"""What the adaptive engine cannot do, and what nobody can mean."""

import dataclasses

import numpy as np
import pytest

import stringless as sl
from adaptive_trees import swung
from models import pendulum
from stringless.errors import DivergenceError, InputError, StringlessWarning
from stringless.simulation import Simulation
from stringless.simulation.diagnosis import scene_problems


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"active": 0}, "active is 0, expected a whole number of joints, 1 or more; leave it out to activate all"),
        ({"active": -3}, "active is -3, expected"),
        ({"active": 2.5}, "active is 2.5, expected"),
        ({"active": True}, "active is True, expected"),
        ({"active": 41}, "active is 41, but model 'swung' has 40 joints that can move .*choose fewer"),
        ({"active": {"link_0": 41}}, "active is 41 for 'link_0', which has 40 joints"),
        ({"active": {"link_0": 0}}, "active of 'link_0' is 0, expected"),
        ({"active": {"nobody": 3}}, "has no character 'nobody'; a character is named by its root body"),
        ({"max_error": 0.0}, "max_error is 0.0, expected a finite number above 0"),
        ({"max_error": -1.0}, "max_error is -1.0"),
        ({"max_error": float("nan")}, "max_error is nan"),
        ({"max_error": 10**400}, "max_error is 1000.*expected a finite number above 0"),
        ({"update_every": 0}, "update_every is 0, expected a whole number of steps"),
        ({"update_every": 10**30}, "update_every is 1000.*expected a whole number of steps, 1 to 1,000,000,000"),
        ({"bogus": 3}, "a simulation has no parameter 'bogus'; it has: dt"),
        ({"criterion": "beauty"}, "criterion 'beauty' is unknown; choose one of: energy, motion"),
        ({"weights": 3.0}, "weights is 3.0; expected weights by name"),
        ({"weights": {"knee": 1.0}}, "has no joint 'knee'"),
        ({"weights": {"link_1": float("nan")}}, "a weight of joint 'link_1' is nan; expected a finite number above 0"),
        ({"weights": {"link_1": 0.0}}, "a weight of joint 'link_1' is 0.0"),
        ({"weights": {"link_1": -1.0}}, "a weight of joint 'link_1' is -1.0"),
        ({"weights": {"link_1": float("inf")}}, "a weight of joint 'link_1' is inf"),
        ({"weights": {"link_1": True}}, "a weight of joint 'link_1' is True"),
        ({"weights": {"link_1": "much"}}, "a weight of joint 'link_1' is 'much'"),
        ({"weights": {"link_1": {"velocity": float("nan")}}}, "a weight of joint 'link_1' is nan"),
        ({"weights": {"link_1": [1.0, 2.0]}}, "joint 'link_1' was given 2 weights; expected one, or 1"),
        (
            {"weights": {"link_1": [[-1.0]]}},
            "the weights of joint 'link_1' are .*expected a symmetric positive definite matrix of 1 by 1",
        ),
        ({"weights": {"link_1": [[float("nan")]]}}, "the weights of joint 'link_1' are .*1 by 1 finite numbers"),
        ({"weights": {"link_1": [[1.0, 0.0]]}}, "the weights of joint 'link_1' are .*1 by 1"),
        ({"weights": {"link_1": {"mass": 1.0}}}, "name a metric 'mass'; expected one of: velocity, acceleration"),
        ({"integrator": "rk4"}, "engine 'adaptive' has no integrator 'rk4'"),
        ({"substeps": "auto"}, "engine 'adaptive' takes the step it is given"),
        ({"solver": "ldlt"}, "belongs to engine 'stiff', not to 'adaptive'"),
    ],
)
def test_nonsense_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        swung(**options)


def test_numbers_of_numpy_are_numbers():
    options = {"active": np.int64(5), "update_every": np.int32(3), "weights": {"link_1": np.array(2.0)}}
    mine, plain = swung(**options), swung(active=5, update_every=3, weights={"link_1": 2.0})
    assert mine.config == plain.config
    assert swung(max_error=np.float64(0.1)).config.max_error == 0.1
    with pytest.raises(InputError, match="active is True, expected"):
        swung(active=np.bool_(True))


@pytest.mark.parametrize(
    "options", [{"active": 3}, {"max_error": 1.0}, {"update_every": 5}, {"weights": {"pivot": 2.0}}]
)
def test_other_engines_have_no_such_choices(options):
    with pytest.raises(InputError, match="belongs to engine 'adaptive', not to 'reduced'"):
        Simulation(sl.Scene(pendulum()), **options)


def test_a_refused_change_changes_nothing():
    sim = swung(active=5)
    sim.step(5)
    with pytest.raises(InputError, match="41"):
        sim.configure(active=41)
    assert sim.config.active == 5
    assert sim.engine.tables.status["budget"].tolist() == [5]
    sim.step(30)
    assert sim.active_joints.sum() == 5


def test_what_it_does_not_know_is_named():
    for scene, what in (("worm", "flesh"), ("bar", "closed loops")):
        with pytest.raises(InputError, match=f"engine 'adaptive' does not support {what}"):
            Simulation(sl.load(scene), engine="adaptive")
    with pytest.warns(StringlessWarning, match="characters of model 'company' pass through each other"):
        Simulation(sl.load("company"), engine="adaptive")
    sim = swung(active=3)
    with pytest.raises(InputError, match="engine 'adaptive' does not support goals; use engine 'reduced' or 'stiff'"):
        _ = sim.director
    sim.prescribed[0] = True
    with pytest.raises(InputError, match="engine 'adaptive' does not support prescribed joints"):
        sim.step(1)


def test_forces_on_bodies_that_are_not_there_are_refused():
    sim = swung(active=3)
    sim.external = np.zeros((41, 6))
    with pytest.raises(InputError, match=r"'external' for model 'swung' has shape \(41, 6\), expected \(40, 6\)"):
        sim.step(1)
    with pytest.raises(InputError, match="has no body 'tail'"):
        sim.model.body("tail")
    sim.external = np.zeros((40, 6))
    sim.external[3, 4] = np.nan
    with pytest.raises(DivergenceError, match="external wrench on body 'link_3' is not finite; give finite wrenches"):
        sim.step(1)


def test_who_has_no_joint_is_not_told_to_choose_fewer():
    builder = sl.ModelBuilder("stone")
    builder.add_body("stone", joint=sl.JointSpec(kind="free"), mass=1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    with pytest.raises(InputError, match="has 0 joints that can move .*leave `active` out"):
        Simulation(builder.build(), engine="adaptive", active=1)


@pytest.mark.parametrize("active", [51, {"link_0": 51}])
def test_a_scene_that_asks_for_more_joints_than_there_are_is_told_of(active):
    scene = dataclasses.replace(sl.load("pulled_pendulum"), active=active)
    assert "50 joints that can move" in str(scene_problems(scene)[0])
    assert not scene_problems(dataclasses.replace(scene, active=50))


def test_a_scene_made_for_it_with_loops_is_told_of():
    scene = dataclasses.replace(sl.load("bar"), engine="adaptive")
    assert "engine 'adaptive', which cannot close loops" in str(scene_problems(scene)[0])
