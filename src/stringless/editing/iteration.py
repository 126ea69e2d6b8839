"""One iteration of an edit: the smallest step that does what is wanted, or why there is none."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stringless.editing.control_steps import Edit, Search, apply_step, find_attribute, find_step_share
from stringless.editing.course import Course
from stringless.editing.least_squares import IMPOSSIBLE, Change, Problem, find_least_change
from stringless.editing.plan import Column, Controls
from stringless.editing.walk import Run
from stringless.errors import DivergenceError, InputError
from stringless.spatial.arrays import FloatArray

Evaluate = Callable[[Sequence[Column], Controls], tuple[FloatArray, FloatArray, Run]]
WORTHLESS = 0.9
"""Where this share of the error is left by every step, other ways are tried: with each attribute in turn resisting more."""
SHY = 100.0
"""How much more."""
SHAKE, SHAKES, TRIES = 0.1, 6, 3
"""How far beside a motion that seems impossible to change others are looked at [rad, m, ...], how many, how often each."""
NO_BETTER = "no step makes the motion come nearer; it stays as it was"
NEAR = 0.05
"""A search that comes as near as this, and no nearer, counts as solved [m, rad, ...]."""
NO_SMALLER, SLOWLY = "no step makes it smaller", "it hardly falls any more"
ADVICE = "the motion stays as it was. Unlock attributes, take a nail out, or ask for the nearest motion."


@dataclass
class Iteration:
    """What may change, how much it resists, and how to evaluate what is missing."""

    course: Course
    columns: Sequence[Column]
    resistance: Mapping[str, float]
    """By attribute."""
    evaluate: Evaluate
    """What is missing with some controls, how what is there changes with each column, and their motion."""
    nearest: bool = False
    """Whether to come nearer even where not all can be had."""

    def __post_init__(self) -> None:
        """Name the columns and weigh them."""
        self._attributes = [find_attribute(self.course.model, column) for column in self.columns]
        self._masses = np.array([self.resistance[name] for name in self._attributes])

    def improve(self, controls: Controls, run: Run, trials: int) -> tuple[Edit, tuple[Controls, Run] | None]:
        """Controls that come nearer to what is wanted than these, and their motion; the edit says why if there are none.

        Raises:
            DivergenceError, InputError: every step makes the motion fail.
        """
        errors, rows, _ = self.evaluate(self.columns, controls)
        problem, change = find_least_change(rows, errors, self._masses)
        search = Search(self.course, controls, run, self.columns, errors, rows, self._try_out, trials)
        if change.possible or self.nearest:
            self._seek(search, problem)
        elif not self._shake(search, problem):
            return _refused(search.before, change), None
        if search.found is None and search.failure is not None:
            raise search.failure
        if search.found is None:
            return Edit(search.before, search.before, change.left, 0.0, NO_BETTER), None
        return Edit(search.before, search.best, change.left, search.scale), search.found

    def _try_out(self, controls: Controls) -> tuple[FloatArray, Run]:
        found, _, run = self.evaluate((), controls)
        return found, run

    def _seek(self, search: Search, problem: Problem) -> None:
        """Try the smallest step and, where that is not worth much, others.

        Where a joint meets its limit a step earlier or later the motion jumps: another way there may miss that.
        """
        search.try_steps(problem)
        for shy in dict.fromkeys(self._attributes):
            if search.best <= WORTHLESS * search.before:
                return
            more = np.array([SHY if name == shy else 1.0 for name in self._attributes])
            search.try_steps(find_least_change(search.rows, search.errors, more * self._masses)[0])

    def _shake(self, search: Search, problem: Problem) -> bool:
        """Look beside a motion from which nothing leads on to first order, such as a stretched limb's, for one that does.

        Returns whether what is missing could be had beside it: what is really impossible is so everywhere.
        """
        hope = False
        rng = np.random.default_rng(0)
        tries = [problem.step(), *(SHAKE * rng.normal(size=(SHAKES, len(self.columns))) / np.sqrt(self._masses))]
        for step in tries[: search.trials]:
            size = (
                min(1.0, find_step_share(self.course, search.run.times, self.columns, step))
                if len(self.columns)
                else 0.0
            )
            beside, hopeful = self._beside(
                apply_step(self.course.model, search.controls, self.columns, size * step), search
            )
            hope |= hopeful
            if beside is not None:
                search.best, search.scale, search.found = beside.best, beside.scale, beside.found
                return True
        return hope

    def _beside(self, controls: Controls, search: Search) -> tuple[Search | None, bool]:
        """A search from other controls that comes nearer than this one, in a few tries; none if it does not.

        And whether their motion could be changed, to first order, by what is missing of this one.
        """
        hope = False
        for k in range(TRIES):
            try:
                errors, rows, run = self.evaluate(self.columns, controls)
            except (DivergenceError, InputError):
                return None, hope
            if k == 0:
                hope = find_least_change(rows, search.errors, self._masses)[1].possible
            near, change = find_least_change(rows, errors, self._masses)
            beside = Search(self.course, controls, run, self.columns, errors, rows, search.evaluate, search.trials)
            if change.possible:
                beside.try_steps(near)
            if beside.found is None:
                return None, hope
            if beside.best < WORTHLESS * search.best:
                return beside, True
            controls = beside.found[0]
        return None, hope


def _refused(before: float, change: Change) -> Edit:
    message = (
        f"what is wanted is impossible: {change.left:.0%} of the squared error would remain, expected {IMPOSSIBLE:.0%} at most; "
        f"{ADVICE}"
    )
    return Edit(before, before, change.left, 0.0, message, impossible=True)


def conclude_search(edit: Edit, first: float, error: float, why: str, *, nearest: bool = False) -> Edit:
    """What is said of a search that began with the error `first` and comes no nearer than its last edit has.

    If too much is missing, what is wanted is impossible: the motion is to be the one that the search began with, unless the
    nearest is wanted. A motion that has come that near is kept.
    """
    left = (edit.after / first) ** 2
    if nearest or (left <= IMPOSSIBLE and edit.after <= NEAR and not edit.impossible):
        message = (
            f"what is wanted seems out of reach: the error is {edit.after:.3g}, and {why}; expected {error:g}. The nearest "
            "motion that was found is kept. Unlock attributes, or want less."
        )
        return dataclasses.replace(edit, message=message, impossible=False)
    message = f"what is wanted is impossible: the error would fall from {first:.3g} to {edit.after:.3g}, and then {why}; {ADVICE}"
    return Edit(first, first, left, 0.0, message, impossible=True)
