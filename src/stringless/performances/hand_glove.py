"""The hand is driven by a glove: it opens, pinches, makes a fist and taps the table, finger by finger."""

import math

import numpy as np

from stringless.performances.base import Performance
from stringless.scenes import glove
from stringless.scenes.hand import FINGERS
from stringless.spatial.arrays import FloatArray, IntArray

RATE = 60.0
"""How often the glove sends [1/s]."""
ARM, WILL = 60.0, 300.0
"""Stiffness of the spring that carries the palm, and of those that bend the fingers [1/s]."""
OVER_TABLE = 5.5
"""Before this the fingers touch each other at most [s]."""
SOON = 1e-9
"""Times of steps are sums, and a little off [s]."""


class HandGlove(Performance):
    """What the glove sends becomes targets of springs: one carries and turns the palm, others bend the joints.

    The hand is pulled from outside, so nothing is said of flight; what counts is what the fingertips do.
    """

    name = "hand_glove"
    scene = "hand"
    summary = "a glove moves the hand: it pinches, makes a fist and taps the table with soft fingertips"
    length = glove.LENGTH

    def perform(self) -> None:
        """Take up every sample of the recorded stream when its time has come."""
        stream = glove.recorded(RATE)
        self.palm = self.director.drag("palm", orientation=stream.rotations[0], stiffness=ARM)
        self.fingers = self.director.pose(posture(stream.angles[0]), stiffness=WILL)
        self.pressing = dict.fromkeys(FINGERS, 0.0)
        self.apart = self.bent = 0.0
        for time, angles, place, turn in zip(*stream, strict=True):
            self.until(lambda time=time: self.sim.time >= time - SOON, 1.0, tick=1)
            self._look()
            self.palm.target = place
            self.palm.turn(turn)
            self.fingers.set(posture(angles))

    def _look(self) -> None:
        """Note how well the stream is followed where nothing is in the way, and how hard each finger presses on the table."""
        points, forces = self.sim.contact_points()
        self.apart = max(self.apart, self.palm.error)
        if not len(points):
            self.bent = max(self.bent, self.fingers.error)
        if self.sim.time < OVER_TABLE:
            return
        whose = self._bones()[points]
        for name, finger in FINGERS.items():
            mine = np.isin(whose, [self.index(bone) for bone in finger.bones])
            self.pressing[name] = max(self.pressing[name], float(forces[mine, 1].sum()))

    def _bones(self) -> IntArray:
        """The bone of every point that can be in contact: vertices of the skin first, then contact samples."""
        flesh, workspace = self.sim.model.flesh, self.sim.engine.workspace
        skin = np.zeros(0, np.int64) if flesh is None else flesh.vertices["bone"]
        return np.concatenate([skin, workspace.samples["body"]])

    def judge(self) -> None:
        """The stream is followed, and every finger presses on the table, as softly as a tap does."""
        down, behind = sum(force > 0.05 for force in self.pressing.values()), math.degrees(self.bent)
        self.find("fingers_down", down, "all five fingers press on the table", above=4)
        self.find("hardest_tap", max(self.pressing.values()), "none harder than with 5 N", below=5.0)
        self.find("palm_behind", 1e3 * self.apart, "the palm is never more than 1 cm behind the glove", below=10.0)
        self.find("fingers_behind", behind, "no joint is more than 15 degrees behind while nothing touches", below=15.0)


def posture(angles: FloatArray) -> dict[str, FloatArray]:
    """A row of the recording as angles by joint."""
    ends = np.cumsum([len(angle) for finger in FINGERS.values() for angle in finger.rest])
    return dict(zip(glove.JOINTS, np.split(angles, ends[:-1]), strict=True))
