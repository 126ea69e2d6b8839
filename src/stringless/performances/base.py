"""What performances share: a scene, a director, a clock that watches, and a log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stringless.control.director import Director
from stringless.errors import InputError, StringlessError
from stringless.performances.witness import Witness
from stringless.scenes import load_scene
from stringless.simulation import Simulation

FloatArray = NDArray[np.float64]


class MissedError(StringlessError):
    """A performance did not become what it should."""


@dataclass
class Show:
    """What happened: one row per step, and frames for a film."""

    time: list[float] = field(default_factory=list)
    touching: list[int] = field(default_factory=list)
    """Points of the character that touch something."""
    directed: list[bool] = field(default_factory=list)
    """Whether goals were at work."""
    center: list[FloatArray] = field(default_factory=list)
    velocity: list[FloatArray] = field(default_factory=list)
    frames: list[tuple[float, FloatArray, FloatArray, FloatArray]] = field(default_factory=list)
    """Time, body positions, body rotations, skin."""
    facts: dict[str, float] = field(default_factory=dict)
    """What makes it that motion, in numbers."""

    def flights(self, shortest: float = 0.03) -> list[tuple[int, int]]:
        """First and last row of each time in the air that lasted at least `shortest` seconds."""
        found: list[tuple[int, int]] = []
        start = None
        for k, count in enumerate([*self.touching, 1]):
            if count == 0 and start is None:
                start = k
            elif count > 0 and start is not None:
                if self.time[k - 1] - self.time[start] >= shortest:
                    found.append((start, k - 1))
                start = None
        return found

    @property
    def air(self) -> float:
        """Longest time in the air [s]."""
        return max((self.time[b] - self.time[a] for a, b in self.flights()), default=0.0)

    @property
    def hop(self) -> float:
        """Longest time in the air under direction: a fall onto the stage does not count [s]."""
        return max((self.time[b] - self.time[a] for a, b in self.flights() if self.directed[a]), default=0.0)

    def off_parabola(self, gravity: FloatArray) -> float:
        """Largest distance of the centre of gravity from free fall, over all flights under direction [m]."""
        worst = 0.0
        for a, b in self.flights():
            if not all(self.directed[a : b + 1]):
                continue
            t = np.array(self.time[a : b + 1])[:, None] - self.time[a]
            fall = self.center[a] + t * self.velocity[a] + 0.5 * t * t * gravity
            worst = max(worst, float(np.abs(np.array(self.center[a : b + 1]) - fall).max()))
        return worst


class Performance:
    """A scripted motion. Subclasses say which scene, what is done, and what must come of it."""

    name: ClassVar[str] = ""
    scene: ClassVar[str] = ""
    options: ClassVar[dict[str, Any]] = {}
    """Of the scene."""
    settings: ClassVar[dict[str, Any]] = {}
    """Of the simulation."""
    summary: ClassVar[str] = ""
    length: ClassVar[float] = 3.0
    """How long it takes, about [s]."""

    def __init__(
        self,
        *,
        watch: bool = False,
        film: float = 60.0,
        record: float = 0.0,
        sim: Simulation | None = None,
        each: Callable[[], None] | None = None,
        **changes: Any,
    ) -> None:
        """Set the scene.

        Args:
            watch: look at every step for strings, which takes longer.
            film: frames kept per second; 0 keeps none.
            record: frames per second of the simulation's own take, to go back to any moment; 0 for none.
            sim: to play in, at the start of this performance's scene; one is made if not given.
            each: called now and then while it plays; what it raises ends the performance.
            changes: to the options of the scene, such as `young` or `cells`, and of the simulation, such as `dt`.
        """
        known = {"dt", "friction", "restitution", "flesh_damping", "contact_stiffness", "flesh_stiffness"}
        setting = {**self.settings, **{key: value for key, value in changes.items() if key in known}}
        option = {**self.options, **{key: value for key, value in changes.items() if key not in known}}
        self.sim = sim or Simulation(load_scene(self.scene, **option), record=record, **setting)
        if self.sim.scene.name != self.scene:
            raise InputError(f"performance '{self.name}' plays in scene '{self.scene}', not in '{self.sim.scene.name}'")
        self.each = each
        self.director: Director = self.sim.director
        self.show = Show()
        self.witness = Witness(self.sim) if watch else None
        self.film = film
        self._next_frame = 0.0

    # --- to be written ---

    def perform(self) -> None:
        """Do it."""
        raise NotImplementedError

    def judge(self) -> None:
        """Write what came of it into `show.facts`, and `require` what makes it that motion."""
        raise NotImplementedError

    # --- tools ---

    def run(self) -> Show:
        """Perform and judge."""
        self.perform()
        if self.sim.config.engine != "stiff":  # what springs pull from outside does not fly
            self.show.facts["air"] = self.show.air
            self.show.facts["off_parabola"] = self.show.off_parabola(self.sim.model.gravity)
        if self.witness is not None:
            self.show.facts["strings"] = self.witness.worst_string
        self.judge()
        return self.show

    def require(self, what: str, holds: bool) -> None:
        """Fail with a sentence unless it holds."""
        if not holds:
            facts = ", ".join(f"{key} {value:.4g}" for key, value in self.show.facts.items())
            raise MissedError(f"performance '{self.name}' missed: {what} ({facts})")

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.until(lambda: False, seconds)

    def until(self, condition: Callable[[], bool], timeout: float, tick: int = 5) -> bool:
        """Go on until something is seen, at most for `timeout` seconds; whether it was seen."""
        end = self.sim.time + timeout
        while self.sim.time < end - 0.5 * self.sim.config.dt:
            if condition():
                return True
            if self.each is not None:
                self.each()
            for _ in range(tick):
                self._step()
        return condition()

    def _step(self) -> None:
        if self.witness is not None:
            self.witness.step()
        else:
            self.sim.step()
        room = self.sim.engine.workspace
        assert room is not None
        center, velocity = self.director.center_of_gravity(0)
        self.show.time.append(self.sim.time)
        self.show.touching.append(int(room.counts[1]))
        self.show.directed.append(self.sim.is_directed)
        self.show.center.append(center)
        self.show.velocity.append(velocity)
        if self.film > 0 and self.sim.time >= self._next_frame:
            self._next_frame = self.sim.time + 1 / self.film
            poses = self.sim.body_poses()
            self.show.frames.append((self.sim.time, poses.position, poses.rotation, self.sim.surface_positions))

    @property
    def touching(self) -> int:
        """Points that touch something now."""
        room = self.sim.engine.workspace
        assert room is not None
        return int(room.counts[1])

    @property
    def center(self) -> FloatArray:
        """Centre of gravity of the first character [m]."""
        return self.director.center_of_gravity(0)[0]

    @property
    def speed(self) -> FloatArray:
        """Velocity of it [m/s]."""
        return self.director.center_of_gravity(0)[1]


def stroke(start: FloatArray, end: FloatArray, begin: float, duration: float) -> Callable[[float], FloatArray]:
    """A path from `start` to `end` that begins and ends softly."""

    def path(time: float) -> FloatArray:
        s = min(max((time - begin) / duration, 0.0), 1.0)
        return start + s * s * (3 - 2 * s) * (end - start)

    return path
