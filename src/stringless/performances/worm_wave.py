"""The worm waves: with the least torque, bending runs in from the head that is dragged up and down."""

from __future__ import annotations

import numpy as np

from stringless.performances.worm_beat import WormBeat


class WormWave(WormBeat):
    """Muscles do as little as they can: what the head does reaches the rest late."""

    name = "worm_wave"
    summary = "drag an end up and down with the least torque: a wave runs through the worm"
    low, high, duration, firmness = 0.03, 0.18, 0.25, 30.0

    def perform(self) -> None:
        """Settle, let go of the resting posture, beat."""
        self.lie_down()
        self.director.style("torque")
        self.director.set_pose(0, self.sim.model.neutral(), [], 0)
        self.beat()

    def judge(self) -> None:
        facts = self.show.facts
        sizes, late = self.swings()
        facts["stroke"] = self.stroke_length
        for j in range(6): facts[f"c{j}"] = complex(round(sizes[j],2), round(np.degrees(late[j])))
        for j in range(7): facts[f"h{j}"] = complex(round(sizes[6+j],3), round(np.degrees(late[6+j])))
        facts["x"] = self.center[0]
