"""Live input: any program may feed a target, from any thread.

A glove, a pen, a gamepad or a motion capture calls `feed` whenever it has something. The simulation looks at the latest
sample only. A stream that has gone silent holds its last place; a glitch is followed no faster than the stream allows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stringless.control.checks import numbers
from stringless.errors import InputError
from stringless.spatial.arrays import FloatArray

BELIEVED = 3
"""So many samples in a row that agree are no glitch: the hand has really moved."""


class Stream:
    """A target that is moved from outside: give it to a goal in place of three numbers."""

    def __init__(self, position: ArrayLike, *, top_speed: float = 5.0, jump: float = math.inf) -> None:
        """Start at a place.

        Args:
            position: until the first sample arrives [m].
            top_speed: the target never moves faster, whatever the samples say [m/s].
            jump: samples farther than this from the last accepted one are thrown away as glitches [m], unless
                several in a row agree.
        """
        for name, value in (("top_speed", top_speed), ("jump", jump)):
            if not (isinstance(value, Real) and float(value) > 0):
                raise InputError(f"{name} of a stream is {value!r}; expected a number above 0")
        self.top_speed, self.jump = float(top_speed), float(jump)
        self._wanted = self._here = numbers(position, "position")
        self._time = -math.inf
        self._doubtful: list[FloatArray] = []  # samples in a row that were too far away, near each other
        self.accepted = self.refused = 0
        """Samples taken, and samples thrown away because they were no place or a glitch."""
        self.record: list[tuple[float, FloatArray]] = []
        """Time and place of the target each time that the simulation looked: enough to play it again."""

    def feed(self, position: ArrayLike) -> bool:
        """Give the latest sample; False if it was thrown away. May be called from any thread."""
        try:
            sample = numbers(position, "sample")
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

    def as_data(self) -> dict[str, Any]:
        """What it holds now, as plain data; a number without bound is None."""
        return {
            "kind": "stream",
            "top_speed": _bounded(self.top_speed),
            "jump": _bounded(self.jump),
            "wanted": self._wanted.tolist(),
            "here": self._here.tolist(),
            "time": _bounded(self._time),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Stream:
        """A stream that holds what `as_data` returned, and may be fed again."""
        bounds = {name: math.inf if data[name] is None else data[name] for name in ("top_speed", "jump")}
        stream, time = cls(data["wanted"], **bounds), data["time"]
        stream._here = numbers(data["here"], "place of the stream")
        stream._time = -math.inf if time is None else float(time)
        return stream

    def hold(self, other: Stream) -> None:
        """Go on from where another stream stands; what feeds this one goes on feeding it."""
        self.top_speed, self.jump = other.top_speed, other.jump
        self._wanted, self._here, self._time, self._doubtful = other._wanted, other._here, other._time, []


def _bounded(value: float) -> float | None:
    return value if math.isfinite(value) else None


class TimedPath:
    """A path through places at times, straight in between; before the first and after the last it stands.

    A place is three numbers, or four of a quaternion.
    """

    def __init__(self, times: ArrayLike, places: ArrayLike) -> None:
        """Check that there is a place for every time."""
        self.times, self.places = np.array(times, dtype=np.float64), np.array(places, dtype=np.float64)
        if self.times.ndim != 1 or self.places.shape not in ((self.times.size, 3), (self.times.size, 4)):
            raise InputError(
                f"a path has times of shape {self.times.shape} and places of shape {self.places.shape}; expected one place "
                "of three or four numbers for each time"
            )
        finite = np.isfinite(self.times).all() and np.isfinite(self.places).all()
        if not (self.times.size and finite and np.all(np.diff(self.times) > 0)):
            raise InputError("times of a path must rise, and times and places be finite; expected one or more of each")
        if self.places.shape[1] == 4:
            # A quaternion and its negative are the same orientation: take those that are near each other.
            turns = np.sign(np.einsum("ij,ij->i", self.places[1:], self.places[:-1]))
            self.places[1:] *= np.cumprod(np.where(turns < 0, -1.0, 1.0))[:, None]

    def __call__(self, time: float) -> FloatArray:
        """Where the path is."""
        return np.array([np.interp(time, self.times, column) for column in self.places.T])

    def as_data(self) -> dict[str, Any]:
        """As plain data."""
        return {"kind": "path", "times": self.times.tolist(), "places": self.places.tolist()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> TimedPath:
        """What `as_data` returned."""
        return cls(data["times"], data["places"])


def replay(record: list[tuple[float, FloatArray]]) -> TimedPath:
    """The path that a stream took."""
    return TimedPath([time for time, _ in record], [place for _, place in record])
