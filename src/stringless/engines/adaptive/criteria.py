"""Criteria of the active region as configured: budgets, allowed errors and joint weights by name, checked; and the view."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.engines.adaptive.rows import CAMERA_ROW
from stringless.engines.adaptive.tables import AdaptiveTables, unit_weights
from stringless.engines.adaptive.view import View, reaches, seen_weights
from stringless.errors import InputError
from stringless.model.checks import suggest
from stringless.model.model import Joint, Model

METRICS = ("velocity", "acceleration")
"""The two metrics, in the order of the table of weights."""


def set_criteria(
    model: Model, tables: AdaptiveTables, active: Any, max_error: Any, criterion: str, weights: Any
) -> None:
    """Set budget, allowed error and joint weights of every tree; nothing is changed if something is wrong.

    Raises:
        InputError: a name is unknown, a budget is larger than a tree has joints, a weight is not above 0.
    """
    joints = tables.trees["joints"]
    budgets = budgets_of(model, tables, joints, active)
    errors = _by_tree(model, tables, max_error, -1.0)
    table = read_weights(model, weights, tables.given_weights.shape[2])[tables.v_order]
    tables.given_weights, tables.criterion = table, criterion
    for t, row in enumerate(tables.trees):
        row["max_active"], row["max_error"] = budgets[t], errors[t]
        own = table[row["v0"] : row["v0"] + row["nv"]]
        given = np.array([budgets[t], errors[t]], dtype=np.float64).tobytes() + own.tobytes() + criterion.encode()
        row["criteria"] = 1.0 + zlib.crc32(given)  # never that of a state that was not updated yet


def set_view(model: Model, tables: AdaptiveTables, view: View | None) -> None:
    """Set the view of all trees, after `set_criteria`; each sees it at its next update.

    It does not change the criteria: a camera that moves must not make all characters update at once.
    """
    tables.trees["camera"] = jit.rows(1, CAMERA_ROW) if view is None else view.camera()
    if view is None:
        tables.weights[:] = roots(tables, tables.given_weights)
        return
    if tables.reach is None:
        tables.reach = reaches(model)
        tables.trees["radius"] = tables.reach[tables.trees["root"]]
    seen = seen_weights(model, tables.reach, tables.criterion)[tables.v_order]
    shares = np.sqrt(seen)
    columns = tables.first_of[:, None] + np.arange(tables.weights.shape[2])
    across = shares[np.minimum(columns, len(shares) - 1)]  # of the coordinate that each column of a matrix stands for
    tables.weights[:] = roots(tables, shares[:, None, None] * tables.given_weights * across[:, None, :])


def roots(tables: AdaptiveTables, table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Roots of all joints' matrices, shape as `table`: symmetric, and of each number where a matrix is diagonal."""
    found = np.sqrt(np.maximum(table, 0.0))
    mixed = np.any((table != 0.0) & (unit_weights(tables.first_of, table.shape[2]) == 0.0), axis=(1, 2))
    for first in np.unique(tables.first_of[mixed]):
        here = slice(int(first), int(first) + int(np.count_nonzero(tables.first_of == first)))
        count = here.stop - here.start
        for metric in range(table.shape[1]):
            values, axes = np.linalg.eigh(table[here, metric, :count])
            # One that is all but singular may seem to have a direction below 0, by rounding.
            found[here, metric, :count] = (axes * np.sqrt(np.maximum(values, 0.0))) @ axes.T
    return found


