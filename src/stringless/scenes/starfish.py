"""A starfish in a glass box: five arms of three bones each around a middle one, on a free root."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from stringless.flesh.isosurface import capsule_distance, smooth_blend, smooth_minimum
from stringless.flesh.surface import Surface
from stringless.flesh.wrap import wrap
from stringless.model.builder import ModelBuilder
from stringless.model.pose import Pose, Vector
from stringless.model.scene import Scene
from stringless.model.shapes import Shape, ShapePurpose
from stringless.model.spec import JointSpec
from stringless.scenes.bones import body, capsule
from stringless.scenes.bones import sphere as ball
from stringless.scenes.ground import floor

Floats = NDArray[np.float64]

ARMS = 5
JOINTS = (0.045, 0.09, 0.135, 0.18)
"""Ends of an arm's bones, from the middle of the body [m]."""
THICK, THIN, REACH = 0.036, 0.017, 0.195
"""Radius of an arm at the middle and at its end, and how far out the end lies [m]."""
FLATNESS = 0.75
"""Height of the body over its width."""
BEND = 0.9
"""How far a joint bends up and down [rad]."""
SWING = 0.5
"""How far an arm swings sideways [rad]."""
EFFORTS = (2.5, 1.2, 0.7)
"""What the muscles can do at the joints of an arm, from the middle outward [N·m]."""
BONE_MASS = 0.004
"""Of one bone of an arm, without the flesh fixed to it [kg]."""
GLASS = (0.75, 0.85, 0.9, 0.2)
PANE, WALL = 0.01, 0.06
"""Thickness of the glass as it is seen and as it is felt [m]."""


def direction(arm: int) -> Floats:
    """Unit vector along an arm in the plane of the floor; the first points along -z and lies in the mirror plane x = 0."""
    angle = 2 * math.pi * arm / ARMS
    return np.array([math.sin(angle), 0.0, -math.cos(angle)])


def skin(cell: float = 0.018) -> Surface:
    """Five tapered arms that grow out of each other."""

    def distance(points: Floats) -> Floats:
        upright = points / (1.0, FLATNESS, 1.0)
        arms = [capsule_distance(upright, (0, 0, 0), REACH * direction(k), THICK, THIN) for k in range(ARMS)]
        return smooth_minimum(arms, 0.009)

    half = np.array([0.215, 0.05, 0.235])
    return smooth_blend(distance, (-half, half), cell, name="starfish")


def skeleton(root: str = "free") -> ModelBuilder:
    """The middle, and three bones in each arm: the first turns both ways, the others up and down."""
    builder = ModelBuilder("starfish")
    middle = ball((0.0, 0.0, 0.0), 0.03)
    builder.add(body("middle", middle, 4 * BONE_MASS, joint=JointSpec(kind=root, actuated=False)))
    for arm in range(ARMS):
        out = direction(arm)
        parent, at = "middle", JOINTS[0]
        for k in range(len(JOINTS) - 1):
            bar = capsule((0.0, 0.0, 0.0), point(out, JOINTS[k + 1] - JOINTS[k]), 0.006)
            name = f"arm_{arm}_{k}"
            builder.add(body(name, bar, BONE_MASS, parent=parent, joint=joint(out, k), at=point(out, at)))
            parent, at = name, JOINTS[k + 1] - JOINTS[k]
    return builder


def point(out: Floats, reach: float) -> Vector:
    """The point this far along a direction."""
    return tuple(float(x) for x in reach * out)


def joint(out: Floats, k: int) -> JointSpec:
    """The joint at the near end of bone k of an arm; bending up is positive."""
    up = point(np.cross(out, (0.0, 1.0, 0.0)), 1.0)
    sideways = k == 0
    return JointSpec(
        kind="universal" if sideways else "revolute",
        axes=((0.0, 1.0, 0.0), up) if sideways else (up,),
        lower=(-SWING, -BEND) if sideways else (-BEND,),
        upper=(SWING, BEND) if sideways else (BEND,),
        damping=(0.01,),
        armature=(5e-4,),
        effort=(EFFORTS[k],),
    )


def glass_box(half: float = 0.32, height: float = 0.3) -> list[Shape]:
    """Four walls around the origin, open at the top: half the width inside and the height [m].

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
    return [
        Shape(kind="box", name=f"glass_{side}", size=size, place=Pose(center), color=GLASS, purpose=purpose)
        for side, (center, size) in sides.items()
    ]


def build(
    root: str = "free", *, cells: tuple[int, int, int] = (14, 2, 14), young: float = 25e3, trapped: bool = True
) -> ModelBuilder:
    """Skeleton and flesh in the glass box. Even numbers of cells keep the left half a mirror image of the right."""
    builder = skeleton(root)
    wrap(builder, skin(), cells=cells, within=0.008, young=young, name="starfish")
    builder.world_shapes += [floor(), *(glass_box() if trapped else [])]
    return builder


def starfish() -> Scene:
    """A starfish trapped in a glass box without a lid, dropped onto its floor."""
    model = build().build()
    q = model.neutral()
    q[1] = THICK * FLATNESS + 0.06
    return Scene(model, q=q)
