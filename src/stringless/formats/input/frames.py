"""Turns as files write them, and the way from a Z-up file into our Y-up world."""

import math
from typing import Literal

import numpy as np

from stringless.errors import InputError
from stringless.model.pose import Pose, Vector, multiply_quaternions

Up = Literal["z", "y"]


def world_pose(up: Up) -> Pose:
    """Pose of the file's world in ours.

    Z-up files have their characters face +x with the left side toward +y; ours face +z with the left toward +x. So x, y, z
    of the file become our z, x, y: a third of a turn about the space diagonal, whose quaternion has no rounding.
    """
    if up not in ("z", "y"):
        raise InputError(f"up='{up}' is not possible; expected 'z' or 'y', the axis that points up in the file")
    return Pose(rotation=(-0.5, -0.5, -0.5, 0.5)) if up == "z" else Pose()


def world_vector(vector: Vector, up: Up) -> Vector:
    """Components of a file's world vector in our world, without rounding."""
    x, y, z = vector
    return (y, z, x) if up == "z" else (x, y, z)


def composed(outer: Pose, inner: Pose) -> Pose:
    """`outer @ inner`, without rounding where one of them is the identity."""
    if outer == Pose():
        return inner
    return outer if inner == Pose() else outer @ inner


def unit(values: Vector) -> Vector:
    """The same direction at length 1, or zero."""
    length = math.sqrt(sum(value * value for value in values))
    return tuple(value / length for value in values) if length > 0 else tuple(values)


def about_axis(axis: Vector, angle: float) -> Vector:
    """Quaternion x, y, z, w of a turn by `angle` [rad] about `axis`."""
    x, y, z = unit(axis)
    s = math.sin(angle / 2)
    return (x * s, y * s, z * s, math.cos(angle / 2))


AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def from_euler(angles: Vector, sequence: str) -> Vector:
    """Quaternion of three turns [rad]; a small letter turns about the moving axis, a capital about the fixed one."""
    q: Vector = (0.0, 0.0, 0.0, 1.0)
    for angle, letter in zip(angles, sequence, strict=True):
        turn = about_axis(AXES[letter.lower()], angle)
        q = _floats(multiply_quaternions(q, turn) if letter.islower() else multiply_quaternions(turn, q))
    return q


def from_z_axis(direction: Vector) -> Vector:
    """Quaternion of the smallest turn that takes z into `direction` (the opposite one: about x)."""
    x, y, z = unit(direction)
    sine = math.hypot(x, y)
    axis = (-y, x, 0.0) if sine > 1e-10 else (1.0, 0.0, 0.0)
    return about_axis(axis, math.atan2(sine, z))


def _floats(values: object) -> Vector:
    return tuple(float(value) for value in np.asarray(values).ravel())
