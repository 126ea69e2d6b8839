"""A director as plain data: written, read back, and gone on from bit by bit."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import stringless as sl
from stringless.control.live import Stream, TimedPath

BEFORE, AFTER = 30, 60
"""Steps before a director is written down, and steps that are compared afterwards."""


def humanoid() -> sl.Simulation:
    return sl.Simulation(sl.load("humanoid"))


def set_at_random(sim: sl.Simulation, rng: np.random.Generator) -> None:
    """Everything that can be set, or not."""
    director, model = sim.director, sim.model

    def near(place: Any) -> Any:
        return np.asarray(place) + rng.uniform(-0.1, 0.1, 3)

    def maybe() -> bool:
        return bool(rng.random() < 0.6)

    def shared() -> dict[str, Any]:
        return {"stiffness": rng.uniform(5, 30), "damping": rng.uniform(0.5, 1.5), "weight": rng.uniform(0.5, 2)}

    names = [model.dof_name(int(d)).split("'")[1] for d in director.characters[0].actuators]
    hand = director.drag("left_hand", **shared(), priority=int(rng.integers(2, 5)), fade=rng.uniform(0, 0.2))
    hand.move(near(hand.position), rng.uniform(-1, 1, 3), hold=0.05)
    if maybe():
        hand.turn(rng.normal(size=4))
    if maybe():
        director.pin("pelvis", axes="y", **shared())
    if maybe():
        director.pin("chest", position=False, orientation=True)
    if maybe():
        director.center(near(director.center_of_gravity()[0]), top_speed=1.0, push=maybe(), **shared())
    if maybe():
        director.turn(rate=(0.0, rng.uniform(-1, 1), 0.0), hold=rng.uniform(0, 0.1))
    if maybe():
        director.pose({names[int(rng.integers(6))]: 0.1}, **shared())
    if maybe():
        times, places = np.array([0.0, 0.05, 0.2]), [near(director.poses().position[4]) for _ in range(3)]
        director.drag("head", TimedPath(times, places))
    if maybe():
        stream = Stream(near(director.poses().position[14]), top_speed=0.7, jump=2.0)
        director.drag("right_hand", stream)
        stream.feed(near(stream(0.0)))
    if maybe():
        director.passive([names[-1], names[-3]], stiffness=rng.uniform(0, 30), damping=1.0)
    if maybe():
        director.leave(joints=[names[-2]])
    director.style(rng.choice(["acceleration", "torque", "velocity"]))
    if maybe():
        director.set_joint_weights({names[2]: rng.uniform(0.5, 3)})
    if maybe():
        director.set_rest_pose({names[1]: 0.1}, stiffness=rng.uniform(1, 8), damping=rng.uniform(0.2, 2))
    if maybe():
        director.top_acceleration = 300.0
    director.limit_stiffness, director.keep_momentum = rng.uniform(10, 40), maybe()
    track = director.keyframes(names[6:9])
    for time in np.sort(rng.uniform(0, 0.3, 3)):
        track.insert(time, {names[6]: rng.uniform(-0.2, 0.2)})
    if maybe():
        track.play(rate=rng.uniform(0.5, 2), blend=rng.uniform(0.01, 0.1))
    if director.goals and maybe():
        director.goals[0].release()


def same(a: sl.Simulation, b: sl.Simulation) -> None:
    """Bit by bit."""
    for name in ("q", "v", "vdot", "x", "xdot"):
        assert np.array_equal(getattr(a.state, name), getattr(b.state, name)), name


@pytest.mark.parametrize("seed", range(8))
def test_a_director_read_back_goes_on_bit_by_bit(seed: int) -> None:
    """In a new simulation that was restored to the same state, through JSON."""
    sim = humanoid()
    set_at_random(sim, np.random.default_rng(seed))
    sim.step(BEFORE)
    text = json.dumps(sim.director.as_data(), allow_nan=False)
    other = humanoid()
    other.restore(sim.save())
    other.director.restore_data(json.loads(text))
    assert json.dumps(other.director.as_data()) == text
    assert [goal.id for goal in other.director.goals] == [goal.id for goal in sim.director.goals]
    sim.step(AFTER)
    other.step(AFTER)
    same(sim, other)
    a, b = sim.director.drag("head"), other.director.drag("head")
    assert a.id == b.id


@pytest.mark.parametrize("seed", range(3))
def test_undo_makes_the_same_director_what_it_was(seed: int) -> None:
    """Whatever was done in between; goals and keyframes that were there stay the same objects."""
    rng = np.random.default_rng(seed)
    sim = humanoid()
    set_at_random(sim, rng)
    sim.step(BEFORE)
    data, state = sim.director.as_data(), sim.save()
    held, tracks = list(sim.director.goals), list(sim.director.all_tracks)
    sim.step(AFTER)
    last = sim.save()
    held[-1].release()
    for goal in held[:-1]:
        goal.stiffness, goal.priority = 7.0, 1
    sim.director.keyframes().insert(0.0)
    tracks[0].delete(0)
    late = sim.director.pin("left_hand")
    sim.director.style("torque")
    sim.step(BEFORE)
    sim.restore(state)
    sim.director.restore_data(data)
    assert sim.director.as_data() | {"next_id": 0} == data | {"next_id": 0}
    assert sim.director.new_id() > late.id, "no number is given twice"
    assert all(a is b for a, b in zip(sim.director.goals, held, strict=True)), "also one that had been released"
    assert sim.director.all_tracks[0] is tracks[0]
    assert not late.active
    assert all(goal.active for goal in sim.director.goals)
    sim.step(AFTER)
    assert np.array_equal(sim.q, last.q)
    assert np.array_equal(sim.v, last.v)


def test_data_are_of_plain_types() -> None:
    """Also numbers that came from an array: not every writer takes NumPy's."""
    sim = humanoid()
    track = sim.director.keyframes()
    track.insert(0.0)
    track.insert(0.5)
    track.play()
    sim.director.drag("left_hand", stiffness=np.float64(20)).move(np.zeros(3), hold=np.float64(0.1))
    sim.director.center(np.ones(3), top_speed=np.float64(1))

    def kinds(value: Any) -> set[type]:
        parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
        return {type(value)}.union(*(kinds(part) for part in parts))

    assert kinds(sim.director.as_data()) <= {dict, list, str, int, float, bool, type(None)}


