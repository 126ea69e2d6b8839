"""Flesh and contact in the simulation: landing, resting, sliding, rolling; reruns; what is refused and what is caught."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest

import flesh_models
from stringless.errors import DivergenceError, InputError, StringlessWarning
from stringless.flesh import generators
from stringless.flesh.stability import MARGIN
from stringless.flesh.wrap import wrap
from stringless.kinematics.bodies import body_velocities
from stringless.model import JointSpec, ModelBuilder, Pose, Scene
from stringless.model.shapes import Shape
from stringless.scenes import bones, load_scene
from stringless.scenes.ground import floor
from stringless.scenes.worm import RADIUS, build
from stringless.simulation import Simulation

G = 9.81
DEEPEST = 2e-3
"""How deep the skin may stand in the floor at rest [m]: a sixteenth of the worm's radius."""
CARRIED = 0.01
"""Sum of contact forces against the weight at rest: what is left of the last swaying."""
SIDEWAYS = 1e-6
"""A symmetric worm has no reason to leave its plane [m]."""


def worm_at(height, root="planar", **options):
    model = build(root).build()
    q = model.neutral()
    q[1] = height
    return Simulation(Scene(model, q=q), **options)


def weight(sim):
    nodes = sim.model.flesh.nodes if sim.model.flesh else None
    free = 0.0 if nodes is None else nodes["mass"][nodes["fixed"] == 0].sum()
    return (sim.model.mass + free) * G


def slope(angle):
    place = Pose((0.0, 0.0, 0.0), (0.0, 0.0, math.sin(angle / 2), math.cos(angle / 2))) @ floor().place
    return Shape(kind="plane", name="slope", place=place)


def prop(shape, mass=2.0, name="prop"):
    return bones.body(name, shape, mass, joint=JointSpec(kind="free"))


def on_slope(shape, height, angle, **options):
    builder = ModelBuilder("prop").add(prop(shape))
    builder.world_shapes.append(slope(angle))
    q = np.zeros(7)
    q[:3] = height * np.array([-math.sin(angle), math.cos(angle), 0.0])
    q[3:] = 0.0, 0.0, math.sin(angle / 2), math.cos(angle / 2)
    return Simulation(Scene(builder.build(), q=q), **options)


# --- the worm on the floor --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("restitution", [1.0, 0.2, 0.0])
def test_worm_dropped_on_the_floor_comes_to_rest(restitution):
    sim = worm_at(RADIUS + 0.05, restitution=restitution)
    sim.advance(3.5)
    assert np.abs(sim.v).max() < 0.02
    assert np.abs(sim.state.xdot).max() < 0.01
    skin = sim.surface_positions
    assert -DEEPEST < skin[:, 1].min() < 0
    assert skin[:, 1].max() > RADIUS, "it is not flattened"
    total = sim.engine.workspace.contact_forces.sum(axis=0)
    assert total[1] == pytest.approx(weight(sim), rel=CARRIED)
    assert np.abs(total[[0, 2]]).max() < CARRIED * weight(sim)
    assert np.abs(total[2]) < 1e-9 * weight(sim), "a planar root hides what pushes sideways; the floor would feel it"


def test_worm_with_a_free_root_lands_without_sideways_motion():
    """Over the landing: later the worm, whose skin has an edge at the bottom, tips onto a face as a pencil does."""
    sim = worm_at(RADIUS + 0.05, "free")
    for _ in range(50):
        sim.advance(0.01)
        assert abs(sim.q[2]) < SIDEWAYS
        assert np.abs(sim.q[3:5]).max() < SIDEWAYS
        assert abs(sim.flesh_positions[:, 2].mean()) < SIDEWAYS
    assert sim.engine.workspace.counts[1] > 0


def test_contact_forces_stay_within_the_cone_and_never_pull():
    sim = Simulation(load_scene("worm_tilted"), friction=0.4)
    slid = touched = 0
    for _ in range(600):
        sim.step()
        f = sim.engine.workspace.contact_forces
        touching = f[:, 1] != 0
        along = np.hypot(f[:, 0], f[:, 2])
        assert np.all(f[:, 1] >= 0)
        assert np.all(along <= 0.4 * f[:, 1] * (1 + 1e-9) + 1e-12)
        touched += touching.sum()
        slid += np.sum(touching & (along > 0.39 * f[:, 1]))
    assert touched > 100
    assert slid > 10


