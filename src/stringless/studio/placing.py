"""Bodies as they stand in their parents: what frames tell where most joints are held, without forming the poses of all."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from stringless.kinematics import kernels_places
from stringless.kinematics.bodies import run_motions, total_motion
from stringless.model.model import Model
from stringless.studio.frames import Places

Floats = NDArray[np.float64]
CENTER_EVERY = 0.1
"""How often the centre of gravity is worked out anew, which needs all bodies; in between it goes on as it went [s]."""


class Placer:
    """Knows where bodies stood in their parents, and finds those that have moved."""

    def __init__(self, model: Model) -> None:
        """Nothing was looked at yet."""
        self.model = model
        self._q = np.zeros(model.nq)
        self._places = np.zeros((model.body_count, 7), dtype=np.float32)
        self._since = np.zeros(model.body_count, dtype=np.uint32)
        self._looks = 0
        self._center = np.zeros(6)
        self._moment, self._worked_out = -np.inf, -np.inf

    def look(self, q: Floats) -> Places:
        """Where bodies are at a configuration; those whose joint has moved since the last look are marked with this one."""
        self._looks += 1
        kernels_places.place_moved(self.model.tree, q, self._looks, self._q, self._places, self._since)
        return Places(self._looks, self._places.copy(), self._since.copy())

    def center(self, moment: float, q: Floats, v: Floats, *, running: bool) -> Floats:
        """Position and velocity of the centre of gravity at a moment, (6,): exact if time stands still."""
        passed, now = moment - self._moment, time.perf_counter()
        if running and 0.0 <= passed < CENTER_EVERY and now - self._worked_out < CENTER_EVERY:
            return np.concatenate([self._center[:3] + passed * self._center[3:], self._center[3:]])
        sums = total_motion(self.model, run_motions(self.model, q, v), np.zeros(3))
        self._center = sums[1:7] / sums[0] if sums[0] > 0 else np.zeros(6)
        self._moment, self._worked_out = moment, now
        return self._center.copy()
