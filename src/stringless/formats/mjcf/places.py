"""Positions and the five ways in which MJCF writes an orientation."""

import math

import numpy as np

from stringless.formats.input.frames import about_axis, from_euler, from_z_axis, unit
from stringless.formats.input.xmltree import Attributes
from stringless.formats.mjcf.defaults import ORIENTATIONS
from stringless.formats.mjcf.settings import Compiler
from stringless.model.pose import Pose, Vector, quaternion_from_matrix

IDENTITY: Vector = (0.0, 0.0, 0.0, 1.0)


def read_place(attributes: Attributes, compiler: Compiler) -> Pose:
    """Position and orientation of an element in its parent."""
    position = attributes.numbers("pos", 3, (0.0, 0.0, 0.0))
    given = [key for key in ORIENTATIONS if key in attributes]
    if len(given) > 1:
        attributes.error(" and ".join(given), "one way to give the orientation")
    if not given:
        return Pose(position)
    return Pose(position, _orientation(attributes, given[0], compiler))


def _orientation(attributes: Attributes, key: str, compiler: Compiler) -> Vector:
    """Quaternion x, y, z, w of the attribute `key`."""
    scale = math.pi / 180 if compiler.degrees else 1.0
    if key == "quat":
        return read_quaternion(attributes, key)
    if key == "axisangle":
        *axis, angle = attributes.numbers(key, 4, (0.0, 0.0, 1.0, 0.0))
        return about_axis(_direction(attributes, key, tuple(axis)), angle * scale)
    if key == "euler":
        angles = attributes.numbers(key, 3, (0.0, 0.0, 0.0))
        return from_euler(tuple(angle * scale for angle in angles), compiler.euler)
    if key == "zaxis":
        return from_z_axis(_direction(attributes, key, attributes.numbers(key, 3, (0.0, 0.0, 1.0))))
    values = attributes.numbers(key, 6, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0))
    return _from_xy_axes(attributes, values)


def read_quaternion(attributes: Attributes, key: str) -> Vector:
    """Read w, x, y, z of any length as a unit quaternion x, y, z, w."""
    w, x, y, z = attributes.numbers(key, 4, (1.0, 0.0, 0.0, 0.0))
    q = (x, y, z, w)
    if not any(q):
        attributes.error(f"{key} of length 0", "a quaternion w, x, y, z")
        return IDENTITY
    # A quaternion of unit length to the last digits keeps the digits of the file.
    return q if abs(math.hypot(*q) - 1) < 1e-15 else unit(q)


def _direction(attributes: Attributes, key: str, axis: Vector) -> Vector:
    if not any(axis):
        attributes.error(f"{key} with a direction of length 0", "a direction")
        return (0.0, 0.0, 1.0)
    return axis


def _from_xy_axes(attributes: Attributes, values: Vector) -> Vector:
    """Two axes, the second made perpendicular to the first."""
    x, y = np.array(values[:3]), np.array(values[3:])
    length = float(np.linalg.norm(x))
    if length > 0:
        x = x / length
        y = y - (x @ y) * x
    if length == 0 or np.linalg.norm(y) < 1e-9:
        attributes.error("xyaxes that span no plane", "two different directions")
        return IDENTITY
    y = y / np.linalg.norm(y)
    return tuple(float(value) for value in quaternion_from_matrix(np.column_stack([x, y, np.cross(x, y)])))
