"""Trees that nothing holds: no step, however long, changes their momenta or raises their energy."""

import numpy as np
import pytest

from stiff_models import bodies_of, momenta_of, total_momentum
from stringless import LoopSpec, ModelBuilder, Scene, Simulation, load
from stringless.model import Pose


def weightless(name):
    """A scene of the gallery without gravity."""
    scene = load(name)
    builder = ModelBuilder(f"weightless {name}", gravity=(0.0, 0.0, 0.0))
    for spec in scene.model.specs:
        builder.add(spec)
    return Scene(builder.build(), q=scene.q, v=scene.v)


def watched(scene, seconds, **options):
    """A simulation after some time, and its energies on the way."""
    sim = Simulation(scene, record=0, **options)
    energies = [sim.energy().total]
    for _ in range(round(seconds / sim.config.dt)):
        sim.step()
        energies.append(sim.energy().total)
    return sim, np.array(energies)


@pytest.fixture(scope="module")
def exact():
    """Energies of the whirling humanoid in short steps of the other engine, 1 ms apart."""
    return watched(weightless("humanoid"), 2.0, engine="reduced", dt=1e-3)[1]


@pytest.mark.parametrize(("dt", "within"), [(1 / 120, 0.002), (1 / 60, 0.003), (1 / 30, 0.015)])
def test_a_whirling_humanoid_gains_no_energy(exact, dt, within):
    sim, energies = watched(weightless("humanoid"), 2.0, engine="stiff", dt=dt)
    assert exact[-1] < 0.99 * exact[0], "dampers take some"
    assert energies.max() < (1 + 0.5 * within) * energies[0]
    assert abs(energies[-1] - exact[-1]) < within * exact[-1]
    start = weightless("humanoid")
    bodies = bodies_of(start.model, start.q, start.v)
    before = total_momentum(bodies, momenta_of(start.model, bodies))
    after = total_momentum(bodies_of(sim.model, sim.q, sim.v), sim.state.kept)
    assert np.abs(before).max() > 1
    assert np.abs(after - before).max() < 1e-9 * np.abs(before).max()


def test_joints_that_are_led_keep_their_rates():
    """However the tree around them whirls, what is prescribed goes its way."""
    scene = weightless("humanoid")
    sim = Simulation(scene, engine="stiff", dt=1 / 20, record=0)
    led = np.array([joint.v_slice.start for joint in sim.model.joints if joint.kind.name == "revolute"][:3])
    sim.v[led] = 0.5
    sim.prescribed[led] = True
    for _ in range(20):
        sim.step()
        np.testing.assert_allclose(sim.v[led], 0.5, atol=1e-12)
    assert np.abs(sim.v).max() > 3


@pytest.mark.parametrize(("radius", "dt"), [(0.02, 0.1), (0.005, 1 / 60), (0.002, 1 / 120)])
def test_a_thin_rod_tumbles_without_gaining_energy(radius, dt):
    """About itself it has up to 40,000 times less inertia than across: a trifle of momentum there is a lot of energy."""
    builder = ModelBuilder("rod", gravity=(0.0, 0.0, 0.0))
    across = 1 / 12 + radius**2 / 4
    builder.add_body("rod", joint="free", mass=1.0, inertia=(across, radius**2 / 2, across, 0.0, 0.0, 0.0))
    sim, energies = watched(
        Scene(builder.build(), v=np.array([5.0, 0.1, 3.0, 0.0, 0.0, 0.0])), 5.0, engine="stiff", dt=dt
    )
    assert np.abs(energies / energies[0] - 1).max() < 1e-9
    assert np.abs(sim.q[3:7] - [0, 0, 0, 1]).max() > 0.1


def welded(dt, kind):
    """Two free bodies that a loop makes one, turning and flying."""
    builder = ModelBuilder("welded", gravity=(0.0, 0.0, 0.0))
    body = {"mass": 1.0, "inertia": (0.01, 0.02, 0.03, 0.0, 0.0, 0.0)}
    builder.add_body("one", joint="free", **body)
    builder.add_body("two", joint="free", place=Pose((0.4, 0.0, 0.0)), **body)
    builder.close(LoopSpec("seam", kind, "one", "two", (0.2, 0.0, 0.0), (-0.2, 0.0, 0.0)))
    turn = np.array([0.5, 1.0, 5.0])
    v = np.concatenate([turn, [1.0, 0.0, 0.0], turn, np.cross(turn, [0.4, 0.0, 0.0]) + [1.0, 0.0, 0.0]])
    return Simulation(Scene(builder.build(), v=v), engine="stiff", dt=dt, record=0)


@pytest.mark.parametrize("kind", ["point", "hinge", "weld"])
@pytest.mark.parametrize("dt", [1 / 120, 1 / 30])
def test_free_bodies_that_a_loop_ties_keep_their_momenta(kind, dt):
    sim = welded(dt, kind)
    sim.step()
    before = total_momentum(bodies_of(sim.model, sim.q, sim.v), sim.state.kept)
    for _ in range(round(2 / dt)):
        sim.step()
    after = total_momentum(bodies_of(sim.model, sim.q, sim.v), sim.state.kept)
    assert np.abs(before).max() > 1
    assert np.abs(after - before).max() < 1e-9 * np.abs(before).max()
    assert sim.joint_gap < 1e-9
