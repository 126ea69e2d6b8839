"""Turn the whole character: the orientation of its root follows a target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from stringless.control.goals.base import WORLD_AXES, Goal, axis_fields
from stringless.control.goals.registry import register_goal
from stringless.control.goals.targets import Turner
from stringless.control.tables import TURN
from stringless.model.pose import quaternion_from_matrix
from stringless.spatial.arrays import FloatArray

if TYPE_CHECKING:
    from stringless.control.director import Director


def orientation_error(rotation: FloatArray, wanted: FloatArray) -> float:
    """Angle between an orientation and a wanted one [rad]."""
    here = np.array(quaternion_from_matrix(rotation))
    return 2.0 * float(np.arccos(min(1.0, abs(float(here @ wanted)))))


@register_goal
class Turn(Goal):
    """The root of a character turns to an orientation."""

    kind = "turn"
    label = "Turn"
    icon = "turn"
    unit = "rad"
    moves = ("orientation",)
    targets: ClassVar = {"orientation": ("turner", Turner)}
    by_hand = True
    rate = 12.0
    pushes = True

    def __init__(
        self,
        director: Director,
        orientation: Any = None,
        *,
        character: str | int | None = None,
        rate: ArrayLike | None = None,
        hold: float = 0.0,
        **options: Any,
    ) -> None:
        """Turn a character.

        Args:
            director: of the simulation.
            orientation: wanted, as a quaternion x, y, z, w or a function of time that gives one; the present one if not
                given.
            character: name of any of its bodies; needed where there are several characters.
            rate: angular velocity with which the target turns on, along world axes [rad/s] ...
            hold: ... and for how long [s].
            options: priority, weight, stiffness, damping, fade and push of every goal.
        """
        super().__init__(director, **options)
        self.index = director.find_character(character)
        self.turner = Turner(director.time, director.orientation(self.body) if orientation is None else orientation)
        if not callable(orientation):
            self.move(self.turner.value, rate, hold)

    @property
    def body(self) -> int:
        """The root."""
        return self.director.characters[self.index].root

    def find_place(self, positions: FloatArray, rotations: FloatArray) -> FloatArray:
        """The root's origin where bodies have these poses."""
        return positions[self.body]

    @property
    def orientation(self) -> FloatArray:
        """The wanted orientation now, as a quaternion x, y, z, w. Set it to one, or to a function of time."""
        return self.turner.find_value(self.director.time)

    @orientation.setter
    def orientation(self, value: Any) -> None:
        self.move(value)

    def move(self, orientation: Any, rate: ArrayLike | None = None, hold: float = 0.0) -> None:
        """Set the target, and how it turns on from there for `hold` seconds."""
        self.turner.set(self.director.time, orientation, rate, hold)
        self.update_rows()

    def turn(self, orientation: Any) -> None:
        """Set the target."""
        self.move(orientation)

    @property
    def error(self) -> float:
        """Angle from the wanted orientation [rad]."""
        return orientation_error(self.director.poses().rotation[self.body], self.orientation)

    def tasks(self) -> list[dict[str, Any]]:
        """One orientation."""
        row = {"kind": TURN, "body": self.body, "top": 20.0, **self.gains, **axis_fields(WORLD_AXES)}
        return [row | self.turner.fields]
