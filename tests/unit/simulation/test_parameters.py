"""Parameters that change while a simulation runs, and the warning of a step that is too long."""

import json
import math
import warnings

import numpy as np
import pytest

from models import point_chain
from stringless.errors import InputError, ModelError, StringlessWarning
from stringless.flesh import generators
from stringless.flesh.stability import MARGIN, part_limit
from stringless.flesh.wrap import wrap
from stringless.model import ModelBuilder, Scene
from stringless.scenes import bones, load_scene
from stringless.scenes.worm import build
from stringless.simulation import Simulation

CHANGES = {
    "dt": 7e-4,
    "stop_frequency": 60.0,
    "friction": 0.2,
    "contact_stiffness": 0.5,
    "restitution": 0.3,
    "flesh_damping": 2.0,
    "flesh_stiffness": 0.5,
    "diagonalization": "full",
    "max_speed": 500.0,
    "flesh": {"foot": {"young": 60e3, "poisson": 0.3, "damping": 20.0}, "shade": {"young": 15e3}},
}


@pytest.fixture(scope="module")
def lamp():
    return load_scene("lamp")


def picture(sim):
    return np.concatenate([sim.q, sim.v, sim.flesh_positions.ravel(), sim.state.xdot.ravel()])


def test_parameters_round_trip_through_text(lamp):
    sim = Simulation(lamp)
    sim.configure(**CHANGES)
    told = sim.parameters()
    assert told["flesh"]["foot"] == CHANGES["flesh"]["foot"]
    assert told["flesh"]["shade"] == {"young": 15e3, "poisson": 0.33, "damping": 12.0}
    assert {name: told[name] for name in CHANGES if name != "flesh"} == {
        name: value for name, value in CHANGES.items() if name != "flesh"
    }
    other = Simulation(lamp)
    other.configure(**json.loads(json.dumps(told)))
    assert other.parameters() == told
    for each in (sim, other):
        each.advance(0.2)
    np.testing.assert_array_equal(picture(sim), picture(other))


def test_changed_while_running_equals_built_that_way():
    """Everything that acts through forces alone: the same state and parameters give the same motion."""
    scene = load_scene("worm")
    sim = Simulation(scene)
    sim.step(145)  # it touches the floor by then
    sim.configure(friction=0.1, contact_stiffness=0.4, restitution=0.2, flesh_damping=3.0, stop_frequency=50.0)
    sim.configure(flesh={"worm": {"young": 20e3, "damping": 30.0}})
    other = Simulation(
        build(young=20e3).build(),
        friction=0.1,
        contact_stiffness=0.4,
        restitution=0.2,
        flesh_damping=7.5,
        stop_frequency=50.0,
    )
    other.restore(sim.save())
    sim.step(25)
    other.step(25)
    assert sim.engine.workspace.counts[1] > 20
    np.testing.assert_allclose(picture(sim), picture(other), rtol=0, atol=1e-11)


@pytest.mark.parametrize(
    "change",
    [
        {"friction": 0.05},
        {"contact_stiffness": 0.3},
        {"restitution": 0.0},
        {"flesh_damping": 5.0},
        {"flesh_stiffness": 0.5},
        {"flesh": {"worm": {"young": 15e3}}},
        {"flesh": {"worm": {"poisson": 0.2}}},
        {"flesh": {"worm": {"damping": 40.0}}},
        {"dt": 5e-4},
    ],
)
def test_change_takes_effect_at_the_next_step(change):
    model = build("free").build()
    sim, other = Simulation(model), Simulation(model)
    for each in (sim, other):
        each.state.q[1] = 0.04
        each.set_state(q=each.q, v=[0.3, 0.1, 0.2, 0.5, -0.2, 0.2, 1, -1, 1, -1, 1, -1])
        each.step(80)
    np.testing.assert_array_equal(picture(sim), picture(other))
    other.configure(**change)
    for each in (sim, other):
        each.step(150)
    assert np.abs(picture(sim) - picture(other)).max() > 1e-7


