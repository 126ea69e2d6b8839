"""Where the time of a step goes: the step again without its elements, then without contact too, then without nodes.

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

TOUCHING = ("obstacles", "probes", "meshes", "near", "landing", "regions", "members", "pairs", "triangles")
"""Tables of contact, as they stand in `FleshWorkspace.touching`."""
LEFT_OUT: dict[str, tuple[str, ...]] = {
    "whole step": (),
    "elastic": ("elements",),
    "self-contact": ("pairs",),
    "contact": ("vertices", "obstacles", "probes"),
    "nodes": ("nodes",),
}
"""What each variant does without, besides what the variants before it do without."""
REST = "skeleton"
"""What is left at the end: kinematics, dynamics and integration of the bones."""


def without(at: Situation, tables: tuple[str, ...]) -> Situation:
    """The same situation with empty tables in place of some."""
    sim: Simulation = copy.copy(at.sim)
    sim.engine, sim.state = at.sim.engine.copy(), at.start.copy()
    room = sim.engine.workspace
    assert room is not None
    for name in set(tables) - set(TOUCHING):
        setattr(room, name, getattr(room, name)[:0])
    room.touching = tuple(
        table[:0] if name in tables else table for name, table in zip(TOUCHING, room.touching, strict=True)
    )
    return Situation(sim, at.start)


def phases(at: Situation, seconds: float) -> list[Row]:
    """Time and share of elastic forces, contact, nodes (carrying, dampers, gathering, integration) and skeleton."""
    gone: tuple[str, ...] = ()
    variants: dict[str, Situation] = {}
    for name, tables in LEFT_OUT.items():
        gone += tables
        variants[name] = without(at, gone)
    times = best_times({name: variant.run for name, variant in variants.items()}, seconds)
    whole = times["whole step"]
    names = list(LEFT_OUT)
    rows = [phase(name, times[before] - times[name], whole) for before, name in itertools.pairwise(names)]
    return [*rows, phase(REST, times[names[-1]], whole)]


def phase(name: str, taken: float, whole: float) -> Row:
    """One row; noise may make a tiny phase negative."""
    return {"phase": name, "microseconds": 1e6 * max(taken, 0.0), "share": max(taken, 0.0) / whole}
