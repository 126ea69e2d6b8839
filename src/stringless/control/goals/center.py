"""Drag the centre of gravity, flesh included. A character can only do that by pushing off from something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from stringless.control.goals.base import axis_fields
from stringless.control.goals.pursuit import Pursuit
from stringless.control.goals.registry import register_goal
from stringless.control.tables import CENTER
from stringless.spatial.arrays import FloatArray

if TYPE_CHECKING:
    from stringless.control.director import Director


@register_goal
class Center(Pursuit):
    """The centre of gravity of a character follows a target."""

    kind = "center"
    label = "Centre of gravity"
    icon = "center"
    by_hand = True
    rate = 12.0
    pushes = True

    def __init__(
        self,
        director: Director,
        target: Any = None,
        *,
        character: str | int | None = None,
        axes: str | Sequence[Sequence[float]] | None = None,
        top_speed: float | None = None,
        **options: Any,
    ) -> None:
        """Begin to drag the centre of gravity.

        Args:
            director: of the simulation.
            target: three numbers, a function of time or a live stream; where it is if not given [m].
            character: name of any of its bodies; needed where there are several characters.
            axes: directions that count; all three if not given.
            top_speed: at which a far target is approached [m/s].
            options: priority, weight, stiffness, damping, fade and push of every goal; push=False shows that without the ground
                nothing can be done.
        """
        super().__init__(director, axes=axes, top_speed=top_speed, **options)
        self.index = director.find_character(character)
        self.begin(target)

    @property
    def position(self) -> FloatArray:
        """Where the centre of gravity is now [m]."""
        return self.director.center_of_gravity(self.index)[0]

    def tasks(self) -> list[dict[str, Any]]:
        """One point, that of the centre of gravity."""
        return [{"kind": CENTER, "top": self.top, **self.gains, **axis_fields(self.axes), **self.follower.fields}]
