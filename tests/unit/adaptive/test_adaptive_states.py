"""States and records of the adaptive engine: which joints move is part of them, and every bit comes back."""

import copy
import pickle

import numpy as np
import pytest

import stringless as sl
from adaptive_trees import kept, same, swung
from stringless.simulation import Simulation


def test_the_number_of_steps_in_a_call_changes_nothing():
    one, other = swung(active=6), swung(active=6)
    one.step(137)
    for count in (1, 19, 20, 21, 3, 40, 33):
        other.step(count)
    assert same(one.state, other.state)
    assert int(kept(one)["due"][0]) == 3  # 140 is the next


def test_going_back_repeats_every_bit():
    sim = swung(active=6, record=120.0)
    sim.advance(0.2)
    sim.configure(active=3)
    sim.external[20, 3] = 0.3
    sim.advance(0.2)
    sim.configure(max_error=1e-4, active=None)
    sim.advance(0.2)
    end = sim.save()
    assert sim.recording.find_difference() is None
    for time in (0.05, 0.2, 0.3, 0.4, 0.55):
        sim.go_to(time, branch=1)
        assert sim.time == pytest.approx(time)
        sim.go_to(0.6, branch=1)
        assert same(sim.state, end), time


def test_resumed_it_is_as_if_unbroken():
    unbroken, broken = swung(active=5, record=120.0), swung(active=5, record=120.0)
    unbroken.advance(0.5)
    broken.advance(0.3)
    broken.rewind(0.123)
    broken.advance(0.05)
    broken.go_to(0.21)
    broken.advance(0.29)
    assert same(broken.state, unbroken.state)


@pytest.mark.parametrize("twin", [lambda sim: sim.fork(), copy.deepcopy, lambda sim: pickle.loads(pickle.dumps(sim))])
def test_copies_go_on_alike(twin):
    sim = swung(active=5)
    sim.step(33)
    other = twin(sim)
    sim.step(50)
    other.step(50)
    assert same(sim.state, other.state)


def test_whoever_moves_a_rigid_joint_finds_it_moved():
    sim = swung(active=5, update_every=1000)
    sim.step(10)
    still = int(np.flatnonzero(~sim.active_joints)[-1])
    sim.q[still] += 0.5
    sim.step(10)
    assert sim.q[still] == pytest.approx(0.52)
    other = Simulation(sl.Scene(sim.model, q=sim.q, v=sim.v), record=0)
    assert np.allclose(other.body_poses().position, sim.body_poses().position)
    sim.v[still] = 2.0  # joints are chosen at once, and momentum goes to those that move
    sim.step(1)
    assert sim.active_joints[still] or sim.v[still] == 0.0


def test_a_state_of_another_engine_is_a_start():
    sim, other = swung(active=5), Simulation(swung().scene, record=0)
    other.step(50)
    sim.restore(other.save())
    sim.step(1)
    assert sim.active_joints.sum() == 5
    other.restore(sim.save())
    other.step(10)
    assert other.time == pytest.approx(0.061)


def test_former_names_are_deprecated():
    sim = swung(max_error=1e-3)
    for old, new in (("moving_joints", "active_joints"), ("held_errors", "rigidification_errors")):
        with pytest.warns(DeprecationWarning, match=rf"simulation\.{old} is called simulation\.{new} now"):
            np.testing.assert_equal(getattr(sim, old), getattr(sim, new))


def test_an_error_of_another_time_is_not_given():
    sim = swung(max_error=1e-3)
    assert sim.rigidification_errors == {"link_0": None}, "nothing was chosen yet"
    sim.step(45)
    then, error = sim.save(), sim.rigidification_errors
    assert 0.0 < error["link_0"] <= 1e-3
    assert sim.fork().rigidification_errors == error
    sim.step(100)
    assert sim.rigidification_errors != error
    sim.restore(then)
    assert sim.rigidification_errors == {"link_0": None}
    sim.step(5)
    assert sim.rigidification_errors == {"link_0": None}, "nothing was chosen since"
    sim.step(95)
    again = sim.rigidification_errors
    sim.restore(then)
    sim.step(100)
    assert sim.rigidification_errors == again
    assert pickle.loads(pickle.dumps(sim)).rigidification_errors == {"link_0": None}
