"""A crowd of human figures, pushed over, away from the camera; on the ground, or weightless."""

import functools
import math

import numpy as np

from stringless.errors import InputError
from stringless.model.model import Model
from stringless.model.scene import Scene
from stringless.scenes.bones import check_count, turned
from stringless.scenes.combined_model import combine_models
from stringless.scenes.figure import figure
from stringless.scenes.ground import floor
from stringless.scenes.humanoid import PELVIS_HEIGHT
from stringless.spatial.arrays import FloatArray

ABREAST = 20
"""How many stand in a row."""
ASIDE, BEHIND = 0.95, 1.2
"""From one to the next, in a row and from row to row [m]."""
LYING, GENTLY, FAR = 2.1, 0.55, 12.0
"""On the ground: from row to row, as a figure lies between its own place and that of the next [m]; the share of the push, as the
weight does the rest; and the distance over which that falls to a third [m]."""
JITTER, TURN = 0.08, 0.2
"""How far a figure may stand from its place [m], and look aside [rad]."""
PUSH, SPIN, FADE = 3.5, 3.5, 6.0
"""Speed away [m/s] and of the tumble [rad/s] in the first row; the distance over which they fall to a third [m]."""
FLUNG = {
    "thigh": -3.0,
    "shin": 2.5,
    "hip_lift": 0.6,
    "shoulder_swing": -3.5,
    "shoulder_lift": 1.5,
    "elbow": -2.5,
    "lumbar_0": 0.8,
    "lumbar_3": 0.8,
    "neck_0": 1.0,
    "neck_3": 1.0,
}
"""What lags behind a chest that is pushed: rates of the joints in the first row [rad/s]."""
UNEVEN = 0.3
"""How much figures differ: by this share of a rate, and of 1 rad/s in every joint, as a root of the mean square."""
CLOTHES = (
    ((0.72, 0.25, 0.22, 1.0), (0.20, 0.24, 0.34, 1.0)),
    ((0.25, 0.42, 0.62, 1.0), (0.27, 0.26, 0.25, 1.0)),
    ((0.85, 0.72, 0.36, 1.0), (0.22, 0.30, 0.42, 1.0)),
    ((0.36, 0.52, 0.36, 1.0), (0.34, 0.28, 0.24, 1.0)),
    ((0.86, 0.85, 0.82, 1.0), (0.17, 0.18, 0.20, 1.0)),
)
"""Shirts and trousers."""


def crowd(count: int = 200, ground: bool = True) -> Scene:
    """Two hundred figures of 89 bodies in rows, pushed over, away from the camera: they fall on the ground or tumble away."""
    check_count(count, f"a crowd of {count!r}")
    if not isinstance(ground, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"ground is {ground!r}; expected True, or False for a weightless crowd")
    rng = np.random.default_rng(17)
    members = [figure(*CLOTHES[k], heavy=ground) for k in rng.integers(len(CLOTHES), size=count)]
    parts = [(f"p{k}_", member) for k, member in enumerate(members)]
    model = combine_models("crowd", parts, [floor()] if ground else [])
    q, v = model.neutral().reshape(count, -1), np.zeros((count, members[0].nv))
    behind, strength, fade = (LYING, GENTLY, FAR) if ground else (BEHIND, 1.0, FADE)
    for k, place in enumerate(places(count, rng, behind)):
        facing = rng.uniform(-TURN, TURN)
        q[k, :7] = (*place, *turned((0.0, 1.0, 0.0), facing))
        v[k] = pushed(members[k], place, facing, rng, strength, fade)
    return Scene(model, q=q.ravel(), v=v.ravel(), engine="adaptive")


def places(count: int, rng: np.random.Generator, behind: float) -> FloatArray:
    """Where the pelvis of each is: rows behind each other, every other one half a place aside [m]."""
    row, column = np.divmod(np.arange(count), ABREAST)
    wide = min(count, ABREAST) - 1
    x = ASIDE * (column - wide / 2 + 0.25 * (-1.0) ** row)
    places = np.column_stack([x, np.full(count, PELVIS_HEIGHT), -behind * row])
    places[:, ::2] += rng.uniform(-JITTER, JITTER, (count, 2))
    return places


@functools.cache
def flung(model: Model) -> FloatArray:
    """Rates of a figure's joints in the first row [rad/s]."""
    v = np.zeros(model.nv)
    for joint in model.joints:
        v[joint.v_slice] = FLUNG.get(joint.name.removeprefix("left_").removeprefix("right_"), 0.0)
    return v


def pushed(
    model: Model, place: FloatArray, facing: float, rng: np.random.Generator, strength: float = 1.0, fade: float = FADE
) -> FloatArray:
    """Velocities of a figure after a push against its chest, along its own axes: less, the farther back it stands."""
    share = strength * math.exp(place[2] / fade) * rng.uniform(0.7, 1.3)
    v = share * (flung(model) * rng.normal(1.0, UNEVEN, model.nv) + rng.normal(0.0, UNEVEN, model.nv))
    aside = 0.08 * place[0]
    linear = PUSH * share * np.array([aside, 0.25, -1.0])
    spin = share * np.array([-SPIN, rng.normal(scale=0.6), rng.normal(scale=0.6) - SPIN * aside])
    c, s = math.cos(facing), math.sin(facing)
    back = np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])  # world axes to those of the figure
    v[:6] = np.concatenate([back @ spin, back @ linear])
    return v
