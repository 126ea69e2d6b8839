"""Energy and momentum: their definitions, and how forces change them."""

import numpy as np
import pytest

from checks import DIFFERENCE_PRECISION, derivative, rate, relative
from models import MOVING, floating, forest_or_joint, random_forest, random_motion
from naive import dynamics as naive
from naive import kinematics as naive_kinematics
from stringless import dynamics, kinematics

ROUND_OFF = 1e-12


@pytest.fixture(params=[*range(5), *MOVING])
def case(request):
    model = forest_or_joint(request.param, springs=True, dampers=True, armature=True)
    return model, random_motion(model, 6, speed=3.0)


def test_kinetic_energy_is_half_v_mass_v(case):
    model, m = case
    found = dynamics.energy(model, m.q, m.v)
    assert found.kinetic > 0.01
    assert found.kinetic == pytest.approx(naive.kinetic_energy(model, m.q, m.v), rel=ROUND_OFF)
    assert found.total == found.kinetic + found.potential


def test_potential_energy_is_that_of_weights_and_springs(case):
    model, m = case
    found = dynamics.energy(model, m.q, m.v).potential
    assert found == pytest.approx(naive.potential_energy(model, m.q), rel=ROUND_OFF, abs=ROUND_OFF)


def test_energy_changes_by_the_power_of_efforts_and_wrenches_less_the_damping(case):
    """dE/dt = tau·v + Σ F·V - Σ c v²."""
    model, m = case
    vdot = dynamics.forward(model, m.q, m.v, m.tau, m.external)

    def total(t):
        return np.array(dynamics.energy(model, model.integrate(m.q, m.v, t), m.v + t * vdot).total)

    wrenches = sum((J @ m.v) @ F for J, F in zip(naive_kinematics.body_jacobians(model, m.q), m.external, strict=True))
    damping = naive_kinematics.coordinates(model, "damping") @ m.v**2
    power = m.tau @ m.v + wrenches - damping
    assert damping > 0.01
    assert abs(power) > 1e-3
    # Energy depends on q and v alone, so any curve with this velocity and acceleration has the same rate.
    scale = max(1.0, abs(dynamics.energy(model, m.q, m.v).total))
    assert abs(derivative(total) - power) < DIFFERENCE_PRECISION * scale * 100


def test_momentum_is_the_sum_over_the_bodies(case):
    model, m = case
    about = np.array([0.3, -1.0, 2.0])
    linear, angular = np.zeros(3), np.zeros(3)
    for T, J, spec in zip(
        naive_kinematics.poses(model, m.q), naive_kinematics.body_jacobians(model, m.q), model.specs, strict=True
    ):
        h = naive.spatial_inertia(spec) @ J @ m.v
        R, p = T[:3, :3], T[:3, 3]
        linear += R @ h[3:]
        angular += R @ h[:3] + np.cross(p - about, R @ h[3:])
    found = dynamics.momentum(model, m.q, m.v, about=about)
    assert np.linalg.norm(found.angular) > 0.01
    assert relative(found.linear, linear) < ROUND_OFF
    assert relative(found.angular, angular) < ROUND_OFF
    center = kinematics.center_of_gravity(model, m.q, m.v)
    np.testing.assert_allclose(found.linear, model.mass * center.velocity, atol=1e-12)
    own = dynamics.momentum(model, m.q, m.v)
    assert relative(own.angular, angular - np.cross(center.position - about, linear)) < ROUND_OFF


@pytest.mark.parametrize("seed", range(5))
def test_momentum_of_a_free_tree_changes_by_gravity_and_wrenches_alone(seed):
    """Springs, dampers and actuators inside the tree do not move its momentum (their armature aside)."""
    model = floating(random_forest(seed, springs=True, dampers=True, roots=0.0, kinds=(*MOVING, "fixed")))
    m = random_motion(model, seed)
    m.tau[model.joints[0].v_slice] = 0
    vdot = dynamics.forward(model, m.q, m.v, m.tau, m.external)

    def both(t):
        there = dynamics.momentum(model, model.integrate(m.q, m.v, t), m.v + t * vdot, about=np.zeros(3))
        return np.concatenate([there.linear, there.angular])

    poses, center = kinematics.body_poses(model, m.q), kinematics.center_of_gravity(model, m.q).position
    force, moment = model.mass * model.gravity, np.cross(center, model.mass * model.gravity)
    for R, p, F in zip(poses.rotation, poses.position, m.external, strict=True):
        force = force + R @ F[3:]
        moment = moment + R @ F[:3] + np.cross(p, R @ F[3:])
    assert relative(derivative(both), np.concatenate([force, moment])) < 10 * DIFFERENCE_PRECISION


@pytest.mark.parametrize("seed", range(3))
def test_rate_of_the_potential_is_the_power_of_weights_and_springs(seed):
    model = random_forest(seed, springs=True)
    m = random_motion(model, seed)
    zero = np.zeros(model.nv)
    power = m.v @ (dynamics.bias(model, m.q, zero) - dynamics.passive(model, m.q, zero))
    found = rate(model, lambda q: np.array(dynamics.energy(model, q, zero).potential), m.q, m.v)
    assert abs(power) > 0.1
    assert found == pytest.approx(power, rel=1e-8)
