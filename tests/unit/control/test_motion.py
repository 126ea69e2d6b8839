"""Motions given in advance: what lies between their configurations, and flesh that follows bones that follow them."""

import math

import numpy as np
import pytest

from models import random_forest
from stringless.dynamics import momentum
from stringless.errors import InputError
from stringless.kinematics import body_poses, center_of_gravity
from stringless.model import JointSpec, ModelBuilder
from stringless.scenes import load_scene
from stringless.scenes.worm import build
from stringless.simulation import Motion, Simulation

ROUNDING = 1e-12
DT = 1e-3


def wander(model, count=7, seed=0, size=0.4):
    """Configurations some way apart, and times with uneven gaps."""
    rng = np.random.default_rng(seed)
    q = [model.random(rng)]
    while len(q) < count:
        q.append(model.integrate(q[-1], rng.normal(size=model.nv), size))
    return np.cumsum(rng.uniform(0.05, 0.2, count)), np.array(q)


@pytest.fixture(scope="module")
def forest():
    return random_forest(5, 12)


def test_goes_through_what_was_given(forest):
    times, q = wander(forest)
    found, v = Motion(forest, times, q).sampled(times)
    for a, b in zip(found, q, strict=True):
        assert np.abs(forest.difference(a, b)).max() < ROUNDING
    assert np.abs(v[[0, -1]]).max() < ROUNDING, "it starts and ends at rest"
    assert np.abs(v[1:-1]).max() > 0.5


def test_velocity_is_the_rate_of_the_configuration_and_has_no_jumps(forest):
    times, q = wander(forest, seed=1)
    motion = Motion(forest, times, q)
    small = 1e-5
    for t in np.linspace(times[0] + 0.01, times[-1] - 0.01, 23):
        before, after = motion.at(t - small)[0], motion.at(t + small)[0]
        # Central difference; its error is the third derivative times small²/6.
        np.testing.assert_allclose(forest.difference(before, after) / (2 * small), motion.at(t)[1], atol=2e-6)
    for t in times[1:-1]:
        jump = motion.at(np.nextafter(t, 0.0))[1] - motion.at(t)[1]
        assert np.abs(jump).max() < 1e-10


def test_acceleration_of_plain_joints_has_no_jumps():
    model = load_scene("worm").model
    times, q = wander(model, seed=2)
    motion = Motion(model, times, q, ends="free")
    small = 1e-6
    for t in times[1:-1]:
        _, v = motion.sampled([t - small, t, t + small])
        before, after = (v[1] - v[0]) / small, (v[2] - v[1]) / small
        # Differences of rounded numbers, and what the acceleration changes within `small`.
        np.testing.assert_allclose(before, after, rtol=0, atol=1e-3 * np.abs(before).max())


def test_stands_still_before_and_after(forest):
    times, q = wander(forest)
    motion = Motion(forest, times, q, ends="free")
    for time, place in ((times[0] - 1.0, q[0]), (times[-1] + 3.0, q[-1])):
        found, v = motion.at(time)
        assert np.abs(forest.difference(found, place)).max() < ROUNDING
        assert not v.any()


def test_from_a_function():
    model = load_scene("worm").model
    function = lambda t: np.concatenate([[0.0, 0.3, 0.2 * t], 0.5 * np.sin(3 * t + np.arange(6))])  # noqa: E731
    motion = Motion.from_function(model, function, 0.0, 2.0, ends="free")
    for t in (0.31, 0.9123, 1.7):
        q, v = motion.at(t)
        np.testing.assert_allclose(q, function(t), atol=1e-9)
        np.testing.assert_allclose(v[3:], 1.5 * np.cos(3 * t + np.arange(6)), atol=1e-6)


