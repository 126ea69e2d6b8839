"""The finger turns a box over: its tip is dragged against the upper part of the box and on."""

import math
from typing import Any

import numpy as np

from stringless.performances.base import Performance, fixed, stroke
from stringless.performances.momentum_balance import ObjectMomentumBalance
from stringless.scenes.finger import OBJECT_HALF, TABLE
from stringless.spatial.arrays import FloatArray

OVER = math.radians(70.0)
"""How far the box is pushed over before the finger lets go of it; beyond half a right angle it falls by itself."""


class FingerTurn(Performance):
    """The tip goes back around the box, pushes it over its far edge and comes away; the hand follows as it must."""

    name = "finger_turn"
    scene = "finger"
    settings = fixed(dt=0.5e-3, restitution=0.0)
    summary = "drag the tip of the finger: the box is turned over"
    length = 3.0

    def __init__(self, *, watch: bool = False, **options: Any) -> None:
        """Set the scene. With `watch` it is the box that is looked at: the finger is held by a hand."""
        super().__init__(watch=False, **options)
        if watch:
            self.balance = ObjectMomentumBalance(self.sim, thing="object")

    @property
    def box(self) -> FloatArray:
        """Where the middle of the box is [m]."""
        return self.sim.body_poses().position[self.index("object")]

    @property
    def turned(self) -> float:
        """Angle by which the box has turned in the plane of the finger, away from the hand [rad]."""
        R = self.sim.body_poses().rotation[self.index("object")]
        return math.atan2(-float(R[1, 0]), float(R[0, 0]))

    def perform(self) -> None:
        """Lift the tip off the box, go back, down, push until the box is nearly over, and come away."""
        self.director.style("velocity")
        self.until(lambda: self.sim.time > 0.2 and np.abs(self.sim.v).max() < 0.5, 1.0)
        self.tip = self.director.drag("distal", point=(0.05, 0.0, 0.0), stiffness=20.0)
        near, above = self.box[0] - OBJECT_HALF[0] - 0.07, TABLE + 2 * OBJECT_HALF[1] + 0.05
        self.go(self.tip.position[0], above)
        self.go(near, above)
        # Above the middle: pushed any lower, the box would slide.
        self.go(near, TABLE + 1.45 * OBJECT_HALF[1])
        self.push()
        self.go(self.tip.position[0], above)
        self.go(near, above)
        self.until(lambda: np.abs(self.sim.v).max() < 0.1, 1.0)

    def go(self, x: float, y: float, speed: float = 0.25) -> None:
        """Drag the tip straight to a place, and wait until it is there."""
        end = np.array([x, y, 0.0])
        duration = max(float(np.linalg.norm(end - self.tip.position)) / speed, 0.05)
        self.tip.target = stroke(self.tip.position, end, self.sim.time, duration)
        self.until(lambda: float(np.linalg.norm(self.tip.position - end)) < 0.006, duration + 1.0)

    def push(self) -> None:
        """Drag the tip on until the box is nearly over."""
        start = self.tip.position
        self.touched_from, self.touched_to = math.inf, 0.0

        def over() -> bool:
            if self.pressing:
                self.touched_from = min(self.touched_from, self.turned)
                self.touched_to = max(self.touched_to, self.turned)
            return self.turned > OVER

        self.tip.target = stroke(start, start + (0.25, 0.02, 0.0), self.sim.time, 2.5)
        self.until(over, 3.0)

    @property
    def pressing(self) -> bool:
        """Whether the skin of the finger presses on the box."""
        workspace = self.sim.engine.workspace
        held = self.sim.state.anchors["obstacle"].reshape(workspace.points, -1)[: len(workspace.vertices)]
        return bool(np.any((held >= 0) & (workspace.contact.obstacles["body"][held] == self.index("object"))))

    def judge(self) -> None:
        """A quarter turn, most of it in touch with the finger, and at rest on the table."""
        in_touch, half = math.degrees(self.touched_to - self.touched_from), OBJECT_HALF[1]
        self.find("turned", math.degrees(self.turned), "the box has turned by at least 80 degrees", above=80.0)
        self.find("turned_in_touch", in_touch, "at least 45 degrees of it in touch with the finger", above=45.0)
        height = float(self.box[1]) - TABLE
        self.find("height", height, "the box lies flat on the table", above=half - 0.003, below=half + 0.003)
