"""What the worm's performances share."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from stringless.control.goals import Drag
from stringless.performances.base import Performance, fixed
from stringless.spatial.arrays import FloatArray

JOINTS = ("bone_0", "bone_1", "bone_2", "bone_4", "bone_5", "bone_6")
"""From the head at -x to the tail."""
CURLS_UP = np.array((-1.0, -1.0, -1.0, 1.0, 1.0, 1.0))
"""Sign of a joint that curls its end up."""


def curled(angles: float | Sequence[float] | FloatArray) -> dict[str, float]:
    """A pose: how far each joint, from head to tail, curls its end up [rad]."""
    values: FloatArray = CURLS_UP * np.asarray(angles, dtype=np.float64)
    return dict(zip(JOINTS, values.tolist(), strict=True))


class WormAct(Performance):
    """A performance of the worm, which begins and ends lying flat."""

    scene = "worm"
    options = fixed(above=0.005)
    lies = False
    """Whether it lay still when it was last waited for."""
    highest = 0.0
    """Most that its lowest point was above the ground in its last flight [m]."""

    def lie_down(self) -> None:
        """Wait until it has been lying still for a moment."""
        quiet = 0

        def still() -> bool:
            nonlocal quiet
            quiet = quiet + 1 if self.touching > 8 and self.pace < 0.02 else 0
            return quiet > 10

        self.lies = self.until(still, 3.0)

    def drag_head(self, **options: Any) -> Drag:
        """Take hold of the end at -x."""
        return self.director.drag("bone_0", point=(-0.045, 0.0, 0.0), **options)

    def drag_tail(self, **options: Any) -> Drag:
        """Take hold of the end at +x."""
        return self.director.drag("bone_6", point=(0.045, 0.0, 0.0), **options)

    def until_airborne(self, timeout: float) -> bool:
        """Wait until nothing touches and it rises: a tremble of the flesh is no flight."""
        return self.until(lambda: self.touching == 0 and self.speed[1] > 0.3, timeout, tick=1)

    def until_landed(self) -> None:
        """Watch the flight; the landing is to be a calm one."""
        self.sim.configure(restitution=0.0)
        (self.highest,) = self.fly(lambda: self.lowest)

    def judge_flight(self, air: float, clearance: float) -> None:
        """It was in the air for that long and that high above the ground, and lies still again."""
        self.require(f"at least {air} s in the air", self.show.air > air)
        self.find("clearance", self.highest, f"at least {100 * clearance:.0f} cm above the ground", above=clearance)
        self.require("came to lie down again", self.lies)

    @property
    def curls(self) -> FloatArray:
        """How far each joint, from head to tail, curls its end up [rad]."""
        return CURLS_UP * np.array([self.angle(name) for name in JOINTS])

    @property
    def turned(self) -> float:
        """How far its middle has turned forward, that is toward +x, since the beginning [rad]."""
        return -float(self.sim.q[2])
