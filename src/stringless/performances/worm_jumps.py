"""The worm leaves the ground: thrown up by its head, snapped up by a stretch, or forward by its centre of gravity."""

import numpy as np

from stringless.performances.base import stroke
from stringless.performances.worm import WormAct, curled


class WormJump(WormAct):
    """Lying flat, its head is dragged straight up in one quick stroke; the rest follows and leaves the ground."""

    name = "worm_jump"
    summary = "drag an end up quickly: the worm throws itself into the air"
    length = 2.4
    height, duration = 0.35, 0.08
    """Of the stroke [m, s]."""

    def perform(self) -> None:
        """Settle, one stroke, hold on in the air, let go at the landing."""
        self.lie_down()
        head = self.drag_head(stiffness=40.0)
        place = head.position
        head.target = stroke(place, np.array([place[0], self.height, place[2]]), self.sim.time, self.duration)
        self.until_airborne(0.5)
        self.until_landed()
        head.release()
        self.lie_down()

    def judge(self) -> None:
        """A hand's breadth above the ground, and down again."""
        self.judge_flight(air=0.25, clearance=0.08)


class WormStretchJump(WormAct):
    """Two hands draw the ends up slowly; two keyframes then throw them down, and the worm up."""

    name = "worm_stretch_jump"
    summary = "draw both ends up, then play a stretch: the worm snaps into the air"
    length = 2.8
    inward, height = 0.04, 0.10
    """Where the ends are drawn to [m]."""
    arch, snap = -0.8, 0.13
    """How far each joint bends down in the stretch [rad], and how fast, from key to key [s]."""

    def perform(self) -> None:
        """Settle, draw the ends up, stretch, land."""
        self.lie_down()
        ends = (self.drag_head(stiffness=20.0), self.drag_tail(stiffness=20.0))
        for end, side in zip(ends, (1.0, -1.0), strict=True):
            place = end.position
            drawn = np.array([place[0] + side * self.inward, self.height, place[2]])
            end.target = stroke(place, drawn, self.sim.time, 0.5)
        # Still moving, it would leave the ground too early, with nothing left to push off from.
        high = self.height - 0.01
        self.until(lambda: all(end.position[1] > high for end in ends) and abs(self.speed[1]) < 0.03, 1.5)
        drawn = min(end.position[1] for end in ends)
        self.find("drawn", drawn, "both ends were drawn up", above=self.height - 0.02)
        for end in ends:
            end.release()
        stretch = self.director.keyframes()
        stretch.insert(0.0)
        stretch.insert(self.snap, curled(self.arch))
        stretch.play(blend=0.02)
        # As the ends come down the belly lifts, which is no flight yet.
        self.until(lambda: float(self.curls.mean()) < 0.5 * self.arch, 0.3, tick=1)
        self.until_airborne(0.5)
        self.until_landed()
        stretch.stop()
        self.lie_down()

    def judge(self) -> None:
        """Drawn up before, a hand's breadth above the ground, and down again where it was, the same side up."""
        self.find("turned", self.turned, "stayed upright", above=-0.3, below=0.3)
        self.judge_flight(air=0.2, clearance=0.06)


class WormHop(WormAct):
    """Raised and drawn back first; pulled back too little, its ends would spend all friction on pushing against each other."""

    name = "worm_hop"
    summary = "drag the centre of gravity up, back and then forward: the worm hops"
    length = 2.8
    up, back = 0.06, 0.08
    """How far it gathers before the hop [m]. Leaning back decides on the distance more than the push does."""
    push = np.array((24.0, 48.0, 0.0))
    """Acceleration asked for in the push [m/s²]."""
    arch = -0.3
    """Posture that is preferred meanwhile: it rises by arching on both ends, not by lifting them [rad]."""

    def perform(self) -> None:
        """Settle, rise, lean back, push off, straighten in the air, land."""
        self.lie_down()
        self.begin = self.center
        self.director.set_rest_pose(curled(self.arch))
        center = self.director.center(stiffness=12.2)
        raised = self.begin + np.array((0.0, self.up, 0.0))
        center.target = stroke(self.begin, raised, self.sim.time, 0.6)
        self.until(lambda: self.center[1] > self.begin[1] + 0.5 * self.up and abs(self.speed[1]) < 0.03, 0.8)
        leant = raised - np.array((self.back, 0.0, 0.0))
        center.target = stroke(raised, leant, self.sim.time, 0.3)
        self.until(lambda: abs(self.center[0] - leant[0]) < 0.012 and self.pace < 0.12, 0.8)
        center.release()
        self._push_off()
        self.director.pose(curled(0.0))
        take_off = self.center
        self.until_landed()
        self.flown = float(self.center[0] - take_off[0])
        self.lie_down()

    def _push_off(self) -> None:
        """Accelerate from what it does now until it is off the ground."""
        time, place, speed = self.sim.time, self.center, self.speed
        path = lambda t: place + (t - time) * speed + 0.5 * (t - time) ** 2 * self.push  # noqa: E731
        push = self.director.center(path, stiffness=30.0)
        self.until_airborne(0.2)
        push.release()

    def judge(self) -> None:
        """Through the air forward, and down again on its belly."""
        self.find("flown", self.flown, "flew forward by 10 cm", above=0.10)
        self.find("travel", self.center[0] - self.begin[0], "is further on by 12 cm", above=0.12)
        self.find("turned", self.turned, "belly down", above=-0.3, below=0.3)
        self.judge_flight(air=0.12, clearance=0.02)
