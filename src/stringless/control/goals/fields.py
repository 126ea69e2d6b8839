"""Fields of a goal as a person meets them: a label, a sentence, a unit and a sensible range."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

import numpy as np

from stringless.errors import InputError


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

    def check(self, value: Any) -> Any:
        """A value of the right kind, or say what is wrong with it."""
        if self.kind == "switch":
            if not isinstance(value, (bool, np.bool_)):
                raise InputError(f"{self.name} is {value!r}; expected True or False")
            return bool(value)
        if self.kind == "axes" or (value is None and self.unset):
            return value
        if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(float(value)):
            unit = f" [{self.unit}]" if self.unit else ""
            raise InputError(f"{self.name} is {value!r}; expected a finite number{unit}")
        return float(value)


def plain(value: Any) -> Any:
    """A value of a field as plain data."""
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


SHARED_FIELDS = (
    GoalField(
        "weight",
        "Weight",
        "How much it counts beside other goals of the same priority.",
        low=0.01,
        high=100.0,
        log=True,
        usual=1.0,
    ),
    GoalField(
        "firmness",
        "Stiffness",
        "How fast an error is corrected, as a natural frequency. High snaps to the target, low follows softly.",
        unit="1/s",
        low=1.0,
        high=200.0,
        log=True,
    ),
    GoalField(
        "damping",
        "Damping",
        "1 arrives without overshooting, less swings.",
        low=0.1,
        high=3.0,
        step=0.01,
        usual=1.0,
    ),
    GoalField("fade", "Fade in", "Time in which it comes into force.", unit="s", high=3.0, step=0.01, usual=0.0),
    GoalField(
        "push",
        "Allow push-off",
        "Whether it can push off from the ground. Without it, a character in the air can only turn and bend.",
        kind="switch",
    ),
)
"""Fields that every goal has."""
TOP_SPEED = GoalField(
    "top_speed",
    "Top speed",
    "How fast a far target is approached.",
    unit="m/s",
    low=0.05,
    high=50.0,
    log=True,
    unset="By size",
)
AXES = GoalField("axes", "Directions", "Which directions count. With Y alone only the height is held.", kind="axes")
