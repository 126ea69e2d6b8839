"""The step in maximal coordinates: order, momentum, gaps, stiffness, turns beyond half a turn."""

import math

import numpy as np
import pytest

from checks import orders
from models import NO_GRAVITY, free_body
from stiff_models import (
    NO_FORCES,
    NO_MASK,
    NO_VECTOR,
    bodies_of,
    chain,
    displaced,
    forest,
    inputs_of,
    joints_of,
    mass_matrix,
    momenta_of,
    settings_of,
    skeleton_of,
    total_momentum,
)
from stringless import Scene, Simulation
from stringless.engines.stiff.reference import (
    EXACT,
    SYMMETRIC,
    MaximalState,
    joints_from_bodies,
    maximal_work,
    run_bodies,
)
from stringless.engines.stiff.reference.kernels_joint_forces import FURTHEST_TURN
from stringless.model import JointSpec, Model, ModelBuilder
from stringless.spatial import rotation

ROUNDING = 1e-12
"""Relative; sums over a dozen bodies."""
STEP = 0.01


def run(model, bodies, q, steps, h=STEP, slope=SYMMETRIC, *, v=None, tau=None, prescribed=NO_MASK, vdot=NO_VECTOR):
    """Steps of `run_bodies` in place; returns what it does, and the velocities of joints."""
    work = maximal_work(model, general=slope == EXACT)
    if v is None:
        v = np.zeros(model.nv)
        joints_from_bodies(model.tree, bodies, work.pairs, q, v)
    inputs = inputs_of(model, tau, prescribed=prescribed, vdot=vdot)
    state, effort = MaximalState(q, v, bodies), np.zeros(model.nv)
    return run_bodies(skeleton_of(model), state, inputs, NO_FORCES, settings_of(h, slope), steps, 0.0, work, effort), v


def energy(model: Model, bodies, q):
    """Kinetic, potential and elastic energy; springs of coordinates only."""
    total = 0.0
    for i in range(model.body_count):
        M = mass_matrix(model, bodies, i)
        total += 0.5 * bodies[i, 7:] @ M @ bodies[i, 7:] - M[3, 3] * model.gravity @ bodies[i, :3]
    x = model.difference(model.q_rest, q)
    return total + 0.5 * np.sum(model.dofs["stiffness"] * x**2)


def test_a_free_chain_keeps_its_momentum_over_many_steps():
    """Linear momentum exactly; the angular one up to what p += h v, R = exp(h w) R does to it, of first order."""
    drift = []
    for h in (4e-3, 2e-3, 1e-3):
        model = chain(6, root="free", kind="ball", gravity=NO_GRAVITY, stiffness=(0.05,) * 3)
        q, v = model.neutral(), np.random.default_rng(2).normal(size=model.nv)
        bodies = bodies_of(model, q, v)
        before = total_momentum(bodies, momenta_of(model, bodies))
        (done, _, bad, _), _ = run(model, bodies, q, round(0.2 / h), h)
        assert (done, bad) == (round(0.2 / h), -1)
        after = total_momentum(bodies, momenta_of(model, bodies))
        assert np.abs(after[3:] - before[3:]).max() < ROUNDING
        drift.append(np.abs(after[:3] - before[:3]).max())
    assert drift[-1] < 0.02 * np.abs(before[:3]).max()
    assert (orders(drift) > 0.8).all()


@pytest.mark.parametrize("slope", [SYMMETRIC, EXACT])
def test_a_tumbling_rod_gains_no_energy(slope):
    model = free_body((1e-5, 8.4e-5, 8.4e-5))
    q, v = model.neutral(), np.array([6.0, 3.0, 7.4, 0.0, 0.0, 0.0])
    bodies = bodies_of(model, q, v)
    start = energy(model, bodies, q)
    spins = []
    for _ in range(300):
        (_, _, bad, _), _ = run(model, bodies, q, 1, slope=slope)
        assert bad == -1
        spins.append(energy(model, bodies, q))
    assert max(spins) <= start
    assert spins[-1] > 0.9 * start


# --- in the limit of short steps ---


