"""The worm jumps: its end is dragged up in one quick stroke."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from stringless.performances.base import Performance, stroke


class WormJump(Performance):
    """Lying flat, its left end is dragged straight up; it throws itself into the air."""

    name = "worm_jump"
    scene = "worm"
    settings: ClassVar[dict[str, Any]] = {"restitution": 0.0}
    summary = "drag an end up quickly: the worm throws itself into the air"

    def perform(self) -> None:
        """Settle, one stroke, let go in the air, land."""
        self.until(lambda: self.sim.time > 0.3 and np.abs(self.speed).max() < 0.01, 2.0)
        goal = self.director.drag("bone_0", point=(-0.06, 0.0, 0.0))
        top = goal.position * np.array([1.0, 0.0, 1.0]) + np.array([0.0, 0.30, 0.0])
        goal.target = stroke(goal.position, top, self.sim.time, 0.12)
        self.until(lambda: self.touching == 0 and self.speed[1] > 0.5, 0.5)
        self.until(lambda: self.touching > 0, 1.0)
        goal.release()
        self.wait(0.5)

    def judge(self) -> None:
        """In the air for a while, and down again."""
        self.require("at least 0.12 s in the air", self.show.air > 0.12)
        self.require("landed", self.touching > 0)
