"""Scratch and results of directing, allocated once per simulation."""

from __future__ import annotations

import functools
from typing import Any, TypeVar, get_type_hints

import numpy as np

from stringless import jit
from stringless.control.characters import Character
from stringless.control.records import DirectorWork, SolverWork
from stringless.control.tables import REPORT_ROW, SUPPORT_POINTS
from stringless.dynamics.kernels_commands import make_command_response
from stringless.model.model import Model

Record = TypeVar("Record")
TASK_ROWS = 96
"""Rows of `A x = b` that one character's goals may make together, besides poses."""
MOST_POSES = 8
"""Poses that may be wanted at once."""


class DirectorWorkspace:
    """Scratch for the kernels of `control`, and what they report."""

    def __init__(self, model: Model, characters: tuple[Character, ...]) -> None:
        """Allocate for the largest character."""
        nv, bodies, limits = max(model.nv, 1), model.body_count, len(model.limits)
        columns = max((len(character.actuators) for character in characters), default=0)
        unknowns, rows = columns + 3 * SUPPORT_POINTS, TASK_ROWS + MOST_POSES * columns
        self.work = allocate(
            DirectorWork,
            {"nv": nv, "bodies": bodies, "limits": max(limits, 1), "characters": len(characters), "columns": columns}
            | {"bounds": 2 * limits + 2 * columns + 5 * SUPPORT_POINTS, **solver_sizes(rows, unknowns)},
            response=make_command_response(bodies, nv, columns),
        )
        self.residual = np.zeros((len(characters), rows))
        """What every row of the goals lacks, by character."""
        self.report: Any = jit.rows(len(characters), REPORT_ROW)
        """What the last steps came to, by character."""


def solver_sizes(rows: int, unknowns: int) -> dict[str, int]:
    """Sizes of what solves levels of so many rows together."""
    return {"rows": rows, "unknowns": unknowns, "wide": max(rows, unknowns) + 1, "active": unknowns + 1}


def solver_work(rows: int, unknowns: int) -> SolverWork:
    """Scratch to solve levels of so many rows together."""
    return allocate(SolverWork, solver_sizes(rows, unknowns))


def allocate(record: type[Record], sizes: dict[str, int], **given: Any) -> Record:
    """A record of zeros, and of records, in the shapes that its annotations name; `given` fields are taken as they are."""
    hints = _hints(record)
    for name in hints.keys() - given.keys():
        shape: list[Any] = [sizes.get(part, part) for part in getattr(hints[name], "__metadata__", ())]
        if not shape:
            given[name] = allocate(hints[name], sizes)
        elif isinstance(shape[-1], np.dtype):
            given[name] = jit.rows(*shape)
        else:
            kind = np.int64 if shape[-1] is int else np.float64
            given[name] = np.zeros([part for part in shape if part is not int], kind)
    return record(**given)


@functools.cache
def _hints(record: type[Any]) -> dict[str, Any]:
    """Annotations of a record; looking them up takes longer than the allocation."""
    return get_type_hints(record, include_extras=True)
