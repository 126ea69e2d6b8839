"""The lamp bows deeply and keeps its balance: one hand drags its head, another holds its centre of gravity."""

from typing import Any

from stringless.performances.base import Performance, fixed, stroke
from stringless.spatial.arrays import FloatArray

BOWS, DEPTH, DURATION = 2, 0.14, 0.75
"""How often it bows, how far the head goes down [m], and how long that takes [s]."""
UPRIGHT = (0.0, 0.0, 0.0, 1.0)


class LampBalance(Performance):
    """The head is dragged down and up by its height alone; the centre of gravity is held over the foot meanwhile."""

    name = "lamp_balance"
    scene = "lamp"
    settings = fixed(restitution=0.0)
    summary = "drag the head of the lamp down and up, and its centre of gravity so that it keeps its balance"
    length = 3.0

    def perform(self) -> None:
        """Settle, hold the centre of gravity, bow."""
        self.settle()
        self.start = self.center
        self.worst_tilt = self.wandered = 0.0
        self.depths: list[float] = []
        self.hold()
        head = self.director.drag("head", axes="y", firmness=10.0)
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
        self.director.turn(UPRIGHT, priority=1, firmness=12.0)
        self.director.center(axes="x", priority=1, firmness=12.0)

    def _follow(self, head: Any, end: FloatArray) -> None:
        head.target = stroke(head.target, end, self.sim.time, DURATION)
        self.until(lambda: self._watch() and abs(head.position[1] - end[1]) < 0.01, 2 * DURATION)

    def _watch(self) -> bool:
        self.worst_tilt = max(self.worst_tilt, self.tilt)
        self.wandered = max(self.wandered, abs(float(self.center[0] - self.start[0])))
        return True

    @property
    def tilt(self) -> float:
        """How far the foot is tilted [rad]."""
        return abs(self.angle("base", 2))

    def judge(self) -> None:
        """The head went down and came up again, the centre of gravity stayed over the foot, and the foot on the floor."""
        self.find("depth", min(self.depths), "every bow at least 12 cm deep", above=0.12)
        self.find("end_error", self.end_error, "the head is up again", below=0.02)
        self.find("wandered", self.wandered, "the centre of gravity stayed within 1.7 cm", below=0.017)
        self.find("worst_tilt", self.worst_tilt, "the foot never tilted by more than 0.2 rad", below=0.2)
        self.find("end_tilt", self.tilt, "upright at the end", below=0.05)