def test_frozen_model_stays_as_it_was(lamp):
    flesh = lamp.model.flesh
    before = [table.copy() for table in (flesh.nodes, flesh.materials, flesh.vertices)]
    sim = Simulation(lamp)
    sim.configure(**CHANGES)
    for table, old in zip((flesh.nodes, flesh.materials, flesh.vertices), before, strict=True):
        np.testing.assert_array_equal(table, old)
    assert Simulation(lamp).parameters()["flesh"]["foot"]["young"] == 80e3


def test_energy_knows_the_material_of_now():
    sim = Simulation(load_scene("worm"))
    free = sim.model.flesh.nodes["fixed"] == 0
    sim.state.x[free, 1] *= 1.05
    fall = -sim.model.gravity[1] * np.sum(sim.model.flesh.nodes["mass"][free] * sim.state.x[free, 1])
    bones_only = sim.energy().potential
    sim.configure(flesh_stiffness=1.5)
    more = sim.energy().potential - bones_only
    sim.configure(flesh_stiffness=2.0)
    assert more > 1e-6 * fall
    assert sim.energy().potential - bones_only == pytest.approx(2 * more, rel=1e-9)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dt": -1.0}, "dt is -1.0, expected a finite number above 0"),
        ({"flesh_stiffness": 0.0}, "flesh_stiffness is 0.0, expected a finite number above 0"),
        ({"friction": math.nan}, "friction is nan, expected a finite number of 0 or more"),
        ({"integrator": "rk4"}, "'integrator' cannot change while a simulation runs; make a new one with it"),
        ({"mood": 1.0}, "a simulation has no parameter 'mood'; it has: dt, stop_frequency, friction"),
        ({"flesh": {"foto": {"young": 1e4}}}, "there is no flesh 'foto'. Did you mean 'foot'"),
        ({"flesh": {"foot": {"density": 1e3}}}, "'density' of flesh 'foot' cannot change; these can: young, poisson"),
        ({"flesh": {"foot": {"young": -1.0}}}, "Young's modulus is -1.0 Pa; expected a finite number above 0"),
        ({"flesh": {"foot": {"poisson": 0.5}}}, "Poisson's ratio is 0.5"),
        ({"flesh": {"foot": {"damping": math.inf}}}, "damping is inf 1/s; expected a finite number of 0 or more"),
        ({"flesh": {"foot": {"young": "soft"}}}, "a parameter of flesh 'foot' is not a number"),
    ],
)
def test_all_or_nothing(lamp, changes, message):
    sim = Simulation(lamp)
    before = sim.parameters()
    tables = sim.engine.workspace.nodes, sim.engine.workspace.materials, sim.engine.workspace.contact_record
    with pytest.raises(InputError) as caught:
        sim.configure(restitution=0.1, **changes)
    assert message in str(caught.value)
    assert sim.parameters() == before
    assert (sim.engine.workspace.nodes, sim.engine.workspace.materials, sim.engine.workspace.contact_record) == tables


def test_flesh_of_a_scene_without_flesh():
    sim = Simulation(load_scene("ragdoll"))
    assert "flesh" not in sim.parameters()
    with pytest.raises(InputError, match="there is no flesh 'worm'"):
        sim.configure(flesh={"worm": {"young": 1.0}})
    sim.configure(**sim.parameters())


def test_two_parts_of_one_name_are_refused():
    builder = ModelBuilder("twins").add(bones.body("core", bones.sphere((0.0, 0.0, 0.0), 0.05), 1.0))
    for _ in range(2):
        wrap(builder, generators.sphere(radius=0.1, rings=9, sides=12), cells=(4, 4, 4))
    with pytest.raises(ModelError, match="flesh 'flesh': found 2 of this name; expected one"):
        builder.build()


