"""What users do with states of the stiff engine: turn freely, change engines, go back."""

import numpy as np
import pytest

from stiff_models import chain
from stringless import Scene
from stringless.errors import ModelError
from stringless.loader import load
from stringless.simulation import Simulation


@pytest.mark.parametrize("dt", [1 / 60, 1e-3])
def test_a_body_that_turns_over_keeps_its_energy(dt):
    sim = Simulation(load("tumbler"), engine="stiff", dt=dt, record=0)
    start = sim.energy().total
    turned = []
    for _ in range(20):
        sim.advance(0.5)
        turned.append(sim.body_poses().rotation[0][1, 1])
    assert 0.97 < sim.energy().total / start < 1.001
    assert min(turned) < 0.0 < max(turned), "it did turn over"


def test_a_state_of_one_engine_begins_another():
    stiff, reduced = Simulation(load("robot"), record=0), Simulation(load("robot"), engine="reduced", record=0)
    stiff.advance(0.2)
    reduced.restore(stiff.save())
    np.testing.assert_array_equal(reduced.q, stiff.q)
    reduced.advance(0.1)
    stiff.restore(reduced.save())
    np.testing.assert_array_equal(stiff.q, reduced.q)
    stiff.advance(0.1)
    assert stiff.time == pytest.approx(0.4)


def test_a_state_of_one_update_begins_another():
    scene = Scene(chain(4))
    updates = {"bodies": {"solver": "ldlt", "update": "bodies"}, "joints": {}}
    for one, other in (("bodies", "joints"), ("joints", "bodies")):
        first, second, fresh = (
            Simulation(scene, engine="stiff", dt=0.01, record=0, **updates[which]) for which in (one, other, other)
        )
        first.advance(0.3)
        second.restore(first.save())
        fresh.set_state(first.q, first.v)
        second.step()
        fresh.step()
        np.testing.assert_array_equal(second.q, fresh.q)
        assert np.abs(second.q - first.q).max() > 0.01


def test_springs_that_are_off_hold_no_energy():
    sim = Simulation(load("robot"), record=0)
    sim.advance(0.3)
    sim.configure(joint_springs=0.0)
    start = sim.energy().total
    for _ in range(10):
        sim.advance(0.1)
        assert sim.energy().total <= start


def test_a_loop_cannot_be_torn_by_hand():
    sim = Simulation(load("bar"), record=0)
    q = sim.q.copy()
    q[1] -= 1.0
    with pytest.raises(ModelError, match="open"):
        sim.set_state(q)
    sim.advance(0.1)
    assert sim.joint_gap < 1e-3


def test_nothing_is_felt_of_a_future_that_was_left():
    sim = Simulation(load("robot"), record=0)
    before = sim.save()
    goal = sim.director.drag("left_hand")
    goal.target = goal.position + (0.1, 0.1, 0.1)
    sim.advance(0.2)
    assert np.linalg.norm(sim.reaction(goal)) > 1.0
    sim.restore(before)
    assert not sim.reaction(goal).any()
