"""What a simulation can be told."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Literal, get_args

from stringless.errors import InputError

Engine = Literal["reduced"]
Integrator = Literal["symplectic", "rk4"]


@dataclass(frozen=True, kw_only=True)
class SimulationConfig:
    """Choices of a simulation, checked once."""

    engine: Engine = "reduced"
    """How states are advanced: `reduced` works in joint coordinates."""
    dt: float = 1e-3
    """Length of a step [s], above 0."""
    integrator: Integrator = "symplectic"
    """`symplectic` Euler, or the fixed-step `rk4` as a reference for accuracy.

    With `symplectic`, springs, dampers and stops of joints are taken at the end of the step: stable at any stiffness,
    at the price of a damping of `dt` times the stiffness. `rk4` takes them as they are, and all within short steps.
    """
    stop_frequency: float = 100.0
    """How firmly joint limits stop a joint [rad/s]: they act as critically damped springs of this frequency."""
    max_speed: float = 1e4
    """A sliding coordinate beyond this speed [m/s] counts as a divergence; a turning one beyond half a turn a step."""

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        for name, choices in (("engine", get_args(Engine)), ("integrator", get_args(Integrator))):
            if getattr(self, name) not in choices:
                raise InputError(f"{name} '{getattr(self, name)}' is unknown; choose one of: {', '.join(choices)}")
        for name in ("dt", "stop_frequency", "max_speed"):
            value = getattr(self, name)
            if not (isinstance(value, Real) and math.isfinite(float(value)) and float(value) > 0):
                raise InputError(f"{name} is {value!r}, expected a finite number above 0")
            object.__setattr__(self, name, float(value))
