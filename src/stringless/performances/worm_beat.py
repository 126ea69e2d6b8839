"""The worm waves or bends, whichever its style makes of it when its head is dragged up and down in time."""

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
    stiffness: ClassVar[float] = 20.0
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
        head = self.drag_head(stiffness=self.stiffness, axes="y")
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


class WormWave(WormBeat):
    """Muscles do as little as they can: what the head does reaches the rest late."""

    name = "worm_wave"
    summary = "drag an end up and down with the least torque: a wave runs through the worm"
    length = 3.5
    low, high, duration, stiffness = 0.03, 0.18, 0.25, 30.0

    def perform(self) -> None:
        """Settle, let go of the resting posture, beat."""
        self.lie_down()
        self.director.style("torque")
        self.director.set_rest_pose(stiffness=0.0, damping=0.01)
        self.beat()

    def judge(self) -> None:
        """The head goes up and down, and each bone on the way to the middle follows later than the one before."""
        self.find("stroke", self.stroke_length, "the head went up and down by 10 cm", above=0.10)
        lag = np.degrees(self.swings()[1][6:10])
        self.require("the wave runs in from the head", bool(np.all(np.diff(lag) > 0)))
        self.find("lag_1", lag[1])
        self.find("lag_2", lag[2])
        self.find("lag_3", lag[3], "the middle follows at least 45 degrees late", above=45)


class WormBend(WormBeat):
    """The whole back bends and stretches as one, while the middle stays level."""

    name = "worm_bend"
    summary = "drag an end up and down with the least acceleration: the worm bends as a whole"
    length = 4.8
    low, high, duration = 0.04, 0.14, 0.6
    beats = 4

    def perform(self) -> None:
        """Settle, hold the middle level, beat."""
        self.lie_down()
        self.director.style("acceleration")
        self.director.set_rest_pose(stiffness=10.0, damping=1.0)
        self.director.pin("bone_3", position=False, orientation=True)
        self.beat()

    def judge(self) -> None:
        """All joints bend at the same time and the same way, so that the tail goes up with the head."""
        sizes, late = self.swings()
        tilt = max(abs(row[-1]) for row in self.log)
        self.find("stroke", self.stroke_length, "the head went up and down by 6 cm", above=0.06)
        self.find(
            "tail", sizes[12] / sizes[6], "the tail rises with the head, by a third or more of its way", above=0.33
        )
        self.find(
            "latest", np.degrees(np.abs(late[:6]).max()), "no joint is more than 30 degrees late or early", below=30
        )
        self.find("least", sizes[:5].min(), "five joints or more take part", above=0.04)
        self.find("tilt", tilt, "the middle stays level", below=0.15)
        self.require("stays on the ground", self.show.air < 0.1)
