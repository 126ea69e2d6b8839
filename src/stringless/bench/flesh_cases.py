"""The characters and situations that the flesh benchmark runs on."""

import dataclasses
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from stringless.bench.harness import Loop
from stringless.model.model import Joint, Model
from stringless.model.scene import Scene
from stringless.scenes import worm
from stringless.simulation import Simulation
from stringless.spatial.arrays import BoolArray
from stringless.state import State

CHARACTERS = ("worm", "fish", "finger", "starfish", "lamp", "donut")
SIZES = ((20, 3, 2), (24, 6, 6), (38, 8, 8), (48, 10, 10), (74, 12, 12))
"""Cells of worms from about 700 to 50,000 tetrahedra."""
QUICK_SIZES = (SIZES[0], SIZES[2], SIZES[4])
DT = 1e-3
HIGH = 5.0
"""How far above the ground nothing touches within a measurement [m]."""
LANDED = 3.0
"""Time after which a character lies on the ground [s]."""
ANGLE_GAIN, RATE_GAIN = 900.0, 60.0
"""With which prescribed joints follow a motion [1/s², 1/s]."""
WINDOW = 100
"""Steps after which a measurement goes back to its start: what flies has not landed yet."""
HELD = 10
"""Steps for which a command is held."""


class Situation(Loop):
    """Steps of a simulation from a state, over and over: every call begins there, and goes back before it gets far."""

    def __init__(self, sim: Simulation, start: State | None = None) -> None:
        """Begin at `start`, or where it is now."""
        self.sim, self.start = sim, start or sim.save()
        super().__init__(sim.step, lambda: sim.restore(self.start), WINDOW, afresh=True)


def lifted(scene: Scene, height: float = HIGH) -> Scene:
    """The scene with everything raised that is not held."""
    q = scene.q.copy()
    for body in scene.model.bodies:
        if body.parent < 0 and not body.joint.spec.actuated:
            q[body.joint.q_slice][1] += height
    return dataclasses.replace(scene, q=q)


def as_it_is(scene: Scene) -> Scene:
    """The scene itself."""
    return scene


PLACES: dict[str, tuple[Callable[[Scene], Scene], float]] = {
    "in the air": (lifted, 0.01),
    "in contact": (as_it_is, LANDED),
}
"""Where to start, and how long to wait before measuring [s]."""


def settled(scene: Scene, where: str, *, self_contact: bool = True) -> Simulation:
    """A simulation with passive joints, in the air or lying on the ground."""
    place, wait = PLACES[where]
    sim = Simulation(place(scene), dt=DT, record=0, self_contact=self_contact)
    sim.advance(wait)
    return sim


def actuated(model: Model) -> BoolArray:
    """Coordinates that an actuator drives."""
    chosen = np.zeros(model.nv, np.bool_)
    for joint in model.joints:
        chosen[joint.v_slice] = joint.spec.actuated
    return chosen


# --- prescribed joints ------------------------------------------------------------------------------------------------


class Motion(NamedTuple):
    """What the actuated joints of a character do: targets (angle, rate) of joint k of n at time t."""

    target: Callable[[int, int, float], tuple[float, float]]
    height: float = 0.0
    """Start this far above where the scene does [m]."""
    swell: float = 1.0
    """Factor by which the flesh is stretched about its bones at the start."""


def still(k: int, n: int, t: float) -> tuple[float, float]:
    """Hold straight."""
    return 0.0, 0.0


def wave(k: int, n: int, t: float) -> tuple[float, float]:
    """A wave that runs along the body."""
    phase = 8.0 * t - 1.0 * k
    return 0.5 * math.sin(phase), 4.0 * math.cos(phase)


def bend(k: int, n: int, t: float) -> tuple[float, float]:
    """Up and down, all joints together; those on the two sides of the root bend oppositely."""
    side = -1.0 if k < n // 2 else 1.0
    return side * 0.25 * (1 - math.cos(6.0 * t)), side * 1.5 * math.sin(6.0 * t)


def ring(k: int, n: int, t: float) -> tuple[float, float]:
    """Curl up nearly to a ring within half a second, and stay."""
    s = min(t / 0.5, 1.0)
    side = -1.0 if k < n // 2 else 1.0
    rate = 0.9 * 6 * s * (1 - s) / 0.5 if s < 1 else 0.0
    return side * 0.9 * s * s * (3 - 2 * s), side * rate


MOTIONS = {
    "rest": Motion(still),
    "wave": Motion(wave),
    "bend": Motion(bend),
    "ring": Motion(ring),
    "drop": Motion(still, height=0.5),
    "swollen": Motion(still, swell=1.5),
}
"""Representative motions of the worm."""


def steer(sim: Simulation, motion: Motion) -> None:
    """Set the accelerations of the actuated joints for the next `HELD` steps: hinges follow the motion, others stay."""
    sim.acceleration[:] = -RATE_GAIN * sim.v
    hinges = [(d, q) for joint in sim.model.joints if joint.spec.actuated for d, q in angles(joint)]
    for k, (d, at) in enumerate(hinges):
        angle, rate = motion.target(k, len(hinges), sim.time)
        sim.acceleration[d] = ANGLE_GAIN * (angle - sim.q[at]) + RATE_GAIN * (rate - sim.v[d])


def angles(joint: Joint) -> list[tuple[int, int]]:
    """Where the angles of a hinge or of a universal joint stand in v and in q."""
    if joint.kind.name not in ("revolute", "universal"):
        return []
    v, q = joint.v_slice, joint.q_slice
    return list(zip(range(v.start, v.stop), range(q.start, q.stop), strict=True))


def prescribed(sim: Simulation, motion: Motion, seconds: float) -> Situation:
    """Move the actuated joints for a while, and stop the clock in the middle of it."""
    sim.prescribed[:] = actuated(sim.model)
    for _ in range(round(seconds / sim.config.dt / HELD)):
        steer(sim, motion)
        sim.step(HELD)
    return Situation(sim)


# --- sizes ------------------------------------------------------------------------------------------------------------


def sized_worm(cells: tuple[int, int, int]) -> Scene:
    """The worm in the air with another number of cells, at rest."""
    model = worm.build(cells=cells).build()
    return lifted(Scene(model))