# --- the step that flesh can take -------------------------------------------------------------------------------------


def test_step_too_long_is_warned_of_with_what_would_do():
    model = build().build()
    limit = model.flesh.specs[0].step_limit
    with pytest.warns(StringlessWarning) as heard:
        sim = Simulation(model, dt=0.8 * limit)
    text = str(heard[0].message)
    assert "is 0.80 of the longest that the flesh 'worm' can take" in text
    assert f"Take dt={MARGIN * limit:.3g}" in text
    softer = 30e3 * (MARGIN / 0.8) ** 2
    assert f"a Young's modulus of {softer:.3g} Pa" in text
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sim.configure(flesh={"worm": {"young": float(f"{softer:.3g}")}})
        sim.configure(dt=MARGIN * limit)
        Simulation(model, dt=0.69 * limit)
    with pytest.warns(StringlessWarning, match="of the longest that the flesh 'worm' can take"):
        sim.configure(flesh_stiffness=4.0)


def test_limit_follows_the_material():
    sim = Simulation(load_scene("worm"))
    first = sim.flesh.specs[0].step_limit
    sim.configure(flesh={"worm": {"young": 15e3}})
    assert sim.flesh.specs[0].step_limit == pytest.approx(math.sqrt(2) * first, rel=1e-9)
    sim.configure(flesh={"worm": {"young": 30e3}})
    assert sim.flesh.specs[0].step_limit == first == part_limit(sim.flesh.specs[0])


def test_each_part_scales_its_contact_from_its_own_step():
    builder = ModelBuilder("two")
    for name, x, dt in (("a", 0.0, 1e-3), ("b", 1.0, 5e-4)):
        builder.add(bones.body(f"core_{name}", bones.sphere((x, 0.0, 0.0), 0.05), 1.0))
        skin = generators.sphere(radius=0.1, rings=9, sides=12)
        skin = type(skin)(skin.vertices + [x, 0.0, 0.0], skin.triangles)
        wrap(builder, skin, name=name, bones=[f"core_{name}"], cells=(4, 4, 4), dt=dt)
    sim = Simulation(builder.build(), dt=1e-3)
    half = len(sim.engine.workspace.vertices) // 2
    kn, cn = sim.engine.workspace.vertices["kn"], sim.engine.workspace.vertices["cn"]
    # The same ball twice: at the same step both must be as firm, whatever step they were wrapped for.
    np.testing.assert_allclose(kn[:half], kn[half:], rtol=1e-9)
    np.testing.assert_allclose(cn[:half], cn[half:], rtol=1e-9)
    sim.configure(dt=5e-4)
    np.testing.assert_allclose(sim.engine.workspace.vertices["kn"][:half], 4 * kn[:half], rtol=1e-12)


@pytest.mark.parametrize(("engine", "dt"), [("reduced", 1e-3), ("stiff", 1e-2)])
def test_joint_springs_of_another_strength_are_those_of_another_model(engine, dt):
    """Springs and dampers times three, by the parameter and by the model, in both engines."""

    def end(springs, factor):
        model = point_chain(3, stiffness=(factor * 20.0,), damping=(factor * 0.3,))
        sim = Simulation(Scene(model, q=np.array([0.5, -0.3, 0.2])), engine=engine, dt=dt, joint_springs=springs)
        sim.advance(0.5)
        return sim.q

    np.testing.assert_allclose(end(3.0, 1.0), end(1.0, 3.0), rtol=1e-12)
    assert np.abs(end(3.0, 1.0) - end(1.0, 1.0)).max() > 0.01


def test_a_fork_shares_the_tables_of_its_parameters():
    sim = Simulation(load_scene("worm"), record=0)
    fork = sim.fork()
    assert fork.parameter_set.setup is sim.parameter_set.setup, "made again, they took 3 ms of every look ahead"
    fork.configure(friction=0.1)
    assert sim.config.friction != 0.1
