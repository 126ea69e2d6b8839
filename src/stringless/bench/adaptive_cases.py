"""What the adaptive benchmark runs: a pendulum of 300 links with forces on it, and a crowd, stepped from one start."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from stringless.bench.dynamics import Situation, bare
from stringless.engines import Feature
from stringless.engines.reduced.workspace import FleshWorkspace
from stringless.errors import InputError
from stringless.model.model import Model
from stringless.model.scene import Scene
from stringless.scenes import load_scene
from stringless.simulation import Simulation
from stringless.simulation.diagnosis import divergence

LINKS, PEOPLE = 300, 200
WARM = 200
"""Steps after which a motion is timed; the first choices have been made by then."""
FORCE = 0.02
"""Size of each force, about a fifteenth of a link's weight [N]."""


def pendulum() -> Scene:
    """The pendulum of Table 1."""
    return load_scene("long_pendulum", links=LINKS)


def crowd(*, ground: bool = False) -> Scene:
    """The crowd of the paper's size, 17,800 bodies and 19,000 degrees of freedom: weightless, or on the ground."""
    return load_scene("crowd", count=PEOPLE, ground=ground)


def only_ground(sim: Simulation) -> Simulation:
    """The same simulation of engine `reduced`, with characters that pass through each other: what `adaptive` does."""
    workspace = sim.engine.workspace
    contact = workspace.contact
    world = contact.obstacles[contact.obstacles["body"] < 0]
    world.flags.writeable = False
    sim.engine.workspace = FleshWorkspace(sim.model, sim.flesh, dataclasses.replace(contact, obstacles=world))
    return sim


def simulated(scene: Scene, **choices: Any) -> Simulation:
    """A simulation that records nothing."""
    return Simulation(scene, record=0, **choices)


def joints_of(scene: Scene) -> int:
    """How many joints each tree of a scene has besides a floating root."""
    tree = scene.model.tree
    first = tree["root"] == tree["root"][0]
    return int(np.sum(first & (tree["nv"] > 0))) - (scene.model.joints[0].kind.name == "free")


def apply(sim: Simulation, forces: int) -> None:
    """Push on so many bodies, evenly spread, sideways by turns."""
    if not 0 <= forces <= sim.model.body_count:
        raise InputError(f"{forces} forces on {sim.model.body_count} bodies; expected at most one on each")
    for k, body in enumerate(np.linspace(0, sim.model.body_count - 1, forces).astype(int)[::-1]):
        sim.external[body, 3] = FORCE * (-1.0) ** k


class Stretch:
    """Steps of a simulation from one start: every turn does the very same work.

    A piece of work is `length` steps. One pendulum needs as many as from one choice of joints to the next, so that no turn has
    more choices than another; in a crowd every step looks at as many figures, if their number is a multiple of the interval.
    """

    def __init__(
        self, sim: Simulation, length: int, *, step: Callable[[Simulation, int], object] | None = None, warm: int = WARM
    ) -> None:
        """Go on for `warm` steps, until the motion is under way; `step` does steps, the engine's own loop if not given."""
        self.sim, self.length = sim, length
        self.step = inner if step is None else step
        sim.step(warm)
        self.start = sim.save()

    def ready(self) -> None:
        """Go back, and take one step, in which clusters are formed again."""
        self.sim.restore(self.start)
        self.step(self.sim, 1)

    def __call__(self, count: int) -> None:
        """Do `count` pieces."""
        self.step(self.sim, count * self.length)


def inner(sim: Simulation, count: int) -> None:
    """Steps in one call of compiled code, adaptive or not."""
    if not sim.engine.supports(Feature.LEVEL_OF_DETAIL):
        sim.step(count)
        return
    bad = sim.engine.run(sim.controls, sim.state, count).coordinate
    if bad >= 0:
        raise divergence(sim.model, sim.state, bad, config=sim.config, tau=sim.tau, external=sim.external)


def outer(sim: Simulation, count: int) -> None:
    """Steps as a user takes them."""
    sim.step(count)


def singly(sim: Simulation, count: int) -> None:
    """Steps one a call, as for looking at each."""
    for _ in range(count):
        sim.step(1)


def apart(sim: Simulation, other: Simulation) -> float:
    """How far the bodies of two simulations are from each other, as a root of the mean square [m]."""
    between = sim.body_poses().position - other.body_poses().position
    return float(np.sqrt(np.mean(np.sum(between * between, axis=1))))


def alone(scene: Scene) -> tuple[Model, Situation]:
    """The first tree of a scene with nothing that a peer lacks, and where it is."""
    whole = scene.model
    count = int(np.sum(whole.tree["root"] == whole.tree["root"][0]))
    model = bare(whole, count)
    return model, Situation(scene.q[: model.nq].copy(), scene.v[: model.nv].copy(), np.zeros(model.nv))
