"""Live streams: what a goal sees of samples that come early, late, too far or not at all."""

import copy
import math
import threading

import numpy as np
import pytest

import stringless as sl
from stringless.control.live import Stream, replay
from stringless.errors import InputError

STEP = 0.004
"""Between two looks at the target [s]."""
EXACT = 1e-12
"""Rounding of sums of some hundred small steps [m]."""


def follow(stream, seconds, start=0.0):
    """Where the target is at each look."""
    times = start + STEP * np.arange(round(seconds / STEP) + 1)
    return times, np.array([stream(float(time)) for time in times])


def test_silent_stream_holds_its_place():
    stream = Stream((1.0, 2.0, 3.0))
    _, places = follow(stream, 0.1)
    assert np.array_equal(places, np.tile((1.0, 2.0, 3.0), (len(places), 1)))


def test_last_sample_is_held_after_the_stream_has_stopped():
    stream = Stream((0.0, 0.0, 0.0))
    stream(0.0)
    assert stream.feed((0.01, 0.0, 0.0))
    _, places = follow(stream, 1.0)
    assert np.allclose(places[10:], (0.01, 0.0, 0.0), rtol=0, atol=EXACT)


def test_only_the_latest_sample_counts():
    stream = Stream((0.0, 0.0, 0.0), top_speed=1e3)
    stream(0.0)
    for x in (0.3, 0.2, 0.1):
        stream.feed((x, 0.0, 0.0))
    assert np.array_equal(stream(1.0), (0.1, 0.0, 0.0))
    assert stream.accepted == 3


def test_far_sample_is_approached_straight_and_no_faster_than_allowed():
    stream = Stream((0.0, 0.0, 0.0), top_speed=2.0)
    stream(0.0)
    stream.feed((3.0, 4.0, 0.0))
    times, places = follow(stream, 3.0)
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=1) / STEP
    assert speeds.max() <= 2.0 * (1 + EXACT / STEP)
    assert np.allclose(places[:, 1] * 3.0, places[:, 0] * 4.0, rtol=0, atol=EXACT)
    assert np.allclose(np.linalg.norm(places, axis=1), np.minimum(2.0 * times, 5.0), rtol=0, atol=EXACT)


def test_first_look_does_not_count_the_time_before_it():
    stream = Stream((0.0, 0.0, 0.0), top_speed=1.0)
    stream.feed((10.0, 0.0, 0.0))
    assert np.array_equal(stream(7.0), (0.0, 0.0, 0.0))


def test_looking_twice_at_one_time_does_not_move_the_target():
    stream = Stream((0.0, 0.0, 0.0), top_speed=1.0)
    stream(0.0)
    stream.feed((1.0, 0.0, 0.0))
    first = stream(0.1)
    assert np.array_equal(stream(0.1), first)
    assert np.array_equal(stream(0.05), first)
    assert np.allclose(stream(0.2), (0.2, 0.0, 0.0), rtol=0, atol=EXACT)


@pytest.mark.parametrize(
    "sample", [(math.nan, 0.0, 0.0), (0.0, math.inf, 0.0), (0.0, 0.0), "here", None, (0.0, 0.0, 0.6)]
)
def test_what_is_no_place_or_a_glitch_is_thrown_away_and_counted(sample):
    stream = Stream((0.0, 0.0, 0.0), jump=0.5)
    stream.feed((0.0, 0.0, 0.05))
    assert not stream.feed(sample)
    assert (stream.accepted, stream.refused) == (1, 1)
    stream(0.0)
    assert np.array_equal(stream(1.0), (0.0, 0.0, 0.05))


@pytest.mark.parametrize("wrong", [{"top_speed": 0.0}, {"jump": -1.0}, {"top_speed": math.nan}])
def test_limits_that_stop_everything_are_refused(wrong):
    with pytest.raises(InputError, match="expected a number above 0"):
        Stream((0.0, 0.0, 0.0), **wrong)


def test_place_to_start_at_must_be_one():
    with pytest.raises(InputError, match="position is"):
        Stream((0.0, math.nan, 0.0))


def test_what_was_played_can_be_played_again():
    stream = Stream((0.0, 0.0, 0.0), top_speed=1.0)
    for k in range(100):
        stream.feed((math.sin(0.1 * k), 0.01 * k, 0.0))
        stream(STEP * k)
    path = replay(stream.record)
    times = [time for time, _ in stream.record]
    assert len(times) == 100
    assert np.all(np.diff(times) > 0)
    for time, place in stream.record:
        assert np.array_equal(path(time), place)
    assert np.array_equal(path(times[-1] + 1.0), stream.record[-1][1])


def test_copy_holds_the_last_sample_and_hears_no_others():
    stream = Stream((0.0, 0.0, 0.0), top_speed=1.0)
    stream(0.0)
    stream.feed((1.0, 0.0, 0.0))
    stream(0.1)
    ghost = copy.deepcopy(stream)
    stream.feed((-1.0, 0.0, 0.0))
    assert np.allclose(ghost(0.3), (0.3, 0.0, 0.0), rtol=0, atol=EXACT)
    assert np.allclose(stream(0.3), (-0.1, 0.0, 0.0), rtol=0, atol=EXACT)
    assert len(stream.record) == 3


def test_samples_from_another_thread_are_whole():
    stream = Stream((0.0, 0.0, 0.0), top_speed=1e9)
    stream(0.0)
    done = threading.Event()

    def device():
        for k in range(20_000):
            stream.feed((float(k), float(k), float(k)))
        done.set()

    thread = threading.Thread(target=device)
    thread.start()
    time, looks = 0.0, []
    while not done.is_set() or not looks:
        time += 1.0
        looks.append(stream(time))
    thread.join()
    assert np.array_equal(stream(time + 1.0), (19_999.0,) * 3)
    assert all(look[0] == look[1] == look[2] for look in looks)


def test_a_hand_that_has_really_moved_is_believed() -> None:
    """One far sample is a glitch, three that agree are not."""
    stream = Stream((0, 0, 0), jump=0.1)
    assert not stream.feed((2.0, 0, 0))
    assert stream.feed((0.05, 0, 0))
    assert not stream.feed((2.0, 0, 0))
    assert not stream.feed((2.01, 0, 0))
    assert stream.feed((2.02, 0, 0))


def test_stiffness_takes_effect_when_it_is_set() -> None:
    """The rows that the next step sees have the new gain."""
    sim = sl.Simulation(sl.load("worm"))
    goal = sim.director.drag("bone_0", stiffness=10.0)
    assert sim.director.task_tables().tasks["kp"][0] == 100.0
    goal.stiffness = 20.0
    assert sim.director.task_tables().tasks["kp"][0] == 400.0
