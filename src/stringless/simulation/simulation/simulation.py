"""The simulation: a scene set in motion."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from stringless.engines.reduced.workspace import FleshWorkspace
from stringless.engines.stiff.engine import StiffRoom
from stringless.errors import StringlessWarning
from stringless.simulation.preview import Preview, preview
from stringless.simulation.simulation.stepping import Stepping

MADE_ANEW = ("workspace", "stiff", "adaptive", "_tables", "_scaled")
"""Tables and scratch that follow from the rest: compiled code knows tables that cannot be written, and copies can."""


class Simulation(Stepping):
    """Advances the state of one scene.

    `tau` holds the actuators' efforts, each cut to its joint's limit, and `external` a wrench per body (moment first,
    body frame). Coordinates flagged in `prescribed` move with the given `acceleration` instead, and `effort` tells what
    every actuator gave in the last step, that of prescribed coordinates included. All may be set at any time and act
    until they are set again.
    """

    def fork(self) -> Simulation:
        """An independent copy at the present state, with the same parameters, commands and goals; the model is shared."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.__dict__.pop("director", None)
        other.__dict__["recorder"] = None  # what is only tried is not recorded
        other._told = set(self._told)
        other.state = self.state.copy()
        other._old_memory = self._old_memory.copy()  # scratch: both may run at once
        for name in ("tau", "external", "prescribed", "acceleration", "effort", "followed"):
            setattr(other, name, getattr(self, name).copy())
        if self.workspace is not None:
            other.workspace = self.workspace.twin(self.model)
        if self.stiff is not None and self.workspace is not None:
            other.stiff = StiffRoom(self.model, self.workspace.contact, self.config)
        if self.adaptive is not None:
            other.adaptive = self.adaptive.twin()
        if self.has_director:
            other.__dict__["director"] = self.director.copy_for(other.state)
        return other

    def preview(self, seconds: float, *, rate: float = 60.0, cancelled: Callable[[], bool] | None = None) -> Preview:
        """What would happen if everything went on as it is now; see `simulation.preview`."""
        return preview(self, seconds, rate=rate, cancelled=cancelled)

    def __deepcopy__(self, memo: dict[int, Any]) -> Simulation:
        """A fork that begins a record of its own; the model never changes and is shared."""
        other = self.fork()
        del other.__dict__["recorder"]
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the record, since a copy begins one of its own, and tables, which are made anew."""
        kept = {name: value for name, value in self.__dict__.items() if name not in ("recorder", *MADE_ANEW)}
        return kept | {"has_room": self.workspace is not None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Go on where another one was."""
        has_room = state.pop("has_room")
        self.__dict__.update(state, _scaled=None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StringlessWarning)  # what is wrong with its meshes was said before
            self._make_tables()
        if has_room and self.workspace is None:
            self.workspace = FleshWorkspace(self.model, self.flesh, self._contact(self.config, self.flesh))
