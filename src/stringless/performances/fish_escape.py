"""The fish escapes: it throws itself along the dock, hop by hop, until it falls off the end."""

from typing import ClassVar

import numpy as np

from stringless.performances.base import Performance, fixed, stroke
from stringless.scenes.props import DOCK_HALF, DOCK_TOP
from stringless.spatial.arrays import FloatArray

HOPS = 14
"""After so many it gives up."""
STRETCHED: dict[str, float] = dict.fromkeys(("chest", "gills", "head", "loin", "stem", "fin"), 0.0)


class FishEscape(Performance):
    """Lying on its side, head and tail are dragged up in one quick stroke; in the air it stretches, and lands."""

    name = "fish_escape"
    scene = "fish"
    options = fixed(root="free", at=0.2)
    summary = "drag head and tail up quickly, stretch in the air: the fish hops off the dock"
    length = 3.5
    firm: ClassVar[float] = 200.0
    """How firmly joint limits are approached [1/s]: gently approached, they would take the force out of the stroke."""

    def perform(self) -> None:
        """Come to rest, hop until the end of the dock is reached, fall."""
        self.air: list[float] = []
        self.rises: list[float] = []
        self.clearances: list[float] = []
        self.director.limit_firmness = self.firm
        self.rest()
        while len(self.air) < HOPS and not self.off:
            self.hop()
            self.rest()

    @property
    def off(self) -> bool:
        """Whether it has left the dock for the floor."""
        return bool(self.center[1] < DOCK_TOP)

    @property
    def clearance(self) -> float:
        """Of its lowest point above the dock [m]."""
        return self.lowest - DOCK_TOP

    def rest(self) -> None:
        """Go limp, land softly and wait until nothing moves."""
        self.director.release()
        self.director.leave()
        self.sim.configure(restitution=0.0)
        self.wait(0.1)
        self.until(lambda: self.touching > 0 and self.pace < 0.02 and np.abs(self.sim.v).max() < 0.5, 1.5)

    def hop(self) -> None:
        """One stroke, one stretch, one landing."""
        self.sim.configure(restitution=1.0)
        start = self.center
        # The head goes further toward the tail than the tail comes back: drawn together evenly, it gains so little
        # ground near the end of the dock, where the tail has nothing below it, that it rocks to and fro there.
        self.throw("head", (-0.05, 0.0, 0.0), 0.14, 0.20)
        self.throw("fin", (0.04, 0.0, 0.0), -0.06, 0.25)
        self.until(lambda: self.touching == 0 and self.speed[1] > 0.3, 0.4, tick=1)
        self.director.release()
        stretch = self.director.pose(STRETCHED, firmness=30.0)
        began = self.sim.time
        top, highest = self.fly(lambda: self.center[1], lambda: self.clearance, tick=1)
        stretch.release()
        self.air.append(self.sim.time - began)
        self.rises.append(float(top - start[1]))
        self.clearances.append(highest)

    @property
    def along(self) -> FloatArray:
        """Level direction from its head to its tail."""
        place = self.director.poses().position
        line = (place[self.index("fin")] - place[self.index("head")]) * (1.0, 0.0, 1.0)
        return line / np.linalg.norm(line)

    def throw(self, bone: str, point: tuple[float, float, float], back: float, up: float) -> None:
        """Drag a point of a bone toward the tail and up from where it is, in a twelfth of a second [m]."""
        goal = self.director.drag(bone, point=point, firmness=60.0)
        end = goal.position + back * self.along + (0.0, up, 0.0)
        goal.target = stroke(goal.position, end, self.sim.time, 0.08)

    def judge(self) -> None:
        """Well into the air, over the end of the dock, and down on the floor."""
        self.find("hops", len(self.air))
        self.find("hop_air", max(self.air), "at least 0.15 s in the air in one hop", above=0.15)
        self.find("hop_rise", max(self.rises), "risen by at least 6 cm in one hop", above=0.06)
        self.find("hop_clearance", max(self.clearances), "at least 2 cm above the dock in one hop", above=0.02)
        self.find("x", self.center[0], "beyond the end of the dock", above=DOCK_HALF[0])
        self.find("y", self.center[1], "down on the floor", below=0.15)
        self.require("touches the floor", self.touching > 0)