def test_flesh_that_pushes_off_goes_on_bit_by_bit() -> None:
    """The footholds are part of the state, the goal is part of the data."""
    sims = [sl.Simulation(sl.load("worm"), restitution=0.0) for _ in range(2)]
    sims[0].advance(0.4)
    goal = sims[0].director.center()
    goal.move(goal.position + np.array([0.0, 0.05, 0.0]))
    sims[0].step(BEFORE)
    assert sims[0].director.report()["footholds"] > 0
    sims[1].restore(sims[0].save())
    sims[1].director.restore_data(sims[0].director.as_data())
    for sim in sims:
        sim.step(AFTER)
    same(*sims)


def test_a_function_is_held_where_it_was() -> None:
    """A function of Python cannot be written down: its last place can, and a stream stays the one that is fed."""
    sim = humanoid()
    start = sim.director.poses().position[4]
    goal = sim.director.drag("head", lambda time: start + np.array([0.0, 0.0, 0.1 * time]))
    stream = Stream(start)
    hand = sim.director.drag("left_hand", stream)
    turning = sim.director.turn(lambda time: (0.0, math.sin(time), 0.0, math.cos(time)))
    sim.step(22)
    data = sim.director.as_data()
    there, pointing = goal.target, turning.orientation
    assert [item["kind"] for item in (data["goals"][0]["target"], data["goals"][1]["target"])] == ["function", "stream"]
    assert data["goals"][2]["orientation"]["kind"] == "function"
    sim.director.restore_data(data)
    sim.step(50)
    np.testing.assert_allclose(goal.target, there, rtol=0, atol=1e-15)
    np.testing.assert_allclose(turning.orientation, pointing, rtol=0, atol=1e-15)
    stream.feed(start + 0.01)
    sim.step(200)
    np.testing.assert_allclose(hand.target, start + 0.01, rtol=0, atol=1e-12)


