"""Live input: any program may feed a target, from any thread.

A glove, a pen, a gamepad or a motion capture calls `feed` whenever it has something. The simulation looks at the latest
sample only. A stream that has gone silent holds its last place; a glitch is followed no faster than the stream allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stringless.control.goals.targets import vector3
from stringless.errors import InputError

FloatArray = NDArray[np.float64]
BELIEVED = 3
"""So many samples in a row that agree are no glitch: the hand has really moved."""


class Stream:
    """A target that somebody else moves: give it to a goal in place of three numbers."""

    def __init__(self, position: ArrayLike, *, top_speed: float = 5.0, jump: float = math.inf) -> None:
        """Start at a place.

        Args:
            position: until the first sample arrives [m].
            top_speed: the target never moves faster, whatever the samples say [m/s].
            jump: samples farther than this from the last accepted one are thrown away as glitches [m], unless
                several in a row agree.
        """
        if not (top_speed > 0 and jump > 0):
            raise InputError(f"top_speed is {top_speed} and jump is {jump}; expected numbers above 0")
        self.top_speed, self.jump = float(top_speed), float(jump)
        self._wanted = self._here = vector3(position, "position")
        self._time = -math.inf
        self._doubtful: list[FloatArray] = []  # samples in a row that were too far away, near each other
        self.accepted = self.refused = 0
        """Samples taken, and samples thrown away because they were no place or a glitch."""
        self.record: list[tuple[float, FloatArray]] = []
        """Time and place of the target each time that the simulation looked: enough to play it again."""

    def feed(self, position: ArrayLike) -> bool:
        """Give the latest sample; False if it was thrown away. May be called from any thread."""
        try:
            sample = vector3(position, "sample")
        except InputError:
            self.refused += 1
            return False
        if float(np.linalg.norm(sample - self._wanted)) > self.jump:
            near = [other for other in self._doubtful if float(np.linalg.norm(sample - other)) <= self.jump]
            self._doubtful = [*near, sample]
            if len(self._doubtful) < BELIEVED:
                self.refused += 1
                return False
        self._doubtful = []
        self._wanted = sample  # one assignment: a reader sees the old sample or the new one
        self.accepted += 1
        return True

    def __call__(self, time: float) -> FloatArray:
        """Where the target is; asked at rising times."""
        if not math.isfinite(self._time):
            self._time = time
        room = self.top_speed * max(time - self._time, 0.0)
        gap = self._wanted - self._here
        size = float(np.linalg.norm(gap))
        if room > 0 and size > 0:
            self._here = self._wanted if size <= room else self._here + (room / size) * gap
        if time > self._time or not self.record:
            self.record.append((time, self._here))
        self._time = max(time, self._time)
        return self._here

    def __deepcopy__(self, memo: dict[int, Any]) -> Stream:
        """A stream that holds the last sample: what a preview sees."""
        other = Stream(self._wanted, top_speed=self.top_speed, jump=self.jump)
        other._here, other._time = self._here, self._time
        return other


def replay(record: list[tuple[float, FloatArray]]) -> Callable[[float], FloatArray]:
    """The path that a stream took, as a function of time."""
    times = np.array([time for time, _ in record])
    places = np.array([place for _, place in record])

    def path(time: float) -> FloatArray:
        return np.array([np.interp(time, times, places[:, k]) for k in range(3)])

    return path
