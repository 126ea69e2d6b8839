"""hop"""

from __future__ import annotations

import numpy as np

from stringless.performances.base import stroke
from stringless.performances.worm import WormAct, curled


class WormHop(WormAct):
    name = "worm_hop"
    summary = ""
    up, back = 0.05, 0.07
    push = (20.0, 30.0)
    calm, push_firm = 12.2, 30.0
    arch, post = -0.3, 6.3

    def perform(self) -> None:
        self.lie_down()
        start = self.start = self.center
        self.director.posture(curled(self.arch), firmness=self.post)
        center = self.director.center(firmness=self.calm)
        raised = start + np.array([0.0, self.up, 0.0])
        center.target = stroke(start, raised, self.sim.time, 0.6)
        self.wait(0.6)
        leaned = raised - np.array([self.back, 0.0, 0.0])
        center.target = stroke(raised, leaned, self.sim.time, 0.3)
        self.until(lambda: self.sim.time > 0 and abs(self.center[0] - leaned[0]) < 0.012 and np.abs(self.speed[:2]).max() < 0.12, 0.8)
        self.show.facts["raised"] = self.center[1] - start[1]
        self.show.facts["leaned"] = self.center[0] - start[0]
        center.release()
        t0, x0, v0 = self.sim.time, self.center, self.speed
        a = np.array([*self.push, 0.0])
        center = self.director.center(lambda t: x0 + (t - t0) * v0 + 0.5 * (t - t0) ** 2 * a, firmness=self.push_firm)
        self.until_airborne(0.16)
        self.show.facts["off"] = self.sim.time - t0
        self.show.facts["vx"], self.show.facts["vy"] = self.speed[0], self.speed[1]
        center.release()
        straight = self.director.pose(curled(0.0))
        self.sim.configure(restitution=0.0)
        self.take_off = self.center
        self.top = self.clearance
        self.until(self._landed, 1.0)
        self.show.facts["flown"] = self.center[0] - self.take_off[0]
        self.lie_down()

    def _landed(self) -> bool:
        self.top = max(self.top, self.clearance)
        return self.touching > 0

    def judge(self) -> None:
        facts = self.show.facts
        facts["clearance"] = self.top
        facts["rise"] = max(center[1] for center in self.show.center) - self.start[1]
        facts["travel"] = self.center[0] - self.start[0]
        facts["turned"] = self.sim.q[2]
