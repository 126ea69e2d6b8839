"""A humanoid of 27 bodies and 34 degrees of freedom, 1.75 m tall, facing +Z, its left hand toward +X."""

import math
from typing import Any, NamedTuple

import numpy as np

from stringless.model.builder import ModelBuilder
from stringless.model.pose import Vector
from stringless.model.scene import Scene
from stringless.model.shapes import Shape
from stringless.model.spec import BodySpec, JointSpec
from stringless.scenes.bones import X, Y, Z, body, box, capsule, sphere

PELVIS_HEIGHT = 0.97
MIDDLE = ("pelvis", "chest", "thorax_3")
"""Bodies that carry limbs of both sides."""


class Bone(NamedTuple):
    """One line of the tables below: a body, where it hangs, what it turns about and how far."""

    name: str
    parent: str
    at: Vector
    axes: Any
    """The axis of a hinge, or the two of a universal joint."""
    lower: float | Vector
    """[degrees]."""
    upper: float | Vector
    """[degrees]."""
    shape: Shape
    mass: float

    def on(self, side: str) -> "Bone":
        """The bone of a side, called after it; so is its parent, unless that is in the middle."""
        parent = self.parent if self.parent in MIDDLE else f"{side}_{self.parent}"
        return self._replace(name=f"{side}_{self.name}", parent=parent)

    def spec(self, prefix: str = "", **values: Any) -> BodySpec:
        """The body on its joint; names may be given a prefix, so that several fit into one world."""
        kind = "revolute" if np.ndim(self.axes) == 1 else "universal"
        lower, upper = (tuple(map(math.radians, np.atleast_1d(angles))) for angles in (self.lower, self.upper))
        joint = JointSpec(kind=kind, axes=self.axes, lower=lower, upper=upper, **values)
        return body(prefix + self.name, self.shape, self.mass, parent=prefix + self.parent, joint=joint, at=self.at)


def trunk() -> list[Bone]:
    """Waist, chest, neck and head."""
    return [
        Bone("waist", "pelvis", (0, 0.10, 0), Y, -40, 40, capsule((-0.07, 0.05, 0), (0.07, 0.05, 0), 0.09), 8.0),
        Bone("chest", "waist", (0, 0.12, 0), X, -25, 60, capsule((-0.09, 0.15, 0), (0.09, 0.15, 0), 0.13), 17.0),
        Bone("neck", "chest", (0, 0.33, 0), X, -30, 40, capsule((0, 0.01, 0), (0, 0.07, 0), 0.05), 1.1),
        Bone("head", "neck", (0, 0.09, 0), Y, -70, 70, sphere((0, 0.10, 0.01), 0.10), 4.2),
    ]


def arm(side: str, s: float) -> list[Bone]:
    """Shoulder to hand; `s` is +1 on the left, -1 on the right."""
    upper, lower = (0.0, -0.28, 0.0), (0.0, -0.25, 0.0)
    rows = [
        Bone("shoulder", "chest", (s * 0.20, 0.27, 0), X, -160, 60, sphere((0, 0, 0), 0.06), 0.7),
        Bone("upper_arm", "shoulder", (0, 0, 0), (0, 0, s), -10, 150, capsule((0, -0.03, 0), upper, 0.045), 1.9),
        Bone("elbow", "upper_arm", upper, X, -145, 0, sphere((0, 0, 0), 0.042), 0.3),
        Bone("forearm", "elbow", (0, 0, 0), Y, -80, 80, capsule((0, -0.03, 0), lower, 0.035), 1.0),
        Bone("hand", "forearm", lower, (X, Z), (-60, -25), (60, 25), box((0, -0.08, 0), (0.02, 0.08, 0.04)), 0.45),
    ]
    return [bone.on(side) for bone in rows]


