"""Flesh in short steps beside bones in long ones: fingertips that land, press, and share their momentum with the bones."""

import numpy as np
import pytest

from stiff_models import diverged, same
from stringless import Simulation, load
from stringless.kinematics import body_poses

FRAME = 1 / 60
CALM = 1e-3
"""Speed of what is at rest [m/s, rad/s]."""


@pytest.fixture(scope="module")
def landed():
    """The soft hand, three seconds after it was let go."""
    sim = Simulation(load("hand"), dt=FRAME, record=60)
    sim.advance(3.0)
    return sim


def weight(sim):
    """Of bones and flesh [N]."""
    nodes = sim.model.flesh.nodes
    return 9.81 * (sim.model.mass + nodes["mass"][nodes["fixed"] == 0].sum())


def test_a_soft_hand_lands_and_is_carried(landed):
    sim = landed.fork()
    sim.step()
    assert np.abs(sim.v).max() < CALM
    assert np.abs(sim.state.xdot).max() < CALM
    np.testing.assert_allclose(sim.contact_points()[1].sum(axis=0), (0.0, weight(sim), 0.0), atol=1e-3 * weight(sim))


def pressed(sim):
    """Let it be pulled down by a fingertip until all is at rest; where that fingertip is, and what the hand feels."""
    goal = sim.director.drag("index_distal", target=(0.1, 0.2, -0.04), stiffness=12)
    sim.advance(2.5)
    assert np.abs(sim.v).max() < CALM
    assert np.abs(sim.state.xdot).max() < CALM
    tip = body_poses(sim.model, sim.q).position[sim.model.body("index_distal").index]
    return tip, sim.reaction(goal)[3:]


def test_a_fingertip_is_pressed_hard_and_lies_calm_however_long_the_step(landed):
    sim = landed.fork()
    tip, force = pressed(sim)
    assert force[1] < -10.0
    carried = sim.contact_points()[1].sum(axis=0)
    np.testing.assert_allclose(carried + force, (0.0, weight(sim), 0.0), atol=0.01 * weight(sim))

    short = Simulation(load("hand"), dt=FRAME / 8, record=0)
    short.advance(2.0)
    tip_there, force_there = pressed(short)
    # Friction holds it where it happens to come to rest: only how deep it is and how hard it is pulled is decided.
    assert abs(tip[1] - tip_there[1]) < 5e-4
    assert abs(force[1] / force_there[1] - 1) < 0.02


def momenta(sim):
    """Linear momentum of the bones and of the free nodes."""
    nodes = sim.model.flesh.nodes
    free = nodes["fixed"] == 0
    return sim.state.kept[:, 3:6].sum(axis=0), nodes["mass"][free] @ sim.state.xdot[free]


def test_momentum_goes_between_bones_and_flesh_and_nowhere_else():
    sim = Simulation(load("hand"), dt=FRAME, record=0)
    q = sim.q.copy()
    q[sim.model.joint("palm").q_slice][1] += 2.0
    v = np.random.default_rng(4).normal(scale=4.0, size=sim.model.nv)
    sim.set_state(q, v)
    sim.step()
    bones, flesh = momenta(sim)
    before = bones + flesh
    exchanged = 0.0
    for step in range(1, 13):
        sim.step()
        last = flesh
        bones, flesh = momenta(sim)
        exchanged = max(exchanged, float(np.abs(flesh - last).max()))
        fallen = step * FRAME * np.array((0.0, -weight(sim), 0.0))
        np.testing.assert_allclose(bones + flesh, before + fallen, atol=1e-10)
    assert exchanged > 1e-3


def test_a_soft_hand_repeats_itself(landed):
    one, other = landed.fork(), landed.fork()
    one.external[0, 3] = other.external[0, 3] = 3.0
    one.advance(0.3)
    other.advance(0.3)
    assert same(one.state, other.state)
    assert np.abs(one.q - landed.q).max() > 1e-4
    end = landed.save()
    landed.rewind(0.5)
    landed.advance(0.5)
    assert same(landed.state, end)


def test_a_divergence_of_the_soft_hand_leaves_the_last_good_state(landed):
    diverged(landed.fork())