@pytest.mark.parametrize(
    ("times", "change", "message"),
    [
        (
            [0.0, 1.0],
            lambda q: q[:1],
            "times of shape (2,) and configurations of shape (1, 9); expected (n,) and (n, 9)",
        ),
        ([0.0], lambda q: q[:1], "with n of 2 or more"),
        ([1.0, 1.0], lambda q: q, "must be finite and rise"),
        ([0.0, math.nan], lambda q: q, "must be finite and rise"),
        ([0.0, 1.0], lambda q: q * math.nan, "configuration 0 of the motion cannot be"),
    ],
)
def test_impossible_motions_are_refused(times, change, message):
    model = load_scene("worm").model
    with pytest.raises(InputError) as caught:
        Motion(model, times, change(np.zeros((2, 9))))
    assert message in str(caught.value)
    with pytest.raises(InputError, match="ends 'loose' are unknown; choose one of: rest, free"):
        Motion(model, [0, 1], np.zeros((2, 9)), ends="loose")
    with pytest.raises(InputError, match="cannot go from 1.0 s to 0.0 s"):
        Motion.from_function(model, lambda t: np.zeros(9), 1.0, 0.0)


# --- following --------------------------------------------------------------------------------------------------------


def free_worm(**options):
    """A worm in the air with a free root."""
    return Simulation(build("free").build(), dt=DT, **options)


def dance(model, seed=3, start=0.0):
    """A lively motion of a free worm, root included."""
    rng = np.random.default_rng(seed)
    q = [model.neutral()]
    q[0][1] = 2.0
    while len(q) < 8:
        q.append(
            model.integrate(
                q[-1], rng.normal(size=model.nv) * np.r_[0.5 * np.ones(3), 0.05 * np.ones(3), 0.3 * np.ones(6)]
            )
        )
    return Motion(model, start + 0.1 * np.arange(8), np.array(q))


def at_start(sim, motion):
    sim.set_state(*motion.at(sim.time))
    sim.follow(motion)
    return sim


@pytest.mark.parametrize("substeps", ["off", "auto"])
def test_lands_on_the_motion_after_every_step(substeps):
    sim = free_worm(substeps=substeps)
    motion = dance(sim.model)
    at_start(sim, motion)
    free = sim.model.flesh.nodes["fixed"] == 0
    rigid = 0.0
    for _ in range(300):
        sim.step()
        assert np.abs(sim.model.difference(sim.q, motion.at(sim.time)[0])).max() < ROUNDING
        rigid = max(rigid, np.linalg.norm(sim.state.xdot[free], axis=1).max())
    assert rigid > 0.5, "the flesh must be on the move"


def test_bones_without_flesh_follow_too(forest):
    sim = Simulation(forest, dt=DT)
    times, q = wander(forest, seed=4)
    motion = Motion(forest, times - times[0], q)
    at_start(sim, motion)
    for _ in range(200):
        sim.step()
        assert np.abs(forest.difference(sim.q, motion.at(sim.time)[0])).max() < 1e-11


def test_named_joints_follow_while_the_rest_answers():
    sim = free_worm()
    motion = dance(sim.model)
    sim.set_state(*motion.at(0.0))
    joint = sim.model.joint("bone_4")
    sim.follow(motion, ["bone_4"])
    sim.step(250)
    there = motion.at(sim.time)[0]
    assert abs(sim.q[joint.q_slice] - there[joint.q_slice]) < ROUNDING
    others = np.delete(np.abs(sim.model.difference(sim.q, there)), joint.v_slice)
    assert others.min() > 1e-5
    assert sim.q[1] < 2.0 - 0.25, "it falls"
    assert sim.effort[joint.v_slice] != 0


def rate_of_momentum(sim, q, u, vdot):
    """Rate of (angular about the world's origin, linear) momentum of the bones alone, by Richardson's differences."""

    def at(s):
        model = sim.model
        # To second order on the manifold: enough, since odd errors cancel and the even ones are taken out below.
        where = model.integrate(q, s * u + 0.5 * s * s * vdot)
        there = momentum(model, where, u + s * vdot, about=(0.0, 0.0, 0.0))
        return np.concatenate([there.angular, there.linear])

    def difference(s):
        return (at(s) - at(-s)) / (2 * s)

    coarse, middle, fine = difference(4e-3), difference(2e-3), difference(1e-3)
    better, best = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
    return (16 * best - better) / 15


