"""Fields of a goal as a person meets them: a label, a sentence, a unit and a sensible range."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from stringless.control.checks import array, number, switch
from stringless.errors import InputError
from stringless.spatial.arrays import FloatArray

WORLD_AXES = np.eye(3)


@dataclass(frozen=True)
class GoalField:
    """Something that can be set on a goal, under the name of its attribute."""

    name: str
    label: str
    help: str
    kind: Literal["number", "switch", "axes"] = "number"
    unit: str = ""
    low: float = 0.0
    """Ends of the range that a slider covers; a value beyond is allowed."""
    high: float = 1.0
    step: float | None = None
    log: bool = False
    """Whether equal ways on a slider are equal factors."""
    usual: float | None = None
    """What a reset goes back to; None if that differs from goal to goal."""
    unset: str = ""
    """What it is called when it is None; empty if it must have a value."""
    above: float = -math.inf
    least: float = -math.inf
    """Bounds of what is allowed."""

    def check(self, value: Any) -> Any:
        """A value of the right kind, or say what is wrong with it."""
        if value is None and self.unset:
            return None
        if self.kind == "switch":
            return switch(value, self.name)
        if self.kind == "axes":
            return value if isinstance(value, np.ndarray) else directions(value)
        return number(value, self.name, self.unit, above=self.above, least=self.least)


def plain(value: Any) -> Any:
    """A value of a field as plain data."""
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def directions(axes: str | Sequence[Sequence[float]] | None) -> FloatArray:
    """Directions that count for a goal, orthonormal: letters such as 'y' or 'xz', vectors, or all three."""
    if axes is None:
        return WORLD_AXES
    if isinstance(axes, str):
        if not axes or any(letter not in "xyz" for letter in axes) or len(set(axes)) != len(axes):
            raise InputError(f"directions '{axes}' are unknown; give one or more of x, y, z, or vectors")
        return WORLD_AXES[["xyz".index(letter) for letter in axes]]
    rows = np.atleast_2d(array(axes))
    if rows.shape[1:] != (3,) or not 1 <= len(rows) <= 3 or np.linalg.matrix_rank(rows) < len(rows):
        raise InputError(f"directions {axes!r} are not one to three independent vectors")
    return np.linalg.qr(rows.T)[0].T


positive = functools.partial(GoalField, above=0.0)
WEIGHT = "How much it counts beside other goals of the same priority."
STIFFNESS = "How fast an error is corrected, as a natural frequency. High snaps to the target, low follows softly."
DAMPING = "1 arrives without overshooting, less swings."
PUSH = "Whether it can push off from the ground. Without it, a character in the air can only turn and bend."
SPEED = "How fast a far target is approached."
SHARED_FIELDS = (
    positive("weight", "Weight", WEIGHT, low=0.01, high=100.0, log=True, usual=1.0),
    positive("stiffness", "Stiffness", STIFFNESS, unit="1/s", low=1.0, high=200.0, log=True),
    positive("damping", "Damping", DAMPING, low=0.1, high=3.0, step=0.01, usual=1.0),
    GoalField(
        "fade", "Fade in", "Time in which it comes into force.", unit="s", high=3.0, step=0.01, usual=0.0, least=0.0
    ),
    GoalField("push", "Allow push-off", PUSH, kind="switch"),
)
"""Fields that every goal has."""
TOP_SPEED = positive("top_speed", "Top speed", SPEED, unit="m/s", low=0.05, high=50.0, log=True, unset="By size")
AXES = GoalField("axes", "Directions", "Which directions count. With Y alone only the height is held.", kind="axes")
