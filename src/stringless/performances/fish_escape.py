"""The fish escapes: it throws itself along the dock, hop by hop, until it falls off the end."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from stringless.performances.base import FloatArray, Performance, stroke
from stringless.scenes.props import DOCK_HALF, DOCK_TOP

HOPS = 14
"""After so many it gives up."""
STRETCHED: dict[str, float] = dict.fromkeys(("chest", "gills", "head", "loin", "stem", "fin"), 0.0)


class FishEscape(Performance):
    """Lying on its side, head and tail are dragged up in one quick stroke; in the air it stretches, and lands."""

    name = "fish_escape"
    scene = "fish"
    options: ClassVar[dict[str, Any]] = {"root": "free", "at": 0.2}
    summary = "drag head and tail up quickly, stretch in the air: the fish hops off the dock"
    length = 3.5
    firm: ClassVar[float] = 200.0
    """How firmly joint limits are approached [1/s]: gently approached, they would take the force out of the stroke."""

    def perform(self) -> None:
        """Come to rest, hop until the end of the dock is reached, fall."""
        self.air: list[float] = []
        self.rises: list[float] = []
        self.clearances: list[float] = []
        self.director.limit_firmness = self.firm
        self.rest()
        while len(self.air) < HOPS and not self.off:
            self.hop()
            self.rest()

    @property
    def off(self) -> bool:
        """Whether it has left the dock for the floor."""
        return bool(self.center[1] < DOCK_TOP)

    @property
    def clearance(self) -> float:
        """Of its lowest point above the dock [m]."""
        return float(self.sim.surface_positions[:, 1].min()) - DOCK_TOP

    def rest(self) -> None:
        """Go limp, land softly and wait until nothing moves."""
        self.director.release()
        self.director.leave()
        self.sim.configure(restitution=0.0)
        self.wait(0.1)
        self.until(
            lambda: self.touching > 0 and np.abs(self.speed).max() < 0.02 and np.abs(self.sim.v).max() < 0.5, 1.5
        )

    def hop(self) -> None:
        """One stroke, one stretch, one landing."""
        self.sim.configure(restitution=1.0)
        start = self.center
        # The head goes further toward the tail than the tail comes back: drawn together evenly, it gains so little
        # ground near the end of the dock, where the tail has nothing below it, that it rocks to and fro there.
        self.throw("head", (-0.05, 0.0, 0.0), 0.14, 0.20)
        self.throw("fin", (0.04, 0.0, 0.0), -0.06, 0.25)
        self.until(lambda: self.touching == 0 and self.speed[1] > 0.3, 0.4, tick=1)
        self.director.release()
        stretch = self.director.pose(STRETCHED, firmness=30.0)
        began, top, highest = self.sim.time, self.center[1], self.clearance

        def landed() -> bool:
            nonlocal top, highest
            top, highest = max(top, self.center[1]), max(highest, self.clearance)
            return self.touching > 0

        self.until(landed, 1.0, tick=1)
        stretch.release()
        self.air.append(self.sim.time - began)
        self.rises.append(float(top - start[1]))
        self.clearances.append(highest)

    @property
    def along(self) -> FloatArray:
        """Level direction from its head to its tail."""
        place = self.director.poses().position
        body = self.sim.model.body
        line = (place[body("fin").index] - place[body("head").index]) * (1.0, 0.0, 1.0)
        return line / np.linalg.norm(line)

    def throw(self, bone: str, point: tuple[float, float, float], back: float, up: float) -> None:
        """Drag a point of a bone toward the tail and up from where it is, in a twelfth of a second [m]."""
        goal = self.director.drag(bone, point=point, firmness=60.0)
        end = goal.position + back * self.along + (0.0, up, 0.0)
        goal.target = stroke(goal.position, end, self.sim.time, 0.08)

    def judge(self) -> None:
        """Well into the air, over the end of the dock, and down on the floor."""
        facts = self.show.facts
        facts["hops"] = len(self.air)
        facts["hop_air"], facts["hop_rise"] = max(self.air), max(self.rises)
        facts["hop_clearance"] = max(self.clearances)
        facts["x"], facts["y"] = float(self.center[0]), float(self.center[1])
        self.require("at least 0.15 s in the air in one hop", facts["hop_air"] > 0.15)
        self.require("risen by at least 6 cm in one hop", facts["hop_rise"] > 0.06)
        self.require("at least 2 cm above the dock in one hop", facts["hop_clearance"] > 0.02)
        self.require("beyond the end of the dock", facts["x"] > DOCK_HALF[0])
        self.require("down on the floor", facts["y"] < 0.15 and self.touching > 0)
