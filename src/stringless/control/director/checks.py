"""Checks of what a director is told."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from stringless.errors import InputError

SETTINGS = {
    "limit_firmness": "a finite number above 0 [1/s]",
    "top_acceleration": "a number above 0 [rad/s² or m/s²], math.inf for no limit",
    "counted_friction": "a finite number of 0 or more",
    "keep_momentum": "True or False",
}
"""Attributes of a director that are checked whenever they are set, and what is expected of them."""


def checked_setting(name: str, value: Any) -> float | bool:
    """A value for one of `SETTINGS`, or say what is wrong with it."""
    if name == "keep_momentum":
        fits, number = isinstance(value, (bool, np.bool_)), bool(value)
    else:
        number = math.nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
        fits = number >= 0 if name == "counted_friction" else number > 0
        fits = fits and (math.isfinite(number) or name == "top_acceleration")
    if not fits:
        raise InputError(f"{name} is {value!r}; expected {SETTINGS[name]}")
    return number


def checked_gain(name: str, value: Any) -> float:
    """A finite number of 0 or more, or say what is wrong with it."""
    if not (isinstance(value, Real) and math.isfinite(float(value)) and float(value) >= 0):
        raise InputError(f"{name} is {value!r}; expected a finite number of 0 or more")
    return float(value)
