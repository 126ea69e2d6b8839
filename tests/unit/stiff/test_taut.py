"""Geometric stiffness: that it is the slope of what joints transmit, whatever pulls, and what it leaves alone."""

import math

import numpy as np
import pytest

from models import NO_GRAVITY, pendulum
from stiff_models import bodies_of, chain, total_momentum
from stringless import Scene, Simulation
from stringless.engines.stiff.kernels_momentum import MOMENTA
from stringless.engines.stiff.kernels_tension import RESOLVED
from stringless.model import LoopSpec, ModelBuilder

ALONG_X = (9.81, 0.0, 0.0)
WEIGHT = 0.1 * 9.81
"""Of a link of `chain` [N]."""
ARM = 0.05
"""From its centre of mass to either end [m]."""
TURN = 1e-6
"""For differences [rad]."""


def stiff(scene, dt, **options):
    return Simulation(scene, engine="stiff", dt=dt, record=0, **options)


def stiffness(sim, i):
    xx, yy, zz, xy, xz, yz = sim.state.kept[i, MOMENTA : MOMENTA + 6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def is_taut(sim):
    kept = sim.state.kept
    return sim.config.dt**2 * kept[:, MOMENTA + 6] > RESOLVED * kept[:, MOMENTA + 7]


def test_it_is_the_slope_of_the_moments_of_joints():
    """A link at rest between the weight above it and the weight below, turned a little about each axis."""
    links = 5
    sim = stiff(Scene(chain(links, "ball", "ball", gravity=ALONG_X)), 0.01)
    sim.step()
    for i in range(links):
        ends = ((np.array([-ARM, 0, 0]), -(links - i) * WEIGHT), (np.array([ARM, 0, 0]), (links - 1 - i) * WEIGHT))
        slope = np.zeros((3, 3))
        for k, axis in enumerate(np.eye(3)):
            for r, force in ends:
                f = np.array([force, 0.0, 0.0])
                slope[:, k] -= (np.cross(r + TURN * np.cross(axis, r), f) - np.cross(r, f)) / TURN
        np.testing.assert_allclose(stiffness(sim, i), slope, atol=1e-8)


def test_what_a_hand_or_a_force_pulls_with_goes_through_the_joints():
    sim = stiff(Scene(chain(5, "ball", "ball", gravity=ALONG_X)), 0.01)
    sim.external[4, 3:] = (7.0, 0.0, 0.0)
    goal = sim.director.drag("link_4", target=(0.6, 0.0, 0.0))
    sim.advance(0.5)
    pull = sim.reaction(goal)[3]
    assert pull > 1.0
    assert stiffness(sim, 0)[2, 2] == pytest.approx(ARM * (9 * WEIGHT + 2 * (pull + 7.0)), rel=1e-9)


def test_what_a_loop_pulls_with_goes_through_the_joints():
    """Two rods that hang between two hooks: by the balance of moments each pulls the other with H = m g / (2 tan a)."""
    angle = 0.3
    builder = ModelBuilder("ropeway")
    for spec in chain(2).specs:
        builder.add(spec)
    builder.close(
        LoopSpec("hook", "point", "link_1", place_a=(0.1, 0.0, 0.0), place_b=(0.2 * math.cos(angle), 0.0, 0.0))
    )
    sim = stiff(Scene(builder.build(), q=np.array([-angle, 2 * angle])), 0.01)
    sim.step()
    across = 0.5 * WEIGHT / math.tan(angle)
    true = ARM * (2 * across * math.cos(angle) + WEIGHT * math.sin(angle))
    assert stiffness(sim, 0)[2, 2] == pytest.approx(true, rel=1e-6)


def test_a_push_is_no_spring():
    """Standing on its hinge a rod is pushed, not pulled."""
    sim = stiff(Scene(chain(1, gravity=(-9.81, 0.0, 0.0))), 0.01)
    sim.step()
    assert np.all(sim.state.kept[0, MOMENTA : MOMENTA + 6] == 0.0)


def test_a_pendulum_swings_as_if_there_were_none():
    sim = stiff(Scene(pendulum(), q=np.array([2.5])), 1 / 60)
    for _ in range(120):
        sim.step()
        assert stiffness(sim, 0)[2, 2] >= 0.0
        assert not is_taut(sim).any()


@pytest.mark.parametrize("kind", ["revolute", "ball"])
def test_a_taut_chain_in_flight_keeps_its_momentum(kind):
    model = chain(6, kind, "free", gravity=NO_GRAVITY)
    v = np.zeros(model.nv)
    v[2], v[3] = 30.0, 1.0
    sim = stiff(Scene(model, v=v), 0.03)
    sim.step()

    def momentum():
        return total_momentum(bodies_of(model, sim.q, sim.v), sim.state.kept)

    before, taut = momentum(), 0
    for _ in range(30):
        sim.step()
        taut += int(is_taut(sim).sum())
    assert taut > 30
    assert np.abs(before).max() > 0.1
    assert np.abs(momentum() - before).max() < 1e-10 * np.abs(before).max()


def test_a_place_of_its_own_is_not_shared_with_momenta():
    """A simulation that is rewound goes on as it did: what is taut is part of the state."""
    sim = stiff(Scene(chain(30, "ball", "ball")), 0.01)
    sim.advance(0.5)
    assert is_taut(sim).any()
    state = sim.state.copy()
    sim.advance(0.2)
    q = sim.q.copy()
    sim.state.restore(state)
    sim.advance(0.2)
    np.testing.assert_array_equal(sim.q, q)
