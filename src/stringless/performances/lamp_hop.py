"""The lamp hops: it crouches and pushes off, both by its centre of gravity, and lands on its foot."""

from stringless.performances.base import Performance, fixed, stroke

CROUCH, RISE = 0.02, 0.165
"""How far the centre of gravity is dragged down, and up to push off [m]."""
JERK, ENOUGH = 0.08, 0.65
"""In which time [s], and how fast it then has to rise to be let go [m/s]."""
UPRIGHT = (0.0, 0.0, 0.0, 1.0)
CALM, LEVEL, PUSH = 12.0, 25.0, 40.0
"""How firmly it crouches, and how firmly it keeps its foot level and pushes off when it hops [1/s]."""


class LampHop(Performance):
    """The foot is kept level all the time; the centre of gravity sinks slowly and is then jerked up."""

    name = "lamp_hop"
    scene = "lamp"
    settings = fixed(restitution=0.0)
    summary = "drag the centre of gravity down, then up with a jerk: the lamp hops and lands upright"
    length = 4.0

    @property
    def tilt(self) -> float:
        """How far the foot is tilted [rad]."""
        return self.angle("base", 2)

    def perform(self) -> None:
        """Settle, crouch, push off, land, and come to rest on its springs, which carry it upright best when let alone."""
        self.settle()
        start = self.center
        self.director.turn(UPRIGHT, priority=1, firmness=CALM)
        goal = self.director.center(priority=2, firmness=CALM)
        goal.target = stroke(start, start - (0.0, CROUCH, 0.0), self.sim.time, 0.4)
        low = start[1] - 0.75 * CROUCH
        self.until(lambda: self.center[1] < low and self.pace < 0.05, 1.5)
        self.crouched = float(start[1] - self.center[1])
        self.director.release()
        self.director.turn(UPRIGHT, priority=2, firmness=LEVEL)
        goal = self.director.center(priority=2, firmness=PUSH)
        goal.target = stroke(self.center, self.center + (0.0, RISE, 0.0), self.sim.time, JERK)
        self.until(lambda: self.speed[1] > ENOUGH, 0.5, tick=1)
        goal.release()
        self.until(lambda: self.touching == 0, 0.5, tick=1)
        (self.clearance,) = self.fly(lambda: self.lowest)
        self.worst_tilt = 0.0
        self.director.release()
        self.quiet = 0
        self.until(self._still, 3.0)

    def _still(self) -> bool:
        self.worst_tilt = max(self.worst_tilt, abs(self.tilt))
        self.quiet = self.quiet + 1 if self.touching > 0 and self.pace < 0.01 else 0
        return self.quiet > 20

    def judge(self) -> None:
        """Crouched, in the air with the whole lamp, and upright from the landing on."""
        self.find("hop", self.show.hop, "at least 0.09 s in the air", above=0.09)
        self.find("crouched", self.crouched, "crouched by at least 1 cm", above=0.01)
        self.find("clearance", self.clearance, "at least 1 cm between lamp and floor", above=0.01)
        self.find("worst_tilt", self.worst_tilt, "never tilted by more than 0.3 rad after landing", below=0.3)
        self.find("end_tilt", abs(self.tilt), "upright at the end", below=0.1)
        self.find("end_speed", self.pace, "still", below=0.05)
        self.require("landed", self.touching > 0)
