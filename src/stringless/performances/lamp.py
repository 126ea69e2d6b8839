"""The lamp hops and bows. It hops by its centre of gravity: it crouches, pushes off and lands on its foot.

It bows deeply and keeps its balance: one hand drags its head, another holds its centre of gravity.
"""

from typing import Any

from stringless.performances.base import Performance, fixed, stroke
from stringless.spatial.arrays import FloatArray

CROUCH, RISE = 0.02, 0.165
"""How far the centre of gravity is dragged down, and up to push off [m]."""
JERK, ENOUGH = 0.08, 0.65
"""In which time [s], and how fast it then has to rise to be let go [m/s]."""
UPRIGHT = (0.0, 0.0, 0.0, 1.0)
CALM, LEVEL, PUSH = 12.0, 25.0, 40.0
"""Stiffness to crouch, to keep its foot level, and to push off when it hops [1/s]."""
BOWS, DEPTH, DURATION = 2, 0.14, 0.78
"""How often it bows, how far the head goes down [m], and how long that takes [s]."""


class LampAct(Performance):
    """A performance of the lamp, whose foot is to stay level."""

    scene = "lamp"
    settings = fixed(restitution=0.0)

    @property
    def tilt(self) -> float:
        """How far the foot is tilted, either way [rad]."""
        return abs(self.angle("base", 2))


class LampHop(LampAct):
    """The foot is kept level all the time; the centre of gravity sinks slowly and is then jerked up."""

    name = "lamp_hop"
    summary = "drag the centre of gravity down, then up with a jerk: the lamp hops and lands upright"
    length = 4.0

    def perform(self) -> None:
        """Settle, crouch, push off, land, and come to rest on its springs, which carry it upright best when let alone."""
        self.settle()
        start = self.center
        self.director.turn(UPRIGHT, priority=1, stiffness=CALM)
        goal = self.director.center(priority=2, stiffness=CALM)
        goal.target = stroke(start, start - (0.0, CROUCH, 0.0), self.sim.time, 0.4)
        low = start[1] - 0.75 * CROUCH
        self.until(lambda: self.center[1] < low and self.pace < 0.05, 1.5)
        self.crouched = float(start[1] - self.center[1])
        self.director.release()
        self.director.turn(UPRIGHT, priority=2, stiffness=LEVEL)
        goal = self.director.center(priority=2, stiffness=PUSH)
        goal.target = stroke(self.center, self.center + (0.0, RISE, 0.0), self.sim.time, JERK)
        self.until(lambda: self.speed[1] > ENOUGH, 0.5, tick=1)
        goal.release()
        self.until(lambda: self.touching == 0, 0.5, tick=1)
        (self.clearance,) = self.fly(lambda: self.lowest)
        self.worst_tilt = 0.0
        self.director.release()
        self.quiet = 0
        self.until(self._still, 3.0)

    def _still(self) -> bool:
        self.worst_tilt = max(self.worst_tilt, self.tilt)
        self.quiet = self.quiet + 1 if self.touching > 0 and self.pace < 0.01 else 0
        return self.quiet > 20

    def judge(self) -> None:
        """Crouched, in the air with the whole lamp, and upright from the landing on."""
        self.find("hop", self.show.hop, "at least 0.09 s in the air", above=0.09)
        self.find("crouched", self.crouched, "crouched by at least 1 cm", above=0.01)
        self.find("clearance", self.clearance, "at least 1 cm between lamp and floor", above=0.01)
        self.find("worst_tilt", self.worst_tilt, "never tilted by more than 0.3 rad after landing", below=0.3)
        self.find("end_tilt", self.tilt, "upright at the end", below=0.1)
        self.find("end_speed", self.pace, "still", below=0.05)
        self.require("landed", self.touching > 0)


class LampBalance(LampAct):
    """The head is dragged down and up by its height alone; the centre of gravity is held over the foot meanwhile."""

    name = "lamp_balance"
    summary = "drag the head of the lamp down and up, and its centre of gravity so that it keeps its balance"
    length = 3.0

    def perform(self) -> None:
        """Settle, hold the centre of gravity, bow."""
        self.settle()
        self.start = self.center
        self.worst_tilt = self.wandered = 0.0
        self.depths: list[float] = []
        self.hold()
        head = self.director.drag("head", axes="y", stiffness=10.0)
        high = head.position
        low = high - (0.0, DEPTH, 0.0)
        for _ in range(BOWS):
            self._follow(head, low)
            self.depths.append(float(high[1] - head.position[1]))
            self._follow(head, high)
        self.end_error = head.error
        self.director.release()
        self.until(lambda: self._watch() and self.pace < 0.01, 1.0)

    def hold(self) -> None:
        """Hold the centre of gravity where it is, and the foot level."""
        self.director.turn(UPRIGHT, priority=1, stiffness=12.0)
        self.director.center(axes="x", priority=1, stiffness=12.0)

    def _follow(self, head: Any, end: FloatArray) -> None:
        head.target = stroke(head.target, end, self.sim.time, DURATION)
        self.until(lambda: self._watch() and abs(head.position[1] - end[1]) < 0.01, 2 * DURATION)

    def _watch(self) -> bool:
        self.worst_tilt = max(self.worst_tilt, self.tilt)
        self.wandered = max(self.wandered, abs(float(self.center[0] - self.start[0])))
        return True

    def judge(self) -> None:
        """The head went down and came up again, the centre of gravity stayed over the foot, and the foot on the floor."""
        self.find("depth", min(self.depths), "every bow at least 12 cm deep", above=0.12)
        self.find("end_error", self.end_error, "the head is up again", below=0.02)
        self.find("wandered", self.wandered, "the centre of gravity stayed within 1.7 cm", below=0.017)
        self.find("worst_tilt", self.worst_tilt, "the foot never tilted by more than 0.2 rad", below=0.2)
        self.find("end_tilt", self.tilt, "upright at the end", below=0.05)
