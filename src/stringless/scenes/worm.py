"""The worm of Kim & Pollard 2008: seven bones, six actuators, soft flesh around them."""

from __future__ import annotations

import math

import numpy as np

from stringless.flesh import generators
from stringless.flesh.wrap import wrap
from stringless.model.builder import ModelBuilder
from stringless.model.pose import Pose
from stringless.model.scene import Scene
from stringless.model.spec import BodySpec, JointSpec
from stringless.scenes.bones import capsule
from stringless.scenes.ground import floor

LENGTH, RADIUS = 0.42, 0.032
BONES = 7
BONE = LENGTH / BONES
LIMIT = 1.1
"""How far a joint bends either way [rad]."""


def skeleton(root: str = "planar") -> ModelBuilder:
    """Seven bones in a row along x, the middle one at the origin; the others hang from it to both sides."""
    builder = ModelBuilder("worm")
    middle = BONES // 2
    joint = JointSpec(kind=root, actuated=False)
    bar = capsule((-0.4 * BONE, 0.0, 0.0), (0.4 * BONE, 0.0, 0.0), 0.006)
    builder.add(BodySpec(name=f"bone_{middle}", joint=joint, shapes=(bar,)))
    for side in (-1, 1):
        bar = capsule((0.0, 0.0, 0.0), (side * BONE, 0.0, 0.0), 0.006)
        for k in range(1, middle + 1):
            reach = side * (0.5 * BONE if k == 1 else BONE)
            hinge = JointSpec(
                kind="revolute",
                axes=((0.0, 0.0, 1.0),),
                lower=(-LIMIT,),
                upper=(LIMIT,),
                damping=(0.02,),
                effort=(5.0,),
            )
            builder.add(
                BodySpec(
                    name=f"bone_{middle + side * k}",
                    parent=f"bone_{middle + side * (k - 1)}",
                    joint=hinge,
                    place=Pose((reach, 0.0, 0.0)),
                    shapes=(bar,),
                )
            )
    return builder


def build(root: str = "planar", *, cells: tuple[int, int, int] = (20, 3, 2), young: float = 30e3) -> ModelBuilder:
    """Skeleton and flesh. 20 slices match the seven bones; two cells across keep the cage symmetric sideways."""
    builder = skeleton(root)
    rings = np.linspace(-LENGTH / 2 + RADIUS, LENGTH / 2 - RADIUS, 22)
    skin = generators.tube([(x, 0.0, 0.0) for x in rings], np.full(22, RADIUS), 10, cap_rings=2, name="worm")
    wrap(builder, skin, cells=cells, young=young, within=0.006, name="worm")
    builder.world_shapes.append(floor())
    return builder


def worm() -> Scene:
    """A worm of soft flesh, dropped onto the floor from a hand's breadth."""
    model = build().build()
    q = model.neutral()
    q[1] = RADIUS + 0.1
    return Scene(model, q=q)


def worm_tilted() -> Scene:
    """The worm with a free root, dropped at a slant: it lands on one end and flops over."""
    model = build("free").build()
    q = model.neutral()
    q[1] = RADIUS + 0.25
    q[3:7] = (0.0, 0.0, math.sin(0.25), math.cos(0.25))
    return Scene(model, q=q)
