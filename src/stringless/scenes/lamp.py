"""A desk lamp that can hop: a soft foot and a soft shade on two hard arms with springs, as such lamps have."""

import math
from typing import Any

import numpy as np

from stringless.flesh import generators
from stringless.flesh.cage import Cage
from stringless.flesh.lattice_cage import lattice_cage
from stringless.flesh.surface import Surface
from stringless.flesh.wrap import wrap
from stringless.model.builder import ModelBuilder
from stringless.model.scene import Scene
from stringless.scenes.bones import NOWHERE, body, box, capsule, dropped, hinge, root_joint
from stringless.scenes.ground import floor
from stringless.spatial.arrays import FloatArray

ANKLE, ELBOW, NECK = np.array([0.0, 0.035, 0.0]), np.array([-0.1, 0.195, 0.0]), np.array([0.03, 0.32, 0.0])
"""The three joints, as the lamp stands at ease [m]."""
TILT = math.radians(125)
"""How far the shade is turned from looking up: forward and down."""
FOOT = np.array([(0, 62), (1, 80), (7, 89), (15, 90), (23, 84), (31, 66), (37, 38), (41, 22)]) * 1e-3
CONE = [(-26, 15), (-18, 23), (-4, 27), (10, 30), (24, 38), (44, 52), (66, 65), (86, 75), (98, 79)]
BULB = [(104, 74), (102, 56), (110, 38), (116, 20)]
SHADE = np.array(CONE + BULB) * 1e-3
"""Outlines: distance along the axis and radius [m]. The shade's begins behind the neck and ends with the bulb."""
PAINT, BULB_LIGHT, STEEL = (0.36, 0.57, 0.55), (1.0, 0.93, 0.70), (0.72, 0.73, 0.75, 1.0)
SPRINGS = {"ankle": 20.0, "elbow": 12.0, "neck": 4.0}
"""[N·m/rad]."""
EFFORTS = {"ankle": 12.0, "elbow": 8.0, "neck": 4.0}
"""[N·m]."""
LIMITS = {"ankle": (-0.9, 0.7), "elbow": (-0.9, 1.2), "neck": (-0.9, 0.9)}
"""From standing at ease [rad]."""


def tilted(points: FloatArray) -> FloatArray:
    """Points of the upright shade where they are on the lamp at ease."""
    c, s = math.cos(TILT), math.sin(TILT)
    return points @ np.array([(c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)]) + NECK


def skeleton(root: str = "planar") -> ModelBuilder:
    """Base, two arms and head."""
    builder = ModelBuilder("lamp")
    plate = box((0.0, 0.02, 0.0), (0.04, 0.004, 0.04))
    builder.add(body("base", plate, 0.1, joint=root_joint(root)))
    shaft = tilted(np.array([(0.0, 0.07, 0.0)]))[0] - NECK
    for name, parent, joint, at, bar, mass in (
        ("lower_arm", "base", "ankle", ANKLE, capsule(NOWHERE, ELBOW - ANKLE, 0.008, STEEL), 0.06),
        ("upper_arm", "lower_arm", "elbow", ELBOW - ANKLE, capsule(NOWHERE, NECK - ELBOW, 0.008, STEEL), 0.06),
        ("head", "upper_arm", "neck", NECK - ELBOW, capsule(NOWHERE, shaft, 0.012, STEEL), 0.03),
    ):
        spring = {"stiffness": SPRINGS[joint], "damping": 0.025 * SPRINGS[joint], "effort": EFFORTS[joint]}
        turn = hinge(LIMITS[joint], name=joint, armature=2e-3, **spring)
        builder.add(body(name, bar, mass, parent=parent, joint=turn, at=at))
    return builder


def lamp(
    root: str = "planar",
    *,
    young: float = 80e3,
    foot_cells: tuple[int, int, int] = (6, 2, 6),
    shade_cells: tuple[int, int, int] = (4, 4, 4),
) -> Scene:
    """A desk lamp on a soft foot, dropped a little way onto the floor; its springs keep it upright.

    Even numbers of cells keep foot and shade symmetric.
    """
    builder = skeleton(root)
    foot = generators.turned(FOOT, 24, name="foot")
    around: dict[str, Any] = {"cells": foot_cells, "bones": ["base"], "within": 0.002}
    wrap(builder, foot, **around, density=1200.0, young=young, colors=PAINT, name="foot")
    shade = generators.turned(SHADE, 20, name="shade")
    cage = lattice_cage(shade, cells=shade_cells)
    around = {"cage": Cage(tilted(cage.nodes), cage.tets), "bones": ["head"], "within": 0.02}
    shade = Surface(tilted(shade.vertices), shade.triangles, "shade")
    glow = np.tile(PAINT, (len(shade.vertices), 1))
    glow[20 * len(CONE) :] = BULB_LIGHT  # rings of 20 vertices, the bulb's after the cone's, and the pole in it
    glow[-2] = PAINT
    # A shade is hollow: light for its size, and so it may not be as firm.
    wrap(builder, shade, **around, density=150.0, young=young / 4, colors=glow, name="shade")
    builder.world_shapes.append(floor())
    return dropped(builder, 0.0, 0.03)
