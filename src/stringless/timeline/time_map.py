"""Maps of time: from when something was recorded to when it is to happen; continuous, rising and piecewise linear."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from stringless.errors import InputError

Knots = Sequence[Sequence[float]]
"""Pairs of a recorded and a new time [s]."""


class Segment(NamedTuple):
    """Where a map is linear: `t' = t + delay + (factor - 1) (t - begin)`, which for a factor of 1 loses no digit."""

    begin: float
    """Recorded time that it begins at [s]."""
    delay: float
    """How much later that is to happen [s]."""
    factor: float
    """How much longer everything takes."""

    def at(self, time: float) -> float:
        """The new time of a recorded one, which may lie beyond the segment; a time without bound stays so."""
        return time + self.delay + (self.factor - 1.0) * (time - self.begin) if math.isfinite(time) else time

    @property
    def is_identity(self) -> bool:
        """Whether all times stay what they are."""
        return self.delay == 0.0 and self.factor == 1.0


BEFORE = Segment(0.0, 0.0, 1.0)
"""What comes before a map stays where it is."""


class TimeMap:
    """A map of time: what was recorded before its start stays, what was recorded after its last bend is shifted."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        """Take segments that follow each other; use `stretched` or `through`."""
        self.segments = tuple(segments)
        self._begins = [segment.begin for segment in segments]

    @classmethod
    def stretched(cls, start: float, end: float, factor: float) -> Self:
        """Let what lies between two times take `factor` times as long."""
        factor = _factor(factor)
        return cls([Segment(start, 0.0, factor), Segment(end, (factor - 1.0) * (end - start), 1.0)])

    @classmethod
    def through(cls, knots: Knots) -> Self:
        """Go straight from knot to knot, each a recorded time and when it is to happen; the first keeps its time."""
        pairs = [_pair(knot) for knot in knots]
        if len(pairs) < 2:
            raise InputError(f"a map of time has {len(pairs)} knots; expected two or more, as [[0.2, 0.2], [0.5, 0.7]]")
        for (before, new_before), (after, new_after) in itertools.pairwise(pairs):
            if not (after > before and new_after > new_before):
                raise InputError(
                    f"the map of time goes from {before:g} → {new_before:g} s to {after:g} → {new_after:g} s; expected knots "
                    "of which both times rise, so that no command is lost and none comes before another"
                )
        first, new_first = pairs[0]
        if first != new_first:
            raise InputError(
                f"the first knot moves {first:g} s to {new_first:g} s, where what happened before it cannot change any more; "
                "to shift commands, begin with a knot that stays, as [[0.2, 0.2], [0.5, 0.4], [0.8, 0.7]]"
            )
        segments = [
            Segment(old, new - old, (next_new - new) / (next_old - old))
            for (old, new), (next_old, next_new) in itertools.pairwise(pairs)
        ]
        return cls([*segments, Segment(pairs[-1][0], pairs[-1][1] - pairs[-1][0], 1.0)])

    @property
    def start(self) -> float:
        """Recorded time that it begins at [s]."""
        return self._begins[0]

    @property
    def end(self) -> float:
        """Recorded time from which on everything is only shifted [s]."""
        return self._begins[-1]

    @property
    def bends(self) -> list[float]:
        """Recorded times at which it becomes faster or slower."""
        pairs = itertools.pairwise((BEFORE, *self.segments))
        return [after.begin for before, after in pairs if before.factor != after.factor]

    @property
    def is_identity(self) -> bool:
        """Whether all times stay what they are."""
        return all(segment.is_identity for segment in self.segments)

    def segment_at(self, time: float) -> Segment:
        """The segment that a recorded time is in."""
        place = bisect.bisect_right(self._begins, time)
        return self.segments[place - 1] if place else BEFORE

    def __call__(self, time: float) -> float:
        """When something recorded at a time is to happen [s]."""
        return self.segment_at(time).at(time)


def make_time_map(
    start: float | None,
    end: float | None,
    factor: float | None,
    knots: Knots | None,
    recorded: tuple[float, float, str],
) -> TimeMap:
    """The map that was asked for: a factor for a stretch, all that is `recorded` if not said, or knots.

    Raises:
        InputError: the stretch is empty, backwards or not in the branch; a factor is not finite or not above 0; or it is not
            said what to do.
    """
    begin, last, name = recorded
    if (factor is None) == (knots is None):
        raise InputError("say either by which factor to stretch the commands, or through which knots their times go")
    if knots is not None:
        if start is not None or end is not None:
            raise InputError("knots say themselves from when to when; leave start and end out")
        time_map = TimeMap.through(knots)
    else:
        start = begin if start is None else check_time(start, "start of the stretch")
        end = last if end is None else check_time(end, "end of the stretch")
        if end <= start:
            what = "is empty" if end == start else "goes backwards"
            raise InputError(f"the stretch from {start:g} s to {end:g} s {what}; its end must come after its start")
        assert factor is not None
        time_map = TimeMap.stretched(start, end, factor)
    if not begin - NEAR <= time_map.start < time_map.end <= last + NEAR:
        raise InputError(
            f"the stretch from {time_map.start:.4g} s to {time_map.end:.4g} s is not in branch '{name}', which was recorded from "
            f"{begin:.4g} s to {last:.4g} s"
        )
    return time_map


NEAR = 1e-6
"""Rounding of times that were read from a page [s]."""


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def check_time(value: Any, what: str) -> float:
    """A finite number of seconds."""
    if _is_number(value):
        return float(value)
    raise InputError(f"the {what} is {value!r}; expected a finite number of seconds")


def _factor(value: Any) -> float:
    if _is_number(value) and value > 0:
        return float(value)
    raise InputError(
        f"the factor is {value!r}; expected a finite number above 0: 1.3 makes a stretch 1.3 times as long"
    )


def _pair(knot: Any) -> tuple[float, float]:
    if isinstance(knot, Sequence) and len(knot) == 2 and not isinstance(knot, str):
        return check_time(knot[0], "recorded time of a knot"), check_time(knot[1], "new time of a knot")
    raise InputError(f"a knot is {knot!r}; expected a recorded and a new time, as [0.5, 0.7]")
