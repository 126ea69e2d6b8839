"""A motion given in advance, for bones to follow: configurations at times, joined smoothly on the manifold.

Between two of them every coordinate runs along a cubic. That of a rotation is its rotation vector seen from the first,
that of a free joint its position in the world beside its rotation; all others are the coordinates themselves. The
velocities at the given times are those of a cubic spline, so that the motion has a continuous velocity, and a continuous
acceleration where joints are not balls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_banded

from stringless.control.kernels_motion import find_chords, sample_motion
from stringless.control.records import Spline
from stringless.errors import InputError, ModelError
from stringless.model import Model, Scene
from stringless.spatial.arrays import FloatArray

Ends = Literal["rest", "free"]


class Motion:
    """Configurations of a model at times, and what lies between them; before and after, the model stands still."""

    def __init__(self, model: Model, times: ArrayLike, q: ArrayLike, *, ends: Ends = "rest") -> None:
        """Join given configurations smoothly.

        Args:
            model: whose motion it is.
            times: when, rising, shape (n,) with n of 2 or more [s].
            q: where, shape (n, nq).
            ends: `rest` lets the motion start and stop at rest; `free` leaves its ends without acceleration, for a motion
                that is joined in the middle.
        """
        self.model = model
        self.times, self._q = _checked(model, times, q)
        if ends not in get_args(Ends):
            raise InputError(f"ends '{ends}' are unknown; choose one of: {', '.join(get_args(Ends))}")
        self.ends: Ends = ends
        self._chords = np.zeros((len(self.times) - 1, model.nv))
        find_chords(model.tree, self._q, self._chords)
        self._rates = _spline_rates(np.diff(self.times), self._chords, ends)

    def as_data(self) -> dict[str, Any]:
        """Plain numbers, ready to be written down."""
        return {"times": self.times.tolist(), "q": self._q.tolist(), "ends": self.ends}

    @classmethod
    def from_data(cls, model: Model, data: Mapping[str, Any]) -> Self:
        """What `as_data` returned."""
        return cls(model, data["times"], data["q"], ends=data["ends"])

    @classmethod
    def from_function(
        cls,
        model: Model,
        function: Callable[[float], ArrayLike],
        start: float,
        end: float,
        *,
        rate: float = 240.0,
        ends: Ends = "rest",
    ) -> Self:
        """The motion of a function from a time to a configuration, taken `rate` times a second from `start` to `end`."""
        if not (math.isfinite(start) and math.isfinite(end) and start < end):
            raise InputError(f"a motion cannot go from {start} s to {end} s; expected finite times, the later one last")
        if not (math.isfinite(rate) and rate > 0):
            raise InputError(f"rate is {rate}, expected a finite number above 0")
        times = np.linspace(start, end, max(2, math.ceil((end - start) * rate) + 1))
        q = [model.vector(function(float(time)), model.nq, "configuration of a motion") for time in times]
        return cls(model, times, np.array(q), ends=ends)

    def at(self, time: float) -> tuple[FloatArray, FloatArray]:
        """Configuration and velocity at a time."""
        q, v = self.sampled(np.array([time], dtype=np.float64))
        return q[0], v[0]

    def sampled(self, times: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Configurations, shape (k, nq), and velocities, shape (k, nv), at rising times."""
        moments = np.ascontiguousarray(times, dtype=np.float64)
        q, v = np.zeros((len(moments), self.model.nq)), np.zeros((len(moments), self.model.nv))
        sample_motion(self.model.tree, Spline(self.times, self._q, self._chords, self._rates), moments, q, v)
        return q, v


def _checked(model: Model, times: ArrayLike, q: ArrayLike) -> tuple[FloatArray, FloatArray]:
    moments, places = np.array(times, dtype=np.float64), np.array(q, dtype=np.float64, order="C")
    if moments.ndim != 1 or len(moments) < 2 or places.shape != (len(moments), model.nq):
        raise InputError(
            f"a motion of model '{model.name}' got times of shape {moments.shape} and configurations of shape "
            f"{places.shape}; expected (n,) and (n, {model.nq}) with n of 2 or more"
        )
    if not np.isfinite(moments).all() or np.any(np.diff(moments) <= 0):
        raise InputError("the times of a motion must be finite and rise from each to the next")
    for number, place in enumerate(places):
        try:
            Scene(model, q=place)
        except ModelError as error:
            raise InputError(f"configuration {number} of the motion cannot be: {error}") from None
    return moments, places


def _spline_rates(spans: FloatArray, chord: FloatArray, ends: Ends) -> FloatArray:
    """Rates at the knots with which cubics meet without a jump in acceleration, shape (n, nv).

    `v_{i-1}/h_{i-1} + 2 (1/h_{i-1} + 1/h_i) v_i + v_{i+1}/h_i = 3 (d_{i-1}/h_{i-1}² + d_i/h_i²)`. A rotation is treated as
    if its chords were of one vector space, which is right for small turns: its acceleration jumps a little.
    """
    inverse = 1.0 / spans
    count = len(spans) + 1
    bands, right = np.zeros((3, count)), np.zeros((count, chord.shape[1]))
    bands[1, :-1] += 2 * inverse
    bands[1, 1:] += 2 * inverse
    bands[0, 1:], bands[2, :-1] = inverse, inverse
    pull = 3 * chord * (inverse**2)[:, None]
    right[:-1] += pull
    right[1:] += pull
    if ends == "rest":
        bands[1, 0] = bands[1, -1] = 1.0
        bands[0, 1] = bands[2, -2] = 0.0
        right[0] = right[-1] = 0.0
    return np.ascontiguousarray(solve_banded((1, 1), bands, right))
