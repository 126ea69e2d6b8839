"""The crowd: what a figure is made of, where all stand and how they are pushed; many models put together in one."""

import numpy as np
import pytest

from stringless.errors import InputError
from stringless.kinematics import body_poses, body_velocities
from stringless.model.builder import ModelBuilder
from stringless.scenes import crowd, load_scene
from stringless.scenes.combined_model import combine_models
from stringless.scenes.figure import FINGERS, RATE, RATIO, figure
from stringless.scenes.ground import floor
from stringless.scenes.humanoid import PELVIS_HEIGHT
from stringless.scenes.pendulums import chain
from stringless.simulation import Simulation

COUNT = 23
"""More than a row."""


def standing():
    model = figure()
    q = model.neutral()
    q[1] = PELVIS_HEIGHT
    return model, body_poses(model, q).position


# --- the figure ---


def test_figure_has_the_size_of_the_paper():
    model = figure()
    assert (model.body_count, model.nv) == (89, 95)
    assert model.mass == pytest.approx(75.5, abs=0.1)
    kinds = [joint.kind.name for joint in model.joints]
    assert (kinds.count("free"), kinds.count("universal"), kinds.count("revolute")) == (1, 1, 87)


def test_figure_has_hands_of_five_fingers_and_four_joints_each():
    names = {body.name for body in figure().bodies}
    for side in ("left", "right"):
        assert {f"{side}_{finger}_{k}" for finger in (*FINGERS, "thumb") for k in range(4)} <= names


def test_figure_stands_with_its_feet_on_the_ground_and_its_head_on_top():
    model, position = standing()
    for side in ("left", "right"):
        ankle = position[model.body(f"{side}_ankle").index]
        assert ankle[1] == pytest.approx(0.1, abs=0.01)
    top = position[model.body("head").index][1] + 0.2  # a ball of 0.1 m
    assert top == pytest.approx(1.75, abs=0.1)
    # Fingertips hang beside the thighs, above the knees.
    assert position[model.body("left_shin").index][1] < position[model.body("left_middle_3").index][1] < PELVIS_HEIGHT


def test_figure_is_its_own_mirror_image():
    model, position = standing()
    for body in model.bodies:
        if body.name.startswith("left_"):
            twin = model.body(body.name.replace("left_", "right_"))
            np.testing.assert_allclose(position[body.index] * (-1, 1, 1), position[twin.index], atol=1e-12)
            assert body.mass == twin.mass


def test_fingers_bend_toward_the_palm_that_looks_at_the_thigh():
    model = figure()
    q = model.neutral()
    for side in ("left", "right"):
        for finger in FINGERS:
            q[model.joint(f"{side}_{finger}_1").q_slice] = model.joint(f"{side}_{finger}_1").spec.upper[0]
    bent, straight = body_poses(model, q).position, body_poses(model, model.neutral()).position
    for side, s in (("left", 1.0), ("right", -1.0)):
        tip = model.body(f"{side}_index_3").index
        assert s * (bent[tip, 0] - straight[tip, 0]) < -0.04


def test_every_joint_swings_back_alike():
    model = figure()
    inertia, hinges = model.dofs["inertia"][6:], model.dofs[6:]
    np.testing.assert_allclose(np.sqrt(hinges["stiffness"] / inertia), RATE, rtol=1e-9)
    np.testing.assert_allclose(hinges["damping"], 2 * RATIO * RATE * inertia, rtol=1e-9)


# --- the crowd ---


def test_crowd_stands_in_rows_and_nobody_in_anybody():
    scene = load_scene("crowd", count=COUNT)
    places = scene.q.reshape(COUNT, -1)[:, :3]
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 10 * np.eye(COUNT)
    assert apart.min() > 0.6
    np.testing.assert_allclose(places[:, 1], PELVIS_HEIGHT)
    assert places[: crowd.ABREAST, 2].min() > places[crowd.ABREAST :, 2].max() + 0.8


def test_crowd_is_two_hundred_if_nobody_says_otherwise():
    model = load_scene("crowd").model
    assert (model.body_count, model.nv) == (17_800, 19_000)
    assert len(set(model.tree["root"].tolist())) == 200


def test_start_is_within_the_limits():
    scene = load_scene("crowd", count=2)
    for joint in scene.model.joints[1:]:
        if joint.spec.lower:
            assert np.all(scene.q[joint.q_slice] >= joint.spec.lower)
            assert np.all(scene.q[joint.q_slice] <= joint.spec.upper)


@pytest.mark.parametrize("ground", [True, False])
def test_all_are_pushed_away_and_fall_backwards_the_first_row_most(ground):
    scene = load_scene("crowd", count=2 * crowd.ABREAST, ground=ground)
    velocity = body_velocities(scene.model, scene.q, scene.v)[:: figure().body_count]
    assert np.all(velocity[:, 5] < 0)  # along z, away from who looks
    assert np.all(velocity[:, 0] < 0)  # the head goes there before the feet
    first, second = velocity[: crowd.ABREAST], velocity[crowd.ABREAST :]
    assert first[:, 5].mean() < second[:, 5].mean()


