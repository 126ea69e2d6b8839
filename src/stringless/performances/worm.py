"""What the worm's performances share."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from stringless.control.goals import Drag
from stringless.performances.base import Performance

JOINTS = ("bone_0", "bone_1", "bone_2", "bone_4", "bone_5", "bone_6")
"""From the head at -x to the tail."""
SIDES = (-1.0, -1.0, -1.0, 1.0, 1.0, 1.0)
"""Sign of a joint that curls its end up."""


def curled(angles: float | tuple[float, ...]) -> dict[str, float]:
    """A pose: how far each joint, from head to tail, curls its end up [rad]."""
    values = np.broadcast_to(np.asarray(angles, dtype=np.float64), (6,))
    return {name: float(side * value) for name, side, value in zip(JOINTS, SIDES, values, strict=True)}


class WormAct(Performance):
    """A performance of the worm, which begins lying flat."""

    scene = "worm"
    options: ClassVar[dict[str, Any]] = {"above": 0.005}

    def lie_down(self) -> None:
        """Wait until it lies still."""
        still = 0

        def lies() -> bool:
            nonlocal still
            still = still + 1 if self.touching > 8 and np.abs(self.speed).max() < 0.02 else 0
            return still > 10

        self.lies = self.until(lies, 3.0)

    def drag_head(self, **options: Any) -> Drag:
        """Take hold of the end at -x."""
        return self.director.drag("bone_0", point=(-0.045, 0.0, 0.0), **options)

    def until_airborne(self, timeout: float) -> bool:
        """Wait until nothing touches and it rises: a bounce of the flesh is no flight."""
        return self.until(lambda: self.touching == 0 and self.speed[1] > 0.3, timeout, tick=1)

    @property
    def clearance(self) -> float:
        """Height of the lowest point of its skin [m]."""
        return float(self.sim.surface_positions[:, 1].min())

    @property
    def curls(self) -> np.ndarray:
        """How far each joint, from head to tail, curls its end up [rad]."""
        model = self.sim.model
        return np.array([side * self.sim.q[model.joint(name).q_slice][0] for name, side in zip(JOINTS, SIDES, strict=True)])
