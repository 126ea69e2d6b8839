"""The chains and the hand that the stiff benchmark runs on, and what is seen of them."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import NDArray

from stringless.model.builder import ModelBuilder
from stringless.model.model import Model
from stringless.model.pose import Pose
from stringless.model.scene import Scene
from stringless.model.spec import JointSpec
from stringless.scenes.bones import body, box, capsule

FloatArray = NDArray[np.float64]

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
"""Where a joint's stop is [rad]: at the end of its angle, or of its swing and twist. A chain of ten links reaches it."""
QUARTER = (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5))
"""A quarter turn about z: a link that hangs at the neutral configuration points along x after it."""
HAND_DT = 1 / 60
"""Step of the hand [s]."""
NEAR = 1e-3
"""A joint that is no farther than this from its limit is at its stop [rad]."""


@dataclasses.dataclass(frozen=True)
class Chain:
    """A chain held at one end, straight and level, let go: springs toward the straight, dampers and stops in every joint."""

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

    def scene(self) -> Scene:
        """Build it."""
        builder = ModelBuilder(self.name)
        link = capsule((0, 0, 0), (0, -self.length, 0), 0.1 * self.length)
        mass, joint = self.density * self.length, self.joint()
        for i in range(self.links):
            parent, at = (f"link_{i - 1}", (0.0, -self.length, 0.0)) if i else ("", (0.0, 0.0, 0.0))
            added = body(f"link_{i}", link, mass, parent=parent, joint=joint, at=at)
            builder.add(added if i else dataclasses.replace(added, place=Pose((0.0, 0.0, 0.0), QUARTER)))
        return Scene(builder.build(), engine="stiff", dt=0.01)


PROMISED = tuple(Chain(kind, 1000, length) for kind in KINDS for length in (LENGTH, SHORT))
"""Chains of which we promise that they stay stable and together."""
STIFFEST = tuple(Chain(kind, 100, density=400.0, stiffness=1e5) for kind in KINDS)
"""So heavy that they reach their stops although their springs are two thousand times as stiff."""


def fall(model: Model) -> float:
    """Energy that a straight, level chain gives off until it hangs, `m g L / 2` [J]: the measure of what it may gain."""
    reach = -sum(spec.place.position[1] for spec in model.specs) + 2 * abs(model.specs[-1].center_of_mass[1])
    return 0.5 * model.mass * float(np.linalg.norm(model.gravity)) * reach


def at_stops(model: Model, q: FloatArray) -> int:
    """Joints of a chain that are at their stops: a hinge by its angle, a ball joint by its swing."""
    upper = model.limits["upper"]
    if model.nq == model.nv:
        return int(np.sum(np.abs(q) > upper - NEAR))
    x, _, z, _ = q.reshape(-1, 4).T
    # Of a turn about an axis, the swing of the y axis is acos(1 - 2 (x² + z²)).
    swing = np.arccos(np.clip(1.0 - 2.0 * (x * x + z * z), -1.0, 1.0))
    return int(np.sum(swing > upper[::3] - NEAR))


def hand() -> Scene:
    """A palm, loose in the air, and five fingers of three bones: a knuckle of two axes and two hinges in each."""
    builder = ModelBuilder("hand")
    builder.add(body("palm", box((0, -0.04, 0), (0.04, 0.04, 0.012)), 0.35, joint=JointSpec(kind="free")))
    k, c = (0.5,), (0.01,)
    knuckle = JointSpec(
        kind="universal",
        axes=((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
        lower=(-0.3, -0.3),
        upper=(1.5, 0.3),
        stiffness=k,
        damping=c,
    )
    hinge = JointSpec(kind="revolute", axes=((1.0, 0.0, 0.0),), lower=(0.0,), upper=(1.6,), stiffness=k, damping=c)
    for finger in range(5):
        parent, at = "palm", (0.02 * finger - 0.04, -0.08, 0.0)
        for bone, length in enumerate((0.045, 0.03, 0.02)):
            name = f"finger_{finger}_{bone}"
            shape = capsule((0, 0, 0), (0, -length, 0), 0.008)
            builder.add(body(name, shape, 0.02, parent=parent, joint=hinge if bone else knuckle, at=at))
            parent, at = name, (0.0, -length, 0.0)
    model = builder.build()
    q = model.neutral()
    for joint in model.joints:
        if joint.kind.name == "revolute":
            q[joint.q_slice] = 0.4
    return Scene(model, q=q, engine="stiff", dt=HAND_DT)
