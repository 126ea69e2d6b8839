"""What is refused, and how; what is warned of."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import stringless as sl
from stringless.control.live import Stream
from stringless.errors import InputError

NUMBER = "expected a finite number"
NAMES = "expected a list of one or more joint names"


def with_a_key(director: Any) -> Any:
    track = director.keyframes()
    track.insert(0.0)
    return track


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: d.drag("bone_0", stifness=3), "a drag has no option 'stifness'. Did you mean 'stiffness'"),
        (
            lambda d: d.center(zzz=3),
            "It takes: axes, character, damping, fade, priority, push, stiffness",
        ),
        (lambda d: d.pin("bone_0", target=(0, 0, 0)), "a pin has no option 'target'"),
        (lambda d: d.add("drag"), "a drag needs 'bone'"),
        (lambda d: d.add("pin", "bone_0", 1, 2), "3 arguments without a name; expected at most: bone"),
        (lambda d: d.add("drag", "bone_0", bone="bone_1"), "got 'bone' twice"),
        (lambda d: d.drag("bone_0", top_speed="a"), "top_speed is 'a'"),
        (lambda d: d.drag("bone_0", push="maybe"), "push is 'maybe'; expected True or False"),
        (lambda d: d.drag("bone_0", axes=["a"]), "not one to three independent vectors"),
        (lambda d: d.drag("bone_0").move((0, 0, 0), hold="a"), "hold is 'a' s"),
        (lambda d: d.drag("bone_0").move((0, 0, 0), hold=-1), "hold is -1 s"),
        (lambda d: d.pose({"bone_2": "a"}), "pose of joint 'bone_2' is 'a'"),
        (lambda d: d.pose(joints="bone_2"), NAMES),
        (lambda d: d.passive("x"), NAMES),
        (lambda d: d.passive(3), NAMES),
        (lambda d: d.passive([3]), NAMES),
        (lambda d: d.take(joints=3), NAMES),
        (lambda d: d.keyframes(3), NAMES),
        (lambda d: d.set_joint_weights(3), "weights are 3; expected numbers by joint name"),
        (lambda d: d.set_joint_weights({"bone_2": "a"}), "weight of joint 'bone_2' is 'a'"),
        (lambda d: d.set_joint_weights({3: 1.0}), "no joint '3'"),
        (lambda d: d.style(["a"]), "is unknown; choose one of"),
        (lambda d: d.keyframes().insert("a"), f"time of a key .* is 'a'; {NUMBER}"),
        (lambda d: with_a_key(d).move(0, "a"), f"time of a key .* is 'a'; {NUMBER}"),
        (lambda d: d.keyframes().delete("a"), "no key a"),
        (lambda d: with_a_key(d).play(rate="a"), f"rate of playing is 'a'; {NUMBER} above 0"),
        (lambda d: with_a_key(d).play(blend=-1), "blend is -1; expected a finite number, 0 or more \\[s\\]"),
        (lambda d: d.keyframes().retime("a"), f"factor of retiming is 'a'; {NUMBER} above 0"),
        (lambda d: Stream((0, 0, 0), top_speed="a"), "top_speed of a stream is 'a'"),
    ],
)
def test_nonsense_is_refused_in_our_own_words(call: Any, message: str) -> None:
    """Which thing, what was found, what was expected."""
    with pytest.raises(sl.InputError, match=message):
        call(sl.Simulation(sl.load("worm")).director)


def test_weights_change_all_together_or_not_at_all() -> None:
    """One that is refused takes the others with it."""
    director = sl.Simulation(sl.load("worm")).director
    with pytest.raises(sl.InputError, match="weight of joint 'bone_4' is -1"):
        director.set_joint_weights({"bone_2": 3.0, "bone_4": -1})
    assert np.all(director.weights == 1.0)


def test_too_many_goals_are_told_what_to_do() -> None:
    """The message says which numbers are too large, and what helps."""
    sim = sl.Simulation(sl.load("worm"))
    for _ in range(33):
        sim.director.drag("bone_0")
    with pytest.raises(sl.InputError, match="99 directions .* at most 96 directions .* Release goals"):
        sim.step()


def test_a_simulation_refuses_what_is_no_state_and_no_flesh() -> None:
    """In our own words."""
    sim = sl.Simulation(sl.load("worm"))
    with pytest.raises(sl.InputError, match="cannot restore None; expected a State"):
        sim.restore(None)  # type: ignore[arg-type]
    with pytest.raises(sl.InputError, match="flesh is 3; expected changes by name"):
        sim.configure(flesh=3)  # type: ignore[arg-type]
    part = next(iter(sim.parameters()["flesh"]))
    with pytest.raises(sl.InputError, match=f"flesh '{part}' is 3; expected new values by name"):
        sim.configure(flesh={part: 3})  # type: ignore[dict-item]


def test_substeps_are_refused_while_directed() -> None:
    """At once, not at the next step."""
    sim = sl.Simulation(sl.load("worm"))
    sim.configure(substeps="auto")
    sim.configure(substeps="off")
    sim.director.take()
    with pytest.raises(sl.InputError, match="takes the step it is given"):
        sim.configure(substeps="auto")
    assert sim.config.substeps == "off"


def test_least_velocity_needs_a_posture_that_damps() -> None:
    """Whichever is set first; without stiffness there is no way back to count from, and least velocity is just that."""
    director = sl.Simulation(sl.load("worm")).director
    director.style("velocity")
    with pytest.raises(sl.InputError, match="least velocity cannot lead .* Give the rest pose some damping"):
        director.set_rest_pose(stiffness=3.0, damping=0.0)
    director.set_rest_pose(stiffness=0.0, damping=0.0)
    director.style("torque")
    director.set_rest_pose(stiffness=3.0, damping=0.0)
    with pytest.raises(sl.InputError, match="least velocity cannot lead"):
        director.style("velocity")


def raised_hand(dt: float) -> sl.Simulation:
    sim = sl.Simulation(sl.load("humanoid"), dt=dt)
    goal = sim.director.drag("left_hand")
    goal.move(goal.position + np.array([0.1, 0.3, 0.1]))
    return sim


def test_a_large_correction_of_momentum_is_warned_of_once() -> None:
    """With what to do; at a fitting step nothing is said."""
    raised_hand(1e-3).advance(0.3)  # a warning would be an error here
    sim = raised_hand(1e-2)
    with pytest.warns(sl.StringlessWarning, match="momentum of 'pelvis' took .* steps of 10 ms. Set dt to"):
        sim.advance(1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sim.advance(0.05)


def test_the_report_names_joints_that_limits_hold_back() -> None:
    """A knee that shall bend beyond its limit is named, with the side."""
    sim = sl.Simulation(sl.load("humanoid"))
    sim.set_state(sim.model.neutral(), np.zeros(sim.model.nv))
    joint = next(joint for joint in sim.model.joints if "shin" in joint.name)
    limit = sim.model.limits[int(sim.model.tree[joint.index]["l0"])]
    for side, beyond in (("upper", float(limit["upper"]) + 0.5), ("lower", float(limit["lower"]) - 0.5)):
        sim.set_state(sim.model.neutral(), np.zeros(sim.model.nv))
        goal = sim.director.pose({joint.name: beyond}, stiffness=30.0)
        assert np.isfinite(beyond)
        sim.advance(0.3)
        assert sim.director.report()["at_limits"][joint.name] == side
        goal.release()
    middle = sim.model.neutral()
    middle[joint.q_slice] = 0.5 * (limit["lower"] + limit["upper"])
    sim.set_state(middle, np.zeros(sim.model.nv))
    sim.director.pose(middle)
    sim.step()
    assert joint.name not in sim.director.report()["at_limits"]


def test_a_goal_of_a_future_that_was_left_says_so() -> None:
    """Moving it would do nothing, so it is refused; in the lane that knows it, it works again."""
    sim = sl.Simulation(sl.load("humanoid"))
    sim.advance(0.1)
    goal = sim.director.drag("head", target=(0.0, 2.0, 0.0))
    sim.advance(0.1)
    sim.rewind(0.15)
    assert not sim.director.goals
    with pytest.raises(InputError, match=rf"this drag \(goal {goal.id}\) is no longer active"):
        goal.target = (0.0, 1.0, 0.0)
    sim.go_to(0.2)
    goal.target = (0.0, 1.0, 0.0)
    assert np.array_equal(sim.director.goal(goal.id).target, (0.0, 1.0, 0.0))
    goal.release()
    with pytest.raises(InputError, match="begin another one"):
        goal.move((0.0, 1.0, 0.0))
