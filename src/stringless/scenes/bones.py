"""Bodies made of simple solids, with masses and inertias to match."""

import dataclasses
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stringless.errors import InputError
from stringless.model.builder import ModelBuilder
from stringless.model.pose import Pose, Vector, quaternion_from_matrix
from stringless.model.scene import Scene
from stringless.model.shapes import Shape
from stringless.model.solids import shape_solid
from stringless.model.spec import BodySpec, JointSpec

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
UP, DOWN = Y, (0.0, -1.0, 0.0)
NOWHERE, STRAIGHT = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)


def along(start: ArrayLike, end: ArrayLike) -> Pose:
    """Place of a shape that lies along its own z axis between two points of its body."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    z = b - a
    length = np.linalg.norm(z)
    z = z / length if length > 0 else np.array([0.0, 0.0, 1.0])
    x = np.cross(z, [1.0, 0.0, 0.0] if abs(z[0]) < 0.9 else [0.0, 1.0, 0.0])
    x /= np.linalg.norm(x)
    rotation = quaternion_from_matrix(np.column_stack([x, np.cross(z, x), z]))
    return Pose(tuple(float(c) for c in (a + b) / 2), tuple(float(c) for c in rotation))


def capsule(start: ArrayLike, end: ArrayLike, radius: float, color: Vector = (), **fields: Any) -> Shape:
    """A capsule between two points; `fields` are further ones of a `Shape`."""
    half = float(np.linalg.norm(np.subtract(end, start))) / 2
    return Shape(kind="capsule", size=(radius, half), place=along(start, end), color=color, **fields)


def sphere(center: Vector, radius: float, color: Vector = (), **fields: Any) -> Shape:
    """A ball."""
    return Shape(kind="sphere", size=(radius,), place=Pose(center), color=color, **fields)


def box(center: Vector, half: Vector, color: Vector = (), **fields: Any) -> Shape:
    """A box along the body axes."""
    return Shape(kind="box", size=half, place=Pose(center), color=color, **fields)


def hinge(limits: tuple[float, float] | None = None, axis: ArrayLike = Z, **values: Any) -> JointSpec:
    """A joint that turns about one axis, between `limits` if there are any [rad]; `values` are others of a `JointSpec`."""
    lower, upper = ((), ()) if limits is None else ((limits[0],), (limits[1],))
    return JointSpec(kind="revolute", axes=(axis,), lower=lower, upper=upper, **values)  # type: ignore[arg-type]


def ball(swing: float, twist: float, axis: Vector = DOWN, **values: Any) -> JointSpec:
    """A ball joint whose bone, which lies along `axis`, may swing and twist so far [rad]."""
    return JointSpec(kind="ball", axes=(axis,), lower=(0.0, -twist, 0.0), upper=(swing, twist, math.pi), **values)


def body(
    name: str,
    shape: Shape,
    mass: float,
    *,
    parent: str = "",
    joint: JointSpec | None = None,
    at: ArrayLike = NOWHERE,
    turn: Vector = STRAIGHT,
    looks: tuple[Shape, ...] = (),
) -> BodySpec:
    """A body of one solid shape and given mass, hung at the point `at` of its parent, with its joint's frame turned by `turn`.

    `looks` is more to see of it, which changes neither its mass nor what it touches.
    """
    solid = shape_solid(shape, mass=mass)
    place = Pose(at, turn)  # type: ignore[arg-type]
    shapes = (shape, *(dataclasses.replace(look, purpose="visual") for look in looks))
    return BodySpec(name=name, parent=parent, joint=joint or JointSpec(), place=place, shapes=shapes, **vars(solid))


def turned(axis: Vector, angle: float) -> Vector:
    """Unit quaternion of a turn about an axis."""
    a = np.asarray(axis, float) / np.linalg.norm(axis)
    return (*(float(x) for x in np.sin(angle / 2) * a), float(np.cos(angle / 2)))


def dropped(builder: ModelBuilder, *start: float) -> Scene:
    """The scene of a model that begins with these first coordinates, x and y of its root and more; all others are neutral."""
    model = builder.build()
    q = model.neutral()
    q[: len(start)] = start
    return Scene(model, q=q)


def check_count(count: int, asked: str) -> None:
    """Refuse a number of things that is no whole number of 1 or more; `asked` says what was asked for."""
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"{asked}; expected a whole number of 1 or more")


def root_joint(kind: str) -> JointSpec:
    """The joint between the world and a character, which nothing drives: `planar` or `free`."""
    check_root(kind)
    return JointSpec(kind=kind)


def check_root(kind: str) -> None:
    """Refuse other roots."""
    if kind not in ("planar", "free"):
        raise InputError(f"root is '{kind}'; expected 'planar' (moves in the plane of x and y) or 'free'")
