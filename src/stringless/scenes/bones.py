"""Bodies made of simple solids, with masses and inertias to match."""

from __future__ import annotations

import dataclasses

import numpy as np

from stringless.errors import InputError
from stringless.model.pose import Pose, Vector, quaternion_from_matrix
from stringless.model.shapes import Shape
from stringless.model.solids import shape_solid
from stringless.model.spec import BodySpec, JointSpec


def along(start: Vector, end: Vector) -> Pose:
    """Place of a shape that lies along its own z axis between two points of its body."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    z = b - a
    length = np.linalg.norm(z)
    z = z / length if length > 0 else np.array([0.0, 0.0, 1.0])
    x = np.cross(z, [1.0, 0.0, 0.0] if abs(z[0]) < 0.9 else [0.0, 1.0, 0.0])
    x /= np.linalg.norm(x)
    rotation = quaternion_from_matrix(np.column_stack([x, np.cross(z, x), z]))
    return Pose(tuple(float(c) for c in (a + b) / 2), tuple(float(c) for c in rotation))


def capsule(start: Vector, end: Vector, radius: float) -> Shape:
    """A capsule between two points."""
    half = float(np.linalg.norm(np.subtract(end, start))) / 2
    return Shape(kind="capsule", size=(radius, half), place=along(start, end))


def sphere(center: Vector, radius: float) -> Shape:
    """A ball."""
    return Shape(kind="sphere", size=(radius,), place=Pose(center))


def box(center: Vector, half: Vector) -> Shape:
    """A box along the body axes."""
    return Shape(kind="box", size=half, place=Pose(center))


def body(
    name: str,
    shape: Shape,
    mass: float,
    *,
    parent: str = "",
    joint: JointSpec | None = None,
    at: Vector = (0.0, 0.0, 0.0),
) -> BodySpec:
    """A body of one solid shape and given mass, hung at the point `at` of its parent."""
    solid = shape_solid(shape, mass=mass)
    return BodySpec(
        name=name,
        parent=parent,
        joint=joint or JointSpec(),
        place=Pose(at),
        mass=solid.mass,
        center_of_mass=solid.center_of_mass,
        inertia=solid.inertia,
        shapes=(shape,),
    )


def painted(shape: Shape, color: Vector) -> Shape:
    """The same shape in a colour."""
    return dataclasses.replace(shape, color=color)


def dressed(spec: BodySpec, *shapes: Shape) -> BodySpec:
    """The same body with more to see of it: neither its mass nor what it touches changes."""
    seen = tuple(dataclasses.replace(shape, purpose="visual") for shape in shapes)
    return dataclasses.replace(spec, shapes=(*spec.shapes, *seen))


def placed(spec: BodySpec, rotation: Vector) -> BodySpec:
    """The same body with the frame of its joint turned."""
    return dataclasses.replace(spec, place=Pose(spec.place.position, rotation))


def turned(axis: Vector, angle: float) -> Vector:
    """Unit quaternion of a turn about an axis."""
    a = np.asarray(axis, float) / np.linalg.norm(axis)
    return (*(float(x) for x in np.sin(angle / 2) * a), float(np.cos(angle / 2)))


def root_joint(kind: str) -> JointSpec:
    """The joint between the world and a character, which nothing drives: `planar` or `free`."""
    check_root(kind)
    return JointSpec(kind=kind)


def check_root(kind: str) -> None:
    """Refuse other roots."""
    if kind not in ("planar", "free"):
        raise InputError(f"root is '{kind}'; expected 'planar' (moves in the plane of x and y) or 'free'")
