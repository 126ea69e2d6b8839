"""The chains and the hand that the stiff benchmark runs on. A chain is watched: is it finite, does it gain energy or open?"""

import dataclasses
import functools
import math
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from stringless import dynamics
from stringless.bench.harness import Row
from stringless.bench.peers.base import StiffPeer
from stringless.dynamics import Energy
from stringless.errors import DivergenceError
from stringless.kinematics import body_poses, center_of_gravity
from stringless.model.builder import ModelBuilder
from stringless.model.model import Model
from stringless.model.pose import Pose
from stringless.model.scene import Scene
from stringless.model.spec import JointSpec
from stringless.scenes.bones import body, capsule
from stringless.scenes.hand import skeleton
from stringless.simulation import Simulation
from stringless.spatial.arrays import FloatArray

SIZES = (10, 100, 1000, 10000)
KINDS = {"hinge": "revolute", "ball": "ball"}
LENGTH = 0.1
"""Of a link [m]."""
SHORT = 0.03
"""Of a link of the second chain that must stay together [m]."""
DENSITY = 1.0
"""Mass of a chain by its length [kg/m]."""
STIFFNESS, DAMPING = 50.0, 0.05
"""Of the joints' springs and dampers [N·m/rad, N·m·s/rad]."""
LIMIT = 0.1
"""Where a joint's limit is [rad]: at the end of its angle, or of its swing and twist. A chain of ten links reaches it."""
QUARTER = (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5))
"""A quarter turn about z: a link that hangs at the neutral configuration points along x after it."""
HAND_DT = 1 / 60
"""Step of the hand [s]."""
NEAR = 1e-3
"""A joint that is no farther than this from its limit is at it [rad]."""
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


@dataclasses.dataclass(frozen=True)
class Chain:
    """A chain held at one end, straight and level, let go: springs toward the straight, dampers and limits in every joint."""

    kind: str
    """A key of `KINDS`."""
    links: int
    length: float = LENGTH
    """Of a link [m]."""
    density: float = DENSITY
    """Mass by length [kg/m]."""
    stiffness: float = STIFFNESS
    """[N·m/rad]."""

    @property
    def name(self) -> str:
        """What its case is called."""
        usual = Chain(self.kind, self.links)
        more = f", {100 * self.length:g} cm links" if self.length != usual.length else ""
        more += f", {self.density * self.length:g} kg each" if self.density != usual.density else ""
        more += f", {self.stiffness:.0e} N·m/rad" if self.stiffness != usual.stiffness else ""
        return f"{self.kind} chain {self.links}{more}"

    def joint(self) -> JointSpec:
        """Each of its joints."""
        hinge = self.kind == "hinge"
        return JointSpec(
            kind=KINDS[self.kind],
            axes=((0.0, 0.0, 1.0),) if hinge else ((0.0, -1.0, 0.0),),
            stiffness=(self.stiffness,),
            damping=(DAMPING,),
            lower=(-LIMIT,) if hinge else (0.0, -LIMIT, 0.0),
            upper=(LIMIT,) if hinge else (LIMIT, LIMIT, math.pi),
        )

    @functools.cache  # noqa: B019 - there are a dozen of them, and a long one takes seconds to build
    def scene(self) -> Scene:
        """Build it."""
        builder = ModelBuilder(self.name)
        shape = capsule((0, 0, 0), (0, -self.length, 0), 0.1 * self.length)
        link = body("link_0", shape, self.density * self.length, joint=self.joint())
        link = dataclasses.replace(link, shapes=())  # there is nothing to touch
        builder.add(dataclasses.replace(link, place=Pose((0.0, 0.0, 0.0), QUARTER)))
        at = Pose((0.0, -self.length, 0.0))
        for i in range(1, self.links):
            builder.add(dataclasses.replace(link, name=f"link_{i}", parent=f"link_{i - 1}", place=at))
        return Scene(builder.build(), engine="stiff", dt=0.01)


PROMISED = tuple(Chain(kind, 1000, length) for kind in KINDS for length in (LENGTH, SHORT))
"""Chains of which we promise that they stay stable and together."""
STIFFEST = tuple(Chain(kind, 100, density=400.0, stiffness=1e5) for kind in KINDS)
"""So heavy that they reach their limits although their springs are two thousand times as stiff."""


def reach(model: Model) -> float:
    """Length of a chain [m]."""
    return -sum(spec.place.position[1] for spec in model.specs) + 2 * abs(model.specs[-1].center_of_mass[1])


def fall(model: Model) -> float:
    """Energy that a straight, level chain gives off until it hangs, `m g L / 2` [J]: the measure of what it may gain."""
    return 0.5 * model.mass * float(np.linalg.norm(model.gravity)) * reach(model)


def beyond(model: Model, q: FloatArray) -> FloatArray:
    """How far each joint of a chain is beyond its limit, negative within it: a hinge by its angle, a ball by its swing [rad]."""
    upper = model.limits["upper"]
    if model.nq == model.nv:
        return np.abs(q) - upper
    x, _, z, _ = q.reshape(-1, 4).T
    # Of a turn about an axis, the swing of the y axis is acos(1 - 2 (x² + z²)).
    return np.arccos(np.clip(1.0 - 2.0 * (x * x + z * z), -1.0, 1.0)) - upper[::3]


def hand() -> Scene:
    """The bones of the hand, in the air: 16 of them, with springs and limits in 15 joints."""
    return Scene(skeleton(soft=False).build(), engine="stiff", dt=HAND_DT)


def lead(sim: Simulation) -> None:
    """Hold the hand as a glove would: springs from its palm to a place and an orientation, and from its joints to a pose."""
    sim.director.drag("palm", target=(0.05, 0.02, 0.0), orientation=(0.0, 0.0, math.sin(0.1), math.cos(0.1)))
    sim.director.pose(sim.model.q_rest)


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
