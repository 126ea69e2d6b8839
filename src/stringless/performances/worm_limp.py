from __future__ import annotations
import numpy as np
from stringless.performances.base import stroke
from stringless.performances.worm import JOINTS, WormAct, curled


class WormLimp(WormAct):
    name = "worm_limp"
    summary = ""
    height, reach, lift, press, half, firm, steps = 0.09, 0.08, 0.04, 0.01, 0.4, 20.0, 5
    pin_firm = 20.0
    posture_off = True
    out = 0.0

    @property
    def middle(self):
        d = self.director
        return d.poses().position[d.model.body("bone_3").index]

    def perform(self):
        self.lie_down()
        d = self.director
        self.start = self.center
        d.style("velocity")
        d.weigh(dict(zip(JOINTS, (1.0, 1.0, 3.0, 3.0, 1.0, 1.0))))
        if self.posture_off: d.set_pose(0, self.sim.model.neutral(), [], 0)
        here = self.middle
        pin = d.pin("bone_3", axes="y", firmness=self.pin_firm)
        pin.target = stroke(here, np.array([here[0], self.height, 0.0]), self.sim.time, 0.5)
        self.until(lambda: self.middle[1] > self.height - 0.005, 1.0)
        self.wait(0.2)
        head = self.drag_head(firmness=self.firm)
        gap = head.position[0] - self.middle[0]
        ground = head.position[1]
        self.heights, self.xs = [], []
        self.show.facts["gap"] = gap
        for k in range(self.steps):
            self.go(head, np.array([gap - self.out, ground, 0.0]), self.lift)
            self.go(head, np.array([gap - self.out + self.reach, ground - self.press, 0.0]), 0.0)
            self.xs.append(self.center[0])

    def go(self, head, there, lift):
        here = head.position - np.array([self.middle[0], 0, 0])
        t0 = self.sim.time
        def path(t):
            s = min(max((t - t0) / self.half, 0), 1)
            return here + s*s*(3-2*s)*(there-here) + np.array([self.mx, lift*np.sin(np.pi*s), 0])
        self.mx = self.middle[0]
        head.target = path
        self.until(lambda: self.note(), self.half)
        self.show.facts["err"] = max(self.show.facts.get("err",0), head.error)

    def note(self):
        self.heights.append(self.middle[1])
        self.mx = self.middle[0]
        return False

    def judge(self):
        facts = self.show.facts
        facts["travel"] = self.center[0] - self.start[0]
        facts["pin_lo"], facts["pin_hi"] = min(self.heights), max(self.heights)
        for k,x in enumerate(self.xs): facts[f"x{k}"] = x
        facts["turned"] = self.turned
