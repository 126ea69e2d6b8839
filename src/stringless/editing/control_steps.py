"""Steps of the controls: what they change, how long they may be, and where they lead."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from stringless.editing.course import Course
from stringless.editing.least_squares import Problem
from stringless.editing.plan import Column, Controls
from stringless.editing.walk import Run
from stringless.errors import DivergenceError, InputError
from stringless.model.model import Model
from stringless.spatial.arrays import BoolArray, FloatArray

ATTRIBUTES = ("position", "velocity", "rotation", "angular velocity", "time", "push", "gravity", "mass", "muscle")
"""What an edit may change, as a person calls it."""
LONGEST_TURN = 0.2
"""No angle changes by more than this in one iteration [rad]."""
LARGEST_GROWTH = 0.5
"""No mass changes by more than this in one iteration, as a logarithm."""
DAMPINGS = (0.0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)
"""Steps are damped so much, one after the other, until one is short enough and makes things better."""
FASTEST = 0.5
"""A step of the search may not make anything turn by more than this in a step of the motion [rad], unless it did before: what
follows of such steps is no longer what physics would do."""
WHOLE = 0.5
"""A step of which only a smaller share may be taken is damped more instead: that shortens what does little for its length."""
WORTH = 0.5
"""A step that does so much of what it promised to first order is taken; else the best of all that are tried."""
SHORT = 1e-2
"""Shares of a step below this are tried only if nothing else helps."""
DISTINCT = 0.2
"""Steps that differ from the last one by a smaller share than this are not tried."""
HALVINGS = 8
"""How often the last of them is halved before the edit is given up."""
BENDS, NEARER, LONGEST_BEND = 2, 0.5, 0.75
"""How often a step that misses its aim is bent: as long as it misses by at most this share of what it did before, and a bend
is at most this share of the step."""


@dataclass(frozen=True)
class Edit:
    """What one iteration has done."""

    before: float
    after: float
    """Distance from what is wanted: the root of the squared errors of all constraints, times their strengths."""
    left: float
    """Share of the squared error that no change of the controls can remove, to first order."""
    scale: float
    """Which share of the step that was found was taken; 0 if the motion is as it was."""
    message: str = ""
    """Why nothing was changed, if nothing was."""
    impossible: bool = False
    """Whether that is because constraints contradict each other, here and beside this motion."""


def find_attribute(model: Model, column: Column) -> str:
    """What a column changes, as a person calls it."""
    if column.attribute not in ("q", "v"):
        return column.attribute
    rotational = bool(model.dofs["rotational"][column.index])
    return (("position", "rotation") if column.attribute == "q" else ("velocity", "angular velocity"))[rotational]


def check_attribute(name: str) -> None:
    """Refuse a name that is none of the attributes'."""
    if name not in ATTRIBUTES:
        raise InputError(f"attribute '{name}' is unknown; choose one of: {', '.join(ATTRIBUTES)}")


def mask_columns(
    model: Model, columns: Sequence[Column], attributes: Sequence[str], body: str | int | None
) -> BoolArray:
    """Which columns change one of these attributes, or any; of a body and the joint that carries it, or of everything."""
    for name in attributes:
        check_attribute(name)
    index = None if body is None else model.body(body).index
    out = np.zeros(len(columns), bool)
    for c, column in enumerate(columns):
        named = not attributes or find_attribute(model, column) in attributes
        out[c] = named and (index is None or column.body == index)
    return out


def list_steps(
    course: Course, times: Sequence[float], columns: Sequence[Column], problem: Problem
) -> Iterator[tuple[FloatArray, float, float]]:
    """Steps to try, which share of each, and its damping: damped until nothing changes too much at once, then halved."""
    step, scale, damping = problem.step(), 1.0, 0.0
    tried = np.full(len(columns), np.inf)
    for damping in DAMPINGS:
        step = problem.step(damping)
        scale = min(1.0, find_step_share(course, times, columns, step))
        if scale < WHOLE and damping < DAMPINGS[-1]:
            continue
        if not np.linalg.norm(scale * step - tried) < DISTINCT * np.linalg.norm(scale * step):
            tried = scale * step
            yield step, scale, damping
    for _ in range(HALVINGS):
        scale *= 0.5
        yield step, scale, damping


def find_step_share(course: Course, times: Sequence[float], columns: Sequence[Column], step: FloatArray) -> float:
    """How much of a step may be taken so that no angle changes too much and no clip is turned inside out."""
    limit = np.inf
    around = [0.0, *times, course.duration]
    room = 0.5 * min(b - a for a, b in itertools.pairwise(around))
    for column, size in zip(columns, np.abs(step), strict=True):
        if size > 0 and find_attribute(course.model, column) == "rotation":
            limit = min(limit, LONGEST_TURN / size)
        elif size > 0 and column.attribute == "time":
            limit = min(limit, room / size)
        elif size > 0 and column.attribute == "mass":
            limit = min(limit, LARGEST_GROWTH / size)
    return float(limit)


