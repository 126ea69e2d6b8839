"""Transitions of a motion: grips, releases and bounces, and when they happen.

A motion is a row of clips, each with its own configuration. What leads from one to the next happens at a time that is fixed,
at one that may change with an edit, or when a point of the character meets a bar, a wall or the floor.
"""

import dataclasses
import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stringless.control.checks import number, numbers
from stringless.errors import InputError, renamed
from stringless.spatial.arrays import FloatArray

Vector = tuple[float, ...]
LARGEST = 1e6
"""No length, velocity or the like that is said may be larger than this."""
three = functools.partial(numbers, unit="m", most=LARGEST)
"""Three numbers, or what is wrong with them."""
MOST_STEPS = 1_000_000
LEVEL = 0.999
"""A plane whose normal points up by more than this is a floor."""


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

    @property
    def name(self) -> str:
        """What a person calls it."""
        return "floor" if self.direction(np.asarray(self.point))[1] > LEVEL else "wall"

    def __str__(self) -> str:
        """Say it as a person would."""
        floor = f"the floor at a height of {self.point[1]:.3g} m"
        return floor if self.name == "floor" else f"the wall through {_spot(self.point)}"


@dataclass(frozen=True)
class Bar:
    """A straight bar through a point; it is caught where a point comes nearest to its line, within its radius."""

    point: Vector
    direction_of: Vector = (0.0, 0.0, 1.0)
    radius: float = 0.02
    """[m]."""

    @property
    def axis(self) -> FloatArray:
        """The unit vector along it."""
        d = np.asarray(self.direction_of, float)
        return d / np.linalg.norm(d)

    def across(self, x: FloatArray) -> FloatArray:
        """From the line of the bar to points, (..., 3), normal to it."""
        r = np.asarray(x) - np.asarray(self.point)
        d = self.axis
        return r - (r @ d)[..., None] * d

    def distance(self, x: FloatArray) -> FloatArray:
        """How far points, (..., 3), are from its surface [m]."""
        return np.linalg.norm(self.across(x), axis=-1) - self.radius

    def direction(self, x: FloatArray) -> FloatArray:
        """Gradient of the distance at one point."""
        r = self.across(x)
        return r / np.linalg.norm(r)

    @property
    def name(self) -> str:
        """What a person calls it."""
        return "bar"

    def __str__(self) -> str:
        """Say it as a person would."""
        return f"the bar through {_spot(self.point)}"


def _spot(point: Vector) -> str:
    return f"({', '.join(f'{x:.3g}' for x in point)}) m"


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
    """Whether an edit may add velocities here, small ones that are hard to notice: a plausible motion, not an exact one."""

    @property
    def timing(self) -> At | Touch:
        """When it happens."""
        return self.when if isinstance(self.when, (At, Touch)) else At(float(self.when))

    moment = renamed("moment", "timing")
    """Its name in earlier versions."""


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


nothing = functools.partial(np.zeros, 0)


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


def check_parts(transition: Any, what: str) -> None:
    """Refuse a transition whose parts are not what they should be."""
    if not isinstance(transition, Transition):
        raise InputError(f"{what} is {transition!r}; expected a `Grip`, a `Release` or a `Bounce`")
    when = transition.when
    if isinstance(when, Touch):
        check_surface(when.surface, what)
    else:
        number(when.time if isinstance(when, At) else when, f"the time of {what}", "s")
    if isinstance(transition, (Grip, Bounce)):
        three(transition.point, f"the point of {what}")
    if isinstance(transition, Grip) and transition.axis is not None:
        three(transition.axis, f"the axis of {what}", unit="")


def check_surface(surface: Any, what: str) -> None:
    """Refuse a surface that has no direction or no size."""
    if not isinstance(surface, (Plane, Bar)):
        raise InputError(f"{what} waits for {surface!r}; expected a `Plane` or a `Bar`")
    whole, part = f"the {type(surface).__name__.lower()} of {what}", "normal"
    three(surface.point, f"the point of {whole}")
    if isinstance(surface, Bar):
        part = "direction"
        if not number(surface.radius, f"the radius of {whole}", "m") > 0.0:
            raise InputError(f"{whole} has a radius of {surface.radius!r}; expected a number above 0 [m]")
    along = surface.direction_of if isinstance(surface, Bar) else surface.normal
    if not np.any(three(along, f"the {part} of {whole}", unit="")):
        raise InputError(f"{whole} has the {part} {along}; expected one that is not zero")


