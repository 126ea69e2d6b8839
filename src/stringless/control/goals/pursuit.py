"""What drags of a bone and of the centre of gravity share: a point in space that follows a target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from stringless.control.goals.base import Goal
from stringless.control.goals.fields import AXES, TOP_SPEED
from stringless.control.goals.targets import Follower
from stringless.spatial.arrays import FloatArray

if TYPE_CHECKING:
    from stringless.control.director import Director


class Pursuit(Goal):
    """A point of a character follows a target."""

    fields = (*Goal.fields, TOP_SPEED, AXES)
    moves = ("target",)
    targets: ClassVar = {"target": ("follower", Follower)}

    axes: FloatArray
    follower: Follower

    def __init__(
        self,
        director: Director,
        *,
        axes: str | Sequence[Sequence[float]] | None = None,
        top_speed: float | None = None,
        **options: Any,
    ) -> None:
        """Check what all pursuits share; a derived class then calls `begin`."""
        super().__init__(director, **options)
        self.axes = axes  # pyright: ignore[reportAttributeAccessIssue]
        self.top_speed = top_speed

    def begin(self, target: Any) -> None:
        """Follow `target`: three numbers, a function of time or a live stream; where the point is if not given [m]."""
        self.follower = Follower(self.director.time, self.position if target is None else target)

    @property
    def position(self) -> FloatArray:
        """Where the point is now [m]."""
        raise NotImplementedError

    @property
    def target(self) -> FloatArray:
        """Where it shall be now [m]. Set it to three numbers, a function of time or a stream."""
        return self.follower.find_value(self.director.time)

    @target.setter
    def target(self, value: Any) -> None:
        self.move(value)

    def move(self, target: Any, velocity: ArrayLike | None = None, hold: float = 0.0) -> None:
        """Set the target, and how it moves on from there for `hold` seconds."""
        self.follower.set(self.director.time, target, velocity, hold)
        self.update_rows()

    @property
    def error(self) -> float:
        """Distance from the target, along the directions that count [m]."""
        return float(np.linalg.norm(self.axes @ (self.target - self.position)))

    @property
    def top(self) -> float:
        """Speed at which a far target is approached [m/s]."""
        size = self.director.characters[self.character].size
        return size * 20.0 if self.top_speed is None else self.top_speed

    def take_data(self, data: Mapping[str, Any], paths: Mapping[str, Any]) -> None:
        """Take what is a goal's own from its data."""
        axes = np.array(data["axes"], dtype=np.float64).reshape(-1, 3)  # as they are; a pin may have none
        super().take_data({**data, "axes": axes}, paths)
