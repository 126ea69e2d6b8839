"""The worm limps: its middle is held up, and one end kicks it along while the stiff middle keeps the other still."""

from functools import partial
from typing import ClassVar

import numpy as np

from stringless.control.goals import Drag
from stringless.performances.base import stroke
from stringless.performances.worm import JOINTS, WormAct
from stringless.spatial.arrays import FloatArray

HEIGHT = 0.08
"""At which the middle is pinned [m]."""
REACH, LIFT, PRESS = 0.08, 0.04, 0.01
"""How far the head steps, how high it is lifted on the way out and how deep it presses on the way back [m]."""
DURATION, STEPS = 0.4, 5
"""Of a stroke [s]; how many steps."""


class WormLimp(WormAct):
    """With the least velocity, each joint does only what the head's steps and the pin ask for."""

    name = "worm_limp"
    weights: ClassVar[tuple[float, ...]] = (1.0, 1.0, 3.0, 3.0, 1.0, 1.0)
    """Of the joints from head to tail: those beside the middle weigh three times as much as the others."""
    summary = "pin the height of the middle, step with one end, least velocity: the worm limps along"
    length = 5.5

    def perform(self) -> None:
        """Settle, raise the middle, step."""
        self.lie_down()
        self.begin = self.center
        self.director.style("velocity")
        self.director.set_joint_weights(dict(zip(JOINTS, self.weights, strict=True)))
        self.director.set_rest_pose(stiffness=0.0, damping=5.0)
        place = self.middle
        pin = self.director.pin("bone_3", axes="y", stiffness=20.0)
        pin.target = stroke(place, np.array((0.0, HEIGHT, 0.0)), self.sim.time, 0.5)
        self.until(lambda: self.middle[1] > HEIGHT - 0.005 and abs(self.speed[1]) < 0.02, 1.0)
        self.heights: list[float] = []
        self.rates: list[FloatArray] = []
        head = self.drag_head(stiffness=20.0)
        out = head.position - np.array((self.middle[0], 0.0, 0.0))
        for _ in range(STEPS):
            self._step_to(head, out, LIFT)
            self._step_to(head, out + np.array((REACH, -PRESS, 0.0)), 0.0)

    def _step_to(self, head: Drag, there: FloatArray, lift: float) -> None:
        """Move the head to a place beside the middle, lifted on the way."""
        self.beside = np.array((self.middle[0], 0.0, 0.0))
        here, begin = head.position - self.beside, self.sim.time
        way, arc = stroke(here, there, begin, DURATION), np.array((0.0, lift, 0.0))
        head.target = lambda t: self.beside + way(t) + arc * np.sin(np.pi * min((t - begin) / DURATION, 1.0))
        self.until(partial(self._arrived, head, there, begin + 0.9 * DURATION), 1.25 * DURATION)

    def _arrived(self, head: Drag, there: FloatArray, earliest: float) -> bool:
        self.beside = np.array((self.middle[0], 0.0, 0.0))
        self.heights.append(float(self.middle[1]))
        model = self.sim.model
        self.rates.append(np.array([self.sim.v[model.joint(name).v_slice][0] for name in JOINTS]))
        gap = head.position - self.beside - there
        return self.sim.time > earliest and float(np.abs(gap).max()) < 0.02

    @property
    def middle(self) -> FloatArray:
        """Where the middle bone is [m]."""
        return self.director.poses().position[self.index("bone_3")]

    def judge(self) -> None:
        """It gets on, its middle at the pinned height, and the heavier weighted joints move less than the others."""
        off_pin = max(abs(height - HEIGHT) for height in self.heights)
        speeds = np.sqrt(np.mean(np.array(self.rates) ** 2, axis=0))
        share = speeds[2:4].mean() / speeds[[0, 1, 4, 5]].mean()
        self.find("travel", self.center[0] - self.begin[0], "got on by 8 cm", above=0.08)
        self.find("off_pin", off_pin, "the middle stayed within 5 mm of its height", below=0.005)
        self.find("reluctant", share, "joints of higher weight are slower than the others", below=0.95)
        self.find("turned", self.turned, "did not fall over", above=-1.4, below=1.4)
