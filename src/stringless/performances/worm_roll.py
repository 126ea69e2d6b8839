"""The worm curls into a ring and rolls over once."""

import math

import numpy as np

from stringless.performances.worm import WormAct, curled

RING = 0.88
"""Curl of each joint in the ring [rad]: the ends meet."""
OVAL, LEAN = 0.25, 0.65
"""The ring is an oval that leans the way it shall roll: change of a curl, and how far it leans [rad]."""
OPEN = 1.5 * math.pi
"""How far it has rolled when it opens: its tail then points down, and the head falls forward [rad]."""


class WormRoll(WormAct):
    """A ring that makes itself oval, always leaning ahead of itself, falls forward until it has gone round."""

    name = "worm_roll"
    summary = "curl up, lean the ring ahead of itself: the worm rolls over once and lies down"
    length = 4.5

    def perform(self) -> None:
        """Settle, curl up, roll, open, lie down."""
        self.lie_down()
        self.begin = self.center
        self.tightest = 0.0
        self.ring = self.director.pose(curled(RING), stiffness=8.0)
        self.until(lambda: self.ring.error < 0.1, 2.0)
        self.ring.release()
        self.ring = self.director.pose(self._oval(), stiffness=25.0)
        self.until(self._rolled, 4.0)
        self.ring.release()
        self.sim.configure(restitution=0.0)
        self.director.pose(curled(0.0), stiffness=12.0)
        self.lie_down()

    def _oval(self) -> dict[str, float]:
        """Curls of an oval that leans forward; backward as long as it rolls back, as one pumps a swing."""
        heading = RING * np.array((-2.5, -1.5, -0.5, 0.5, 1.5, 2.5)) - self.turned
        back = float(self.sim.v[2]) > 0.3
        return curled(RING + OVAL * np.cos(2 * (heading + (-LEAN if back else LEAN))))

    def _rolled(self) -> bool:
        self.ring.set(self._oval())
        self.tightest = max(self.tightest, float(self.curls.sum()))
        return self.turned > OPEN

    def judge(self) -> None:
        """A ring first, then flat on its belly again, one turn and about one circumference further on."""
        self.find("turned", math.degrees(self.turned), "rolled over once", above=345, below=375)
        self.find("travel", self.center[0] - self.begin[0], "went forward by 0.4 m", above=0.4)
        self.find("curled", math.degrees(self.tightest), "was a ring", above=270)
        self.require("lies flat", self.lies and float(np.abs(self.curls).max()) < 0.2)
