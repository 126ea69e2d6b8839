"""The parameters of a simulation."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from stringless.engines.adaptive.view import View
from stringless.errors import InputError

EngineName = Literal["reduced", "stiff", "adaptive"]
Integrator = Literal["symplectic", "rk4"]
Diagonalization = Literal["selective", "full"]
SubstepChoice = Literal["off", "auto"]
Solver = Literal["condensed", "ldlt", "ldu"]
Update = Literal["joints", "bodies"]
Criterion = Literal["energy", "motion"]
LONGEST_INTERVAL = 10**9
"""Most steps from one active-region update to the next."""
LONGEST_STEP = 0.1
"""Longest step that can be chosen [s]."""
OWN = {
    "stiff": ("solver", "update", "newton"),
    "adaptive": ("active", "max_error", "criterion", "update_every", "weights", "view"),
}
"""Parameters that only one engine has."""
MOST_NEWTON = 20
"""Newton iterations that a step may take."""


@dataclass(frozen=True, kw_only=True)
class SimulationConfig:
    """Parameters of a simulation, checked once."""

    engine: EngineName = "reduced"
    """How states are advanced: `reduced` works in joint coordinates with short explicit steps, `stiff` is implicit, for
    stiff springs and limits at long steps, `adaptive` is as `reduced`, but only the joints that matter move."""
    dt: float = 1e-3
    """Length of a step [s], above 0 and at most 0.1."""
    integrator: Integrator = "symplectic"
    """`symplectic` Euler, or the fixed-step `rk4` as a reference for accuracy.

    With `symplectic`, springs, dampers and limits of joints are taken at the end of the step: stable at any stiffness,
    at the price of a damping of `dt` times the stiffness. `rk4` takes them as they are, and all within short steps.
    """
    stop_frequency: float = 100.0
    """Natural frequency of joint limits [rad/s]: they act as critically damped springs.

    A limit is never so soft that its own actuator at full effort could push it in by more than 0.01 rad or 1 mm.
    """
    friction: float = 0.8
    """Coulomb's coefficient between surfaces in contact, 0 or more."""
    contact_stiffness: float = 1.0
    """Factor on the stiffness of contact; 1 is as stiff as the step safely allows."""
    restitution: float = 1.0
    """Restitution, 0 to 1: 1 leaves contacts as elastic as flesh is, 0 makes them inelastic.

    Less than 1 pushes less on the way out, and damps the flesh of a character while it presses on something.
    """
    self_contact: bool = True
    """Whether skin collides with that of other characters, and with its own where the bones are no neighbours."""
    flesh_damping: float = 1.0
    """Factor on the damping of flesh against its bones."""
    flesh_stiffness: float = 1.0
    """Factor on the Young's moduli of all flesh, above 0."""
    diagonalization: Diagonalization = "selective"
    """Which elements of the flesh are decomposed: those beyond their range, or `full` to compare."""
    substeps: SubstepChoice = "off"
    """With `auto`, a step is done in 2 to 32 shorter ones when it is too long for the flesh, or when speeds or forces
    demand it; `Simulation.substeps` says how often."""
    solver: Solver = "condensed"
    """Of the stiff engine, how its linear system is solved: `condensed` joint by joint; `ldlt` and `ldu` are the block
    factorisations with Lagrange multipliers, the second with the exact, unsymmetric derivatives."""
    update: Update = "joints"
    """Of the stiff engine, how poses move on: rebuilt from joint coordinates, so that joints cannot open, or `bodies` each
    on its own, where gaps are fed back as velocities; to compare."""
    newton: int = 1
    """Of the stiff engine, Newton iterations in a step, 1 to 20; further ones take springs, limits and contacts where the
    step ends rather than along their slope."""
    active: int | Mapping[str, int] | None = None
    """Of the adaptive engine, the most active joints of each character, one number for all or by the name of the root body; all
    joints if not given. A floating root is always active, and is not counted."""
    max_error: float | Mapping[str, float] | None = None
    """Of the adaptive engine, the largest error of the active region, one number for all or by the name of the root body; see
    `criterion`. If `active` is given too, it still bounds the number of active joints."""
    criterion: Criterion = "energy"
    """Of the adaptive engine, the error by which joints are activated, predicted for the time until the next active-region
    update: `energy` is the kinetic energy that is lost if the others are rigidified [J]; `motion` is the sum of their squared
    speeds [rad²/s², m²/s²], as in the paper."""
    update_every: int = 20
    """Of the adaptive engine, the number of steps between two updates of the active region."""
    weights: Mapping[str, Any] | None = None
    """Of the adaptive engine, joint weights by name: a number above 0, one for each coordinate, or a symmetric positive
    definite matrix, 1 if not given; or a mapping of `velocity` and `acceleration` to such weights, one for each metric of the
    paper. By energy a joint counts by the geometric mean of both."""
    view: View | Mapping[str, Any] | None = None
    """Of the adaptive engine, the view that level of detail follows: `active` and `max_error` are then those of a character that
    fills the picture, and one farther away has fewer active joints. Takes effect at each character's next update."""
    joint_springs: float = 1.0
    """Factor on the springs and dampers of all joints, 0 to switch them off."""
    max_speed: float = 1e4
    """A translational coordinate faster than this [m/s] has diverged; a rotational one, beyond half a turn a step."""

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise InputError(f"{name} '{getattr(self, name)}' is unknown; choose one of: {', '.join(choices)}")
        for name in ("dt", "stop_frequency", "max_speed", "contact_stiffness", "flesh_stiffness"):
            value = getattr(self, name)
            if not (isinstance(value, Real) and math.isfinite(float(value)) and float(value) > 0):
                raise InputError(f"{name} is {value!r}, expected a finite number above 0")
            object.__setattr__(self, name, float(value))
        if self.dt > LONGEST_STEP:
            raise InputError(f"dt is {self.dt:g} s; expected at most {LONGEST_STEP:g} s, beyond which nothing is right")
        for name in ("friction", "flesh_damping", "joint_springs"):
            value = getattr(self, name)
            if not (isinstance(value, Real) and math.isfinite(float(value)) and float(value) >= 0):
                raise InputError(f"{name} is {value!r}, expected a finite number of 0 or more")
            object.__setattr__(self, name, float(value))
        if self.substeps == "auto" and self.integrator == "rk4":
            raise InputError("integrator 'rk4' takes the step it is given; use 'symplectic' with substeps 'auto'")
        if type(self.newton) is not int or not 1 <= self.newton <= MOST_NEWTON:
            raise InputError(f"newton is {self.newton!r}, expected a whole number from 1 to {MOST_NEWTON}")
        self._check_engine()
        share: object = self.restitution
        if not (isinstance(share, Real) and 0 <= float(share) <= 1):
            raise InputError(f"restitution is {share!r}, expected a number from 0 to 1")
        object.__setattr__(self, "restitution", float(share))

    def step_settings(self) -> tuple[float, float, float, NDArray[np.float64], bool]:
        """Settings of a step of every engine with flesh: dt, limit_frequency, max_speed, gains, full."""
        return self.dt, self.stop_frequency, self.max_speed, self.gains(), self.diagonalization == "full"

    def gains(self) -> NDArray[np.float64]:
        """Factors on contact stiffness, contact damping, release and the flesh's damping; friction of the skin."""
        return np.array((self.contact_stiffness, 1.0, self.restitution, self.flesh_damping, self.friction))

    def _check_engine(self) -> None:
        """Refuse parameters that the engine does not have."""
        for engine, names in OWN.items():
            for name in names:
                if engine != self.engine and getattr(self, name) != USUAL[name]:
                    raise InputError(
                        f"{name} {getattr(self, name)!r} belongs to engine '{engine}', not to '{self.engine}'"
                    )
        if self.engine == "stiff":
            if self.integrator == "rk4":
                raise InputError("engine 'stiff' has its own implicit integrator; leave integrator at 'symplectic'")
            if self.substeps == "auto":
                raise InputError(
                    "engine 'stiff' takes long steps and divides those of the flesh itself; leave substeps 'off'"
                )
            if self.update == "bodies" and self.solver == "condensed":
                raise InputError("update 'bodies' needs Lagrange multipliers; choose solver 'ldlt' or 'ldu' with it")
        if self.engine == "adaptive":
            self._check_adaptive()

    def _check_adaptive(self) -> None:
        """Refuse parameters of the adaptive engine that make no sense."""
        if self.integrator == "rk4":
            raise InputError("engine 'adaptive' has no integrator 'rk4'; leave it at 'symplectic'")
        if self.substeps == "auto":
            raise InputError("engine 'adaptive' takes the step it is given; leave substeps 'off'")
        for name in ("update_every", "active", "max_error", "weights"):
            object.__setattr__(self, name, _plain(getattr(self, name)))
        if self.weights == {}:
            object.__setattr__(self, "weights", None)
        if type(self.update_every) is not int or not 1 <= self.update_every <= LONGEST_INTERVAL:
            raise InputError(
                f"update_every is {self.update_every!r}, expected a whole number of steps, 1 to {LONGEST_INTERVAL:,}"
            )
        for where, value in _named("active", self.active):
            if type(value) is not int or value < 1:
                raise InputError(
                    f"{where} is {value!r}, expected a whole number of joints, 1 or more; leave it out to activate all"
                )
        for where, value in _named("max_error", self.max_error):
            if type(value) not in (int, float) or not 0 < value <= sys.float_info.max:
                raise InputError(
                    f"{where} is {value!r}, expected a finite number above 0; leave it out to bound no error"
                )
        if not (self.weights is None or isinstance(self.weights, Mapping)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(
                f"weights is {self.weights!r}; expected weights by name of the joint, as in {{'hip': 4.0}}"
            )
        if self.view is not None:
            object.__setattr__(self, "view", View.of(self.view).as_data())


USUAL = {item.name: item.default for item in fields(SimulationConfig)}
"""Parameters by default."""
CHOICES = {
    name: get_args(kind) for name, kind in get_type_hints(SimulationConfig).items() if get_origin(kind) is Literal
}
"""The values of parameters that have only a few."""


def _named(name: str, value: Any) -> list[tuple[str, Any]]:
    """A value for all, or values by name, each with what to call it in a message."""
    if value is None:
        return []
    if isinstance(value, Mapping):
        return [(f"{name} of '{which}'", one) for which, one in value.items()]
    return [(name, value)]


def _plain(value: Any) -> Any:
    """A copy that nothing else refers to, and that comes back from a file as it was; names in alphabetical order.

    Otherwise the same values in another order would seem to be a change, and wake characters that sleep.
    """
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in sorted(value.items(), key=lambda item: str(item[0]))}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value


FIXED = ("engine", "integrator", "solver", "update")
"""Parameters that cannot change while a simulation runs."""
CHANGEABLE = tuple(item.name for item in fields(SimulationConfig) if item.name not in FIXED)
"""Parameters that may change while it runs."""


def check_names(options: Iterable[str]) -> None:
    """Refuse names that are no parameter of a simulation."""
    for name in options:
        if name not in FIXED and name not in CHANGEABLE:
            raise InputError(f"a simulation has no parameter '{name}'; it has: {', '.join(CHANGEABLE)} and flesh")


def changed(config: SimulationConfig, changes: dict[str, Any]) -> SimulationConfig:
    """The parameters with some changed, checked as at the start."""
    for name in changes:
        if name in FIXED:
            raise InputError(f"'{name}' cannot change while a simulation runs; make a new one with it")
    check_names(changes)
    return replace(config, **changes)
