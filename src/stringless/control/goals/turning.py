"""Turn the whole character: the orientation of its root follows a target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from stringless.control.goals.base import FloatArray, Goal, axis_fields, vector3
from stringless.control.tables import TURN
from stringless.errors import InputError
from stringless.model.pose import quaternion_from_matrix

if TYPE_CHECKING:
    from stringless.control.director import Director


def unit_quaternion(values: ArrayLike) -> FloatArray:
    """A quaternion of unit length, or say what is wrong."""
    array = np.array(values, dtype=np.float64)
    size = float(np.linalg.norm(array)) if array.shape == (4,) else 0.0
    if not (np.isfinite(size) and size > 1e-9):
        raise InputError(f"orientation is {values!r}; expected a quaternion x, y, z, w of a length above 0")
    return array / size


def orientation_error(rotation: FloatArray, wanted: FloatArray) -> float:
    """Angle between an orientation and a wanted one [rad]."""
    here = np.array(quaternion_from_matrix(rotation))
    return 2.0 * float(np.arccos(min(1.0, abs(float(here @ wanted)))))


class Turn(Goal):
    """The root of a character turns to an orientation."""

    kind = "turn"
    rate = 12.0

    def __init__(
        self,
        director: Director,
        orientation: ArrayLike | None = None,
        *,
        character: str | int | None = None,
        rate: ArrayLike = (0.0, 0.0, 0.0),
        hold: float = 0.0,
        push: bool = True,
        **options: Any,
    ) -> None:
        """Turn a character.

        Args:
            director: of the simulation.
            orientation: wanted, as a quaternion x, y, z, w; the present one if not given.
            character: name of any of its bodies; needed where there are several characters.
            rate: angular velocity with which the target turns on, along world axes [rad/s] ...
            hold: ... and for how long [s].
            push: whether the character may push off from the ground for it.
            options: priority, weight, firmness, damping and fade of every goal.
        """
        super().__init__(director, push=push, **options)
        self.index = director.find_character(character)
        self.move(director.orientation(self.body) if orientation is None else orientation, rate, hold)

    @property
    def character(self) -> int:
        """Index of the character it is about."""
        return self.index

    @property
    def body(self) -> int:
        """The root."""
        return self.director.root(self.index)

    def move(self, orientation: ArrayLike, rate: ArrayLike = (0.0, 0.0, 0.0), hold: float = 0.0) -> None:
        """Set the target, and how it turns on from there for `hold` seconds."""
        self.orientation, self.angular_rate = unit_quaternion(orientation), vector3(rate, "rate")
        self.since, self.until = self.director.time, self.director.time + hold
        self.changed()

    @property
    def error(self) -> float:
        """Angle from the orientation last set [rad]."""
        return orientation_error(self.director.poses().rotation[self.body], self.orientation)

    def tasks(self) -> list[dict[str, Any]]:
        """One orientation."""
        row = {"kind": TURN, "body": self.body, "Q": self.orientation, "w": self.angular_rate, "since": self.since,
               "until": self.until, "top": 20.0, **self.gains, **axis_fields(np.eye(3))}  # fmt: skip
        return [row]
