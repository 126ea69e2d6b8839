"""Bends of a joint: the rotation that it can do nearest to the one that a hand wants."""

import numpy as np
from numpy.typing import ArrayLike

from stringless.kinematics.bodies import body_poses
from stringless.model.joints.ball import BALL
from stringless.model.model import Model
from stringless.model.pose import quaternion_from_matrix
from stringless.spatial import rotation
from stringless.spatial.arrays import FloatArray

STEPS = 12
"""Most iterations of Gauss-Newton; three to eight are usual."""
STARTS = (0.0, 0.5 * np.pi, -0.5 * np.pi, np.pi)
"""Initial coordinates; the best result counts."""
SMALL = 1e-6
"""Change of coordinates for finite differences, and below which the iteration ends [rad, m]."""


def find_nearest_bend(model: Model, body: str, wanted: FloatArray) -> FloatArray:
    """The rotation of a body in its parent nearest to a wanted one: least `|log(Rᵀ R_wanted)|` over its joint's coordinates.

    A body without a parent can have any rotation, and so can one on a ball joint.
    """
    joint = Joint(model, model.body(body).index)
    return wanted if joint.parent < 0 or joint.turning > 2 else joint.find_rotation(joint.find_nearest(wanted))


def find_nearest_coordinates(model: Model, body: str, wanted: FloatArray) -> FloatArray:
    """Coordinates of the joint of a body for which its rotation in its parent is nearest to a wanted one."""
    carried = model.body(body)
    if carried.joint.kind is BALL:
        return np.array(quaternion_from_matrix(carried.spec.place.matrix.T @ wanted))
    return Joint(model, carried.index).find_nearest(wanted)[carried.joint.q_slice]


class Joint:
    """The joint of one body."""

    def __init__(self, model: Model, index: int) -> None:
        self.model, self.index, self.parent = model, index, int(model.tree["parent"][index])
        self.own = model.joints[index].v_slice
        self.count = self.own.stop - self.own.start
        self.turning = sum(model.joints[index].kind.angular)

    def move(self, q: FloatArray, by: ArrayLike) -> FloatArray:
        """A configuration with other coordinates of this joint."""
        step = np.zeros(self.model.nv)
        step[self.own] = by
        return self.model.integrate(q, step)

    def find_rotation(self, q: FloatArray) -> FloatArray:
        """The rotation of the body in its parent."""
        turns = body_poses(self.model, q).rotation
        return turns[self.parent].T @ turns[self.index] if self.parent >= 0 else turns[self.index]

    def find_nearest(self, wanted: FloatArray) -> FloatArray:
        """The configuration in which the rotation is nearest to a wanted one."""
        ends = [self.iterate(wanted, start) for start in STARTS]
        return min(ends, key=lambda q: float(np.linalg.norm(_log(self.find_rotation(q).T @ wanted))))

    def iterate(self, wanted: FloatArray, start: float) -> FloatArray:
        """The configuration that Gauss-Newton finds from initial coordinates."""
        q = self.move(self.model.neutral(), start)
        for _ in range(STEPS):
            now = self.find_rotation(q)
            units = np.eye(self.count) * SMALL
            slopes = [_log(now.T @ self.find_rotation(self.move(q, unit))) / SMALL for unit in units]
            step = np.linalg.lstsq(np.reshape(slopes, (-1, 3)).T, _log(now.T @ wanted), rcond=None)[0]
            q = self.move(q, step)
            if np.abs(step).max(initial=0.0) < SMALL:
                break
        return q


def _log(turn: FloatArray) -> FloatArray:
    return np.array(rotation.log_quaternion(tuple(quaternion_from_matrix(turn))))
