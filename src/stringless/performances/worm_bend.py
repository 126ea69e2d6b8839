"""The worm bends: with the least acceleration, all joints share the dragging of the head evenly."""

import numpy as np

from stringless.performances.worm_beat import WormBeat


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
        self.director.set_rest_pose(firmness=10.0, damping=1.0)
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