def leg(side: str, s: float) -> list[Bone]:
    """Hip to foot; `s` is +1 on the left, -1 on the right."""
    thigh, shin = (0.0, -0.42, 0.0), (0.0, -0.41, 0.0)
    rows = [
        Bone("hip_yaw", "pelvis", (s * 0.10, -0.04, 0), Y, -45, 45, sphere((0, 0, 0), 0.07), 1.0),
        Bone("hip_roll", "hip_yaw", (0, 0, 0), (0, 0, s), -20, 45, sphere((0, 0, 0), 0.065), 0.8),
        Bone("thigh", "hip_roll", (0, 0, 0), X, -120, 30, capsule((0, -0.05, 0), thigh, 0.07), 7.2),
        Bone("shin", "thigh", thigh, X, 0, 145, capsule((0, -0.02, 0), shin, 0.048), 3.2),
        Bone("ankle", "shin", shin, X, -40, 25, sphere((0, 0, 0), 0.045), 0.3),
        Bone("foot", "ankle", (0, 0, 0), Z, -20, 20, box((0, -0.055, 0.06), (0.045, 0.035, 0.13)), 1.0),
    ]
    return [bone.on(side) for bone in rows]


def skeleton(prefix: str = "", root: JointSpec | None = None, at: Vector = (0.0, 0.0, 0.0)) -> ModelBuilder:
    """The whole body."""
    builder = ModelBuilder("humanoid")
    root = root or JointSpec(kind="free")
    hips = capsule((-0.08, 0.0, 0), (0.08, 0.0, 0), 0.10)
    builder.add(body(f"{prefix}pelvis", hips, 9.5, joint=root, at=at))
    for bone in trunk() + arm("left", 1.0) + arm("right", -1.0) + leg("left", 1.0) + leg("right", -1.0):
        builder.add(bone.spec(prefix, damping=(0.02 * bone.mass + 0.05,), armature=(0.01,)))
    return builder


def humanoid() -> Scene:
    """A humanoid thrown into a somersault; nothing but gravity acts on it."""
    model = skeleton().build()
    q, v = model.neutral(), np.zeros(model.nv)
    q[1] = PELVIS_HEIGHT
    v[:6] = (-5.0, 0.3, 0.0, 0.0, 5.0, 1.0)
    for side in ("left", "right"):
        v[model.joint(f"{side}_thigh").v_slice] = -3.0
        v[model.joint(f"{side}_shin").v_slice] = 5.0
        v[model.joint(f"{side}_upper_arm").v_slice] = 2.0
    return Scene(model, q=q, v=v)


def ragdoll() -> Scene:
    """A limp humanoid hung by its pelvis: arms and legs swing and come to rest against their limits."""
    hook = JointSpec(kind="ball", axes=(Y,), damping=(0.6,), actuated=False)
    model = skeleton(root=hook, at=(0.0, 1.3, 0.0)).build()
    q, v = model.neutral(), np.zeros(model.nv)
    q[model.joint("pelvis").q_slice] = (math.sin(0.5), 0.0, 0.0, math.cos(0.5))
    for side, turn in (("left", 1.0), ("right", 0.7)):
        q[model.joint(f"{side}_upper_arm").q_slice] = turn
        q[model.joint(f"{side}_thigh").q_slice] = -0.5 * turn
        q[model.joint(f"{side}_shin").q_slice] = 0.8 * turn
    v[model.joint("pelvis").v_slice] = (0.0, 1.5, 0.5)
    return Scene(model, q=q, v=v)


def company() -> Scene:
    """Five humanoids thrown into the air together, and two balls: seven trees in one world."""
    builder = ModelBuilder("company")
    for k in range(5):
        for spec in skeleton(f"h{k}_").specs:
            builder.add(spec)
    for k in range(2):
        builder.add(body(f"ball_{k}", sphere((0, 0, 0), 0.12), 0.6, joint=JointSpec(kind="free")))
    model = builder.build()
    q, v = model.neutral(), np.zeros(model.nv)
    rng = np.random.default_rng(5)
    for k, joint in enumerate(joint for joint in model.joints if joint.kind.name == "free"):
        q[joint.q_slice][:3] = (0.9 * k - 2.7, PELVIS_HEIGHT, 0.0)
        v[joint.v_slice] = np.concatenate([rng.normal(scale=2.0, size=3), (0.0, 5.0, 0.5)])
    return Scene(model, q=q, v=v)
