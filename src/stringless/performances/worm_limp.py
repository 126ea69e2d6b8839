from __future__ import annotations
import numpy as np
from stringless.performances.base import stroke
from stringless.performances.worm import JOINTS, WormAct, curled


class WormLimp(WormAct):
    name = "worm_limp"
    summary = ""
    height, reach, lift, half, firm, steps = 0.09, 0.06, 0.04, 0.4, 20.0, 5
    pin_firm = 20.0
    pin_push = False
    posture_off = True

    def perform(self):
        self.lie_down()
        d = self.director
        self.start = self.center
        d.style("velocity")
        d.weigh(dict(zip(JOINTS, (1.0, 1.0, 3.0, 3.0, 1.0, 1.0))))
        if self.posture_off: d.set_pose(0, self.sim.model.neutral(), [], 0)
        here = d.poses().position[d.model.body("bone_3").index]
        pin = d.pin("bone_3", axes="y", firmness=self.pin_firm, push=self.pin_push)
        pin.target = stroke(here, np.array([here[0], self.height, 0.0]), self.sim.time, 0.5)
        self.until(lambda: pin.error < 0.01 and self.sim.time > 1, 1.0)
        self.show.facts["pinned"] = d.poses().position[d.model.body("bone_3").index][1]
        head = self.drag_head(firmness=self.firm)
        gap = head.position[0] - self.center[0]
        ground = head.position[1]
        self.heights = []
        self.xs = []
        for k in range(self.steps):
            a = head.position
            t0 = self.sim.time
            b = np.array([self.center[0] + gap - self.reach, ground, 0.0])
            head.target = lambda t: a + min((t-t0)/self.half,1)*(b-a) + np.array([0, self.lift*np.sin(np.pi*min((t-t0)/self.half,1)), 0])
            self.until(lambda: self.note(), self.half)
            a2 = head.position
            t1 = self.sim.time
            c = np.array([b[0] + 2*self.reach, ground, 0.0])
            head.target = stroke(a2, c, self.sim.time, self.half)
            self.until(lambda: self.note(), self.half)
            self.xs.append(self.center[0])

    def note(self):
        d = self.director
        self.heights.append(d.poses().position[d.model.body("bone_3").index][1])
        return False

    def judge(self):
        facts = self.show.facts
        facts["travel"] = self.center[0] - self.start[0]
        facts["pin_lo"], facts["pin_hi"] = min(self.heights), max(self.heights)
        for k,x in enumerate(self.xs): facts[f"x{k}"] = x