def test_wrench_on_the_root_is_what_momentum_and_gravity_ask_for():
    sim = free_worm()
    motion = dance(sim.model)
    at_start(sim, motion)
    sim.step(137)
    nodes = sim.model.flesh.nodes
    free = nodes["fixed"] == 0
    mass = nodes["mass"][free][:, None]
    x = sim.flesh_positions[free].copy()
    before = sim.save()
    sim.step()
    u = before.v + 0.5 * DT * before.vdot
    bones = rate_of_momentum(sim, before.q, u, sim.state.vdot)
    pulls = mass * (sim.state.xdot[free] - before.xdot[free]) / DT
    flesh = np.concatenate([np.cross(x, pulls).sum(axis=0), pulls.sum(axis=0)])
    assert sim.model.body(0).parent < 0, "the root is the first body"
    R = body_poses(sim.model, before.q).rotation[0]
    hand = np.concatenate([R @ sim.effort[:3], R @ sim.effort[3:6]])
    hand[:3] += np.cross(before.q[:3], hand[3:])
    weight = sim.model.mass * sim.model.gravity
    gravity = np.concatenate([np.cross(center_of_gravity(sim.model, before.q).position, weight), weight])
    weights = mass * sim.model.gravity
    gravity += np.concatenate([np.cross(x, weights).sum(axis=0), weights.sum(axis=0)])
    scale = np.abs(gravity).max() + np.abs(hand).max()
    assert np.abs(hand[3:]).max() > 1.0, "the hand must have something to do"
    np.testing.assert_allclose(hand + gravity, bones + flesh, rtol=0, atol=1e-9 * scale)


def test_a_still_motion_takes_the_weight():
    """Held in the air, the hand feels the weight of bones and flesh, once the flesh has come to rest."""
    sim = free_worm()
    q = sim.model.neutral()
    q[1] = 2.0
    motion = Motion(sim.model, [0.0, 1.0], [q, q])
    at_start(sim, motion)
    sim.configure(flesh_damping=5.0)
    sim.advance(2.0)
    nodes = sim.model.flesh.nodes
    weight = (sim.model.mass + nodes["mass"][nodes["fixed"] == 0].sum()) * 9.81
    np.testing.assert_allclose(sim.effort[3:6], [0.0, weight, 0.0], atol=1e-6 * weight)


def test_goes_on_bit_by_bit_after_restore():
    sim = free_worm()
    motion = dance(sim.model)
    at_start(sim, motion)
    sim.step(100)
    saved = sim.save()
    sim.step(300)  # more than one call of the kernel
    first = np.concatenate([sim.q, sim.v, sim.state.x.ravel(), sim.effort])
    sim.restore(saved)
    for count in (7, 256, 37):
        sim.step(count)
    np.testing.assert_array_equal(np.concatenate([sim.q, sim.v, sim.state.x.ravel(), sim.effort]), first)


def test_released_it_falls():
    sim = free_worm()
    at_start(sim, dance(sim.model))
    sim.step(50)
    sim.follow(None)
    sim.step(100)
    assert not sim.effort.any()
    height = sim.center_of_gravity[1]
    speed = sim.center_of_gravity_velocity[1]
    sim.step(100)
    assert sim.center_of_gravity[1] == pytest.approx(height + 0.1 * speed - 0.5 * 9.81 * 0.01, abs=1e-3)


def test_what_cannot_be_followed_is_refused(forest):
    sim = free_worm()
    motion = dance(sim.model)
    with pytest.raises(
        InputError, match=r"is 2 away from where joint 'bone_3' \(vy\) is now; put the scene there first"
    ):
        sim.follow(motion)
    with pytest.raises(InputError, match="no joint 'elbow'"):
        sim.follow(motion, ["elbow"])
    with pytest.raises(InputError, match="which is incompatible with model 'worm'"):
        sim.follow(Motion(forest, [0, 1], np.array([forest.neutral()] * 2)))
    pendulum = (
        ModelBuilder("pendulum")
        .add_body("bob", "", JointSpec(kind="revolute", axes=((0, 0, 1.0),)), mass=1.0, inertia=(1.0,) * 3 + (0.0,) * 3)
        .build()
    )
    with pytest.raises(
        InputError, match="integrator 'rk4' does not support following a motion; use integrator 'symplectic'"
    ):
        Simulation(pendulum, integrator="rk4").follow(Motion(pendulum, [0, 1], [[0.0], [0.1]]))
