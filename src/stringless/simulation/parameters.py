"""Materials of flesh that change while a simulation runs."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from stringless.errors import InputError
from stringless.flesh.stability import part_limit
from stringless.flesh.wrap import check_material, lame, stretch_floor
from stringless.model.checks import suggest
from stringless.model.flesh import FleshSpec

MATERIAL = ("young", "poisson", "damping")
"""What may change of a part of the flesh: Young's modulus [Pa], Poisson's ratio, damping [1/s]."""

Tuning = Mapping[str, Mapping[str, float]]
"""Name of a part of the flesh to what changes of it."""


def material_parameters(parts: Sequence[FleshSpec]) -> dict[str, dict[str, float]]:
    """What can change of each part, as it is now."""
    return {part.name: {name: float(getattr(part, name)) for name in MATERIAL} for part in parts}


def tuned(parts: Sequence[FleshSpec], changes: Tuning) -> tuple[FleshSpec, ...]:
    """The parts with their materials changed, checked as when they were wrapped."""
    known = {part.name for part in parts}
    if not isinstance(changes, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(
            f"flesh is {changes!r}; expected changes by name of the flesh, as in {{'worm': {{'young': 3e4}}}}"
        )
    for name, values in changes.items():
        if name not in known:
            raise InputError(f"there is no flesh '{name}'. {suggest(name, known)}")
        if not isinstance(values, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"flesh '{name}' is {values!r}; expected new values by name: {', '.join(MATERIAL)}")
        for key in values:
            if key not in MATERIAL:
                raise InputError(f"'{key}' of flesh '{name}' cannot change; these can: {', '.join(MATERIAL)}")
    return tuple(_tuned_part(part, changes.get(part.name, {})) for part in parts)


def _tuned_part(part: FleshSpec, values: Mapping[str, float]) -> FleshSpec:
    fresh: dict[str, Any] = {name: value for name, value in values.items() if getattr(part, name) != value}
    if not fresh:
        return part
    part = dataclasses.replace(part, **fresh)
    try:
        check_material(part.material, part.young, part.poisson, 1.0, part.damping)
    except TypeError as error:
        raise InputError(f"a parameter of flesh '{part.name}' is not a number: {error}") from None
    if set(fresh) == {"damping"}:
        return part
    part = dataclasses.replace(part, low=stretch_floor(*lame(part.young, part.poisson)))
    return dataclasses.replace(part, step_limit=part_limit(part))
