"""How a joint can be bent: the nearest turn, to one that a hand wants, that the joint itself can do."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stringless.kinematics.bodies import body_poses
from stringless.model.joints.ball import BALL
from stringless.model.model import Model
from stringless.model.pose import quaternion_from_matrix
from stringless.spatial import rotation

Floats = NDArray[np.float64]
STEPS = 12
"""Of Gauss and Newton at most; they end within three to eight."""
STARTS = (0.0, 0.5 * np.pi, -0.5 * np.pi, np.pi)
"""Coordinates to begin with, of which the best end counts."""
SMALL = 1e-6
"""A change of coordinates by which slopes are found, and that is as good as none [rad, m]."""


def nearest_bend(model: Model, body: str, wanted: Floats) -> Floats:
    """The turn of a body in its parent nearest to a wanted one: least `|log(Rᵀ R_wanted)|` over its joint's coordinates.

    A body without a parent can be turned as one likes, and so can one on a ball.
    """
    joint = Joint(model, model.body(body).index)
    return wanted if joint.parent < 0 or joint.count > 2 else joint.turn(joint.nearest(wanted))


def nearest_coordinates(model: Model, body: str, wanted: Floats) -> Floats:
    """Coordinates of the joint that carries a body, with which its turn in its parent is nearest to a wanted one."""
    carried = model.body(body)
    if carried.joint.kind is BALL:
        return np.array(quaternion_from_matrix(carried.spec.place.matrix.T @ wanted))
    return Joint(model, carried.index).nearest(wanted)[carried.joint.q_slice]


class Joint:
    """The joint that carries a body, alone."""

    def __init__(self, model: Model, index: int) -> None:
        """Look it up."""
        self.model, self.index, self.parent = model, index, int(model.tree["parent"][index])
        self.own = model.joints[index].v_slice
        self.count = self.own.stop - self.own.start

    def moved(self, q: Floats, by: ArrayLike) -> Floats:
        """A configuration with other coordinates of this joint."""
        step = np.zeros(self.model.nv)
        step[self.own] = by
        return self.model.integrate(q, step)

    def turn(self, q: Floats) -> Floats:
        """How the body is turned in its parent."""
        turns = body_poses(self.model, q).rotation
        return turns[self.parent].T @ turns[self.index] if self.parent >= 0 else turns[self.index]

    def nearest(self, wanted: Floats) -> Floats:
        """The configuration in which the turn is nearest to a wanted one."""
        ends = [self.led_to(wanted, start) for start in STARTS]
        return min(ends, key=lambda q: float(np.linalg.norm(_log(self.turn(q).T @ wanted))))

    def led_to(self, wanted: Floats, start: float) -> Floats:
        """The configuration that Gauss and Newton find from a start."""
        q = self.moved(self.model.neutral(), start)
        for _ in range(STEPS):
            now = self.turn(q)
            units = np.eye(self.count) * SMALL
            slopes = [_log(now.T @ self.turn(self.moved(q, unit))) / SMALL for unit in units]
            step = np.linalg.lstsq(np.reshape(slopes, (-1, 3)).T, _log(now.T @ wanted), rcond=None)[0]
            q = self.moved(q, step)
            if np.abs(step).max(initial=0.0) < SMALL:
                break
        return q


def _log(turn: Floats) -> Floats:
    return np.array(rotation.log_quaternion(tuple(quaternion_from_matrix(turn))))
