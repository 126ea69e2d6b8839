"""The motion editor: drag the motion, not the parameters (Lee 2003); docs/editing.md shows how and tells the equations."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stringless.control.checks import number, whole
from stringless.control.motion import Motion
from stringless.editing.bodies import Bodies
from stringless.editing.constraint_set import ConstraintSet
from stringless.editing.constraints import Constraint
from stringless.editing.control_steps import ATTRIBUTES, Edit, check_attribute, mask_columns
from stringless.editing.course import Course
from stringless.editing.iteration import NO_SMALLER, SLOWLY, Iteration, conclude_search
from stringless.editing.plan import LARGEST, At, Column, Controls, Transition, set_time
from stringless.editing.rollout import JointStiffness
from stringless.editing.versions import Version, Versions
from stringless.editing.walk import Run
from stringless.errors import DivergenceError, InputError, StringlessWarning, renamed
from stringless.model.model import Model
from stringless.model.scene import Scene
from stringless.spatial.arrays import BoolArray, FloatArray
from stringless.state.state import State

DONE = 1e-3
"""Constraints that are off by no more than this together are met [m, rad, m/s]."""
SAME = 1e-6
"""Times that differ by less than this are the same [s]."""
SLOW, PATIENCE = 0.95, 10
"""Iterations that together leave this share of the error, so many, lead nowhere."""


class Editor(ConstraintSet):
    """A passive motion and what is wanted of it."""

    def __init__(
        self,
        scene: Scene | Model,
        *,
        duration: float,
        transitions: Sequence[Transition] = (),
        dt: float = 5e-3,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        state: State | None = None,
        before: Mapping[str, Any] | None = None,
        controls: Controls | None = None,
        allow: Sequence[str] = (),
        muscles: Mapping[str, int] | None = None,
        joint_springs: float = 1.0,
        stop_frequency: float = 100.0,
        lazy: bool = False,
    ) -> None:
        """Simulate the motion of a scene, or from (q, v), for `duration` in steps of `dt` [s].

        From a `state` of a simulation, with its step, the motion is what the simulation would have done, to the last bit;
        `before` says the same as its acceleration `vdot` and the length of its `last` step. `controls` are those of another
        editor of the same course. `allow` names what may change beyond the start, among gravity and masses; `muscles` gives
        joints efforts that may change: by name, with how many coefficients. `joint_springs` and `stop_frequency` are those of
        a simulation. A `lazy` editor simulates nothing before it is asked to.
        """
        super().__init__()
        given: Any = scene
        if not isinstance(given, (Scene, Model)):
            raise InputError(f"the character is {scene!r}; expected a scene or a model, such as `sl.load('humanoid')`")
        start = scene if isinstance(scene, Scene) else Scene(scene)
        self.model = start.model
        if state is not None:
            q, v = state.q, state.v
            before = {"vdot": state.vdot.copy(), "last": state.dt}
        joint_stiffness = JointStiffness(joint_springs, stop_frequency)
        more: dict[str, Any] = {
            **(before or {}),
            "allow": allow,
            "muscles": muscles,
            "joint_stiffness": joint_stiffness,
        }
        course = Course(self.model, transitions, duration, dt, **more)
        self.muscles: dict[str, int] = dict(muscles or {})
        first = self.model.vector(start.q if q is None else q, self.model.nq, "q")
        pace = self.model.vector(start.v if v is None else v, self.model.nv, "v")
        controls = course.complete_controls(
            course.make_controls(np.array(first), np.array(pace)) if controls is None else controls
        )
        self._versions = Versions(Version(course, controls, None if lazy else course.walk(controls)))
        self.masses: dict[str, float] = dict.fromkeys(ATTRIBUTES, 1.0)
        """How much each attribute resists being changed."""

    # --- the motion ---

    @property
    def course(self) -> Course:
        """What happens in the motion, and when."""
        return self._versions.now.course

    @property
    def allowed(self) -> tuple[str, ...]:
        """What may change beyond the start."""
        return self.course.allowed

    @property
    def controls(self) -> Controls:
        """What the motion follows from: its start, the times of its transitions, what was added there."""
        return self._versions.now.controls

    @property
    def run(self) -> Run:
        """The motion, clip by clip."""
        return self._versions.now.run

    @property
    def times(self) -> tuple[float, ...]:
        """When the transitions happen [s]."""
        return tuple(self.run.times)

    def find_bodies(self, time: float) -> Bodies:
        """All bodies at a time."""
        return self.course.walk(self.controls, (), [self._check_time(time)]).observations[0].bodies

    def motion(self) -> Motion:
        """The whole motion, for `Simulation.follow`, which records it as a take to direct from at any time."""
        return self.course.make_motion(self.run)

    # --- what may change ---

    def lock(self, *attributes: str, body: str | int | None = None) -> None:
        """Keep attributes as they are, all if none is named: of the joint that carries `body`, or of everything."""
        self._versions.locks.update(self._chosen(attributes, body))

    def unlock(self, *attributes: str, body: str | int | None = None) -> None:
        """Let attributes change again."""
        self._versions.locks.difference_update(self._chosen(attributes, body))

    def set_resistance(self, masses: Mapping[str, float]) -> None:
        """Say how much attributes resist being changed, 1 if nothing is said."""
        for name, mass in masses.items():
            check_attribute(name)
            if not 1.0 / LARGEST <= number(mass, f"the mass of '{name}'") <= LARGEST:
                raise InputError(
                    f"the mass of '{name}' is {mass!r}; expected a finite number above 0, {1.0 / LARGEST:g} to {LARGEST:g}. To "
                    "keep it, lock it."
                )
        self.masses.update({name: float(mass) for name, mass in masses.items()})

    @property
    def columns(self) -> list[Column]:
        """Everything that an edit may change, one direction each."""
        return [column for column in self.every if column not in self._versions.locks]

    @property
    def every(self) -> list[Column]:
        """All that could change, locked or not."""
        return self.course.list_columns()

    @property
    def locked(self) -> BoolArray:
        """Which of these are locked."""
        return np.array([column in self._versions.locks for column in self.every], bool)

    # --- editing ---

    def error(self) -> float:
        """How far the motion is from what is wanted."""
        return float(np.linalg.norm(self.evaluate()[0]))

    def evaluate(
        self, columns: Sequence[Column] = (), *, controls: Controls | None = None, nails_only: bool = False
    ) -> tuple[FloatArray, FloatArray, Run]:
        """Errors of all constraints, how what is there changes with each column (rows, C), and the motion."""
        self.check()
        return self._evaluate(columns, controls, nails_only)

    def _evaluate(
        self, columns: Sequence[Column], controls: Controls | None, nails_only: bool
    ) -> tuple[FloatArray, FloatArray, Run]:
        wanted = [*self.nails] if nails_only else [*self.nails, *self.drags]
        run = self.course.walk(controls or self.controls, columns, [c.time for c in wanted])
        found = [c.find_error(s.bodies) for c, s in zip(wanted, run.observations, strict=True)]
        errors = [self.strength(c) * e for c, (e, _) in zip(wanted, found, strict=True)]
        rows = [self.strength(c) * r for c, (_, r) in zip(wanted, found, strict=True)]
        for catch in run.catches:
            errors.append(np.array([catch.error]))
            rows.append(catch.row[None] if len(columns) else np.zeros((1, 0)))
        return np.concatenate([np.zeros(0), *errors]), np.concatenate([np.zeros((0, len(columns))), *rows]), run

    def iterate(self, *, nails_only: bool = False, nearest: bool = False, trials: int = 1000) -> Edit:
        """Change the controls once, by the smallest step that does what is wanted to first order; undoable.

        So many steps are tried at most: few while a hand drags. An edit that is impossible is refused with a warning, unless
        the `nearest` motion is wanted; one that makes the motion fail raises. The motion stays then.
        """
        self.check()
        now = self._versions.now
        edit, version = self._improve(now, nails_only, nearest, whole(trials, "the number of trials"))
        if version is not None:
            self._versions.keep(version)
        return _told(edit)

    def solve(
        self, *, error: float = DONE, iterations: int = 50, nails_only: bool = False, nearest: bool = False
    ) -> list[Edit]:
        """Iterate until the error is below `error`, nothing helps any more, or so many iterations are done; one undo.

        If constraints contradict each other, nothing has changed, and the only edit says so, with a warning. With `nearest` the
        motion that comes nearest to all of them is kept then; those of more strength are met better. It is always kept if
        hardly anything is missing.
        """
        number(error, "the error to stop at", least=0.0)
        whole(iterations, "the number of iterations")
        done: list[Edit] = []
        version, over = self._versions.now, ""
        first = left = float(np.linalg.norm(self.evaluate(nails_only=nails_only)[0]))
        while not (left <= error or over or len(done) == iterations):
            try:
                edit, better = self._improve(version, nails_only, nearest)
            except (DivergenceError, InputError) as failure:
                if not done:
                    raise
                over = f"going on fails ({failure})"
                break
            if better is None:
                if not done:
                    return [_told(edit)]
                done[-1], over = replace(done[-1], impossible=edit.impossible), NO_SMALLER
                break
            done.append(edit)
            version, left = better, edit.after
            if len(done) >= PATIENCE and left > max(error, SLOW * done[-PATIENCE].before):
                over = SLOWLY
        if over:
            done[-1] = _told(conclude_search(done[-1], first, error, over, nearest=nearest))
            if done[-1].impossible:
                return done[-1:]
        if version is not self._versions.now:
            self._versions.keep(version)
        return done

    def set_controls(self, controls: Controls) -> None:
        """Set other controls of the same course; undoable. If their motion fails the old one is kept."""
        fitted = self.course.complete_controls(controls)
        self._versions.keep(Version(self.course, fitted, self.course.walk(fitted)))

    def plan(self, transitions: Sequence[Transition]) -> None:
        """Replace the transitions, from the same start; undoable. If the motion fails, the old one is kept.

        Transitions that happen now keep the times and pushes that edits have given them.
        """
        course = self.course.replace_transitions(transitions)
        controls = course.carry_controls(self.course, self.controls)
        self._versions.keep(Version(course, controls, course.walk(controls)))

    def retime(self, time: float, to: float) -> list[Constraint]:
        """Move what happens at `time` to another time; the times of all transitions become free; undoable. `solve()` does it.

        A transition at `time` is put at `to`, and stays there. Nails at `time` go along; without any, the whole pose is
        nailed at `to`. Returns these nails. If the motion cannot be simulated so, all stays as it was.
        """
        time, to = self._check_time(time), self._check_time(to)
        happens = self.course.transitions
        here = [k for k, t in enumerate(self.times) if abs(t - time) < SAME and isinstance(happens[k].timing, At)]
        nails = [nail for nail in self.nails if abs(nail.time - time) < SAME]
        pose = None if here or nails else self.find_bodies(time)
        times = [to if k in here else t for k, t in enumerate(self.times)]
        course = self.course.replace_transitions(
            [set_time(t, times[k], free=k not in here) for k, t in enumerate(happens)]
        )
        controls = course.carry_controls(self.course, self.controls)
        self._versions.keep(Version(course, controls, course.walk(controls)))
        self._versions.now.moved = [(nail, nail.time, to) for nail in nails]
        for nail in nails:
            nail.time = to
        self._versions.now.added = [] if pose is None else [self.nail_pose(time=to, pose=pose)]
        return [*nails, *self._versions.now.added]

    def undo(self) -> None:
        """Go back to the motion before the last edit, to the last bit."""
        self._versions.undo(self.nails)

    def redo(self) -> None:
        """Take the last undo back."""
        self._versions.redo(self.nails)

    def forget(self) -> None:
        """Forget everything that could be undone or redone."""
        self._versions.forget()

    @property
    def version(self) -> Version:
        """The present motion, for `restore_version`."""
        return self._versions.now

    def restore_version(self, version: Version) -> None:
        """Return to an earlier motion and forget all that came after it: there is nothing to undo or redo."""
        self._versions.restore(version)

    # --- inside ---

    def _chosen(self, attributes: Sequence[str], body: str | int | None) -> list[Column]:
        every = self.every
        mask = mask_columns(self.model, every, attributes, body)
        return [column for column, is_chosen in zip(every, mask, strict=True) if is_chosen]

    def _check_time(self, time: float) -> float:
        number(time, "the time of what is wanted", "s")
        if not 0.0 <= time <= self.course.duration:
            raise InputError(f"time {time!r} is outside the motion; expected 0 to {self.course.duration:g} s")
        return float(time)

    def _improve(
        self, version: Version, nails_only: bool, nearest: bool, trials: int = 1000
    ) -> tuple[Edit, Version | None]:
        def evaluate(columns: Sequence[Column], controls: Controls) -> tuple[FloatArray, FloatArray, Run]:
            return self._evaluate(columns, controls, nails_only)

        iteration = Iteration(version.course, self.columns, self.masses, evaluate, nearest)
        edit, found = iteration.improve(version.controls, version.run, trials)
        return edit, None if found is None else Version(version.course, *found)

    # --- names of earlier versions ---

    weigh = renamed("weigh", "set_resistance")
    see = renamed("see", "find_bodies")
    look = renamed("look", "evaluate")
    put = renamed("put", "set_controls")
    come_back = renamed("come_back", "restore_version")


def _told(edit: Edit) -> Edit:
    """An edit, of which the caller of the editor is warned if it has not done what was wanted."""
    if edit.message:
        warnings.warn(edit.message, StringlessWarning, stacklevel=3)
    return edit
