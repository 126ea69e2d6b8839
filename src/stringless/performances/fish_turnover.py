"""The fish turns over: it curls up until it stands, curls the other way and stretches, and lies on its other side."""

import numpy as np

from stringless.control.goals import Pose
from stringless.performances.base import Performance, fixed

BEND = {"chest": -0.5, "gills": -0.45, "head": -0.35, "loin": 0.6, "stem": 0.7, "fin": 0.9}
"""Head and tail bent toward the left side, as far as they go [rad]."""


def curl(share: float) -> dict[str, float]:
    """A share of the whole bend; below 0 to the right."""
    return {joint: share * angle for joint, angle in BEND.items()}


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
        goal = self.director.pose(curl(-0.7), firmness=5.0)
        self.until(lambda: goal.error < 0.2 and self.left < 0.75 and self.still(), 3.0)
        self.stood = self.left
        self._curl(goal, 0.85, 15.0)
        self.until(lambda: goal.error < 0.2 and self.left < -0.1 and self.still(), 2.0)
        self.stood_again = self.left
        self._curl(goal, 0.0, 6.0)
        self.until(lambda: goal.error < 0.1 and self.left < -0.6 and self.still(), 3.0)
        goal.release()
        self.director.leave()
        self.until(lambda: self.left < -0.9 and self.still(0.3), 2.0)

    def _curl(self, goal: Pose, share: float, firmness: float) -> None:
        goal.set(curl(share))
        goal.firmness = firmness
        goal.changed()

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
