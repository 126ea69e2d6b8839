"""What engines can do, and the one sentence that says what one cannot."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from stringless.errors import InputError


class Feature(StrEnum):
    """Something that a scene has or a user asks for, and not every engine can do; the value is its name in a sentence."""

    GOALS = "goals"
    ACTUATED_GOALS = "goals that characters reach by their own actuators"
    FLESH = "flesh"
    CONTACT = "contact"
    MUTUAL_CONTACT = "contact between characters"
    LOOPS = "closed loops"
    PRESCRIBED = "prescribed joints"
    FOLLOWING = "following a motion"
    LEVEL_OF_DETAIL = "a level of detail"
    EDITING = "motion editing"


F = Feature
BY_ENGINE: Mapping[str, frozenset[Feature]] = {
    "reduced": frozenset(
        {F.GOALS, F.ACTUATED_GOALS, F.FLESH, F.CONTACT, F.MUTUAL_CONTACT, F.PRESCRIBED, F.FOLLOWING, F.EDITING}
    ),
    "stiff": frozenset({F.GOALS, F.FLESH, F.CONTACT, F.MUTUAL_CONTACT, F.PRESCRIBED, F.FOLLOWING, F.LOOPS}),
    "adaptive": frozenset({F.CONTACT, F.LEVEL_OF_DETAIL}),
}
"""What each engine can do."""
_REFERENCE = frozenset({F.FLESH, F.LOOPS, F.MUTUAL_CONTACT})
LOST_BY_OPTION: Mapping[tuple[str, str], frozenset[Feature]] = {
    ("integrator", "rk4"): frozenset(
        {F.GOALS, F.ACTUATED_GOALS, F.FLESH, F.CONTACT, F.MUTUAL_CONTACT, F.FOLLOWING, F.EDITING}
    ),
    ("update", "bodies"): _REFERENCE | {F.GOALS, F.CONTACT, F.FOLLOWING},
    ("solver", "ldlt"): _REFERENCE,
    ("solver", "ldu"): _REFERENCE,
}
"""What an option that serves to compare cannot do."""
USUAL = {"integrator": "symplectic", "update": "joints", "solver": "condensed"}
"""The options that can do all that their engine can."""


def features(config: Any) -> frozenset[Feature]:
    """What an engine can do with these options."""
    lost = [LOST_BY_OPTION.get((name, getattr(config, name)), frozenset()) for name in USUAL]
    return BY_ENGINE[config.engine].difference(*lost)


def require(config: Any, feature: Feature, what: str = "") -> None:
    """Refuse what an engine cannot do with these options.

    Args:
        config: engine, integrator, update and solver.
        feature: what is asked for.
        what: where it was found, as in ", which model 'x' has".

    Raises:
        InputError: it cannot; the message says what can.
    """
    if feature in features(config):
        return
    able = [name for name, can in BY_ENGINE.items() if feature in can]
    subject, remedy = f"engine '{config.engine}'", "engine " + " or ".join(f"'{name}'" for name in able)
    if config.engine in able:
        name = next(name for name in USUAL if feature in LOST_BY_OPTION.get((name, getattr(config, name)), ()))
        subject, remedy = f"{name} '{getattr(config, name)}'", f"{name} '{USUAL[name]}'"
    raise InputError(f"{subject} does not support {feature}{what}; use {remedy}")
