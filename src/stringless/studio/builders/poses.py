"""Where the bodies of a model are: quaternions of their rotations, and their places in their parents."""

import time

import numpy as np
from scipy.spatial.transform import Rotation

from stringless.kinematics import kernels
from stringless.kinematics.bodies import run_motions, total_motion
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray
from stringless.studio.frames import Places

CENTER_EVERY = 0.1
"""How often the centre of gravity is computed, which needs all bodies; in between it is extrapolated [s]."""
HALF_TURN = 1e-2
"""4 w² of a quaternion below which w is too small to find the others from: within 6 degrees of half a turn."""


class PlaceTracker:
    """Finds the bodies that have moved in their parents, without computing the poses of all."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._q = np.zeros(model.nq)
        self._places = np.zeros((model.body_count, 7), dtype=np.float32)
        self._since = np.zeros(model.body_count, dtype=np.uint32)
        self._looks = 0
        self._center = np.zeros(6)
        self._time, self._computed = -np.inf, -np.inf

    def find_places(self, q: FloatArray) -> Places:
        """Places at a configuration; bodies whose joint has moved since the last call are marked with this one."""
        self._looks += 1
        kernels.update_poses(self.model.tree, q, self._looks, self._q, self._places, self._since)
        return Places(self._looks, self._places.copy(), self._since.copy())

    def find_center(self, at: float, q: FloatArray, v: FloatArray, *, running: bool) -> FloatArray:
        """Position and velocity of the centre of gravity at a time, (6,): exact if time stands still."""
        passed, now = at - self._time, time.perf_counter()
        if running and 0.0 <= passed < CENTER_EVERY and now - self._computed < CENTER_EVERY:
            return np.concatenate([self._center[:3] + passed * self._center[3:], self._center[3:]])
        sums = total_motion(self.model, run_motions(self.model, q, v), np.zeros(3))
        self._center = sums[1:7] / sums[0] if sums[0] > 0 else np.zeros(6)
        self._time, self._computed = at, now
        return self._center.copy()


def find_quaternions(rotations: FloatArray) -> FloatArray:
    """Quaternions x, y, z, w of rotations, shape (n, 4): from w where it is not small, else from the largest component."""
    m = [[np.ascontiguousarray(rotations[:, i, j]) for j in range(3)] for i in range(3)]
    square = 1.0 + m[0][0] + m[1][1] + m[2][2]  # 4 w²
    turned = np.flatnonzero(square < HALF_TURN)
    square[turned] = 1.0
    w = 0.5 * np.sqrt(square)
    share = 0.25 / w
    found = np.empty((len(rotations), 4))
    for k, (i, j) in enumerate(((2, 1), (0, 2), (1, 0))):
        np.multiply(m[i][j] - m[j][i], share, out=found[:, k])
    found[:, 3] = w
    if len(turned):
        found[turned] = Rotation.from_matrix(rotations[turned]).as_quat()
    return found
