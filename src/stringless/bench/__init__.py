"""Benchmarks: what we promise about speed and memory, measured beside other programs in the same run.

To add one: write its file with `measure(options)` for its rows and `claims(rows)` for what we promise, and name it in `BENCHES`.
"""

import importlib.metadata
import os
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stringless.bench import adaptive, directing, dynamics, editing, flesh, stiff, studio, timeline
from stringless.bench.harness import Options, Report, Row, limit_threads
from stringless.bench.peers import PEERS, choose
from stringless.bench.peers.base import Peer
from stringless.errors import InputError


@dataclass(frozen=True)
class Bench:
    """A benchmark in the list."""

    name: str
    description: str
    measure: Callable[[Options], Iterable[Row]]
    claims: Callable[[Sequence[Row]], Iterable[Row]]


BENCHES: dict[str, Bench] = {
    module.__name__.rsplit(".", 1)[1]: Bench(
        module.__name__.rsplit(".", 1)[1], description, module.measure, module.claims
    )
    for module, description in (
        (adaptive, "steps in which few joints move, a long pendulum and a crowd"),
        (dynamics, "forward dynamics and its derivatives, humanoid and chains"),
        (directing, "steps with Cartesian control against prescribed joints; how calm and close drags are"),
        (editing, "iterations of an edit of chains, with the columns of all that may change"),
        (flesh, "steps of the fleshed characters, selective diagonalization, size"),
        (stiff, "implicit steps of chains with stiff joints and limits, and of a hand"),
        (studio, "frames delivered and input to frame, through a real socket"),
        (timeline, "recording, seeking in an hour, size of the file, looking ahead"),
    )
}


def run(
    name: str, *, quick: bool = False, against: Sequence[str] = (), report: Report = lambda text: None
) -> dict[str, Any]:
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
    limit_threads()
    for each in sorted(BENCHES) if name == "all" else [name]:
        rows = list(BENCHES[each].measure(options))
        mark = {"bench": each} if name == "all" else {}
        document["rows"] += [mark | row for row in rows]
        document["claims"] += [mark | claim for claim in BENCHES[each].claims(rows)]
    return document


def describe_machine(peers: Sequence[Peer]) -> dict[str, Any]:
    """Processor, interpreter, our compiler, and the version of every peer (None where it is not installed)."""
    return {
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": importlib.metadata.version("numpy"),
        "numba": importlib.metadata.version("numba"),
        "peers": {peer.name: peer.available() for peer in peers},
    }


def cpu_name() -> str:
    """The processor's own name for itself, or what the platform calls it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


__all__ = ["BENCHES", "PEERS", "Bench", "run"]
