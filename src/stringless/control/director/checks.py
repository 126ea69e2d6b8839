"""Checks of the settings of a director."""

from __future__ import annotations

import difflib
import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any, Literal

from stringless.control.checks import number, switch
from stringless.control.tables import ACCELERATION, TORQUE, VELOCITY
from stringless.errors import InputError

Style = Literal["acceleration", "torque", "velocity"]
STYLES: dict[str, int] = {"acceleration": ACCELERATION, "torque": TORQUE, "velocity": VELOCITY}
SETTINGS: dict[str, Callable[[Any], Any]] = {
    "limit_stiffness": lambda value: number(value, "limit_stiffness", "1/s", above=0.0),
    "top_acceleration": lambda value: _number_or_none(
        value, "top_acceleration", "rad/s² or m/s², math.inf for no limit"
    ),
    "assumed_friction": lambda value: number(value, "assumed_friction", least=0.0),
    "keep_momentum": lambda value: switch(value, "keep_momentum"),
}
"""Attributes of a director that are checked whenever they are set, and how."""


def check_options(goal: type, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> None:
    """Say which arguments of a goal are unknown, too many or missing."""
    own = [item for item in inspect.signature(goal).parameters.values() if item.kind is not item.VAR_KEYWORD]
    places = [item for item in own[1:] if item.kind is item.POSITIONAL_OR_KEYWORD]  # the first is the director
    known = {item.name for item in own[1:]}
    for base in goal.__mro__[1:-1]:
        known |= {item.name for item in inspect.signature(base).parameters.values() if item.kind is item.KEYWORD_ONLY}
    kind = getattr(goal, "kind", goal.__name__)
    for name in options:
        if name not in known:
            listed = ", ".join(sorted(known))
            near = difflib.get_close_matches(str(name), known, n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            raise InputError(f"a {kind} has no option '{name}'.{hint} It takes: {listed}")
    if len(arguments) > len(places):
        names = ", ".join(item.name for item in places)
        raise InputError(f"a {kind} got {len(arguments)} arguments without a name; expected at most: {names}")
    for k, item in enumerate(places):
        if k < len(arguments) and item.name in options:
            raise InputError(f"a {kind} got '{item.name}' twice; give it once")
        if k >= len(arguments) and item.default is item.empty and item.name not in options:
            raise InputError(f"a {kind} needs '{item.name}'; expected it as its argument number {k + 1}")


def check_style(style: Any, rest_law: Mapping[str, float]) -> None:
    """Refuse an unknown style, and one that its rest pose does not fit."""
    if not isinstance(style, str) or style not in STYLES:
        raise InputError(f"style '{style}' is unknown; choose one of: {', '.join(STYLES)}")
    if style == "velocity" and rest_law["stiffness"] > 0 and rest_law["damping"] == 0:
        raise InputError(
            f"least velocity cannot lead to a rest pose with stiffness {rest_law['stiffness']:g} and damping 0: joints move "
            "there at a speed of stiffness / (2 damping) per error. Give the rest pose some damping, or stiffness 0"
        )


def _number_or_none(value: Any, what: str, unit: str) -> float:
    """A number above 0, or infinity for no bound."""
    return value if isinstance(value, float) and value == math.inf else number(value, what, unit, above=0.0)
