"""What must stay: momentum of free trees, energy without friction; over many steps and with both integrators."""

import numpy as np
import pytest

from checks import drift, orders, trend
from models import MOVING, NO_GRAVITY, floating, point_chain, random_forest, random_motion
from stringless import dynamics
from stringless.model import Scene
from stringless.scenes import load_scene
from stringless.simulation import Simulation

SEEDS = range(3)
INNER = tuple(kind for kind in MOVING if kind != "free")


def near_rest(model, seed):
    """A motion that starts close to where the springs are slack: none of a ball's gets to half a turn, where it folds."""
    m = random_motion(model, seed)
    return m._replace(q=model.integrate(model.q_rest, 0.3 * np.clip(m.vdot, -2, 2)))


def both_momenta(sim):
    found = dynamics.momentum(sim.model, sim.q, sim.v, about=np.zeros(3))
    return np.concatenate([found.linear, found.angular])


def tumbling(seed, **options):
    model = floating(
        random_forest(seed, bodies=7, kinds=INNER, springs=True, dampers=True, roots=0.0, gravity=NO_GRAVITY)
    )
    m = random_motion(model, seed)
    return Simulation(Scene(model, q=m.q, v=m.v), **options)


@pytest.mark.parametrize("seed", SEEDS)
def test_momentum_of_a_free_tree_stays_to_the_error_of_rk4(seed):
    sim = tumbling(seed, dt=2.5e-4, integrator="rk4")
    start = both_momenta(sim)
    assert np.linalg.norm(start) > 1
    sim.advance(0.5)
    np.testing.assert_allclose(both_momenta(sim), start, atol=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_momentum_of_a_free_tree_drifts_at_first_order_or_less_with_the_symplectic_step(seed):
    errors = []
    for dt in (1e-3, 5e-4, 2.5e-4, 1.25e-4):
        sim = tumbling(seed, dt=dt)
        start = both_momenta(sim)
        sim.advance(0.25)
        errors.append(np.linalg.norm(both_momenta(sim) - start))
    assert errors[0] < 0.1 * np.linalg.norm(start)
    measured = np.array(orders(errors))
    # Long steps may do better than first order, while errors of first and second order still cancel in part.
    assert np.all(measured > 0.8)
    assert abs(measured[-1] - 1.0) < 0.2


@pytest.mark.parametrize("seed", SEEDS)
def test_linear_momentum_of_a_single_free_body_stays_to_rounding_with_the_symplectic_step(seed):
    model = random_forest(seed, bodies=1, kinds=("free",), gravity=NO_GRAVITY)
    # The centre of mass is off the origin, so the origin itself moves in circles: only to first order.
    m = random_motion(model, seed)
    sim = Simulation(Scene(model, q=m.q, v=m.v), dt=1e-4)
    start = both_momenta(sim)
    sim.advance(1.0)
    np.testing.assert_allclose(both_momenta(sim), start, atol=5e-3)


@pytest.mark.parametrize("seed", SEEDS)
def test_energy_of_a_forest_without_friction_stays_to_the_error_of_rk4(seed):
    model = random_forest(seed, bodies=9, springs=True, armature=True)
    m = near_rest(model, seed)
    sim = Simulation(Scene(model, q=m.q, v=m.v), dt=2.5e-4, integrator="rk4")
    start = sim.energy()
    assert start.kinetic > 0.1
    sim.advance(0.5)
    assert abs(sim.energy().kinetic - start.kinetic) > 0.1
    assert sim.energy().total == pytest.approx(start.total, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_energy_given_by_actuators_is_the_work_they_do(seed):
    """Work ∫ tau·v dt - ∫ c v² dt, by Simpson's rule over the steps of RK4."""
    model = random_forest(seed, bodies=6, springs=True, dampers=True)
    m = near_rest(model, seed)
    sim = Simulation(Scene(model, q=m.q, v=m.v), dt=5e-4, integrator="rk4")
    sim.tau[:] = m.tau
    start, power = sim.energy().total, []
    for _ in range(401):
        power.append(m.tau @ sim.v - model.dofs["damping"] @ sim.v**2)
        end = sim.energy().total
        sim.step()
    weights = np.ones(401)
    weights[1:-1:2], weights[2:-1:2] = 4, 2
    work = 5e-4 / 3 * weights @ np.array(power)
    assert abs(work) > 0.01
    assert end - start == pytest.approx(work, abs=1e-8)


def energies(sim, seconds):
    """Total energy every hundredth of a second, and the largest kinetic energy seen."""
    total, kinetic = [sim.energy().total], sim.energy().kinetic
    for _ in range(round(seconds / 0.01)):
        sim.advance(0.01)
        total.append(sim.energy().total)
        kinetic = max(kinetic, sim.energy().kinetic)
    return total, kinetic


def test_energy_of_a_pendulum_only_oscillates_for_ten_seconds():
    """Symplectic Euler at 1 ms: the error is of order h and does not grow."""
    energy, kinetic = energies(Simulation(Scene(point_chain(1), q=np.array([0.8])), dt=1e-3), 10.0)
    assert 0 < drift(energy) < 0.01 * kinetic
    # The quarters of ten seconds do not hold whole periods, so a little of the oscillation is left in their means.
    assert trend(energy) < 0.1 * drift(energy)


def test_energy_of_a_double_pendulum_stays_within_a_fiftieth_for_ten_seconds():
    """Its mass matrix depends on the pose, so the step is not symplectic in the strict sense: bounded, of order h."""
    start = Scene(point_chain(2), q=np.array([0.8, 0.8]))
    energy, kinetic = energies(Simulation(start, dt=1e-3), 10.0)
    assert 0 < drift(energy) < 0.02 * kinetic
    finer, _ = energies(Simulation(start, dt=2.5e-4), 10.0)
    assert drift(finer) < 0.4 * drift(energy)


def test_energy_of_the_reference_integrator_does_not_drift_for_ten_seconds():
    model = point_chain(2)
    sim = Simulation(Scene(model, q=np.array([1.5, 0.3])), dt=1e-3, integrator="rk4")
    start = sim.energy().total
    sim.advance(10.0)
    assert sim.energy().total == pytest.approx(start, rel=1e-7)


@pytest.mark.parametrize("scene", ["double_pendulum", "ball_chain", "tumbler"])
def test_energy_of_a_scene_without_friction_stays_bounded(scene):
    energy, kinetic = energies(Simulation(load_scene(scene), dt=1e-3), 2.0)
    assert drift(energy) < 0.03 * kinetic


def test_damping_only_takes_energy():
    for seed in SEEDS:
        model = random_forest(seed, bodies=8, springs=True, dampers=True, gravity=NO_GRAVITY)
        m = random_motion(model, seed)
        sim = Simulation(Scene(model, q=m.q, v=m.v), dt=2e-4, integrator="rk4")
        energy = [sim.energy().total]
        for _ in range(100):
            sim.step(20)
            energy.append(sim.energy().total)
        assert np.all(np.diff(energy) < 1e-9)
        assert energy[-1] < energy[0]
