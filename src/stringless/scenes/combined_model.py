"""Many models in one world. Their tables are joined as they are, so that a crowd is built quickly."""

import copy
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from stringless import jit
from stringless.errors import InputError
from stringless.model.model import Model
from stringless.model.shapes import Shape
from stringless.model.spec import GROUND, BodySpec


def combine_models(name: str, parts: Sequence[tuple[str, Model]], world_shapes: Sequence[Shape] = ()) -> Model:
    """One model of all parts, as if a builder had been given all their bodies one after the other.

    Args:
        name: of the model.
        parts: a prefix for the names of its bodies, and the model; the same model may come many times.
        world_shapes: what they all stand on.

    Raises:
        InputError: there is no part, two have one prefix, their gravities differ, or one has flesh, loops or a world.
    """
    _check(parts)
    models = [model for _, model in parts]
    tree, dofs, limits = (_joined([getattr(model, name) for model in models]) for name in ("tree", "dofs", "limits"))
    bodies, coordinates = [model.body_count for model in models], [model.nv for model in models]
    body0 = np.repeat(_starts(bodies), bodies)
    tree["q0"] += np.repeat(_starts([model.nq for model in models]), bodies)
    tree["v0"] += np.repeat(_starts(coordinates), bodies)
    tree["l0"] += np.repeat(_starts([len(model.limits) for model in models]), bodies)
    tree["root"] += body0
    tree["parent"] += np.where(tree["parent"] >= 0, body0, 0)
    dofs["body"] += np.repeat(_starts(bodies), coordinates)
    dofs["parent"] += np.where(dofs["parent"] >= 0, np.repeat(_starts(coordinates), coordinates), 0)
    neutral = np.concatenate([model.q_neutral for model in models])
    rest = np.concatenate([model.q_rest for model in models])
    arrays = (tree, dofs, limits, neutral, rest, models[0].gravity.copy())
    for array in arrays:
        array.flags.writeable = False
    specs = tuple(_renamed(spec, prefix) for prefix, model in parts for spec in model.specs)
    return Model(name, specs, tuple(world_shapes), *arrays, None, models[0].loops, ())


def _check(parts: Sequence[tuple[str, Model]]) -> None:
    if not parts:
        raise InputError("there is nothing to put together; expected one model or more")
    for prefix, count in Counter(prefix for prefix, _ in parts).items():
        if count > 1:
            raise InputError(f"the prefix '{prefix}' is given {count} times; expected another one for each part")
    first, gravity = parts[0][0], parts[0][1].gravity
    for prefix, model in parts:
        if not np.array_equal(model.gravity, gravity):
            raise InputError(f"gravity of '{prefix}' is {model.gravity}, of '{first}' {gravity}; expected the same")
        if model.flesh is not None or model.loop_specs or model.world_shapes:
            raise InputError(f"'{prefix}' has flesh, loops or a world of its own; only bodies can be put together")


def _joined(tables: list[Any]) -> Any:
    """Rows of all tables."""
    rows = jit.rows(sum(len(table) for table in tables), tables[0].dtype)
    rows[:] = np.concatenate(tables)
    return rows


def _starts(counts: Sequence[int]) -> Any:
    """Where the numbers of each part begin."""
    return np.cumsum([0, *counts[:-1]])


def _renamed(spec: BodySpec, prefix: str) -> BodySpec:
    """The same body under another name. Its numbers were checked when it was made, and are not looked at again."""
    joint, body = copy.copy(spec.joint), copy.copy(spec)
    object.__setattr__(joint, "name", prefix + joint.name)
    object.__setattr__(body, "joint", joint)
    object.__setattr__(body, "name", prefix + spec.name)
    object.__setattr__(body, "parent", prefix + spec.parent if spec.parent != GROUND else GROUND)
    return body
