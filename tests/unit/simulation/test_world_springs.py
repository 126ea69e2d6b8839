"""Springs from points of bodies to points of the world: their force, in all engines, on record and in files."""

import dataclasses

import numpy as np
import pytest

import stringless as sl
from stringless.dynamics.hybrid import world_spring_wrenches
from stringless.errors import ModelError
from stringless.formats.toml import read_toml, write_toml
from stringless.kinematics import body_poses
from stringless.model import Model, Scene, WorldSpring
from stringless.scenes import load_scene
from stringless.scenes.combined_model import combine_models
from stringless.scenes.pendulums import chain
from stringless.simulation import Simulation

ROUNDING = 1e-12
"""The adaptive engine finds the force from its clusters, in another order of sums."""
SPRING = WorldSpring("link_4", anchor=(0.4, -0.2, 0.1), stiffness=7.0, damping=0.5, point=(0.01, -0.05, 0.02))


def hanging() -> Model:
    return chain(6, length=0.06, mass=0.02, damping=0.01, name="pulled").build()


def test_force_is_that_of_the_spring_and_its_damper():
    model, rng = hanging(), np.random.default_rng(3)
    q, v = rng.normal(size=model.nq), rng.normal(size=model.nv)
    ahead = 1e-6

    def where(q):
        poses = body_poses(model, q)
        return poses.position[4] + poses.rotation[4] @ SPRING.point

    speed = (where(q + ahead * v) - where(q - ahead * v)) / (2 * ahead)
    force = 7.0 * (np.array(SPRING.anchor) - where(q)) - 0.5 * speed
    wrench = world_spring_wrenches(model, [SPRING], q, v)
    R = body_poses(model, q).rotation[4]
    np.testing.assert_allclose(R @ wrench[4, 3:], force, atol=1e-8)
    np.testing.assert_allclose(wrench[4, :3], np.cross(SPRING.point, wrench[4, 3:]), atol=1e-12)
    assert np.linalg.norm(force) > 0.1
    assert np.count_nonzero(wrench.any(axis=1)) == 1


@pytest.mark.parametrize("engine", ["reduced", "stiff", "adaptive"])
def test_engines_feel_it_at_every_step(engine):
    pulled = Simulation(Scene(hanging(), engine=engine, world_springs=(SPRING,)), record=0, dt=1e-3)
    by_hand = Simulation(Scene(hanging(), engine=engine), record=0, dt=1e-3)
    pulled.step(50)
    for _ in range(50):
        by_hand.external = world_spring_wrenches(by_hand.model, [SPRING], by_hand.q, by_hand.v)
        by_hand.step(1)
    assert np.abs(pulled.q).max() > 0.01
    np.testing.assert_allclose(pulled.q, by_hand.q, rtol=0, atol=0 if engine != "adaptive" else ROUNDING)


def test_clusters_are_pulled_as_their_bodies_are():
    """Some of the joints are held, and of two chains only one is pulled, by two springs beside another force."""
    low = dataclasses.replace(SPRING, body="b_link_1", anchor=(0.3, 0.0, 0.0))
    high = dataclasses.replace(SPRING, body="b_link_5", anchor=(-0.2, -0.1, 0.2))
    model = combine_models("two", [("a_", hanging()), ("b_", hanging())], [])
    pulled, by_hand = (
        Simulation(
            Scene(model, engine="adaptive", world_springs=world_springs), active=2, update_every=7, record=0, dt=1e-3
        )
        for world_springs in ((high, low), ())
    )
    push = np.zeros((model.body_count, 6))
    push[model.body("b_link_3").index, 3] = 0.02
    pulled.external = push
    for _ in range(60):
        by_hand.external = push + world_spring_wrenches(model, [high, low], by_hand.q, by_hand.v)
        by_hand.step(1)
    pulled.step(60)
    assert by_hand.active_joints.sum() < model.body_count
    assert np.abs(pulled.q[6:]).max() > 0.05
    np.testing.assert_array_equal(pulled.active_joints, by_hand.active_joints)
    np.testing.assert_allclose(pulled.q, by_hand.q, rtol=0, atol=ROUNDING)


def test_what_is_held_whole_feels_its_spring_when_joints_are_chosen():
    sim = Simulation(Scene(hanging(), engine="adaptive", world_springs=(SPRING,)), max_error=1e3, record=0)
    sim.step(50)
    assert not sim.active_joints.any(), "an error that nothing exceeds holds all of it"
    sim.configure(max_error=1e-9)
    sim.step(50)
    assert np.abs(sim.q).max() > 0.001


def test_steps_of_one_call_are_those_of_many():
    one, many = (
        Simulation(Scene(hanging(), engine="adaptive", world_springs=(SPRING,)), active=3, record=0) for _ in range(2)
    )
    one.step(100)
    for _ in range(100):
        many.step(1)
    np.testing.assert_array_equal(one.q, many.q)


def test_it_adds_to_other_forces_and_stays_when_the_scene_is_rewound():
    sim = Simulation(Scene(hanging(), world_springs=(SPRING,)))
    sim.external[5, 4] = 0.1
    sim.step(200)
    there = sim.q.copy()
    sim.go_to(0.05)
    sim.external[5, 4] = 0.1
    sim.step(150)
    np.testing.assert_array_equal(sim.q, there)


def test_files_keep_world_springs(tmp_path):
    scene = load_scene("pulled_pendulum")
    again = read_toml(write_toml(scene, tmp_path / "scene.toml"))
    assert again.world_springs == scene.world_springs
    assert len(again.world_springs) == 1


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"body": "link_44"}, "body 'link_44'"),
        ({"stiffness": float("nan")}, "stiffness = nan"),
        ({"damping": -1.0}, "damping = -1.0"),
        ({"anchor": (0.0, float("inf"), 0.0)}, "anchor ="),
        ({"point": (0.0, 0.0)}, "point ="),
        ({"point": 0.1}, "point = 0.1"),
        ({"anchor": ("0", "1", "2")}, "anchor ="),
        ({"stiffness": "firm"}, "stiffness = 'firm'; expected a finite number"),
        ({"stiffness": True}, "stiffness = True"),
        ({"damping": None}, "damping = None"),
    ],
)
def test_impossible_world_springs_are_refused(change, text):
    with pytest.raises(ModelError, match="world spring 1") as caught:
        Scene(hanging(), world_springs=(dataclasses.replace(SPRING, **change),))
    assert text in str(caught.value)


def test_former_names_are_deprecated():
    with pytest.warns(DeprecationWarning, match=r"stringless\.Pull is called stringless\.WorldSpring now"):
        assert sl.Pull is WorldSpring
    with pytest.warns(DeprecationWarning, match=r"argument 'pulls' of Scene\.__init__ is called 'world_springs' now"):
        scene = Scene(hanging(), pulls=(SPRING,))
    with pytest.warns(DeprecationWarning, match=r"scene\.pulls is called scene\.world_springs now"):
        assert scene.pulls == (SPRING,)
