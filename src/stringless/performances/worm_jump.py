"""The worm jumps: its head is dragged up in one quick stroke."""

import numpy as np

from stringless.performances.base import stroke
from stringless.performances.worm import WormAct

HEIGHT, DURATION = 0.35, 0.08
"""Of the stroke [m, s]."""


class WormJump(WormAct):
    """Lying flat, its head is dragged straight up; the rest follows and leaves the ground."""

    name = "worm_jump"
    summary = "drag an end up quickly: the worm throws itself into the air"
    length = 2.4

    def perform(self) -> None:
        """Settle, one stroke, hold on in the air, let go at the landing."""
        self.lie_down()
        head = self.drag_head(firmness=40.0)
        place = head.position
        head.target = stroke(place, np.array([place[0], HEIGHT, place[2]]), self.sim.time, DURATION)
        self.until_airborne(0.5)
        self.until_landed()
        head.release()
        self.lie_down()

    def judge(self) -> None:
        """A hand's breadth above the ground, and down again."""
        self.judge_flight(air=0.25, clearance=0.08)
