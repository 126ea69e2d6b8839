"""The simulation advances, reports, stops, goes back, and repeats itself bit by bit."""

import os
import subprocess
import sys

import numpy as np
import pytest

from checks import relative
from models import NO_GRAVITY, pendulum, point_chain, random_forest, random_motion
from stringless import dynamics, kinematics
from stringless.errors import InputError, ModelError
from stringless.model import JointSpec, ModelBuilder, Scene
from stringless.simulation import Simulation
from stringless.state import State

INTEGRATORS = ("symplectic", "rk4")


def lively(integrator, seed=0):
    """A forest with everything in it, moving."""
    model = random_forest(seed, springs=True, dampers=True, armature=True)
    m = random_motion(model, seed)
    sim = Simulation(Scene(model, q=m.q, v=m.v), dt=1e-3, integrator=integrator)
    sim.tau[:] = m.tau
    sim.external[:] = m.external
    return sim


# --- one step ---


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "universal", "ball", "planar", "translational"])
def test_symplectic_step_is_velocity_first_then_position(kind):
    """u+ = u + h udot, q+ = q ⊕ h u+, on joints without springs and dampers."""
    model = random_forest(2, bodies=5, kinds=(kind,))
    m = random_motion(model, 2)
    sim = Simulation(Scene(model, q=m.q, v=m.v), dt=1e-3)
    sim.tau[:], sim.external[:] = m.tau, m.external
    v = m.v + 1e-3 * dynamics.forward(model, m.q, m.v, m.tau, m.external)
    sim.step()
    assert relative(sim.v, v) < 1e-13
    assert relative(sim.q, model.integrate(m.q, v, 1e-3)) < 1e-13
    assert sim.time == 1e-3


def test_free_body_steps_with_its_velocity_along_world_axes():
    model = random_forest(0, bodies=1, kinds=("free",))
    m = random_motion(model, 0)
    h = 1e-3
    sim = Simulation(Scene(model, q=m.q, v=m.v), dt=h)
    before, start = kinematics.body_velocities(model, m.q, m.v)[0], sim.body_poses().position[0]
    vdot = dynamics.forward(model, m.q, m.v, np.zeros(6))
    A = kinematics.body_accelerations(model, m.q, m.v, vdot)[0]
    sim.step()
    after = kinematics.body_velocities(model, sim.q, sim.v)[0]
    np.testing.assert_allclose(after[3:], before[3:] + h * A[3:], atol=1e-14)
    np.testing.assert_allclose(sim.body_poses().position[0], start + h * after[3:], atol=1e-14)
    np.testing.assert_allclose(sim.v[:3], m.v[:3] + h * vdot[:3], atol=1e-14)


def test_advance_takes_the_nearest_number_of_steps_and_remembers_the_rest():
    sim = Simulation(pendulum(), dt=1e-3)
    sim.advance(0.0104)
    assert sim.time == pytest.approx(0.010, abs=1e-15)
    sim.advance(0.0)
    assert sim.time == pytest.approx(0.010, abs=1e-15)
    sim.advance(0.0004)
    assert sim.time == pytest.approx(0.011, abs=1e-15)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_impossible_time_is_refused(seconds):
    sim = Simulation(pendulum())
    with pytest.raises(InputError, match=f"cannot advance by {seconds} s; expected a finite number of 0 or more"):
        sim.advance(seconds)


@pytest.mark.parametrize("count", [-1, 1.5, "two"])
def test_impossible_number_of_steps_is_refused(count):
    with pytest.raises(InputError, match="steps"):
        Simulation(pendulum()).step(count)


def test_report_hears_the_time_reached():
    sim, heard = Simulation(pendulum()), []
    sim.advance(1.0, heard.append)
    assert len(heard) > 1
    assert heard == sorted(heard)
    assert heard[-1] == sim.time


def test_report_that_raises_stops_the_simulation_between_steps():
    sim = Simulation(point_chain(2))

    def stop(time):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sim.advance(1.0, stop)
    assert 0 < sim.time < 1
    other = Simulation(point_chain(2))
    other.advance(sim.time)
    np.testing.assert_array_equal(sim.q, other.q)


def test_model_and_scene_both_start_a_simulation():
    model = pendulum()
    assert Simulation(model).q[0] == 0.0
    assert Simulation(Scene(model, q=np.array([0.4]))).q[0] == 0.4


def test_start_of_the_scene_is_not_disturbed():
    scene = Scene(pendulum(), q=np.array([0.4]))
    Simulation(scene).advance(0.1)
    assert scene.q[0] == 0.4
    assert Simulation(scene).q[0] == 0.4


