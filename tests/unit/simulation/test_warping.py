"""Recorded commands at other times: the same commands, the same functions of time, and a record that repeats itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

import stringless as sl
from stringless.control.live import Stream, TimedPath
from stringless.engines import Feature
from stringless.errors import DivergenceError, InputError, ProjectError
from stringless.state import State

EXACT = 1e-12
"""Rounding of times and places."""
TIP = "distal"
LOOKED_UP = {"path": 1e-4}
"""A path of a curvature of 8 m/s² is looked up every 4 ms, straight in between: of 8 ms on record, it leaves out 6e-5 m."""


def bits(sim: sl.Simulation) -> list[bytes]:
    return [getattr(sim.state, name).tobytes() for name in State.arrays()]


def frames(sim: sl.Simulation, branch: int, start: float) -> list[tuple]:
    return [
        (f.time, f.step, f.q.tobytes(), f.v.tobytes()) for f in sim.take.frames(start, None, branch) if f.time >= start
    ]


def finger() -> tuple[sl.Simulation, np.ndarray]:
    """A finger, and where its tip is."""
    sim = sl.Simulation(sl.load("finger"))
    sim.advance(0.05)
    return sim, sim.body_poses().position[sim.model.body(TIP).index].copy()


def target_at(sim: sl.Simulation, time: float, branch: int) -> np.ndarray:
    sim.go_to(time, branch)
    return sim.director.goals[0].target.copy()


def directed() -> sl.Simulation:
    """A finger that is told everything that there is to tell: functions, paths, fades, keyframes, parameters."""
    sim, here = finger()
    goal = sim.director.drag(TIP, here + [0.0, 0.01, 0.0], fade=0.03)
    sim.advance(0.053)
    goal.target = lambda t: here + [0.01 * math.sin(9 * t), 0.01, 0.0]
    sim.advance(0.05)
    sim.configure(friction=0.6)
    goal.move(here, velocity=(0.0, 0.05, 0.0), hold=0.04)
    sim.advance(0.06)
    goal.target = TimedPath([0.1, 0.22, 0.3], [here, here + [0.0, 0.01, 0.0], here])
    sim.advance(0.05)
    goal.release()
    track = sim.director.keyframes()
    track.insert(0.0)
    track.insert(0.1, sim.model.neutral())
    track.play(blend=0.05)
    sim.advance(0.1)
    return sim


@pytest.mark.parametrize("start", [0.05, 0.1, 0.203, 0.28])
def test_a_factor_of_one_gives_the_same_bits(start):
    sim = directed()
    made = sim.take.warp(start, 0.3, 1.0)
    old, new = frames(sim, 1, start + EXACT), frames(sim, made.id, start + EXACT)
    assert new == old
    assert len(new) > 5
    sim.go_to(sim.take.end(1), 1)
    end = bits(sim)
    sim.go_to(sim.take.end(made.id), made.id)
    assert bits(sim) == end


@pytest.mark.parametrize("factor", [0.6, 1.0, 1.37])
def test_the_new_branch_repeats_itself_to_the_last_bit(factor):
    sim = directed()
    made = sim.take.warp(0.07, 0.28, factor)
    assert sim.recording.find_difference(made.id) is None
    assert sim.take.end(made.id) == pytest.approx(sim.take.end(1) + 0.21 * (factor - 1), abs=6e-4)
    again = sim.take.warp(0.07, 0.28, factor, branch=1)
    assert frames(sim, made.id, 0.07) == frames(sim, again.id, 0.07)


@pytest.mark.parametrize(("scene", "options"), [("hanging_chain", {}), ("five_pendulums", {"active": 20})])
def test_other_engines_repeat_themselves_as_well(scene, options):
    sim = sl.Simulation(sl.load(scene), **options)
    sim.step(12)
    sim.tau[:] = 0.01
    if sim.engine.supports(Feature.GOALS):
        bone = sim.model.bodies[-1].name
        here = sim.body_poses().position[-1].copy()
        sim.director.drag(bone, lambda t: here + [0.1 * math.sin(5 * t), 0.05, 0.0])
    sim.step(36)
    start, end = 4 * sim.config.dt, 40 * sim.config.dt
    same, slower = sim.take.warp(start, end, 1.0), sim.take.warp(start, end, 1.3)
    assert sim.recording.find_difference(slower.id) is None
    assert frames(sim, same.id, start + EXACT) == frames(sim, 1, start + EXACT)
    assert np.abs(sim.take.frame(start, 1).q - sim.take.frame(end, 1).q).max() > 1e-6, "it moves"


def test_the_present_stays_and_goes_on_where_it_was():
    sim, other = directed(), directed()
    sim.take.warp(0.1, 0.2, 1.5)
    assert sim.position == other.position
    assert sim.take.current == 1
    for each in (sim, other):
        each.advance(0.05)
    assert bits(sim) == bits(other)
    assert set(frames(other, 1, 0.0)) <= set(frames(sim, 1, 0.0)), "with one more, of where it was"


def test_commands_land_at_the_nearest_step():
    sim = sl.Simulation(sl.load("pendulum"))
    sim.advance(0.1)
    sim.tau[:] = 1.0
    sim.advance(0.051)
    sim.tau[:] = 0.0
    sim.advance(0.1)
    made = sim.take.warp(0.05, 0.2, 1.5)
    assert (made.parent, made.begin) == (1, pytest.approx(0.05))
    given = {}
    for step in (124, 125, 201, 202, 325):
        sim.go_to(step * 1e-3, made.id)
        given[step] = float(sim.tau[0])
    assert given == {124: 0.0, 125: 1.0, 201: 1.0, 202: 0.0, 325: 0.0}  # 0.151 s becomes 0.2015 s
    assert sim.take.end(made.id) == pytest.approx(0.251 + 0.075)


def test_knots_shift_commands():
    sim = sl.Simulation(sl.load("pendulum"))
    sim.advance(0.1)
    sim.tau[:] = 1.0
    sim.advance(0.1)
    made = sim.take.warp(knots=[[0.0, 0.0], [0.1, 0.05], [0.2, 0.15]])
    sim.go_to(0.049, made.id)
    assert sim.tau[0] == 0.0
    sim.go_to(0.05, made.id)
    assert sim.tau[0] == 1.0


def follow(kind: str) -> tuple[sl.Simulation, float]:
    """A drag whose target moves, and a time from which on it does."""
    sim, here = finger()
    goal = sim.director.drag(TIP, here)
    sim.advance(0.05)
    if kind == "function":
        goal.target = lambda t: here + [0.02 * math.sin(20 * t), 0.0, 0.0]
    elif kind == "velocity":
        goal.move(here, velocity=(0.0, 0.1, 0.0), hold=0.12)
    elif kind == "path":
        times = 0.1 + 0.004 * np.arange(51)  # one for every tick
        goal.target = TimedPath(times, here + np.outer(np.sin(20 * times), [0.02, 0.0, 0.0]))
    if kind != "stream":
        sim.advance(0.2)
        return sim, 0.1
    goal.target = stream = Stream(here)
    for k in range(50):
        stream.feed(here + [0.02 * math.sin(0.1 * k), 0.0, 0.0])
        sim.step(4)
    return sim, 0.1


@pytest.mark.parametrize("kind", ["function", "velocity", "path", "stream"])
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_moving_target_is_the_same_function_of_the_new_time(kind, factor):
    sim, begin = follow(kind)
    start, end = begin + 0.02, begin + 0.1
    made = sim.take.warp(start, end, factor)
    moved = 0.0
    for time in np.arange(start, begin + 0.19, 0.012):
        new = start + factor * (time - start) if time <= end else time + (factor - 1) * (end - start)
        there = target_at(sim, time, 1)
        assert np.abs(target_at(sim, new, made.id) - there).max() < LOOKED_UP.get(kind, EXACT), f"at {time} s"
        moved = max(moved, np.abs(there - target_at(sim, start, 1)).max())
    assert moved > 0.005, "it moves"


def test_a_goal_fades_in_as_much_slower():
    sim, here = finger()
    sim.director.drag(TIP, here, fade=0.04)
    sim.advance(0.1)
    made = sim.take.warp(0.05, 0.07, 3.0)
    sim.go_to(0.08, made.id)
    goal = sim.director.goals[0]
    assert (goal.started, goal.fade) == (pytest.approx(0.05), pytest.approx(0.12))
    sim.go_to(0.12, made.id)  # behind the stretch it goes on at its own pace, from half way
    goal = sim.director.goals[0]
    assert (goal.started, goal.fade) == (pytest.approx(0.09), pytest.approx(0.04))


def test_keyframes_play_slower_and_begin_where_the_character_is():
    sim, here = finger()
    goal = sim.director.drag(TIP, here)
    goal.target = lambda t: here + [0.0, 0.02 * math.sin(30 * t), 0.0]
    sim.advance(0.1)
    goal.release()
    track = sim.director.keyframes(["proximal", "middle", "distal"])
    track.insert(0.0, dict.fromkeys(track.joints, 0.1))
    track.insert(0.1, dict.fromkeys(track.joints, 0.4))
    track.play(blend=0.02)
    sim.advance(0.1)
    made = sim.take.warp(0.05, 0.25, 2.0)  # also what leads to the keyframes is another motion then

    def angles() -> np.ndarray:
        return np.array([float(sim.q[sim.model.joint(name).q_slice][0]) for name in track.joints])

    sim.go_to(0.15, 1)
    recorded = angles()
    sim.go_to(0.25, made.id)
    begun = angles()
    sim.step()
    assert np.abs(begun - recorded).max() > 1e-3, "it is elsewhere by then"
    assert np.abs(angles() - begun).max() < 0.1 * np.abs(begun - recorded).max(), "no joint jumps"
    for time in (0.19, 0.21, 0.23):
        sim.go_to(time, 1)
        then = angles()
        sim.go_to(0.05 + 2 * (time - 0.05), made.id)
        assert np.abs(angles() - then).max() < EXACT, f"at {time} s"
    assert np.abs(then - recorded).max() > 0.05, "it moves"


@pytest.mark.parametrize("stretch", [(0.1, 0.3), (0.15, 0.2)])
def test_a_motion_that_is_followed_is_followed_slower(stretch):
    sim = sl.Simulation(sl.load("double_pendulum"))
    start = sim.q.copy()
    times = np.linspace(0.0, 0.4, 41)
    sim.follow(sl.Motion(sim.model, times, start + np.outer(np.sin(10 * times) ** 2, np.ones(2))))
    sim.advance(0.3)
    made = sim.take.warp(*stretch, 1.5)
    for time in (0.12, 0.16, 0.2, 0.28):
        inside = min(max(time, stretch[0]), stretch[1]) - stretch[0]
        sim.go_to(time, 1)
        then = sim.q.copy()
        sim.go_to(time + 0.5 * inside, made.id)
        assert np.abs(sim.q - then).max() < 2e-4, f"at {time} s: sampled 240 times a second, and smooth where it bends"
    assert np.abs(then - start).max() > 0.1, "it moves"
    assert sim.recording.find_difference(made.id) is None


def test_what_acted_when_is_told_of_the_new_branch():
    sim, here = finger()
    goal = sim.director.drag(TIP, here)
    sim.advance(0.05)
    goal.release()
    sim.advance(0.05)
    made = sim.take.warp(0.05, 0.1, 2.0)
    events = [(round(event.time, 6), event.what) for event in sim.take.events(branch=made.id)]
    assert (0.05, "drag begins") in events
    assert (0.15, "drag ends") in events


# --- what cannot be done ---


def test_prescribed_accelerations_are_refused_by_the_name_of_their_joint():
    sim = sl.Simulation(sl.load("double_pendulum"))
    sim.advance(0.05)
    sim.prescribed[1] = True
    sim.acceleration[1] = 2.0
    sim.advance(0.1)
    name = sim.model.dof_name(1)
    with pytest.raises(InputError, match=f"acceleration of joint {name}.*cannot be warped.*sim.follow"):
        sim.take.warp(0.0, 0.1, 1.2)
    assert list(sim.take.branches) == [1]
    assert sim.take.warp(0.0, 0.05, 1.2, until=0.05).id == 2, "before it they can be"
    assert sim.take.warp(0.0, 0.1, 1.0).id == 3, "and with a factor of 1"


def test_a_motion_that_begins_elsewhere_by_then_is_refused():
    sim = sl.Simulation(sl.load("double_pendulum"))
    sim.advance(0.3)
    q = sim.q.copy()
    sim.follow(sl.Motion(sim.model, [0.3, 0.5], [q, q + 0.1]))
    sim.advance(0.1)
    with pytest.raises(
        InputError, match="the motion that is followed from .* s on cannot be warped .* away from where joint"
    ):
        sim.take.warp(0.0, 0.3, 3.0)


def test_a_state_that_was_set_is_no_command():
    sim = sl.Simulation(sl.load("pendulum"))
    sim.advance(0.1)
    sim.set_state([1.0], [0.0])
    sim.advance(0.1)
    with pytest.raises(InputError, match=r"put the scene into another state at 0.1 s, where branch 'take 2' begins"):
        sim.take.warp(0.05, 0.15, 2.0)
    sim.take.warp(0.12, 0.15, 2.0)


def test_a_stretch_may_lie_in_what_a_branch_came_from():
    sim = sl.Simulation(sl.load("pendulum"))
    sim.tau[:] = 0.5
    sim.advance(0.2)
    sim.go_to(0.1)
    sim.tau[:] = 1.0
    sim.advance(0.1)
    made = sim.take.warp(0.05, 0.15, 2.0, branch=2)
    assert made.parent == 1
    sim.go_to(0.149, made.id)
    assert sim.tau[0] == 0.5
    sim.go_to(0.15, made.id)
    assert sim.tau[0] == 1.0
    assert sim.take.end(made.id) == pytest.approx(0.3)


def test_commands_that_were_lost_are_not_guessed():
    sim = sl.Simulation(sl.load("pendulum"))
    sim.advance(3.2)
    sim.go_to(0.5)
    lost = sim.take.store.chunks(1)[1]
    sim.take._index[1][1] = lost._replace(frames=0)  # as `rescue` leaves a chunk that it could not read
    for until, gap in ((3.2, "2 s"), (1.5, "1.5 s")):
        with pytest.raises(ProjectError, match=f"commanded between 0.992 s and {gap} was lost when a damaged file"):
            sim.take.warp(0.5, 0.7, 1.2, until=until)
    assert sim.take.warp(0.5, 0.7, 1.2, until=0.9).id == 2


class GaveUpError(Exception):
    pass


def test_what_is_cancelled_leaves_nothing():
    sim = directed()
    before, shares = bits(sim), []

    def report(share: float) -> None:
        shares.append(share)
        if share > 0.5:
            raise GaveUpError

    with pytest.raises(GaveUpError):
        sim.take.warp(0.0, 0.2, 2.0, report=report)
    assert 0 < shares[0] < shares[-1] <= 1
    assert list(sim.take.branches) == [1]
    assert bits(sim) == before


def test_a_motion_that_diverges_leaves_nothing():
    sim = sl.Simulation(sl.load("pendulum"))
    sim.advance(0.1)
    sim.tau[:] = 1e5
    sim.step()
    sim.tau[:] = 0.0
    sim.advance(0.01)
    with pytest.raises(
        DivergenceError, match="with its commands at other times the motion diverged, and nothing was kept"
    ):
        sim.take.warp(0.1, 0.101, 5000.0)
    assert list(sim.take.branches) == [1]


def test_nothing_is_nothing_to_warp():
    sim = sl.Simulation(sl.load("pendulum"))
    with pytest.raises(InputError, match="no recorded commands to warp; simulate something first"):
        sim.take.warp(factor=2.0)
    sim.advance(0.1)
    with pytest.raises(InputError, match="take less than a step"):
        sim.take.warp(factor=1e-6)
    with pytest.raises(InputError, match="cannot be replayed until 0.3 s.*from the end of the stretch, 0.05 s"):
        sim.take.warp(0.0, 0.05, 2.0, until=0.3)
    with pytest.raises(InputError, match="the time until which commands are replayed is 'end'"):
        sim.take.warp(0.0, 0.05, 2.0, until="end")
    with pytest.raises(InputError, match="there is no branch 7"):
        sim.take.warp(factor=2.0, branch=7)
