"""The worm jumps: its end is dragged up in one quick stroke."""

from __future__ import annotations

import numpy as np

from stringless.performances.base import stroke
from stringless.performances.worm import WormAct


class WormJump(WormAct):
    """Lying flat, its head is dragged straight up; it throws itself into the air."""

    name = "worm_jump"
    summary = "drag an end up quickly: the worm throws itself into the air"
    firm, height, quick = 40.0, 0.35, 0.08

    def perform(self) -> None:
        """Settle, one stroke, land calmly."""
        self.lie_down()
        self.start = self.center
        head = self.drag_head(firmness=self.firm)
        place = head.position
        head.target = stroke(place, np.array([place[0], self.height, place[2]]), self.sim.time, self.quick)
        self.until_airborne(0.5)
        self.sim.configure(restitution=0.0)
        self.top = self.clearance
        self.until(self._landed, 1.0)
        head.release()
        self.lie_down()

    def _landed(self) -> bool:
        self.top = max(self.top, self.clearance)
        return self.touching > 0

    def judge(self) -> None:
        """In the air for a while, clear of the ground, and down again."""
        facts = self.show.facts
        facts["clearance"] = self.top
        facts["rise"] = max(center[1] for center in self.show.center) - self.start[1]
        self.require("at least 0.2 s in the air", self.show.air > 0.2)
        self.require("landed", self.touching > 0)
