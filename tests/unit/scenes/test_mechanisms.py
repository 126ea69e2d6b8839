"""Scenes for the implicit engine: what they are made of, and that they start within their limits and touch nothing."""

import math

import numpy as np
import pytest

from stringless.contact.tables import shape_samples
from stringless.errors import InputError
from stringless.flesh.attachment import distance
from stringless.kinematics import body_poses, loop_gaps
from stringless.model.pose import Pose
from stringless.scenes import bar, chains, hand, load_scene, robot
from stringless.simulation import Simulation

SCENES = {
    "hanging_chain": {},
    "robot": {},
    "hand": {},
    "hard hand": {"soft": False},
    "bar": {},
    "free bar": {"free_bar": True},
}
NAMES = {"hard hand": "hand", "free bar": "bar"}
STEPS = {"hanging_chain": 1 / 100, "robot": 1 / 60, "hand": 1 / 60, "bar": 1 / 100}


def scene_of(name):
    return load_scene(NAMES.get(name, name), **SCENES[name])


def limited_values(joint, q):
    """What the limits of a joint bound: its coordinates, or swing, twist and turn of a ball."""
    part = q[joint.q_slice]
    if joint.kind.name != "ball":
        return part
    axis = np.asarray(joint.spec.axes[0]) / np.linalg.norm(joint.spec.axes[0])
    swung = Pose(rotation=tuple(part)).matrix @ axis
    twist = 2 * math.atan2(part[:3] @ axis, part[3])
    turn = 2 * math.atan2(np.linalg.norm(part[:3]), abs(part[3]))
    return np.array([math.acos(np.clip(swung @ axis, -1, 1)), twist, turn])


def height_above(shape, points):
    """Distance of points from a shape of the world."""
    return points[:, 1] if shape.kind == "plane" else distance(shape, Pose(), points)


@pytest.mark.parametrize("name", SCENES)
def test_scene_says_its_engine_and_step(name):
    scene = scene_of(name)
    assert (scene.engine, scene.dt) == ("stiff", STEPS[scene.name])


@pytest.mark.parametrize("name", SCENES)
def test_start_is_within_the_limits(name):
    scene = scene_of(name)
    limited = [joint for joint in scene.model.joints if joint.spec.lower]
    assert limited
    for joint in limited:
        values = limited_values(joint, scene.q)
        assert np.all(values >= np.asarray(joint.spec.lower) - 1e-12), joint.name
        assert np.all(values <= np.asarray(joint.spec.upper) + 1e-12), joint.name


@pytest.mark.parametrize("name", SCENES)
def test_every_joint_that_moves_has_spring_and_damper(name):
    for joint in scene_of(name).model.joints:
        if joint.nv and joint.kind.name != "free":
            assert min(joint.spec.stiffness) > 0
            assert min(joint.spec.damping) > 0


@pytest.mark.parametrize("name", SCENES)
def test_nothing_touches_at_the_start(name):
    """Neither bodies nor skin touch the world, nor do bodies those of another tree: a fist holds, but does not touch."""
    scene = scene_of(name)
    model, (position, rotation) = scene.model, body_poses(scene.model, scene.q)
    world = [shape for shape in model.world_shapes if shape.purpose != "visual"]
    solids = [(body.index, shape) for body in model.bodies for shape in body.shapes if shape.purpose != "visual"]
    roots = model.tree["root"]
    assert world
    assert {i for i, _ in solids} == set(range(model.body_count))
    for i, solid in solids:
        samples = shape_samples(solid)
        points = np.array([position[i] + rotation[i] @ point for point, _ in samples])
        radii = np.array([radius for _, radius in samples])
        for shape in world:
            assert np.all(height_above(shape, points) > radii), (model.bodies[i].name, shape.name)
        for k, other in solids:
            if roots[k] != roots[i]:
                place = Pose.from_matrix(rotation[k], tuple(position[k]))
                assert np.all(distance(other, place, points) > radii), (model.bodies[i].name, model.bodies[k].name)
    if model.flesh is not None:
        skin = Simulation(scene, dt=0.5e-3).surface_positions
        for shape in world:
            assert np.all(height_above(shape, skin) > 0), shape.name


@pytest.mark.parametrize("name", ["bar", "free bar"])
def test_bar_is_held_by_both_hands(name):
    scene = scene_of(name)
    assert [(loop.name, loop.kind) for loop in scene.model.loop_specs] == [
        ("left_grip", "hinge"),
        ("right_grip", "point"),
    ]
    assert {loop.body_b for loop in scene.model.loop_specs} == {"bar" if name == "free bar" else ""}
    assert loop_gaps(scene.model, scene.q).max() < 1e-14
    assert loop_gaps(scene.model, scene.model.neutral())[:, 0].min() > 0.1


