"""The worm draws itself together, then stretches into an arch so fast that it leaves the ground."""

from __future__ import annotations

import numpy as np

from stringless.performances.base import stroke
from stringless.performances.worm import WormAct, curled


class WormStretchJump(WormAct):
    name = "worm_stretch_jump"
    summary = "draw an end in, then play a stretch: the worm snaps into the air"
    inward, height, gather = 0.2, 0.12, 0.5
    arch, firm = -0.8, 60.0

    def perform(self) -> None:
        self.lie_down()
        self.start = self.center
        tail = self.director.pin("bone_6", position=False, orientation=True)
        head = self.drag_head(firmness=20.0)
        place = head.position
        goal = np.array([place[0] + self.inward, self.height, 0.0])
        head.target = stroke(place, goal, self.sim.time, self.gather)
        self.wait(self.gather)
        self.until(lambda: head.error < 0.02, 0.3)
        self.show.facts["gathered"] = head.error
        head.release()
        tail.release()
        pose = self.director.pose(curled(self.arch), firmness=self.firm)
        self.until_airborne(0.5)
        self.sim.configure(restitution=0.0)
        self.top = self.clearance
        self.turn0 = self.sim.q[2]
        self.until(self._landed, 1.0)
        pose.release()
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
