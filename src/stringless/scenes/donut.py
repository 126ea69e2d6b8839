"""A donut that stands on its rim: soft flesh around an open chain of bones, which the flesh closes to a ring."""

import math

import numpy as np

from stringless.flesh import generators
from stringless.flesh.surface import Surface
from stringless.flesh.wrap import wrap
from stringless.model.builder import ModelBuilder
from stringless.model.scene import Scene
from stringless.scenes.bones import body, capsule, dropped, hinge, root_joint
from stringless.scenes.ground import floor
from stringless.spatial.arrays import FloatArray

MAJOR, MINOR = 0.088, 0.039
"""Radius of the ring and of its section [m]."""
BONES = 9
"""An odd number: the chain starts with the lowest bone and goes up both sides; it is open at the top."""
DOUGH, ICING = (0.86, 0.63, 0.38), (0.93, 0.52, 0.62)
LIMIT = 0.6
"""How far a joint bends either way [rad]."""
BONE_MASS = 0.01
"""Of one bone, without the flesh fixed to it [kg]."""

EFFORTS = (5.0, 4.0, 2.0, 1.0)
"""What the joints can do, from the lowest bone up [N·m]."""


def rim(k: float) -> FloatArray:
    """Where bone k begins on the circle, k = 0 being the lowest bone, counted counter-clockwise."""
    angle = 2 * math.pi * (k - 0.5) / BONES - math.pi / 2
    return MAJOR * np.array([math.cos(angle), math.sin(angle), 0.0])


def skin() -> Surface:
    """A ring in the plane of x and y."""
    return generators.torus(MAJOR, MINOR, 36, 16, axis="z")


def colors(surface: Surface) -> FloatArray:
    """Dough with icing on the side toward +z, which runs down a little here and there."""
    x, y, z = surface.vertices.T
    angle = np.arctan2(y, x)
    icing = z > 0.009 * np.sin(6 * angle + 0.5) - 0.004
    return np.where(icing[:, None], ICING, DOUGH)


def skeleton(root: str = "planar") -> ModelBuilder:
    """Bones around the ring, from the lowest one up both sides, which do not meet at the top."""
    builder = ModelBuilder("donut")
    start = 0.5 * (rim(0) + rim(1))
    bar = capsule(rim(0) - start, rim(1) - start, 0.007)
    builder.add(body("bone_0", bar, BONE_MASS, joint=root_joint(root), at=start))
    for name, side in (("left", -1), ("right", 1)):
        parent, before = "bone_0", start
        for k in range(1, BONES // 2 + 1):
            near, far = (rim(k), rim(k + 1)) if side > 0 else (rim(1 - k), rim(-k))
            end = far if k < BONES // 2 else near + 0.6 * (far - near)  # no node at the top is held by one side only
            bar = capsule((0.0, 0.0, 0.0), end - near, 0.007)
            joint = hinge((-LIMIT, LIMIT), damping=0.01, armature=5e-4, effort=EFFORTS[k - 1])
            builder.add(body(f"{name}_{k}", bar, BONE_MASS, parent=parent, joint=joint, at=near - before))
            parent, before = f"{name}_{k}", near
    return builder


def donut(root: str = "planar", *, cells: tuple[int, int, int] = (10, 10, 2), young: float = 30e3) -> Scene:
    """A donut dropped onto its rim from a hand's breadth; it can roll, hop and fold in a plane.

    Even numbers of cells keep the cage symmetric.
    """
    builder = skeleton(root)
    outside = skin()
    wrap(builder, outside, cells=cells, within=0.006, young=young, colors=colors(outside), name="donut")
    builder.world_shapes.append(floor())
    return dropped(builder, 0.0, MAJOR + MINOR + 0.1)