def test_calm_landing_bounces_less():
    heights = []
    for restitution in (1.0, 0.2):
        sim = worm_at(RADIUS + 0.1, restitution=restitution)
        sim.advance(0.16)  # free fall of 0.1 m takes 0.143 s
        assert sim.engine.workspace.counts[1] > 0
        highest = 0.0
        for _ in range(30):
            sim.advance(0.01)
            highest = max(highest, sim.surface_positions[:, 1].min())
        heights.append(highest)
    assert heights[0] > 5e-3
    # The flesh keeps most of what makes it bounce; contact can only take its own share.
    assert heights[1] < 0.9 * heights[0]


def test_selective_and_full_diagonalization_give_the_same_motion():
    """Rounding differs, so they part slowly; over a landing they stay together."""
    sims = [worm_at(RADIUS + 0.01, diagonalization=choice) for choice in ("selective", "full")]
    for sim in sims:
        sim.advance(0.1)
    assert sims[0].engine.workspace.counts[0] < sims[1].engine.workspace.counts[0] == len(sims[0].model.flesh.elements)
    np.testing.assert_allclose(sims[0].state.x, sims[1].state.x, rtol=0, atol=1e-8)


# --- going back -------------------------------------------------------------------------------------------------------


def states_equal(a, b):
    assert a.time == b.time
    for name in a.arrays():
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


def landing():
    """The tilted worm, just landed."""
    sim = Simulation(load_scene("worm_tilted"))
    while sim.engine.workspace.counts[1] == 0:
        sim.step()
        assert sim.time < 1.0
    sim.step(20)
    return sim


def test_reruns_are_bit_identical():
    runs = [landing().save() for _ in range(2)]
    assert np.any(runs[0].anchors["obstacle"] >= 0), "it must have landed"
    states_equal(*runs)


def test_run_in_pieces_equals_an_unbroken_run():
    whole, pieces = (Simulation(load_scene("worm")) for _ in range(2))
    whole.step(300)
    for count in (1, 7, 92, 200):
        pieces.step(count)
        _ = pieces.surface_positions, pieces.energy()  # looking on changes nothing
    np.testing.assert_array_equal(whole.flesh_positions, pieces.flesh_positions)
    np.testing.assert_array_equal(whole.q, pieces.q)


def test_restored_state_continues_bit_by_bit():
    sim = landing()
    kept = sim.save()
    assert np.any(kept.anchors["obstacle"] >= 0), "anchors must be part of what is kept"
    sim.advance(0.2)
    after = sim.save()
    sim.advance(0.1)
    sim.restore(kept)
    sim.advance(0.2)
    states_equal(sim.save(), after)


def test_state_of_another_model_is_refused():
    sim, other = Simulation(load_scene("worm")), Simulation(load_scene("pendulum"))
    with pytest.raises(InputError, match="model 'worm' needs"):
        sim.restore(other.save())
    state = sim.save()
    state.x = state.x[:-1]
    with pytest.raises(InputError, match="x"):
        sim.restore(state)


def test_set_state_takes_the_flesh_along():
    sim = worm_at(0.5)
    sim.advance(0.05)
    q = sim.model.neutral()
    q[:2] = 1.0, 2.0
    sim.set_state(q=q, v=np.zeros(sim.model.nv))
    np.testing.assert_allclose(sim.flesh_positions, sim.model.flesh.rest + [1.0, 2.0, 0.0], rtol=0, atol=1e-12)
    np.testing.assert_array_equal(sim.state.xdot, 0.0)
    assert np.all(sim.state.anchors["obstacle"] == -1)


def test_centre_of_gravity_counts_the_flesh():
    sim = worm_at(0.5)
    flesh = sim.model.flesh
    free = flesh.nodes["fixed"] == 0
    before = sim.center_of_gravity
    sim.state.x[free] += [0.0, 0.1, 0.0]
    sim.state.xdot[free] += [0.0, 1.0, 0.0]
    share = flesh.nodes["mass"][free].sum() * G / weight(sim)
    assert 0.2 < share < 0.9
    np.testing.assert_allclose(sim.center_of_gravity - before, (0, 0.1 * share, 0), atol=1e-12)
    np.testing.assert_allclose(sim.center_of_gravity_velocity, (0, share, 0), atol=1e-12)
    masses = flesh.specs[0].masses  # all of them, also those that the bones hold
    np.testing.assert_allclose(before, masses @ flesh.rest / masses.sum() + [0, 0.5, 0], atol=1e-12)


# --- props ------------------------------------------------------------------------------------------------------------


