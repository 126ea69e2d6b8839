"""A right hand of 16 bones and 15 joints over a table, with soft fingertips; its size is that of a grown man.

The palm is free in space. At its neutral pose it faces down, the fingers point along +x and the thumb is on the side of -z.
`scenes.glove` moves it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from stringless.flesh import generators
from stringless.flesh.cage import Cage
from stringless.flesh.lattice_cage import lattice_cage
from stringless.flesh.surface import Surface
from stringless.flesh.wrap import wrap
from stringless.model.builder import ModelBuilder
from stringless.model.neutral_configuration import neutral_places
from stringless.model.pose import Vector, quaternion_from_matrix
from stringless.model.scene import Scene
from stringless.model.shapes import Shape
from stringless.model.spec import BodySpec, JointSpec
from stringless.scenes.bones import STRAIGHT, body, box, capsule, turned
from stringless.scenes.ground import floor
from stringless.spatial.arrays import FloatArray

TABLE, HEIGHT = 0.4, 0.12
"""Height of the table, and of the palm above it at the start [m]."""
SKIN, RED, NAIL = (0.91, 0.70, 0.57), (0.87, 0.57, 0.47), (0.97, 0.86, 0.80)
CLOTH, WOOD = (0.27, 0.36, 0.47, 1.0), (0.50, 0.38, 0.28, 1.0)
ASIDE, BEND = (0.0, 1.0, 0.0), (0.0, 0.0, -1.0)
"""Axes of the joints in the frame of a bone, which lies along x: to the side, and toward the palm."""
PALM_MASS, BONE_DENSITY = 0.27, 1100.0
"""[kg, kg/m³]: flesh and bone together, where they are one."""
FLESH_STEP = 0.5e-3
"""Step for which the flesh is made; its nodes are light [s]."""


@dataclass(frozen=True)
class Finger:
    """One line of the table below."""

    bones: tuple[str, str, str]
    at: Vector
    """Where it begins, from the middle of the palm [m]."""
    rotation: Vector
    """How its first bone lies at the neutral pose."""
    lengths: Vector
    radius: float
    lower: tuple[Vector, Vector, Vector] = ((-0.3, -0.35), (0.0,), (-0.05,))
    upper: tuple[Vector, Vector, Vector] = ((0.3, 1.55), (1.8,), (1.2,))
    """Limits of its joints: to the side and toward the palm for the first [rad]."""
    rest: tuple[Vector, Vector, Vector] = ((0.0, 0.25), (0.35,), (0.2,))
    """Where its springs are slack [rad]."""


def thumb_frame() -> Vector:
    """The thumb lies forward, down and to the side, and bends toward a point below the fingers."""
    x = np.array((0.66, -0.28, -0.70))
    toward = np.array((0.75, -0.55, 0.25))
    x /= np.linalg.norm(x)
    y = -(toward - (toward @ x) * x)
    y /= np.linalg.norm(y)
    return tuple(float(c) for c in quaternion_from_matrix(np.column_stack([x, y, np.cross(x, y)])))


def _finger(name: str, at: Vector, spread: float, lengths: Vector, radius: float) -> Finger:
    bones = (f"{name}_proximal", f"{name}_middle", f"{name}_distal")
    return Finger(bones, at, turned(ASIDE, spread), lengths, radius)


FINGERS: dict[str, Finger] = {
    "thumb": Finger(
        ("thumb_metacarpal", "thumb_proximal", "thumb_distal"),
        at=(-0.026, -0.006, -0.028),
        rotation=thumb_frame(),
        lengths=(0.046, 0.034, 0.022),
        radius=0.0095,
        lower=((-0.5, -0.4), (-0.1,), (-0.2,)),
        upper=((0.5, 0.9), (0.9,), (1.3,)),
        rest=((0.0, 0.1), (0.15,), (0.2,)),
    ),
    "index": _finger("index", (0.047, 0.0, -0.030), 0.08, (0.045, 0.026, 0.018), 0.0085),
    "middle": _finger("middle", (0.050, 0.002, -0.009), 0.02, (0.050, 0.031, 0.019), 0.0085),
    "ring": _finger("ring", (0.046, 0.001, 0.012), -0.05, (0.046, 0.029, 0.019), 0.0080),
    "little": _finger("little", (0.038, -0.002, 0.032), -0.13, (0.036, 0.021, 0.017), 0.0072),
}
STIFFNESS, DAMPING, EFFORTS = (0.15, 0.08, 0.04), (5e-3, 1.5e-3, 5e-4), (4.0, 2.0, 1.0)
"""Of the three joints of a finger, from the palm to the tip [N·m/rad, N·m·s/rad, N·m]."""


def joint(finger: Finger, k: int) -> JointSpec:
    """The joint at the near end of bone k of a finger."""
    kind, axes = ("revolute", (BEND,)) if k else ("universal", (ASIDE, BEND))
    limits = {"lower": finger.lower[k], "upper": finger.upper[k], "rest": finger.rest[k]}
    values: dict[str, Any] = {"stiffness": STIFFNESS[k], "damping": DAMPING[k], "armature": 1e-6, "effort": EFFORTS[k]}
    return JointSpec(kind=kind, axes=axes, **limits, **values)


def palm() -> BodySpec:
    """One block to the touch; to the eye, the bones of the hand and the end of a sleeve."""
    block = box((-0.003, 0.0, 0.001), (0.045, 0.011, 0.038), purpose="collision")
    root = JointSpec(kind="free", actuated=True, effort=(20.0, 20.0, 20.0, 200.0, 200.0, 200.0))
    long = [finger.at for name, finger in FINGERS.items() if name != "thumb"]
    flesh = [capsule((-0.042, 0.0, 0.55 * z), (x - 0.006, y, z), 0.0125, (*SKIN, 1.0)) for x, y, z in long]
    wrist = capsule((-0.08, 0.0, 0.0), (-0.04, 0.0, 0.0), 0.022, (*SKIN, 1.0))
    sleeve = capsule((-0.11, 0.0, 0.0), (-0.075, 0.0, 0.0), 0.031, CLOTH)
    return body("palm", block, PALM_MASS, joint=root, looks=(*flesh, wrist, sleeve))


def skeleton(*, soft: bool = True) -> ModelBuilder:
    """The palm and three bones in each finger; with `soft`, flesh is left to be put around the last ones."""
    builder = ModelBuilder("hand")
    builder.add(palm())
    for finger in FINGERS.values():
        parent, at, r = "palm", finger.at, finger.radius
        for k, (name, length) in enumerate(zip(finger.bones, finger.lengths, strict=True)):
            tip = soft and k == 2
            bone = capsule((0.002, 0.0, 0.0), (length - 0.001, 0.0, 0.0), 0.4 * r if tip else r, (*SKIN, 1.0))
            mass = BONE_DENSITY * np.pi * r * r * length * (0.25 if tip else 1.0)
            turn = STRAIGHT if k else finger.rotation
            builder.add(body(name, bone, mass, parent=parent, joint=joint(finger, k), at=at, turn=turn))
            parent, at = name, (length, 0.0, 0.0)
    return builder


def tip(builder: ModelBuilder, name: str, *, young: float, cells: tuple[int, int, int]) -> None:
    """Flesh around the last bone of a finger, pressed a little flat, with a nail."""
    finger = FINGERS[name]
    length, r = finger.lengths[2], finger.radius
    skin = generators.capsule((0.003, 0.0, 0.0), (length, 0.0, 0.0), r, rings=8, sides=10)
    skin = Surface(skin.vertices * (1.0, 0.94, 1.0), skin.triangles, f"{name} tip")
    around = lattice_cage(skin, cells=cells)
    x, y, z = skin.vertices.T
    color = np.tile(SKIN, (len(x), 1)) + np.clip(x / length, 0, 1)[:, None] * (np.array(RED) - SKIN) * 0.7
    color[(x > 0.4 * length) & (x < length + 0.7 * r) & (y > 0.45 * r) & (np.abs(z) < 0.75 * r)] = NAIL
    base = np.flatnonzero(around.nodes[:, 0] < around.nodes[:, 0].min() + 1e-6).tolist()
    bone = finger.bones[2]
    place = neutral_places(builder.specs)[bone]

    def there(points: FloatArray) -> FloatArray:
        return points @ place.matrix.T + np.asarray(place.position)

    surface, cage = Surface(there(skin.vertices), skin.triangles, skin.name), Cage(there(around.nodes), around.tets)
    hold: dict[str, Any] = {"bones": [bone], "within": 0.001, "fixed": {bone: base}}
    matter: dict[str, Any] = {"dt": FLESH_STEP, "young": young, "density": 1050.0, "damping": 30.0}
    wrap(builder, surface, cage=cage, colors=color, name=skin.name, **hold, **matter)


def table() -> list[Shape]:
    """A top to touch on four legs, and the floor below."""
    half = (TABLE - 0.04) / 2
    corners = ((-0.2, -0.17), (-0.2, 0.17), (0.26, -0.17), (0.26, 0.17))
    legs = [
        box((x, half, z), (0.015, half, 0.015), WOOD, name=f"leg_{k}", purpose="visual")
        for k, (x, z) in enumerate(corners)
    ]
    return [box((0.03, TABLE - 0.02, 0.0), (0.26, 0.02, 0.2), WOOD, name="table"), *legs, floor()]


def build(*, soft: bool = True, young: float = 20e3, cells: tuple[int, int, int] = (2, 2, 2)) -> ModelBuilder:
    """Hand, table and floor."""
    builder = skeleton(soft=soft)
    if soft:
        for name in FINGERS:
            tip(builder, name, young=young, cells=cells)
    builder.world_shapes += table()
    return builder


def hand(*, soft: bool = True, young: float = 20e3, cells: tuple[int, int, int] = (2, 2, 2)) -> Scene:
    """A hand with soft fingertips over a table, let go; a stream of angles, as from a glove, can drive it."""
    model = build(soft=soft, young=young, cells=cells).build()
    q = model.q_rest.copy()
    q[model.joint("palm").q_slice][:3] = (0.0, TABLE + HEIGHT, 0.0)
    return Scene(model, q=q, engine="stiff", dt=1 / 60)
