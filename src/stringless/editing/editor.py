"""The motion editor: drag the motion, not the parameters (Lee 2003); docs/editing.md shows how and tells the equations."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stringless.control.motion import Motion
from stringless.editing.bodies import Bodies
from stringless.editing.constraints import Constraint
from stringless.editing.course import Course, Run
from stringless.editing.improving import ATTRIBUTES, Edit, Search, attribute_of, check_attribute, chosen, longest, moved
from stringless.editing.plan import At, Column, Controls, Transition, followed, number, timed
from stringless.editing.solving import Change, Problem, least_change
from stringless.editing.wishes import Wishes
from stringless.errors import DivergenceError, InputError, StringlessWarning
from stringless.model.model import Model
from stringless.model.scene import Scene
from stringless.state.state import State

FloatArray = NDArray[np.float64]
DONE = 1e-3
"""Constraints that are off by no more than this together are met [m, rad, m/s]."""


SAME = 1e-6
"""Moments that are nearer to each other than this are the same [s]."""
WORTHLESS = 0.9
"""Where this share of the error is left by every step, other ways are tried: with each attribute in turn resisting more."""
SLOW, PATIENCE = 0.95, 10
"""Iterations that together leave this share of the error, so many, lead nowhere."""
SHY = 100.0
"""How much more."""
SHAKE, SHAKES, TRIES = 0.1, 6, 3
"""How far beside a motion that seems impossible to change others are looked at [rad, m, ...], how many, how often each."""
NO_BETTER = "no step makes the motion come nearer; it stays as it was"


class _Version:
    def __init__(self, course: Course, controls: Controls, run: Run | None = None) -> None:
        self.course, self.controls, self._run = course, controls, run
        self.moved: list[tuple[Constraint, float, float]] = []
        """Nails that came to another time with this version."""
        self.added: list[Constraint] = []
        self.lost: set[Column] = set()
        """Locks on transitions that the version after or before this one does not have."""

    @property
    def run(self) -> Run:
        """The motion; simulated when it is first asked for."""
        self._run = self._run or self.course.walk(self.controls)
        return self._run


class Editor(Wishes):
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
        lazy: bool = False,
    ) -> None:
        """Simulate the motion of a scene, or from (q, v), for `duration` in steps of `dt` [s].

        From a `state` of a simulation, with its step, the motion is what the simulation would have done, to the last bit;
        `before` says the same as its acceleration `vdot` and the length of its `last` step. `controls` are those of another
        editor of the same course. `allow` names what may change beyond the start, among gravity and masses; `muscles` gives
        joints efforts that may change: by name, with how many coefficients. A `lazy` editor simulates nothing before it is
        asked to.
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
        more: dict[str, Any] = {**(before or {}), "allow": allow, "muscles": muscles}
        course = Course(self.model, transitions, duration, dt, **more)
        self.muscles: dict[str, int] = dict(muscles or {})
        first = self.model.vector(start.q if q is None else q, self.model.nq, "q")
        pace = self.model.vector(start.v if v is None else v, self.model.nv, "v")
        controls = course.fitted(course.controls(np.array(first), np.array(pace)) if controls is None else controls)
        self._now = _Version(course, controls, None if lazy else course.walk(controls))
        self._undo: list[_Version] = []
        self._redo: list[_Version] = []
        self.masses: dict[str, float] = dict.fromkeys(ATTRIBUTES, 1.0)
        """How much each attribute resists being changed."""
        self._locks: set[Column] = set()

    # --- the motion ---

    @property
    def course(self) -> Course:
        """What happens in the motion, and when."""
        return self._now.course

    @property
    def allowed(self) -> tuple[str, ...]:
        """What may change beyond the start."""
        return self.course.allowed

    @property
    def controls(self) -> Controls:
        """What the motion follows from: its start, the times of its transitions, what was added there."""
        return self._now.controls

    @property
    def run(self) -> Run:
        """The motion, clip by clip."""
        return self._now.run

    @property
    def times(self) -> tuple[float, ...]:
        """When the transitions happen [s]."""
        return tuple(self.run.times)

    def see(self, time: float) -> Bodies:
        """All bodies at a moment."""
        return self.course.walk(self.controls, (), [self._moment(time)]).sightings[0].bodies

    def motion(self) -> Motion:
        """The whole motion, for `Simulation.follow`, which records it as a take to direct from at any moment."""
        return self.course.motion(self.run)

    # --- what may change ---

    def lock(self, *attributes: str, body: str | int | None = None) -> None:
        """Keep attributes as they are, all if none is named: of the joint that carries `body`, or of everything."""
        self._locks.update(self._chosen(attributes, body))

    def unlock(self, *attributes: str, body: str | int | None = None) -> None:
        """Let attributes change again."""
        self._locks.difference_update(self._chosen(attributes, body))

    def weigh(self, masses: Mapping[str, float]) -> None:
        """Say how much attributes resist being changed, 1 if nothing is said."""
        for name, mass in masses.items():
            check_attribute(name)
            if not number(mass, f"the mass of '{name}'") > 0:
                raise InputError(
                    f"the mass of '{name}' is {mass!r}; expected a finite number above 0. To keep it, lock it."
                )
        self.masses.update({name: float(mass) for name, mass in masses.items()})

    @property
    def columns(self) -> list[Column]:
        """Everything that an edit may change, one direction each."""
        return [column for column in self.every if column not in self._locks]

    @property
    def every(self) -> list[Column]:
        """All that could change, locked or not."""
        return self.course.columns()

    @property
    def locked(self) -> NDArray[np.bool_]:
        """Which of these are locked."""
        return np.array([column in self._locks for column in self.every], bool)

    # --- editing ---

    def error(self) -> float:
        """How far the motion is from what is wanted."""
        return float(np.linalg.norm(self.look()[0]))

    def look(
        self, columns: Sequence[Column] = (), *, controls: Controls | None = None, nails_only: bool = False
    ) -> tuple[FloatArray, FloatArray, Run]:
        """What is missing of all that is wanted, how what is there changes with each column (rows, C), and the motion."""
        wanted = [*self.nails] if nails_only else [*self.nails, *self.drags]
        run = self.course.walk(controls or self.controls, columns, [c.time for c in wanted])
        found = [c.error(s.bodies) for c, s in zip(wanted, run.sightings, strict=True)]
        errors = [self.strength(c) * e for c, (e, _) in zip(wanted, found, strict=True)]
        rows = [self.strength(c) * r for c, (_, r) in zip(wanted, found, strict=True)]
        for catch in run.catches:
            errors.append(np.array([catch.error]))
            rows.append(catch.row[None] if len(columns) else np.zeros((1, 0)))
        return np.concatenate([np.zeros(0), *errors]), np.concatenate([np.zeros((0, len(columns))), *rows]), run

    def iterate(self, *, nails_only: bool = False, trials: int = 1000) -> Edit:
        """Change the controls once, by the smallest step that does what is wanted to first order; undoable.

        So many steps are tried at most: few while a hand drags. An edit that is impossible is refused with a warning; one
        that makes the motion fail raises. The motion stays then.
        """
        edit, version = self._improve(self._now, nails_only, trials)
        if version is not None:
            self._keep(version)
        return edit

    def solve(self, *, error: float = DONE, iterations: int = 50, nails_only: bool = False) -> list[Edit]:
        """Iterate until the error is below `error`, nothing helps any more, or so many iterations are done; one undo.

        Where it leads nowhere the last edit says so, with a warning.
        """
        done: list[Edit] = []
        version = self._now
        left = float(np.linalg.norm(self.look(nails_only=nails_only)[0]))
        while not left <= error and len(done) < iterations:
            try:
                edit, better = self._improve(version, nails_only)
            except (DivergenceError, InputError) as failure:
                if not done:
                    raise
                done[-1] = self._stuck(done[-1], f" where going on fails ({failure})")
                break
            done.append(edit)
            if better is None:
                break
            version, left = better, edit.after
            if len(done) >= PATIENCE and left > max(error, SLOW * done[-PATIENCE].before):
                done[-1] = self._stuck(edit)
                break
        if version is not self._now:
            self._keep(version)
        return done

    def put(self, controls: Controls) -> None:
        """Take other controls of the same course; undoable. If their motion fails the old one is kept."""
        fitted = self.course.fitted(controls)
        self._keep(_Version(self.course, fitted, self.course.walk(fitted)))

    def plan(self, transitions: Sequence[Transition]) -> None:
        """Let other things happen in the motion, from the same start; undoable. If they cannot, the old motion is kept.

        Transitions that happen now keep the times and pushes that edits have given them.
        """
        course = self.course.planned(transitions)
        controls = course.carried(self.course, self.controls)
        self._keep(_Version(course, controls, course.walk(controls)))

    def retime(self, time: float, to: float) -> list[Constraint]:
        """Want what happens at a moment at another one; the times of all transitions become free; undoable. `solve()` does it.

        A transition at `time` is put at `to`, and stays there. Nails at `time` go along; without any, the whole pose is
        nailed at `to`. Returns these nails. If the motion cannot be simulated so, all stays as it was.
        """
        time, to = self._moment(time), self._moment(to)
        happens = self.course.transitions
        here = [k for k, t in enumerate(self.times) if abs(t - time) < SAME and isinstance(happens[k].moment, At)]
        nails = [nail for nail in self.nails if abs(nail.time - time) < SAME]
        pose = None if here or nails else self.see(time)
        times = [to if k in here else t for k, t in enumerate(self.times)]
        course = self.course.planned([timed(t, times[k], free=k not in here) for k, t in enumerate(happens)])
        controls = course.carried(self.course, self.controls)
        self._keep(_Version(course, controls, course.walk(controls)))
        self._now.moved = [(nail, nail.time, to) for nail in nails]
        for nail in nails:
            nail.time = to
        self._now.added = [] if pose is None else [self.nail_pose(time=to, pose=pose)]
        return [*nails, *self._now.added]

    def undo(self) -> None:
        """Go back to the motion before the last edit, to the last bit."""
        gone = self._now
        self._step(self._undo, self._redo, "undo")
        for nail, time, _ in gone.moved:
            nail.time = time
        self.nails[:] = [nail for nail in self.nails if nail not in gone.added]

    def redo(self) -> None:
        """Take the last undo back."""
        self._step(self._redo, self._undo, "redo")
        for nail, _, to in self._now.moved:
            nail.time = to
        self.nails.extend(nail for nail in self._now.added if nail not in self.nails)

    def forget(self) -> None:
        """Let go of everything that could be undone or redone."""
        self._undo.clear()
        self._redo.clear()

    # --- inside ---

    def _chosen(self, attributes: Sequence[str], body: str | int | None) -> list[Column]:
        every = self.every
        mask = chosen(self.model, every, attributes, body)
        return [column for column, is_chosen in zip(every, mask, strict=True) if is_chosen]

    def _keep(self, version: _Version) -> None:
        self._undo.append(self._now)
        self._redo.clear()
        self._enter(version)

    def _step(self, source: list[_Version], sink: list[_Version], what: str) -> None:
        if not source:
            raise InputError(f"there is nothing to {what}")
        sink.append(self._now)
        self._enter(source.pop())

    def _enter(self, version: _Version) -> None:
        """Go to another version; locks on times and pushes stay with their transitions."""
        if version.course is not self.course:
            kept, self._now.lost = followed(self._locks, self.course.transitions, version.course.transitions)
            self._locks = kept | version.lost
        self._now = version

    def _moment(self, time: float) -> float:
        number(time, "the time of what is wanted", "s")
        if not 0.0 <= time <= self.course.duration:
            raise InputError(f"time {time!r} is outside the motion; expected 0 to {self.course.duration:g} s")
        return float(time)

    def _improve(self, version: _Version, nails_only: bool, trials: int = 1000) -> tuple[Edit, _Version | None]:
        columns = self.columns
        errors, rows, _ = self.look(columns, controls=version.controls, nails_only=nails_only)
        before = float(np.linalg.norm(errors))
        attributes = [attribute_of(self.model, column) for column in columns]
        masses = np.array([self.masses[name] for name in attributes])
        problem, change = least_change(rows, errors, masses)

        def try_out(controls: Controls) -> tuple[FloatArray, Run]:
            found, _, run = self.look(controls=controls, nails_only=nails_only)
            return found, run

        search = Search(version.course, version.controls, version.run, columns, errors, rows, try_out, trials)
        if not change.possible:
            self._shake(search, problem, masses, nails_only)
            if search.found is None:
                return self._refused(before, change), None
        else:
            search.along(problem)
        for shy in dict.fromkeys(attributes):
            if search.best <= WORTHLESS * before or not change.possible:
                break
            # Where a joint meets its stop a step earlier or later the motion jumps: another way there may miss that.
            more = np.array([SHY if name == shy else 1.0 for name in attributes])
            search.along(least_change(rows, errors, more * masses)[0])
        if search.found is None and search.failure is not None:
            raise search.failure
        if search.found is None:
            warnings.warn(NO_BETTER, StringlessWarning, stacklevel=3)
            return Edit(before, before, change.left, 0.0, NO_BETTER), None
        return Edit(before, search.best, change.left, search.scale), _Version(version.course, *search.found)

    def _shake(self, search: Search, problem: Problem, masses: FloatArray, nails_only: bool) -> None:
        """Look beside a motion from which nothing leads on to first order, such as a stretched limb's, for one that does.

        What is really impossible is so everywhere.
        """
        course, columns, rng = search.course, search.columns, np.random.default_rng(0)
        tries = [problem.step(), *(SHAKE * rng.normal(size=(SHAKES, len(columns))) / np.sqrt(masses))]
        for step in tries[: search.trials]:
            size = min(1.0, longest(course, search.run.times, columns, step)) if len(columns) else 0.0
            controls = moved(self.model, search.controls, columns, size * step)
            for _ in range(TRIES):
                try:
                    errors, rows, run = self.look(columns, controls=controls, nails_only=nails_only)
                except (DivergenceError, InputError):
                    break
                near, change = least_change(rows, errors, masses)
                beside = Search(course, controls, run, columns, errors, rows, search.look, search.trials)
                if change.possible:
                    beside.along(near)
                if beside.found is None:
                    break
                if beside.best < WORTHLESS * search.best:
                    search.best, search.scale, search.found = beside.best, beside.scale, beside.found
                    return
                controls = beside.found[0]

    def _stuck(self, edit: Edit, why: str = " and hardly falls any more") -> Edit:
        message = (
            f"what is wanted seems out of reach: the error is {edit.after:.3g}{why}; expected {DONE:g}. The nearest motion that "
            "was found is kept. Unlock attributes, or want less."
        )
        warnings.warn(message, StringlessWarning, stacklevel=3)
        return dataclasses.replace(edit, message=message)

    def _refused(self, before: float, change: Change) -> Edit:
        message = (
            f"what is wanted is impossible: {change.left:.0%} of the squared error would remain, expected 10% at most; the "
            "motion stays as it was. Unlock attributes, or take a nail out."
        )
        warnings.warn(message, StringlessWarning, stacklevel=4)
        return Edit(before, before, change.left, 0.0, message)
