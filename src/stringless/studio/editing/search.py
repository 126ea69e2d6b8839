"""The search for a motion that meets all constraints, an iteration at a time, and its verdict at the end."""

import dataclasses
import time
from collections.abc import Sequence

import numpy as np

from stringless.editing.bodies import Bodies
from stringless.editing.constraints import Constraint
from stringless.editing.control_steps import Edit, find_attribute
from stringless.editing.editor import DONE, PATIENCE, SLOW, Editor
from stringless.editing.iteration import NO_SMALLER, SLOWLY, conclude_search
from stringless.editing.least_squares import find_least_change
from stringless.editing.versions import Version
from stringless.errors import StringlessError
from stringless.model.pose import rotation_matrix
from stringless.spatial import rotation
from stringless.spatial.arrays import FloatArray

MOST, LONGEST = 60, 3.0
"""Iterations after the last hand has let go, and how long they may take [s]."""
FEW, MANY = 4, 1000
"""Step lengths that one iteration tries, during a drag and without one."""
SHARES = (1.0, 0.3, 0.1)
"""Shares of what is possible that are tried one after the other, until the motion follows."""
NAIL_WEIGHT = 10.0
"""Weight of nails beside that of a hand, when it is found out what is possible."""
NOTHING = 0.02
"""Share of what hands want below which it counts as impossible."""
SEEN = 2e-3
"""An error too small to be seen is no reason for a warning [m, rad, m/s, rad/s]."""
AS_FAR = "the motion follows as far as it can with what may change now. Unlock attributes, or take a nail out."
NOT_YET = "the motion is not there yet; solve again to look on"


class Search:
    """Iterates until all constraints are met, or nothing helps any more."""

    def __init__(self) -> None:
        self.is_running = False
        self.iterations = 0
        self.warning = self.left = ""
        """Why the last request was not fulfilled, and why not one before it that is not searched for any more."""
        self.refused = False
        """Whether that is because the nails conflict."""
        self.is_iterating = False
        """Whether an iteration is under way: warnings of the editor are shown at the end of a search."""
        self._slow, self._until = 0, 0.0
        self._start: tuple[Version, float] | None = None  # the motion that the search began with, and its error

    def begin(self, held: bool, longest: float = LONGEST) -> None:
        """Begin a search of so many seconds at most; unless a hand holds on there is no verdict before its end."""
        self.is_running, self.iterations, self._slow, self._start, self.refused = True, 0, 0, None, False
        self._until = time.perf_counter() + longest
        self.warning = self.warning if held else ""

    def stop(self) -> None:
        """End the search, whatever is missing."""
        if self.is_running:
            self.is_running, self.warning = False, NOT_YET

    def iterate(
        self, editor: Editor, wanted: Sequence[Constraint], *, held: bool, moved: bool, most: int, **options: bool
    ) -> None:
        """Try once to come nearer; `wanted` are the constraints of hands, `moved` whether the motion has followed them.

        `options` are `nails_only` and `nearest` of the editor.
        """
        self.is_iterating = True
        try:
            missing = float(np.linalg.norm(editor.evaluate(nails_only=options.get("nails_only", False))[0]))
            self._start = self._start or (editor.version, missing)
            if missing <= DONE:
                self.is_running, self.warning = False, self.left
                return
            edit, end = self._improve(editor, wanted, missing, FEW if held else MANY, options)
            editor.forget()  # a hand iterates thousands of times, and undo belongs to the project
            self.iterations += 1
            if end and not wanted:
                edit = self._conclude(editor, edit, end, options.get("nearest", False))
                self.refused = edit.impossible
            follows, far = edit.scale > 0, edit.after > DONE or bool(edit.message)
            late = time.perf_counter() > self._until
            self.is_running = follows and far and self.iterations < most and not late and end != SLOWLY
            verdict = edit.message or (NOT_YET if far and not self.is_running else "")
            if wanted and (follows or moved) and end:
                verdict = AS_FAR  # also where the next step would fail: that is no fault of the motion that is seen
            early = self.is_running and not held
            self.warning = "" if early or (verdict and not self.is_running and is_met(editor)) else verdict
        except StringlessError as error:
            self.is_running, self.warning = False, str(error)
        except BaseException:
            self.is_running = False
            raise
        finally:
            self.is_iterating = False

    def _improve(
        self, editor: Editor, wanted: Sequence[Constraint], missing: float, trials: int, options: dict[str, bool]
    ) -> tuple[Edit, str]:
        """One iteration, and why there should be no other."""
        try:
            edit = improve(editor, wanted, trials=trials, **options)
        except StringlessError as error:
            return Edit(missing, missing, 1.0, 0.0, str(error)), f"going on fails ({error})"
        self._slow = self._slow + 1 if edit.after > max(DONE, SLOW * edit.before) else 0
        return edit, SLOWLY if self._slow == PATIENCE else NO_SMALLER if edit.message else ""

    def _conclude(self, editor: Editor, edit: Edit, end: str, nearest: bool) -> Edit:
        """The result of a search without hands: nails that conflict change nothing."""
        assert self._start is not None
        version, first = self._start
        if editor.version is version or is_met(editor):
            return edit
        last = conclude_search(edit, first, DONE, end, nearest=nearest)
        if last.impossible:
            editor.restore_version(version)
        return last


