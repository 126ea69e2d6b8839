"""Measured order of convergence on random forests of every joint type."""

import numpy as np
import pytest

from checks import orders
from models import MOVING, random_forest, random_motion, single
from stringless.model import Scene
from stringless.simulation import Simulation

SECONDS = 0.2
SPREAD = {"symplectic": 0.12, "rk4": 0.25}
"""How far a measured order may be from the true one at these steps: the next term of the error is a tenth of it."""
STEPS = {"symplectic": (1e-3, 5e-4, 2.5e-4), "rk4": (0.01, 0.005, 0.0025)}
ORDER = {"symplectic": 1.0, "rk4": 4.0}


def end(model, m, dt, integrator):
    sim = Simulation(Scene(model, q=m.q, v=m.v), dt=dt, integrator=integrator)
    sim.tau[:], sim.external[:] = m.tau, m.external
    sim.advance(SECONDS)
    assert sim.time == pytest.approx(SECONDS)
    return sim


def measured(model, m, integrator):
    exact = end(model, m, 2e-4, "rk4")
    positions, velocities = [], []
    for dt in STEPS[integrator]:
        sim = end(model, m, dt, integrator)
        positions.append(np.linalg.norm(model.difference(exact.q, sim.q)))
        velocities.append(np.linalg.norm(sim.v - exact.v))
    return orders(positions), orders(velocities)


@pytest.mark.parametrize("integrator", ["symplectic", "rk4"])
@pytest.mark.parametrize("seed", range(4))
def test_order_on_a_forest_of_all_joints(seed, integrator):
    model = random_forest(seed, bodies=9, springs=True, dampers=True, armature=True)
    for found in measured(model, random_motion(model, seed), integrator):
        assert np.all(np.abs(found - ORDER[integrator]) < SPREAD[integrator])


@pytest.mark.parametrize("integrator", ["symplectic", "rk4"])
@pytest.mark.parametrize("kind", MOVING)
def test_order_on_a_single_joint(kind, integrator):
    model = single(kind, seed=1, springs=True, dampers=True)
    for found in measured(model, random_motion(model, 1, speed=2.0), integrator):
        assert np.all(np.abs(found - ORDER[integrator]) < SPREAD[integrator])
