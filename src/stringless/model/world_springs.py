"""World springs: from points of bodies to points of the world, which a scene may hold.

Unlike everything else that moves a character they act from outside, as a hand on a string would. They show what a passive body
does under a force that follows it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from stringless.errors import Problem
from stringless.model.checks import suggest
from stringless.model.pose import Vector


@dataclass(frozen=True)
class WorldSpring:
    """A spring with a damper: the force `k (anchor - x) - c v` on a point of a body, x where it is and v its velocity."""

    body: str
    anchor: Vector
    """Where the spring would bring the point, in the world [m]."""
    stiffness: float
    """[N/m]."""
    damping: float = 0.0
    """[N·s/m]."""
    point: Vector = (0.0, 0.0, 0.0)
    """Of the body, along its axes [m]."""


def world_spring_problems(springs: Sequence[WorldSpring], bodies: Sequence[str]) -> list[Problem]:
    """What is wrong with springs on bodies of these names."""
    found: list[Problem] = []
    for k, spring in enumerate(springs, start=1):
        where = f"world spring {k}"
        if spring.body not in bodies:
            found.append(Problem(where, f"body '{spring.body}'", "a body of the model", suggest(spring.body, bodies)))
        for name, vector in (("anchor", spring.anchor), ("point", spring.point)):
            numbers: Any = list(vector) if hasattr(vector, "__iter__") else vector
            if not (isinstance(numbers, list) and len(numbers) == 3 and all(map(_is_finite, numbers))):
                found.append(Problem(where, f"{name} = {numbers!r}", "three finite numbers [m]"))
        for name, value in (("stiffness", spring.stiffness), ("damping", spring.damping)):
            if not (_is_finite(value) and value >= 0):
                found.append(Problem(where, f"{name} = {value!r}", "a finite number of 0 or more"))
    return found


def _is_finite(value: Any) -> bool:
    """Whether it is a finite number at all; a flag is none."""
    return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)