@pytest.mark.parametrize("slope", [SYMMETRIC, EXACT])
@pytest.mark.parametrize("seed", [0, 1])
def test_short_steps_lead_where_the_reduced_engine_goes(seed, slope):
    """All joint types, springs, dampers, armature, actuators: first order, against the fourth-order reference."""
    model = forest(seed)
    rng = np.random.default_rng([seed, 8])
    q = model.integrate(model.q_rest, rng.uniform(-0.5, 0.5, model.nv))
    v, tau = rng.normal(size=model.nv), rng.normal(size=model.nv)
    sim = Simulation(Scene(model, q=q, v=v), integrator="rk4", dt=1e-3)
    sim.tau[:] = tau
    sim.advance(0.1)
    true = bodies_of(model, sim.state.q, sim.state.v)[:, :3]
    errors = []
    for h in (2e-3, 1e-3, 5e-4):
        bodies = bodies_of(model, q, v)
        assert run(model, bodies, q.copy(), round(0.1 / h), h, slope, tau=tau)[0][2] == -1
        errors.append(np.abs(bodies[:, :3] - true).max())
    assert errors[-1] < 0.05 * np.abs(true - bodies_of(model, q, v)[:, :3]).max()
    assert (np.abs(orders(errors) - 1.0) < 0.2).all()


# --- gaps ---


def test_gaps_open_with_the_square_of_the_step_and_are_reported():
    """As docs/theory/stiff.md, section 1.1 says; another chain had 6.5e-5, 1.6e-5, 4.1e-6 m at 4, 2 and 1 ms."""
    gaps = []
    for h in (4e-3, 2e-3, 1e-3):
        model = chain(3, "ball")
        q = model.neutral()
        bodies = bodies_of(model, q, np.zeros(model.nv))
        (_, time, bad, gap), _ = run(model, bodies, q, round(0.3 / h), h)
        assert bad == -1
        assert time == pytest.approx(0.3)
        gaps.append(gap)
    assert 1e-7 < gaps[-1] < gaps[0] < 1e-3
    assert (orders(gaps) > 1.6).all()


@pytest.mark.parametrize("slope", [SYMMETRIC, EXACT])
def test_an_open_joint_is_closed(slope):
    model = chain(3, gravity=NO_GRAVITY)
    q = model.neutral()
    by = np.zeros((3, 6))
    by[1, 4], by[2, 1] = 2e-3, 1e-2
    bodies = displaced(bodies_of(model, q, np.zeros(model.nv)), by)
    gaps = [run(model, bodies, q, 1, slope=slope)[0][3] for _ in range(3)]
    _, _, tables = joints_of(model, bodies, q)
    now, turn = joints_from_bodies(model.tree, bodies, tables.pairs, q, np.zeros(model.nv))
    assert gaps[0] > 1.9e-3
    assert now < 1e-5
    assert turn < 1e-5


# --- stiffness ---


@pytest.mark.parametrize("slope", [SYMMETRIC, EXACT])
@pytest.mark.parametrize(("kind", "nv"), [("revolute", 1), ("ball", 3)])
def test_springs_of_1e5_stay_calm_at_ten_milliseconds(kind, nv, slope):
    """A rod's own frequency at such a spring is 1e4 rad/s: a hundred radians a step."""
    model = chain(8, kind, stiffness=(1e5,) * nv)
    rest = model.neutral()
    q = model.integrate(rest, np.random.default_rng(1).uniform(-0.1, 0.1, model.nv))
    bodies = bodies_of(model, q, np.zeros(model.nv))
    start = energy(model, bodies, q)
    assert start > 100.0
    (done, _, bad, gap), v = run(model, bodies, q, 500, slope=slope)
    assert (done, bad) == (500, -1)
    assert energy(model, bodies, q) < 1.0
    assert np.abs(model.difference(rest, q)).max() < 1e-4
    assert np.abs(v).max() < 1e-3
    assert gap < 0.05


