"""Stops: their law, and that those are solved for which the step really meets."""

import numpy as np
import pytest

from models import NO_GRAVITY
from stiff_models import chain
from stringless import ModelBuilder, Scene, Simulation
from stringless.bench.stiff_cases import Chain, beyond, fall
from stringless.engines.stiff.kernels_limits import limit_force
from stringless.jit import kernel
from stringless.model import JointSpec, Pose

H, FREQUENCY = 0.01, 100.0
INERTIA = 8.4e-5 + 0.1 * 0.05**2
"""Of one link of `chain` about its joint [kg·m²]."""
STIFFNESS = FREQUENCY**2 * INERTIA


@kernel
def push(limit, side, start, end, h, frequency):
    """Force of a stop."""
    return limit_force(limit, side, start, end, h, frequency)


def stiff(scene, dt=H, **options):
    return Simulation(scene, engine="stiff", dt=dt, record=0, stop_frequency=FREQUENCY, **options)


def test_the_force_grows_from_zero_and_never_falls():
    limit = chain(1, lower=(-0.5,), upper=(0.5,)).limits[0]
    for side, edge in ((1, 0.5), (-1, -0.5)):
        for start in (0.0, edge, edge + side * 0.1):
            found = [push(limit, side, start, edge + side * x, H, FREQUENCY) for x in np.linspace(-0.3, 0.3, 61)]
            assert np.all(np.diff(found) > 0)
        assert push(limit, side, 0.0, edge, H, FREQUENCY) == 0.0
        # At rest beyond its limit it is the spring alone.
        there = edge + side * 0.1
        assert push(limit, side, there, there, H, FREQUENCY) == pytest.approx(0.1 * STIFFNESS)


def reached(effort, way, held=INERTIA):
    """How far beyond its limit a link ends that is pushed from rest, `way` away from it: I (x + way)/h² = tau - (k + c/h) x.

    `held` is the inertia that the stop is made for.
    """
    stiffness = FREQUENCY**2 * held + 2 * FREQUENCY * held / H
    return (effort - INERTIA / H**2 * way) / (INERTIA / H**2 + stiffness)


@pytest.mark.parametrize("side", [-1, 1])
def test_a_stop_that_is_met_within_the_step_holds(side):
    """At rest just before its limit: the old velocity does not tell that it will be passed."""
    effort, way = 0.05, 1e-4
    sim = stiff(Scene(chain(1, lower=(-0.5,), upper=(0.5,), gravity=NO_GRAVITY), q=np.array([side * (0.5 - way)])))
    sim.tau[0] = side * effort
    sim.step()
    assert sim.engine.report["rounds"][0] == 2
    assert side * sim.q[0] - 0.5 == pytest.approx(reached(effort, way), rel=1e-9)


def test_a_ball_that_is_far_from_its_limits_meets_one():
    swing, effort, bent = 0.1, 1.0, 1e-3
    model = chain(1, "ball", "ball", lower=(0.0, -1.0, 0.0), upper=(swing, 1.0, np.pi), gravity=NO_GRAVITY)
    sim = stiff(Scene(model, q=np.array([0.0, np.sin(0.5 * bent), 0.0, np.cos(0.5 * bent)])))
    sim.tau[1] = effort
    sim.step()
    assert sim.engine.report["rounds"][0] == 2
    true = reached(effort, swing - bent, model.limits[0]["inertia"])
    assert 2 * np.arcsin(sim.q[1]) - swing == pytest.approx(true, rel=1e-9)


def test_a_stop_lets_go_of_what_is_drawn_away():
    """Beyond its limit and pulled back hard: the stop would have to pull, so it does nothing."""
    sim = stiff(Scene(chain(1, lower=(-0.5,), upper=(0.5,), gravity=NO_GRAVITY), q=np.array([0.52])))
    sim.tau[0] = -1.0
    sim.step()
    assert sim.v[0] == pytest.approx(-H / INERTIA, rel=1e-9)


