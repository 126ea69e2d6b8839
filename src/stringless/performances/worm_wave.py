"""The worm waves: with the least torque, bending runs in from the head that is dragged up and down."""

import numpy as np

from stringless.performances.worm_beat import WormBeat


class WormWave(WormBeat):
    """Muscles do as little as they can: what the head does reaches the rest late."""

    name = "worm_wave"
    summary = "drag an end up and down with the least torque: a wave runs through the worm"
    length = 3.5
    low, high, duration, firmness = 0.03, 0.18, 0.25, 30.0

    def perform(self) -> None:
        """Settle, let go of the resting posture, beat."""
        self.lie_down()
        self.director.style("torque")
        self.director.set_rest_pose(firmness=0.0, damping=0.01)
        self.beat()

    def judge(self) -> None:
        """The head goes up and down, and each bone on the way to the middle follows later than the one before."""
        self.find("stroke", self.stroke_length, "the head went up and down by 10 cm", above=0.10)
        lag = np.degrees(self.swings()[1][6:10])
        self.require("the wave runs in from the head", bool(np.all(np.diff(lag) > 0)))
        self.find("lag_1", lag[1])
        self.find("lag_2", lag[2])
        self.find("lag_3", lag[3], "the middle follows at least 45 degrees late", above=45)
