"""Sensitivities of the step: against differences of re-simulation, for every joint type and everything that may change."""

import numpy as np
import pytest

from checks import derivative
from models import MOVING, Z_AXIS, free_body, random_forest, random_motion, single, solid
from stringless.editing.rollout import START, Directions, JointStiffness, Roller, Samples
from stringless.model import JointSpec, ModelBuilder, Pose, Scene
from stringless.simulation import Simulation

DT = 5e-3
STEPS = 8
BETWEEN = 0.4 * DT
PRECISION = 1e-8
"""Relative to the largest entry; fourth-order differences of a motion of a few steps are good to 1e-10."""
PASSIVE = {"springs": True, "dampers": True, "armature": True}
SAMPLES = Samples(np.array([0, 3, STEPS]), np.array([DT, DT, BETWEEN]))


def roll(model, q, v, columns=0, directions=None, samples=SAMPLES, joint_stiffness=None, **options):
    out = Roller(model, columns, directions, joint_stiffness).roll(q, v, steps=STEPS, dt=DT, samples=samples, **options)
    assert out.diverged < 0
    return out


def initial(model):
    """All directions of the start: pose first, then velocity."""
    one, zero = np.eye(model.nv), np.zeros((model.nv, model.nv))
    return {"columns": 2 * model.nv, "dq": np.hstack([one, zero]), "dv": np.hstack([zero, one])}


def differences(model, base, run):
    """`d/ds` of the samples of `run(s)` in the tangent: of q and v, each (samples, nv)."""

    def apart(s):
        out = run(s)
        turned = [model.difference(a, b) for a, b in zip(base.q_samples, out.q_samples, strict=True)]
        return np.concatenate([turned, out.v_samples], axis=1)

    found = derivative(apart)
    return found[:, : model.nv], found[:, model.nv :]


def assert_columns(model, base, runs):
    """Column c of `base` is the derivative of `runs[c]`."""
    for c, run in enumerate(runs):
        wanted = differences(model, base, run)
        assert np.linalg.norm(wanted) > 1e-6
        for found, expected in zip((base.dq_samples[:, :, c], base.dv_samples[:, :, c]), wanted, strict=True):
            np.testing.assert_allclose(found, expected, rtol=0, atol=PRECISION * max(1.0, np.abs(expected).max()))


def starts(model, motion, **options):
    units = np.eye(model.nv)
    poses = [lambda s, e=e: roll(model, model.integrate(motion.q, e, s), motion.v, **options) for e in units]
    return poses + [lambda s, e=e: roll(model, motion.q, motion.v + s * e, **options) for e in units]


@pytest.fixture(params=[0, 1, 2, *MOVING])
def plain(request):
    model = random_forest(request.param) if isinstance(request.param, int) else single(request.param)
    return model, random_motion(model, 3)


@pytest.fixture(params=[0, 1, *MOVING])
def passive(request):
    seed = request.param
    model = random_forest(seed, **PASSIVE) if isinstance(seed, int) else single(seed, **PASSIVE)
    return model, random_motion(model, 4)


@pytest.mark.parametrize("last", [START, 0.0], ids=["from a moment", "from a state at rest"])
def test_columns_of_the_start_are_derivatives_of_re_simulation(plain, last):
    model, motion = plain
    base = roll(model, motion.q, motion.v, last=last, **initial(model))
    assert_columns(model, base, starts(model, motion, last=last))


def test_springs_dampers_and_armature_are_differentiated_as_the_step_takes_them(passive):
    model, motion = passive
    base = roll(model, motion.q, motion.v, **initial(model))
    assert_columns(model, base, starts(model, motion))


def test_joints_may_be_firmer_or_softer_than_they_were_built(passive):
    model, motion = passive
    usual = roll(model, motion.q, motion.v)
    firmer = JointStiffness(joint_springs=2.5, stop_frequency=40.0)
    base = roll(model, motion.q, motion.v, joint_stiffness=firmer, **initial(model))
    assert np.abs(base.v_samples - usual.v_samples).max() > 1e-4
    assert_columns(model, base, starts(model, motion, joint_stiffness=firmer))