@pytest.mark.parametrize("solver", ["condensed", "ldlt", "ldu"])
def test_all_solvers_find_the_same_stops(solver):
    scene = Scene(chain(8, lower=(-0.1,), upper=(0.1,)))
    sim, other = stiff(scene), stiff(scene, solver=solver)
    for _ in range(60):
        sim.step()
        other.step()
    assert np.abs(sim.q).max() > 0.1
    np.testing.assert_allclose(other.q, sim.q, atol=1e-8)


@pytest.mark.parametrize("dt", [0.01, 0.03])
def test_limp_chains_are_held_back_where_rounds_run_out(dt):
    """Without springs all stops ring at once. None may be passed that has cost nothing."""
    chain = Chain("hinge", 50, stiffness=0.0)
    sim = stiff(chain.scene(), dt)
    start, most, farthest, rounds = sim.energy().total, -np.inf, 0.0, 0
    for _ in range(round(5 / dt)):
        sim.step()
        most = max(most, sim.energy().total - start)
        farthest = max(farthest, beyond(sim.model, sim.q).max())
        rounds = max(rounds, int(sim.engine.report["rounds"][0]))
    assert rounds > 2
    assert farthest < 0.5
    assert most < 0.05 * fall(sim.model)


@pytest.mark.parametrize("kind", ["swing", "turn"])
@pytest.mark.parametrize("w", [10.0, 100.0])
@pytest.mark.parametrize("dt", [0.01, 1 / 30])
def test_a_ball_joint_that_begins_straight_meets_its_stop(kind, w, dt):
    """There its swing has no gradient: it grows whichever way it goes."""
    upper = (0.5, np.pi, np.pi) if kind == "swing" else (np.pi, np.pi, 0.5)
    model = chain(1, "ball", gravity=NO_GRAVITY, lower=(0.0, -np.pi, 0.0), upper=upper)
    sim = Simulation(Scene(model, v=np.array([0.0, w, 0.0])), engine="stiff", dt=dt, record=0)
    start, most = sim.energy().total, 0.0
    for _ in range(round(1 / dt)):
        sim.step()
        assert sim.energy().total <= start * (1 + 1e-9)
        most = max(most, float(2 * np.arccos(min(1.0, abs(sim.q[3])))))
    assert 0.4 < most < 1.0


@pytest.mark.parametrize("dt", [1 / 120, 1 / 60])
def test_swing_limits_of_a_chain_that_leaves_its_plane_give_no_energy(dt):
    """There swings do not go on along their gradients; what stops hold by that has to be paid for."""
    builder = ModelBuilder("chain")
    limits = {"lower": (0.0, -3.1, 0.0), "upper": (0.2, 3.1, np.pi)}
    joint = JointSpec(kind="ball", axes=((1.0, 0.0, 0.0),), damping=0.02, **limits)
    for i in range(10):
        builder.add_body(
            f"link_{i}",
            f"link_{i - 1}" if i else "",
            joint,
            place=Pose((0.2 if i else 0.0, 0.0, 0.0)),
            mass=1.0,
            center_of_mass=(0.1, 0.0, 0.0),
            inertia=(0.0002, 0.0034, 0.0034, 0.0, 0.0, 0.0),
        )
    model = builder.build()
    v = 0.4 * np.random.default_rng(0).normal(size=model.nv)
    sim = Simulation(Scene(model, v=v), engine="stiff", dt=dt, record=0)
    start, most = sim.energy().total, 0.0
    drop = 10 * 9.81 * 1.0
    for _ in range(round(5 / dt)):
        sim.step()
        assert sim.energy().total < start + 1e-3 * drop
        _, y, z, _ = sim.q.reshape(-1, 4).T
        most = max(most, float(np.arccos(1 - 2 * (y * y + z * z)).max()))
    assert 0.2 < most < 1.0
