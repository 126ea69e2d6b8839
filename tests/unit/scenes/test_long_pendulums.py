"""Pendulums of very many links: as long whatever their number, side by side, and pulled by a spring."""

import numpy as np
import pytest

from stringless.errors import InputError
from stringless.kinematics import body_poses
from stringless.scenes import load_scene
from stringless.scenes.pendulums import APART, REACH
from stringless.simulation import Simulation


@pytest.mark.parametrize("links", [20, 300])
def test_pendulum_is_equally_long_and_heavy_whatever_its_links(links):
    model = load_scene("long_pendulum", links=links).model
    assert model.body_count == links
    assert model.mass == pytest.approx(9.0)
    assert body_poses(model, model.neutral()).position[-1][1] == pytest.approx(-REACH * (1 - 1 / links))


def test_pendulums_hang_side_by_side_and_move_alike():
    scene = load_scene("long_pendulum", links=10, count=3)
    assert [body.name for body in scene.model.bodies if body.parent < 0] == ["p0_link_0", "p1_link_0", "p2_link_0"]
    sim = Simulation(scene)
    sim.advance(0.2)
    place = sim.body_poses().position.reshape(3, 10, 3)
    np.testing.assert_array_equal(place[0, :, :2], place[2, :, :2])
    np.testing.assert_allclose(place[1] - place[0], np.tile((0.0, 0.0, APART), (10, 1)), atol=1e-12)


def test_pendulums_side_by_side_have_budgets_of_their_own():
    sim = Simulation(load_scene("long_pendulum", links=10, count=2), active={"p0_link_0": 2, "p1_link_0": 7})
    sim.step(30)
    assert sim.active_joints.reshape(2, 10).sum(axis=1).tolist() == [2, 7]


def test_five_pendulums_move_with_as_many_joints_as_they_say():
    scene = load_scene("five_pendulums")
    assert list(scene.active.values()) == [300, 100, 50, 20, 1]
    sim = Simulation(scene, record=0)
    sim.step(20)
    assert sim.active_joints.reshape(5, 300).sum(axis=1).tolist() == [300, 100, 50, 20, 1]
    assert Simulation(scene, active=7, record=0).config.active == 7, "a person may choose otherwise"
    assert Simulation(scene, max_error=1.0, record=0).config.active is None
    assert Simulation(scene, engine="reduced", record=0).config.active is None


@pytest.mark.parametrize(
    ("options", "text"), [({"links": 0}, "0 links"), ({"links": 5, "count": 0}, "0 pendulums"), ({"count": 1.5}, "1.5")]
)
def test_impossible_pendulums_are_refused(options, text):
    with pytest.raises(InputError, match=f"{text}.*expected a whole number of 1 or more"):
        load_scene("long_pendulum", **options)


def test_pulled_pendulum_comes_to_rest_near_the_anchor():
    scene = load_scene("pulled_pendulum")
    (spring,) = scene.world_springs
    sim = Simulation(scene, active=10, record=0)
    sim.step(3000)
    assert (
        np.linalg.norm(sim.body_poses().position[30] - spring.anchor) < 0.3
    )  # its weight over the stiffness is 0.33 m
    assert np.abs(sim.v).max() < 1.0
