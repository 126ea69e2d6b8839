"""A starfish: five arms of three bones each around a middle one, on a free root."""

import math

import numpy as np

from stringless.flesh.isosurface import capsule_distance, smooth_blend, smooth_minimum
from stringless.flesh.surface import Surface
from stringless.flesh.wrap import wrap
from stringless.model.builder import ModelBuilder
from stringless.model.scene import Scene
from stringless.model.shapes import Shape, ShapePurpose
from stringless.model.spec import JointSpec
from stringless.scenes.bones import Y, body, box, capsule, dropped, root_joint, sphere
from stringless.scenes.ground import floor
from stringless.spatial.arrays import FloatArray

ARMS = 5
JOINTS = (0.045, 0.09, 0.135, 0.18)
"""Ends of an arm's bones, from the middle of the body [m]."""
THICK, THIN, REACH = 0.036, 0.017, 0.195
"""Radius of an arm at the middle and at its end, and how far out the end lies [m]."""
FLATNESS = 0.75
"""Height of the body over its width."""
ORANGE, PALE = (0.87, 0.40, 0.22), (0.96, 0.76, 0.56)
BEND = 0.9
"""How far a joint bends up and down [rad]."""
SWING = 0.5
"""How far an arm swings sideways [rad]."""
EFFORTS = (5.0, 2.4, 1.4)
"""What the muscles can do at the joints of an arm, from the middle outward [N·m]."""
BONE_MASS = 0.004
"""Of one bone of an arm, without the flesh fixed to it [kg]."""
BOX_HALF, BOX_HEIGHT = 0.32, 0.3
"""Half the width of a glass box inside, and its height [m]."""
GLASS = (0.75, 0.85, 0.9, 0.1)
PANE, WALL = 0.01, 0.06
"""Thickness of the glass as it is seen and as it is felt [m]."""


def direction(arm: int) -> FloatArray:
    """Unit vector along an arm in the plane of the floor; the first points along -z and lies in the mirror plane x = 0."""
    angle = 2 * math.pi * arm / ARMS
    return np.array([math.sin(angle), 0.0, -math.cos(angle)])


def skin(cell: float = 0.018) -> Surface:
    """Five tapered arms that grow out of each other."""

    def distance(points: FloatArray) -> FloatArray:
        upright = points / (1.0, FLATNESS, 1.0)
        arms = [capsule_distance(upright, (0, 0, 0), REACH * direction(k), THICK, THIN) for k in range(ARMS)]
        return smooth_minimum(arms, 0.009)

    half = np.array([0.215, 0.05, 0.235])
    return smooth_blend(distance, (-half, half), cell, relax=30, name="starfish")


def colors(surface: Surface) -> FloatArray:
    """Orange above, with paler ridges along the arms, and pale below."""
    x, y, z = surface.vertices.T
    ridge = np.max([np.exp(-((_aside(x, z, arm) / 0.006) ** 2)) for arm in range(ARMS)], axis=0) * (y > 0)
    below = np.clip(-y / 0.015, 0.0, 1.0)
    pale = np.clip(0.55 * ridge + 0.8 * below, 0.0, 1.0)[:, None]
    return np.array(ORANGE) + pale * (np.array(PALE) - np.array(ORANGE))


def _aside(x: FloatArray, z: FloatArray, arm: int) -> FloatArray:
    """Distance of points of the floor from the middle line of an arm; far for those behind its start [m]."""
    out = direction(arm)
    return np.where(x * out[0] + z * out[2] > 0, x * out[2] - z * out[0], 1.0)


def skeleton(root: str = "free") -> ModelBuilder:
    """The middle, and three bones in each arm: the first turns both ways, the others up and down."""
    builder = ModelBuilder("starfish")
    builder.add(body("middle", sphere((0.0, 0.0, 0.0), 0.03), 4 * BONE_MASS, joint=root_joint(root)))
    for arm in range(ARMS):
        out = direction(arm)
        parent, at = "middle", JOINTS[0]
        for k in range(len(JOINTS) - 1):
            name, length = f"arm_{arm}_{k}", JOINTS[k + 1] - JOINTS[k]
            bar = capsule((0.0, 0.0, 0.0), length * out, 0.006)
            builder.add(body(name, bar, BONE_MASS, parent=parent, joint=joint(out, k), at=at * out))
            parent, at = name, length
    return builder


def joint(out: FloatArray, k: int) -> JointSpec:
    """The joint at the near end of bone k of an arm; bending up is positive."""
    up = tuple(np.cross(out, Y).tolist())
    sideways = k == 0
    return JointSpec(
        kind="universal" if sideways else "revolute",
        axes=(Y, up) if sideways else (up,),
        lower=(-SWING, -BEND) if sideways else (-BEND,),
        upper=(SWING, BEND) if sideways else (BEND,),
        damping=(0.01,),
        armature=(5e-4,),
        effort=(EFFORTS[k],),
    )


def build(root: str = "free", *, cells: tuple[int, int, int] = (14, 2, 14), young: float = 25e3) -> ModelBuilder:
    """Skeleton and flesh on the floor. Even numbers of cells keep the left half a mirror image of the right."""
    builder = skeleton(root)
    outside = skin()
    wrap(builder, outside, cells=cells, within=0.008, young=young, colors=colors(outside), name="starfish")
    builder.world_shapes.append(floor())
    return builder


def starfish(root: str = "free", *, cells: tuple[int, int, int] = (14, 2, 14), young: float = 25e3) -> Scene:
    """A starfish of five soft arms, dropped flat onto the floor."""
    return dropped(build(root, cells=cells, young=young), 0.0, THICK * FLATNESS + 0.06)


def panes(half: float, height: float) -> list[Shape]:
    """A glass box around the origin, open at the top: half its width inside and its height [m].

    What is seen is thin; what is felt reaches further out, since soft arms thrown at a wall sink in before they turn.
    """
    return [*walls(half, height, PANE, "visual"), *walls(half, height, WALL, "collision")]


def walls(half: float, height: float, thickness: float, purpose: ShapePurpose) -> list[Shape]:
    """Four boxes around a square of `half` the width [m]."""
    across, wide, up = half + thickness / 2, half + thickness, height / 2
    along_x, along_z = (wide, up, thickness / 2), (thickness / 2, up, wide)
    sides = {
        "left": ((-across, up, 0.0), along_z),
        "right": ((across, up, 0.0), along_z),
        "back": ((0.0, up, -across), along_x),
        "front": ((0.0, up, across), along_x),
    }
    return [box(center, size, GLASS, name=f"glass_{side}", purpose=purpose) for side, (center, size) in sides.items()]


def glass_box(
    *,
    cells: tuple[int, int, int] = (14, 2, 14),
    young: float = 25e3,
    half: float = BOX_HALF,
    height: float = BOX_HEIGHT,
) -> Scene:
    """A starfish trapped in a glass box without a lid, dropped onto its floor."""
    builder = build(cells=cells, young=young)
    builder.world_shapes += panes(half, height)
    return dropped(builder, 0.0, THICK * FLATNESS + 0.06)
