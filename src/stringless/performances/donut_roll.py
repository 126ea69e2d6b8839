"""The donut rolls: its centre of gravity is dragged along, always a little ahead of where it is."""

import math

from stringless.performances.base import Performance, fixed

AHEAD, SPEED = 0.05, 0.4
"""How far ahead of the centre of gravity the hand stays [m], and how fast it goes on [m/s]."""
LOOK = 0.05
"""How often the hand looks where the donut is [s]."""


class DonutRoll(Performance):
    """Standing on its rim, it shifts its weight forward, falls into a roll and keeps it up; let go, it comes to rest."""

    name = "donut_roll"
    scene = "donut"
    settings = fixed(restitution=0.0)
    summary = "drag the centre of gravity along: the donut rolls"
    length = 3.9

    @property
    def turned(self) -> float:
        """How far the lowest bone has turned forward since the start [rad]; a planar root counts whole turns."""
        return -self.angle("bone_0", 2)

    def perform(self) -> None:
        """Settle, roll until it has turned one and a half times, let go, come to rest."""
        self.settle()
        self.start = self.center
        goal = self.director.center(axes="x", stiffness=8.0)
        end = self.sim.time + 6.0
        while self.turned < 3 * math.pi and self.sim.time < end:
            goal.move(self.center + (AHEAD, 0.0, 0.0), velocity=(SPEED, 0.0, 0.0), hold=2 * LOOK)
            self.wait(LOOK)
        goal.release()
        self.until(lambda: self.pace < 0.05, 2.0)

    def judge(self) -> None:
        """Turned more than once, went as far as its rim is long, and never flew to cheat."""
        distance = self.center[0] - self.start[0]
        radius = distance / max(self.turned, 1e-9)
        self.find("turns", self.turned / (2 * math.pi), "at least one and a quarter turns", above=1.25)
        self.find("distance", distance)
        self.find("rolling_radius", radius, "it rolls, neither sliding nor spinning", above=0.07, below=0.14)
        self.find("hop", self.show.hop, "it stays on the ground", below=0.1)
        self.find("end_speed", self.pace, "at rest at the end", below=0.1)
