"""The characters and motions that the directing benchmark runs on."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from stringless.bench.flesh_cases import LANDED, actuated, lifted
from stringless.control.director import Style
from stringless.control.goals import Center, Drag
from stringless.engines import Controls
from stringless.model.records import Inputs
from stringless.scenes import load_scene
from stringless.simulation import Simulation
from stringless.spatial.arrays import FloatArray
from stringless.state import State

STROKE = 0.6
"""Period of the stroke that a target makes over and over [s]."""
FRAME = 1.0 / 60.0
"""How often the target is set, as a pointer would [s]."""


class Part(NamedTuple):
    """Which bone is dragged, and how."""

    dragged: str
    """Bone at one end, whose origin follows the target."""
    pinned: str
    """Bone whose orientation is held at the same time."""
    dt: float
    """Step of Table 2 of Kim & Pollard 2008 [s]."""
    reach: float
    """Height of the target's stroke [m]."""
    bare: bool = False
    """Bones alone, in the air."""


PARTS = {
    "worm": Part("bone_0", "bone_6", 1e-3, 0.15),
    "fish": Part("head", "fin", 1e-3, 0.10),
    "finger": Part("distal", "hand", 5e-4, 0.02),
    "humanoid": Part("right_hand", "chest", 1e-3, 0.30, bare=True),
}
TASKS: dict[str, Style] = {
    "drag, least acceleration": "acceleration",
    "drag, least torque": "torque",
    "drag, least velocity": "velocity",
    "centre of gravity, push-off": "acceleration",
}
"""Styles of the tasks; the last one has no drag and no pin."""


def sway(t: float) -> FloatArray:
    """The stroke of a target: up and down again, swaying a little; by the height that it reaches."""
    phase = 2 * math.pi * t / STROKE
    return np.array([0.3 * math.sin(phase), 0.5 - 0.5 * math.cos(phase), 0.0])


class Rehearsal(Controls):
    """The same scene with prescribed joints: after each step they stand where a recorded path says."""

    path: FloatArray
    """Configurations after each of the next steps, shape (n, nq)."""

    def inputs(self, state: State, dt: float, steps: int, **options: Any) -> Inputs:
        """The whole pose, at every step."""
        given, usual = actuated(self.model), super().inputs(state, dt, steps, **options)
        return usual._replace(prescribed=given, followed=given, targets=self.path[:steps])


class Take:
    """A directed motion frame by frame, and its repetition with prescribed joints."""

    def __init__(self, name: str, task: str) -> None:
        """Set the scene: lying on the ground, or in the air if there are only bones."""
        self.part = PARTS[name]
        scene = load_scene(name)
        scene = lifted(scene) if self.part.bare else scene
        self.sim = Simulation(scene, dt=self.part.dt, record=0)
        if not self.part.bare:
            self.sim.advance(LANDED)
        self.rehearsal = Simulation(scene, dt=self.part.dt, record=0)
        self.rehearsal.controls = self.path = Rehearsal(scene.model, scene.world_springs)
        director = self.sim.director
        director.style(TASKS[task])
        self.goal: Drag | Center
        if task.startswith("drag"):
            director.pin(self.part.pinned, position=False, orientation=True)
            self.goal = director.drag(self.part.dragged)
        else:
            self.goal = director.center()
        self.start = self.goal.position
        self.begin = self.sim.time
        self.steps = round(FRAME / self.part.dt)

    @property
    def seconds(self) -> float:
        """Length of a frame."""
        return self.steps * self.part.dt

    def target(self, t: float) -> FloatArray:
        """Up and down again, swaying a little."""
        return self.start + self.part.reach * sway(t - self.begin)

    def frame(self) -> Frame:
        """Move the target, simulate up to the next frame and record how the joints went."""
        here, hold = self.sim.time, self.seconds
        now, then = self.target(here), self.target(here + hold)
        self.goal.move(now, velocity=(then - now) / hold, hold=hold)
        start = self.sim.save()
        path = np.zeros((self.steps, self.sim.model.nq))
        for k in range(self.steps):
            self.sim.step()
            path[k] = self.sim.q
        self.path.path = path
        return Frame(self.sim, self.rehearsal, path, start, self.steps)


class Frame(NamedTuple):
    """One frame of a take: a state to start from, and both ways to go on."""

    sim: Simulation
    rehearsal: Simulation
    path: FloatArray
    start: State
    steps: int

    def directed(self, count: int) -> None:
        """Simulate the frame again, directed."""
        for _ in range(count):
            self.sim.restore(self.start)
            self.sim.step(self.steps)

    def prescribed(self, count: int) -> None:
        """Simulate the frame again with prescribed joints."""
        for _ in range(count):
            self.rehearsal.restore(self.start)
            self.rehearsal.step(self.steps)

    def apart(self) -> float:
        """Largest difference of an actuated coordinate between both ways, at the end [rad, m]."""
        end = self.path[-1]
        self.prescribed(1)
        return max(
            float(np.abs(self.rehearsal.q[joint.q_slice] - end[joint.q_slice]).max())
            for joint in self.sim.model.joints
            if joint.spec.actuated
        )
