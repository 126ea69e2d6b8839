"""A pose in the making: hands move a ghost of the character by its bones, and the pose becomes a key or a goal."""

import time
from typing import Any

import numpy as np

from stringless.control.checks import numbers
from stringless.control.goals import Pin
from stringless.control.poser import Handle, Poser
from stringless.errors import InputError
from stringless.simulation import Simulation
from stringless.spatial.arrays import FloatArray
from stringless.studio.hands import Holdable
from stringless.studio.messages import Grab, Move

BUDGET = 0.006
"""How long to search for a pose at a time [s]; it continues at the next tick."""
CLOSE = 1e-5
"""A pose that moves less than this in one iteration has been found [rad]."""
MOST = 100
"""Iterations after which the search ends: a target out of reach would be searched for for ever."""


class PoseDraft(Holdable[Handle]):
    """A pose of a character that hands move."""

    def __init__(self, sim: Simulation, character: str | int | None, q: FloatArray) -> None:
        """Begin with a configuration; what is pinned stays where it is."""
        super().__init__()
        director = sim.director
        self.character = director.find_character(character)
        self.whole = director.characters[self.character]
        self.poser = Poser(sim.model, self.whole, q)
        self.is_shown = False
        """Whether pages have seen the present pose."""
        self.is_changed = False
        """Whether anything was moved since the pose was kept last."""
        self._iterations_left = 0
        for goal in director.goals:
            if isinstance(goal, Pin) and goal.character == self.character and len(goal.axes):
                self.poser.pin(goal.body, goal.point, goal.axes.tolist())

    @property
    def q(self) -> FloatArray:
        """The configuration."""
        return self.poser.q

    @property
    def is_busy(self) -> bool:
        """Whether a better pose may still be found, or one was found that was not shown."""
        return self._iterations_left > 0 or not self.is_shown

    def grab(self, page: int, grab: Grab) -> None:
        """Take hold of a bone."""
        if grab.kind != "drag":
            raise InputError(f"while posing, bones can be dragged; '{grab.kind}' works when the pose is done")
        if self.poser.model.body(grab.bone).index not in self.whole.members:
            raise InputError(f"'{grab.bone}' is no bone of '{self.whole.name}', which is being posed")
        self.check_free(page, grab.pointer)
        if grab.target is None:
            handle = self.poser.pin(grab.bone, grab.point)  # where it is
            handle.level = 3
        else:
            handle = self.poser.drag(grab.bone, grab.target, grab.point)
        self._hands[page, grab.pointer] = handle
        self._iterations_left = MOST

    def move(self, page: int, move: Move) -> bool:
        """Move a hand; False if it holds nothing."""
        handle = self._hands.get((page, move.pointer))
        if handle is not None and move.target is not None:
            handle.target = numbers(move.target, "target")
            self._iterations_left, self.is_changed = MOST, True
        return handle is not None

    def release(self, page: int, pointer: int) -> None:
        """Let go; the pose stays as it is."""
        gone = self.find_held(page, pointer)
        del self._hands[page, pointer]
        self.poser.handles = [handle for handle in self.poser.handles if handle is not gone]

    def tick(self) -> None:
        """Search for the pose for a while."""
        end = time.perf_counter() + BUDGET
        while self._iterations_left and time.perf_counter() < end:
            before = self.poser.q
            after = self.poser.solve(1)
            step = np.abs(self.poser.model.difference(before, after)).max(initial=0.0)
            self._iterations_left = 0 if step < CLOSE else self._iterations_left - 1
            self.is_shown = False

    def finish(self) -> None:
        """Search until the pose is found, or no better one comes soon."""
        for _ in range(20):
            if self._iterations_left:
                self.tick()

    def list_values(self) -> dict[str, Any]:
        """The pose as values by the names of the joints that the character drives."""
        model = self.poser.model
        bodies = sorted({int(model.dofs[d]["body"]) for d in self.whole.actuators})
        return {model.bodies[i].joint.name: self.q[model.bodies[i].joint.q_slice].tolist() for i in bodies}