def test_what_the_simulation_tells_is_what_the_functions_tell():
    sim = lively("symplectic")
    sim.advance(0.01)
    model = sim.model
    assert sim.energy() == dynamics.energy(model, sim.q, sim.v)
    np.testing.assert_array_equal(sim.body_poses().position, kinematics.body_poses(model, sim.q).position)
    np.testing.assert_array_equal(sim.center_of_gravity, kinematics.center_of_gravity(model, sim.q).position)
    moving = kinematics.center_of_gravity(model, sim.q, sim.v).velocity
    np.testing.assert_array_equal(sim.center_of_gravity_velocity, moving)


def test_model_without_freedom_only_gets_older():
    model = ModelBuilder("rock").add_body("rock", mass=1.0).build()
    for integrator in INTEGRATORS:
        sim = Simulation(model, integrator=integrator)
        sim.advance(0.1)
        assert sim.time == pytest.approx(0.1)
        assert sim.energy().kinetic == 0


# --- repeating ---


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_runs_repeat_bit_by_bit(integrator):
    one, two = lively(integrator), lively(integrator)
    one.advance(0.3)
    two.advance(0.3)
    assert one.time == two.time
    np.testing.assert_array_equal(one.q, two.q)
    np.testing.assert_array_equal(one.v, two.v)
    assert not np.array_equal(one.q, lively(integrator).q)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_parts_make_the_whole_bit_by_bit(integrator):
    one, two = lively(integrator), lively(integrator)
    one.advance(0.4)
    one.advance(0.6)
    two.advance(1.0)
    assert one.time == two.time
    np.testing.assert_array_equal(one.q, two.q)
    np.testing.assert_array_equal(one.v, two.v)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_going_back_repeats_the_motion_bit_by_bit(integrator):
    sim = lively(integrator)
    sim.advance(0.1)
    saved = sim.save()
    sim.advance(0.2)
    end = sim.save()
    sim.restore(saved)
    assert sim.time == saved.time
    np.testing.assert_array_equal(sim.q, saved.q)
    sim.advance(0.2)
    assert sim.time == end.time
    np.testing.assert_array_equal(sim.q, end.q)
    np.testing.assert_array_equal(sim.v, end.v)
    other = lively(integrator)
    other.restore(saved)
    other.advance(0.2)
    np.testing.assert_array_equal(other.q, end.q)


def test_other_work_on_the_same_model_between_steps_changes_nothing():
    one, two = lively("symplectic"), lively("symplectic")
    for _ in range(20):
        one.step(5)
        m = random_motion(one.model, 99)
        dynamics.inverse(one.model, m.q, m.v, m.vdot, m.external)
        given = np.arange(one.model.nv) % 2 == 0
        dynamics.hybrid(one.model, m.q, m.v, prescribed=given, vdot=m.vdot, tau=m.tau)
        kinematics.center_of_gravity_jacobian(one.model, m.q, m.v)
    two.step(100)
    np.testing.assert_array_equal(one.q, two.q)


PLAIN = """
import sys
sys.path.insert(0, {tests!r})
import numpy as np
from models import random_forest, random_motion
from stringless.model import Scene
from stringless.simulation import Simulation
model = random_forest(5, bodies=8, springs=True, dampers=True, armature=True)
m = random_motion(model, 5)
for integrator in ("symplectic", "rk4"):
    sim = Simulation(Scene(model, q=m.q, v=m.v), dt=1e-3, integrator=integrator)
    sim.tau[:], sim.external[:] = m.tau, m.external
    sim.step(20)
    print(" ".join(float(x).hex() for x in [*sim.q, *sim.v]))
"""
ROUNDING_OF_TWENTY_STEPS = 1e-12
"""Compiled code fuses multiplications and additions, plain Python does not: they differ in the last digits only."""


def test_compiled_steps_equal_plain_python():
    tests = os.path.dirname(sys.modules["models"].__file__)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", PLAIN.format(tests=tests)], env=environment, capture_output=True, text=True, timeout=900
    )
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.strip().splitlines()
    assert len(lines) == len(INTEGRATORS)
    model = random_forest(5, bodies=8, springs=True, dampers=True, armature=True)
    m = random_motion(model, 5)
    for integrator, line in zip(INTEGRATORS, lines, strict=True):
        sim = Simulation(Scene(model, q=m.q, v=m.v), dt=1e-3, integrator=integrator)
        sim.tau[:], sim.external[:] = m.tau, m.external
        sim.step(20)
        plain = np.array([float.fromhex(x) for x in line.split()])
        assert np.linalg.norm(plain[: model.nq] - m.q) > 1e-3
        assert relative(np.concatenate([sim.q, sim.v]), plain) < ROUNDING_OF_TWENTY_STEPS


# --- states from outside ---


