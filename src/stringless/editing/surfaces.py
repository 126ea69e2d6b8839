"""When a point of the character meets a surface: found in the frames of a clip, then to the last digit.

A bar is caught where the point comes nearest to its line, `r·v = 0` with r across the bar: unlike the time of touching its
surface, that one is smooth, for a point that only grazes it, too. A hand that misses the bar goes on as if it had caught it where
it was nearest, and what it misses is wanted besides everything else, so that an edit makes it meet.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.interpolate import BarycentricInterpolator
from scipy.optimize import brentq

from stringless.editing.bodies import Bodies, TreeState, observe_bodies
from stringless.editing.configurations import Configuration
from stringless.editing.kernels_samples import trace
from stringless.editing.plan import Bar, Surface
from stringless.editing.rollout import Roller, Samples
from stringless.spatial.arrays import FloatArray
from stringless.state.scratch import scratch

DEEP = 0.5
"""A hand is to come so deep into its bar, in shares of its radius."""
LOOKS, SECOND_LOOK = 7, 1e-3
"""At how many times a point is sampled to find where it is nearest, and how far around that the second time, in steps."""
GRAZES = 1e-9
"""A point that comes nearer by less than this only grazes [m/s]."""


@dataclass
class Meeting:
    """When a point meets its surface, or how near it comes."""

    time: float
    """After the start of the clip [s]."""
    gap: float = 0.0
    """What is missing then [m]."""


@dataclass
class Catch:
    """A bar and the point that is to catch it: by how much it misses, and how that changes with each column."""

    transition: int
    gap: float
    """What is missing where it comes nearest, below zero if it catches the bar [m]."""
    radius: float
    """Of the bar [m]."""
    row: FloatArray
    """Of the gap, (C,)."""

    @property
    def wanted(self) -> float:
        """How far the point should come into the bar [m]."""
        return DEEP * self.radius

    @property
    def error(self) -> float:
        """What is wanted of the gap: that it closes well, and where it has, that it stays so [m]."""
        return min(0.0, -self.gap - self.wanted)


@dataclass
class Approach:
    """A point of a body on its way to a surface, in one clip."""

    roller: Roller
    configuration: Configuration
    start: TreeState
    surface: Surface
    body: int
    point: FloatArray
    steps: int
    dt: float
    arguments: dict[str, Any]
    """Of `Roller.roll`: what holds in the clip, and of the step before it."""

    def find_meeting(self) -> Meeting:
        """The first meeting; with none, how near it comes: at that time for a bar, else at no time."""
        m = self.start
        frames = self.roller.roll(m.q, m.v, steps=self.steps, dt=self.dt, tree=m.tree, **self.arguments)
        x = self.trace_point(frames.q[: frames.done + 1])
        gap = self.surface.distance(x)
        if isinstance(self.surface, Bar):
            way = np.linalg.norm(np.diff(x, axis=0), axis=1)
            near = self._passing(frames, gap, way)
            # Farther away than the point comes in all its time, it is not about this bar.
            return near if near.gap <= way.sum() else Meeting(np.inf, near.gap)
        met = np.flatnonzero((gap[1:] <= 0.0) & (gap[:-1] > 0.0))
        if len(met) == 0:
            return Meeting(np.inf, float(gap.min()))
        n = int(met[0])
        end = (n + 1) * self.dt
        return Meeting(end if gap[n + 1] == 0.0 else self._root(frames, n, end))

    def _passing(self, frames: Any, gap: FloatArray, way: FloatArray) -> Meeting:
        """Where the point first passes within the bar's radius, or else where it comes nearest of all."""
        inside = np.arange(1, len(gap) - 1)
        lowest = inside[(gap[inside] <= gap[inside - 1]) & (gap[inside] <= gap[inside + 1])]
        best = Meeting(np.inf, float(gap.min()))
        for n in lowest:
            if gap[n] > 2.0 * way[n] and gap[n] > gap[lowest].min():
                continue
            t = self._nearest(int(n))
            there = None if t is None else Meeting(t, self._gap(frames, t))
            if there is not None and there.gap <= 0.0:
                return there
            if there is not None and (not np.isfinite(best.time) or there.gap < best.gap):
                best = there
        return best

    def trace_point(self, q: FloatArray) -> FloatArray:
        """Where the point is in every frame."""
        at = np.asarray(self.configuration.frames[self.body].apply(tuple(self.point)))
        x = np.empty((len(q), 3))
        work = scratch(self.configuration.model).bodies
        trace(self.start.tree, np.ascontiguousarray(q), int(self.configuration.bodies[self.body]), at, work, x)
        return x

    def _gap(self, frames: Any, t: float) -> float:
        """Distance of the point from the surface, reached by a part of a step from the frame before."""
        n = min(int(t / self.dt), frames.done)
        h = t - n * self.dt
        if h <= 0.0:
            return float(self.surface.distance(self.trace_point(frames.q[n : n + 1]))[0])
        more = dict(self.arguments)
        if more.get("tau") is not None:
            more["tau"] = more["tau"][n : n + 1]
        more.update(vdot=frames.vdot[n], last=self.dt if n else self.arguments["last"])
        samples = Samples(np.zeros(1, np.int64), np.array([h]))
        out = self.roller.roll(
            frames.q[n], frames.v[n], steps=0, dt=self.dt, samples=samples, tree=self.start.tree, **more
        )
        return float(self.surface.distance(self.trace_point(out.q_samples))[0])

    def _root(self, frames: Any, n: int, until: float) -> float:
        """Where the gap closes between frame n and a time at which it is closed."""
        start = (n + 1e-12) * self.dt
        # Where a frame is on the surface but for rounding, a part of a step may find it on the other side.
        if self._gap(frames, start) <= 0.0:
            return start
        if self._gap(frames, until) >= 0.0:
            return until
        found: Any = brentq(lambda t: self._gap(frames, t), start, until, xtol=1e-16)
        return float(found)

    def _nearest(self, n: int) -> float | None:
        """Where the point comes nearest around frame n: its velocity is across the way to the bar, `r·v = 0`.

        Several times are sampled in one walk; between them runs a polynomial, first over two steps, then over next to none.
        """
        low, high = (n - 1) * self.dt if n > 1 else 1e-9 * self.dt, (n + 1) * self.dt
        times = np.linspace(low, high, LOOKS)
        for width in (SECOND_LOOK * self.dt, 0.0):
            closing = self._closing(times)
            k = int(np.argmax(closing > 0.0))
            if k == 0:
                return None
            found: Any = brentq(BarycentricInterpolator(times, closing), times[k - 1], times[k], xtol=1e-16)
            times = np.clip(float(found) + width * np.linspace(-1.0, 1.0, LOOKS), low, high)
        return float(found)

    def _closing(self, times: FloatArray) -> FloatArray:
        """`r·v` at these times, with the velocities that belong to them in the whole clip."""
        m, samples = self.start, Samples.at(times, self.dt)
        more: dict[str, Any] = {"samples": samples, "tree": m.tree, "frames": False, **self.arguments}
        out = self.roller.roll(m.q, m.v, steps=int(samples.steps[-1]), dt=self.dt, **more)
        assert isinstance(self.surface, Bar)
        closing = []
        for q, v in zip(out.q_samples, out.v_samples, strict=True):
            seen = observe_bodies(self.configuration, TreeState.without_columns(m.tree, q, v))
            across = self.surface.across(seen.point(self.body, self.point)[0])
            closing.append(float(across @ seen.point_velocity(self.body, self.point)[0]))
        return np.array(closing)


def find_passing_columns(bar: Bar, seen: Bodies, body: int, point: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Columns of `r·v` and of the gap where a point comes nearest to a bar; the last column is time.

    There `r = s n`, n across both the bar and the velocity: `δs = n·δr`, without a kink where the point meets the line.
    """
    (x, moved), (v, faster) = seen.point(body, point), seen.point_velocity(body, point)
    r = bar.across(x)
    d = bar.axis
    across = moved - np.outer(d, d @ moved)
    n = np.cross(d, v)
    n = n / np.linalg.norm(n) if np.any(n) else n
    return v @ across + r @ faster, np.copysign(1.0, r @ n) * (n @ moved)
