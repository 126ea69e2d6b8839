"""The chains and the hand that the stiff benchmark runs on, and what is seen of them."""

import dataclasses
import functools
import math

import numpy as np

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
