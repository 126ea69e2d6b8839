"""A robot on a stand, facing +z, its left hand toward +x: ball joints in neck and arms, hinges in the fingers.

All joints are neutral at rest: the frames of their places are turned, so that the cones of swing are about the rest pose.
"""

from stringless.model.builder import ModelBuilder
from stringless.model.pose import Vector
from stringless.model.scene import Scene
from stringless.model.shapes import Shape
from stringless.model.spec import JointSpec
from stringless.scenes.bones import DOWN, STRAIGHT, UP, X, Z, ball, body, box, capsule, hinge, sphere, turned
from stringless.scenes.ground import floor

SHELL, JOINT = (0.90, 0.90, 0.88, 1.0), (0.27, 0.29, 0.33, 1.0)
ACCENT, GLASS = (0.93, 0.53, 0.20, 1.0), (0.1, 0.13, 0.17, 1.0)
TORSO = (0.0, 1.15, 0.0)
UPPER_ARM, FOREARM, PALM = 0.28, 0.25, 0.1
"""Lengths [m]."""
BALLS = {
    # stiffness [N·m/rad], damping [N·m·s/rad], swing and twist limits [rad], largest effort [N·m]
    "neck": (60.0, 1.5, 0.7, 1.0, 30.0),
    "shoulder": (80.0, 4.0, 1.5, 1.2, 80.0),
    "elbow": (50.0, 1.5, 1.1, 1.2, 50.0),
    "wrist": (12.0, 0.15, 0.8, 1.0, 15.0),
}
FINGER = (0.6, 4e-3, (-0.3, 1.3), 2.0)
"""The same of a hinge in a finger, its limits counted from the rest pose."""
PHALANXES = {"front": (0.042, 0.032, 0.026), "back": (0.042, 0.032, 0.026), "thumb": (0.040, 0.030)}
"""Lengths of the bones of each finger [m]."""
CURL = 0.3
"""How far each joint of a finger is bent at rest [rad]."""


def sprung(name: str, side: str = "", axis: Vector = DOWN) -> JointSpec:
    """A ball joint with spring, damper and limits; `axis` is the bone."""
    stiffness, damping, swing, twist, effort = BALLS[name]
    return ball(swing, twist, axis, name=f"{side}{name}", stiffness=stiffness, damping=damping, effort=effort)


def arm(builder: ModelBuilder, side: str, s: float) -> None:
    """Shoulder to wrist; `s` is +1 on the left, -1 on the right."""
    upper = capsule((0.0, -0.05, 0.0), (0.0, -UPPER_ARM + 0.05, 0.0), 0.042, SHELL)
    lower = capsule((0, -0.05, 0), (0, -FOREARM + 0.04, 0), 0.036, SHELL)
    palm = box((0, -0.055, 0), (0.015, 0.042, 0.038), ACCENT)
    parent = "torso"
    for name, joint, bone, mass, at, turn, radius in (
        ("upper_arm", "shoulder", upper, 2.2, (s * 0.21, 0.16, 0), turned(Z, s * 0.3), 0.058),
        ("forearm", "elbow", lower, 1.5, (0, -UPPER_ARM, 0), turned(X, -1.2), 0.046),
        ("hand", "wrist", palm, 0.5, (0, -FOREARM, 0), STRAIGHT, 0.032),
    ):
        name, joint, knob = f"{side}_{name}", sprung(joint, f"{side}_"), sphere((0, 0, 0), radius, JOINT)
        builder.add(body(name, bone, mass, parent=parent, joint=joint, at=at, turn=turn, looks=(knob,)))
        parent = name


def fingers(builder: ModelBuilder, side: str, s: float) -> None:
    """Two fingers at the end of the palm that close toward the body, and a thumb against them."""
    for finger, inward, at in (
        ("front", True, (s * 0.006, -PALM, 0.024)),
        ("back", True, (s * 0.006, -PALM, -0.024)),
        ("thumb", False, (-s * 0.027, -0.06, 0.0)),
    ):
        # A turn about +z takes a finger that points down toward +x.
        way = -s if inward else s
        parent = f"{side}_hand"
        for k, length in enumerate(PHALANXES[finger], start=1):
            bone = capsule((0, -0.009, 0), (0, -length + 0.004, 0), 0.0095, SHELL if k > 1 else JOINT)
            name, turn = f"{side}_{finger}_{k}", turned(Z, way * (-0.5 if finger == "thumb" and k == 1 else CURL))
            stiffness, damping, limits, effort = FINGER
            joint = hinge(limits, (0.0, 0.0, way), stiffness=stiffness, damping=damping, effort=effort)
            builder.add(body(name, bone, 0.9 * length, parent=parent, joint=joint, at=at, turn=turn))
            parent, at = name, (0.0, -length, 0.0)


def trunk(builder: ModelBuilder) -> None:
    """The torso, fixed on its stand, and the head."""
    chest = box((0, 0.05, 0), (0.15, 0.17, 0.095), SHELL)
    waist = capsule((0, -0.13, 0), (0, -0.2, 0), 0.075, JOINT)
    badge = box((0.07, 0.13, 0.092), (0.03, 0.012, 0.006), ACCENT)
    builder.add(body("torso", chest, 18.0, at=TORSO, looks=(waist, badge)))
    skull = box((0, 0.13, 0.005), (0.085, 0.075, 0.085), SHELL)
    visor = box((0, 0.14, 0.085), (0.07, 0.028, 0.012), GLASS)
    neck = capsule((0, -0.01, 0), (0, 0.06, 0), 0.035, JOINT)
    eyes = [sphere((x, 0.14, 0.095), 0.009, ACCENT) for x in (-0.03, 0.03)]
    looks = (neck, visor, *eyes)
    builder.add(body("head", skull, 3.5, parent="torso", joint=sprung("neck", axis=UP), at=(0, 0.24, 0), looks=looks))


def stand() -> list[Shape]:
    """A foot and a column up to the waist."""
    top = TORSO[1] - 0.25
    column = box((0.0, top / 2 + 0.02, 0.0), (0.04, top / 2 - 0.02, 0.04), JOINT, name="column")
    return [box((0.0, 0.02, 0.0), (0.22, 0.02, 0.2), JOINT, name="foot"), column]


def build() -> ModelBuilder:
    """The robot, its stand and the floor."""
    builder = ModelBuilder("robot")
    trunk(builder)
    for side, s in (("left", 1.0), ("right", -1.0)):
        arm(builder, side, s)
        fingers(builder, side, s)
    builder.world_shapes += [*stand(), floor()]
    return builder


def robot() -> Scene:
    """A robot on a stand that lowers its raised arms: springs and limits in every joint, down to the fingers."""
    model = build().build()
    q = model.neutral()
    for side, s in (("left", 1.0), ("right", -1.0)):
        q[model.joint(f"{side}_shoulder").q_slice] = turned(Z, 1.3 * s)
        q[model.joint(f"{side}_elbow").q_slice] = turned(X, -0.6)
    q[model.joint("neck").q_slice] = turned((0.0, 1.0, 0.0), 0.5)
    return Scene(model, q=q, engine="stiff", dt=1 / 60)
