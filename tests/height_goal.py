"""A goal as somebody else would add it: one module outside of the package."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.control.goals import Goal, GoalField, register_goal
from stringless.control.goals.base import WORLD_AXES, axis_fields
from stringless.control.tables import PLACE


@register_goal
class Height(Goal):
    """A bone is held at a height, and may move sideways.

    This line is no part of its help.
    """

    kind = "height"
    label = "Hold height"
    fields = (
        *Goal.fields,
        GoalField(
            "height", "Height", "Of the bone's origin above the world's.", unit="m", low=-2.0, high=2.0, usual=0.0
        ),
        GoalField("gentle", "Gentle", "Whether it approaches a far height slowly.", kind="switch"),
    )
    moves = ("target",)
    by_hand = True

    def __init__(
        self,
        director: Any,
        bone: str | int,
        target: Any = None,
        *,
        height: float = 0.0,
        gentle: bool = False,
        **options: Any,
    ) -> None:
        """Hold a bone at a height; `target` is a place at that height."""
        super().__init__(director, **options)
        self.body = director.model.body(bone).index
        self.height = height if target is None else target[1]
        self.gentle = gentle

    @property
    def character(self) -> int:
        return self.director.find_character_of(self.body)

    @property
    def bone(self) -> str:
        return self.director.model.bodies[self.body].name

    def find_place(self, positions: NDArray[np.float64], rotations: NDArray[np.float64]) -> NDArray[np.float64]:
        return positions[self.body]

    @property
    def error(self) -> float:
        return abs(float(self.director.poses().position[self.body][1]) - self.height)

    def move(self, target: Any, velocity: Any = None, hold: float = 0.0) -> None:
        self.height = target[1]

    def tasks(self) -> list[dict[str, Any]]:
        top = 0.1 if self.gentle else 10.0
        row = {"kind": PLACE, "body": self.body, "r": np.zeros(3), "x": np.array((0.0, self.height, 0.0)), "top": top}
        return [{**row, **self.gains, **axis_fields(WORLD_AXES[1:2])}]

    def as_data(self) -> dict[str, Any]:
        return super().as_data() | {"bone": self.bone}

    def take_data(self, data: Any, paths: Any) -> None:
        super().take_data(data, paths)
        self.body = self.director.model.body(data["bone"]).index
