"""Checks of arguments: each returns its value in the plainest form, or says what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from stringless.errors import InputError
from stringless.spatial.arrays import FloatArray


def number(value: Any, what: str, unit: str = "", *, above: float = -math.inf, least: float = -math.inf) -> float:
    """A finite number, above one bound or at least another."""
    if isinstance(value, Real) and not isinstance(value, (bool, np.bool_)):
        found = float(value)
        if math.isfinite(found) and found > above and found >= least:
            return found
    bound = f" above {above:g}" if above > -math.inf else f", {least:g} or more" if least > -math.inf else ""
    raise InputError(f"{what} is {value!r}; expected a finite number{bound}{f' [{unit}]' if unit else ''}")


def whole(value: Any, what: str, least: int = 1) -> int:
    """A whole number of at least so much."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= least:
        return int(value)
    raise InputError(f"{what} is {value!r}; expected a whole number of {least} or more")


def switch(value: Any, what: str) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{what} is {value!r}; expected True or False")
    return bool(value)


def array(values: Any) -> FloatArray:
    """A value as an array; an empty one if it is no numbers."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        return np.zeros(0)


def numbers(
    values: Any, what: str, shape: tuple[int, ...] = (3,), unit: str = "", *, most: float = math.inf
) -> FloatArray:
    """Finite numbers in a shape, none larger than `most`."""
    found = array(values)
    if found.shape != shape or not np.isfinite(found).all() or np.any(np.abs(found) > most):
        count = "three" if shape == (3,) else " by ".join(map(str, shape))
        bound = f", at most {most:g}" if most < math.inf else ""
        raise InputError(f"{what} is {values!r}; expected {count} finite numbers{bound}{f' [{unit}]' if unit else ''}")
    return found


def unit_quaternion(values: Any, what: str) -> FloatArray:
    """A quaternion, made unit length."""
    found = array(values)
    size = float(np.linalg.norm(found)) if found.shape == (4,) else 0.0
    if not (math.isfinite(size) and size > 1e-9):
        raise InputError(f"{what} is {values!r}; expected a quaternion x, y, z, w of a length above 0")
    return found / size


def joint_names(joints: Any) -> None:
    """Refuse what is no list of names of joints."""
    listed = isinstance(joints, Sequence) and not isinstance(joints, str)
    if not listed or not joints or not all(isinstance(name, str) for name in joints):
        raise InputError(f"joints are {joints!r}; expected a list of one or more joint names")
