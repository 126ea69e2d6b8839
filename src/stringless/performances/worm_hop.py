"""The worm hops forward: its centre of gravity is raised, drawn back and thrown ahead."""

import numpy as np

from stringless.performances.base import stroke
from stringless.performances.worm import WormAct, curled

UP, BACK = 0.06, 0.08
"""How far it gathers before the hop [m]. Leaning back decides on the distance more than the push does."""
PUSH = np.array((20.0, 40.0, 0.0))
"""Acceleration asked for in the push [m/s²]."""
ARCH = -0.3
"""Posture that is preferred meanwhile: it rises by arching on both ends, not by lifting them [rad]."""


class WormHop(WormAct):
    """Pulled back too little, its ends would spend all friction on pushing against each other."""

    name = "worm_hop"
    summary = "drag the centre of gravity up, back and then forward: the worm hops"
    length = 2.8

    def perform(self) -> None:
        """Settle, rise, lean back, push off, straighten in the air, land."""
        self.lie_down()
        self.begin = self.center
        self.director.set_rest_pose(curled(ARCH))
        center = self.director.center(firmness=12.2)
        raised = self.begin + np.array((0.0, UP, 0.0))
        center.target = stroke(self.begin, raised, self.sim.time, 0.6)
        self.until(lambda: self.center[1] > self.begin[1] + 0.5 * UP and abs(self.speed[1]) < 0.03, 0.8)
        leant = raised - np.array((BACK, 0.0, 0.0))
        center.target = stroke(raised, leant, self.sim.time, 0.3)
        self.until(lambda: abs(self.center[0] - leant[0]) < 0.012 and self.pace < 0.12, 0.8)
        center.release()
        self._push_off()
        self.director.pose(curled(0.0))
        take_off = self.center
        self.until_landed()
        self.flown = float(self.center[0] - take_off[0])
        self.lie_down()

    def _push_off(self) -> None:
        """Accelerate from what it does now until it is off the ground."""
        time, place, speed = self.sim.time, self.center, self.speed
        path = lambda t: place + (t - time) * speed + 0.5 * (t - time) ** 2 * PUSH  # noqa: E731
        push = self.director.center(path, firmness=30.0)
        self.until_airborne(0.2)
        push.release()

    def judge(self) -> None:
        """Through the air forward, and down again on its belly."""
        self.find("flown", self.flown, "flew forward by 10 cm", above=0.10)
        self.find("travel", self.center[0] - self.begin[0], "is further on by 12 cm", above=0.12)
        self.find("turned", self.turned, "belly down", above=-0.3, below=0.3)
        self.judge_flight(air=0.12, clearance=0.02)
