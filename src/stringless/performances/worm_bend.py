"""The worm bends: with the least acceleration, all joints share the dragging of the head evenly."""

from __future__ import annotations

import numpy as np

from stringless.performances.worm_beat import WormBeat


class WormBend(WormBeat):
    """The whole back bends and stretches as one, while the middle stays level."""

    name = "worm_bend"
    summary = "drag an end up and down with the least acceleration: the worm bends as a whole"
    low, high, duration = 0.04, 0.14, 0.6

    def perform(self) -> None:
        """Settle, hold the middle level, beat."""
        self.lie_down()
        self.director.style("acceleration")
        self.director.posture(firmness=10.0, damping=1.0)
        self.director.pin("bone_3", position=False, orientation=True)
        self.beat()

    def judge(self) -> None:
        facts = self.show.facts
        sizes, late = self.swings()
        facts["stroke"] = self.stroke_length
        facts["turned"] = self.turned
        for j in range(6): facts[f"c{j}"] = complex(round(sizes[j],2), round(np.degrees(late[j])))
        for j in range(7): facts[f"h{j}"] = complex(round(sizes[6+j],3), round(np.degrees(late[6+j])))
