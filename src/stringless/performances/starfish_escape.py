"""The starfish escapes from its glass box: its centre of gravity is dragged up and over a wall."""

from typing import Any

import numpy as np

from stringless.performances.base import Performance, fixed

AHEAD, HEIGHT, SPEED = 0.2, 0.2, 0.3
"""How far ahead of the centre of gravity the hand stays, how high over the floor [m], and how fast it goes on [m/s]."""
LOOK, PATIENCE, ATTEMPTS = 0.05, 1.0, 15
"""How often the hand looks [s], how long it goes on pulling without gaining ground [s], and how often it tries."""
CLIMBING_STIFFNESS, LYING_STIFFNESS = 3.0, 6.0
"""Stiffness of the stretched arms while it climbs, and to lie down flat [1/s]."""


class StarfishEscape(Performance):
    """It leaps and clambers at the wall in front; if it hangs there, it drops back, lies down and tries again."""

    name = "starfish_escape"
    scene = "glass_box"
    options = fixed(half=0.25, height=0.1)
    settings = fixed(restitution=0.0)
    summary = "drag the centre of gravity of the starfish up and over the wall of its box"
    length = 6.0

    def __init__(self, **changes: Any) -> None:
        """Set the scene, with the wall where the options put it."""
        super().__init__(**changes)
        self.wall = -float(changes.get("half", self.options["half"]))

    def perform(self) -> None:
        """Settle, try until it is over, lie down outside."""
        self._lie_down(2.0)
        self.was_inside = bool(np.abs(self.sim.surface_positions[:, [0, 2]]).max() < -self.wall + 0.01)
        self.attempts = 0
        while self.attempts < ATTEMPTS and not self._outside():
            self._attempt()
            self._lie_down(1.5 if self._outside() else 0.5)

    def _attempt(self) -> None:
        """Drag until it is outside, or until nothing is gained for a while."""
        self.attempts += 1
        self.director.set_rest_pose(stiffness=CLIMBING_STIFFNESS)
        goal = self.director.center(stiffness=12.0)
        best, since = self.center[2], self.sim.time
        while self.sim.time - since < PATIENCE:
            if self.center[2] < best - 0.01:
                best, since = self.center[2], self.sim.time
            goal.move((0.0, HEIGHT, self.center[2] - AHEAD), velocity=(0.0, 0.0, -SPEED), hold=2 * LOOK)
            if self.until(self._outside, LOOK):
                break
        goal.release()

    def _outside(self) -> bool:
        """Whether all of it is well beyond the inside of the wall."""
        return float(self.sim.surface_positions[:, 2].max()) < self.wall - 0.02

    def _lie_down(self, longest: float) -> None:
        self.director.set_rest_pose(stiffness=LYING_STIFFNESS)
        self.settle(0.02, longest)

    def judge(self) -> None:
        """Inside at first, outside at the end, and on the floor there."""
        beyond = self.wall - float(self.sim.surface_positions[:, 2].max())
        self.require("inside the box at first", self.was_inside)
        self.find("attempts", self.attempts)
        self.find("beyond", beyond, "all of it beyond the inside of the wall, by at least 1 cm", above=0.01)
        self.find("highest", max(center[1] for center in self.show.center))
        self.find("end_height", self.center[1], "on the floor outside", below=0.09)
        self.require("not below the floor", self.lowest > -0.02)
