"""wave"""

from __future__ import annotations

import numpy as np

from stringless.performances.base import stroke
from stringless.performances.worm import WormAct, curled


class WormWave(WormAct):
    name = "worm_wave"
    summary = ""
    low, high, half, firm, beats = 0.04, 0.16, 0.4, 20.0, 5
    way = "torque"
    posture_off = True
    pin = False

    def perform(self) -> None:
        self.lie_down()
        self.start = self.center
        self.director.style(self.way)
        if self.posture_off:
            self.director.set_pose(0, self.sim.model.neutral(), [], 0)
        head = self.drag_head(firmness=self.firm)
        if self.pin: self.director.pin("bone_6", position=False, orientation=True)
        place = head.position
        self.log = []
        self.ends = []
        here = place
        for k in range(2 * self.beats):
            there = np.array([place[0], self.high if k % 2 == 0 else self.low, 0.0])
            head.target = stroke(here, there, self.sim.time, self.half)
            t0 = self.sim.time
            self.until(lambda: self.note(head) or (self.sim.time - t0 > 0.7*self.half and abs(self.center[1]) > 0 and abs(head.position[1]-there[1]) < 0.015), 1.5*self.half)
            here = there
            self.ends.append(head.position[1])
        head.release()

    def note(self, head):
        self.log.append((self.sim.time, *self.curls, head.position[1], head.target[1]))
        return False

    def judge(self) -> None:
        facts = self.show.facts
        L = np.array(self.log); L = L[L[:,0] > L[0,0] + (L[-1,0]-L[0,0])/self.beats]
        T = (L[-1,0]-L[0,0])/(self.beats-1)
        facts["period"] = T
        w = np.exp(-2j*np.pi*(L[:,0]-L[0,0])/T)
        for j in range(6):
            c = 2*np.mean((L[:,1+j]-L[:,1+j].mean())*w)
            facts[f"amp{j}"] = abs(c); facts[f"ph{j}"] = np.degrees(np.angle(c))
        facts["rms"] = float(np.sqrt(np.mean((L[:,7]-L[:,8])**2)))
        facts["stroke"] = float(np.mean(self.ends[2::2])-np.mean(self.ends[3::2]))
        facts["most"] = float(np.abs(L[:,1:7]).max())
        facts["drift"] = self.center[0]-self.start[0]