def test_a_moment_between_two_steps_has_a_derivative(passive):
    model, motion = passive
    base = roll(model, motion.q, motion.v, **initial(model))

    def later(s):
        return roll(model, motion.q, motion.v, samples=Samples(SAMPLES.steps, SAMPLES.times + s))

    dq, dv = differences(model, base, later)
    assert np.linalg.norm(dq[-1]) > 1e-2
    assert np.linalg.norm(dv[-1]) > 1e-2
    np.testing.assert_allclose(base.dq_rates, dq, rtol=0, atol=PRECISION * max(1.0, np.abs(dq).max()))
    np.testing.assert_allclose(base.dv_rates, dv, rtol=0, atol=PRECISION * max(1.0, np.abs(dv).max()))


LIMITS = {
    "hinge": ("revolute", {"axes": Z_AXIS, "upper": (0.3,)}, 1),
    "slider": ("prismatic", {"axes": Z_AXIS, "lower": (-0.3,)}, 1),
    "universal": ("universal", {"axes": (*Z_AXIS, (1.0, 0.0, 0.0)), "upper": (0.3, 0.2), "lower": (-0.2, -0.3)}, 2),
    "swing": ("ball", {"upper": (0.2, 3.0, np.pi)}, 3),
    "twist": ("ball", {"upper": (np.pi, 0.1, np.pi), "lower": (0.0, -0.1, 0.0)}, 3),
    "turn": ("ball", {"upper": (np.pi, np.pi, 0.4)}, 3),
}


@pytest.mark.parametrize("name", LIMITS)
def test_stops_are_differentiated_while_they_hold(name):
    kind, limits, nv = LIMITS[name]
    axes = {"axes": limits.get("axes", ())}
    models = [solid(kind, gravity=(1.0, -9.0, 3.0), **options) for options in (axes, limits)]
    v = np.array([1.0, 2.0, -1.5])[:nv] if name != "slider" else np.array([-2.0])
    q = models[1].integrate(models[1].neutral(), {1: [0.4], 2: [0.4, 0.3], 3: [0.5, 0.3, 0.4]}[nv])
    q = q if name != "slider" else np.array([-0.4])
    free, held = (roll(model, q, v) for model in models)
    assert np.abs(free.q - held.q).max() > 1e-3, "the stop must act for its derivative to be tested"
    motion = random_motion(models[1], 0)._replace(q=q, v=v)
    base = roll(models[1], q, v, **initial(models[1]))
    assert_columns(models[1], base, starts(models[1], motion))


def test_a_stop_beyond_a_moving_body_is_differentiated():
    """A ball at its stops within a chain: other axes, and all that hangs on it."""
    builder = ModelBuilder("chain", gravity=(1.0, -9.0, 3.0))
    for i, (parent, joint) in enumerate(
        [("", "free"), ("b0", JointSpec(kind="ball", upper=(0.2, 0.1, 3.0), lower=(0.0, -0.1, 0.0))), ("b1", "ball")]
    ):
        builder.add_body(
            f"b{i}",
            parent,
            joint,
            place=Pose((0.0, -0.5 if i else 0.0, 0.0)),
            mass=1.0,
            center_of_mass=(0.0, -0.25, 0.02),
            inertia=(0.03, 0.01, 0.04, 0.0, 0.0, 0.0),
        )
    model = builder.build()
    motion = random_motion(model, 7)
    motion = motion._replace(q=model.integrate(model.neutral(), np.linspace(-0.3, 0.4, model.nv)))
    base = roll(model, motion.q, motion.v, **initial(model))
    assert_columns(model, base, starts(model, motion))


def test_gravity_can_be_a_direction(passive):
    model, motion = passive
    base = roll(model, motion.q, motion.v, 3, dgravity=np.eye(3))

    def heavier(s, axis):
        return roll(model, motion.q, motion.v, gravity=model.gravity + s * np.eye(3)[axis])

    # A hinge or slider may not feel every direction, but the random ones of these models do.
    assert_columns(model, base, [lambda s, k=k: heavier(s, k) for k in range(3)] if model.nv > 3 else [])
    for k in range(3):
        dq, _ = differences(model, base, lambda s, k=k: heavier(s, k))
        np.testing.assert_allclose(base.dq_samples[:, :, k], dq, rtol=0, atol=PRECISION)


