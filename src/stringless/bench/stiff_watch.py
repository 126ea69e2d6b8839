"""Watching a chain for some seconds, in our engine or in another program: does it stay finite, gain energy, come apart?"""

import math
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

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
from stringless.spatial.arrays import FloatArray

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


def watch(chain: Watched, dt: float, seconds: float = SECONDS, patience: float = math.inf, every: int = 1) -> Row:
    """Step until `seconds` have passed, it has run away, or `patience` is over [s]; look at `every` so many steps.

    `energy_gain` is the largest rise of kinetic and potential energy, springs included, above the start, as a share of what
    the chain gives off until it hangs; it is negative if the chain never came near its start again. `rates_gain` is the same
    with the kinetic energy that q and v make. Of our engine these differ in a fast chain: it carries the bodies' momenta,
    and v are the rates at which the joints moved in the last step, through poses that are left behind. `overshoot` is the
    farthest that a joint was beyond its limit [rad]. `still` says that the chain came to stand where it cannot.
    """
    model, steps, done, finite = chain.scene.model, round(seconds / dt), 0, True
    begun, q = time.perf_counter(), chain.scene.q
    start, share = dynamics.energy(model, q, chain.scene.v).total, 1.0 / fall(model)
    looks: list[tuple[float, ...]] = [(-math.inf, -math.inf, -math.inf, 0.0, 0.0, 0.0)]
    while done < steps and looks[-1][0] <= GONE and time.perf_counter() - begun < patience:
        well, state = chain.step(), chain.state()
        finite = well and all(bool(np.all(np.isfinite(values))) for values in state)
        if not finite:
            break
        done, (q, v) = done + 1, state
        if done % every == 0 or done == steps:
            energy, over = chain.energy(), beyond(model, q)
            gains = (share * (total - start) for total in (energy.total, dynamics.energy(model, q, v).total))
            kinetic = share * energy.kinetic if done > steps - LAST / dt else 0.0
            gap = chain.gap() if chain.gap is not None else 0.0
            looks.append((*gains, float(over.max()), float(np.sum(over > -NEAR)), kinetic, gap))
    gain, rates_gain, over, stops, kinetic, gap = (max(values) for values in zip(*looks, strict=True))
    x, _, z = center_of_gravity(model, q).position / reach(model)
    beside = math.hypot(x, z) > ASIDE + 2.0 / (model.body_count * LIMIT)
    stable = finite and gain <= BOUNDED
    row: Row = {"stable": stable, "finite": finite, "reached": done * dt, "energy_gain": gain, "rates_gain": rates_gain}
    row |= {"overshoot": over, "stops": int(stops), "gap": gap if chain.gap is not None else None}
    row["still"] = kinetic < STILL and beside if done == steps else None
    if stable and done < steps:
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

    gap = (lambda: gap_between(sim.model, *body_poses(sim.model, sim.q))) if sim.config.update == "joints" else None
    return Watched(sim.scene, step, lambda: (sim.q, sim.v), sim.energy, gap)


def theirs(scene: Scene, peer: StiffPeer) -> Watched:
    """A peer's chain; its joints cannot open, for it works in joint coordinates."""

    def step() -> bool:
        peer.step(1)
        return peer.sound

    return Watched(scene, step, peer.get, lambda: dynamics.energy(scene.model, *peer.get()), lambda: 0.0)


def gap_between(model: Model, position: FloatArray, rotation: FloatArray) -> float:
    """Largest distance of a body's origin from the point of its parent that carries it, for joints that do not slide [m]."""
    tree = model.tree
    parent = tree["parent"]
    carried = parent >= 0
    at = position[parent[carried]] + np.einsum("nij,nj->ni", rotation[parent[carried]], tree["p"][carried])
    held = np.where(carried[:, None], 0.0, tree["p"])
    held[carried] = at
    return float(np.max(np.linalg.norm(position - held, axis=1)))
