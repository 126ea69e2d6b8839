"""What every goal has: a target, a priority, a weight and gains."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from stringless.control.goals.fields import SHARED_FIELDS, GoalField, plain
from stringless.control.goals.targets import FloatArray, Follower, vector3
from stringless.errors import InputError

if TYPE_CHECKING:
    from stringless.control.director import Director

WORLD_AXES = np.eye(3)
SHARED = ("priority", "weight", "firmness", "damping", "fade", "push", "started")
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
    moves: ClassVar[tuple[Literal["target", "orientation"], ...]] = ()
    """What a hand, or the command `move_goal`, can give it: a target in space by `move`, an orientation by `turn`."""
    by_hand: ClassVar[bool] = False
    """Whether dragging can begin one: a hand gives it a bone and the point that it holds, or a character."""
    level: ClassVar[int] = 3
    """Priority if none is given: 1 is met first. Pins are 1, poses 2, drags 3."""
    rate: ClassVar[float] = 30.0
    """Firmness if none is given."""
    pushes: ClassVar[bool] = False
    """Whether it may count on the ground to push off from, unless told."""

    def __init__(
        self,
        director: Director,
        *,
        priority: int | None = None,
        weight: float = 1.0,
        firmness: float | None = None,
        damping: float = 1.0,
        fade: float = 0.0,
        push: bool | None = None,
    ) -> None:
        """Check what all goals share.

        Args:
            director: whose goal it is.
            priority: goals of a lower number are met first, and are not disturbed by those of a higher one.
            weight: within its priority.
            firmness: how fast an error is made good [1/s]; the acceleration per error is its square.
            damping: 1 arrives without swinging over, less swings.
            fade: time in which the goal comes into force [s].
            push: whether it may count on the ground to push off from.
        """
        self.director = director
        self.id = director.new_id()
        """Its number, which no other goal of the director ever has."""
        self.priority = self.level if priority is None else priority
        self.weight = weight
        self.firmness = self.rate if firmness is None else firmness
        self.damping = damping
        self.fade = fade
        self.push = self.pushes if push is None else push
        self.started = director.time
        self.active = True

    def __setattr__(self, name: str, value: Any) -> None:
        """Check gains and priority whenever they are set, and let them take effect at the next step."""
        if name == "axes" and not isinstance(value, np.ndarray):
            value = directions(value)
        elif name in ("firmness", "damping", "weight"):
            value = _positive(value, name)
        elif name == "priority" and (isinstance(value, bool) or not isinstance(value, (int, np.integer))):
            raise InputError(f"priority is {value!r}; expected a whole number, 1 for what comes first")
        elif name == "fade" and not (isinstance(value, (int, float)) and math.isfinite(value) and value >= 0):
            raise InputError(f"fade is {value!r} s; expected a finite number of 0 or more")
        elif name == "push" and not isinstance(value, (bool, np.bool_)):
            raise InputError(f"push is {value!r}; expected True or False")
        elif name == "top_speed":
            value = None if value is None else _positive(value, name)
        elif name == "point":
            value = vector3(value, name)
        elif name in self.own_fields():
            value = self.own_fields()[name].check(value)
        object.__setattr__(self, name, value)
        if "active" in self.__dict__ and (name in (*SHARED, "point") or name in self.own_fields()):
            self.director.rebuild()

    @classmethod
    @functools.cache
    def own_fields(cls) -> dict[str, GoalField]:
        """Fields beyond those that every goal has, by name."""
        return {field.name: field for field in cls.fields if field.name not in SHARED}

    @classmethod
    def takes(cls, option: str) -> bool:
        """Whether the constructor has a parameter of this name."""
        return option in inspect.signature(cls).parameters

    # --- as data ---

    def as_data(self) -> dict[str, Any]:
        """Everything that was set, as plain data."""
        shared = {name: getattr(self, name) for name in ("id", "kind", *SHARED, *self.own_fields())}
        shared |= {name: plain(shared[name]) for name in self.own_fields()}
        return {**shared, "priority": int(self.priority), "push": bool(self.push), "fade": float(self.fade)}

    @classmethod
    def from_data(cls, director: Director, data: Mapping[str, Any], paths: Mapping[str, Any]) -> Self:
        """What `as_data` told; the director does not know it yet. `paths` are the kinds of moving targets."""
        goal = cls.__new__(cls)
        goal.director, goal.id = director, int(data["id"])
        for name in SHARED:
            setattr(goal, name, data[name])
        goal.take_data(data, paths)
        goal.active = True
        return goal

    def take_data(self, data: Mapping[str, Any], paths: Mapping[str, Any]) -> None:
        """Take what is a goal's own from its data: its own fields; what else `as_data` told, a class takes itself."""
        for name in self.own_fields():
            setattr(self, name, data[name])

    def take_over(self, other: Goal) -> None:
        """Become another goal of the same kind; a live stream that feeds both stays the one that is fed."""
        for name, value in other.__dict__.items():
            mine = self.__dict__.get(name)
            if isinstance(value, Follower) and isinstance(mine, Follower):
                mine.hand_over(value)
        self.__dict__.update(other.__dict__)

    @property
    def followers(self) -> dict[str, Follower]:
        """Targets that may move, by the name that they have in the data."""
        found = {"target": self.__dict__.get("follower"), "orientation": self.__dict__.get("turner")}
        return {name: follower for name, follower in found.items() if follower is not None}

    # --- for the step ---

    @property
    def gains(self) -> dict[str, float]:
        """Fields of a task row that come from firmness, damping, weight and fading in."""
        return {
            "kp": self.firmness**2,
            "kv": 2 * self.damping * self.firmness,
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
        raise NotImplementedError

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

    def sample(self, time: float, tick: float) -> bool:
        """Look up a moving target for the time from `time` on; whether it may move again within `tick`."""
        return False

    def changed(self) -> None:
        """Tell the director that the rows are no longer those it has."""
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


def directions(axes: str | Sequence[Sequence[float]] | None) -> FloatArray:
    """Directions that a goal cares for, orthonormal: letters such as 'y' or 'xz', vectors, or all three."""
    if axes is None:
        return WORLD_AXES
    if isinstance(axes, str):
        if not axes or any(letter not in "xyz" for letter in axes) or len(set(axes)) != len(axes):
            raise InputError(f"directions '{axes}' are unknown; give one or more of x, y, z, or vectors")
        return WORLD_AXES[["xyz".index(letter) for letter in axes]]
    try:
        rows = np.atleast_2d(np.array(axes, dtype=np.float64))
    except (TypeError, ValueError):
        rows = np.zeros((1, 0))
    if rows.shape[1:] != (3,) or not 1 <= len(rows) <= 3 or np.linalg.matrix_rank(rows) < len(rows):
        raise InputError(f"directions {axes!r} are not one to three independent vectors")
    return np.linalg.qr(rows.T)[0].T


def axis_fields(rows: FloatArray) -> dict[str, Any]:
    """Fields of a task row for these directions."""
    return {"count": len(rows), "axes": np.concatenate([rows.ravel(), np.zeros(9 - rows.size)])}


def _positive(value: Any, name: str) -> float:
    if not (isinstance(value, (int, float, np.floating, np.integer)) and math.isfinite(value) and value > 0):
        raise InputError(f"{name} is {value!r}; expected a finite number above 0")
    return float(value)
