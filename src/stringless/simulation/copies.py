"""Copies of a simulation: beside it, or from a file."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from stringless.engines import ENGINES
from stringless.errors import StringlessWarning
from stringless.simulation.runs import WarningLog

if TYPE_CHECKING:
    from stringless.simulation.simulation import Simulation

MADE_AGAIN = ("recorder", "engine")
"""What a copy from a file makes for itself: its own record, and tables and scratch."""


def fork(sim: Simulation) -> Simulation:
    """An independent copy at the present state, with the same parameters, commands and goals; the model is shared."""
    other = object.__new__(type(sim))
    other.__dict__.update(sim.__dict__)
    other.__dict__["recorder"] = None  # what is only tried is not recorded
    other.warning_log = WarningLog(set(sim.warning_log.topics), sim.warning_log.checked)
    other.state = sim.state.copy()
    other.controls = sim.controls.copy_for(other.state)
    other.engine = sim.engine.copy()
    other.parameter_set = sim.parameter_set.copy()
    return other


def fork_with_record(sim: Simulation, memo: dict[int, Any]) -> Simulation:
    """A fork that begins a record of its own; the model never changes and is shared."""
    other = sim.fork()
    del other.__dict__["recorder"]
    return other


def list_fields(sim: Simulation, /) -> dict[str, Any]:
    """Everything but the record, tables and scratch."""
    return {name: value for name, value in sim.__dict__.items() if name not in MADE_AGAIN}


def load_fields(sim: Simulation, fields: dict[str, Any]) -> None:
    """Go on where another one was."""
    sim.__dict__.update(fields)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StringlessWarning)  # what is wrong with its meshes was said before
        sim.engine = ENGINES[sim.config.engine](sim.scene, sim.setup)
    if sim.has_director:
        sim.engine.prepare_goals()