def test_free_box_rests_on_the_floor():
    builder = ModelBuilder("box").add(prop(bones.box((0.0, 0.0, 0.0), (0.1, 0.15, 0.2))))
    builder.world_shapes.append(floor())
    q = np.array([0.0, 0.2, 0.0, 0.0, 0.0, 0.0, 1.0])
    sim = Simulation(Scene(builder.build(), q=q))
    sim.advance(2.0)
    assert np.abs(sim.v).max() < 1e-6
    assert 0.15 - 1e-3 < sim.q[1] < 0.15
    np.testing.assert_allclose(sim.q[[0, 2]], 0, atol=1e-9)
    np.testing.assert_allclose(sim.q[3:], (0, 0, 0, 1), atol=1e-9)
    np.testing.assert_allclose(sim.engine.workspace.contact_forces.sum(axis=0), (0, 2.0 * G, 0), atol=1e-4)
    assert sim.engine.workspace.counts[1] == 4


ANGLE = math.radians(20)


def test_box_on_a_slope_stays_within_the_cone():
    sim = on_slope(bones.box((0.0, 0.0, 0.0), (0.2, 0.05, 0.2)), 0.05, ANGLE, friction=0.8)
    start = sim.q.copy()
    sim.advance(2.0)
    assert np.abs(sim.q - start).max() < 1e-3
    assert np.abs(sim.v).max() < 1e-5, "it does not creep"
    np.testing.assert_allclose(sim.engine.workspace.contact_forces.sum(axis=0), (0, 2.0 * G, 0), atol=1e-3)


def test_box_on_a_slope_slides_beyond_the_cone():
    """`a = g (sin - mu cos)`."""
    sim = on_slope(bones.box((0.0, 0.0, 0.0), (0.2, 0.05, 0.2)), 0.05, ANGLE, friction=0.1)
    start = sim.q[:3].copy()
    sim.advance(0.5)
    expected = 0.5 * G * (math.sin(ANGLE) - 0.1 * math.cos(ANGLE)) * 0.5**2
    way = start - sim.q[:3]
    along = np.array([math.cos(ANGLE), math.sin(ANGLE), 0.0])
    assert way @ along == pytest.approx(expected, rel=0.02)
    assert abs(way[2]) < 1e-9


def test_ball_rolls_down_a_slope():
    """A solid ball that does not slip: `a = 5/7 g sin`, turning at `v/r`."""
    radius = 0.1
    sim = on_slope(bones.sphere((0.0, 0.0, 0.0), radius), radius, ANGLE, friction=0.8)
    start = sim.q[:3].copy()
    sim.advance(1.0)
    along = np.array([math.cos(ANGLE), math.sin(ANGLE), 0.0])
    way = (start - sim.q[:3]) @ along
    assert way == pytest.approx(0.5 * 5 / 7 * G * math.sin(ANGLE), rel=0.02)
    V = body_velocities(sim.model, sim.q, sim.v)[0]
    assert np.hypot(V[3], V[4]) > 1.0
    assert V[2] == pytest.approx(np.hypot(V[3], V[4]) / radius, rel=0.01)  # downhill is -x: it turns towards +z


def test_ball_on_a_slope_gains_no_energy():
    """Friction that acts as if at the centre would hold the ball and set it spinning without end."""
    radius = 0.1
    sim = on_slope(bones.sphere((0.0, 0.0, 0.0), radius), radius, ANGLE, friction=0.8)
    start = sum(sim.energy())
    for _ in range(10):
        sim.advance(0.1)
        assert sum(sim.energy()) < start + 1e-2
    assert sim.energy().kinetic > 1.0


def test_spinning_ball_on_the_floor_starts_to_roll():
    """From w = 20 rad/s without speed, sliding friction ends at `v = 2/7 w r` when it rolls; then nothing brakes it."""
    radius, spin = 0.1, 20.0
    builder = ModelBuilder("ball").add(prop(bones.sphere((0.0, 0.0, 0.0), radius)))
    builder.world_shapes.append(floor())
    model = builder.build()
    q, v = np.array([0.0, radius - 1e-5, 0.0, 0.0, 0.0, 0.0, 1.0]), np.zeros(6)
    v[2] = -spin
    assert body_velocities(model, q, v)[0][2] == -spin
    sim = Simulation(Scene(model, q=q, v=v), friction=0.5)
    for _ in range(2):
        sim.advance(0.5)
        V = body_velocities(model, sim.q, sim.v)[0]
        assert V[3] == pytest.approx(2 / 7 * spin * radius, rel=0.02)
        assert V[2] == pytest.approx(-V[3] / radius, rel=0.01)


