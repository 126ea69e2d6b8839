"""What happens in a motion, as a person says it: grips, releases, impacts, and when.

A motion is a row of clips, each with its own configuration. What leads from one to the next happens at a time that is fixed,
at one that may change with an edit, or when a point of the character meets a bar, a wall or the floor.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stringless.errors import InputError

FloatArray = NDArray[np.float64]
Vector = tuple[float, ...]


@dataclass(frozen=True)
class Plane:
    """A flat wall or floor through a point; the character is on the side that the normal points to."""

    point: Vector = (0.0, 0.0, 0.0)
    normal: Vector = (0.0, 1.0, 0.0)

    def distance(self, x: FloatArray) -> FloatArray:
        """How far points, (..., 3), are above it [m]."""
        return (x - np.asarray(self.point)) @ self.direction(x)

    def direction(self, x: FloatArray) -> FloatArray:
        """Gradient of the distance: the unit normal."""
        n = np.asarray(self.normal, float)
        return n / np.linalg.norm(n)


@dataclass(frozen=True)
class Bar:
    """A straight bar through a point; it is caught where a point comes nearest to its line, within its radius."""

    point: Vector
    direction_of: Vector = (0.0, 0.0, 1.0)
    radius: float = 0.02
    """[m]."""

    def across(self, x: FloatArray) -> FloatArray:
        """From the line of the bar to points, (..., 3), normal to it."""
        d = np.asarray(self.direction_of, float)
        d = d / np.linalg.norm(d)
        r = np.asarray(x) - np.asarray(self.point)
        return r - (r @ d)[..., None] * d

    def distance(self, x: FloatArray) -> FloatArray:
        """How far points, (..., 3), are from its surface [m]."""
        return np.linalg.norm(self.across(x), axis=-1) - self.radius

    def direction(self, x: FloatArray) -> FloatArray:
        """Gradient of the distance at one point."""
        r = self.across(x)
        return r / np.linalg.norm(r)


Surface = Plane | Bar


@dataclass(frozen=True)
class At:
    """At this time [s]; an edit may move it if it is `free`."""

    time: float
    free: bool = False


@dataclass(frozen=True)
class Touch:
    """When the point of the transition meets a plane from outside, or comes nearest to a bar."""

    surface: Surface


When = float | At | Touch


@dataclass(frozen=True, kw_only=True)
class Transition:
    """Something that happens between two clips."""

    when: When
    push: bool = False
    """Whether an edit may add velocities here, small ones that nobody notices: a plausible motion, not an exact one."""

    @property
    def moment(self) -> At | Touch:
        """When it happens."""
        return self.when if isinstance(self.when, (At, Touch)) else At(float(self.when))


@dataclass(frozen=True, kw_only=True)
class Grip(Transition):
    """A point of a body is held where it is: by a ball, or by a hinge about an axis of the body."""

    body: str | int
    point: Vector = (0.0, 0.0, 0.0)
    """In the body's frame [m]."""
    kind: str = "ball"
    axis: Vector | None = None


@dataclass(frozen=True, kw_only=True)
class Release(Transition):
    """The character lets go of everything and flies."""


@dataclass(frozen=True, kw_only=True)
class Bounce(Transition):
    """A point of a body hits a smooth surface; its speed into it comes back times the restitution, 0 to 1."""

    body: str | int
    point: Vector = (0.0, 0.0, 0.0)
    restitution: float = 1.0
    when: When = field()


def nothing() -> FloatArray:
    """No numbers."""
    return np.zeros(0)


@dataclass(frozen=True)
class Controls:
    """What an edit may change."""

    q: FloatArray
    v: FloatArray
    """The start."""
    times: tuple[float, ...]
    """Of the transitions [s]; those that wait for a touch have none (NaN)."""
    pushes: tuple[FloatArray, ...]
    """Velocities added after each transition, by coordinate of its tree."""
    gravity: FloatArray = field(default_factory=nothing)
    """[m/s²]; empty: the model's, as with the next two."""
    masses: FloatArray = field(default_factory=nothing)
    """By body, times how much heavier it is than it was built; its inertia, too."""
    muscles: FloatArray = field(default_factory=nothing)
    """Coefficients of all muscles one after the other (`editing/muscles.py`) [N m, N]."""


@dataclass(frozen=True)
class Column:
    """One direction of the controls: `attribute` of q, v, time, push, gravity, mass (its logarithm) or muscle."""

    attribute: str
    index: int = 0
    """Coordinate, axis, body or coefficient."""
    transition: int = 0
    """For a time or a push."""
    body: int = -1
    """Whose joint it belongs to, -1 if to none."""


def check(transitions: tuple[Transition, ...], duration: float) -> None:
    """Refuse transitions that cannot happen, by their order and their times."""
    before = 0.0
    held = False
    for number, transition in enumerate(transitions, start=1):
        what = f"transition {number} ({type(transition).__name__.lower()})"
        moment = transition.moment
        if isinstance(moment, At):
            if not before < moment.time < duration:
                raise InputError(
                    f"{what} is at {moment.time:g} s; expected a time after {before:g} s, where the clip before it begins, and "
                    f"before {duration:g} s, where the motion ends"
                )
            before = moment.time
        elif isinstance(transition, Release):
            raise InputError(f"{what} waits for a touch; expected a time, `At` or a number [s]")
        if isinstance(transition, Bounce):
            if not isinstance(moment, Touch) or not isinstance(moment.surface, Plane):
                raise InputError(f"{what} is {moment}; expected `Touch` of a `Plane`, which it bounces off")
            if not 0.0 <= transition.restitution <= 1.0:
                raise InputError(f"{what} has restitution {transition.restitution:g}; expected 0 to 1")
        if isinstance(transition, Grip):
            if held:
                raise InputError(f"{what} holds a character that is held already; expected a `Release` before it")
            held = True
        if isinstance(transition, Release):
            held = False


def timed(transition: Transition, time: float, *, free: bool) -> Transition:
    """The same transition at another time, unless it waits for a touch."""
    if not isinstance(transition.moment, At):
        return transition
    return dataclasses.replace(transition, when=At(time, free=free))


def carried(
    controls: Controls, before: tuple[Transition, ...], plain: Controls, after: tuple[Transition, ...]
) -> Controls:
    """Controls for other transitions: those that happened before keep the times and pushes that edits have given them."""
    times, pushes = list(plain.times), list(plain.pushes)
    known = [_without_time(transition) for transition in before]
    for k, transition in enumerate(after):
        if _without_time(transition) not in known:
            continue
        j = known.index(_without_time(transition))
        known[j] = None
        if _said(transition) == _said(before[j]):
            times[k] = controls.times[j]
        if len(controls.pushes[j]) == len(pushes[k]):
            pushes[k] = controls.pushes[j].copy()
    return dataclasses.replace(controls, times=tuple(times), pushes=tuple(pushes))


def _without_time(transition: Transition) -> Transition | None:
    """A transition by which to know it again."""
    return dataclasses.replace(transition, when=0.0, push=False) if isinstance(transition.moment, At) else transition


def _said(transition: Transition) -> float:
    """The time a transition was given, or none at all."""
    return transition.moment.time if isinstance(transition.moment, At) else np.inf