def test_state_can_be_set():
    sim = Simulation(pendulum())
    q = sim.q
    sim.set_state(q=[0.3], v=[1.0])
    assert sim.q is q
    assert (sim.q[0], sim.v[0]) == (0.3, 1.0)
    sim.set_state(v=[2.0])
    assert (sim.q[0], sim.v[0]) == (0.3, 2.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": [1.0, 2.0]}, r"'q' for model 'pendulum' has shape \(2,\), expected \(1,\)"),
        ({"v": [1.0, 2.0]}, r"'v' for model 'pendulum' has shape \(2,\), expected \(1,\)"),
        ({"q": [np.nan]}, "initial q: found a number that is not finite"),
        ({"q": []}, r"'q' for model 'pendulum' has shape \(0,\), expected \(1,\)"),
        ({"v": []}, r"'v' for model 'pendulum' has shape \(0,\), expected \(1,\)"),
        ({"v": "fast"}, "'v' for model 'pendulum' is not an array of numbers"),
    ],
)
def test_impossible_state_is_refused_and_changes_nothing(change, message):
    sim = Simulation(Scene(pendulum(), q=np.array([0.3])))
    with pytest.raises((ModelError, InputError), match=message):
        sim.set_state(**change)
    assert (sim.q[0], sim.v[0]) == (0.3, 0.0)


def test_state_is_changed_wholly_or_not_at_all():
    sim = Simulation(Scene(pendulum(), q=np.array([0.3])))
    with pytest.raises((ModelError, InputError)):
        sim.set_state(q=[0.5], v=[1.0, 2.0])
    assert (sim.q[0], sim.v[0]) == (0.3, 0.0)


def test_state_of_another_model_is_refused():
    sim = Simulation(pendulum())
    with pytest.raises(InputError, match="the state has 2 and 2 numbers, model 'pendulum' needs 1 and 1"):
        sim.restore(State(0.0, np.zeros(2), np.zeros(2)))


# --- inputs ---


def test_efforts_and_wrenches_act_until_they_are_set_again():
    model = random_forest(0, bodies=1, kinds=("prismatic",), gravity=NO_GRAVITY)
    sim = Simulation(model, dt=1e-3)
    sim.tau[:] = 2.0
    sim.advance(0.5)
    speed = sim.v[0]
    assert speed == pytest.approx(0.5 * 2.0 / model.mass, rel=1e-9)
    sim.tau[:] = 0.0
    sim.advance(0.5)
    assert sim.v[0] == pytest.approx(speed, rel=1e-12)
    sim.external[0, 3:] = -np.array(model.joints[0].spec.axes[0])
    sim.advance(0.5)
    assert sim.v[0] == pytest.approx(speed - 0.5 / model.mass, rel=1e-9)


def test_efforts_may_be_a_list():
    sim = Simulation(pendulum())
    sim.tau = [1.0]
    sim.step()
    assert sim.v[0] == pytest.approx(1e-3)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("tau", np.zeros(3), r"'tau' for model 'pendulum' has shape \(3,\), expected \(1,\)"),
        ("tau", np.zeros((1, 1)), r"'tau' for model 'pendulum' has shape \(1, 1\), expected \(1,\)"),
        ("external", np.zeros(6), r"'external' .* has shape \(6,\), expected \(1, 6\)"),
        ("external", np.zeros((2, 6)), r"'external' .* has shape \(2, 6\), expected \(1, 6\)"),
        ("external", [[0.0] * 5], r"'external' .* has shape \(1, 5\), expected \(1, 6\)"),
    ],
)
def test_wrong_shape_of_an_input_is_refused_by_name(name, value, message):
    sim = Simulation(pendulum())
    setattr(sim, name, value)
    with pytest.raises(InputError, match=message):
        sim.step()


def test_wrenches_may_be_lists_and_integers():
    sim, other = Simulation(pendulum()), Simulation(pendulum())
    sim.external = [[0, 0, 1, 0, 0, 0]]
    other.external[0, 2] = 1.0
    sim.step(10)
    other.step(10)
    assert sim.v[0] > 0
    np.testing.assert_array_equal(sim.q, other.q)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize(("asked", "given"), [(100.0, 3.0), (-100.0, -3.0), (2.0, 2.0), (np.inf, 3.0)])
def test_actuator_gives_no_more_than_its_effort(integrator, asked, given):
    joint = JointSpec(kind="prismatic", axes=((1.0, 0.0, 0.0),), effort=(3.0,))
    model = ModelBuilder("cart", gravity=NO_GRAVITY).add_body("cart", "", joint, mass=2.0).build()
    sim = Simulation(model, integrator=integrator)
    sim.tau[:] = asked
    sim.advance(0.1)
    assert sim.v[0] == pytest.approx(0.1 * given / 2.0, rel=1e-12)


def test_warm_up_changes_nothing():
    sim = lively("symplectic")
    before = sim.save()
    sim.warm_up(lambda name, done, total: None)
    assert sim.time == 0.0
    np.testing.assert_array_equal(sim.q, before.q)
    np.testing.assert_array_equal(sim.v, before.v)
