"""Watching a chain for some seconds, in our engine or in another program: does it stay finite, gain energy, come apart?"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless import dynamics
from stringless.bench.harness import Row
from stringless.bench.peers.base import StiffPeer
from stringless.bench.stiff_cases import LIMIT, NEAR, beyond, fall, reach
from stringless.dynamics import Energy
from stringless.errors import DivergenceError
from stringless.kinematics import body_poses, center_of_gravity
from stringless.model.model import Model
from stringless.model.scene import Scene
from stringless.simulation import Simulation

FloatArray = NDArray[np.float64]

SECONDS = 10.0
"""For how long a chain is watched [s]."""
BOUNDED = 1.0
"""A chain is stable if it stays finite and its energy never rises by more than it can fall, as a share of that."""
GONE = 1e3
"""Beyond this rise of energy nothing is left to watch."""
LAST = 1.0
"""Time at the end in which a chain must move, unless it hangs [s]."""
STILL, ASIDE = 1e-3, 0.02
"""A chain stands still in the air if in this time its kinetic energy is below this share of what it can fall, while its
centre of gravity is beside the point it hangs from by more than this share of its length, and than joints at their limits
can hold it: bent so far they make an arc of radius length over limit, and twice that counts for its chord and its springs."""


class Watched(NamedTuple):
    """A chain that can be stepped."""

    scene: Scene
    step: Callable[[], bool]
    """Do one step, and say whether all is well."""
    state: Callable[[], tuple[FloatArray, FloatArray]]
    """q and v now."""
    energy: Callable[[], Energy]
    """Kinetic and potential energy now, springs included."""
    gap: Callable[[], float] | None
    """Largest distance between two points that a joint holds together [m]; None if the poses of bodies are not known."""


class Seen:
    """The worst of what was seen so far."""

    def __init__(self, chain: Watched) -> None:
        """Begin at the start of the scene."""
        self.chain, self.model = chain, chain.scene.model
        self.start, self.share = dynamics.energy(self.model, chain.scene.q, chain.scene.v).total, 1.0 / fall(self.model)
        self.gain = self.rates_gain = self.over = -math.inf
        self.gap, self.stops, self.lively = 0.0, 0, 0.0

    def look(self, q: FloatArray, v: FloatArray, *, late: bool) -> None:
        """Take note of a state; `late` says that it belongs to the last of the time."""
        model, energy, over = self.model, self.chain.energy(), beyond(self.model, q)
        self.gain = max(self.gain, self.share * (energy.total - self.start))
        self.rates_gain = max(self.rates_gain, self.share * (dynamics.energy(model, q, v).total - self.start))
        self.over, self.stops = max(self.over, float(over.max())), max(self.stops, int(np.sum(over > -NEAR)))
        self.lively = max(self.lively, self.share * energy.kinetic) if late else 0.0
        if self.chain.gap is not None:
            self.gap = max(self.gap, self.chain.gap())

    def row(self, q: FloatArray) -> Row:
        """All of it."""
        x, _, z = center_of_gravity(self.model, q).position / reach(self.model)
        row: Row = {
            "energy_gain": self.gain,
            "rates_gain": self.rates_gain,
            "overshoot": self.over,
            "stops": self.stops,
        }
        row |= {"gap": self.gap if self.chain.gap is not None else None}
        held = ASIDE + 2.0 / (self.model.body_count * LIMIT)
        return row | {"still": self.lively < STILL and math.hypot(x, z) > held}


def watch(chain: Watched, dt: float, seconds: float = SECONDS, patience: float = math.inf, every: int = 1) -> Row:
    """Step until `seconds` have passed, it has run away, or `patience` is over [s]; look at `every` so many steps.

    `energy_gain` is the largest rise of kinetic and potential energy, springs included, above the start, as a share of what
    the chain gives off until it hangs; it is negative if the chain never came near its start again. `rates_gain` is the same
    with the kinetic energy that q and v make. Of our engine these differ in a fast chain: it carries the bodies' momenta,
    and v are the rates at which the joints moved in the last step, through poses that are left behind. `overshoot` is the
    farthest that a joint was beyond its limit [rad]. `still` says that the chain came to stand where it cannot.
    """
    seen, done, finite = Seen(chain), 0, True
    begun, steps = time.perf_counter(), round(seconds / dt)
    last = chain.scene.q
    while done < steps and seen.gain <= GONE and time.perf_counter() - begun < patience:
        well = chain.step()
        q, v = chain.state()
        finite = well and bool(np.all(np.isfinite(q)) and np.all(np.isfinite(v)))
        if not finite:
            break
        done, last = done + 1, q
        if done % every == 0 or done == steps:
            seen.look(q, v, late=done > steps - LAST / dt)
    row: Row = {"stable": finite and seen.gain <= BOUNDED, "finite": finite, "reached": done * dt, **seen.row(last)}
    if done < steps:
        row["still"] = None
    if row["stable"] and done < steps:
        row |= {"stable": None, "note": f"stopped after {patience:g} s of waiting, at {done * dt:.2f} of {seconds:g} s"}
    return row


def ours(sim: Simulation) -> Watched:
    """A simulation of ours, with the gap between its bodies where their poses follow from the joints.

    Such joints cannot open by more than rounding: the gap is there to be seen, not to be proven.
    """

    def step() -> bool:
        try:
            sim.step()
        except DivergenceError:
            return False
        return True

    gap = (lambda: largest_gap(sim)) if sim.config.update == "joints" else None
    return Watched(sim.scene, step, lambda: (sim.q, sim.v), sim.energy, gap)


def theirs(scene: Scene, peer: StiffPeer) -> Watched:
    """A peer's chain; its joints cannot open, for it works in joint coordinates."""

    def step() -> bool:
        peer.step(1)
        return peer.sound

    return Watched(scene, step, peer.get, lambda: dynamics.energy(scene.model, *peer.get()), lambda: 0.0)


def largest_gap(sim: Simulation) -> float:
    """Largest distance of a body's origin from the point of its parent that carries it, for joints that do not slide [m]."""
    return gap_between(sim.model, *body_poses(sim.model, sim.q))


def gap_between(model: Model, position: FloatArray, rotation: FloatArray) -> float:
    """The same for bodies in these poses."""
    tree = model.tree
    parent = tree["parent"]
    carried = parent >= 0
    at = position[parent[carried]] + np.einsum("nij,nj->ni", rotation[parent[carried]], tree["p"][carried])
    held = np.where(carried[:, None], 0.0, tree["p"])
    held[carried] = at
    return float(np.max(np.linalg.norm(position - held, axis=1)))
