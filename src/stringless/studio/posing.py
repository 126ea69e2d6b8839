"""Posing: hands move a ghost of the character by its bones, and the pose becomes a key or a goal."""

from __future__ import annotations

import time
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from stringless.control.goals import Pin
from stringless.control.goals.targets import vector3
from stringless.control.posing import Handle, Poser
from stringless.errors import InputError
from stringless.simulation import Simulation
from stringless.studio.hands import Pointer
from stringless.studio.messages import Grab, Move

Keep = Literal["key", "goal", "none"]
BUDGET = 0.006
"""How long to look for a pose at a time [s]; it goes on at the next tick."""
CLOSE = 1e-5
"""A pose that moves less than this in one go has been found [rad]."""
MOST = 100
"""After so many attempts it is as good as it gets: what cannot be reached would be searched for ever."""


class Posing:
    """A pose in the making."""

    def __init__(self, sim: Simulation, character: str | int | None, q: NDArray[np.float64]) -> None:
        """Begin with a pose of a character; what is pinned stays where it is."""
        director = sim.director
        self.character = director.find_character(character)
        self.actor = director.cast[self.character]
        self.poser = Poser(sim.model, self.actor, q)
        self._hands: dict[Pointer, Handle] = {}
        self.seen = False
        """Whether the pose as it is was shown."""
        self.moved = False
        """Whether anything was moved since it was kept last."""
        self._found, self._tried = True, 0
        for goal in director.goals:
            if isinstance(goal, Pin) and goal.character == self.character and len(goal.axes):
                self.poser.pin(goal.body, goal.point, goal.axes.tolist())

    @property
    def q(self) -> NDArray[np.float64]:
        """The configuration."""
        return self.poser.q

    @property
    def busy(self) -> bool:
        """Whether a better pose may still be found, or one was found that was not shown."""
        return not self._found or not self.seen

    @property
    def held(self) -> bool:
        """Whether a hand holds on."""
        return bool(self._hands)

    def grab(self, page: int, grab: Grab) -> None:
        """Take hold of a bone."""
        if grab.kind != "drag":
            raise InputError(f"while posing, bones can be dragged; '{grab.kind}' works when the pose is done")
        body = self.poser.model.body(grab.bone).index
        if body not in self.actor.members:
            raise InputError(f"'{grab.bone}' is no bone of '{self.actor.name}', which is being posed")
        pointer = (page, grab.pointer)
        if pointer in self._hands:
            raise InputError(f"hand {grab.pointer} holds something already; let go first")
        if grab.target is None:
            handle = self.poser.pin(grab.bone, grab.point)  # where it is
            handle.level = 3
        else:
            handle = self.poser.drag(grab.bone, grab.target, grab.point)
        self._hands[pointer] = handle
        self._found, self._tried = False, 0

    def move(self, page: int, move: Move) -> bool:
        """Move a hand; False if it holds nothing."""
        handle = self._hands.get((page, move.pointer))
        if handle is None:
            return False
        if move.target is not None:
            handle.target = vector3(move.target, "target")
            self._found, self._tried, self.moved = False, 0, True
        return True

    def release(self, page: int, pointer: int) -> None:
        """Let go; the pose stays as it is."""
        if (page, pointer) not in self._hands:
            raise InputError(f"hand {pointer} holds nothing")
        gone = self._hands.pop((page, pointer))
        self.poser.handles = [handle for handle in self.poser.handles if handle is not gone]

    def leave(self, page: int) -> None:
        """A page has gone."""
        for owner, pointer in list(self._hands):
            if owner == page:
                self.release(owner, pointer)

    def tick(self) -> None:
        """Look for the pose for a while."""
        end = time.perf_counter() + BUDGET
        while not self._found and time.perf_counter() < end:
            before = self.poser.q
            after = self.poser.solve(1)
            step = np.abs(self.poser.model.difference(before, after)).max(initial=0.0)
            self._tried += 1
            self._found = bool(step < CLOSE) or self._tried >= MOST
            self.seen = False

    def finish(self) -> None:
        """Look for the pose until it is found, or no better one comes soon."""
        for _ in range(20):
            self.tick()
            if self._found:
                return

    def values(self) -> dict[str, Any]:
        """The pose as values by the names of the joints that the character drives."""
        model = self.poser.model
        bodies = sorted({int(model.dofs[d]["body"]) for d in self.actor.actuators})
        return {model.bodies[i].joint.name: self.q[model.bodies[i].joint.q_slice].tolist() for i in bodies}
