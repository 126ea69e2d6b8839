"""The built-in scenes: they build, run, keep to physics and describe themselves."""

import numpy as np
import pytest

from small_scenes import load_small
from stringless.errors import InputError
from stringless.scenes import SCENES, load_scene
from stringless.simulation import Simulation


@pytest.mark.parametrize("name", SCENES)
def test_scene_runs_half_a_second(name):
    scene = load_small(name)
    assert scene.name == name
    assert scene.description.endswith(".")
    sim = Simulation(scene)
    sim.advance(0.5)
    assert np.all(np.isfinite(sim.q))
    assert np.all(np.isfinite(sim.v))
    assert not np.array_equal(sim.q, scene.q)


@pytest.mark.parametrize("name", SCENES)
def test_scene_does_not_gain_energy(name):
    """Nothing in a scene drives it: energy may only fall, apart from the first-order error of the step."""
    sim = Simulation(load_small(name))
    start, most = sim.energy().total, sim.energy().kinetic
    for _ in range(25):
        sim.step(20)
        energy = sim.energy()
        most = max(most, energy.kinetic)
        assert energy.total < start + 0.02 * most + 1e-9


@pytest.mark.parametrize("name", SCENES)
def test_scene_is_the_same_every_time(name):
    one, two = load_small(name), load_small(name)
    np.testing.assert_array_equal(one.q, two.q)
    np.testing.assert_array_equal(one.model.tree["I_o"], two.model.tree["I_o"])


def test_unknown_scene_is_answered_with_the_nearest():
    with pytest.raises(InputError, match="there is no scene 'pendulums'. Did you mean 'pendulum'?"):
        load_scene("pendulums")