def test_no_two_move_alike():
    v = load_scene("crowd", count=COUNT).v.reshape(COUNT, -1)
    assert len(np.unique(v, axis=0)) == COUNT


def test_crowd_stands_on_the_ground_or_is_weightless():
    heavy, weightless = load_scene("crowd", count=1), load_scene("crowd", count=1, ground=False)
    assert heavy.model.gravity.tolist() == [0.0, -9.81, 0.0]
    assert [shape.kind for shape in heavy.model.world_shapes] == ["plane"]
    assert not weightless.model.gravity.any()
    assert not weightless.model.world_shapes
    felt = {
        body.name.removeprefix("p0_")
        for body in heavy.model.bodies
        if any(shape.purpose == "both" for shape in body.spec.shapes)
    }
    assert {"pelvis", "head", "left_hand", "right_toes", "left_thumb_3"} <= felt
    assert {"jaw", "left_ankle", "right_index_1", "left_hip_turn"}.isdisjoint(felt)
    assert all(shape.purpose == "visual" for body in weightless.model.bodies for shape in body.spec.shapes)
    sim = Simulation(heavy, record=0)
    lowest = min(sim.body_poses().position[body.index][1] for body in heavy.model.bodies)
    assert lowest > 0.0
    with pytest.raises(InputError, match="ground is 1; expected True, or False"):
        load_scene("crowd", count=1, ground=1)


def test_crowd_falls_and_stays_lying():
    sim = Simulation(load_scene("crowd", count=3), active=9, record=0)
    sim.advance(3.0)
    heads = [sim.model.body(f"p{k}_head").index for k in range(3)]
    position = sim.body_poses().position
    assert position[heads, 1].max() < 0.6
    assert position[:, 1].min() > -0.05
    assert np.abs(position[:, [0, 2]]).max() < 8.0, "in sight"


def test_few_joints_follow_all_of_them():
    scene = load_scene("crowd", count=3)
    full = Simulation(scene, engine="reduced", record=0)
    apart = []
    full.advance(0.2)
    for active in (1, 10, 40):
        sim = Simulation(scene, active=active, record=0)
        sim.advance(0.2)
        apart.append(float(np.sqrt(np.mean((sim.body_poses().position - full.body_poses().position) ** 2))))
    assert apart[0] > apart[1] > apart[2] > 0


@pytest.mark.parametrize("count", [0, -3, 2.0, True, "many"])
def test_impossible_crowds_are_refused(count):
    with pytest.raises(InputError, match="a crowd of .*; expected a whole number of 1 or more"):
        load_scene("crowd", count=count)


# --- put together ---


def test_models_put_together_are_what_a_builder_makes_of_all_bodies():
    parts = [("a_", load_scene("playground").model), ("b_", chain(3).build()), ("c_", load_scene("playground").model)]
    builder = ModelBuilder("all")
    for prefix, model in parts:
        for spec in combine_models("part", [(prefix, model)]).specs:
            builder.add(spec)

    made, built = combine_models("all", parts), builder.build()

    assert made.specs == built.specs
    assert (made.name, made.nq, made.nv, made.body_count) == (built.name, built.nq, built.nv, built.body_count)
    for table in ("tree", "dofs", "limits", "loops", "q_neutral", "q_rest", "gravity"):
        np.testing.assert_array_equal(getattr(made, table), getattr(built, table), err_msg=table)
        assert not getattr(made, table).flags.writeable
    assert len(made.limits) > 0


def test_models_put_together_keep_their_names_and_their_world():
    model = combine_models("two", [("a_", chain(2).build()), ("b_", chain(2).build())], [floor()])
    assert [body.name for body in model.bodies] == ["a_link_0", "a_link_1", "b_link_0", "b_link_1"]
    assert [body.parent for body in model.bodies] == [-1, 0, -1, 2]
    assert model.joint("b_link_1").name == "b_link_1"
    assert [shape.name for shape in model.world_shapes] == ["floor"]


def test_what_cannot_be_put_together_is_refused():
    one = chain(1).build()
    with pytest.raises(InputError, match="nothing to put together"):
        combine_models("none", [])
    with pytest.raises(InputError, match="the prefix 'a_' is given 2 times"):
        combine_models("same", [("a_", one), ("a_", one)])
    with pytest.raises(InputError, match=r"gravity of 'b_' is .*, of 'a_'"):
        combine_models("fall", [("a_", one), ("b_", figure())])
    with pytest.raises(InputError, match="'a_' has flesh, loops or a world"):
        combine_models("soft", [("a_", load_scene("worm").model)])