@pytest.mark.parametrize(
    ("name", "dt"), [("hanging_chain", 1e-3), ("robot", 1e-3), ("hand", 0.5e-3), ("hard hand", 0.5e-3)]
)
def test_scene_without_loops_also_runs_with_short_steps(name, dt):
    scene = scene_of(name)
    sim = Simulation(scene, engine="reduced", dt=dt)
    before = sim.energy().total
    sim.advance(0.4)
    assert np.isfinite(sim.q).all()
    assert not np.array_equal(sim.q, scene.q)
    assert sim.energy().total < before


# --- the chain ---


@pytest.mark.parametrize("kind", ["revolute", "ball"])
def test_chain_has_what_was_asked_for(kind):
    model = chains.sprung_chain(20, kind=kind, length=0.2, mass=0.3, stiffness=50.0, damping=0.05, limit=0.6).build()
    assert model.body_count == 20
    assert model.mass == pytest.approx(6.0)
    assert {joint.kind.name for joint in model.joints} == {kind}
    assert set(model.dofs["stiffness"]) == {50.0}
    assert set(model.dofs["damping"]) == {0.05}
    assert body_poses(model, model.neutral()).position[19] == pytest.approx((0.0, -3.8, 0.0))
    values = limited_values(model.joints[3], chains.bent(20, kind, 0.1, 0.4))
    assert values[0] == pytest.approx(0.4)
    assert model.joints[3].spec.upper[0] == 0.6


def test_chain_without_springs_and_limits_is_plain():
    model = chains.sprung_chain(3).build()
    assert not model.dofs["stiffness"].any()
    assert len(model.limits) == 0


@pytest.mark.parametrize("links", [10, 60, 300])
def test_chain_of_the_scene_is_equally_long_whatever_its_links(links):
    scene = load_scene("hanging_chain", links=links)
    assert scene.model.body_count == links
    tip = body_poses(scene.model, scene.model.neutral()).position[-1]
    assert tip[1] == pytest.approx(chains.HOOK[1] - chains.REACH * (1 - 1 / links))


def test_impossible_chains_are_refused():
    with pytest.raises(InputError, match="a chain of 0 links; expected a whole number of 1 or more"):
        load_scene("hanging_chain", links=0)
    with pytest.raises(InputError, match=r"a chain of 2.5 links; expected a whole number"):
        load_scene("hanging_chain", links=2.5)
    with pytest.raises(InputError, match="joined by 'free'; expected 'revolute' or 'ball'"):
        chains.sprung_chain(3, kind="free")


# --- the robot and the hand ---


def test_robot_has_its_joints():
    model = robot.build().build()
    kinds = {joint.name: joint.kind.name for joint in model.joints}
    balls = {f"{side}_{name}" for side in ("left", "right") for name in ("shoulder", "elbow", "wrist")}
    assert {name for name, kind in kinds.items() if kind == "ball"} == balls | {"neck"}
    assert sum(kind == "revolute" for kind in kinds.values()) == 2 * 8
    assert kinds["torso"] == "fixed"
    assert model.body_count == 1 + 1 + 2 * (3 + 8)


def test_robot_is_its_own_mirror_image():
    model = robot.build().build()
    position = body_poses(model, model.neutral()).position
    for body in model.bodies:
        if body.name.startswith("left_"):
            twin = model.body(body.name.replace("left_", "right_")).index
            np.testing.assert_allclose(position[body.index] * (-1, 1, 1), position[twin], atol=1e-12)


def test_fingers_of_the_robot_close_on_each_other():
    model = robot.build().build()

    def gap(bent):
        q = model.neutral()
        for joint in model.joints:
            if joint.kind.name == "revolute":
                q[joint.q_slice] = bent
        position = body_poses(model, q).position
        return np.linalg.norm(position[model.body("left_front_3").index] - position[model.body("left_thumb_2").index])

    assert gap(0.6) < gap(0.0) < gap(-0.3)


def test_hand_has_sixteen_bones_and_soft_tips():
    model = hand.build().build()
    assert model.body_count == 16
    kinds = [joint.kind.name for joint in model.joints]
    assert (kinds.count("free"), kinds.count("universal"), kinds.count("revolute")) == (1, 5, 10)
    assert 100 <= sum(len(flesh.tets) for flesh in model.flesh.specs) <= 300
    tips = [finger.bones[2] for finger in hand.FINGERS.values()]
    assert [set(flesh.bones) for flesh in model.flesh.specs] == [{tip} for tip in tips]
    assert hand.build(soft=False).build().flesh is None


@pytest.mark.parametrize("soft", [True, False])
def test_hand_weighs_what_hands_weigh(soft):
    model = hand.build(soft=soft).build()
    free = 0.0 if model.flesh is None else model.flesh.nodes["mass"][model.flesh.nodes["fixed"] == 0].sum()
    assert 0.36 < model.mass + free < 0.44


def test_flesh_of_the_tips_is_hardly_made_heavier():
    for flesh in hand.build().build().flesh.specs:
        assert flesh.added_mass < 0.03 * flesh.masses.sum()


def test_free_bar_is_one_body_more():
    assert bar.build(free_bar=True).build().body_count == bar.build().build().body_count + 1