def broken(change: Any) -> dict[str, Any]:
    sim = humanoid()
    sim.director.drag("head")
    sim.director.keyframes().insert(0.0)
    data = json.loads(json.dumps(sim.director.as_data()))
    change(data)
    return data


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.clear(), "no director's data"),
        (lambda d: d.pop("goals"), "'goals' is missing"),
        (lambda d: d["goals"][0].update(kind="dragg"), "Did you mean 'drag'"),
        (lambda d: d["goals"][0].update(bone="nose"), "nose"),
        (lambda d: d["goals"][0].update(weight=-1), "weight"),
        (lambda d: d["goals"][0]["target"].update(kind="rope"), "target 'rope' is unknown"),
        (lambda d: d["goals"][0]["target"].update(value=[1, 2]), "three finite numbers"),
        (lambda d: d.update(limit_firmness=-3), "limit_stiffness is -3"),
        (lambda d: d["characters"].update(cat={}), "the data are of characters"),
        (lambda d: d["joints"].pop("neck"), "other joints"),
        (lambda d: d["characters"]["pelvis"].update(style="fast"), "style 'fast'"),
        (lambda d: d["keyframes"][0]["times"].append(1.0), "one pose for each"),
        (lambda d: d.update(playing=[99]), "99"),
    ],
)
def test_broken_data_are_refused_and_change_nothing(change: Any, message: str) -> None:
    """All or nothing."""
    sim = humanoid()
    goal = sim.director.pin("chest")
    before = sim.director.as_data()
    with pytest.raises(sl.InputError, match=message):
        sim.director.restore_data(broken(change))
    assert sim.director.as_data() == before
    assert sim.director.goals == [goal]


def test_data_of_nothing_is_refused() -> None:
    """With our own error."""
    with pytest.raises(sl.InputError, match="no director's data"):
        humanoid().director.restore_data(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["limit_stiffness", "top_acceleration", "assumed_friction", "keep_momentum"])
@pytest.mark.parametrize("value", [-1.0, float("nan"), "much", None])
def test_settings_are_checked_when_they_are_set(name: str, value: Any) -> None:
    """And keep what they were."""
    director = humanoid().director
    before = getattr(director, name)
    with pytest.raises(sl.InputError, match=f"{name} is"):
        setattr(director, name, value)
    assert getattr(director, name) == before


def test_settings_take_effect_at_the_next_step() -> None:
    """Also after the tables were made."""
    sim = humanoid()
    goal = sim.director.drag("left_hand")
    goal.move(goal.position + 0.5)
    sim.step()
    assert np.abs(sim.state.vdot[6:]).max() > 2.0
    sim.director.top_acceleration = 1.0
    sim.step()
    assert np.abs(sim.state.vdot[6:]).max() < 1.0 + 1e-9


def test_numbers_are_never_used_twice() -> None:
    """Of goals and keyframes, looked up or asked for in vain."""
    director = humanoid().director
    first = director.drag("head")
    track = director.keyframes()
    first.release()
    second = director.drag("head")
    assert len({first.id, second.id, track.id}) == 3
    assert director.goal(second.id) is second
    assert director.track(track.id) is track
    with pytest.raises(sl.InputError, match="no goal 1; there are"):
        director.goal(first.id)
    track.discard()
    with pytest.raises(sl.InputError, match="no keyframes"):
        director.track(track.id)


def test_a_path_is_checked_and_joins_quaternions_the_short_way() -> None:
    """Places at rising times."""
    path = TimedPath([0.0, 1.0], [(0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, -1.0)])
    np.testing.assert_allclose(path(0.5), (0.0, 0.0, 0.0, 1.0))
    for times, places in (([0.0, 0.0], np.zeros((2, 3))), ([], np.zeros((0, 3))), ([0.0], np.zeros((1, 2)))):
        with pytest.raises(sl.InputError, match="path"):
            TimedPath(times, places)