def budgets_of(model: Model, tables: AdaptiveTables, joints: NDArray[np.int64], active: Any) -> list[int]:
    """The most active joints of each tree.

    Raises:
        InputError: a name is unknown, or a budget is larger than a tree has joints.
    """
    names = [model.bodies[int(row["root"])].name for row in tables.trees]
    if active is None:
        return joints.tolist()
    if isinstance(active, Mapping):
        for name, number in active.items():
            t = names.index(_known(model, names, name))
            if number > joints[t]:
                raise InputError(
                    f"active is {number} for '{name}', which has {_count(int(joints[t]))} that can move (a floating root is "
                    f"not counted); {_advice(int(joints[t]))}"
                )
        return [int(active.get(name, joints[t])) for t, name in enumerate(names)]
    most = int(joints.max(initial=0))
    if active > most:
        which = (
            f"model '{model.name}' has" if len(names) == 1 else f"no character of model '{model.name}' has more than"
        )
        raise InputError(
            f"active is {active}, but {which} {_count(most)} that can move (a floating root is not counted); "
            f"{_advice(most)}"
        )
    return [min(int(active), int(own)) for own in joints]


def _by_tree(model: Model, tables: AdaptiveTables, values: Any, usual: float) -> list[float]:
    names = [model.bodies[int(row["root"])].name for row in tables.trees]
    if values is None:
        return [usual] * len(names)
    if isinstance(values, Mapping):
        for name in values:
            _known(model, names, name)
        return [float(values.get(name, usual)) for name in names]
    return [float(values)] * len(names)


def _known(model: Model, names: Sequence[str], name: str) -> str:
    if name not in names:
        raise InputError(
            f"model '{model.name}' has no character '{name}'; a character is named by its root body. {suggest(name, names)}"
        )
    return name


def _advice(joints: int) -> str:
    return "choose fewer" if joints > 0 else "leave `active` out"


def _count(joints: int) -> str:
    return f"{joints} joint{'' if joints == 1 else 's'}"


def read_weights(model: Model, weights: Any, widest: int) -> NDArray[np.float64]:
    """Weights of all joints in both metrics, rows of matrices, shape (nv, 2, widest); of 1 where nothing is said.

    A joint with more coordinates than `widest` is always active: its weights do not count.
    """
    table = unit_weights(np.repeat(model.tree["v0"], model.tree["nv"]), widest)
    for name, value in (weights or {}).items():
        joint = model.joint(name)
        given = value if isinstance(value, Mapping) else dict.fromkeys(METRICS, value)
        for metric in given:
            if metric not in METRICS:
                raise InputError(
                    f"weights of joint '{name}' name a metric '{metric}'; expected one of: {', '.join(METRICS)}"
                )
        for k, metric in enumerate(METRICS):
            matrix = _matrix(joint, given.get(metric, 1.0))
            if joint.nv <= widest:
                table[joint.v_slice, k, : joint.nv] = matrix
    return table


def _matrix(joint: Joint, value: Any) -> NDArray[np.float64]:
    """The weights of a joint: a number, one for each coordinate, or a matrix."""
    if not isinstance(value, (list, tuple, np.ndarray)):
        return _number(joint, value) * np.eye(joint.nv)
    if len(value) != joint.nv:
        raise InputError(
            f"joint '{joint.name}' was given {len(value)} weights; expected one, or {joint.nv}, or a matrix of as many rows"
        )
    if not any(isinstance(one, (list, tuple, np.ndarray)) for one in value):
        return np.diag([_number(joint, one) for one in value])
    try:
        matrix = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        matrix = np.zeros((0, 0))
    square = matrix.shape == (joint.nv, joint.nv) and bool(np.all(np.isfinite(matrix)))
    if not (square and np.allclose(matrix, matrix.T, rtol=1e-9, atol=0.0) and np.linalg.eigvalsh(matrix)[0] > 0.0):
        raise InputError(
            f"the weights of joint '{joint.name}' are {value!r}; expected a symmetric positive definite matrix of "
            f"{joint.nv} by {joint.nv} finite numbers"
        )
    return matrix


def _number(joint: Joint, value: Any) -> float:
    if isinstance(value, bool) or not (isinstance(value, Real) and math.isfinite(float(value)) and float(value) > 0):
        raise InputError(f"a weight of joint '{joint.name}' is {value!r}; expected a finite number above 0")
    return float(value)
