"""Benchmarks: what we promise about speed and memory, measured beside other programs in the same run.

To add one: write its file with a function `measure(options) -> Measured`, and name it in `BENCHES`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from stringless.bench import adaptive, directing, dynamics, editing, flesh, stiff, studio, timeline
from stringless.bench.machine import describe_machine
from stringless.bench.options import Measured, Options, Report, be_quiet
from stringless.bench.peers import PEERS, choose
from stringless.errors import InputError


@dataclass(frozen=True)
class Bench:
    """A benchmark in the list."""

    name: str
    description: str
    measure: Callable[[Options], Measured]


BENCHES: dict[str, Bench] = {
    bench.name: bench
    for bench in (
        Bench("adaptive", "steps in which few joints move, a long pendulum and a crowd", adaptive.measure),
        Bench("dynamics", "forward dynamics and its derivatives, humanoid and chains", dynamics.measure),
        Bench("directing", "steps with Cartesian control against prescribed joints", directing.measure),
        Bench("editing", "iterations of an edit of chains, with the columns of all that may change", editing.measure),
        Bench("flesh", "steps of the fleshed characters, selective diagonalization, size", flesh.measure),
        Bench("stiff", "implicit steps of chains with stiff joints and limits, and of a hand", stiff.measure),
        Bench("studio", "frames delivered and input to frame, through a real socket", studio.measure),
        Bench("timeline", "recording, seeking in an hour, size of the file, looking ahead", timeline.measure),
    )
}


def run(name: str, *, quick: bool = False, against: Sequence[str] = (), report: Report = be_quiet) -> dict[str, Any]:
    """Run benchmark `name`, or every one for `all`, and return `{"bench", "machine", "rows", "claims"}`.

    Args:
        name: One of `BENCHES`, or `all`.
        quick: Fewer repeats and sizes: within 30 s after compilation.
        against: Names of the peers to measure beside us; empty means every one we know.
        report: Is told what is being measured.
    """
    if name != "all" and name not in BENCHES:
        raise InputError(f"there is no benchmark '{name}'; there are: all, {', '.join(sorted(BENCHES))}")
    options = Options(quick=quick, peers=choose(against), report=report)
    document: dict[str, Any] = {"bench": name, "machine": describe_machine(options.peers), "rows": [], "claims": []}
    for each in sorted(BENCHES) if name == "all" else [name]:
        measured = BENCHES[each].measure(options)
        mark = {"bench": each} if name == "all" else {}
        document["rows"] += [{**mark, **row} for row in measured.rows]
        document["claims"] += [{**mark, **claim} for claim in measured.claims]
    return document


__all__ = ["BENCHES", "PEERS", "Bench", "run"]