def find_fastest_turn(course: Course, run: Run) -> float:
    """By how much a joint turns at most in one step of a motion [rad]."""
    rotational = [(clip.frames.v, clip.configuration.model.dofs["rotational"].astype(bool)) for clip in run.clips]
    return course.dt * max(float(np.max(np.abs(v[:, which]), initial=0.0)) for v, which in rotational)


def apply_step(model: Model, controls: Controls, columns: Sequence[Column], step: FloatArray) -> Controls:
    """The controls after a step."""
    times, pushes = list(controls.times), [push.copy() for push in controls.pushes]
    dq, v, masses = np.zeros(model.nv), controls.v.copy(), controls.masses.copy()
    sums = {"q": dq, "v": v, "gravity": controls.gravity.copy(), "muscle": controls.muscles.copy()}
    for column, size in zip(columns, step, strict=True):
        if column.attribute == "time":
            times[column.transition] += float(size)
        elif column.attribute == "mass":
            masses[column.index] *= np.exp(size)
        else:
            into = pushes[column.transition] if column.attribute == "push" else sums[column.attribute]
            into[column.index] += size
    q = model.integrate(controls.q, dq)
    return Controls(q, v, tuple(times), tuple(pushes), sums["gravity"], masses, sums["muscle"])


@dataclass
class Search:
    """Where an iteration looks for a better motion, and the best it has found."""

    course: Course
    controls: Controls
    run: Run
    columns: Sequence[Column]
    errors: FloatArray
    rows: FloatArray
    """What is missing of the motion as it is, and how that changes with each column."""
    evaluate: Callable[[Controls], tuple[FloatArray, Run]]
    """What is missing with other controls, and their motion."""
    trials: int
    """How many steps may still be tried."""
    best: float = 0.0
    scale: float = 0.0
    found: tuple[Controls, Run] | None = None
    failure: DivergenceError | InputError | None = None

    def __post_init__(self) -> None:
        """Nothing is better yet."""
        self.before = self.best = float(np.linalg.norm(self.errors))

    def try_steps(self, problem: Problem) -> None:
        """Try steps until one does what it promised; the best of all that were tried is kept."""
        for step, scale, damping in list_steps(self.course, self.run.times, self.columns, problem):
            if self.trials == 0 or (self.found is not None and scale < SHORT):
                return
            if self._follow(problem, damping, scale, scale * step):
                return

    def _follow(self, problem: Problem, damping: float, scale: float, step: FloatArray) -> bool:
        """Try a step, bent until it fits: what it missed of its aim is wanted of the same columns, `δp + A⁺ (k - k_aim)`.

        So it follows a narrow valley, where little is gained along it and much is lost beside it. Returns whether to stop.
        """
        aim = self.errors - self.rows @ step
        promised, missed = self.before - float(np.linalg.norm(aim)), np.inf
        for _ in range(1 + BENDS):
            if self.trials == 0:
                return True
            found = self._try(step, scale)
            if found is None:
                return False
            if self.found is not None and self.before - float(np.linalg.norm(found)) >= WORTH * promised:
                return True
            off, bend = float(np.linalg.norm(found - aim)), problem.step(damping, found - aim)
            if off > NEARER * missed or np.linalg.norm(bend) > LONGEST_BEND * np.linalg.norm(step):
                return False
            missed, step = off, step + bend
        return False

    def _try(self, step: FloatArray, scale: float) -> FloatArray | None:
        """What is missing after a step; nothing if its motion fails."""
        self.trials -= 1
        controls = apply_step(self.course.model, self.controls, self.columns, step)
        try:
            found, run = self.evaluate(controls)
            self._check(run)
        except (DivergenceError, InputError) as error:
            self.failure = error
            return None
        after = float(np.linalg.norm(found))
        if after < self.best:
            self.best, self.scale, self.found = after, scale, (controls, run)
        return found

    def _check(self, run: Run) -> None:
        """Refuse a motion that turns too fast for its steps."""
        turn = find_fastest_turn(self.course, run)
        if turn > max(FASTEST, find_fastest_turn(self.course, self.run)):
            raise DivergenceError(
                f"the edit would make a joint turn by {turn:.2g} rad in one step of the motion; expected {FASTEST:g} rad at "
                "most, or it is no longer what physics would do. Shorten the step, or want less.",
                time=0.0,
                joint="",
                cause="too fast",
            )
