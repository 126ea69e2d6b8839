"""Asked for wrongly, copied, or told what the stiff engine does not know: what it says, and what it does."""

import copy
import pickle
import warnings

import numpy as np
import pytest

from stringless import InputError, Scene, Simulation, StringlessWarning, load
from stringless.control.live import Stream
from stringless.engines.config import SimulationConfig
from stringless.engines.stiff.engine import _flesh_parts
from stringless.simulation.diagnosis import lost_node

ENGINES = ("stiff", "reduced")


def pulled(engine="stiff", name="robot"):
    """A robot that is pulled by its hand."""
    sim = Simulation(load(name), engine=engine, dt=1 / 60 if engine == "stiff" else 1e-3, record=0)
    goal = sim.director.drag("left_hand")
    goal.target = goal.position + (0.1, 0.1, 0.1)
    return sim, goal


# --- reactions ---


@pytest.mark.parametrize("engine", ENGINES)
def test_only_active_goals_have_a_reaction(engine):
    sim, goal = pulled(engine)
    sim.step(2)
    assert (np.abs(sim.reaction(goal)[3:]).max() > 1.0) == (engine == "stiff")
    for wrong in (None, "left_hand", 1):
        with pytest.raises(InputError, match=f"cannot tell the force of {wrong!r}; expected a goal"):
            sim.reaction(wrong)
    with pytest.raises(InputError, match=r"this drag \(goal 1\) belongs to another simulation"):
        sim.reaction(sim.fork().director.goals[0])
    with pytest.raises(InputError, match=r"this drag \(goal 1\) belongs to another simulation"):
        Simulation(load("robot"), engine=engine, record=0).reaction(goal)
    with pytest.warns(DeprecationWarning, match=r"simulation\.felt is called simulation\.reaction now"):
        np.testing.assert_array_equal(sim.felt(goal), sim.reaction(goal))
    with pytest.warns(
        DeprecationWarning, match=r"simulation\.touching_points is called simulation\.contact_points now"
    ):
        assert len(sim.touching_points()[0]) == len(sim.contact_points()[0])
    goal.release()
    with pytest.raises(InputError, match=r"this drag \(goal 1\) is no longer active"):
        sim.reaction(goal)


# --- copies ---


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("again", [copy.deepcopy, lambda sim: pickle.loads(pickle.dumps(sim))])
def test_a_copy_of_a_directed_simulation_goes_on_with_the_same_bits(engine, again):
    sim, goal = pulled(engine)
    sim.director.pin("right_hand")
    sim.configure(joint_springs=0.5)
    sim.step(5)
    twin = again(sim)
    sim.step(5)
    twin.step(5)
    np.testing.assert_array_equal(twin.q, sim.q)
    np.testing.assert_array_equal(twin.v, sim.v)
    own = twin.director.goal(goal.id)
    assert own is not goal
    assert own.director is twin.director
    np.testing.assert_array_equal(twin.reaction(own), sim.reaction(goal))
    own.target = own.position
    sim.step()
    twin.step()
    assert np.abs(twin.q - sim.q).max() > 1e-6, "each has goals of its own"


def test_a_pickled_copy_needs_nothing_compiled_anew():
    """Compiled code tells tables that can be written from those that cannot."""
    for name in ("robot", "hand"):
        sim = Simulation(load(name), record=0)
        twin = pickle.loads(pickle.dumps(sim))
        for mine, its in zip(tables(sim), tables(twin), strict=True):
            assert its.flags.writeable == mine.flags.writeable
            assert its.dtype == mine.dtype


def tables(sim):
    room = sim.engine.workspace
    found = [
        room.nodes,
        room.elements,
        room.materials,
        room.vertices,
        room.samples,
        room.contact.obstacles,
        room.contact.near,
    ]
    return [*found, *sim.controls.skeleton(sim.config.joint_springs)[:2], sim.model.loops]


def test_a_pickled_goal_that_a_stream_feeds_follows_it_on():
    sim, goal = pulled()
    goal.target = stream = Stream(goal.position, top_speed=1.0)
    stream.feed(goal.position + (0.2, 0.0, 0.0))
    sim.step(3)
    twin = pickle.loads(pickle.dumps(sim))
    sim.step(20)
    twin.step(20)
    np.testing.assert_array_equal(twin.q, sim.q)


# --- what it does not know ---


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (lambda sim, goal: setattr(goal, "priority", 7), r"priority 7 of a drag \(goal 1\) does nothing"),
        (lambda sim, goal: setattr(goal, "push", True), r"push of a drag \(goal 1\) does nothing"),
        (lambda sim, goal: sim.director.style("torque"), "style 'torque' does nothing"),
        (lambda sim, goal: sim.director.set_joint_weights({"left_elbow": 3.0}), "weights of joints do nothing"),
        (lambda sim, goal: sim.configure(restitution=0.5), "restitution 0.5 does nothing for bodies without flesh"),
    ],
)
def test_what_has_no_effect_is_said_once(told, text):
    def go_on(sim, goal):
        told(sim, goal)
        sim.step(2)

    sim, goal = pulled()
    with pytest.warns(StringlessWarning, match=text):
        go_on(sim, goal)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        go_on(sim, goal)
        sim.fork().step(2)
        go_on(*pulled("reduced"))


def test_what_was_not_set_is_not_warned_of():
    sim, _ = pulled()
    sim.director.pin("right_hand")
    sim.director.center()
    sim.director.turn()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sim.step(2)


# --- steps and numbers ---


@pytest.mark.parametrize("engine", ENGINES)
def test_no_simulation_takes_steps_beyond_a_tenth_of_a_second(engine):
    scene = load("robot")
    text = "dt is 10 s; expected at most 0.1 s"
    with pytest.raises(InputError, match=text):
        Simulation(scene, engine=engine, dt=10)
    with pytest.raises(InputError, match=text):
        SimulationConfig(dt=10)
    with pytest.raises(InputError, match=text):
        Simulation(scene, engine=engine).configure(dt=10)
    with pytest.raises(InputError, match=text):
        Simulation(Scene(scene.model, dt=10.0, engine=engine))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_prescribed_acceleration_is_a_number(engine, value):
    sim = Simulation(load("robot"), engine=engine, record=0)
    sim.acceleration[3] = value
    sim.step()
    sim.prescribed[3] = True
    with pytest.raises(
        InputError, match=rf"acceleration prescribed for joint {sim.model.dof_name(3)[:5]}.* is {value}"
    ):
        sim.step()


def test_a_scene_with_loops_all_of_which_is_prescribed_stands():
    """Nothing can move along the rows of its loops: their forces cannot be told, and are none."""
    sim = Simulation(load("bar"), record=0)
    sim.prescribed[:] = True
    start = sim.q.copy()
    sim.step(5)
    np.testing.assert_allclose(sim.q, start, atol=1e-12)
    assert np.isfinite(sim.effort).all()
    weight = sim.model.mass * 9.81
    assert np.linalg.norm(sim.effort[3:6]) == pytest.approx(weight, rel=1e-9)


def test_flesh_that_is_lost_in_long_steps_is_told_what_helps():
    sim = Simulation(load("hand"), record=0)
    parts = _flesh_parts(sim.config, sim.flesh.specs)
    error = lost_node(sim.model, sim.flesh, sim.state, 3, dt=sim.config.dt, parts=parts)
    assert f"flesh took the step in {parts} parts of {1e3 * sim.config.dt / parts:.2g} ms" in error.cause
    for remedy in ("Try dt=0.00417", "softer", "young", "less stiff goals"):
        assert remedy in error.cause
    assert "stable up to" not in str(error)
