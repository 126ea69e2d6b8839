"""The motion editor: drag the motion, not the parameters (Lee 2003); docs/editing.md shows how and tells the equations."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stringless.control.motion import Motion
from stringless.editing.bodies import Bodies
from stringless.editing.constraints import Constraint, PointAt, PointVelocity, Spin, Turned
from stringless.editing.course import Course, Run
from stringless.editing.improving import ATTRIBUTES, Edit, attribute_of, check_attribute, chosen, moved, steps
from stringless.editing.plan import Column, Controls, Transition
from stringless.editing.solving import Change, least_change
from stringless.errors import DivergenceError, InputError, StringlessWarning
from stringless.kinematics.bodies import position
from stringless.model.model import Model
from stringless.model.scene import Scene
from stringless.state.state import State

FloatArray = NDArray[np.float64]
ZERO = (0.0, 0.0, 0.0)
DONE = 1e-3
"""Constraints that are off by no more than this together are met [m, rad, m/s]."""


@dataclass(frozen=True, eq=False)
class _Version:
    controls: Controls
    run: Run


class Editor:
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
    ) -> None:
        """Simulate the motion of a scene, or from (q, v), for `duration` in steps of `dt` [s].

        From a `state` of a simulation, with its step, the motion is what the simulation would have done, to the last bit.
        """
        start = scene if isinstance(scene, Scene) else Scene(scene)
        self.model = start.model
        if state is not None:
            q, v = state.q, state.v
        before: dict[str, Any] = {} if state is None else {"vdot": state.vdot.copy(), "last": state.dt}
        self.course = Course(self.model, transitions, duration, dt, **before)
        first = self.model.vector(start.q if q is None else q, self.model.nq, "q")
        pace = self.model.vector(start.v if v is None else v, self.model.nv, "v")
        controls = self.course.controls(np.array(first), np.array(pace))
        self._now = _Version(controls, self.course.walk(controls))
        self._undo: list[_Version] = []
        self._redo: list[_Version] = []
        self.drags: list[Constraint] = []
        self.nails: list[Constraint] = []
        self._last_id = 0
        self.masses: dict[str, float] = dict.fromkeys(ATTRIBUTES, 1.0)
        """How much each attribute resists being changed."""
        self._every = self.course.columns()
        self._locked = np.zeros(len(self._every), bool)

    # --- the motion ---

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

    def point(self, body: str | int, time: float, point: ArrayLike = ZERO) -> FloatArray:
        """Where a point of a body is at a moment."""
        return self.see(time).point(self.model.body(body).index, position(point, "'point'"))[0]

    def motion(self) -> Motion:
        """The whole motion, for `Simulation.follow`, which records it as a take to direct from at any moment."""
        return self.course.motion(self.run)

    # --- what is wanted ---

    def drag(
        self, body: str | int, *, time: float, target: ArrayLike, point: ArrayLike = ZERO, **more: Any
    ) -> Constraint:
        """Hold a point of a body with the mouse: it is to be at `target` at this moment."""
        return self._add(
            self.drags, PointAt, body, time, position(target, "'target'"), point=position(point, "'point'"), **more
        )

    def nail(
        self,
        body: str | int,
        *,
        time: float,
        target: ArrayLike | None = None,
        point: ArrayLike = ZERO,
        **more: Any,
    ) -> Constraint:
        """Nail a point of a body down at this moment, at `target` or where it is."""
        at = position(point, "'point'")
        goal = self.point(body, time, at) if target is None else position(target, "'target'")
        return self._add(self.nails, PointAt, body, time, goal, point=at, **more)

    def nail_velocity(
        self, body: str | int, *, time: float, target: ArrayLike, point: ArrayLike = ZERO, **more: Any
    ) -> Constraint:
        """Give a point of a body this velocity at this moment [m/s]."""
        at = position(point, "'point'")
        return self._add(self.nails, PointVelocity, body, time, position(target, "'target'"), point=at, **more)

    def nail_rotation(
        self, body: str | int, *, time: float, target: ArrayLike | None = None, joint: bool = False, **more: Any
    ) -> Constraint:
        """Turn a body like the matrix `target` at this moment, or keep it as it is; as a `joint`, seen from its parent."""
        index = self.model.body(body).index
        base = int(self.model.tree["parent"][index]) if joint else -1
        if target is None:
            seen = self.see(time)
            goal = seen.R[index] if base < 0 else seen.R[base].T @ seen.R[index]
        else:
            goal = np.array(target, float)
            if goal.shape != (3, 3) or not np.allclose(goal @ goal.T, np.eye(3), atol=1e-6):
                raise InputError(f"'target' for body '{body}' is {target!r}; expected a rotation matrix, 3 by 3")
        return self._add(self.nails, Turned, body, time, goal, base=base, **more)

    def nail_spin(self, body: str | int, *, time: float, target: ArrayLike, **more: Any) -> Constraint:
        """Give a body this angular velocity at this moment [rad/s]."""
        return self._add(self.nails, Spin, body, time, position(target, "'target'"), **more)

    def constraint(self, number: int) -> Constraint:
        """The nail or drag of this id."""
        for known in (*self.nails, *self.drags):
            if known.id == number:
                return known
        raise InputError(f"constraint {number!r} is not one of the editor's; it may have been removed before")

    def remove(self, constraint: Constraint | int) -> None:
        """Take a nail out, or let go of a drag; itself or its id."""
        gone = self.constraint(constraint) if isinstance(constraint, int) else constraint
        for kind in (self.drags, self.nails):
            if gone in kind:
                kind.remove(gone)
                return
        raise InputError("this constraint is not one of the editor's; it may have been removed before")

    # --- what may change ---

    def lock(self, *attributes: str, body: str | int | None = None) -> None:
        """Keep attributes as they are, all if none is named: of the joint that carries `body`, or of everything."""
        self._locked[chosen(self.model, self._every, attributes, body)] = True

    def unlock(self, *attributes: str, body: str | int | None = None) -> None:
        """Let attributes change again."""
        self._locked[chosen(self.model, self._every, attributes, body)] = False

    def weigh(self, masses: Mapping[str, float]) -> None:
        """Say how much attributes resist being changed, 1 if nothing is said."""
        for name, mass in masses.items():
            check_attribute(name)
            if not (np.isfinite(mass) and mass > 0):
                raise InputError(
                    f"the mass of '{name}' is {mass!r}; expected a finite number above 0. To keep it, lock it."
                )
            self.masses[name] = float(mass)

    @property
    def columns(self) -> list[Column]:
        """Everything that an edit may change, one direction each."""
        return [column for column, locked in zip(self._every, self._locked, strict=True) if not locked]

    # --- editing ---

    def error(self) -> float:
        """How far the motion is from what is wanted."""
        return float(np.linalg.norm(self.look()[0]))

    def look(
        self, columns: Sequence[Column] = (), *, controls: Controls | None = None, nails_only: bool = False
    ) -> tuple[FloatArray, FloatArray, Run]:
        """What is missing of all that is wanted, how that changes with each column (rows, C), and the motion it was seen in."""
        wanted = [*self.nails] if nails_only else [*self.nails, *self.drags]
        run = self.course.walk(controls or self.controls, columns, [c.time for c in wanted])
        found = [c.error(s.bodies) for c, s in zip(wanted, run.sightings, strict=True)]
        errors = [c.strength * e for c, (e, _) in zip(wanted, found, strict=True)]
        rows = [c.strength * r for c, (_, r) in zip(wanted, found, strict=True)]
        return np.concatenate([np.zeros(0), *errors]), np.concatenate([np.zeros((0, len(columns))), *rows]), run

    def iterate(self, *, nails_only: bool = False) -> Edit:
        """Change the controls once, by the smallest step that does what is wanted to first order; undoable.

        An edit that is impossible is refused with a warning; one that makes the motion fail raises. The motion stays then.
        """
        edit, version = self._improve(self._now, nails_only)
        if version is not None:
            self._keep(version)
        return edit

    def solve(self, *, error: float = DONE, iterations: int = 50, nails_only: bool = False) -> list[Edit]:
        """Iterate until the error is below `error`, nothing helps any more, or so many iterations are done; one undo."""
        done: list[Edit] = []
        version = self._now
        for _ in range(iterations):
            if float(np.linalg.norm(self.look(controls=version.controls, nails_only=nails_only)[0])) <= error:
                break
            edit, better = self._improve(version, nails_only)
            done.append(edit)
            if better is None:
                break
            version = better
        if version is not self._now:
            self._keep(version)
        return done

    def undo(self) -> None:
        """Go back to the motion before the last edit, to the last bit."""
        self._step(self._undo, self._redo, "undo")

    def redo(self) -> None:
        """Take the last undo back."""
        self._step(self._redo, self._undo, "redo")

    # --- inside ---

    def _keep(self, version: _Version) -> None:
        self._undo.append(self._now)
        self._redo.clear()
        self._now = version

    def _step(self, source: list[_Version], sink: list[_Version], what: str) -> None:
        if not source:
            raise InputError(f"there is nothing to {what}")
        sink.append(self._now)
        self._now = source.pop()

    def _moment(self, time: float) -> float:
        if not 0.0 <= time <= self.course.duration:
            raise InputError(f"time {time!r} is outside the motion; expected 0 to {self.course.duration:g} s")
        return float(time)

    def _add(
        self, into: list[Any], kind: type[Constraint], body: str | int, time: float, target: FloatArray, **more: Any
    ) -> Constraint:
        more.setdefault("id", 1 + max((c.id for c in (*self.nails, *self.drags)), default=self._last_id))
        made = kind(self.model.body(body).index, self._moment(time), target, **more)
        self._last_id = max(self._last_id, made.id)
        into.append(made)
        return made

    def _improve(self, version: _Version, nails_only: bool) -> tuple[Edit, _Version | None]:
        columns = self.columns
        errors, rows, _ = self.look(columns, controls=version.controls, nails_only=nails_only)
        before = float(np.linalg.norm(errors))
        masses = np.array([self.masses[attribute_of(self.model, column)] for column in columns])
        problem, change = least_change(rows, errors, masses)
        if not change.possible:
            return self._refused(before, change), None
        failure: DivergenceError | InputError | None = None
        for step, scale in steps(self.course, version.run.times, columns, problem):
            controls = moved(self.model, version.controls, columns, scale * step)
            try:
                found, _, run = self.look(controls=controls, nails_only=nails_only)
                after = float(np.linalg.norm(found))
                if after < before:
                    return Edit(before, after, change.left, scale), _Version(controls, run)
            except (DivergenceError, InputError) as error:
                failure = error
        if failure is not None:
            raise failure
        return Edit(before, before, change.left, 0.0, "no step makes the motion come nearer; it stays as it was"), None

    def _refused(self, before: float, change: Change) -> Edit:
        message = (
            f"what is wanted is impossible: {change.left:.0%} of the squared error would remain, expected 10% at most; the "
            "motion stays as it was. Unlock attributes, or take a nail out."
        )
        warnings.warn(message, StringlessWarning, stacklevel=4)
        return Edit(before, before, change.left, 0.0, message)