def is_met(editor: Editor) -> bool:
    """Whether all constraints are met as far as can be seen; a bar may still be caught less well than it could be."""
    constraints = [*editor.nails, *editor.drags]
    run = editor.evaluate()[2]
    missing = [
        wanted.find_error(observation.bodies)[0]
        for wanted, observation in zip(constraints, run.observations, strict=True)
    ]
    return not run.misses and all(float(np.linalg.norm(error)) <= SEEN for error in missing)


def improve(
    editor: Editor, wanted: Sequence[Constraint], *, nails_only: bool = False, nearest: bool = False, trials: int = 1000
) -> Edit:
    """One iteration of the editor; if it fails, one toward as much of what hands want as is possible.

    An edit with a scale above 0 has changed the motion; its message tells if more was wanted.
    """
    edit = editor.iterate(nails_only=nails_only, nearest=nearest, trials=trials)
    if not edit.message or not wanted:
        return edit
    before = [constraint.target for constraint in wanted]
    try:
        possible = find_possible(editor, wanted)
        for share in SHARES if possible else ():
            for constraint, (bodies, step) in zip(wanted, possible, strict=True):
                constraint.target = move_target(constraint, bodies, share * step)
            part = editor.iterate(trials=trials)
            if not part.message:
                return dataclasses.replace(part, message=edit.message)
    finally:
        for constraint, target in zip(wanted, before, strict=True):
            constraint.target = target
    return edit


def find_possible(editor: Editor, wanted: Sequence[Constraint]) -> list[tuple[Bodies, FloatArray]]:
    """The bodies at the time of each constraint, and how much of its error can be removed, to first order.

    The change is the smallest that comes nearest to all that is wanted, nails counting `NAIL_WEIGHT` times as much. Empty if
    next to nothing is possible.
    """
    columns = editor.columns
    errors, rows, run = editor.evaluate(columns)
    constraints = [*editor.nails, *editor.drags]
    bodies = [observation.bodies for observation in run.observations]
    ends = np.cumsum([0, *(len(c.find_error(seen)[0]) for c, seen in zip(constraints, bodies, strict=True))])
    rows_of = {c: (seen, slice(*ends[k : k + 2])) for k, (c, seen) in enumerate(zip(constraints, bodies, strict=True))}
    weights = np.full(len(errors), NAIL_WEIGHT)
    for constraint in wanted:
        weights[rows_of[constraint][1]] = 1.0
    masses = np.array([editor.masses[find_attribute(editor.model, column)] for column in columns])
    change = find_least_change(rows * weights[:, None], errors * weights, masses)[1].step
    out: list[tuple[Bodies, FloatArray]] = []
    asked = removed = 0.0
    for constraint in wanted:
        seen, own = rows_of[constraint]
        step = rows[own] @ change
        asked, removed = asked + float(errors[own] @ errors[own]), removed + float(step @ step)
        out.append((seen, step / editor.strength(constraint)))
    return out if removed > NOTHING**2 * asked else []


def move_target(constraint: Constraint, bodies: Bodies, step: FloatArray) -> FloatArray:
    """The target that is a step away from what the bodies do now."""
    missing = constraint.find_error(bodies)[0]
    if constraint.target.shape == missing.shape:
        return constraint.target - missing + step
    if constraint.target.shape == (3, 3):
        # log(R_target Rᵀ) is what is missing now.
        now = rotation_matrix(rotation.exp_quaternion(tuple(-missing))) @ constraint.target
        return rotation_matrix(rotation.exp_quaternion(tuple(step))) @ now
    return constraint.target
