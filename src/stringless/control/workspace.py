"""Scratch and results of directing, allocated once per simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from stringless import jit
from stringless.control.characters import Character
from stringless.control.kernels_quadratic import BOUND_ROW
from stringless.control.records import (
    BoundTables,
    DirectorWork,
    GroundWork,
    MomentumWork,
    SolverWork,
    StyleWork,
    TaskRows,
)
from stringless.control.tables import MOMENTUM, REPORT_ROW, SUPPORT_POINTS
from stringless.dynamics.kernels_commands import make_command_response
from stringless.model.model import Model
from stringless.state.scratch import BODY_WORK, DOF_WORK

TASK_ROWS = 96
"""Rows of `A x = b` that one character's goals may make together, besides poses."""
MOST_POSES = 8
"""Poses that may be wanted at once."""


class DirectorWorkspace:
    """Scratch for the kernels of `control`, and what they report."""

    def __init__(self, model: Model, characters: tuple[Character, ...]) -> None:
        """Allocate for the largest character."""
        nv, bodies = max(model.nv, 1), model.body_count
        most = max((len(character.actuators) for character in characters), default=0)
        unknowns = most + 3 * SUPPORT_POINTS
        rows = TASK_ROWS + MOST_POSES * most
        bounds = 2 * len(model.limits) + 2 * most + 5 * SUPPORT_POINTS
        self.work = DirectorWork(
            response=make_command_response(bodies, nv, most),
            bias=np.zeros((bodies, 6)),
            ground=_ground_work(bodies, nv, unknowns),
            style=StyleWork(np.zeros(nv), np.zeros(most), np.zeros((3, nv)), np.zeros(unknowns)),
            bounds=BoundTables(np.zeros((bounds, unknowns)), jit.rows(bounds, BOUND_ROW)),
            rows=_task_rows(nv, rows, unknowns),
            solver=solver_work(rows, unknowns),
            momentum=_momentum_work(bodies, nv, len(characters)),
            x=np.zeros(unknowns),
            tau=np.zeros(most),
            held=np.zeros(max(len(model.limits), 1), dtype=np.int64),
        )
        self.residual = np.zeros((len(characters), rows))
        """What every row of the goals lacks, by character."""
        self.report: Any = jit.rows(len(characters), REPORT_ROW)
        """What the last steps came to, by character."""


def solver_work(rows: int, unknowns: int) -> SolverWork:
    """Scratch to solve levels of so many rows together."""
    square, wide = (unknowns, unknowns), max(rows, unknowns) + 1
    return SolverWork(
        H=np.zeros(square),
        J=np.zeros(square),
        R=np.zeros(square),
        d=np.zeros(wide),
        z=np.zeros(wide),
        s=np.zeros(wide),
        u=np.zeros(wide),
        normal=np.zeros(wide),
        missing=np.zeros(wide),
        active=np.zeros((unknowns + 1, 2), dtype=np.int64),
        F=np.zeros((rows, unknowns)),
        e=np.zeros(wide),
        N=np.zeros(square),
        w=np.zeros(wide),
        x0=np.zeros(wide),
        y=np.zeros(wide),
    )


def _task_rows(coordinates: int, rows: int, unknowns: int) -> TaskRows:
    return TaskRows(
        A=np.zeros((rows, unknowns)),
        b=np.zeros(rows),
        scale=np.zeros(rows),
        ends=np.zeros(rows, dtype=np.int64),
        J=np.zeros((3, coordinates)),
        error=np.zeros(coordinates),
        reach=np.zeros(coordinates),
    )


def _ground_work(bodies: int, coordinates: int, unknowns: int) -> GroundWork:
    return GroundWork(
        inertia=np.zeros((bodies, 10)),
        P=np.zeros((3, coordinates)),
        L=np.zeros((3, coordinates)),
        center=np.zeros(6),
        load=np.zeros(6),
        M=np.zeros((6, 6)),
        right=np.zeros(6),
        points=np.zeros((SUPPORT_POINTS, 12)),
        D=np.zeros((coordinates, unknowns)),
        qdd0=np.zeros(coordinates),
    )


def _momentum_work(bodies: int, coordinates: int, characters: int) -> MomentumWork:
    return MomentumWork(
        bodies=jit.rows(bodies, BODY_WORK),
        dofs=jit.rows(coordinates, DOF_WORK),
        before=np.zeros((characters, MOMENTUM)),
        load=np.zeros((characters, 6)),
        after=np.zeros(MOMENTUM),
        M=np.zeros((3, 3)),
        right=np.zeros(3),
    )
