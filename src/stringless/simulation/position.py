"""Where on record a simulation is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stringless.errors import renamed
from stringless.timeline.chunk import Frame

if TYPE_CHECKING:
    from stringless.simulation.simulation import Simulation

SOON = 1e-6
"""Share of a step by which times may be off."""


class Position(NamedTuple):
    """A time on record: branch, steps since the beginning of the take, time; no branch while nothing was recorded."""

    branch: int | None
    step: int
    time: float
    lane = renamed("lane", "branch")


def matches_frame(sim: Simulation, frame: Frame) -> bool:
    """Whether a frame is of exactly this state."""
    return sim.time == frame.time and np.array_equal(sim.q, frame.q) and np.array_equal(sim.v, frame.v)