def test_a_limit_holds_a_falling_chain():
    model = chain(5, lower=(-0.5,), upper=(0.5,), damping=(1e-3,))
    q = model.neutral()
    bodies = bodies_of(model, q, np.zeros(model.nv))
    start = energy(model, bodies, q)
    lowest = 0.0
    for _ in range(300):
        (_, _, bad, _), _ = run(model, bodies, q, 1)
        assert bad == -1
        lowest = min(lowest, q[0])
        assert energy(model, bodies, q) < start + 1e-3
    assert -0.75 < lowest < -0.5


# --- half a turn ---


@pytest.mark.parametrize("slope", [SYMMETRIC, EXACT])
def test_a_twist_of_three_radians_in_one_step(slope):
    """docs/theory/stiff.md, section 3.1: backward Euler leaves `3 / (1 + h² k / I) = 3/11` rad; the slope as printed, 2.86."""
    model = ball_on_ground(stiffness=5000.0)
    q = np.array(rotation.exp_quaternion((0.0, 3.0 * 0.6, 3.0 * 0.8)))
    bodies = bodies_of(model, q, np.zeros(3))
    run(model, bodies, q, 1, slope=slope)
    angle = np.linalg.norm(model.difference(model.q_rest, q))
    assert angle == pytest.approx(3.0 / 11.0, rel=1e-9)
    assert round(angle, 3) == 0.273


def ball_on_ground(stiffness):
    """A sphere of 0.05 kg m² that turns about its centre."""
    builder = ModelBuilder("ball", gravity=NO_GRAVITY)
    builder.add_body(
        "ball", "", JointSpec(kind="ball", stiffness=(stiffness,) * 3), mass=1.0, inertia=(0.05,) * 3 + (0.0,) * 3
    )
    return builder.build()


@pytest.mark.parametrize("slope", [SYMMETRIC, EXACT])
def test_a_spring_turned_beyond_half_a_turn_comes_back_the_way_it_went(slope):
    model = ball_on_ground(stiffness=1.0)
    axis = np.array([0.6, 0.0, 0.8])
    q = np.array(rotation.exp_quaternion(tuple(2.5 * axis)))
    bodies = bodies_of(model, q, 11.0 * axis)
    angles, spins = [], []
    for _ in range(45):
        run(model, bodies, q, 1, slope=slope)
        angles.append(2 * math.atan2(np.linalg.norm(q[:3]) * np.sign(q[:3] @ axis), q[3]))
        spins.append(bodies[0, 7:10] @ axis)
    highest = max(angles)
    assert math.pi + 0.1 < highest < FURTHEST_TURN
    assert np.abs(np.diff(angles) - STEP * np.array(spins[1:])).max() < 1e-9  # never a leap
    assert (np.diff(spins) < 0).all()  # the spring pulls one way throughout
    assert 0 < angles[-1] < 2.5


# --- what goes wrong ---


@pytest.mark.parametrize("slope", [SYMMETRIC, EXACT])
def test_a_diverged_coordinate_is_named_and_the_last_good_state_kept(slope):
    model = chain(3)
    q = model.neutral()
    bodies = bodies_of(model, q, np.zeros(3))
    (done, time, bad, _), _ = run(model, bodies, q, 2, slope=slope)
    before = bodies.copy(), q.copy()
    (done, time, bad, _), _ = run(model, bodies, q, 5, slope=slope, tau=np.array([0.0, 0.0, 1e6]))
    assert (done, time) == (0, 0.0)
    assert 0 <= bad < 3
    assert np.array_equal(bodies, before[0])
    assert np.abs(q - before[1]).max() < ROUNDING
    (done, _, bad, _), _ = run(model, bodies, q, 5, slope=slope, tau=np.array([0.0, math.nan, 0.0]))
    assert done == 0
    assert bad >= 0


def test_a_prescribed_hinge_goes_where_it_is_led():
    model = chain(3)
    q = model.neutral()
    bodies = bodies_of(model, q, np.zeros(3))
    prescribed, vdot = np.array([True, False, False]), np.array([2.0, 0.0, 0.0])
    (done, _, bad, _), v = run(model, bodies, q, 10, prescribed=prescribed, vdot=vdot)
    assert (done, bad) == (10, -1)
    assert v[0] == pytest.approx(0.2, rel=1e-9)
