"""A fixed place of one frame in another: position and unit quaternion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from stringless.errors import InputError
from stringless.spatial.arrays import FloatArray

Vector = tuple[float, ...]


@dataclass(frozen=True)
class Pose:
    """`X_AB`: where frame B sits in frame A."""

    position: Vector = (0.0, 0.0, 0.0)
    """Origin of B in A [m]."""
    rotation: Vector = (0.0, 0.0, 0.0, 1.0)
    """Unit quaternion x, y, z, w that turns B's axes into A's."""

    def __post_init__(self) -> None:
        """Keep plain tuples of numbers, whatever was given."""
        object.__setattr__(self, "position", numbers(self.position, "position"))
        object.__setattr__(self, "rotation", numbers(self.rotation, "rotation"))

    @property
    def matrix(self) -> FloatArray:
        """`R_AB`, the rotation as a 3 by 3 matrix."""
        return rotation_matrix(self.rotation)

    def __matmul__(self, other: Pose) -> Pose:
        """Compose: `X_AC = X_AB @ X_BC`."""
        position = np.asarray(self.position) + self.matrix @ np.asarray(other.position)
        return Pose(floats(position), floats(multiply_quaternions(self.rotation, other.rotation)))

    def inverse(self) -> Pose:
        """`X_BA`."""
        x, y, z, w = self.rotation
        back = Pose(rotation=(-x, -y, -z, w))
        return Pose(floats(-(back.matrix @ np.asarray(self.position))), back.rotation)

    def apply(self, point: Vector) -> Vector:
        """Coordinates in A of a point given in B."""
        return floats(np.asarray(self.position) + self.matrix @ np.asarray(point))

    @classmethod
    def from_matrix(cls, rotation: FloatArray, position: Vector = (0.0, 0.0, 0.0)) -> Self:
        """Build from a rotation matrix."""
        return cls(floats(position), floats(quaternion_from_matrix(rotation)))


def numbers(values: object, what: str) -> Vector:
    """A plain tuple of floats from one number, a sequence or an array."""
    try:
        return floats(values)
    except (TypeError, ValueError):
        raise InputError(f"{what} is {values!r}; expected a number or a sequence of numbers") from None


def floats(values: object) -> Vector:
    """A plain tuple of floats from an array or a sequence."""
    return tuple(float(value) for value in np.asarray(values).ravel())


def rotation_matrix(quaternion: Vector) -> FloatArray:
    """Turn a unit quaternion x, y, z, w into a matrix."""
    x, y, z, w = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_from_matrix(rotation: FloatArray) -> FloatArray:
    """Turn a rotation matrix into a unit quaternion x, y, z, w with w >= 0.

    Takes the largest of the four components first, so that no small number is divided by.
    """
    m = np.asarray(rotation)
    trace = float(np.trace(m))
    squares = np.array([1 + 2 * m[0, 0] - trace, 1 + 2 * m[1, 1] - trace, 1 + 2 * m[2, 2] - trace, 1 + trace])
    largest = int(np.argmax(squares))
    if largest == 3:
        q = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], squares[3]])
    else:
        i, j, k = largest, (largest + 1) % 3, (largest + 2) % 3
        q = np.zeros(4)
        q[i] = squares[largest]
        q[j] = m[j, i] + m[i, j]
        q[k] = m[k, i] + m[i, k]
        q[3] = m[k, j] - m[j, k]
    q /= np.linalg.norm(q)
    return q if q[3] >= 0 else -q


def multiply_quaternions(a: Vector, b: Vector) -> FloatArray:
    """Compose two rotations, x, y, z, w: first `b`, then `a`."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return np.array(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ]
    )
