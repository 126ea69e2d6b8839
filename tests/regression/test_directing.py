"""Faults that a first user of directing met."""

import threading

import numpy as np
import pytest

import stringless as sl
from stringless.control.goals import Drag


def dragged(target: object) -> tuple[sl.Simulation, Drag]:
    sim = sl.Simulation(sl.load("worm"))
    return sim, sim.director.drag("bone_0", target=target)


def swaying(time: float) -> tuple[float, float, float]:
    return (-0.2, 0.3 * np.sin(20 * time), 0.0)


def test_a_moving_target_does_not_depend_on_how_time_is_cut() -> None:
    whole, _ = dragged(swaying)
    whole.step(150)
    cut, _ = dragged(swaying)
    for count in (1, 6, 17, 3, 90, 33):
        cut.step(count)
    assert np.array_equal(whole.q, cut.q)
    whole.step(51)
    ghost = whole.preview(0.3)
    whole.step(300)
    assert np.array_equal(ghost.q[-1], whole.q)


def test_a_refused_goal_leaves_nothing_behind() -> None:
    sim = sl.Simulation(sl.load("finger"))
    with pytest.raises(sl.InputError, match="actuators"):
        sim.director.drag("object", target=(0, 0.3, 0))
    assert sim.director.goals == []
    sim.director.drag(sim.model.bodies[sim.director.characters[0].members[-1]].name)
    sim.step()


def test_going_back_to_before_keyframes_began_starts_them_there() -> None:
    sim, _ = dragged((-0.2, 0.2, 0.0))
    track = sim.director.keyframes()
    track.insert(0.0, {"bone_2": -0.4})
    track.insert(0.3, {"bone_2": 0.4})
    sim.advance(0.05)
    early = sim.save()
    sim.advance(0.05)
    track.play()
    sim.restore(early)
    before = sim.v.copy()
    for _ in range(100):
        sim.step()
        assert np.abs(sim.v - before)[3:].max() < 3.0
        before = sim.v.copy()


def test_a_motion_takes_joints_over_from_goals() -> None:
    sim, _ = dragged((-0.2, 0.3, 0.0))
    q = np.array([sim.q, sim.q])
    joint = sim.model.joint("bone_2").q_slice
    q[1, joint] = 0.4
    sim.follow(sl.Motion(sim.model, [0.0, 0.2], q), ["bone_2"])
    sim.advance(0.25)
    np.testing.assert_allclose(sim.q[joint], 0.4, atol=1e-9)


def test_a_target_with_a_lock_can_be_previewed() -> None:
    class Hand:
        def __init__(self) -> None:
            self.lock = threading.Lock()

        def __call__(self, time: float) -> tuple[float, float, float]:
            with self.lock:
                return swaying(time)

    sim, _ = dragged(Hand())
    sim.step(20)
    assert sim.preview(0.05).complete


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("stiffness", -20),
        ("stiffness", np.nan),
        ("weight", 0),
        ("damping", "x"),
        ("point", (1, 2)),
        ("priority", None),
        ("priority", 1.5),
        ("fade", -1.0),
    ],
)
def test_what_is_set_later_is_checked_as_at_the_start(name: str, value: object) -> None:
    sim, goal = dragged((-0.2, 0.3, 0.0))
    before = getattr(goal, name)
    with pytest.raises(sl.InputError, match=name):
        setattr(goal, name, value)
    assert np.array_equal(getattr(goal, name), before)
    sim.step()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: d.set_rest_pose(stiffness=-50), "rest pose"),
        (lambda d: d.keyframes([]), "one or more joint names"),
        (lambda d: d.take(joints=[]), "one or more joint names"),
        (lambda d: d.take(7), "no character 7"),
        (lambda d: d.pin("bone_2", position=False), "neither position nor orientation"),
    ],
)
def test_more_nonsense_is_refused(call, message: str) -> None:
    sim = sl.Simulation(sl.load("worm"))
    with pytest.raises(sl.InputError, match=message):
        call(sim.director)


def test_a_pose_belongs_to_one_character() -> None:
    director = sl.Simulation(sl.load("company")).director
    with pytest.raises(sl.InputError, match="'h0_neck' is not one of 'h1_pelvis'"):
        director.pose({"h0_neck": 0.5}, character="h1_pelvis")
    assert director.pose({"h2_neck": 0.1}).character == 2
    assert director.find_character(1) == director.find_character("h1_pelvis")
