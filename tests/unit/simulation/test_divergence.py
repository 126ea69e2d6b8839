"""A run that leaves the range of numbers: caught within the step, explained, and the last good state kept."""

import numpy as np
import pytest

from models import NO_GRAVITY, pendulum, point_chain, random_forest, random_motion
from stringless.errors import DivergenceError, StringlessError
from stringless.model import JointSpec, ModelBuilder, Scene
from stringless.simulation import Simulation

INTEGRATORS = ("symplectic", "rk4")


def chain(integrator, dt=1e-3, v=(0.0, 0.0)):
    model = point_chain(2)
    return Simulation(Scene(model, q=np.array([1.0, 0.5]), v=np.array(v)), dt=dt, integrator=integrator)


def assert_stands_at(sim, other):
    assert np.all(np.isfinite(sim.q))
    assert np.all(np.isfinite(sim.v))
    assert sim.time == other.time
    np.testing.assert_array_equal(sim.q, other.q)
    np.testing.assert_array_equal(sim.v, other.v)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_effort_that_is_not_finite_is_named(integrator, value):
    sim, other = chain(integrator), chain(integrator)
    sim.advance(0.05)
    other.advance(0.05)
    sim.tau[1] = value
    with pytest.raises(DivergenceError) as caught:
        sim.advance(0.1)
    error = caught.value
    assert_stands_at(sim, other)
    assert error.time == pytest.approx(0.05)
    assert "at time 0.051 s" in str(error)
    assert error.joint in ("bob_0", "bob_1")
    assert f"the effort given for joint 'bob_1' is {value}" in error.cause
    assert error.cause in str(error)
    assert isinstance(error, StringlessError)
    assert isinstance(error, ArithmeticError)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_wrench_that_is_not_finite_is_named(integrator, value):
    sim, other = chain(integrator), chain(integrator)
    sim.advance(0.05)
    other.advance(0.05)
    sim.external[1, 3] = value
    with pytest.raises(DivergenceError) as caught:
        sim.advance(0.1)
    assert_stands_at(sim, other)
    assert "the external wrench on body 'bob_1' is not finite" in caught.value.cause


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_violent_effort_is_named_with_the_inertia_it_meets(integrator):
    sim, other = chain(integrator), chain(integrator)
    sim.advance(0.05)
    other.advance(0.05)
    sim.tau[1] = 1e9
    with pytest.raises(DivergenceError) as caught:
        sim.advance(0.1)
    assert_stands_at(sim, other)
    assert "an effort of 1e+09 on joint 'bob_1', whose inertia is 1, is too violent" in caught.value.cause
    assert "dt=0.00025" in caught.value.cause


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_simulation_goes_on_once_the_input_is_mended(integrator):
    sim, other = chain(integrator), chain(integrator)
    sim.tau[0] = np.nan
    with pytest.raises(DivergenceError):
        sim.advance(0.1)
    sim.tau[0] = 0.0
    sim.advance(0.1)
    other.advance(0.1)
    assert_stands_at(sim, other)


def test_step_too_long_for_a_wild_pendulum_is_caught_at_the_last_good_step():
    sim = chain("symplectic", dt=0.05, v=(20.0, -55.0))
    with pytest.raises(DivergenceError) as caught:
        sim.advance(100.0)
    error = caught.value
    assert error.time == sim.time
    assert error.joint in ("bob_0", "bob_1")
    assert "try dt=0.0125" in error.cause
    assert "rad in one step" in error.cause
    # The state is that of a run that was told to stop one step earlier.
    other = chain("symplectic", dt=0.05, v=(20.0, -55.0))
    other.step(round(error.time / 0.05))
    assert_stands_at(sim, other)
    with pytest.raises(DivergenceError):
        other.step()
    # With a step that can follow, the same start runs through.
    Simulation(Scene(sim.model, q=np.array([1.0, 0.5]), v=np.array((20.0, -55.0))), dt=1e-3).advance(5.0)


