"""Drag or pin a bone: a point of it follows a target, and its orientation too if wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from stringless.control.goals.base import FloatArray, Follower, Goal, axis_fields, directions, vector3
from stringless.control.goals.turning import orientation_error, unit_quaternion
from stringless.control.tables import PLACE, TURN
from stringless.errors import InputError

if TYPE_CHECKING:
    from stringless.control.director import Director


class Drag(Goal):
    """A point of a bone follows a target."""

    kind = "drag"

    def __init__(
        self,
        director: Director,
        bone: str | int,
        target: Any = None,
        *,
        point: ArrayLike = (0.0, 0.0, 0.0),
        orientation: ArrayLike | None = None,
        axes: str | Sequence[Sequence[float]] | None = None,
        top_speed: float | None = None,
        **options: Any,
    ) -> None:
        """Begin to drag.

        Args:
            director: of the simulation.
            bone: name or index of the body.
            target: where the point shall be: three numbers, a function of time, or a live stream; where it is if not
                given [m].
            point: on the bone, along its own axes [m].
            orientation: of the bone, as a quaternion x, y, z, w; free if not given.
            axes: directions that count, such as 'y' for the height alone; all three if not given.
            top_speed: at which a far target is approached [m/s]; twenty times the character's size a second if not given.
            options: priority, weight, firmness, damping, fade and push of every goal.
        """
        super().__init__(director, **options)
        self.body = director.model.body(bone).index
        self.point = vector3(point, "point")
        self.axes = directions(axes)
        self.top_speed = top_speed
        self.follower = Follower(director.time, self.position if target is None else target)
        self.orientation = None if orientation is None else unit_quaternion(orientation)

    @property
    def character(self) -> int:
        """Index of the character it is about."""
        return self.director.character_of(self.body)

    @property
    def position(self) -> FloatArray:
        """Where the point is now [m]."""
        poses = self.director.poses()
        return poses.position[self.body] + poses.rotation[self.body] @ self.point

    @property
    def target(self) -> FloatArray:
        """Where it shall be now [m]. Set it to three numbers, a function of time or a stream."""
        return self.follower.now(self.director.time)

    @target.setter
    def target(self, value: Any) -> None:
        self.move(value)

    def move(self, target: Any, velocity: ArrayLike | None = None, hold: float = 0.0) -> None:
        """Set the target, and how it moves on from there for `hold` seconds."""
        self.follower.set(self.director.time, target, velocity, hold)
        self.changed()

    def turn(self, orientation: ArrayLike | None) -> None:
        """Set or free the orientation."""
        self.orientation = None if orientation is None else unit_quaternion(orientation)
        self.director.rebuild()

    def sample(self, time: float, tick: float) -> bool:
        """Look up a moving target."""
        return self.follower.look(time, tick)

    @property
    def error(self) -> float:
        """Distance from the target, along the directions that count [m]."""
        return float(np.linalg.norm(self.axes @ (self.target - self.position)))

    @property
    def turn_error(self) -> float:
        """Angle from the wanted orientation [rad]; 0 if none is wanted."""
        if self.orientation is None:
            return 0.0
        return orientation_error(self.director.poses().rotation[self.body], self.orientation)

    def tasks(self) -> list[dict[str, Any]]:
        """A point, and an orientation if wanted."""
        top = self.director.size(self.character) * 20.0 if self.top_speed is None else self.top_speed
        rows: list[dict[str, Any]] = []
        if len(self.axes):
            rows.append({"kind": PLACE, "body": self.body, "r": self.point, "top": top, **self.gains,
                         **axis_fields(self.axes), **self.follower.fields})  # fmt: skip
        if self.orientation is not None:
            rows.append({"kind": TURN, "body": self.body, "Q": self.orientation, "top": 20.0, **self.gains,
                         **axis_fields(np.eye(3))})  # fmt: skip
        return rows


class Pin(Drag):
    """A bone stays where it is: its point, its orientation, or both."""

    kind = "pin"
    level = 1

    def __init__(
        self,
        director: Director,
        bone: str | int,
        *,
        position: bool | ArrayLike = True,
        orientation: bool | ArrayLike = False,
        axes: str | Sequence[Sequence[float]] | None = None,
        **options: Any,
    ) -> None:
        """Pin a bone.

        Args:
            director: of the simulation.
            bone: name or index of the body.
            position: True to hold the point where it is, False to leave it free, or three numbers [m].
            orientation: True to hold the orientation as it is, or a quaternion x, y, z, w.
            axes: directions in which the position is held, such as 'y' for the height alone.
            options: `point`, and priority, weight, firmness, damping and fade of every goal.
        """
        target = None if isinstance(position, bool) else position
        held = None if isinstance(orientation, bool) else orientation
        if orientation is True:
            held = director.orientation(director.model.body(bone).index)
        super().__init__(director, bone, target, orientation=held, axes=axes, **options)
        if position is False:
            if held is None:
                raise InputError(f"the pin of '{bone}' holds neither position nor orientation; set one of them")
            self.axes = np.zeros((0, 3))
