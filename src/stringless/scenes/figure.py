"""A human figure of 89 bodies and 95 degrees of freedom, 1.75 m tall: spine, jaw, collar bones, every finger, toes.

It has the proportions of the humanoid. It faces +Z, its left hand toward +X, and stands as that does.
"""

import dataclasses
import functools
import itertools

from stringless.model.builder import ModelBuilder
from stringless.model.model import Model
from stringless.model.pose import Vector
from stringless.model.spec import BodySpec, JointSpec
from stringless.scenes.bones import X, Y, Z, body, box, capsule, sphere
from stringless.scenes.humanoid import Bone

RATE, RATIO = 5.0, 0.3
"""Every joint swings back to standing with this frequency [rad/s] and this share of critical damping."""
FINGERS = {"index": (0.030, 0.042), "middle": (0.010, 0.046), "ring": (-0.010, 0.042), "little": (-0.030, 0.034)}
"""Where fingers begin along the palm, and how long their first bones are [m]."""
SKIN, SHOES = (0.80, 0.62, 0.50, 1.0), (0.16, 0.15, 0.15, 1.0)
SHIRT = ("lumbar", "thorax", "collar", "shoulder", "upper", "elbow")
TROUSERS = ("pelvis", "hip", "thigh", "shin")
FEET = ("ankle", "foot", "toes")
"""What is dressed, by the first word of a body's name without its side."""
FELT = ("pelvis", "lumbar", "thorax", "neck", "head", "upper", "forearm", "hand", "thigh", "shin", "foot", "toes")
"""What touches the ground, and the tips of the fingers: all that is not within something else."""
GRAVITY = (0.0, -9.81, 0.0)


def spine() -> list[Bone]:
    """Six lumbar and four thoracic segments, four of the neck, head and jaw: each turns about one axis, the head about two."""
    rows: list[Bone] = []
    stretches = (
        ("lumbar", 6, 0.03, 1.3, 0.085, 10),
        ("thorax", 4, 0.0775, 3.9, 0.105, 8),
        ("neck", 4, 0.0225, 0.28, 0.045, 15),
    )
    parent, step = "pelvis", 0.06
    for name, count, length, mass, radius, reach in stretches:
        wide = 0.0 if name == "neck" else 0.08
        for k, axis in zip(range(count), itertools.cycle((X, Z, Y))):
            bar = capsule((-wide, length / 2, 0), (wide, length / 2, 0), radius)
            shape = bar if wide else sphere((0, 0.01, 0), radius)
            rows.append(Bone(f"{name}_{k}", parent, (0, step, 0), axis, -reach, reach, shape, mass))
            parent, step = f"{name}_{k}", length
    rows.append(Bone("head", parent, (0, step, 0), (Y, X), (-50, -25), (50, 25), sphere((0, 0.10, 0.01), 0.10), 4.0))
    chin = box((0, -0.02, 0.05), (0.035, 0.012, 0.03))
    rows.append(Bone("jaw", "head", (0, 0.05, 0.02), X, 0, 25, chin, 0.2))
    return rows


def arm(side: str, s: float) -> list[Bone]:
    """Collar bone to wrist; `s` is +1 on the left, -1 on the right."""
    upper, lower = (0.0, -0.28, 0.0), (0.0, -0.25, 0.0)
    ball = sphere((0, 0, 0), 0.05)
    collar = capsule((0, 0, 0), (s * 0.14, 0, 0), 0.035)
    rows = [
        Bone("collar_lift", "thorax_3", (s * 0.04, 0.02, 0), (0, 0, s), -5, 30, sphere((0, 0, 0), 0.04), 0.2),
        Bone("collar", "collar_lift", (0, 0, 0), (0, -s, 0), -15, 20, collar, 0.5),
        Bone("shoulder_swing", "collar", (s * 0.16, 0, 0), X, -160, 60, ball, 0.4),
        Bone("shoulder_lift", "shoulder_swing", (0, 0, 0), (0, 0, s), -10, 150, ball, 0.3),
        Bone("upper_arm", "shoulder_lift", (0, 0, 0), Y, -80, 80, capsule((0, -0.03, 0), upper, 0.045), 1.9),
        Bone("elbow", "upper_arm", upper, X, -145, 0, sphere((0, 0, 0), 0.042), 0.3),
        Bone("forearm", "elbow", (0, 0, 0), Y, -80, 80, capsule((0, -0.03, 0), lower, 0.035), 1.0),
        Bone("wrist", "forearm", lower, X, -60, 60, sphere((0, 0, 0), 0.03), 0.05),
        Bone("hand", "wrist", (0, 0, 0), Z, -25, 25, box((0, -0.055, 0), (0.015, 0.045, 0.04)), 0.3),
    ]
    return [bone.on(side) for bone in rows]