def test_masses_can_be_directions():
    model = random_forest(1, **PASSIVE)
    motion = random_motion(model, 2)
    heavy = [i for i in range(model.body_count) if model.tree["parent"][i] >= 0]
    assert any(model.tree["nv"][i] == 0 for i in heavy), "a body that is one with its parent must be among them"
    base = roll(model, motion.q, motion.v, len(heavy), Directions(masses=tuple((b, c) for c, b in enumerate(heavy))))

    def heavier(s, body):
        tree = model.tree.copy()
        for name in ("mass", "h", "I_o"):
            tree[name][body] *= 1.0 + s
        return roll(model, motion.q, motion.v, tree=tree)

    assert_columns(model, base, [lambda s, b=b: heavier(s, b) for b in heavy])


def test_efforts_can_be_directions():
    model = random_forest(2, **PASSIVE)
    motion = random_motion(model, 2)
    coordinates = (0, 5, model.nv - 1)
    weights = np.random.default_rng(0).uniform(0.1, 1.0, (STEPS + 1, 3))
    tau = np.tile(motion.tau, (STEPS + 1, 1))
    drives = Directions(drives=tuple((d, c) for c, d in enumerate(coordinates)))
    base = roll(model, motion.q, motion.v, 3, drives, tau=tau, weights=weights)

    def pushed(s, c):
        more = tau.copy()
        more[:, coordinates[c]] += s * weights[:, c]
        return roll(model, motion.q, motion.v, tau=more)

    assert_columns(model, base, [lambda s, c=c: pushed(s, c) for c in range(3)])


def test_an_actuator_at_its_limit_does_not_answer():
    model = solid("revolute", axes=Z_AXIS, effort=(1.0,))
    drives = Directions(drives=((0, 0),))
    for effort, answers in ((0.5, True), (1.5, False)):
        out = roll(model, np.zeros(1), np.ones(1), 1, drives, tau=np.full((1, 1), effort), weights=np.ones((1, 1)))
        assert (abs(out.dq_samples[-1, 0, 0]) > 1e-6) == answers


def test_fewer_columns_are_the_same_columns():
    model = random_forest(0)
    motion = random_motion(model, 1)
    every = initial(model)
    base = roll(model, motion.q, motion.v, **every)
    some = [1, 7, model.nv + 3]
    part = roll(model, motion.q, motion.v, 3, dq=every["dq"][:, some], dv=every["dv"][:, some])
    np.testing.assert_allclose(part.dq_samples, base.dq_samples[:, :, some], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("seed", range(2))
def test_the_motion_is_that_of_a_simulation_to_the_last_bit(seed):
    model = random_forest(seed, **PASSIVE)
    motion = random_motion(model, seed)
    base = roll(model, motion.q, motion.v, last=0.0, **initial(model))
    sim = Simulation(Scene(model, q=motion.q, v=motion.v), dt=DT)
    for frame in range(1, STEPS + 1):
        sim.advance(DT)
        assert np.array_equal(sim.q, base.q[frame])
        assert np.array_equal(sim.v, base.v[frame])


def test_a_free_body_flies_along_its_parabola():
    gravity = np.array([1.0, -9.0, 3.0])
    model = free_body((0.1, 0.2, 0.3), gravity=tuple(gravity))
    v = np.array([0.0, 0.0, 0.0, 1.0, 4.0, -2.0])
    q = model.neutral()
    times = np.array([DT, 0.0234])
    out = roll(model, q, v, samples=Samples.at(times, DT), **initial(model))
    for k, t in enumerate(times):
        np.testing.assert_allclose(out.q_samples[k, :3], v[3:] * t + gravity * t**2 / 2, rtol=0, atol=1e-15)
        np.testing.assert_allclose(out.v_samples[k, 3:], v[3:] + gravity * t, rtol=0, atol=1e-14)
        np.testing.assert_allclose(out.dq_samples[k, 3:, 9:], t * np.eye(3), rtol=0, atol=1e-15)


def test_a_motion_that_runs_away_says_where():
    model = solid("revolute", axes=Z_AXIS)
    out = Roller(model).roll(np.zeros(1), np.array([1e6]), steps=STEPS, dt=DT)
    assert (out.done, out.diverged) == (0, 0)
