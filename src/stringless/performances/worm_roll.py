"""roll"""

from __future__ import annotations

import numpy as np

from stringless.performances.base import stroke
from stringless.performances.worm import WormAct, curled


class WormRoll(WormAct):
    name = "worm_roll"
    summary = ""
    x1, y1, T1 = 0.05, 0.20, 0.3
    x2, y2, T2 = 0.30, 0.20, 0.2
    firm, ring, ring_firm = 20.0, 0.95, 20.0
    at, open_at = 0.3, 4.5

    @property
    def turned(self) -> float:
        return -float(self.sim.q[2])

    def perform(self) -> None:
        self.lie_down()
        self.start = self.center
        head = self.drag_head(firmness=self.firm)
        place = head.position
        up = np.array([place[0] + self.x1, self.y1, 0.0])
        head.target = stroke(place, up, self.sim.time, self.T1)
        self.wait(self.T1)
        over = np.array([place[0] + self.x2, self.y2, 0.0])
        head.target = stroke(up, over, self.sim.time, self.T2)
        self.until(lambda: self.turned > self.at, 0.6)
        self.show.facts["t_ring"] = self.sim.time
        head.release()
        ring = self.director.pose(curled(self.ring), firmness=self.ring_firm)
        self.until(lambda: self.turned > self.open_at, 2.0)
        self.show.facts["ring"] = float(self.curls.mean())
        self.show.facts["t_open"] = self.sim.time
        self.show.facts["turned_open"] = self.turned
        ring.release()
        self.sim.configure(restitution=0.0)
        straight = self.director.pose(curled(0.0), firmness=10.0)
        self.wait(1.2)

    def judge(self) -> None:
        facts = self.show.facts
        facts["travel"] = self.center[0] - self.start[0]
        facts["turned"] = np.degrees(self.turned)