def hand(side: str, s: float) -> list[Bone]:
    """Five fingers of four hinges: one to spread, three to bend toward the palm, which looks at the thigh."""
    bend = (0.0, 0.0, -s)
    rows: list[Bone] = []
    for finger, (z, length) in FINGERS.items():
        parent, at = "hand", (0.0, -0.1, z)
        rows.append(Bone(f"{finger}_0", parent, at, X, -15, 15, sphere((0, 0, 0), 0.009), 0.006))
        at = (0.0, 0.0, 0.0)
        for k in (1, 2, 3):
            long = length * (1.0, 0.65, 0.5)[k - 1]
            bone = capsule((0, 0, 0), (0, -long, 0), 0.008)
            rows.append(Bone(f"{finger}_{k}", f"{finger}_{k - 1}", at, bend, -10, 90, bone, 0.012 * long / length))
            at = (0.0, -long, 0.0)
    out, tip = (0.0, -0.03, 0.022), (0.0, -0.022, 0.016)
    rows += [
        Bone("thumb_0", "hand", (0, -0.03, 0.035), Y, -40, 40, sphere((0, 0, 0), 0.011), 0.01),
        Bone("thumb_1", "thumb_0", (0, 0, 0), bend, -10, 50, capsule((0, 0, 0), out, 0.011), 0.03),
        Bone("thumb_2", "thumb_1", out, X, -50, 10, capsule((0, 0, 0), tip, 0.010), 0.015),
        Bone("thumb_3", "thumb_2", tip, X, -70, 10, capsule((0, 0, 0), tip, 0.009), 0.01),
    ]
    return [bone.on(side) for bone in rows]


def leg(side: str, s: float) -> list[Bone]:
    """Hip to toes; `s` is +1 on the left, -1 on the right."""
    thigh, shin = (0.0, -0.42, 0.0), (0.0, -0.41, 0.0)
    rows = [
        Bone("hip_turn", "pelvis", (s * 0.10, -0.04, 0), Y, -45, 45, sphere((0, 0, 0), 0.07), 1.0),
        Bone("hip_lift", "hip_turn", (0, 0, 0), (0, 0, s), -20, 45, sphere((0, 0, 0), 0.065), 0.8),
        Bone("thigh", "hip_lift", (0, 0, 0), X, -120, 30, capsule((0, -0.05, 0), thigh, 0.07), 7.2),
        Bone("shin", "thigh", thigh, X, 0, 145, capsule((0, -0.02, 0), shin, 0.048), 3.2),
        Bone("ankle", "shin", shin, X, -40, 25, sphere((0, 0, 0), 0.045), 0.3),
        Bone("foot", "ankle", (0, 0, 0), Z, -20, 20, box((0, -0.06, 0.03), (0.045, 0.035, 0.09)), 0.8),
        Bone("toes", "foot", (0, -0.07, 0.125), X, -60, 20, box((0, -0.005, 0.03), (0.045, 0.02, 0.03)), 0.2),
    ]
    return [bone.on(side) for bone in rows]


def skeleton() -> list[BodySpec]:
    """All bodies, with limits and without springs."""
    hips = capsule((-0.08, 0.0, 0), (0.08, 0.0, 0), 0.10)
    specs = [body("pelvis", hips, 9.5, joint=JointSpec(kind="free"))]
    found = spine()
    for side, s in (("left", 1.0), ("right", -1.0)):
        found += arm(side, s) + hand(side, s) + leg(side, s)
    return [*specs, *(bone.spec() for bone in found)]


@functools.cache
def sprung() -> tuple[BodySpec, ...]:
    """The same with springs and dampers, `I RATE²` and `2 I RATIO RATE` for what each joint carries as it stands."""
    specs = skeleton()
    builder = ModelBuilder("figure")
    builder.specs += specs
    model = builder.build()
    found = [specs[0]]
    for spec in specs[1:]:
        inertia = model.dofs["inertia"][model.joint(spec.name).v_slice]
        stiffness, damping = RATE**2 * inertia, 2.0 * RATIO * RATE * inertia
        joint = dataclasses.replace(spec.joint, stiffness=stiffness, damping=damping)
        found.append(dataclasses.replace(spec, joint=joint))
    return tuple(found)


def dressed(spec: BodySpec, shirt: Vector, trousers: Vector, felt: bool) -> BodySpec:
    """The same body in its clothes; unless it is felt, its shape is there to be seen and touches nothing."""
    word = spec.name.removeprefix("left_").removeprefix("right_").split("_")[0]
    color = shirt if word in SHIRT else trousers if word in TROUSERS else SHOES if word in FEET else SKIN
    purpose = "both" if felt and (word in FELT or spec.name.endswith("_3")) else "visual"
    shapes = tuple(dataclasses.replace(shape, color=color, purpose=purpose) for shape in spec.shapes)
    return dataclasses.replace(spec, shapes=shapes)


@functools.cache
def figure(shirt: Vector = (), trousers: Vector = (), heavy: bool = False) -> Model:
    """One figure, dressed: weightless and touching nothing, or heavy and to be put on the ground."""
    builder = ModelBuilder("figure", gravity=GRAVITY if heavy else (0.0, 0.0, 0.0))
    builder.specs += [dressed(spec, shirt, trousers, heavy) for spec in sprung()]
    return builder.build()
