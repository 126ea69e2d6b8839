"""The donut rolls: its centre of gravity is dragged along, always a little ahead of where it is."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from stringless.performances.base import Performance

AHEAD, SPEED = 0.05, 0.4
"""How far ahead of the centre of gravity the hand stays [m], and how fast it goes on [m/s]."""
LOOK = 0.05
"""How often the hand looks where the donut is [s]."""


class DonutRoll(Performance):
    """Standing on its rim, it shifts its weight forward, falls into a roll and keeps it up; let go, it comes to rest."""

    name = "donut_roll"
    scene = "donut"
    settings: ClassVar[dict[str, Any]] = {"restitution": 0.0}
    summary = "drag the centre of gravity along: the donut rolls"
    length = 3.9

    @property
    def turned(self) -> float:
        """How far the lowest bone has turned forward since the start [rad]; a planar root counts whole turns."""
        return -float(self.sim.q[self.sim.model.joint("bone_0").q_slice][2])

    def perform(self) -> None:
        """Settle, roll until it has turned one and a half times, let go, come to rest."""
        self.until(lambda: self.sim.time > 0.3 and np.abs(self.speed).max() < 0.01, 2.0)
        self.start = self.center
        goal = self.director.center(axes="x", firmness=8.0)
        end = self.sim.time + 6.0
        while self.turned < 3 * math.pi and self.sim.time < end:
            goal.move(self.center + (AHEAD, 0.0, 0.0), velocity=(SPEED, 0.0, 0.0), hold=2 * LOOK)
            self.wait(LOOK)
        goal.release()
        self.until(lambda: np.abs(self.speed).max() < 0.05, 2.0)

    def judge(self) -> None:
        """Turned more than once, went as far as its rim is long, and never flew to cheat."""
        facts = self.show.facts
        facts["turns"] = self.turned / (2 * math.pi)
        facts["distance"] = float(self.center[0] - self.start[0])
        facts["rolling_radius"] = facts["distance"] / max(self.turned, 1e-9)
        facts["hop"] = self.show.hop
        facts["end_speed"] = float(np.abs(self.speed).max())
        self.require("at least one and a quarter turns", facts["turns"] > 1.25)
        self.require("it rolls, neither sliding nor spinning", 0.07 < facts["rolling_radius"] < 0.14)
        self.require("it stays on the ground", facts["hop"] < 0.1)
        self.require("at rest at the end", facts["end_speed"] < 0.1)
