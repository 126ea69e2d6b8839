"""Muscles: efforts of chosen joints over the time of a motion, as cubic B-splines on uniform knots.

`τ(t) = Σ c_k B((t - t_k)/h)`, K coefficients over a motion of length T, `h = T/(K - 3)`. A step takes the effort of its middle.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from stringless.editing.bodies import find_carrier
from stringless.editing.configurations import Configuration
from stringless.errors import InputError
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray

FEWEST = 4
"""A cubic needs so many coefficients."""
PIECES = np.array([[1.0, 4.0, 1.0, 0.0], [-3.0, 0.0, 3.0, 0.0], [3.0, -6.0, 3.0, 0.0], [-1.0, 3.0, -3.0, 1.0]]) / 6.0
"""By power of the share of a knot's interval: how much each of the four splines over it counts."""


@dataclass(frozen=True)
class Muscle:
    """The effort of one coordinate of a joint."""

    body: int
    """That the joint carries."""
    part: int
    """Which of the joint's coordinates."""
    knots: int
    """How many coefficients it has."""
    first: int
    """Where they begin among those of all muscles."""


def make_muscles(model: Model, wanted: Mapping[str, int]) -> tuple[Muscle, ...]:
    """Muscles for all coordinates of the joints that are named, with so many coefficients each."""
    given: Any = wanted
    if not isinstance(given, Mapping):
        raise InputError(
            f"muscles are {wanted!r}; expected how many coefficients by name of joint, such as {{'knee': 6}}"
        )
    out: list[Muscle] = []
    first = 0
    for name, knots in wanted.items():
        joint = model.joint(name)
        if int(model.tree["parent"][joint.index]) < 0 or joint.nv == 0:
            found = "a root" if joint.nv else "fixed"
            raise InputError(f"joint '{name}' is {found} and can have no muscle; expected a joint between two bodies")
        if type(knots) is not int or knots < FEWEST:
            raise InputError(
                f"the muscle of joint '{name}' has {knots!r} coefficients; expected a whole number, {FEWEST} or more"
            )
        for part in range(joint.nv):
            out.append(Muscle(joint.index, part, knots, first))
            first += knots
    return tuple(out)


def check_muscles(muscles: tuple[Muscle, ...], configuration: Configuration) -> None:
    """Refuse the muscle of a ball that a grip turns round: its axes are fixed in the body that is the parent then."""
    for muscle in muscles:
        joint = configuration.character.joints[muscle.body]
        if configuration.reversed[muscle.body] and joint.kind.name == "ball":
            raise InputError(
                f"joint '{joint.name}' is a ball with a muscle, and the character {configuration.name} turns it round; "
                "expected a hinge, a slider or a universal joint. Grip a body on the root's side of it, or take its muscle away."
            )


def find_coordinate(muscle: Muscle, configuration: Configuration) -> tuple[int, float]:
    """Which coordinate of the tree a muscle drives, and with which sign: a joint turned round has the opposite effort."""
    joint, start = configuration.character.joints[muscle.body], find_carrier(configuration, muscle.body).v_slice.start
    if not configuration.reversed[muscle.body]:
        return start + muscle.part, 1.0
    return start + (joint.nv - 1 - muscle.part if joint.kind.reversal == "opposite order" else muscle.part), -1.0


def evaluate_splines(knots: int, duration: float, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How much each coefficient counts at these times, and the rate of that [1/s]: (times, knots) both."""
    h = duration / (knots - 3)
    x = np.clip(times / h, 0.0, knots - 3)
    piece = np.minimum(x.astype(np.int64), knots - 4)
    s = (x - piece)[:, None]
    ones, none = np.ones_like(s), np.zeros_like(s)
    value = np.hstack([ones, s, s**2, s**3]) @ PIECES
    rate = np.hstack([none, ones, 2.0 * s, 3.0 * s**2]) @ PIECES / h
    rate[(times < 0.0) | (times > duration)] = 0.0
    out, rates = np.zeros((2, len(times), knots))
    at = piece[:, None] + np.arange(4)
    rows = np.arange(len(times))[:, None]
    out[rows, at], rates[rows, at] = value, rate
    return out, rates
