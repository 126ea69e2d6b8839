"""Watching a chain for some seconds, in our engine or in another program: does it stay finite, gain energy, come apart?"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless import dynamics
from stringless.bench.options import Row
from stringless.bench.peers.base import StiffPeer
from stringless.bench.stiff_cases import at_stops, fall
from stringless.errors import DivergenceError
from stringless.kinematics import body_poses
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


class Watched(NamedTuple):
    """A chain that can be stepped."""

    scene: Scene
    step: Callable[[], bool]
    """Do one step, and say whether all is well."""
    state: Callable[[], tuple[FloatArray, FloatArray]]
    """q and v now."""
    energy: Callable[[], float]
    """Kinetic and potential energy now, springs included [J]."""
    gap: Callable[[], float]
    """Largest distance between two points that a joint holds together [m]."""


def watch(chain: Watched, dt: float, seconds: float = SECONDS, patience: float = math.inf) -> Row:
    """Step until `seconds` have passed, it has run away, or `patience` is over [s]; and say what was seen.

    `energy_gain` is the largest rise of kinetic and potential energy, springs included, above the start, as a share of what
    the chain gives off until it hangs; it is negative if the chain never came near its start again. `rates_gain` is the same
    with the kinetic energy that q and v make. Of our engine these differ in a fast chain: it carries the bodies' momenta,
    and v are the rates at which the joints moved in the last step, through poses that are left behind.
    """
    model = chain.scene.model
    start, share = dynamics.energy(model, chain.scene.q, chain.scene.v).total, 1.0 / fall(model)
    gain, rates_gain, gap, stops, done, finite = -math.inf, -math.inf, 0.0, 0, 0, True
    begun, steps = time.perf_counter(), round(seconds / dt)
    while done < steps and gain <= GONE and time.perf_counter() - begun < patience:
        well = chain.step()
        q, v = chain.state()
        finite = well and bool(np.all(np.isfinite(q)) and np.all(np.isfinite(v)))
        if not finite:
            break
        done += 1
        gain = max(gain, share * (chain.energy() - start))
        rates_gain = max(rates_gain, share * (dynamics.energy(model, q, v).total - start))
        gap, stops = max(gap, chain.gap()), max(stops, at_stops(model, q))
    stable = finite and gain <= BOUNDED
    row: Row = {"stable": stable, "finite": finite, "reached": done * dt, "energy_gain": gain, "rates_gain": rates_gain}
    row |= {"gap": gap, "stops": stops}
    if stable and done < steps:
        row |= {"stable": None, "note": f"stopped after {patience:g} s of waiting, at {done * dt:.2f} of {seconds:g} s"}
    return row


def ours(sim: Simulation) -> Watched:
    """A simulation of ours, with the gap between its bodies."""

    def step() -> bool:
        try:
            sim.step()
        except DivergenceError:
            return False
        return True

    return Watched(sim.scene, step, lambda: (sim.q, sim.v), lambda: sim.energy().total, lambda: largest_gap(sim))


def theirs(scene: Scene, peer: StiffPeer) -> Watched:
    """A peer's chain; its joints cannot open, for it works in joint coordinates."""

    def step() -> bool:
        peer.step(1)
        return peer.sound

    return Watched(scene, step, peer.get, lambda: dynamics.energy(scene.model, *peer.get()).total, lambda: 0.0)


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
