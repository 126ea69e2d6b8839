"""What a frame tells is what is there."""

from __future__ import annotations

import numpy as np
import pytest

import stringless as sl
from stringless.model import JointSpec, ModelBuilder, Scene
from stringless.model.pose import quaternion_from_matrix
from stringless.scenes import bones
from stringless.scenes.ground import floor
from stringless.studio.builders.frame import FrameBuilder, find_flagged, find_quaternions, list_contacts
from stringless.studio.builders.scene import build_scene
from stringless.timeline.drawing import draw


def test_quaternions_are_those_of_the_rotations():
    rng = np.random.default_rng(1)
    axes = np.concatenate([np.eye(3), -np.eye(3), rng.normal(size=(200, 3))])
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    angles = np.concatenate([[0.0, np.pi, np.pi, np.pi, 3.0, -3.0], rng.uniform(-np.pi, np.pi, 200)])
    K = np.cross(np.eye(3), axes[:, None, :])
    s, c = np.sin(angles)[:, None, None], np.cos(angles)[:, None, None]
    R = np.eye(3) - s * K + (1 - c) * (K @ K)
    found = find_quaternions(R)
    for q, rotation in zip(found, R, strict=True):
        assert abs(q @ np.array(quaternion_from_matrix(rotation))) == pytest.approx(1.0, abs=1e-12)


@pytest.fixture(scope="module")
def worm():
    sim = sl.Simulation(sl.load("worm"))
    sim.director.drag("bone_6", target=(0.05, 0.15, 0.0))
    sim.advance(0.5)
    return sim


def test_a_time_on_record_is_drawn_as_everywhere(worm):
    frame = worm.take.frame(0.4)
    snapshot, wanted = FrameBuilder(worm.model).from_frame(frame), draw(worm.model, frame)
    assert snapshot.poses[:, :3] == pytest.approx(wanted.position)
    assert snapshot.rotations == pytest.approx(wanted.rotation)
    assert snapshot.nodes == pytest.approx(wanted.nodes)
    assert snapshot.center[:3] == pytest.approx(wanted.center)
    seen = FrameBuilder(worm.model).from_take(worm.take, 0.4, None)
    later = draw(worm.model, worm.take.frame(0.42)).center
    assert seen.center[3:] == pytest.approx((later - wanted.center) / 0.02, abs=0.3)


def test_to_look_changes_nothing(worm):
    before = worm.save()
    FrameBuilder(worm.model).from_simulation(worm)
    assert np.array_equal(worm.state.x, before.x)
    assert np.array_equal(worm.state.xdot, before.xdot)


def test_flagged_elements_are_those_that_the_step_decomposes(worm):
    sim = worm.fork()
    sim.step()
    x = sim.state.x.copy()
    count = len(find_flagged(sim, FrameBuilder(sim.model).from_state(sim.q, sim.v, x, sim.state.xdot.copy()).nodes))
    sim.step()  # takes the forces from where the nodes were
    assert sim.engine.workspace.counts[0] == count
    assert 0 < count < len(sim.flesh.elements)


def ball():
    """A ball that rests on the floor, with nothing but contact samples."""
    builder = ModelBuilder("ball")
    builder.add(bones.body("ball", bones.sphere((0, 0, 0), 0.1), 2.0, joint=JointSpec(kind="free")))
    builder.world_shapes.append(floor())
    model = builder.build()
    q = model.neutral()
    q[1] = 0.101
    return Scene(model, q=q)


@pytest.mark.parametrize("build", [lambda: sl.load("worm"), ball], ids=["skin", "samples"])
def test_contacts_lie_on_the_ground_and_carry_the_weight(build):
    sim = sl.Simulation(build(), record=0)
    sim.advance(3.0)
    builder = FrameBuilder(sim.model)
    points, forces = sim.contact_points()
    rows = list_contacts(sim, builder.from_simulation(sim), points, forces)
    assert len(rows) > 0
    assert np.abs(rows[:, 1]).max() < 0.01
    assert rows[:, 4].sum() == pytest.approx(9.81 * builder.mass, rel=0.1)


@pytest.mark.parametrize("name", ["worm", "company", "playground", "pendulum", "dock"])
def test_scenes_are_described_whole(name):
    scene = sl.load(name)
    told = build_scene(scene, 3)
    model = scene.model
    assert [body.name for body in told.bodies] == [body.name for body in model.bodies]
    assert {shape.body for shape in told.shapes} >= set(range(model.body_count))
    assert {shape.mesh for shape in told.shapes} == set(range(len(told.meshes)))
    for mesh in told.meshes:
        points = np.frombuffer(mesh.points, "<f4").reshape(-1, 3)
        assert np.frombuffer(mesh.triangles, "<u4").max() < len(points)
    for k, character in enumerate(told.characters):
        assert all(told.bodies[i].character == k for i in character.bodies)
    assert (told.flesh is None) == (model.flesh is None)
    if told.flesh is not None:
        assert np.frombuffer(told.flesh.carriers, "<u4").max() < told.flesh.nodes
        vertices = len(told.flesh.weights) // 16
        assert np.frombuffer(told.flesh.triangles, "<u4").max() == vertices - 1
        assert told.floor == pytest.approx(0.0, abs=0.5)
        assert any(shape.covered for shape in told.shapes)
    assert told.extent > 0.2


def test_springs_and_axes_of_hinges_are_told():
    scene = sl.load("pulled_pendulum")
    told = build_scene(scene, 1)
    assert [(told.bodies[pull.body].name, pull.anchor, pull.stiffness) for pull in told.pulls] == [
        (pull.body, pull.anchor, pull.stiffness) for pull in scene.world_springs
    ]
    assert told.pulls
    model = sl.load("humanoid").model
    hinges = [body for body in model.bodies if body.joint.kind.name == "revolute"]
    told = build_scene(sl.load("humanoid"), 1)
    assert {b.name for b in told.bodies if b.axis is not None} == {body.name for body in hinges}
    for body in hinges:
        q = model.neutral()
        q[body.joint.q_slice] = 0.7
        seen = [sl.kinematics.body_poses(model, c).rotation for c in (model.neutral(), q)]
        first, last = (turns[body.parent].T @ turns[body.index] for turns in seen)
        # An axis is what a turn leaves as it is; its sense is that of the skew part.
        turn, axis = last @ first.T, np.array(told.bodies[body.index].axis)
        np.testing.assert_allclose(turn @ axis, axis, atol=1e-12)
        skew = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
        np.testing.assert_allclose(axis, skew / np.linalg.norm(skew), atol=1e-12)
