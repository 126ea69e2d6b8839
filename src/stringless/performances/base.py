"""What performances share: a scene, a director, a clock that watches, and a log."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from stringless.control.director import Director
from stringless.engines import Feature
from stringless.errors import InputError, StringlessError
from stringless.performances.momentum_balance import MomentumBalance
from stringless.scenes import load_scene
from stringless.simulation import Simulation
from stringless.spatial.arrays import FloatArray


class MissedError(StringlessError):
    """A performance did not become what it should."""


def fixed(**values: Any) -> Mapping[str, Any]:
    """Values by name that cannot be changed."""
    return MappingProxyType(values)


@dataclass
class Show:
    """What happened: one row per step."""

    time: list[float] = field(default_factory=list)
    touching: list[int] = field(default_factory=list)
    """Points of the character that touch something."""
    directed: list[bool] = field(default_factory=list)
    """Whether goals were at work."""
    center: list[FloatArray] = field(default_factory=list)
    velocity: list[FloatArray] = field(default_factory=list)
    facts: dict[str, float] = field(default_factory=dict)
    """What makes it that motion, in numbers."""

    def flights(self, shortest: float = 0.03) -> list[tuple[int, int]]:
        """First and last row of each time in the air that lasted at least `shortest` seconds."""
        edges = np.flatnonzero(np.diff([False, *(count == 0 for count in self.touching), False]))
        spans = zip(edges[::2].tolist(), (edges[1::2] - 1).tolist(), strict=True)
        return [(a, b) for a, b in spans if self.time[b] - self.time[a] >= shortest]

    def longest(self, *, directed: bool = False, begin: int = 0) -> float:
        """Longest time in the air from a row on [s]; under direction alone, if told so: a fall onto the stage does not count."""
        flights = [(a, b) for a, b in self.flights() if a >= begin and (self.directed[a] or not directed)]
        return max((self.time[b] - self.time[a] for a, b in flights), default=0.0)

    @property
    def air(self) -> float:
        """Longest time in the air [s]."""
        return self.longest()

    @property
    def hop(self) -> float:
        """Longest time in the air under direction [s]."""
        return self.longest(directed=True)

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
    options: ClassVar[Mapping[str, Any]] = fixed()
    """Of the scene."""
    settings: ClassVar[Mapping[str, Any]] = fixed()
    """Of the simulation."""
    summary: ClassVar[str] = ""
    length: ClassVar[float] = 3.0
    """How long it takes, about [s]."""

    def __init__(
        self,
        *,
        watch: bool = False,
        record: float = 0.0,
        sim: Simulation | None = None,
        each: Callable[[], None] | None = None,
        **changes: Any,
    ) -> None:
        """Set the scene.

        Args:
            watch: look at every step for strings, which takes longer.
            record: frames per second of the simulation's own take, to go back to any time; 0 for none.
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
        self.balance = MomentumBalance(self.sim) if watch else None
        self._missed = ""

    # --- to be written ---

    def perform(self) -> None:
        """Do it."""
        raise NotImplementedError

    def judge(self) -> None:
        """Write what came of it into `show.facts`, with `find`, and `require` what makes it that motion."""
        raise NotImplementedError

    # --- tools ---

    def run(self) -> Show:
        """Perform and judge."""
        self.perform()
        if self.sim.engine.supports(Feature.ACTUATED_GOALS):  # what springs pull from outside does not fly
            self.find("air", self.show.air)
            self.find("off_parabola", self.show.off_parabola(self.sim.model.gravity))
        if self.balance is not None:
            self.find("strings", self.balance.worst_string)
        self.judge()
        if self._missed:
            facts = ", ".join(f"{key} {value:.4g}" for key, value in self.show.facts.items())
            raise MissedError(f"performance '{self.name}' missed: {self._missed} ({facts})")
        return self.show

    def find(
        self, fact: str, value: float, what: str = "", *, above: float = -math.inf, below: float = math.inf
    ) -> None:
        """Note a number that makes it that motion, and fail in the end with a sentence unless it lies between two others."""
        self.show.facts[fact] = float(value)
        self.require(what, bool(above < value < below))

    def require(self, what: str, holds: bool) -> None:
        """Fail in the end with a sentence unless it holds."""
        if not holds:
            self._missed = self._missed or what

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

    def settle(self, slow: float = 0.01, longest: float = 2.0) -> None:
        """Wait until the centre of gravity comes to rest, which it cannot have at the very start."""
        self.until(lambda: self.sim.time > 0.3 and self.pace < slow, longest)

    def fly(self, *heights: Callable[[], float], tick: int = 5) -> list[float]:
        """Wait until something touches again as it comes down; the greatest of some heights until then [m]."""
        seen = [[height() for height in heights]]

        def landed() -> bool:
            seen.append([height() for height in heights])
            return self.touching > 0 and self.speed[1] < 0  # the last to leave the ground is no landing

        self.until(landed, 1.0, tick)
        return [max(values) for values in zip(*seen, strict=True)]

    def _step(self) -> None:
        if self.balance is not None:
            self.balance.step()
        else:
            self.sim.step()
        center, velocity = self.director.center_of_gravity(0)
        self.show.time.append(self.sim.time)
        self.show.touching.append(self.touching)
        self.show.directed.append(self.sim.is_directed)
        self.show.center.append(center)
        self.show.velocity.append(velocity)

    @property
    def touching(self) -> int:
        """Points that touch something now."""
        return int(self.sim.engine.workspace.counts[1])

    @property
    def center(self) -> FloatArray:
        """Centre of gravity of the first character [m]."""
        return self.director.center_of_gravity(0)[0]

    @property
    def speed(self) -> FloatArray:
        """Velocity of it [m/s]."""
        return self.director.center_of_gravity(0)[1]

    @property
    def pace(self) -> float:
        """The largest of its components, either way [m/s]."""
        return float(np.abs(self.speed).max())

    @property
    def lowest(self) -> float:
        """Height of the lowest point of the skin [m]."""
        return float(self.sim.surface_positions[:, 1].min())

    def angle(self, joint: str, which: int = 0) -> float:
        """One coordinate of a joint [rad]."""
        return float(self.sim.q[self.sim.model.joint(joint).q_slice][which])

    def index(self, body: str) -> int:
        """The number of a body."""
        return self.sim.model.body(body).index


def stroke(start: FloatArray, end: FloatArray, begin: float, duration: float) -> Callable[[float], FloatArray]:
    """A path from `start` to `end` that begins and ends softly."""

    def path(time: float) -> FloatArray:
        s = min(max((time - begin) / duration, 0.0), 1.0)
        return start + s * s * (3 - 2 * s) * (end - start)

    return path
