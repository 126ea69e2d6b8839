"""Room that directing needs during a step, allocated once per simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from stringless import jit
from stringless.control.characters import Character
from stringless.control.kernels_quadratic import BOUND_ROW
from stringless.control.records import DirectorWork
from stringless.control.tables import FOOTHOLDS, REPORT_ROW
from stringless.model.model import Model
from stringless.state.scratch import BODY_WORK, DOF_WORK

TASK_ROWS = 96
"""Rows of `A x = b` that one character's goals may make together, besides poses."""


class Stage:
    """Scratch for the kernels of `control`."""

    def __init__(self, model: Model, cast: tuple[Character, ...]) -> None:
        """Allocate for the largest character."""
        nv, bodies = max(model.nv, 1), model.body_count
        most = max((len(actor.actuators) for actor in cast), default=0)
        unknowns = most + 3 * FOOTHOLDS
        self.rows = TASK_ROWS + 8 * most
        bounds = 2 * len(model.limits) + 2 * most + 5 * FOOTHOLDS
        wide = max(unknowns, self.rows)
        self.bodies: Any = jit.rows(bodies, BODY_WORK)
        self.dofs: Any = jit.rows(nv, DOF_WORK)
        self.force, self.A = np.zeros((bodies, 6, most)), np.zeros((bodies, 6, most))
        self.bias = np.zeros((bodies, 6))
        self.T, self.true = np.zeros((nv, most)), np.zeros((nv, most))
        self.D = np.zeros((nv, unknowns))
        self.whole = np.zeros((bodies, 10))
        self.momentum, self.moment = np.zeros((3, nv)), np.zeros((3, nv))
        self.J = np.zeros((3, nv))
        self.footholds = np.zeros((FOOTHOLDS, 12))
        self.tasks = np.zeros((self.rows, unknowns))
        self.scalars = np.zeros((10, max(wide, nv, 16)))
        self.G = np.zeros((bounds, unknowns))
        self.bounds: Any = jit.rows(bounds, BOUND_ROW)
        self.work = np.zeros((7, wide, unknowns))
        self.vectors = np.zeros((9, 2 * max(wide, 16)))
        self.active = np.zeros((unknowns + 1, 2), dtype=np.int64)
        self.levels = np.zeros(self.rows, dtype=np.int64)
        self.held = np.zeros(max(len(model.limits), 1), dtype=np.int64)
        self.account = np.zeros((max(len(cast), 1), 3, 16))
        self.residual = np.zeros((len(cast), self.rows))
        self.report: Any = jit.rows(len(cast), REPORT_ROW)

    @property
    def scratch(self) -> DirectorWork:
        """All of it, as kernels take it."""
        return DirectorWork(
            bodies=self.bodies,
            dofs=self.dofs,
            force=self.force,
            A=self.A,
            bias=self.bias,
            T=self.T,
            D=self.D,
            true=self.true,
            whole=self.whole,
            momentum=self.momentum,
            moment=self.moment,
            J=self.J,
            footholds=self.footholds,
            tasks=self.tasks,
            scalars=self.scalars,
            G=self.G,
            bounds=self.bounds,
            work=self.work,
            vectors=self.vectors,
            active=self.active,
            levels=self.levels,
            held=self.held,
            account=self.account,
        )
