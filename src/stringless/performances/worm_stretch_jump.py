"""The worm draws its ends up, then stretches into an arch so fast that it leaves the ground."""

import numpy as np

from stringless.performances.base import stroke
from stringless.performances.worm import WormAct, curled

INWARD, HEIGHT = 0.04, 0.10
"""Where the ends are drawn to [m]."""
ARCH = -0.8
"""How far each joint bends down in the stretch [rad] ..."""
SNAP = 0.13
"""... and how fast, from key to key [s]."""


class WormStretchJump(WormAct):
    """Two hands draw the ends up slowly; two keyframes then throw them down, and the worm up."""

    name = "worm_stretch_jump"
    summary = "draw both ends up, then play a stretch: the worm snaps into the air"
    length = 2.8

    def perform(self) -> None:
        """Settle, draw the ends up, stretch, land."""
        self.lie_down()
        ends = (self.drag_head(firmness=20.0), self.drag_tail(firmness=20.0))
        for end, side in zip(ends, (1.0, -1.0), strict=True):
            place = end.position
            drawn = np.array([place[0] + side * INWARD, HEIGHT, place[2]])
            end.target = stroke(place, drawn, self.sim.time, 0.5)
        # Still moving, it would leave the ground too early, with nothing left to push off from.
        self.until(lambda: all(end.position[1] > HEIGHT - 0.01 for end in ends) and abs(self.speed[1]) < 0.03, 1.5)
        drawn = min(end.position[1] for end in ends)
        self.find("drawn", drawn, "both ends were drawn up", above=HEIGHT - 0.02)
        for end in ends:
            end.release()
        stretch = self.director.keyframes()
        stretch.insert(0.0)
        stretch.insert(SNAP, curled(ARCH))
        stretch.play(blend=0.02)
        # As the ends come down the belly lifts, which is no flight yet.
        self.until(lambda: float(self.curls.mean()) < 0.5 * ARCH, 0.3, tick=1)
        self.until_airborne(0.5)
        self.until_landed()
        stretch.stop()
        self.lie_down()

    def judge(self) -> None:
        """Drawn up before, a hand's breadth above the ground, and down again where it was, the same side up."""
        self.find("turned", self.turned, "stayed upright", above=-0.3, below=0.3)
        self.judge_flight(air=0.2, clearance=0.06)
