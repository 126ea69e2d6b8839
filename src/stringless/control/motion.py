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
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import solve_banded

from stringless.errors import InputError, ModelError
from stringless.jit import kernel
from stringless.model import Model, Scene
from stringless.model.joints import registry
from stringless.spatial import mat3, rotation, vec3

FloatArray = NDArray[np.float64]
Ends = Literal["rest", "free"]
BALL, FREE = registry.BALL, registry.FREE
UNTURNED = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@kernel(inline=True)
def load4(table, i, k):
    """A quaternion of row i."""
    return table[i, k], table[i, k + 1], table[i, k + 2], table[i, k + 3]


@kernel(inline=True)
def load3(table, i, k):
    """Three numbers of row i."""
    return table[i, k], table[i, k + 1], table[i, k + 2]


@kernel
def chords(tree, q, chord_out):
    """The straight way from each configuration to the next: rotation vectors, and differences of all else."""
    for i in range(chord_out.shape[0]):
        for b in range(tree.shape[0]):
            row = tree[b]
            k, at, rest = row.q0, row.v0, row.nv
            if row.kind == BALL or row.kind == FREE:
                turn = k + 3 if row.kind == FREE else k
                apart = rotation.multiply_quaternions(rotation.conjugate(load4(q, i, turn)), load4(q, i + 1, turn))
                d = rotation.log_quaternion(rotation.normalise(apart))
                chord_out[i, at], chord_out[i, at + 1], chord_out[i, at + 2] = d
                at, rest = at + 3, rest - 3
            for n in range(rest):
                chord_out[i, at + n] = q[i + 1, k + n] - q[i, k + n]


@kernel(inline=True)
def cubic(s, T, v0, d, v1):
    """Value and rate of the cubic over the time T that leaves 0 with rate v0 and reaches d with rate v1, at the share s."""
    x = T * s * (1.0 - s) * (1.0 - s) * v0 + s * s * (3.0 - 2.0 * s) * d + T * s * s * (s - 1.0) * v1
    rate = (1.0 - s) * (1.0 - 3.0 * s) * v0 + 6.0 * s * (1.0 - s) / T * d + s * (3.0 * s - 2.0) * v1
    return x, rate


@kernel
def sample(tree, knots, q_knots, chord, rates, times, q_out, v_out):
    """Configurations and velocities at `times`; before the first knot and after the last the motion stands still."""
    last = knots.shape[0] - 2
    i = 0
    for n in range(times.shape[0]):
        t = min(max(times[n], knots[0]), knots[last + 1])
        outside = t != times[n]
        if t < knots[i]:
            i = 0
        while i < last and t >= knots[i + 1]:
            i += 1
        T = knots[i + 1] - knots[i]
        s = (t - knots[i]) / T
        for b in range(tree.shape[0]):
            sample_joint(tree[b], i, s, T, n, q_knots, chord, rates, q_out, v_out)
        if outside:
            for d in range(v_out.shape[1]):
                v_out[n, d] = 0.0


@kernel(inline=True)
def sample_joint(row, i, s, T, n, q_knots, chord, rates, q_out, v_out):
    """One joint within interval i, to row n."""
    k, at, count = row.q0, row.v0, row.nv
    R = UNTURNED
    if row.kind == BALL or row.kind == FREE:
        turn = k + 3 if row.kind == FREE else k
        d = load3(chord, i, at)
        w0, w1 = load3(rates, i, at), rotation.right_jacobian_inverse(d, load3(rates, i + 1, at))
        a, b, c = cubic(s, T, w0[0], d[0], w1[0]), cubic(s, T, w0[1], d[1], w1[1]), cubic(s, T, w0[2], d[2], w1[2])
        x, rate = (a[0], b[0], c[0]), (a[1], b[1], c[1])
        Q = rotation.multiply_quaternions(load4(q_knots, i, turn), rotation.exp_quaternion(x))
        Q = rotation.normalise(Q)
        w = rotation.left_jacobian(vec3.scale(-1.0, x), rate)
        q_out[n, turn], q_out[n, turn + 1], q_out[n, turn + 2], q_out[n, turn + 3] = Q
        v_out[n, at], v_out[n, at + 1], v_out[n, at + 2] = w
        R = rotation.from_quaternion(Q)
        at, count = at + 3, count - 3
    for m in range(count):
        x_m, rate_m = cubic(s, T, rates[i, at + m], chord[i, at + m], rates[i + 1, at + m])
        q_out[n, k + m] = q_knots[i, k + m] + x_m
        v_out[n, at + m] = rate_m
    if row.kind == FREE:
        v = mat3.transform_back(R, load3(v_out, n, at))
        v_out[n, at], v_out[n, at + 1], v_out[n, at + 2] = v


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
        chords(model.tree, self._q, self._chords)
        self._rates = _spline_rates(np.diff(self.times), self._chords, ends)

    def as_data(self) -> dict[str, Any]:
        """Plain numbers, ready to be written down."""
        return {"times": self.times.tolist(), "q": self._q.tolist(), "ends": self.ends}

    @classmethod
    def from_data(cls, model: Model, data: Mapping[str, Any]) -> Self:
        """What `as_data` told."""
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
        sample(self.model.tree, self.times, self._q, self._chords, self._rates, moments, q, v)
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
