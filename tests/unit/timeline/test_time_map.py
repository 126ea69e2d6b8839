"""Maps of time: rising, piecewise linear, and exact where nothing changes."""

from __future__ import annotations

import math

import pytest

from stringless.errors import InputError
from stringless.timeline.time_map import TimeMap, make_time_map

RECORDED = (0.5, 2.0, "take 1")
ROUNDING = 1e-12


def test_a_stretch_takes_longer_and_shifts_what_follows():
    time_map = TimeMap.stretched(0.2, 0.6, 1.5)
    new = [time_map(time) for time in (0.1, 0.2, 0.4, 0.6, 1.0)]
    assert new == pytest.approx([0.1, 0.2, 0.5, 0.8, 1.2], abs=ROUNDING)
    assert time_map.bends == [0.2, 0.6]
    assert not time_map.is_identity


def test_a_factor_of_one_changes_no_digit():
    time_map = TimeMap.stretched(0.1, 0.7, 1)
    assert time_map.is_identity
    assert time_map.bends == []
    times = [k * 0.1 / 3 for k in range(60)]
    assert [time_map(time) for time in times] == times


def test_knots_that_only_shift_bend_nowhere_behind_them():
    time_map = TimeMap.through([[0.0, 0.0], [0.25, 0.5], [0.75, 1.0]])
    assert [time_map(time) for time in (0.0, 0.125, 0.25, 0.5, 0.75, 2.0)] == [0.0, 0.25, 0.5, 0.75, 1.0, 2.25]
    assert time_map.bends == [0.0, 0.25]


def test_a_time_without_bound_stays_so():
    assert TimeMap.stretched(0.0, 1.0, 1.0)(math.inf) == math.inf
    assert TimeMap.stretched(0.0, 1.0, 2.0)(math.inf) == math.inf


def test_a_segment_goes_on_beyond_its_ends():
    segment = TimeMap.stretched(1.0, 2.0, 3.0).segment_at(1.5)
    assert segment.at(0.0) == -2.0
    assert segment.at(3.0) == 7.0


def test_all_that_is_recorded_is_stretched_if_nothing_is_said():
    time_map = make_time_map(None, None, 2.0, None, RECORDED)
    assert (time_map.start, time_map.end, time_map(2.0)) == (0.5, 2.0, 3.5)


@pytest.mark.parametrize(
    ("start", "end", "factor", "message"),
    [
        (1.0, 1.0, 2.0, "from 1 s to 1 s is empty"),
        (1.5, 1.0, 2.0, "from 1.5 s to 1 s goes backwards"),
        (0.0, 1.0, 2.0, "not in branch 'take 1', which was recorded from 0.5 s to 2 s"),
        (1.0, 3.0, 2.0, "from 1 s to 3 s is not in branch 'take 1'"),
        (math.nan, 1.0, 2.0, "the start of the stretch is nan; expected a finite number"),
        (1.0, "end", 2.0, "the end of the stretch is 'end'"),
        (1.0, 2.0, 0.0, "the factor is 0.0; expected a finite number above 0"),
        (1.0, 2.0, -1.0, "the factor is -1.0"),
        (1.0, 2.0, math.inf, "the factor is inf"),
        (1.0, 2.0, math.nan, "the factor is nan"),
        (1.0, 2.0, True, "the factor is True"),
        (1.0, 2.0, None, "either by which factor"),
    ],
)
def test_what_makes_no_sense_is_refused(start, end, factor, message):
    with pytest.raises(InputError, match=message):
        make_time_map(start, end, factor, None, RECORDED)


@pytest.mark.parametrize(
    ("knots", "message"),
    [
        ([[1.0, 1.0]], "has 1 knots; expected two or more"),
        ([[1.0, 1.0], [1.5, 1.0]], "goes from 1 → 1 s to 1.5 → 1 s; expected knots of which both times rise"),
        ([[1.0, 1.0], [0.8, 1.2]], "both times rise"),
        ([[1.0, 1.1], [1.5, 1.6]], "the first knot moves 1 s to 1.1 s"),
        ([[1.0, 1.0], [1.5, math.inf]], "the new time of a knot is inf"),
        ([[1.0, 1.0], 1.5], "a knot is 1.5"),
        ([[1.0, 1.0], [2.5, 3.0]], "not in branch 'take 1'"),
    ],
)
def test_knots_that_make_no_sense_are_refused(knots, message):
    with pytest.raises(InputError, match=message):
        make_time_map(None, None, None, knots, RECORDED)


def test_knots_say_themselves_from_when_to_when():
    with pytest.raises(InputError, match="leave start and end out"):
        make_time_map(0.6, None, None, [[0.6, 0.6], [1.0, 2.0]], RECORDED)
    with pytest.raises(InputError, match="either by which factor"):
        make_time_map(None, None, 2.0, [[0.6, 0.6], [1.0, 2.0]], RECORDED)
