"""What a clip is simulated with beyond its state: gravity, masses and muscles as they are now, and the columns of these."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stringless.editing.configurations import Configuration
from stringless.editing.muscles import Muscle, evaluate_splines, find_coordinate
from stringless.editing.plan import Column, Controls
from stringless.editing.rollout import Directions
from stringless.errors import InputError
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray

FREEDOMS = ("gravity", "masses")
"""What an edit may change beyond the start if it is allowed to, besides muscles."""


def check_freedoms(names: Sequence[str]) -> tuple[str, ...]:
    """Refuse a name that is none of the freedoms'."""
    if isinstance(names, str):
        raise InputError(f"what is allowed to change is {names!r}; expected names in a list, such as ['{names}']")
    for name in names:
        if name not in FREEDOMS:
            raise InputError(f"'{name}' cannot be allowed to change; choose among: {', '.join(FREEDOMS)}")
    return tuple(names)


def scale_masses(configuration: Configuration, factors: FloatArray) -> Configuration:
    """The configuration with the mass and inertia of each body of the character times its factor; joint limits stay as stiff."""
    if np.all(factors == 1.0):
        return configuration
    model = configuration.model
    tree = model.tree.copy()
    for factor, i in zip(factors, configuration.bodies, strict=True):
        for name in ("mass", "h", "I_o"):
            tree[name][i] *= factor
    heavy = Model.__new__(Model)
    heavy.__setstate__(model.__getstate__() | {"tree": tree})
    return dataclasses.replace(configuration, model=heavy)


def make_columns(attribute: str, size: int, columns: Sequence[Column]) -> FloatArray:
    """How the numbers of an attribute, such as gravity or the logarithms of masses, change with each column, (size, C)."""
    out = np.zeros((size, len(columns)))
    for c, column in enumerate(columns):
        if column.attribute == attribute:
            out[column.index, c] = 1.0
    return out


@dataclass
class Drive:
    """What muscles do in a clip: efforts of its steps, and what their columns add."""

    tau: FloatArray
    """(steps, nv)."""
    drives: tuple[tuple[int, int], ...]
    weights: FloatArray
    """(steps, drives)."""


def compute_drive(
    muscles: Sequence[Muscle],
    configuration: Configuration,
    controls: Controls,
    columns: Sequence[Column],
    start: float,
    d_start: FloatArray,
    steps: int,
    dt: float,
    duration: float,
) -> Drive:
    """Efforts of a clip that starts so late; where its start may move, all efforts come with it."""
    times = start + dt * (np.arange(steps, dtype=np.float64) + 0.5)
    tau = np.zeros((steps, configuration.model.nv))
    drives: list[tuple[int, int]] = []
    weights: list[FloatArray] = []
    for muscle in muscles:
        d, sign = find_coordinate(muscle, configuration)
        own = slice(muscle.first, muscle.first + muscle.knots)
        share, rate = evaluate_splines(muscle.knots, duration, times)
        tau[:, d] += sign * (share @ controls.muscles[own])
        late = sign * (rate @ controls.muscles[own])
        for c, column in enumerate(columns):
            k = column.index - muscle.first
            mine = column.attribute == "muscle" and 0 <= k < muscle.knots
            if mine or d_start[c] != 0.0:
                drives.append((d, c))
                weights.append((sign * share[:, k] if mine else 0.0) + late * d_start[c])
    table = np.column_stack(weights) if weights else np.zeros((steps, 0))
    return Drive(tau, tuple(drives), table)


def find_directions(configuration: Configuration, columns: Sequence[Column], driving: Drive | None) -> Directions:
    """What the columns do on the way through a clip: bodies of the tree that get heavier, efforts of muscles."""
    masses = [(int(configuration.bodies[x.index]), c) for c, x in enumerate(columns) if x.attribute == "mass"]
    return Directions(masses=tuple(masses), drives=driving.drives if driving else ())
