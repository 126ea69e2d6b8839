"""Room for the solver in maximal coordinates, allocated once per simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from stringless import jit
from stringless.engines.stiff.reference.kernels_blocks import GENERAL_BLOCKS, SYMMETRIC_BLOCKS, WIDTH
from stringless.engines.stiff.reference.kernels_pairs import PAIR_WORK, POSE_ROW
from stringless.model.model import Model


class MaximalTables:
    """Tables for one model: rows of bodies, pairs of joints, nodes and blocks of the linear system."""

    def __init__(self, model: Model, *, general: bool) -> None:
        """Allocate for `model`; `general` gives room for a system that is not symmetric."""
        count = model.body_count
        self.bodies = np.zeros((count, POSE_ROW))
        """Poses and velocities, as `pairs` describes them."""
        self.pairs: Any = jit.rows(count, PAIR_WORK)
        self.nodes = np.zeros((2 * count, 3), dtype=np.int64)
        self.blocks = np.zeros((2 * count, GENERAL_BLOCKS if general else SYMMETRIC_BLOCKS, WIDTH, WIDTH))
        self.pad = np.zeros((3, WIDTH, WIDTH))
        self.x = np.zeros((2 * count, WIDTH))
        """Right side, then solution: of body i the impulses of its joint at row 2 i, its velocity at 2 i + 1."""
        self.vector = np.zeros(model.nv)

    @property
    def work(self) -> tuple[Any, ...]:
        """What `run_bodies` and `solve_bodies` take as scratch, in their order."""
        return self.pairs, self.nodes, self.blocks, self.pad, self.x, self.vector
