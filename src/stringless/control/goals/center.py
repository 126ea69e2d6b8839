"""Drag the centre of gravity, flesh included. A character can only do that by pushing off from something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from stringless.control.goals.base import FloatArray, Follower, Goal, axis_fields, directions
from stringless.control.tables import CENTER

if TYPE_CHECKING:
    from stringless.control.director import Director


class Center(Goal):
    """The centre of gravity of a character follows a target."""

    kind = "center"
    rate = 12.0

    def __init__(
        self,
        director: Director,
        target: Any = None,
        *,
        character: str | int | None = None,
        axes: str | Sequence[Sequence[float]] | None = None,
        top_speed: float | None = None,
        push: bool = True,
        **options: Any,
    ) -> None:
        """Begin to drag the centre of gravity.

        Args:
            director: of the simulation.
            target: three numbers, a function of time or a live stream; where it is if not given [m].
            character: name of any of its bodies; needed where there are several characters.
            axes: directions that count; all three if not given.
            top_speed: at which a far target is approached [m/s].
            push: False shows that without the ground nothing can be done.
            options: priority, weight, firmness, damping and fade of every goal.
        """
        super().__init__(director, push=push, **options)
        self.index = director.find_character(character)
        self.axes = directions(axes)
        self.top_speed = top_speed
        self.follower = Follower(director.time, self.position if target is None else target)

    @property
    def character(self) -> int:
        """Index of the character it is about."""
        return self.index

    @property
    def position(self) -> FloatArray:
        """Where the centre of gravity is now [m]."""
        return self.director.center_of_gravity(self.index)[0]

    @property
    def target(self) -> FloatArray:
        """Where it shall be now [m]."""
        return self.follower.now(self.director.time)

    @target.setter
    def target(self, value: Any) -> None:
        self.move(value)

    def move(self, target: Any, velocity: ArrayLike | None = None, hold: float = 0.0) -> None:
        """Set the target, and how it moves on from there for `hold` seconds."""
        self.follower.set(self.director.time, target, velocity, hold)
        self.changed()

    def sample(self, time: float, tick: float) -> bool:
        """Look up a moving target."""
        return self.follower.look(time, tick)

    @property
    def error(self) -> float:
        """Distance from the target, along the directions that count [m]."""
        return float(np.linalg.norm(self.axes @ (self.target - self.position)))

    def tasks(self) -> list[dict[str, Any]]:
        """One point, that of the centre of gravity."""
        top = self.director.size(self.index) * 20.0 if self.top_speed is None else self.top_speed
        return [{"kind": CENTER, "top": top, **self.gains, **axis_fields(self.axes), **self.follower.fields}]
