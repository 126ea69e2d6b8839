"""The course of a motion: its clips one after the other, with the columns of everything that may change.

Across a transition at time t the columns change as `δy+ = C_y (δy + ẏ δT)`, where δT is how much longer the clip before it
lasts: by choice, by an edit of t, or because a guard g(y) = 0 is met earlier or later, `δT = -(g_y δy)/(g_y ẏ)` (physics
notes, section 6.5). The last step of a clip is as long as what is missing, so all this is exact for the steps that are taken.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.control.motion import Motion
from stringless.editing.bodies import Bodies, observe
from stringless.editing.configurations import Configuration, as_built, gripped, released
from stringless.editing.freedoms import (
    Driving,
    check_freedoms,
    directions_of,
    driving,
    gravity_columns,
    mass_columns,
    weighed,
)
from stringless.editing.muscles import check_muscles, muscles_of
from stringless.editing.plan import (
    MOST_STEPS,
    At,
    Bar,
    Bounce,
    Column,
    Controls,
    Grip,
    Surface,
    Touch,
    Transition,
    carried,
    check,
    number,
)
from stringless.editing.rollout import MAX_SPEED, START, Directions, Roller, Samples, Stretch
from stringless.editing.surfaces import GRAZES, Approach, Catch, passing
from stringless.editing.transitions import Moment, bounce, enter, express
from stringless.errors import DivergenceError, InputError
from stringless.model.model import Model
from stringless.model.scene import Scene

FloatArray = NDArray[np.float64]
ROLLERS = 6
"""How many ways to roll a clip out are kept."""
SHORTEST = 1e-6
"""A clip lasts at least so long [s]."""


@dataclass
class Clip:
    """A stretch of a motion in one configuration."""

    configuration: Configuration
    tree: Any
    start: float
    end: float
    """[s]."""
    frames: Stretch


@dataclass
class Sighting:
    """The bodies at a moment that was asked for."""

    time: float
    bodies: Bodies


@dataclass
class Run:
    """What came of one walk along the course."""

    clips: list[Clip]
    sightings: list[Sighting]
    """In the order in which they were asked for."""
    times: list[float] = field(default_factory=list)
    """When the transitions happened [s]."""
    catches: list[Catch] = field(default_factory=list)
    """Transitions that wait for a bar."""

    @property
    def misses(self) -> list[Catch]:
        """Those whose point misses its bar: the motion goes on from where it is nearest."""
        return [catch for catch in self.catches if catch.gap > 0.0]


@dataclass
class _Means:
    """What one walk is made with."""

    controls: Controls
    columns: Sequence[Column]
    masses: FloatArray
    gravity: FloatArray
    """Columns of the logarithms of masses, (bodies, C), and of gravity, (3, C)."""


class Course:
    """A character, what happens to it, and the room to walk through it again and again."""

    def __init__(
        self, model: Model, transitions: Sequence[Transition], duration: float, dt: float,
        vdot: FloatArray | None = None, last: float = START, allow: Sequence[str] = (),
        muscles: Mapping[str, int] | None = None,
    ) -> None:  # fmt: skip
        """Check the transitions and build their configurations; `vdot` and `last` are of the step before the start, if any.

        `allow` names what may change beyond the start, `muscles` joints and how many coefficients their efforts have.
        """
        duration, dt = number(duration, "the duration of a motion", "s"), number(dt, "the step of a motion", "s")
        if not 0 < dt <= duration <= MOST_STEPS * dt:
            raise InputError(
                f"a motion of {duration!r} s in steps of {dt!r} s; expected 0 < step <= duration [s], and at most "
                f"{MOST_STEPS} steps"
            )
        given: Any = transitions
        if not isinstance(given, (list, tuple)):
            raise InputError(f"what happens is {given!r}; expected transitions in a list")
        self.transitions, self.duration, self.dt, self.model = tuple(transitions), duration, dt, model
        check(self.transitions, duration)
        self.configurations = [as_built(model)]
        for transition in self.transitions:
            if isinstance(transition, Grip):
                grip = gripped(model, transition.body, transition.point, transition.kind, transition.axis)
                self.configurations.append(grip)
            elif isinstance(transition, Bounce):
                self.configurations.append(self.configurations[-1])
            else:
                self.configurations.append(released(model))
        self.allowed, self.muscles = check_freedoms(allow), muscles_of(model, muscles or {})
        for configuration in self.configurations:
            check_muscles(self.muscles, configuration)
        self.vdot, self.last = vdot, last
        self.before: dict[str, Any] = {"vdot": vdot, "last": last}
        self._rollers: dict[Any, Roller] = {}
        self._weighed: tuple[bytes, list[Configuration]] = b"", []

    def controls(self, q: FloatArray, v: FloatArray) -> Controls:
        """Controls at their beginning: this start, the times as they were said, no pushes."""
        times = (m.time if isinstance(m := t.moment, At) else math.nan for t in self.transitions)
        pushes = tuple(np.zeros(c.model.nv) for c in self.configurations[1:])
        more = self.model.gravity.copy(), np.ones(self.model.body_count), np.zeros(sum(m.knots for m in self.muscles))
        return Controls(q.copy(), v.copy(), tuple(times), pushes, *more)

    def planned(self, transitions: Sequence[Transition]) -> Course:
        """The same course with other transitions."""
        muscles = {self.model.joints[m.body].name: m.knots for m in self.muscles}
        more: dict[str, Any] = {**self.before, "allow": self.allowed, "muscles": muscles}
        return Course(self.model, transitions, self.duration, self.dt, **more)

    def carried(self, other: Course, controls: Controls) -> Controls:
        """Controls of another course for this one: its start, and what is known of transitions that both have."""
        return carried(controls, other.transitions, self.controls(controls.q, controls.v), self.transitions)

    def fitted(self, controls: Controls) -> Controls:
        """Controls with everything filled in that they do not say; refuses those of another course."""
        given: Any = controls
        if not isinstance(given, Controls):
            raise InputError(f"controls are {controls!r}; expected `Controls`, such as `editor.controls`")
        plain = self.controls(self.model.neutral(), np.zeros(self.model.nv))
        found = {f.name: getattr(controls, f.name) for f in dataclasses.fields(controls)}
        for name in ("gravity", "masses", "muscles"):
            if len(found[name]) == 0:
                found[name] = getattr(plain, name)
        for name, value in found.items():
            expected = getattr(plain, name)
            if [np.shape(x) for x in value] != [np.shape(x) for x in expected]:
                raise InputError(
                    f"controls have {name} {value!r}; expected {len(expected)} numbers or vectors like {expected!r}"
                )
        for name in ("q", "v", "gravity", "masses", "muscles", "pushes"):
            values = np.concatenate(found[name]) if name == "pushes" and found[name] else np.array(found[name], float)
            if not np.all(np.isfinite(values)) or (name == "masses" and not np.all(values > 0.0)):
                raise InputError(f"controls have {name} {found[name]!r}; expected finite numbers, masses above 0")
        Scene(self.model, q=found["q"])  # refuses quaternions of another length than 1
        return Controls(**found)

    def columns(self) -> list[Column]:
        """Everything that may change."""
        owner = self.model.dofs["body"]
        out = [Column(what, d, body=int(owner[d])) for what in ("q", "v") for d in range(self.model.nv)]
        for k, transition in enumerate(self.transitions):
            if isinstance(transition.moment, At) and transition.moment.free:
                out.append(Column("time", 0, k))
            if transition.push:
                out.extend(Column("push", d, k) for d in range(self.configurations[k + 1].model.nv))
        if "gravity" in self.allowed:
            out.extend(Column("gravity", axis) for axis in range(3))
        if "masses" in self.allowed:
            out.extend(Column("mass", b, body=b) for b in range(self.model.body_count))
        for muscle in self.muscles:
            out.extend(Column("muscle", muscle.first + k, body=muscle.body) for k in range(muscle.knots))
        return out

    def walk(
        self,
        controls: Controls,
        columns: Sequence[Column] = (),
        moments: Sequence[float] = (),
    ) -> Run:
        """Simulate the motion, with these columns, and look at the bodies at these moments."""
        count = len(columns)
        configurations = self._configurations(controls.masses)
        means = _Means(controls, columns, mass_columns(self.model.body_count, columns), gravity_columns(columns))
        m = self._begin(controls, columns, configurations[0])
        start, d_start = 0.0, np.zeros(count)
        run = Run([], [Sighting(math.nan, None)] * len(moments))  # pyright: ignore[reportArgumentType]
        for k, configuration in enumerate(configurations):
            last = k == len(self.transitions)
            transition = None if last else self.transitions[k]
            end = self.duration if transition is None else self._end(k, transition, means, configuration, m, start, run)
            if end - start < SHORTEST or end > self.duration + 1e-12:
                raise InputError(
                    f"clip {k + 1} of the motion would last from {start:g} to {end:g} s; expected at least {SHORTEST:g} s, "
                    f"and an end by {self.duration:g} s. Move its transitions apart."
                )
            # At a transition: before it.
            here = [i for i, t in enumerate(moments) if start < t <= end or (k == 0 and t == 0.0)]
            here.sort(key=lambda i: moments[i])
            local = np.array([moments[i] - start for i in here] + [end - start])
            out = self._roll(k, configuration, m, local, means, start, d_start)
            d_local = np.zeros((len(local), count)) - d_start
            for j, i in enumerate(here):
                run.sightings[i] = Sighting(moments[i], self._see(configuration, m, out, j, d_local[j], means))
            run.clips.append(Clip(configuration, m.tree, start, end, out))
            if transition is None:
                break
            d_end = self._d_end(k, transition, columns, configuration, m, out, d_start, run)
            m = self._cross(k, transition, means, configuration, configurations[k + 1], m, out, d_end - d_start)
            start, d_start = end, d_end
            run.times.append(end)
        return run

    def motion(self, run: Run) -> Motion:
        """What a walk has found as one motion of one model, for a simulation to follow: the character, free if it is ever."""
        same = all(c.model is self.model for c in self.configurations)
        target = self.configurations[0] if same else released(self.model)
        times, frames = [0.0], [self._expressed(run.clips[0], target, run.clips[0].frames.q[0])]
        for clip in run.clips:
            # The frame of the last step, where the clip's end is no later, and the end itself.
            local = self.dt * np.arange(1, len(clip.frames.q))
            keep = local < clip.end - clip.start - 1e-9
            for t, q in zip(local[keep], clip.frames.q[1:][keep], strict=True):
                times.append(clip.start + float(t))
                frames.append(self._expressed(clip, target, q))
            times.append(clip.end)
            frames.append(self._expressed(clip, target, clip.frames.q_samples[-1]))
        return Motion(target.model, np.array(times), np.array(frames), ends="free")

    def _expressed(self, clip: Clip, target: Configuration, q: FloatArray) -> FloatArray:
        # The same tree, whether its bodies are as heavy as they were built or not.
        same = clip.configuration.model.specs is target.model.specs
        return q if same else express(clip.configuration, target, clip.tree, q)

    # --- parts of the walk ---

    def _configurations(self, masses: FloatArray) -> list[Configuration]:
        """The configurations with bodies as heavy as they are now."""
        if self._weighed[0] != masses.tobytes():
            self._weighed = masses.tobytes(), [weighed(c, masses) for c in self.configurations]
        return self._weighed[1]

    def _begin(self, controls: Controls, columns: Sequence[Column], configuration: Configuration) -> Moment:
        nv, count = self.model.nv, len(columns)
        dq, dv = np.zeros((nv, count)), np.zeros((nv, count))
        for c, column in enumerate(columns):
            if column.attribute in "qv":
                (dq if column.attribute == "q" else dv)[column.index, c] = 1.0
        return Moment(configuration.model.tree, controls.q, controls.v, dq, dv, np.zeros((6, count)))

    def _roller(self, k: int, count: int, directions: Directions) -> Roller:
        if (k, count, directions) not in self._rollers:
            if len(self._rollers) > ROLLERS * len(self.configurations):
                self._rollers.clear()
            self._rollers[k, count, directions] = Roller(self.configurations[k].model, count, directions)
        return self._rollers[k, count, directions]

    def _drive(
        self, k: int, means: _Means, columns: Sequence[Column], start: float, d_start: FloatArray, steps: int
    ) -> Driving | None:
        if not self.muscles:
            return None
        configuration, motion = self.configurations[k], (self.dt, self.duration)
        return driving(self.muscles, configuration, means.controls, columns, start, d_start, steps + 1, *motion)

    def _roll(
        self, k: int, configuration: Configuration, m: Moment, local: FloatArray, means: _Means, start: float,
        d_start: FloatArray,
    ) -> Stretch:  # fmt: skip
        """Roll a clip out to the last of the moments, which are counted from its start."""
        samples = Samples.at(local, self.dt)
        steps, count = int(samples.steps[-1]), len(means.columns)
        gravity = means.controls.gravity
        drive = self._drive(k, means, means.columns, start, d_start, steps)
        roller = self._roller(k, count, directions_of(configuration, means.columns, drive))
        more: dict[str, Any] = {} if drive is None else {"tau": drive.tau, "weights": drive.weights}
        out = roller.roll(
            m.q, m.v, steps=steps, dt=self.dt, samples=samples, dq=m.dq, dv=m.dv, tree=m.tree, gravity=gravity,
            dgravity=means.gravity - np.cross(m.dplace[:3].T, gravity).T if count else None,
            **(self.before if k == 0 else {}), **more,
        )  # fmt: skip
        if out.runaway >= 0:
            joint = configuration.model.dof_name(out.runaway)
            time = out.done * self.dt
            turns = configuration.model.dofs["turns"][out.runaway]
            most = "less than half a turn a step" if turns else f"less than {MAX_SPEED:g} m/s"
            raise DivergenceError(
                f"the motion ran away {time:g} s after the start of clip {k + 1}: joint {joint} became too fast; expected "
                f"{most}. Shorten the step, or edit less at once.",
                time=time, joint=joint, cause="too fast",
            )  # fmt: skip
        return out

    def _see(
        self, configuration: Configuration, m: Moment, out: Stretch, j: int, later: FloatArray, means: _Means
    ) -> Bodies:
        """The bodies at sample j, whose moment within the clip changes by `later` in each column."""
        dq = out.dq_samples[j] + np.outer(out.dq_rates[j], later)
        dv = out.dv_samples[j] + np.outer(out.dv_rates[j], later)
        return observe(configuration, m.tree, out.q_samples[j], out.v_samples[j], dq, dv, m.dplace, means.masses)

    def _touch(self, transition: Transition) -> tuple[Surface, int, FloatArray]:
        assert isinstance(transition, (Grip, Bounce))
        assert isinstance(transition.moment, Touch)
        return transition.moment.surface, self.model.body(transition.body).index, np.asarray(transition.point, float)

    def _end(
        self, k: int, transition: Transition, means: _Means, configuration: Configuration, m: Moment, start: float,
        run: Run,
    ) -> float:  # fmt: skip
        """When a clip ends: as the controls say, or where a point first meets its surface."""
        if isinstance(transition.moment, At):
            return means.controls.times[k]
        surface, body, point = self._touch(transition)
        steps = max(int((self.duration - start) / self.dt + 1e-9), 1)
        drive = self._drive(k, means, (), start, np.zeros(0), steps)
        first: dict[str, Any] = self.before if k == 0 else {"last": START}
        arguments = {"gravity": means.controls.gravity, "tau": None if drive is None else drive.tau, **first}
        roller = self._roller(k, 0, directions_of(configuration, (), drive))
        plain = Moment(m.tree, m.q, m.v, *(np.zeros((n, 0)) for n in (len(m.v), len(m.v), 6)))
        approach = Approach(roller, configuration, plain, surface, body, point, steps, self.dt, arguments)
        met = approach.meeting()
        if not math.isfinite(met.time):
            near = f"it comes as near as {met.gap:.3g} m" if met.gap > 0.0 else "it is beyond it when it begins to wait"
            raise InputError(
                f"transition {k + 1} waits for body '{self.model.specs[body].name}' to meet {surface}, which it never does: "
                f"{near}. Move the surface, or the start of the motion."
            )
        if isinstance(surface, Bar):
            run.catches.append(Catch(k, met.gap, surface.radius, np.zeros(0)))
        return start + met.time

    def _d_end(
        self, k: int, transition: Transition, columns: Sequence[Column], configuration: Configuration, m: Moment,
        out: Stretch, d_start: FloatArray, run: Run,
    ) -> FloatArray:  # fmt: skip
        """How the time of a transition changes with each column."""
        if isinstance(transition.moment, At):
            return np.array([float(c.attribute == "time" and c.transition == k) for c in columns])
        if not columns:
            return np.zeros(0)
        surface, body, point = self._touch(transition)
        # One more column: the clip lasts longer.
        dq = np.column_stack([out.dq_samples[-1], out.dq_rates[-1]])
        dv = np.column_stack([out.dv_samples[-1], out.dv_rates[-1]])
        dplace = np.column_stack([m.dplace, np.zeros(6)])
        seen = observe(configuration, m.tree, out.q_samples[-1], out.v_samples[-1], dq, dv, dplace)
        if isinstance(surface, Bar):
            nearer, gaps = passing(surface, seen, body, point)
            run.catches[-1].row = gaps[:-1]
            return d_start - nearer[:-1] / nearer[-1]
        x, moved = seen.point(body, point)
        nearer = surface.direction(x) @ moved
        if not abs(nearer[-1]) > GRAZES:
            raise InputError(
                f"transition {k + 1}: body '{self.model.specs[body].name}' only grazes {surface}; expected it to come in. "
                "Move the surface, or the start of the motion."
            )
        return d_start - nearer[:-1] / nearer[-1]

    def _cross(
        self, k: int, transition: Transition, means: _Means, configuration: Configuration, entered: Configuration, m: Moment,
        out: Stretch, later: FloatArray,
    ) -> Moment:  # fmt: skip
        """Through a transition: the state at the end of the clip, and what becomes of it in the next."""
        end = Moment(
            m.tree, out.q_samples[-1], out.v_samples[-1], out.dq_samples[-1] + np.outer(out.dq_rates[-1], later),
            out.dv_samples[-1] + np.outer(out.dv_rates[-1], later), m.dplace,
        )  # fmt: skip
        if isinstance(transition, Bounce):
            surface, body, point = self._touch(transition)
            n = surface.direction(np.zeros(3))
            after = bounce(configuration, end, body, point, n, transition.restitution, means.masses)
        else:
            seen = observe(configuration, end.tree, end.q, end.v, end.dq, end.dv, end.dplace, means.masses)
            after = enter(configuration, entered, end, seen)
        after.v = after.v + means.controls.pushes[k]
        for c, column in enumerate(means.columns):
            if column.attribute == "push" and column.transition == k:
                after.dv[column.index, c] += 1.0
        return after
