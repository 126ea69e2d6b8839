"""Single goals: turning, posing, weights, fading in, refusals."""

from pathlib import Path

import numpy as np
import pytest

import stringless as sl
from stringless.dynamics import momentum


def test_a_character_turns_in_the_air_without_angular_momentum() -> None:
    """As a cat does: the root turns toward the target, the rest the other way, and the sum stays zero."""
    sim = sl.Simulation(sl.load("humanoid"))
    sim.set_state(sim.model.neutral(), np.zeros(sim.model.nv))
    half = 0.15
    goal = sim.director.turn((0.0, np.sin(half), 0.0, np.cos(half)))
    before = goal.error
    sim.advance(0.3)
    assert before > 0.29
    assert goal.error < 0.5 * before
    center = sim.director.center_of_gravity(0)[0]
    L = momentum(sim.model, sim.q, sim.v, about=center).angular
    assert np.abs(L).max() < 1e-9


def test_a_pose_is_taken_and_fades_in() -> None:
    """With a fade it starts gently; both arrive."""
    early, late = {}, {}
    for fade in (0.0, 0.5):
        sim = sl.Simulation(sl.load("worm"))
        sim.set_state(sim.q + np.array([0.0, 5.0] + [0.0] * 7))
        goal = sim.director.pose({"bone_2": 0.5, "bone_4": -0.3}, fade=fade)
        sim.advance(0.05)
        early[fade] = abs(float(sim.q[sim.model.joint("bone_2").q_slice][0]))
        sim.advance(0.75)
        late[fade] = goal.error
    assert early[0.0] > 5 * early[0.5] > 0
    assert max(late.values()) < 0.05


def test_a_reluctant_joint_moves_less() -> None:
    """Weights of the style: the joint that is made reluctant leaves the work to others."""
    moved = {}
    for weight in (1.0, 10.0):
        sim = sl.Simulation(sl.load("worm"))
        sim.set_state(sim.q + np.array([0.0, 5.0] + [0.0] * 7))
        sim.director.set_joint_weights({"bone_2": weight})
        goal = sim.director.drag("bone_0", point=(-0.06, 0, 0))
        goal.move(goal.position + np.array([0.02, 0.05, 0.0]))
        sim.advance(0.06)
        moved[weight] = abs(float(sim.q[sim.model.joint("bone_2").q_slice][0]))
    assert moved[10.0] < 0.5 * moved[1.0]


def test_single_directions_can_be_pinned() -> None:
    """A pinned height holds, the other directions are free."""
    sim = sl.Simulation(sl.load("finger"))
    actor = sim.director.characters[0]
    tip = sim.model.bodies[actor.members[-1]].name
    pin = sim.director.pin(tip, axes="y")
    drag = sim.director.drag(tip)
    start = drag.position
    drag.target = start + np.array([0.01, 0.02, 0.0])
    sim.advance(0.6)
    assert pin.error < 1e-3
    assert abs(drag.position[0] - start[0]) > 0.004


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: d.drag("nobody"), "nobody"),
        (lambda d: d.drag("bone_0", (1, 2)), "three finite numbers"),
        (lambda d: d.drag("bone_0", (np.nan, 0, 0)), "three finite numbers"),
        (lambda d: d.drag("bone_0", stiffness=-1), "stiffness"),
        (lambda d: d.pin("bone_0", axes="q"), "directions 'q'"),
        (lambda d: d.turn((0, 0, 0, 0)), "quaternion"),
        (lambda d: d.style("fast"), "style 'fast'"),
        (lambda d: d.set_joint_weights({"bone_1": 0.0}), "weight of joint"),
        (lambda d: d.pose({"bone_1": [1, 2]}), "pose of joint 'bone_1'"),
        (lambda d: d.passive(stiffness=-1), "stiffness"),
        (lambda d: d.keyframes(["bone_3"]), "can drive"),
        (lambda d: d.keyframes().play(), "no keys"),
        (lambda d: d.take(joints=["bone_3"]), "no actuator"),
    ],
)
def test_nonsense_is_refused_with_its_name(call, message: str) -> None:
    """And nothing is left behind by it."""
    sim = sl.Simulation(sl.load("worm"))
    with pytest.raises(sl.InputError, match=message):
        call(sim.director)
    assert sim.director.goals == []


