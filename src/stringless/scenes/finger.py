"""The finger of Kim & Pollard 2008 with a rigid object on a table: five bones, seven actuators, an active root.

It points along +x and bends downward, its nail up. The hand that carries it can be moved in the plane of the finger.
"""

import numpy as np

from stringless.flesh import generators
from stringless.flesh.cage import Cage
from stringless.flesh.section_cage import between_sections, diamond_cage
from stringless.flesh.surface import Surface
from stringless.flesh.wrap import wrap
from stringless.model.builder import ModelBuilder
from stringless.model.scene import Scene
from stringless.model.spec import JointSpec
from stringless.scenes.bones import body, box, capsule, check_root, hinge
from stringless.scenes.ground import floor
from stringless.spatial.arrays import FloatArray

JOINTS = (0.0, 0.05, 0.1, 0.18, 0.235, 0.285)
"""Ends of the bones along x, from the wrist to the tip of the last bone [m]."""
NAMES = ("hand", "metacarpal", "proximal", "middle", "distal")
LOWER = (-0.5, -1.4, -1.7, -1.2)
UPPER = (0.3, 0.5, 0.05, 0.1)
"""Limits of the joints after the hand; bending is negative [rad]."""
EFFORTS = (5.0, 4.0, 1.5, 1.0)
"""What the muscles can do at the same joints [N·m]."""
TABLE = 0.4
"""Height of the table [m]."""
WOOD, PAINT = (0.50, 0.38, 0.28, 1.0), (0.30, 0.52, 0.62, 1.0)
OBJECT_HALF, OBJECT_MASS = (0.03, 0.03, 0.03), 0.12
HEIGHT = 0.11
"""Of the finger above the table at the start [m]."""
RINGS, SIDES = 15, 10
SKIN, RED, NAIL = (0.91, 0.70, 0.57), (0.86, 0.54, 0.45), (0.97, 0.86, 0.80)
OUTLINE = np.array(
    [
        # x, half width, height of the back, depth of the pad [mm]
        (-8, 26, 17, 17),
        (2, 36, 25, 25),
        (30, 39, 28, 28),
        (60, 37, 28, 27),
        (84, 31, 27, 24),
        (104, 26, 26, 21),
        (128, 23, 21, 22),
        (152, 22, 20, 22),
        (178, 23, 23.5, 18.5),
        (200, 20.5, 18.5, 20.5),
        (220, 20, 18, 20.5),
        (236, 21, 20.5, 17),
        (258, 20, 16, 20.5),
        (280, 18, 13.5, 19.5),
        (294, 12.5, 9, 13),
    ]
)
"""One line for each ring of the skin: knuckles are thick on the back, the pads between them below."""
SECTIONS = (
    # x, reach to the sides, up and down of the cage [mm]: two within each bone, and one at the tip
    (-10, 48, 33, 33),
    (36, 58.5, 42.5, 42.5),
    (64, 51, 39.5, 37.5),
    (88, 42.5, 39.5, 33),
    (118, 34.5, 34.5, 31.5),
    (162, 33.5, 34.5, 31),
    (195, 31.5, 32, 29),
    (220, 29, 28.5, 29),
    (248, 30, 29.5, 28.5),
    (276, 27, 20.5, 29.5),
    (300, 18, 13, 18.5),
)


def skin() -> Surface:
    """Rings along the finger."""
    tube = generators.tube([(x * 1e-3, 0.0, 0.0) for x in OUTLINE[:, 0]], np.ones(RINGS), SIDES, cap_rings=0)
    ring = np.append(np.repeat(np.arange(RINGS), SIDES), (0, RINGS - 1))
    x, wide, back, pad = OUTLINE[ring].T * 1e-3
    up, side = tube.vertices[:, 1], tube.vertices[:, 2]
    x[-2:] += (-0.002, 0.004)  # the poles: the wrist is cut flat, the tip is round
    x = np.stack([x, np.where(up > 0, back, pad) * up, wide * side], axis=1)
    return Surface(x, tube.triangles, "finger")


def colors(surface: Surface) -> FloatArray:
    """Of skin, with a nail and redder knuckles."""
    x, y, z = surface.vertices.T
    knuckles = sum(np.exp(-(((x - joint) / 0.012) ** 2)) for joint in JOINTS[2:5])
    red = np.clip(knuckles * (y > 0.005) + 0.8 * np.exp(-(((x - 0.285) / 0.02) ** 2)), 0.0, 1.0)[:, None]
    skin = np.array(SKIN) + red * (np.array(RED) - np.array(SKIN))
    skin[(x > 0.255) & (x < 0.29) & (y > 0.008) & (np.abs(z) < 0.016)] = NAIL
    return skin


def skeleton(root: str = "planar") -> ModelBuilder:
    """Five bones in a row along x, the hand first; its root is held in the air by springs, but can be driven."""
    check_root(root)
    builder = ModelBuilder("finger")
    spring = (300.0, 300.0, 6.0) if root == "planar" else (6.0, 6.0, 6.0, 300.0, 300.0, 300.0)
    damping, effort = tuple(0.04 * k for k in spring), tuple(10 + k / 5 for k in spring)
    joint = JointSpec(kind=root, actuated=True, stiffness=spring, damping=damping, effort=effort)
    parent, at = "", (0.0, TABLE + HEIGHT, 0.0)
    for k, name in enumerate(NAMES):
        length = JOINTS[k + 1] - JOINTS[k]
        bar = capsule((0.0, 0.0, 0.0), (length, 0.0, 0.0), 0.01)
        builder.add(body(name, bar, 0.4 * length, parent=parent, joint=joint, at=at))
        joint = bend(min(k, 3))
        parent, at = name, (length, 0.0, 0.0)
    return builder


def bend(k: int) -> JointSpec:
    """The joint at the far end of bone k, slightly bent when at ease."""
    spring = {"stiffness": 0.4, "rest": -0.1, "damping": 0.02}
    return hinge((LOWER[k], UPPER[k]), **spring, armature=5e-4, effort=EFFORTS[k])


def finger(root: str = "planar", *, young: float = 30e3, slices: int = 1) -> Scene:
    """A soft finger over a table with a box to push about; the hand that carries it can be driven."""
    builder = skeleton(root)
    lift = (0.0, TABLE + HEIGHT, 0.0)
    around = diamond_cage(between_sections(1e-3 * np.array(SECTIONS), slices), name="finger")
    around = Cage(around.nodes + lift, around.tets)
    outside = skin()
    wrap(builder, outside.moved(lift), cage=around, young=young, colors=colors(outside), name="finger")
    top = box((0.18, TABLE - 0.03, 0.0), (0.35, 0.03, 0.2), WOOD, name="table")
    builder.world_shapes += [top, floor()]
    cube = box((0.0, 0.0, 0.0), OBJECT_HALF, PAINT)
    builder.add(body("object", cube, OBJECT_MASS, joint=JointSpec(kind="free")))
    model = builder.build()
    q = model.neutral()
    q[model.joint("object").q_slice][:3] = (0.23, TABLE + OBJECT_HALF[1], 0.0)
    return Scene(model, q=q)
