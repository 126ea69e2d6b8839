"""roll"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from stringless.performances.worm import WormAct, curled


class WormRoll(WormAct):
    name = "worm_roll"
    summary = ""
    ring, oval, lean, firm, open_at, open_firm = 0.88, 0.25, 0.6, 25.0, 4.7, 12.0
    back = 0.3

    @property
    def turned(self) -> float:
        return -float(self.sim.q[2])

    def perform(self) -> None:
        self.lie_down()
        self.start = self.center
        ring = self.director.pose(curled(self.ring), firmness=8.0)
        self.until(lambda: ring.error < 0.1, 2.0)
        self.show.facts["t_ring"] = self.sim.time
        ring.release()
        self.pose = self.director.pose(self._oval(), firmness=self.firm)
        self.until(self._rolled, 3.0)
        self.show.facts["t_open"] = self.sim.time
        self.show.facts["turned_open"] = np.degrees(self.turned)
        self.pose.release()
        self.sim.configure(restitution=0.0)
        straight = self.director.pose(curled(0.0), firmness=self.open_firm)
        self.lie_down()

    def _oval(self) -> dict[str, float]:
        heading = self.ring * np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]) - self.turned
        lean = -self.lean if self.sim.v[2] > self.back else self.lean
        return curled(tuple(self.ring + self.oval * np.cos(2 * (heading + lean))))

    def _rolled(self) -> bool:
        self.pose.set(self._oval())
        return self.turned > self.open_at

    def judge(self) -> None:
        facts = self.show.facts
        facts["travel"] = self.center[0] - self.start[0]
        facts["turned"] = np.degrees(self.turned)
        facts["lies"] = self.lies
