"""Drag or pin a bone: a point of it follows a target, and its orientation too if wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from stringless.control.goals.base import WORLD_AXES, axis_fields
from stringless.control.goals.pursuit import Pursuit
from stringless.control.goals.registry import register_goal
from stringless.control.goals.targets import Turner
from stringless.control.goals.turn import orientation_error
from stringless.control.tables import PLACE, TURN
from stringless.errors import InputError
from stringless.spatial.arrays import FloatArray

if TYPE_CHECKING:
    from stringless.control.director import Director


@register_goal
class Drag(Pursuit):
    """A point of a bone follows a target."""

    kind = "drag"
    label = "Drag"
    icon = "hand"
    moves = ("target", "orientation")
    targets: ClassVar = {**Pursuit.targets, "orientation": ("turner", Turner)}

    point: FloatArray
    by_hand = True

    def __init__(
        self,
        director: Director,
        bone: str | int,
        target: Any = None,
        *,
        point: ArrayLike = (0.0, 0.0, 0.0),
        orientation: Any = None,
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
            orientation: of the bone, as a quaternion x, y, z, w or a function of time; free if not given.
            axes: directions that count, such as 'y' for the height alone; all three if not given.
            top_speed: at which a far target is approached [m/s]; twenty times the character's size a second if not given.
            options: priority, weight, stiffness, damping, fade and push of every goal.
        """
        super().__init__(director, axes=axes, top_speed=top_speed, **options)
        self.body = director.model.body(bone).index
        self.point = point  # pyright: ignore[reportAttributeAccessIssue]
        self.turner = None if orientation is None else Turner(director.time, orientation)
        self.begin(target)

    @property
    def character(self) -> int:
        """Index of the character it is about."""
        return self.director.find_character_of(self.body)

    @property
    def bone(self) -> str:
        """Name of the body it is about."""
        return self.director.model.bodies[self.body].name

    def find_place(self, positions: FloatArray, rotations: FloatArray) -> FloatArray:
        """The point where bodies have these poses."""
        return positions[self.body] + rotations[self.body] @ self.point

    @property
    def position(self) -> FloatArray:
        """Where the point is now [m]."""
        poses = self.director.poses()
        return self.find_place(poses.position, poses.rotation)

    @property
    def orientation(self) -> FloatArray | None:
        """How the bone shall be turned now, as a quaternion x, y, z, w; None if it is free."""
        return None if self.turner is None else self.turner.find_value(self.director.time)

    def turn(self, orientation: Any) -> None:
        """Set the orientation, to a quaternion or a function of time, or free it with None."""
        self.turner = None if orientation is None else Turner(self.director.time, orientation)
        self.update_rows()

    @property
    def turn_error(self) -> float:
        """Angle from the wanted orientation [rad]; 0 if none is wanted."""
        wanted = self.orientation
        return 0.0 if wanted is None else orientation_error(self.director.poses().rotation[self.body], wanted)

    def tasks(self) -> list[dict[str, Any]]:
        """A point, and an orientation if wanted."""
        rows: list[dict[str, Any]] = []
        if len(self.axes):
            place = {"kind": PLACE, "r": self.point, "top": self.top}
            rows.append({**place, **axis_fields(self.axes), **self.follower.fields})
        if self.turner is not None:
            rows.append({"kind": TURN, "top": 20.0, **axis_fields(WORLD_AXES), **self.turner.fields})
        return [{"body": self.body, **row, **self.gains} for row in rows]

    def as_data(self) -> dict[str, Any]:
        """Everything that was set, as plain data."""
        return super().as_data() | {"bone": self.bone, "point": self.point.tolist()}

    def take_data(self, data: Mapping[str, Any], paths: Mapping[str, Any]) -> None:
        """Take what is a goal's own from its data."""
        super().take_data(data, paths)
        self.body, self.point = self.director.model.body(data["bone"]).index, data["point"]


@register_goal
class Pin(Drag):
    """A bone stays where it is: its point, its orientation, or both."""

    kind = "pin"
    label = "Pin"
    icon = "pin"
    by_hand = False
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
            options: `point`, and priority, weight, stiffness, damping and fade of every goal.
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
