"""Springs from points of bodies to points of the world: their force, in all engines, on record and in files."""

import dataclasses

import numpy as np
import pytest

from stringless.dynamics.pulls import pull_wrenches
from stringless.errors import ModelError
from stringless.formats.toml import read_toml, write_toml
from stringless.kinematics import body_poses
from stringless.model import Model, Pull, Scene
from stringless.scenes import load_scene
from stringless.scenes.pendulums import chain
from stringless.simulation import Simulation

PULL = Pull("link_4", anchor=(0.4, -0.2, 0.1), stiffness=7.0, damping=0.5, point=(0.01, -0.05, 0.02))


def hanging() -> Model:
    return chain(6, length=0.06, mass=0.02, damping=0.01, name="pulled").build()


def test_force_is_that_of_the_spring_and_its_damper():
    model, rng = hanging(), np.random.default_rng(3)
    q, v = rng.normal(size=model.nq), rng.normal(size=model.nv)
    ahead = 1e-6

    def where(q):
        poses = body_poses(model, q)
        return poses.position[4] + poses.rotation[4] @ PULL.point

    speed = (where(q + ahead * v) - where(q - ahead * v)) / (2 * ahead)
    force = 7.0 * (np.array(PULL.anchor) - where(q)) - 0.5 * speed
    wrench = pull_wrenches(model, [PULL], q, v)
    R = body_poses(model, q).rotation[4]
    np.testing.assert_allclose(R @ wrench[4, 3:], force, atol=1e-8)
    np.testing.assert_allclose(wrench[4, :3], np.cross(PULL.point, wrench[4, 3:]), atol=1e-12)
    assert np.linalg.norm(force) > 0.1
    assert np.count_nonzero(wrench.any(axis=1)) == 1


@pytest.mark.parametrize("engine", ["reduced", "stiff", "adaptive"])
def test_engines_feel_it_at_every_step(engine):
    pulled = Simulation(Scene(hanging(), engine=engine, pulls=(PULL,)), record=0, dt=1e-3)
    by_hand = Simulation(Scene(hanging(), engine=engine), record=0, dt=1e-3)
    pulled.step(50)
    for _ in range(50):
        by_hand.external = pull_wrenches(by_hand.model, [PULL], by_hand.q, by_hand.v)
        by_hand.step(1)
    assert np.abs(pulled.q).max() > 0.01
    np.testing.assert_array_equal(pulled.q, by_hand.q)


def test_it_adds_to_other_forces_and_stays_when_the_scene_is_rewound():
    sim = Simulation(Scene(hanging(), pulls=(PULL,)))
    sim.external[5, 4] = 0.1
    sim.step(200)
    there = sim.q.copy()
    sim.go_to(0.05)
    sim.external[5, 4] = 0.1
    sim.step(150)
    np.testing.assert_array_equal(sim.q, there)


def test_files_keep_pulls(tmp_path):
    scene = load_scene("pulled_pendulum")
    again = read_toml(write_toml(scene, tmp_path / "scene.toml"))
    assert again.pulls == scene.pulls
    assert len(again.pulls) == 1


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"body": "link_44"}, "body 'link_44'"),
        ({"stiffness": float("nan")}, "stiffness = nan"),
        ({"damping": -1.0}, "damping = -1.0"),
        ({"anchor": (0.0, float("inf"), 0.0)}, "anchor ="),
        ({"point": (0.0, 0.0)}, "point ="),
    ],
)
def test_impossible_pulls_are_refused(change, text):
    with pytest.raises(ModelError, match="pull 1") as caught:
        Scene(hanging(), pulls=(dataclasses.replace(PULL, **change),))
    assert text in str(caught.value)
