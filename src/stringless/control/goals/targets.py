"""Targets: they stand, move on by themselves, or come from a path or a live stream."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from stringless.control.checks import numbers, unit_quaternion
from stringless.errors import InputError
from stringless.model.pose import multiply_quaternions
from stringless.spatial.arrays import FloatArray

Path = Callable[[float], Any]
"""A target that moves: from the time to where it is then."""


class Follower:
    """A target in space."""

    def __init__(self, time: float, value: Any) -> None:
        """Start at `value`: a place, or a function of time."""
        self.path: Path | None = None
        self.value, self.rate = np.zeros(0), np.zeros(3)
        self.since = self.until = time
        self._sampled: tuple[float, float] | None = (
            None  # start and length of the segment of the path that was sampled last
        )
        self.was_external = False
        """Whether it stands for a target that a function or a stream moved."""
        self.set(time, value)

    def __deepcopy__(self, memo: dict[int, Any]) -> Follower:
        """A copy that follows the same path; only a stream knows how to be copied."""
        other = copy.copy(self)
        if hasattr(self.path, "__deepcopy__"):
            other.path = copy.deepcopy(self.path, memo)
        return other

    def set(self, time: float, value: Any, rate: ArrayLike | None = None, hold: float = 0.0) -> None:
        """Stand at `value`, or move on from there with `rate` for `hold` seconds, or follow a path."""
        if callable(value):
            place, speed, until = self.evaluate(value, time), np.zeros(3), time
        else:
            place = self.check_value(value)
            speed = np.zeros(3) if rate is None else numbers(rate, "velocity of the target")
            if not (isinstance(hold, Real) and float(hold) >= 0):
                raise InputError(f"hold is {hold!r} s; expected a number of 0 or more")
            until = time + float(hold)
        self._sampled, self.was_external = None, False
        self.path = value if callable(value) else None
        self.value, self.rate = place, speed
        self.since, self.until = time, until

    def sample_path(self, time: float, tick: float) -> bool:
        """Sample the next segment of the path, straight from its place at `time` to that after `tick`; False without one.

        A segment is sampled once: how a simulation is cut into calls must not change it.
        """
        if self.path is None:
            return False
        if self._sampled != (time, tick):
            here, there = self.evaluate(self.path, time), self.evaluate(self.path, time + tick)
            self.value, self.rate = here, self.find_difference(here, there) / tick
            self.since, self.until = time, time + tick
            self._sampled = (time, tick)
        return True

    def evaluate(self, path: Path, time: float) -> FloatArray:
        """Where a path is."""
        return self.check_value(path(time), f"target of the path at time {time:.4g} s")

    def elapsed(self, time: float) -> float:
        """For how long the target has moved by then [s]."""
        return max(min(time, self.until) - self.since, 0.0)

    # --- as data ---

    def as_data(self, time: float) -> dict[str, Any]:
        """As plain data: standing or moving on, on a path or a stream, or where a function has led by now."""
        if self.path is None:
            return {**self.segment_data(), "kind": "fixed"}
        if not hasattr(self.path, "as_data"):
            here = {"value": self.find_value(time).tolist(), "rate": [0.0] * 3, "since": time, "until": time}
            return {"kind": "function", **here}
        path: Any = self.path
        return {**self.segment_data(), **path.as_data(), "seen": None if self._sampled is None else list(self._sampled)}

    @property
    def is_external(self) -> bool:
        """Whether it comes from outside: from a function or a live stream, whose next place is unknown."""
        return self.path is not None and (not hasattr(self.path, "as_data") or hasattr(self.path, "feed"))

    def segment_data(self) -> dict[str, Any]:
        """The segment sampled last, as plain data: enough to do the same again, without what it came from."""
        moving = {"value": self.value.tolist(), "rate": self.rate.tolist(), "since": self.since, "until": self.until}
        return {"kind": "function", **moving}

    def follow_segment(self, segment: Mapping[str, Any]) -> None:
        """Follow a segment that `segment_data` returned."""
        self.path, self._sampled, self.was_external = None, None, True
        self.value, self.rate = np.array(segment["value"]), np.array(segment["rate"])
        self.since, self.until = float(segment["since"]), float(segment["until"])

    @classmethod
    def from_data(cls, data: Mapping[str, Any], paths: Mapping[str, Any]) -> Self:
        """What `as_data` returned; `paths` are the kinds of paths that there are."""
        follower = cls(float(data["since"]), data["value"])
        follower.value = np.array(data["value"], dtype=np.float64)  # to the last digit: it had its length already
        follower.rate, follower.until = numbers(data["rate"], "rate of the target"), float(data["until"])
        if data["kind"] in paths:
            follower.path = paths[data["kind"]].from_data(data)
            follower._sampled = None if data["seen"] is None else (float(data["seen"][0]), float(data["seen"][1]))
        follower.was_external = data["kind"] in ("function", "stream")
        if data["kind"] not in paths and data["kind"] not in ("fixed", "function"):
            raise InputError(
                f"target '{data['kind']}' is unknown; expected one of: fixed, function, {', '.join(paths)}"
            )
        return follower

    def share_stream(self, other: Follower) -> None:
        """If both follow a live stream, let the other follow ours, from where its own stands."""
        ours, theirs = self.path, other.path
        if ours is not None and type(ours) is type(theirs) and hasattr(ours, "hold"):
            ours.hold(theirs)  # pyright: ignore[reportFunctionMemberAccess]
            other.path = ours

    # --- what depends on the kind of target ---

    def check_value(self, value: Any, what: str = "target") -> FloatArray:
        """A place, or say what is wrong with it."""
        return numbers(value, what)

    def find_difference(self, here: FloatArray, there: FloatArray) -> FloatArray:
        """The way from one place to another."""
        return there - here

    @property
    def fields(self) -> dict[str, Any]:
        """Fields of a task row."""
        return {"x": self.value, "xdot": self.rate, "since": self.since, "until": self.until}

    def find_value(self, time: float) -> FloatArray:
        """Where the target is."""
        return self.value + self.elapsed(time) * self.rate


class Turner(Follower):
    """A target orientation, as a quaternion x, y, z, w; its rate is an angular velocity along world axes."""

    def check_value(self, value: Any, what: str = "orientation") -> FloatArray:
        """A quaternion, made unit length."""
        return unit_quaternion(value, what)

    def find_difference(self, here: FloatArray, there: FloatArray) -> FloatArray:
        """The rotation vector of the shorter way, along world axes [rad]."""
        x, y, z, w = multiply_quaternions(tuple(there), tuple(here * (-1.0, -1.0, -1.0, 1.0)))
        sine = math.sqrt(x * x + y * y + z * z)
        angle = 2.0 * math.atan2(sine, abs(w))
        return np.array((x, y, z)) * (math.copysign(angle / sine, w) if sine > 0 else 0.0)

    @property
    def fields(self) -> dict[str, Any]:
        """Fields of a task row."""
        return {"Q": self.value, "w": self.rate, "since": self.since, "until": self.until}

    def find_value(self, time: float) -> FloatArray:
        """Where the target points: `exp(w t) Q`."""
        half = 0.5 * self.elapsed(time) * self.rate
        angle = float(np.linalg.norm(half))
        turn = (*(np.sinc(angle / math.pi) * half), math.cos(angle))
        return np.array(multiply_quaternions(turn, tuple(self.value)))
