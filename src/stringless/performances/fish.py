"""The fish escapes from its dock hop by hop, or turns over: it curls up, stands, curls the other way and stretches."""

from typing import ClassVar

import numpy as np

from stringless.control.goals import Pose
from stringless.performances.base import Performance, fixed, stroke
from stringless.scenes.fish import DOCK_HALF, DOCK_TOP
from stringless.spatial.arrays import FloatArray

HOPS = 14
"""After so many it gives up."""
STRETCHED: dict[str, float] = dict.fromkeys(("chest", "gills", "head", "loin", "stem", "fin"), 0.0)
BEND = {"chest": -0.5, "gills": -0.45, "head": -0.35, "loin": 0.6, "stem": 0.7, "fin": 0.9}
"""Head and tail bent toward the left side, as far as they go [rad]."""


def curl(share: float) -> dict[str, float]:
    """A share of the whole bend; below 0 to the right."""
    return {joint: share * angle for joint, angle in BEND.items()}


class FishEscape(Performance):
    """Lying on its side, head and tail are dragged up in one quick stroke; in the air it stretches, and lands."""

    name = "fish_escape"
    scene = "fish"
    options = fixed(root="free", at=0.2)
    summary = "drag head and tail up quickly, stretch in the air: the fish hops off the dock"
    length = 3.5
    limit_stiffness: ClassVar[float] = 200.0
    """Stiffness of joint limits [1/s]: gently approached, they would take the force out of the stroke."""

    def perform(self) -> None:
        """Come to rest, hop until the end of the dock is reached, fall."""
        self.air: list[float] = []
        self.rises: list[float] = []
        self.clearances: list[float] = []
        self.director.limit_stiffness = self.limit_stiffness
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
        stretch = self.director.pose(STRETCHED, stiffness=30.0)
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
        goal = self.director.drag(bone, point=point, stiffness=60.0)
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


class FishTurnover(Performance):
    """It has no joint that could roll it. Curled up, it cannot lie on its side: it tips up and stands on its edge.

    There it leans to the side that it is curled toward, so the last curl decides on which side it falls when it stretches.
    """

    name = "fish_turnover"
    scene = "fish"
    options = fixed(root="free")
    settings = fixed(restitution=0.0)
    summary = "curl the fish to the right, to the left, and stretch it: it turns over slowly"
    length = 3.4

    @property
    def left(self) -> float:
        """How far its left side looks up: 1 lying on the right side, 0 standing, -1 lying on the left."""
        return float(self.sim.body_poses().rotation[self.index("belly")][1, 1])

    def still(self, fastest: float = 0.5) -> bool:
        """Whether no coordinate is fast [m/s or rad/s]."""
        return bool(np.abs(self.sim.v).max() < fastest)

    def perform(self) -> None:
        """Curl up, stand, curl the other way, stand, stretch, lie."""
        self.until(lambda: self.sim.time > 0.3 and self.still(0.3), 2.0)
        self.started, self.before = len(self.show.time), self.left
        goal = self.director.pose(curl(-0.7), stiffness=5.0)
        self.until(lambda: goal.error < 0.2 and self.left < 0.75 and self.still(), 3.0)
        self.stood = self.left
        self._curl(goal, 0.8, 15.0)
        self.until(lambda: goal.error < 0.2 and self.left < -0.1 and self.still(), 2.0)
        self.stood_again = self.left
        self._curl(goal, 0.0, 6.0)
        self.until(lambda: goal.error < 0.1 and self.left < -0.6 and self.still(), 3.0)
        goal.release()
        self.director.leave()
        self.until(lambda: self.left < -0.9 and self.still(0.3), 2.0)

    def _curl(self, goal: Pose, share: float, stiffness: float) -> None:
        goal.set(curl(share))
        goal.stiffness = stiffness
        goal.update_rows()

    def judge(self) -> None:
        """From one side to the other, slowly, and never off the ground for long."""
        top_speed = np.linalg.norm(self.show.velocity[self.started :], axis=1).max()
        self.find("before", self.before, "it lay on its right side", above=0.9)
        self.find("stood", self.stood)
        self.find("stood_again", self.stood_again)
        self.find("after", self.left, "it lies on its left side", below=-0.8)
        self.find("top_speed", top_speed, "it was slower than 1 m/s", below=1.0)
        longest = self.show.longest(begin=self.started)
        self.find("longest_flight", longest, "it never left the ground for 0.1 s", below=0.1)
