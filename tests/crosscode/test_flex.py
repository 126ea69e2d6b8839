"""Flesh against MuJoCo's flex on the same mesh: elastic forces, a sagging bar, and its first vibration.

Its solid is St. Venant-Kirchhoff as well: within the range of strain the two programs must agree, and both with linear
elasticity where strains are small.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.linalg import eigsh, spsolve

from flesh_models import forces
from stringless.bench.flesh_cases import CHARACTERS
from stringless.bench.peers.base import UnsupportedError
from stringless.bench.peers.mujoco_flex import FlexModel
from stringless.flesh import generators
from stringless.flesh.lattice_cage import lattice_cage
from stringless.flesh.stability import stiffness
from stringless.flesh.wrap import wrap
from stringless.model import JointSpec, ModelBuilder, Scene
from stringless.scenes import bones, load_scene
from stringless.simulation import Simulation

pytest.importorskip("mujoco", reason="MuJoCo is not installed")

PEER = 1e-6
"""Relative: the same equations, solved in another order. We promise 5 %."""
THEORY = 1e-4
"""Relative: strains of a hundredth of a percent, and steps of a thousandth of the period."""
FORCES = 1e-9
"""Relative to the largest force: the same law, evaluated in another order."""
LENGTH, SIDE, DT = 0.32, 0.08, 1e-3


def cantilever(gravity: float, damping: float) -> Scene:
    """A bar of flesh whose first tenth is held by a plate fixed to the ground."""
    builder = ModelBuilder("cantilever", gravity=(0.0, gravity, 0.0))
    plate = bones.box((-0.01, 0.0, 0.0), (0.015, SIDE, SIDE))
    builder.add(bones.body("plate", plate, 1.0, joint=JointSpec(kind="fixed")))
    bar = generators.box((LENGTH / 2, 0.0, 0.0), (LENGTH, SIDE, SIDE))
    wrap(builder, bar, cage=lattice_cage(bar, cells=(10, 2, 2)), young=100e3, poisson=0.3, damping=damping, dt=DT)
    return Scene(builder.build())


def linear(scene: Scene):
    """Stiffness, masses and free coordinates of the linear bar."""
    flesh = scene.model.flesh
    part = flesh.specs[0]
    np.testing.assert_allclose(part.filled, 1.0, atol=1e-9)
    K = stiffness(part.nodes, part.tets, part.filled, *part.lame)
    free = np.repeat(~part.fixed, 3)
    assert 0 < part.fixed.sum() < 20
    return K[free][:, free].tocsc(), np.repeat(part.masses, 3)[free], free


def tip(scene: Scene) -> np.ndarray:
    """Numbers of the nodes at the free end."""
    return np.flatnonzero(scene.model.flesh.rest[:, 0] > LENGTH - 1e-6)


def their_tip(flex: FlexModel, nodes) -> float:
    """Mean height of the nodes at the free end."""
    return float(np.mean([flex.data.body(f"node_{i}").xpos[1] for i in nodes]))


def test_another_material_is_not_compared():
    """MuJoCo's flex knows St. Venant-Kirchhoff alone; the lamp is neo-Hookean."""
    with pytest.raises(UnsupportedError):
        FlexModel(load_scene("lamp"), DT)


@pytest.mark.parametrize("name", [name for name in CHARACTERS if name != "lamp"])
def test_elastic_forces_agree(name):
    """Every node moved at random, every element within its range; partly filled elements and tilted bones included."""
    scene = load_scene(name)
    flex = FlexModel(scene, DT)
    flesh = scene.model.flesh
    free = flesh.nodes["fixed"] == 0
    moved = 2e-4 * np.random.default_rng(0).uniform(-1, 1, (free.sum(), 3))
    x = Simulation(scene).flesh_positions.copy()
    x[free] += moved

    ours, flagged = forces(flesh, x)

    assert flagged == 0
    assert np.abs(ours[free]).max() > 1e-3
    np.testing.assert_allclose(flex.elastic_forces(moved), ours[free], rtol=0, atol=FORCES * np.abs(ours).max())


def test_sag_of_a_cantilever_under_gravity():
    """Damped until they hang still: the tip of ours, theirs and of the linear solution."""
    scene = cantilever(gravity=-0.05, damping=20.0)
    K, masses, free = linear(scene)
    load = np.zeros((len(masses) // 3, 3))
    load[:, 1] = -0.05 * masses[::3]
    u = np.zeros(len(free))
    u[free] = spsolve(K, load.ravel())
    expected = u.reshape(-1, 3)[tip(scene), 1].mean()
    sim, flex = Simulation(scene, dt=DT), FlexModel(scene, DT)

    sim.advance(3.0)
    flex.step(3000)
    ours, theirs = sim.flesh_positions[tip(scene), 1].mean(), their_tip(flex, tip(scene))

    assert -0.02 * LENGTH < expected < -0.001 * LENGTH, "small strains, but not none"
    assert ours == pytest.approx(theirs, rel=PEER)
    assert ours == pytest.approx(expected, rel=THEORY)


def test_first_vibration_of_a_cantilever():
    """Released with the shape of the first mode: the period of ours, theirs and of the linear solution."""
    scene = cantilever(gravity=0.0, damping=0.0)
    K, masses, free = linear(scene)
    root = np.sqrt(masses)
    values, vectors = eigsh(K.multiply(1 / np.outer(root, root)).tocsc(), k=2, sigma=0)
    # The bar is square: two equal modes, up and down and sideways; take the part of the first that goes up and down.
    frequency = np.sqrt(values[0]) / (2 * np.pi)
    mode = np.zeros(len(free))
    mode[free] = vectors[:, 0] / root
    mode = mode.reshape(-1, 3)
    mode *= 1e-3 / np.abs(mode).max()
    axis = int(np.argmax(np.abs(mode[tip(scene)]).max(axis=0)))
    sim, flex = Simulation(scene, dt=DT), FlexModel(scene, DT)
    sim.state.x[:] += mode
    for node, shift in enumerate(mode):
        if not scene.model.flesh.nodes[node]["fixed"]:
            at = flex.model.jnt_qposadr[flex.model.body(f"node_{node}").jntadr[0]]
            flex.data.qpos[at : at + 3] = shift

    ours, theirs = [], []
    for _ in range(2000):
        sim.step()
        flex.step(1)
        ours.append(sim.state.x[tip(scene), axis].mean())
        theirs.append(np.mean([flex.data.body(f"node_{i}").xpos[axis] for i in tip(scene)]))

    rest = scene.model.flesh.rest[tip(scene), axis].mean()
    found, other = rate_of_crossings(np.array(ours) - rest), rate_of_crossings(np.array(theirs) - rest)
    assert found == pytest.approx(other, rel=PEER)
    assert found == pytest.approx(frequency, rel=THEORY)


def rate_of_crossings(values: np.ndarray) -> float:
    """Frequency of a vibration from its first and last way up through zero [Hz]."""
    up = np.flatnonzero((values[:-1] < 0) & (values[1:] >= 0))
    assert len(up) >= 3, "two whole periods"
    moments = up + values[up] / (values[up] - values[up + 1])
    return (len(up) - 1) / ((moments[-1] - moments[0]) * DT)
