"""Loops stay closed, whatever pulls and however far joints turn in a step."""

import numpy as np
import pytest

from stringless import Simulation, load
from stringless.dynamics import energy
from stringless.kinematics import loop_gaps

CLOSED = 1e-9


@pytest.mark.parametrize("firmness", [12.0, 30.0, 300.0])
@pytest.mark.parametrize("dt", [0.01, 1 / 60, 1 / 30])
def test_a_body_that_holds_on_is_pulled_without_letting_go(firmness, dt):
    """A spring of up to 2.7 MN/m, and joints that turn by more than a radian within a step."""
    sim = Simulation(load("bar"), engine="stiff", dt=dt, record=0)
    start = sim.body_poses().position[sim.model.body("torso").index].copy()
    sim.director.drag("torso", target=(0.3, 1.0, 1.0), firmness=firmness)
    fastest = 0.0
    for _ in range(round(2 / dt)):
        sim.step()
        assert sim.joint_gap < CLOSED
        assert loop_gaps(sim.model, sim.q).max() < CLOSED
        fastest = max(fastest, np.abs(sim.v).max())
    there = sim.body_poses().position[sim.model.body("torso").index]
    assert np.linalg.norm(there - start) > 0.1
    assert fastest > 5
    assert np.abs(sim.v).max() < 0.3 * fastest, "comes to rest"


def test_velocities_do_not_tell_what_has_closed_a_loop():
    """An energy of motion by them is that of the bodies' momenta; what closes loops would add metres a second."""
    sim = Simulation(load("bar"), engine="stiff", dt=1 / 60, record=0)
    sim.director.drag("torso", target=(0.3, 1.0, 1.0), firmness=30.0)
    fastest = 0.0
    for _ in range(20):
        sim.step()
        told = energy(sim.model, sim.q, sim.v).kinetic
        kept = sim.energy().kinetic
        assert told < 1.2 * kept + 0.1
        fastest = max(fastest, kept)
    assert fastest > 50
