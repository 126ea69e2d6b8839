"""A trapeze artist: 20 degrees of freedom while she hangs, 25 while she flies. She faces +Z and swings toward it.

Both arms move as one, as they do on a bar: the hands are the root of the character.
"""

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from stringless.editing import studies
from stringless.editing.editor import Editor
from stringless.editing.plan import At, Bar, Grip, Release, Touch
from stringless.model.builder import ModelBuilder
from stringless.model.model import Model
from stringless.model.pose import Pose, Vector
from stringless.model.scene import Scene
from stringless.model.shapes import Shape
from stringless.model.solids import combine, shape_solid
from stringless.model.spec import BodySpec, JointSpec
from stringless.scenes.bones import X, Y, Z, box, capsule, sphere
from stringless.scenes.motions import bar, scene_of

FIRST = (0.0, 5.0, 0.0)
SECOND = Bar((0.0, 3.15, 4.7), X, 0.03)
"""The bar she swings on, its middle, and the one she is to catch [m]."""
SKIN, SUIT, HAIR = (0.80, 0.62, 0.50, 1.0), (0.55, 0.16, 0.30, 1.0), (0.20, 0.13, 0.10, 1.0)
REACH = -0.3
"""Where her shoulders spring to when nothing holds her: arms to the front [rad]."""
APART = 0.20
"""Half the distance of the hands [m]."""


def pair(start: Vector, end: Vector, radius: float) -> tuple[Shape, ...]:
    """The same limb on both sides."""
    (x, y, z), (u, v, w) = start, end
    return capsule((x, y, z), (u, v, w), radius), capsule((-x, y, z), (-u, v, w), radius)


def parts() -> list[BodySpec]:
    """From the hands down, as she hangs."""
    s = APART
    palms = [box((x, -0.04, 0), (0.04, 0.05, 0.02)) for x in (s, -s)]
    grip = JointSpec(kind="revolute", axes=(X,), damping=(0.5,), actuated=False)
    trunk = capsule((-0.08, -0.16, 0), (0.08, -0.16, 0), 0.12)
    spine = capsule((-0.06, -0.07, 0), (0.06, -0.07, 0), 0.10)
    out = [
        solid("hands", palms, 0.9, grip, at=FIRST),
        part("forearms", "hands", (0, -0.08, 0), (X,), 20.0, 2.6, *pair((s, 0, 0), (s, -0.25, 0), 0.035)),
        part("upper_arms", "forearms", (0, -0.25, 0), (X,), 60.0, 3.8, *pair((s, 0, 0), (s, -0.26, 0), 0.042)),
        part("chest", "upper_arms", (0, -0.28, 0), (X,), 70.0, 16.0, trunk, rest=REACH),
        part("neck", "chest", (0, 0.0, 0.02), (X,), 30.0, 1.1, capsule((0, 0.0, 0), (0, 0.06, 0), 0.05)),
        part("head", "neck", (0, 0.09, 0), (Y,), 15.0, 4.0, sphere((0, 0.09, 0.01), 0.10)),
        part("waist", "chest", (0, -0.27, 0), (X, Z), 200.0, 8.0, spine),
        part("pelvis", "waist", (0, -0.16, 0), (Y, X), 200.0, 9.0, capsule((-0.08, -0.06, 0), (0.08, -0.06, 0), 0.105)),
    ]
    for side, x in (("left", 0.10), ("right", -0.10)):
        thigh, shin, foot = f"{side}_thigh", f"{side}_shin", f"{side}_foot"
        out += [
            part(thigh, "pelvis", (x, -0.10, 0), (), 120.0, 7.4, capsule((0, -0.03, 0), (0, -0.40, 0), 0.068)),
            part(shin, thigh, (0, -0.42, 0), (X,), 80.0, 3.2, capsule((0, -0.02, 0), (0, -0.39, 0), 0.046)),
            part(foot, shin, (0, -0.41, 0), (X,), 20.0, 1.0, box((0, -0.10, 0.02), (0.04, 0.10, 0.03))),
        ]
    return out


def part(
    name: str,
    parent: str,
    at: Vector,
    axes: tuple[Vector, ...],
    stiffness: float,
    mass: float,
    *shapes: Shape,
    rest: float = 0.0,
) -> BodySpec:
    """A body that turns about some axes, or about all if none is given.

    Its spring has this `stiffness` [N m/rad], its muscles an effort of that number; `rest` is the slack angle [rad].
    """
    kind, damping = ("ball", "revolute", "universal")[len(axes)], 2.0 * 0.5 * math.sqrt(stiffness * 0.25)
    spring: dict[str, Any] = {"stiffness": stiffness, "damping": damping, "armature": 0.01, "rest": (rest,) * len(axes)}
    joint = JointSpec(kind=kind, axes=axes or (Y,), effort=(stiffness,), **spring)
    return solid(name, shapes, mass, joint, parent=parent, at=at)


def solid(
    name: str, shapes: Sequence[Shape], mass: float, joint: JointSpec, *, at: Vector, parent: str = ""
) -> BodySpec:
    """A body of one or two equal solids."""
    whole = combine(shape_solid(shape, mass=mass / len(shapes)) for shape in shapes)
    bare = ("hands", "forearms", "upper_arms", "neck")
    color = HAIR if name == "head" else SKIN if name in bare or name.endswith("foot") else SUIT
    looks = tuple(dataclasses.replace(shape, color=color, purpose="visual") for shape in shapes)
    return BodySpec(name=name, parent=parent, joint=joint, place=Pose(at), shapes=looks, **vars(whole))


def artist(shapes: list[Shape]) -> Model:
    """The artist on her bar, and these shapes in her world."""
    builder = ModelBuilder("trapeze artist")
    builder.world_shapes += shapes
    builder.specs += parts()
    return builder.build()


def swing(*, lazy: bool = False) -> Editor:
    """She swings on one bar, lets go, flies and catches another; as she begins, she falls short of it."""
    bars = (("first bar", FIRST), ("second bar", SECOND.point))
    model = artist([shape for name, middle in bars for shape in bar(name, middle, (0.6, 0.0, 0.0), 0.02)])
    q, v = model.neutral(), np.zeros(model.nv)
    q[model.joint("hands").q_slice] = 2.2
    v[model.joint("hands").v_slice] = -0.5
    happens = [Release(when=At(0.92, free=True)), Grip(body="hands", when=Touch(SECOND), kind="hinge", axis=X)]
    editor = Editor(model, duration=2.8, transitions=happens, dt=studies.STEP, q=q, v=v, lazy=lazy)
    editor.nail("pelvis", time=1.4, target=(0.0, 5.6, 2.35))
    return editor


def trapeze() -> Scene:
    """A trapeze artist is to swing on one bar, let go, fly and catch another; she falls short of it."""
    return scene_of(swing(lazy=True))