def test_explicit_step_too_long_for_a_stiff_spring_is_caught_at_the_last_good_step():
    """RK4 takes springs as they are: a frequency of 1e4 rad/s is beyond what 1 ms can follow."""

    def start():
        model = point_chain(2, stiffness=(1e8,))
        return Simulation(Scene(model, q=np.array([0.1, -0.1])), integrator="rk4")

    sim, other = start(), start()
    with pytest.raises(DivergenceError) as caught:
        sim.advance(1.0)
    assert "try dt=0.00025" in caught.value.cause
    assert caught.value.time == sim.time < 0.1
    other.step(round(sim.time / 1e-3))
    assert_stands_at(sim, other)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_diverged_is_caught_within_the_very_step(integrator):
    """Also in the middle of a long call, and in the first step of a run."""
    sim = Simulation(pendulum(), integrator=integrator)
    sim.tau[:] = 1e300
    with pytest.raises(DivergenceError) as caught:
        sim.step()
    assert caught.value.time == 0.0
    assert (sim.q[0], sim.v[0], sim.time) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_sliding_joint_beyond_the_largest_speed_is_caught(integrator):
    joint = JointSpec(kind="prismatic", name="rail", axes=((1.0, 0.0, 0.0),))
    model = ModelBuilder("cart", gravity=NO_GRAVITY).add_body("cart", "", joint, mass=1.0).build()
    sim = Simulation(model, integrator=integrator, max_speed=50.0)
    sim.tau[:] = 100.0
    with pytest.raises(DivergenceError, match="velocity of joint 'rail'") as caught:
        sim.advance(1.0)
    assert caught.value.joint == "rail"
    assert 0.49 < caught.value.time < 0.51
    assert abs(sim.v[0]) <= 50.0


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_state_that_is_not_finite_from_outside_is_caught(integrator):
    sim = chain(integrator)
    sim.v[1] = np.nan
    with pytest.raises(DivergenceError):
        sim.step()


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_configuration_that_is_not_finite_from_outside_is_caught(integrator):
    sim = chain(integrator)
    sim.q[0] = np.inf
    with pytest.raises(DivergenceError) as caught:
        sim.step()
    assert "configuration" in caught.value.cause


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("seed", range(3))
def test_forest_of_all_joints_names_a_joint_of_its_own(integrator, seed):
    model = random_forest(seed, bodies=8)
    m = random_motion(model, seed)
    sim = Simulation(Scene(model, q=m.q, v=m.v), integrator=integrator)
    k = model.nv // 2
    sim.tau[k] = np.nan
    with pytest.raises(DivergenceError) as caught:
        sim.step()
    assert caught.value.joint in {joint.name for joint in model.joints}
    assert f"the effort given for joint {model.dof_name(k)} is nan" in caught.value.cause
    assert_stands_at(sim, Simulation(Scene(model, q=m.q, v=m.v)))


# --- the implicit engine, whose steps are not too long for anything ---


def stiff(v=(0.0, 0.0), **options):
    return Simulation(Scene(point_chain(2), q=np.array([1.0, 0.5]), v=np.array(v)), engine="stiff", dt=0.01, **options)


def test_stiff_engine_names_an_effort_that_is_too_strong():
    sim = stiff()
    sim.tau[1] = 1e9
    with pytest.raises(DivergenceError) as caught:
        sim.advance(0.1)
    assert "velocity of joint 'bob_" in str(caught.value)
    assert "is no number, or above max_speed = 10000" in str(caught.value)
    assert "an effort of 1e+09 on joint 'bob_1', whose inertia is 1, speeds it up by about 1e+07" in caught.value.cause
    assert "dt=" not in caught.value.cause
    assert_stands_at(sim, stiff())


def test_stiff_engine_names_a_wrench_that_is_too_strong():
    sim = stiff()
    sim.external[1, 3] = 1e9
    with pytest.raises(DivergenceError, match="the external wrench on body 'bob_1' has a force of 1e\\+09 N"):
        sim.advance(0.1)


def test_stiff_engine_does_not_speak_of_explicit_steps():
    """Half a turn in a step is much for an explicit one; here it is only more than was allowed."""
    sim = stiff(v=(40.0, 0.0), max_speed=40.5)
    sim.tau[0] = 100.0
    with pytest.raises(DivergenceError) as caught:
        sim.advance(10.0)
    text = str(caught.value)
    assert "above max_speed = 40.5" in text
    assert "what drives it" in text
    assert "a shorter dt is hardly a cure" in text
    for untrue in ("explicit", "try dt", "too long", "can follow"):
        assert untrue not in text


def test_stiff_engine_with_bodies_on_their_own_says_what_can_run_away():
    sim = stiff(v=(40.0, 0.0), max_speed=30.0, solver="ldlt", update="bodies")
    with pytest.raises(DivergenceError, match="each for itself open their joints.* try dt=0.0025, or update 'joints'"):
        sim.advance(10.0)
