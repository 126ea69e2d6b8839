"""The worm's head is dragged up and down in time: what waving and bending share."""

from functools import partial
from typing import Any, ClassVar

import numpy as np

from stringless.control.goals import Drag
from stringless.performances.base import stroke
from stringless.performances.worm import WormAct
from stringless.spatial.arrays import FloatArray

NEAR = 0.015
"""A stroke has arrived when the head is this close to its end [m]."""


class WormBeat(WormAct):
    """Strokes of the head between two heights; each begins when the last one has arrived."""

    low: ClassVar[float]
    high: ClassVar[float]
    """Heights of the head [m]."""
    duration: ClassVar[float]
    """Of a stroke [s]."""
    firmness: ClassVar[float] = 20.0
    beats: ClassVar[int] = 6

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.begun: list[float] = []
        self.reached: list[float] = []
        """When each stroke began, and how high the head was at its end."""
        self.log: list[FloatArray] = []
        """Time, six curls, seven heights and how far the middle has turned."""

    def beat(self) -> None:
        """Drag the head up and down; only its height counts, so that it may go where its body takes it."""
        head = self.drag_head(firmness=self.firmness, axes="y")
        here = head.position
        for number in range(2 * self.beats):
            there = np.array([0.0, self.low if number % 2 else self.high, 0.0])
            self.begun.append(self.sim.time)
            head.target = stroke(here, there, self.sim.time, self.duration)
            self.until(partial(self._arrived, head, there), 2 * self.duration)
            self.reached.append(float(head.position[1]))
            here = there
        head.release()

    def _arrived(self, head: Drag, there: FloatArray) -> bool:
        """Note where everything is, and say whether the stroke is over."""
        self.log.append(np.concatenate([[self.sim.time], self.curls, self.heights, [self.turned]]))
        late = self.sim.time > self.begun[-1] + 0.8 * self.duration
        return late and abs(float(head.position[1] - there[1])) < NEAR

    @property
    def heights(self) -> FloatArray:
        """Of the middles of all bones, from head to tail [m]."""
        poses = self.director.poses()
        middles = ((-0.03, 0.0, 0.0),) * 3 + ((0.0, 0.0, 0.0),) + ((0.03, 0.0, 0.0),) * 3
        bones = [self.index(f"bone_{k}") for k in range(7)]
        return np.array([(poses.position[b] + poses.rotation[b] @ m)[1] for b, m in zip(bones, middles, strict=True)])

    @property
    def stroke_length(self) -> float:
        """Mean way of the head from stroke to stroke, after the first beat [m]."""
        return float(np.mean(self.reached[2::2]) - np.mean(self.reached[3::2]))

    def swings(self) -> tuple[FloatArray, FloatArray]:
        """Sizes and phases [rad] of six curls and seven heights at the rhythm of the strokes, after the first beat.

        A phase is how much later than the head's height something has its peak.
        """
        log = np.array([row for row in self.log if row[0] >= self.begun[2]])
        period = (log[-1, 0] - log[0, 0]) / (self.beats - 1)
        turning = np.exp(-2j * np.pi * (log[:, 0] - log[0, 0]) / period)
        values = log[:, 1:14] - log[:, 1:14].mean(axis=0)
        swing = 2 * (values * turning[:, None]).mean(axis=0)
        return np.abs(swing), -np.angle(swing / swing[6])
