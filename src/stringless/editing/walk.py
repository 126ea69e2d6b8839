"""A walk along a course: clip by clip, with the columns of everything that may change.

Across a transition at time t the columns change as `δy+ = C_y (δy + ẏ δT)`, where δT is how much longer the clip before it
lasts: by choice, by an edit of t, or because a guard g(y) = 0 is met earlier or later, `δT = -(g_y δy)/(g_y ẏ)`
(docs/theory/editing.md, section 4.4). The last step of a clip is as long as what is missing, so all this is exact for the
steps that are taken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from stringless.editing.bodies import Bodies, TreeState, observe_bodies
from stringless.editing.configurations import Configuration
from stringless.editing.freedoms import Drive, compute_drive, find_directions, make_columns
from stringless.editing.plan import At, Bar, Bounce, Column, Controls, Grip, Surface, Touch, Transition
from stringless.editing.rollout import MAX_SPEED, START, Rollout, Samples
from stringless.editing.surfaces import GRAZES, Approach, Catch, find_passing_columns
from stringless.editing.transitions import apply_bounce, enter_configuration
from stringless.errors import DivergenceError, InputError
from stringless.spatial.arrays import FloatArray

if TYPE_CHECKING:
    from stringless.editing.course import Course

SHORTEST = 1e-6
"""A clip lasts at least so long [s]."""


@dataclass
class Clip:
    """A part of a motion in one configuration."""

    configuration: Configuration
    tree: Any
    start: float
    end: float
    """[s]."""
    frames: Rollout


@dataclass
class Observation:
    """The bodies at a time that was asked for."""

    time: float
    bodies: Bodies


@dataclass
class Run:
    """What came of one walk along the course."""

    clips: list[Clip]
    observations: list[Observation]
    """In the order in which they were asked for."""
    times: list[float] = field(default_factory=list)
    """When the transitions happened [s]."""
    catches: list[Catch] = field(default_factory=list)
    """Transitions that wait for a bar."""

    @property
    def misses(self) -> list[Catch]:
        """Those whose point misses its bar: the motion goes on from where it is nearest."""
        return [catch for catch in self.catches if catch.gap > 0.0]


class Walk:
    """One walk: where it has come to, and what it has found on its way."""

    def __init__(
        self, course: Course, controls: Controls, columns: Sequence[Column], sample_times: Sequence[float]
    ) -> None:
        """Stand at the start of the motion that follows from the controls."""
        self.course, self.controls, self.columns, self.sample_times = course, controls, columns, sample_times
        self.configurations = course.scale_masses(controls.masses)
        # Columns of the logarithms of masses, (bodies, C), and of gravity, (3, C).
        self.masses = make_columns("mass", course.model.body_count, columns)
        self.gravity = make_columns("gravity", 3, columns)
        self.k, self.start, self.d_start = 0, 0.0, np.zeros(len(columns))
        self.state = self._begin()
        """The state at the start of clip k."""
        self.run = Run([], [Observation(math.nan, None)] * len(sample_times))  # pyright: ignore[reportArgumentType]

    def simulate(self) -> Run:
        """Walk to the end."""
        for transition in self.course.transitions:
            end = self._end(transition)
            out = self._clip(end)
            d_end = self._find_end_columns(transition, out)
            self.state = self._apply_transition(transition, out, d_end - self.d_start)
            self.run.times.append(end)
            self.k, self.start, self.d_start = self.k + 1, end, d_end
        self._clip(self.course.duration)
        return self.run

    @property
    def configuration(self) -> Configuration:
        """How the character is held in this clip."""
        return self.configurations[self.k]

    def _begin(self) -> TreeState:
        nv, count = self.course.model.nv, len(self.columns)
        dq, dv = np.zeros((nv, count)), np.zeros((nv, count))
        for c, column in enumerate(self.columns):
            if column.attribute in "qv":
                (dq if column.attribute == "q" else dv)[column.index, c] = 1.0
        return TreeState(
            self.configurations[0].model.tree, self.controls.q, self.controls.v, dq, dv, np.zeros((6, count))
        )

    # --- a clip ---

    def _clip(self, end: float) -> Rollout:
        """Walk to the end of a clip, and look at the bodies on the way; at a transition as they are before it."""
        start, sample_times = self.start, self.sample_times
        if end - start < SHORTEST or end > self.course.duration + 1e-12:
            raise InputError(
                f"clip {self.k + 1} of the motion would last from {start:g} to {end:g} s; expected at least {SHORTEST:g} s, "
                f"and an end by {self.course.duration:g} s. Move its transitions apart."
            )
        seen = [i for i, t in enumerate(sample_times) if start < t <= end or (self.k == 0 and t == 0.0)]
        seen.sort(key=lambda i: sample_times[i])
        out = self._roll(np.array([sample_times[i] - start for i in seen] + [end - start]))
        for j, i in enumerate(seen):
            self.run.observations[i] = Observation(sample_times[i], self._observe_sample(out, j))
        self.run.clips.append(Clip(self.configuration, self.state.tree, start, end, out))
        return out

    def _drive(self, columns: Sequence[Column], d_start: FloatArray, steps: int) -> Drive | None:
        course = self.course
        if not course.muscles:
            return None
        configuration, motion = course.configurations[self.k], (course.dt, course.duration)
        return compute_drive(
            course.muscles, configuration, self.controls, columns, self.start, d_start, steps + 1, *motion
        )

    def _roll(self, local: FloatArray) -> Rollout:
        """Roll a clip out to the last of the times, which are counted from its start."""
        course, m = self.course, self.state
        samples = Samples.at(local, course.dt)
        steps, count, gravity = int(samples.steps[-1]), len(self.columns), self.controls.gravity
        drive = self._drive(self.columns, self.d_start, steps)
        roller = course.find_roller(self.k, count, find_directions(self.configuration, self.columns, drive))
        more: dict[str, Any] = {} if drive is None else {"tau": drive.tau, "weights": drive.weights}
        more |= {"dq": m.dq, "dv": m.dv, "tree": m.tree, "gravity": gravity, **(course.before if self.k == 0 else {})}
        if count:
            more["dgravity"] = self.gravity - np.cross(m.dplace[:3].T, gravity).T
        out = roller.roll(m.q, m.v, steps=steps, dt=course.dt, samples=samples, **more)
        if out.diverged >= 0:
            raise self._diverged(out)
        return out

    def _diverged(self, out: Rollout) -> DivergenceError:
        model, time = self.configuration.model, out.done * self.course.dt
        joint, rotational = model.dof_name(out.diverged), model.dofs["rotational"][out.diverged]
        most = "less than half a turn a step" if rotational else f"less than {MAX_SPEED:g} m/s"
        return DivergenceError(
            f"the motion ran away {time:g} s after the start of clip {self.k + 1}: joint {joint} became too fast; expected "
            f"{most}. Shorten the step, or edit less at once.",
            time=time,
            joint=joint,
            cause="too fast",
        )

    def _observe_sample(self, out: Rollout, j: int) -> Bodies:
        """The bodies at sample j, whose time within the clip comes earlier by as much as the clip begins later."""
        m = self.state
        dq = out.dq_samples[j] - np.outer(out.dq_rates[j], self.d_start)
        dv = out.dv_samples[j] - np.outer(out.dv_rates[j], self.d_start)
        there = TreeState(m.tree, out.q_samples[j], out.v_samples[j], dq, dv, m.dplace)
        return observe_bodies(self.configuration, there, self.masses)

    # --- a transition ---

    def _find_touched(self, transition: Transition) -> tuple[Surface, int, FloatArray]:
        assert isinstance(transition, (Grip, Bounce))
        assert isinstance(transition.timing, Touch)
        body = self.course.model.body(transition.body).index
        return transition.timing.surface, body, np.asarray(transition.point, float)

    def _end(self, transition: Transition) -> float:
        """When a clip ends: as the controls say, or where a point first meets its surface."""
        if isinstance(transition.timing, At):
            return self.controls.times[self.k]
        course, m = self.course, self.state
        surface, body, point = self._find_touched(transition)
        steps = max(int((course.duration - self.start) / course.dt + 1e-9), 1)
        drive = self._drive((), np.zeros(0), steps)
        first: dict[str, Any] = course.before if self.k == 0 else {"last": START}
        arguments = {"gravity": self.controls.gravity, "tau": None if drive is None else drive.tau, **first}
        roller = course.find_roller(self.k, 0, find_directions(self.configuration, (), drive))
        approach = Approach(roller, self.configuration, m, surface, body, point, steps, course.dt, arguments)
        met = approach.find_meeting()
        if not math.isfinite(met.time):
            name = course.model.specs[body].name
            near = f"it comes as near as {met.gap:.3g} m" if met.gap > 0.0 else "it is beyond it when it begins to wait"
            raise InputError(
                f"body '{name}' does not meet {surface} before the motion ends, as transition {self.k + 1} expects: "
                f"{near}. Change the start, move the surface, or take a longer motion."
            )
        if isinstance(surface, Bar):
            self.run.catches.append(Catch(self.k, met.gap, surface.radius, np.zeros(0)))
        return self.start + met.time

    def _find_end_columns(self, transition: Transition, out: Rollout) -> FloatArray:
        """How the time of a transition changes with each column."""
        if isinstance(transition.timing, At):
            return np.array([float(c.attribute == "time" and c.transition == self.k) for c in self.columns])
        if not self.columns:
            return np.zeros(0)
        surface, body, point = self._find_touched(transition)
        # One more column: the clip lasts longer.
        dq = np.column_stack([out.dq_samples[-1], out.dq_rates[-1]])
        dv = np.column_stack([out.dv_samples[-1], out.dv_rates[-1]])
        dplace = np.column_stack([self.state.dplace, np.zeros(6)])
        end = TreeState(self.state.tree, out.q_samples[-1], out.v_samples[-1], dq, dv, dplace)
        seen = observe_bodies(self.configuration, end)
        if isinstance(surface, Bar):
            nearer, gaps = find_passing_columns(surface, seen, body, point)
            self.run.catches[-1].row = gaps[:-1]
            return self.d_start - nearer[:-1] / nearer[-1]
        x, moved = seen.point(body, point)
        nearer = surface.direction(x) @ moved
        if not abs(nearer[-1]) > GRAZES:
            raise InputError(
                f"transition {self.k + 1}: body '{self.course.model.specs[body].name}' only grazes {surface}; expected it to "
                "come in. Move the surface, or the start of the motion."
            )
        return self.d_start - nearer[:-1] / nearer[-1]

    def _apply_transition(self, transition: Transition, out: Rollout, later: FloatArray) -> TreeState:
        """Through a transition: the state at the end of the clip, and what becomes of it in the next."""
        m, configuration = self.state, self.configuration
        dq = out.dq_samples[-1] + np.outer(out.dq_rates[-1], later)
        dv = out.dv_samples[-1] + np.outer(out.dv_rates[-1], later)
        end = TreeState(m.tree, out.q_samples[-1], out.v_samples[-1], dq, dv, m.dplace)
        if isinstance(transition, Bounce):
            surface, body, point = self._find_touched(transition)
            n = surface.direction(np.zeros(3))
            after = apply_bounce(configuration, end, body, point, n, transition.restitution, self.masses)
        else:
            seen = observe_bodies(configuration, end, self.masses)
            after = enter_configuration(configuration, self.configurations[self.k + 1], end, seen)
        after.v = after.v + self.controls.pushes[self.k]
        for c, column in enumerate(self.columns):
            if column.attribute == "push" and column.transition == self.k:
                after.dv[column.index, c] += 1.0
        return after
