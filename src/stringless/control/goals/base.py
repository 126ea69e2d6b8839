"""What every goal has: a target, a priority, a weight and gains."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from stringless.control.checks import numbers
from stringless.control.data_keys import find_key
from stringless.control.goals.fields import SHARED_FIELDS, WORLD_AXES, GoalField, plain
from stringless.control.goals.targets import Follower
from stringless.errors import InputError, renamed, renamed_arguments
from stringless.spatial.arrays import FloatArray

if TYPE_CHECKING:
    from stringless.control.director import Director

__all__ = ["WORLD_AXES", "Goal", "axis_fields"]
SHARED = ("priority", "weight", "stiffness", "damping", "fade", "push", "started")
"""What every goal has."""


class Goal:
    """Something wanted of a character. It lasts until it is released."""

    kind: ClassVar[str] = ""
    """Name under which `Director.add` knows it."""
    label: ClassVar[str] = ""
    """A word or two for lists; the name of the bone follows, if it has one. The first line of the docstring is its help."""
    icon: ClassVar[str] = "target"
    """Name of an icon of the page."""
    unit: ClassVar[Literal["m", "rad"]] = "m"
    """Of its error."""
    fields: ClassVar[tuple[GoalField, ...]] = SHARED_FIELDS
    """What can be set, as lists and editors show it. Fields beyond those shared are checked, kept and restored by themselves."""
    targets: ClassVar[Mapping[str, tuple[str, type[Follower]]]] = {}
    """Targets that may move, by the name that they have in the data: the attribute that holds each, and its type."""
    moves: ClassVar[tuple[Literal["target", "orientation"], ...]] = ()
    """What a hand, or the command `move_goal`, can give it: a target in space by `move`, an orientation by `turn`."""
    by_hand: ClassVar[bool] = False
    """Whether dragging can begin one: a hand gives it a bone and the point that it holds, or a character."""
    level: ClassVar[int] = 3
    """Priority if none is given: 1 is met first. Pins are 1, poses 2, drags 3."""
    rate: ClassVar[float] = 30.0
    """Stiffness if none is given."""
    index: int
    """That of the character it is about, of a goal that is about one as a whole."""
    pushes: ClassVar[bool] = False
    """Whether it may push off from the ground if `push` is not given."""

    @renamed_arguments(firmness="stiffness")
    def __init__(
        self,
        director: Director,
        *,
        priority: int | None = None,
        weight: float = 1.0,
        stiffness: float | None = None,
        damping: float = 1.0,
        fade: float = 0.0,
        push: bool | None = None,
    ) -> None:
        """Check what all goals share.

        Args:
            director: whose goal it is.
            priority: goals of a lower number are met first, and are not disturbed by those of a higher one.
            weight: within its priority.
            stiffness: how fast an error is corrected, as a natural frequency [1/s]; the acceleration per error is its square.
            damping: 1 arrives without swinging over, less swings.
            fade: time in which the goal comes into force [s].
            push: whether it may push off from the ground.
        """
        self.director = director
        self.id = director.new_id()
        """Its number, which no other goal of the director ever has."""
        self.priority = self.level if priority is None else priority
        self.weight = weight
        self.stiffness = self.rate if stiffness is None else stiffness
        self.damping = damping
        self.fade = fade
        self.push = self.pushes if push is None else push
        self.started = director.time
        self.active = True

    def __setattr__(self, name: str, value: Any) -> None:
        """Check gains and priority whenever they are set, and let them take effect at the next step."""
        field = self.all_fields().get(name)
        if field is not None:
            value = field.check(value)
        elif name == "point":
            value = numbers(value, name)
        elif name == "priority" and (isinstance(value, bool) or not isinstance(value, (int, np.integer))):
            raise InputError(f"priority is {value!r}; expected a whole number, 1 for what comes first")
        object.__setattr__(self, name, value)
        if "active" in self.__dict__ and (field is not None or name in (*SHARED, "point")):
            self.director.rebuild()

    @classmethod
    @functools.cache
    def all_fields(cls) -> dict[str, GoalField]:
        """What can be set, by name."""
        return {field.name: field for field in cls.fields}

    @classmethod
    @functools.cache
    def own_fields(cls) -> tuple[str, ...]:
        """Names of fields beyond those that every goal has."""
        return tuple(name for name in cls.all_fields() if name not in SHARED)

    @classmethod
    def has_option(cls, option: str) -> bool:
        """Whether the constructor has a parameter of this name."""
        return option in inspect.signature(cls).parameters

    # --- as data ---

    def as_data(self) -> dict[str, Any]:
        """Everything that was set, as plain data."""
        data = {find_key(name): plain(getattr(self, name)) for name in ("id", "kind", *SHARED, *self.own_fields())}
        for name, (attribute, _) in self.targets.items():
            follower = getattr(self, attribute)
            data[name] = None if follower is None else follower.as_data(self.director.time)
        return data | ({"character": self.director.characters[self.index].name} if "index" in self.__dict__ else {})

    @classmethod
    def from_data(cls, director: Director, data: Mapping[str, Any], paths: Mapping[str, Any]) -> Self:
        """What `as_data` returned; the director does not know it yet. `paths` are the kinds of moving targets."""
        goal = cls.__new__(cls)
        goal.director, goal.id = director, int(data["id"])
        for name in SHARED:
            setattr(goal, name, data[find_key(name)])
        goal.take_data(data, paths)
        goal.active = True
        return goal

    def take_data(self, data: Mapping[str, Any], paths: Mapping[str, Any]) -> None:
        """Take what is a goal's own from its data: fields and targets; what else `as_data` returned, a class takes itself."""
        for name in self.own_fields():
            setattr(self, name, data[name])
        for name, (attribute, kind) in self.targets.items():
            setattr(self, attribute, None if data[name] is None else kind.from_data(data[name], paths))
        if "character" in data:
            self.index = self.director.find_character(data["character"])

    def take_over(self, other: Goal) -> None:
        """Become another goal of the same kind; a live stream that feeds both stays the one that is fed."""
        for name, value in other.__dict__.items():
            mine = self.__dict__.get(name)
            if isinstance(value, Follower) and isinstance(mine, Follower):
                mine.share_stream(value)
        self.__dict__.update(other.__dict__)

    @property
    def followers(self) -> dict[str, Follower]:
        """Targets that may move, by the name that they have in the data."""
        found = {name: getattr(self, attribute) for name, (attribute, _) in self.targets.items()}
        return {name: follower for name, follower in found.items() if follower is not None}

    # --- for the step ---

    @property
    def gains(self) -> dict[str, float]:
        """Fields of a task row that come from stiffness, damping, weight and fading in."""
        return {
            "kp": self.stiffness**2,
            "kv": 2 * self.damping * self.stiffness,
            "weight": math.sqrt(self.weight),
            "start": self.started,
            "fade": self.fade,
        }

    def tasks(self) -> list[dict[str, Any]]:
        """Rows for the kernels, as fields of `TASK_ROW`."""
        raise NotImplementedError

    @property
    def character(self) -> int:
        """Index of the character it is about."""
        return self.index

    @property
    def bone(self) -> str:
        """Name of the body it is about; empty if it concerns the whole character."""
        return ""

    def find_place(self, positions: FloatArray, rotations: FloatArray) -> FloatArray:
        """The point it acts on where bodies have these poses, shape (n, 3) and (n, 3, 3)."""
        return self.director.center_of_gravity(self.character)[0]

    @property
    def error(self) -> float:
        """How far the character is from the target now [m or rad]."""
        raise NotImplementedError

    def sample_targets(self, time: float, tick: float) -> bool:
        """Look up moving targets for the time from `time` on; whether any may move again within `tick`."""
        return sum(follower.sample_path(time, tick) for follower in self.followers.values()) > 0

    def update_rows(self) -> None:
        """Write the rows of the task table again: something that they follow from has changed."""
        self.check_active()
        self.director.revision += 1
        self.director.refresh(self)

    def check_active(self) -> None:
        """Say so if it is no longer active."""
        if not self.active:
            raise InputError(
                f"this {self.kind} (goal {self.id}) is no longer active: it was released, or belongs to a future that was "
                "left; begin another one"
            )

    def release(self) -> None:
        """Let go."""
        if self.active:
            self.active = False
            self.director.drop(self)

    # --- names of earlier versions ---

    firmness = renamed("firmness", "stiffness")
    changed = renamed("changed", "update_rows")


def axis_fields(rows: FloatArray) -> dict[str, Any]:
    """Fields of a task row for these directions."""
    return {"count": len(rows), "axes": np.concatenate([rows.ravel(), np.zeros(9 - rows.size)])}
