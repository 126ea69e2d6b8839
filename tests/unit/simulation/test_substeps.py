"""Steps of changing length, automatic substeps, and steps that fail and are taken back."""

import math

import numpy as np
import pytest

from models import random_forest
from stringless.errors import DivergenceError, InputError, StringlessWarning
from stringless.model import Scene
from stringless.scenes import load_scene
from stringless.scenes.worm import RADIUS, build
from stringless.simulation import Simulation

DT = 1e-3


def arrays(sim):
    """All of the state, fixed nodes where their bones are."""
    _ = sim.flesh_positions
    return {name: getattr(sim.state, name).copy() for name in sim.state.arrays()} | {"dt": sim.state.dt}


def assert_same(found, expected):
    for name, value in expected.items():
        np.testing.assert_array_equal(found[name], value, err_msg=name)


def pulled(**options):
    """A worm torn at its end by a thousand newtons: too much for a step of a millisecond."""
    sim = Simulation(load_scene("worm"), dt=DT, **options)
    sim.external[-1, 4] = 1000.0
    return sim


# --- a step of another length -----------------------------------------------------------------------------------------


def test_pendulum_keeps_its_energy_through_many_changes_of_step():
    """Kicks from middle to middle: a row of uneven steps is a leapfrog, without a jump of velocity where it changes."""
    scene = load_scene("pendulum")

    def swing(changes):
        sim = Simulation(scene, dt=2e-3)
        totals = []
        for n in range(4000):
            if changes and n % 5 == 0:
                sim.configure(dt=(2e-3, 4e-3, 1e-3)[n // 5 % 3])
            sim.step()
            # The velocity at the time of q: v lags half a step behind.
            v = sim.v + 0.5 * sim.state.dt * sim.state.vdot
            other = Simulation(Scene(sim.model, q=sim.q, v=v))
            totals.append(other.energy().total)
        return np.array(totals)

    even, uneven = swing(False), swing(True)
    assert np.ptp(uneven) < 20 * np.ptp(even)
    late, early = uneven[-1000:].mean(), uneven[:1000].mean()
    assert abs(late - early) < np.ptp(even)


def test_flight_of_bones_and_flesh_goes_on_along_its_parabola():
    """The centre of gravity of a leapfrog lies on a parabola exactly, whatever the lengths of its steps."""
    model = build("free").build()
    q = model.neutral()
    q[1] = 50.0
    sim = Simulation(Scene(model, q=q, v=np.r_[1.0, 2.0, 0.5, 1.0, 3.0, -1.0, np.linspace(-1, 1, 6)]), dt=DT)
    sim.step(20)
    lag = 0.5 * sim.state.dt
    start, x0 = sim.time, sim.center_of_gravity
    v0 = sim.center_of_gravity_velocity + lag * sim.model.gravity
    for dt in (5e-4, 1e-3, 2.5e-4, 7e-4):
        sim.configure(dt=dt)
        sim.step(50)
        t = sim.time - start
        # The bones' share is exact to first order only where they turn; the fall must be far better than g h t.
        off = sim.center_of_gravity - (x0 + t * v0 + 0.5 * t * t * sim.model.gravity)
        assert np.abs(off).max() < 1e-4


def test_changed_step_survives_save_and_restore():
    sim = Simulation(load_scene("worm"), dt=DT)
    sim.step(140)
    saved = sim.save()
    assert saved.dt == DT
    sim.configure(dt=5e-4)
    sim.step(50)
    first = arrays(sim)
    sim.restore(saved)
    sim.step(50)
    assert_same(arrays(sim), first)


# --- substeps ---------------------------------------------------------------------------------------------------------


def test_calm_scene_is_not_divided_and_moves_as_without():
    plain, auto = (Simulation(load_scene("worm"), substeps=mode) for mode in ("off", "auto"))
    for sim in (plain, auto):
        sim.step(500)
    assert auto.substeps == (0, 1)
    assert_same(arrays(auto), arrays(plain))


def test_scene_that_diverges_without_survives_with():
    with pytest.raises(DivergenceError):
        pulled().advance(0.4)
    sim = pulled(substeps="auto")
    sim.advance(0.4)
    assert sim.substeps.steps > 50
    assert sim.substeps.most > 2
    assert sim.time == pytest.approx(0.4)


def test_substeps_repeat_bit_by_bit_after_restore():
    sim = pulled(substeps="auto")
    sim.step(120)
    saved = sim.save()
    divided = sim.substeps.steps
    sim.step(80)
    assert sim.substeps.steps > divided
    first = arrays(sim)
    sim.restore(saved)
    for count in (1, 33, 46):
        sim.step(count)
    assert_same(arrays(sim), first)


def test_step_beyond_the_limit_is_divided_always_and_contact_stays_firm():
    rest = []
    for options in ({"dt": 1e-3}, {"dt": 8e-3, "substeps": "auto"}):
        sim = Simulation(load_scene("worm"), **options)
        sim.advance(3.0)
        rest.append(sim.center_of_gravity[1])
    assert sim.substeps == (375, 8)
    assert rest[1] == pytest.approx(rest[0], abs=0.05 * RADIUS)
    with pytest.warns(StringlessWarning):
        sim.configure(substeps="off")


def test_bones_alone_take_substeps_too():
    """A joint thrown around by an effort that turns it half a turn within a step."""
    model = random_forest(3, 8, springs=False)

    def thrown(**options):
        sim = Simulation(model, dt=4e-3, **options)
        sim.tau[:] = np.where(np.arange(model.nv) % 3 == 0, 2e3, 0.0)
        return sim

    with pytest.raises(DivergenceError):
        thrown().step(60)
    sim = thrown()
    sim.configure(substeps="auto")
    calm = sim.save()
    sim.step(3)
    assert sim.substeps.steps > 0
    sim.restore(calm)
    with pytest.raises(InputError, match="integrator 'rk4' takes the step it is given"):
        Simulation(model, integrator="rk4", substeps="auto")
    with pytest.raises(InputError, match="substeps 'some' is unknown; choose one of: off, auto"):
        sim.configure(substeps="some")


# --- a step that fails ------------------------------------------------------------------------------------------------


def sliding(dt=DT, **options):
    """A worm that slides over the floor, so that its anchors move at every step."""
    model = build("free").build()
    q = model.neutral()
    q[1] = RADIUS - 0.003
    v = np.zeros(model.nv)
    v[3:6] = 2.0, 0.0, 0.5
    return Simulation(Scene(model, q=q, v=v), dt=dt, **options)


@pytest.mark.parametrize("substeps", ["off", "auto"])
def test_failed_step_leaves_everything_as_it_was(substeps):
    sim, twin = sliding(substeps=substeps), sliding(substeps=substeps)
    for each in (sim, twin):
        each.step(40)
    assert np.any(sim.state.anchors["obstacle"] >= 0)
    before, effort = arrays(twin), twin.effort.copy()
    sim.external[2, 4] = math.nan
    sim.prescribed[6] = True
    with pytest.raises(DivergenceError):
        sim.step()
    assert_same(arrays(sim), before)
    assert sim.time == twin.time
    np.testing.assert_array_equal(sim.effort[6:7], effort[6:7])
    sim.external[2, 4], sim.prescribed[6] = 0.0, False
    for each in (sim, twin):
        each.step(20)
    assert_same(arrays(sim), arrays(twin))


def test_failure_within_a_divided_step_takes_back_the_whole_step():
    sim, twin = (pulled(substeps="auto", max_speed=20.0) for _ in range(2))
    with pytest.raises(DivergenceError):
        sim.step(1000)
    done = round(sim.time / DT)
    twin.step(done)
    assert sim.time == twin.time
    assert_same(arrays(sim), arrays(twin))
    with pytest.raises(DivergenceError):
        twin.step()


def test_failed_directed_step_leaves_anchors_and_memory_as_they_were():
    """While it slides, so that anchors and what directing remembers of the ground move at every step."""
    sim, twin = sliding(), sliding()
    for each in (sim, twin):
        each.director.center()
        each.step(40)
    before = arrays(twin)
    assert len(before["memory"]) > 0
    sim.external[2, 4] = math.nan
    with pytest.raises(DivergenceError):
        sim.step()
    assert_same(arrays(sim), before)
    sim.external[2, 4] = 0.0
    with pytest.raises(InputError, match="a directed scene takes the step it is given"):
        sim.configure(substeps="auto")