@pytest.mark.parametrize("dt", [1e-3, 0.5e-3])
def test_worm_on_a_movable_box(dt):
    """The box carries the worm, the floor both; also at another step than the flesh was made for."""
    builder = build("planar")
    top = 0.1
    builder.add(prop(bones.box((0.0, 0.0, 0.0), (0.3, 0.05, 0.2)), mass=3.0))
    model = builder.build()
    q = model.neutral()
    q[1] = top + RADIUS + 0.005
    box = model.body("prop").joint.q_slice
    q[box][1] = 0.05
    sim = Simulation(Scene(model, q=q), dt=dt)
    sim.advance(3.0)
    assert np.abs(sim.v).max() < 0.02
    skin = len(model.flesh.vertices)
    on_box, on_floor = (
        sim.engine.workspace.contact_forces[:skin].sum(axis=0),
        sim.engine.workspace.contact_forces[skin:].sum(axis=0),
    )
    assert on_box[1] == pytest.approx(weight(sim) - 3.0 * G, rel=2 * CARRIED)
    assert on_floor[1] == pytest.approx(weight(sim), rel=CARRIED)
    assert sim.surface_positions[:, 1].min() > top - 2 * DEEPEST


@pytest.mark.parametrize("dt", [1e-3, 0.25e-3])
def test_a_prop_is_as_firm_beside_flesh_as_alone(dt):
    """Flesh brings gains for its own step; those of a prop must not be scaled for the simulation's step twice."""

    def stiffness(builder):
        sim = Simulation(builder.add(prop(bones.box((0.0, 0.0, 0.0), (0.1, 0.1, 0.1)))).build(), dt=dt)
        factors = sim.config.gains()
        return sim.engine.workspace.samples["kn"] * factors[0], sim.engine.workspace.samples["cn"] * factors[1]

    alone = ModelBuilder("alone")
    alone.world_shapes.append(floor())
    expected = stiffness(alone)
    assert expected[0].min() > 0
    for found, wanted in zip(stiffness(build()), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


PLAIN = """
import sys
sys.path.insert(0, {here!r})
from test_flesh_simulation import crowd
sim = crowd()
sim.step(3)
print(*(x.hex() for x in (*sim.q, *sim.v, *sim.state.x.ravel())))
"""
ROUNDING_OF_THREE_STEPS = 1e-12
"""Compiled code fuses multiplications and additions, plain Python does not; contact is stiff, but three steps are few."""


def crowd():
    """A worm on the floor, beside one prop of each shape, all touching the floor."""
    builder = build("free")
    shapes = (
        bones.box((0.0, 0.0, 0.0), (0.1, 0.1, 0.1)),
        bones.sphere((0.0, 0.0, 0.0), 0.1),
        Shape(kind="capsule", size=(0.1, 0.2)),
        Shape(kind="cylinder", size=(0.1, 0.1)),
        Shape(kind="ellipsoid", size=(0.1, 0.1, 0.2)),
    )
    for k, shape in enumerate(shapes):
        builder.add(prop(shape, name=f"prop_{k}"))
    model = builder.build()
    q = model.neutral()
    q[1] = RADIUS - 1e-3
    for k in range(len(shapes)):
        q[model.body(f"prop_{k}").joint.q_slice][:3] = 0.0, 0.099, 0.3 + 0.5 * k
    return Simulation(Scene(model, q=q, v=0.1 * np.ones(model.nv)))


def test_compiled_steps_equal_plain_python():
    here = os.path.dirname(__file__)
    path = os.pathsep.join([here, os.path.dirname(flesh_models.__file__), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    ran = subprocess.run(
        [sys.executable, "-c", PLAIN.format(here=here)], env=environment, capture_output=True, text=True, timeout=900
    )
    assert ran.returncode == 0, ran.stderr
    plain = np.array([float.fromhex(x) for x in ran.stdout.split()])
    sim = crowd()
    start = sim.q.copy()
    sim.step(3)
    assert sim.engine.workspace.counts[1] > 10
    assert np.abs(sim.q - start).max() > 1e-4
    found = np.concatenate([sim.q, sim.v, sim.state.x.ravel()])
    np.testing.assert_allclose(found, plain, rtol=0, atol=ROUNDING_OF_THREE_STEPS)


# --- what is refused, what is caught ----------------------------------------------------------------------------------


def test_rk4_with_flesh_is_refused():
    with pytest.raises(InputError, match="integrator 'rk4' does not support flesh, .*; use integrator 'symplectic'"):
        Simulation(load_scene("worm"), integrator="rk4")


def test_flesh_torn_too_hard_is_caught_at_the_last_good_step():
    def start():
        with pytest.warns(StringlessWarning, match=r"0\.9\d of the longest that the flesh 'worm' can take"):
            sim = worm_at(RADIUS + 0.01, dt=2e-3)
        sim.external[-1, 4] = 3000.0
        return sim

    sim, other = start(), start()
    with pytest.raises(DivergenceError) as caught:
        sim.advance(5.0)
    error = caught.value
    assert "the simulation diverged at time" in str(error)
    assert "The state before this step was kept" in str(error)
    assert error.cause in str(error)
    assert error.time == sim.time > 0
    assert all(np.all(np.isfinite(getattr(sim.state, name))) for name in ("q", "v", "x", "xdot"))
    other.step(round(sim.time / 2e-3))
    np.testing.assert_array_equal(sim.q, other.q)
    np.testing.assert_array_equal(sim.flesh_positions, other.flesh_positions)
    with pytest.raises(DivergenceError):
        other.step()
    worm_at(RADIUS + 0.01).advance(0.5)


def test_step_beyond_the_limit_is_refused_with_one_that_would_do():
    """Stiff flesh gained kilograms for its step once, and was lost all the same after 18 ms, without a word."""
    scene = load_scene("worm", young=9e5)
    (spec,) = scene.model.flesh.specs
    assert spec.masses.sum() < 1.1
    with pytest.warns(StringlessWarning, match="of the longest that the flesh 'worm' can take"):
        sim = Simulation(scene)
    with pytest.raises(DivergenceError, match="cannot go on from time 0 s: the step of 0.001 s is") as caught:
        sim.step()
    step = MARGIN * spec.step_limit
    assert (
        f"Take dt={step:.3g}, substeps='auto' where nothing is directed, or a Young's modulus of" in caught.value.cause
    )
    for changes in ({"dt": step}, {"dt": 1e-3, "substeps": "auto"}):
        sim.configure(**changes)
        sim.advance(0.3)
        assert np.abs(sim.state.xdot).max() < 3.0
    with pytest.raises(DivergenceError, match="and too long also in 32 parts"):
        Simulation(scene, dt=0.1, substeps="auto").step()


def test_lost_node_is_named_with_a_step_that_would_do():
    """Flesh alone, far from joints that could run away first: the message names the limit of the step."""
    builder = ModelBuilder("blob", gravity=(0.0, 0.0, 0.0))
    builder.add(prop(bones.sphere((0.0, 0.0, 0.0), 0.05), mass=50.0, name="core"))
    spec = wrap(builder, generators.sphere(radius=0.1, rings=9, sides=12), cells=(6, 6, 6), damping=0.0)
    with pytest.warns(StringlessWarning, match="0.99 of the longest"):
        sim = Simulation(builder.build(), dt=0.99 * spec.step_limit, max_speed=1e3)
    free = sim.model.flesh.nodes["fixed"] == 0
    sim.state.x[free] *= 3.0
    with pytest.raises(DivergenceError) as caught:
        sim.step(2000)
    assert "of the flesh near 'core' left the range" in str(caught.value)
    assert f"stable up to a step of {MARGIN * spec.step_limit:.3g} s" in caught.value.cause
    assert caught.value.joint == "core"
    assert caught.value.time == sim.time
    assert np.all(np.isfinite(sim.state.x))


def test_node_that_is_not_finite_from_outside_is_caught():
    sim = worm_at(0.5)
    node = int(np.flatnonzero(sim.model.flesh.nodes["fixed"] == 0)[3])
    sim.state.x[node] = np.nan
    with pytest.raises(DivergenceError):
        sim.step()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("friction", -0.1, "friction is -0.1, expected a finite number of 0 or more"),
        ("friction", math.nan, "friction is nan, expected a finite number of 0 or more"),
        ("contact_stiffness", 0.0, "contact_stiffness is 0.0, expected a finite number above 0"),
        ("restitution", 1.5, "restitution is 1.5, expected a number from 0 to 1"),
        ("restitution", math.nan, "restitution is nan, expected a number from 0 to 1"),
        ("flesh_damping", -1.0, "flesh_damping is -1.0, expected a finite number of 0 or more"),
        ("diagonalization", "none", "diagonalization 'none' is unknown; choose one of: selective, full"),
    ],
)
def test_impossible_choices_are_refused(name, value, message):
    with pytest.raises(InputError, match=message):
        Simulation(load_scene("worm"), **{name: value})
