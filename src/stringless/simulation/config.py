"""What a simulation can be told."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Any, Literal, get_args

from stringless.errors import InputError

Engine = Literal["reduced", "stiff"]
Integrator = Literal["symplectic", "rk4"]
Diagonalization = Literal["selective", "full"]
SubstepChoice = Literal["off", "auto"]
Solver = Literal["condensed", "ldlt", "ldu"]
Update = Literal["joints", "bodies"]
LONGEST_STEP = 0.1
"""Longest step that can be chosen [s]."""
MOST_NEWTON = 20
"""Newton iterations that a step may take."""


@dataclass(frozen=True, kw_only=True)
class SimulationConfig:
    """Choices of a simulation, checked once."""

    engine: Engine = "reduced"
    """How states are advanced: `reduced` works in joint coordinates with short explicit steps, `stiff` is implicit, for
    stiff springs and limits at long steps."""
    dt: float = 1e-3
    """Length of a step [s], above 0 and at most 0.1."""
    integrator: Integrator = "symplectic"
    """`symplectic` Euler, or the fixed-step `rk4` as a reference for accuracy.

    With `symplectic`, springs, dampers and stops of joints are taken at the end of the step: stable at any stiffness,
    at the price of a damping of `dt` times the stiffness. `rk4` takes them as they are, and all within short steps.
    """
    stop_frequency: float = 100.0
    """How firmly joint limits stop a joint [rad/s]: they act as critically damped springs of this frequency.

    A stop is never so soft that its own actuator at full effort could push it in by more than 0.01 rad or 1 mm.
    """
    friction: float = 0.8
    """Coulomb's coefficient between touching surfaces, 0 or more."""
    contact_stiffness: float = 1.0
    """Factor on the stiffness of contact; 1 is as firm as the step safely allows."""
    restitution: float = 1.0
    """How elastic landings are, 0 to 1: 1 leaves them as springy as flesh is, 0 makes them dead.

    Less than 1 pushes less on the way out, and damps the flesh of a character while it presses on something.
    """
    self_contact: bool = True
    """Whether skin feels the skin of other characters, and of its own where the bones are no neighbours."""
    flesh_damping: float = 1.0
    """Factor on the damping of flesh against its bones."""
    flesh_stiffness: float = 1.0
    """Factor on the Young's moduli of all flesh, above 0."""
    diagonalization: Diagonalization = "selective"
    """Which elements of the flesh are decomposed: those beyond their range, or `full` to compare."""
    substeps: SubstepChoice = "off"
    """With `auto`, a step is done in 2 to 32 shorter ones when it is too long for the flesh, or when speeds or forces
    demand it; `Simulation.substeps` tells how often."""
    solver: Solver = "condensed"
    """Of the stiff engine, how its linear system is solved: `condensed` joint by joint; `ldlt` and `ldu` are the block
    factorisations with Lagrange multipliers, the second with the exact, unsymmetric derivatives."""
    update: Update = "joints"
    """Of the stiff engine, how poses move on: rebuilt from joint coordinates, so that joints cannot open, or `bodies` each
    on its own, where gaps are fed back as velocities; to compare."""
    newton: int = 1
    """Of the stiff engine, Newton iterations in a step, 1 to 20; further ones take springs, limits and contacts where the
    step ends rather than along their slope."""
    joint_springs: float = 1.0
    """Factor on the springs and dampers of all joints, 0 to switch them off."""
    max_speed: float = 1e4
    """A sliding coordinate beyond this speed [m/s] counts as a divergence; a turning one beyond half a turn a step."""

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        for name, choices in (
            ("engine", get_args(Engine)),
            ("integrator", get_args(Integrator)),
            ("diagonalization", get_args(Diagonalization)),
            ("substeps", get_args(SubstepChoice)),
            ("solver", get_args(Solver)),
            ("update", get_args(Update)),
        ):
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

    def _check_engine(self) -> None:
        """Refuse choices that the engine does not have."""
        if self.engine == "stiff":
            if self.integrator == "rk4":
                raise InputError("engine 'stiff' has its own implicit integrator; leave integrator at 'symplectic'")
            if self.substeps == "auto":
                raise InputError(
                    "engine 'stiff' takes long steps and divides those of the flesh itself; leave substeps 'off'"
                )
            if self.update == "bodies" and self.solver == "condensed":
                raise InputError("update 'bodies' needs Lagrange multipliers; choose solver 'ldlt' or 'ldu' with it")
            return
        for name, value in (("solver", "condensed"), ("update", "joints"), ("newton", 1)):
            if getattr(self, name) != value:
                raise InputError(f"{name} {getattr(self, name)!r} belongs to engine 'stiff', not to '{self.engine}'")


FIXED = ("engine", "integrator", "solver", "update")
"""Choices that a simulation is born with."""
CHANGEABLE = tuple(item.name for item in fields(SimulationConfig) if item.name not in FIXED)
"""Choices that may change while it runs."""


def changed(config: SimulationConfig, changes: dict[str, Any]) -> SimulationConfig:
    """The choices with some changed, checked as at the start."""
    for name in changes:
        if name in FIXED:
            raise InputError(f"'{name}' cannot change while a simulation runs; make a new one with it")
        if name not in CHANGEABLE:
            raise InputError(f"a simulation has no parameter '{name}'; it has: {', '.join(CHANGEABLE)} and flesh")
    return replace(config, **changes)