def check_transitions(transitions: tuple[Transition, ...], duration: float) -> None:
    """Refuse transitions whose order or times are impossible."""
    before = 0.0
    held = False
    for count, transition in enumerate(transitions, start=1):
        what = f"transition {count} ({type(transition).__name__.lower()})"
        check_parts(transition, what)
        timing = transition.timing
        if isinstance(timing, At):
            if not before < timing.time < duration:
                raise InputError(
                    f"{what} is at {timing.time:g} s; expected a time after {before:g} s, where the clip before it begins, and "
                    f"before {duration:g} s, where the motion ends"
                )
            before = timing.time
        elif isinstance(transition, Release):
            raise InputError(f"{what} waits for a touch; expected a time, `At` or a number [s]")
        if isinstance(transition, Bounce):
            if not isinstance(timing, Touch) or not isinstance(timing.surface, Plane):
                raise InputError(f"{what} is {timing}; expected `Touch` of a `Plane`, which it bounces off")
            if not 0.0 <= number(transition.restitution, f"the restitution of {what}") <= 1.0:
                raise InputError(f"{what} has restitution {transition.restitution:g}; expected 0 to 1")
        if isinstance(transition, Grip):
            if held:
                raise InputError(
                    f"{what} holds a character that is held already; expected one grip at a time: let go before (`Release`)"
                )
            held = True
        if isinstance(transition, Release):
            held = False


def set_time(transition: Transition, time: float, *, free: bool) -> Transition:
    """The same transition at another time, unless it waits for a touch."""
    if not isinstance(transition.timing, At):
        return transition
    return dataclasses.replace(transition, when=At(time, free=free))


def match_transitions(before: Sequence[Transition], after: Sequence[Transition]) -> dict[int, int]:
    """Which transitions happened before, by number: those at the times they were given first, then others but for the time."""
    out: dict[int, int] = {}
    for same_time in (True, False):
        for k, transition in enumerate(after):
            for j, known in enumerate(before):
                same = _without_time(transition) == _without_time(known)
                if (
                    same
                    and k not in out
                    and j not in out.values()
                    and (not same_time or _said(transition) == _said(known))
                ):
                    out[k] = j
    return out


def carry_controls(
    controls: Controls, before: tuple[Transition, ...], plain: Controls, after: tuple[Transition, ...]
) -> Controls:
    """Controls for other transitions: those that happened before keep the times and pushes that edits have given them."""
    times, pushes = list(plain.times), list(plain.pushes)
    for k, j in match_transitions(before, after).items():
        if _said(after[k]) == _said(before[j]):
            times[k] = controls.times[j]
        if len(controls.pushes[j]) == len(pushes[k]):
            pushes[k] = controls.pushes[j].copy()
    return dataclasses.replace(controls, times=tuple(times), pushes=tuple(pushes))


def map_columns(
    columns: Iterable[Column], before: Sequence[Transition], after: Sequence[Transition]
) -> tuple[set[Column], set[Column]]:
    """Columns for other transitions, each with its own, and those whose transition is gone, as they were."""
    places = {j: k for k, j in match_transitions(before, after).items()}
    kept: set[Column] = set()
    gone: set[Column] = set()
    for column in columns:
        if column.attribute not in ("time", "push"):
            kept.add(column)
        elif column.transition in places:
            kept.add(dataclasses.replace(column, transition=places[column.transition]))
        else:
            gone.add(column)
    return kept, gone


def _without_time(transition: Transition) -> Transition:
    """A transition by which to know it again."""
    return dataclasses.replace(transition, when=0.0, push=False) if isinstance(transition.timing, At) else transition


def _said(transition: Transition) -> float:
    """The time a transition was given, or none at all."""
    return transition.timing.time if isinstance(transition.timing, At) else np.inf
