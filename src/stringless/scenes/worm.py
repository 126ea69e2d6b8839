"""The worm of Kim & Pollard 2008: seven bones, six actuators, soft flesh around them."""

import math

import numpy as np

from stringless.flesh import generators
from stringless.flesh.surface import Surface
from stringless.flesh.wrap import wrap
from stringless.model.builder import ModelBuilder
from stringless.model.pose import Pose
from stringless.model.scene import Scene
from stringless.model.spec import BodySpec
from stringless.scenes.bones import capsule, dropped, hinge, root_joint
from stringless.scenes.ground import floor
from stringless.spatial.arrays import FloatArray

LENGTH, RADIUS = 0.42, 0.032
BONES = 7
BONE = LENGTH / BONES
RINGS, SIDES, TAPER = 16, 12, 0.7
"""Of the skin without the round ends, and its radius there as a part of that in the middle."""
SKIN, BAND = (0.86, 0.52, 0.50), (0.93, 0.68, 0.60)
LIMIT = 1.1
"""How far a joint bends either way [rad]."""
CELLS, YOUNG = (20, 3, 2), 30e3
"""Of the cage; stiffness of the flesh [Pa]."""


def skeleton(root: str = "planar") -> ModelBuilder:
    """Seven bones in a row along x, the middle one at the origin; the others hang from it to both sides."""
    builder = ModelBuilder("worm")
    middle = BONES // 2
    bar = capsule((-0.4 * BONE, 0.0, 0.0), (0.4 * BONE, 0.0, 0.0), 0.006)
    builder.add(BodySpec(name=f"bone_{middle}", joint=root_joint(root), shapes=(bar,)))
    joint = hinge((-LIMIT, LIMIT), damping=0.02, effort=5.0)
    for side in (-1, 1):
        for k in range(1, middle + 1):
            length = BONE if k < middle else BONE - 0.012  # the last one ends within the flesh
            bar = capsule((0.0, 0.0, 0.0), (side * length, 0.0, 0.0), 0.006)
            place = Pose((side * (0.5 * BONE if k == 1 else BONE), 0.0, 0.0))
            name, parent = f"bone_{middle + side * k}", f"bone_{middle + side * (k - 1)}"
            builder.add(BodySpec(name=name, parent=parent, joint=joint, place=place, shapes=(bar,)))
    return builder


def skin() -> Surface:
    """A tube that grows thin toward its round ends, turned by half a side: it lies on a flat, not on an edge."""
    thin = TAPER * RADIUS
    x = np.linspace(-LENGTH / 2 + thin, LENGTH / 2 - thin, RINGS)
    radii = RADIUS * (1 - (1 - TAPER) * np.abs(x / x[-1]) ** 5)
    half = math.pi / SIDES
    up = (0.0, math.cos(half), math.sin(half))
    return generators.tube([(s, 0.0, 0.0) for s in x], radii, SIDES, cap_rings=3, up=up, name="worm")


def colors(surface: Surface) -> FloatArray:
    """Of an earthworm: darker rings, and the pale band that carries the eggs, nearer to the head at -x."""
    x = surface.vertices[:, 0]
    band = np.exp(-(((x + 0.28 * LENGTH) / 0.03) ** 4))[:, None]
    dark = 0.5 + 0.5 * np.cos(2 * math.pi * x / BONE)[:, None]
    return (1 - band) * (np.array(SKIN) - dark * (0.07, 0.08, 0.06)) + band * np.array(BAND)


def build(root: str = "planar", *, cells: tuple[int, int, int] = CELLS, young: float = YOUNG) -> ModelBuilder:
    """Skeleton and flesh. 20 slices match the seven bones; two cells across keep the cage symmetric sideways."""
    builder = skeleton(root)
    outside = skin()
    wrap(builder, outside, cells=cells, young=young, within=0.006, colors=colors(outside), name="worm")
    builder.world_shapes.append(floor())
    return builder


def worm(
    root: str = "planar", *, cells: tuple[int, int, int] = CELLS, young: float = YOUNG, above: float = 0.1
) -> Scene:
    """A worm of soft flesh, dropped onto the floor from a hand's breadth."""
    return dropped(build(root, cells=cells, young=young), 0.0, RADIUS + above)


def worm_tilted() -> Scene:
    """The worm with a free root, dropped at a slant: it lands on one end and flops over."""
    return dropped(build("free"), 0.0, RADIUS + 0.25, 0.0, 0.0, 0.0, math.sin(0.25), math.cos(0.25))
