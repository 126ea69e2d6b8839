"""Where the time of a step goes: the step again without its elements, without contact, without nodes.

Phases are differences between whole steps of the same compiled code, so their sum is the step. A phase that the
processor would overlap with the next one gets less than it would take alone.
"""

from __future__ import annotations

import copy
import itertools

from stringless.bench.flesh_cases import Situation
from stringless.bench.options import Row
from stringless.bench.timing import best_times
from stringless.simulation import Simulation

LEFT_OUT: dict[str, tuple[str, ...]] = {
    "whole step": (),
    "elastic": ("elements",),
    "contact": ("elements", "vertices", "obstacles", "probes"),
    "nodes": ("elements", "vertices", "obstacles", "probes", "nodes"),
}
"""What each variant does without: one phase more than the variant before."""
REST = "skeleton"
"""What is left at the end: kinematics, dynamics and integration of the bones."""


def without(at: Situation, tables: tuple[str, ...]) -> Situation:
    """The same situation with empty tables in place of some."""
    sim: Simulation = copy.copy(at.sim)
    sim.workspace = copy.copy(at.sim.workspace)
    sim.state = at.start.copy()
    for name in tables:
        setattr(sim.workspace, name, getattr(sim.workspace, name)[:0])
    return Situation(sim, at.start)


def phases(at: Situation, seconds: float) -> list[Row]:
    """Time and share of elastic forces, contact, nodes (carrying, dampers, gathering, integration) and skeleton."""
    variants = {name: without(at, tables) for name, tables in LEFT_OUT.items()}
    times = best_times({name: variant.run for name, variant in variants.items()}, seconds)
    whole = times["whole step"]
    names = list(LEFT_OUT)
    rows = [phase(name, times[before] - times[name], whole) for before, name in itertools.pairwise(names)]
    return [*rows, phase(REST, times[names[-1]], whole)]


def phase(name: str, taken: float, whole: float) -> Row:
    """One row; noise may make a tiny phase negative."""
    return {"phase": name, "microseconds": 1e6 * max(taken, 0.0), "share": max(taken, 0.0) / whole}