def turned_about_y(angle: float) -> tuple[float, float, float, float]:
    return (0.0, float(np.sin(0.5 * angle)), 0.0, float(np.cos(0.5 * angle)))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_an_orientation_may_be_a_function_of_time(sign: float) -> None:
    """Of the whole character and of a bone; a quaternion and its negative are the same orientation."""
    sim = sl.Simulation(sl.load("humanoid"))
    sim.set_state(sim.model.neutral(), np.zeros(sim.model.nv))

    def path(time: float) -> tuple[float, ...]:
        flip = sign if round(time / 0.004) % 2 else 1.0
        return tuple(flip * c for c in turned_about_y(0.3 * time))

    goal = sim.director.turn(path)
    drag = sim.director.drag("head", orientation=path)
    sim.advance(0.402)
    for wanted, turner in ((goal.orientation, goal.turner), (drag.orientation, drag.turner)):
        assert turner is not None
        np.testing.assert_allclose(turner.rate, (0.0, 0.3, 0.0), atol=1e-12)
        assert abs(float(wanted @ np.array(turned_about_y(0.3 * sim.time)))) > 1 - 1e-12
    assert goal.error < 0.5 * 0.3 * sim.time
    with pytest.raises(sl.InputError, match="orientation is 'up'; expected a quaternion"):
        goal.move("up")


def test_former_names_are_deprecated() -> None:
    director = sl.Simulation(sl.load("double_pendulum")).director
    with pytest.warns(DeprecationWarning, match=r"director\.cast is called director\.characters now"):
        assert director.cast is director.characters
    with pytest.warns(DeprecationWarning, match=r"director\.weigh is called director\.set_joint_weights now"):
        director.weigh({"link_1": 3.0})
    with pytest.warns(DeprecationWarning, match=r"director\.posture is called director\.set_rest_pose now"):
        director.posture(stiffness=2.0)
    assert director.weights[director.model.joint("link_1").v_slice] == [3.0]
    assert director.rest_laws[0]["stiffness"] == 2.0
    with pytest.warns(DeprecationWarning, match=r"director\.limit_firmness is called director\.limit_stiffness now"):
        director.limit_firmness = 20.0
    with pytest.warns(DeprecationWarning, match=r"director\.counted_friction is called director\.assumed_friction now"):
        director.counted_friction = 0.4
    assert (director.limit_stiffness, director.assumed_friction) == (20.0, 0.4)


def test_firmness_is_the_former_name_of_stiffness() -> None:
    """As an option, an attribute and a gain of the rest pose, and it is checked as ever."""
    director = sl.Simulation(sl.load("double_pendulum")).director
    with pytest.warns(
        DeprecationWarning, match=r"argument 'firmness' of Director\.drag is called 'stiffness' now"
    ) as seen:
        goal = director.drag("link_1", firmness=8.0)
    assert seen[0].filename == __file__
    with pytest.warns(DeprecationWarning, match=r"drag\.firmness is called drag\.stiffness now") as seen:
        goal.firmness = 2.0 * goal.stiffness
    assert seen[0].filename == __file__
    assert goal.stiffness == 16.0
    with pytest.warns(DeprecationWarning, match=r"drag\.changed is called drag\.update_rows now"):
        goal.changed()
    with pytest.warns(DeprecationWarning, match="'stiffness' now"):
        director.set_rest_pose(firmness=3.0)
    assert director.rest_laws[0]["stiffness"] == 3.0
    with pytest.warns(DeprecationWarning, match="firmness"), pytest.raises(sl.InputError, match="stiffness is -1"):
        director.add("pin", "link_1", firmness=-1.0)


def test_data_and_commands_keep_their_keys(tmp_path: Path) -> None:
    """Projects, journals and pages of earlier versions say firmness."""
    with sl.Project.create("double_pendulum", tmp_path / "keys.stringless") as project:
        number = project.do("goal", kind="drag", bone="link_1", firmness=8.0)
        project.do("set_goal", goal=number, firmness=9.0)
        project.do("set_director", limit_firmness=25.0, counted_friction=0.3)
        project.do("posture", firmness=2.0)
        director = project.sim.director
        data = director.as_data()
        assert (director.goal(number).stiffness, director.limit_stiffness) == (9.0, 25.0)
    assert (data["goals"][0]["firmness"], data["limit_firmness"], data["counted_friction"]) == (9.0, 25.0, 0.3)
    assert [named["posture"]["firmness"] for named in data["characters"].values()] == [2.0]
    again = sl.Simulation(sl.load("double_pendulum")).director
    again.restore_data(data)
    assert again.as_data() == data
