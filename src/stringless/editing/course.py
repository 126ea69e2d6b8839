"""The course of a motion: a character and what happens to it, to walk along again and again."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stringless.control.checks import number
from stringless.control.motion import Motion
from stringless.editing.configurations import Configuration, make_free, make_gripped, make_original
from stringless.editing.freedoms import check_freedoms, scale_masses
from stringless.editing.muscles import check_muscles, make_muscles
from stringless.editing.plan import (
    MOST_STEPS,
    At,
    Bounce,
    Column,
    Controls,
    Grip,
    Transition,
    carry_controls,
    check_transitions,
)
from stringless.editing.rollout import START, Directions, JointStiffness, Roller
from stringless.editing.transitions import express_configuration
from stringless.editing.walk import Clip, Run, Walk
from stringless.errors import InputError
from stringless.model.model import Model
from stringless.model.scene import Scene
from stringless.spatial.arrays import FloatArray

ROLLERS = 6
"""How many ways to roll a clip out are kept."""


class Course:
    """A character, what happens to it, and the room to walk through it again and again."""

    def __init__(
        self,
        model: Model,
        transitions: Sequence[Transition],
        duration: float,
        dt: float,
        vdot: FloatArray | None = None,
        last: float = START,
        allow: Sequence[str] = (),
        muscles: Mapping[str, int] | None = None,
        joint_stiffness: JointStiffness | None = None,
    ) -> None:
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
        check_transitions(self.transitions, duration)
        self.configurations = [make_original(model)]
        for transition in self.transitions:
            if isinstance(transition, Grip):
                grip = make_gripped(model, transition.body, transition.point, transition.kind, transition.axis)
                self.configurations.append(grip)
            elif isinstance(transition, Bounce):
                self.configurations.append(self.configurations[-1])
            else:
                self.configurations.append(make_free(model))
        self.allowed, self.muscles = check_freedoms(allow), make_muscles(model, muscles or {})
        for configuration in self.configurations:
            check_muscles(self.muscles, configuration)
        self.vdot, self.last, self.joint_stiffness = vdot, last, joint_stiffness or JointStiffness()
        self.before: dict[str, Any] = {"vdot": vdot, "last": last}
        self._rollers: dict[Any, Roller] = {}
        self._scaled: tuple[bytes, list[Configuration]] = b"", []

    def make_controls(self, q: FloatArray, v: FloatArray) -> Controls:
        """Controls at their beginning: this start, the times as they were said, no pushes."""
        times = (m.time if isinstance(m := t.timing, At) else math.nan for t in self.transitions)
        pushes = tuple(np.zeros(c.model.nv) for c in self.configurations[1:])
        more = self.model.gravity.copy(), np.ones(self.model.body_count), np.zeros(sum(m.knots for m in self.muscles))
        return Controls(q.copy(), v.copy(), tuple(times), pushes, *more)

    def replace_transitions(self, transitions: Sequence[Transition]) -> Course:
        """The same course with other transitions."""
        muscles = {self.model.joints[m.body].name: m.knots for m in self.muscles}
        more: dict[str, Any] = {
            **self.before,
            "allow": self.allowed,
            "muscles": muscles,
            "joint_stiffness": self.joint_stiffness,
        }
        return Course(self.model, transitions, self.duration, self.dt, **more)

    def carry_controls(self, other: Course, controls: Controls) -> Controls:
        """Controls of another course for this one: its start, and what is known of transitions that both have."""
        return carry_controls(controls, other.transitions, self.make_controls(controls.q, controls.v), self.transitions)

    def complete_controls(self, controls: Controls) -> Controls:
        """Controls with everything filled in that they do not say; refuses those of another course."""
        given: Any = controls
        if not isinstance(given, Controls):
            raise InputError(f"controls are {controls!r}; expected `Controls`, such as `editor.controls`")
        plain = self.make_controls(self.model.neutral(), np.zeros(self.model.nv))
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

    def list_columns(self) -> list[Column]:
        """Everything that may change."""
        owner = self.model.dofs["body"]
        out = [Column(what, d, body=int(owner[d])) for what in ("q", "v") for d in range(self.model.nv)]
        for k, transition in enumerate(self.transitions):
            if isinstance(transition.timing, At) and transition.timing.free:
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

    def walk(self, controls: Controls, columns: Sequence[Column] = (), times: Sequence[float] = ()) -> Run:
        """Simulate the motion, with these columns, and look at the bodies at these times."""
        return Walk(self, controls, columns, times).simulate()

    @property
    def form(self) -> Configuration:
        """The one in which the motion is written down as a whole: as built, or free if anything ever holds or frees it."""
        same = all(c.model is self.model for c in self.configurations)
        return self.configurations[0] if same else make_free(self.model)

    def make_motion(self, run: Run) -> Motion:
        """What a walk has found as one motion of one model, for a simulation to follow: the character, free if it is ever."""
        target = self.form
        times, frames = [0.0], [self._express(run.clips[0], target, run.clips[0].frames.q[0])]
        for clip in run.clips:
            # The frame of the last step, where the clip's end is no later, and the end itself.
            local = self.dt * np.arange(1, len(clip.frames.q))
            keep = local < clip.end - clip.start - 1e-9
            for t, q in zip(local[keep], clip.frames.q[1:][keep], strict=True):
                times.append(clip.start + float(t))
                frames.append(self._express(clip, target, q))
            times.append(clip.end)
            frames.append(self._express(clip, target, clip.frames.q_samples[-1]))
        return Motion(target.model, np.array(times), np.array(frames), ends="free")

    def _express(self, clip: Clip, target: Configuration, q: FloatArray) -> FloatArray:
        # The same tree, whether its bodies are as heavy as they were built or not.
        same = clip.configuration.model.specs is target.model.specs
        return q if same else express_configuration(clip.configuration, target, clip.tree, q)

    # --- what walks are made with ---

    def scale_masses(self, masses: FloatArray) -> list[Configuration]:
        """The configurations with bodies as heavy as they are now."""
        if self._scaled[0] != masses.tobytes():
            self._scaled = masses.tobytes(), [scale_masses(c, masses) for c in self.configurations]
        return self._scaled[1]

    def find_roller(self, k: int, count: int, directions: Directions) -> Roller:
        """Something to roll out clip k with so many columns."""
        if (k, count, directions) not in self._rollers:
            if len(self._rollers) > ROLLERS * len(self.configurations):
                self._rollers.clear()
            self._rollers[k, count, directions] = Roller(
                self.configurations[k].model, count, directions, self.joint_stiffness
            )
        return self._rollers[k, count, directions]
