"""What a person says about which joints move, checked: budgets, errors and weights by name."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.adaptive.rows import VIEW
from stringless.adaptive.tables import AdaptiveTables
from stringless.adaptive.view import View, reaches, seen_weights
from stringless.errors import InputError
from stringless.model.checks import suggest
from stringless.model.model import Joint, Model

METRICS = ("velocity", "acceleration")
"""The two metrics, in the order of the table of weights."""


def set_choices(
    model: Model, tables: AdaptiveTables, active: Any, max_error: Any, criterion: str, weights: Any
) -> None:
    """Tell every tree its budget, its error and its weights; nothing is changed if something is wrong.

    Raises:
        InputError: a name is unknown, a budget is larger than a tree has joints, a weight is not above 0.
    """
    joints = tables.trees["joints"]
    budgets = _budgets(model, tables, joints, active)
    errors = _by_tree(model, tables, max_error, -1.0)
    table = read_weights(model, weights)[tables.v_order]
    tables.told_weights, tables.criterion = table, criterion
    for t, part in enumerate(tables.trees):
        part["asked"], part["allowed"] = part["budget"], part["max_error"] = budgets[t], errors[t]
        own = table[part["v0"] : part["v0"] + part["nv"]]
        told = np.array([budgets[t], errors[t]], dtype=np.float64).tobytes() + own.tobytes() + criterion.encode()
        part["choice"] = 1.0 + zlib.crc32(told)  # never that of a state that nothing was chosen for


def set_view(model: Model, tables: AdaptiveTables, view: View | None) -> None:
    """Tell all trees from where they are looked at, after `set_choices`; each knows it from its next look on.

    That is no new choice: a camera that moves must not make all characters choose at once.
    """
    tables.trees["sight"] = np.zeros(VIEW) if view is None else view.numbers()
    if view is None:
        tables.weights[:] = np.sqrt(tables.told_weights)
        return
    if tables.reach is None:
        tables.reach = reaches(model)
        tables.trees["size"] = tables.reach[tables.trees["root"]]
    seen = seen_weights(model, tables.reach, tables.criterion)[tables.v_order]
    tables.weights[:] = np.sqrt(tables.told_weights * seen[:, None])


def _budgets(model: Model, tables: AdaptiveTables, joints: NDArray[np.int64], active: Any) -> list[int]:
    """How many joints of each tree may move."""
    names = [model.bodies[int(part["root"])].name for part in tables.trees]
    if active is None:
        return joints.tolist()
    if isinstance(active, Mapping):
        for name, number in active.items():
            t = names.index(_known(model, names, name))
            if number > joints[t]:
                raise InputError(
                    f"active is {number} for '{name}', which has {_count(int(joints[t]))} that can move (a floating root is "
                    "not counted); choose fewer"
                )
        return [int(active.get(name, joints[t])) for t, name in enumerate(names)]
    most = int(joints.max(initial=0))
    if active > most:
        which = (
            f"model '{model.name}' has" if len(names) == 1 else f"no character of model '{model.name}' has more than"
        )
        raise InputError(
            f"active is {active}, but {which} {_count(most)} that can move (a floating root is not counted); choose fewer"
        )
    return [min(int(active), int(own)) for own in joints]


def _by_tree(model: Model, tables: AdaptiveTables, values: Any, usual: float) -> list[float]:
    names = [model.bodies[int(part["root"])].name for part in tables.trees]
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


def _count(joints: int) -> str:
    return f"{joints} joint{'' if joints == 1 else 's'}"


def read_weights(model: Model, weights: Any) -> NDArray[np.float64]:
    """Weights of all coordinates in both metrics, shape (nv, 2); 1 where nothing is said."""
    table = np.ones((model.nv, len(METRICS)))
    for name, value in (weights or {}).items():
        joint = model.joint(name)
        if isinstance(value, Mapping):
            for metric in value:
                if metric not in METRICS:
                    raise InputError(
                        f"weights of joint '{name}' name a metric '{metric}'; expected one of: {', '.join(METRICS)}"
                    )
            for k, metric in enumerate(METRICS):
                table[joint.v_slice, k] = _numbers(joint, value.get(metric, 1.0))
        else:
            table[joint.v_slice] = _numbers(joint, value)[:, None]
    return table


def _numbers(joint: Joint, value: Any) -> NDArray[np.float64]:
    """One weight for each coordinate of a joint."""
    values = value if isinstance(value, (list, tuple, np.ndarray)) else [value] * joint.nv
    if len(values) != joint.nv:
        raise InputError(f"joint '{joint.name}' was given {len(values)} weights; expected one, or {joint.nv}")
    for one in values:
        if isinstance(one, bool) or not (isinstance(one, Real) and math.isfinite(float(one)) and float(one) > 0):
            raise InputError(f"a weight of joint '{joint.name}' is {one!r}; expected a finite number above 0")
    return np.array(values, dtype=np.float64)
