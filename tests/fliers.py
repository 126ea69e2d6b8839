"""Free linkages that the tests of editing grip, bounce and let go."""

from __future__ import annotations

import numpy as np

from models import random_inertia, random_joint, random_quaternion
from stringless.model import Model, ModelBuilder, Pose

KINDS = (
    ("free", "ball", "universal", "revolute"),
    ("free", "translational", "ball", "prismatic", "fixed", "revolute"),
)
"""Joints of chains that can be turned round at every joint, and hold every kind that can."""


def flier(kinds: tuple[str, ...] = KINDS[0], seed: int = 0, *, armature: bool = False) -> Model:
    """A chain of random bodies on these joints."""
    rng = np.random.default_rng(seed)
    builder = ModelBuilder("flier", gravity=(1.0, -9.0, 3.0))
    for i, kind in enumerate(kinds):
        mass = float(rng.uniform(0.5, 2.0))
        builder.add_body(
            f"b{i}",
            f"b{i - 1}" if i else "",
            random_joint(
                rng, kind, springs=False, dampers=False, armature=armature and kind in ("revolute", "universal")
            ),
            place=Pose(tuple(rng.normal(scale=0.4, size=3)), random_quaternion(rng)),
            mass=mass,
            center_of_mass=tuple(rng.normal(scale=0.2, size=3)),
            inertia=random_inertia(rng, mass),
        )
    return builder.build()
