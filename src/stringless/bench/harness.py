"""What all benchmarks share: how to measure, in turns and best of many; rows, and figures that we promise beside them.

Everybody's turns are interleaved, so that a busy machine is unfair to all alike. One thread: what is measured runs in the
calling one. Peers that would start threads of their own (through BLAS or OpenMP) take their number from the environment when
they are imported: `limit_threads` comes first.
"""

import itertools
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stringless.bench.peers.base import Peer, UnsupportedError

Row = dict[str, Any]
Report = Callable[[str], None]
Repeat = Callable[[int], object]
"""Do the work this many times. If it has a method `ready`, that is called before every turn and does not count."""

TURN = 1e-3
"""How long one turn is meant to take [s]: short enough to fit between two interruptions."""
LEAST_TURNS = 3
FINE = 1e-6
"""Resolution that a clock needs [s]."""
NO_ROW = "there is no such row"


@dataclass(frozen=True, kw_only=True)
class Options:
    """How to measure."""

    quick: bool = False
    """Fewer repeats and sizes: within 30 s after compilation."""
    peers: Sequence[Peer] = ()
    """The programs to measure beside us, installed or not."""
    report: Report = lambda text: None
    """Is told what is being measured."""


# --- turns ------------------------------------------------------------------------------------------------------------


def processor_clock() -> Callable[[], float]:
    """Time that this thread has had a processor, for turns too long to fit between two interruptions.

    Where that clock is too coarse, it is the usual one.
    """
    return time.thread_time if time.get_clock_info("thread_time").resolution <= FINE else time.perf_counter


def limit_threads() -> None:
    """Ask libraries that are not loaded yet to use one thread, unless the user has asked for something else."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(name, "1")


def repeated(call: Callable[[], object]) -> Repeat:
    """Call from Python, over and over."""

    def repeat(count: int) -> None:
        for _ in itertools.repeat(None, count):
            call()

    return repeat


class Loop:
    """Steps from a state, going back there after every `window` of them; before every call too, if told so."""

    def __init__(
        self, step: Callable[[int], object], back: Callable[[], object], window: int, *, afresh: bool = False
    ) -> None:
        self.step, self.back, self.window, self.afresh = step, back, window, afresh
        self.done = 0

    def __call__(self, count: int) -> None:
        """Do `count` steps."""
        if self.afresh:
            self.done = self.window
        while count > 0:
            if self.done == self.window:
                self.back()
                self.done = 0
            some = min(count, self.window - self.done)
            self.step(some)
            self.done += some
            count -= some


def best_times(
    contestants: Mapping[str, Repeat],
    seconds: float,
    *,
    turn: float = TURN,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Shortest time for one piece of work [s] of every contestant, in about `seconds` for each of them.

    Each has three turns at least, however long they take; `turn` is how long one is meant to be [s],
    by `clock`.
    """
    best = {name: _once(repeat, turn, clock) for name, repeat in contestants.items()}
    started = time.perf_counter()
    for number in itertools.count():
        if number >= LEAST_TURNS and time.perf_counter() - started > seconds * len(contestants):
            break
        for name, repeat in contestants.items():
            best[name] = min(best[name], _timed(repeat, max(1, int(turn / best[name])), clock))
    return best


def _once(repeat: Repeat, turn: float, clock: Callable[[], float]) -> float:
    """Warm up, then take the time of one piece of work from a turn long enough for the clock."""
    _timed(repeat, 1, clock)
    count = 1
    while True:
        taken = _timed(repeat, count, clock)
        if taken * count > turn / 10:
            return taken
        count *= 4


def _timed(repeat: Repeat, count: int, clock: Callable[[], float]) -> float:
    ready = getattr(repeat, "ready", None)
    if ready is not None:
        ready()
    start = clock()
    repeat(count)
    return (clock() - start) / count


def parts(variants: Mapping[str, Repeat], seconds: float, rest: str = "") -> tuple[float, dict[str, float]]:
    """Time of the first variant, and what each of the others takes less than the one before it, by the name of the others [s].

    They do without more and more; what the last one still takes is called `rest`, if it has a name. Noise may make a tiny part
    negative: it counts as none.
    """
    times = best_times(variants, seconds)
    found = {name: max(times[before] - times[name], 0.0) for before, name in itertools.pairwise(times)}
    whole, last = (list(times.values())[k] for k in (0, -1))
    return whole, found | ({rest: last} if rest else {})


# --- contests ---------------------------------------------------------------------------------------------------------


@dataclass
class Contest:
    """Ways to do the same work, to be timed in turns: a row for each, also for one that cannot take part."""

    head: Row
    """What all rows have in common."""
    works: dict[str, Repeat] = field(default_factory=dict[str, Repeat])
    facts: dict[str, Row] = field(default_factory=dict[str, Row])
    pieces: dict[str, float] = field(default_factory=dict[str, float])

    def enter(self, key: str, work: Repeat | str, *, pieces: float = 1, **facts: Any) -> None:
        """Let `work` take part; a text says why it does not. It does so many `pieces` of what is timed at once.

        The program is called `key` if `facts` do not say otherwise.
        """
        self.facts[key] = {"program": key, **facts}
        if isinstance(work, str):
            self.facts[key]["note"] = work
        else:
            self.works[key], self.pieces[key] = work, pieces

    def rows(self, seconds: float, ratios: Mapping[str, str] | None = None, **how: Any) -> list[Row]:
        """Time them; `ratios` names numbers to add, and whose time is divided by each one's for it."""
        taken = {key: 1e6 * time / self.pieces[key] for key, time in best_times(self.works, seconds, **how).items()}
        rows: list[Row] = []
        for key, facts in self.facts.items():
            row = self.head | facts
            if key in taken:
                row["microseconds"] = taken[key]
                row |= {name: taken[one] / taken[key] for name, one in (ratios or {}).items() if one in taken}
            rows.append(row)
        return rows


def rebuild(peer: Peer, build: Callable[[], Any], *reasons: str, name: str = "") -> Any:
    """What a peer makes of something of ours; a text if it makes nothing of it, for one of `reasons` or one of its own."""
    if peer.available() is None:
        return f"missing: install {peer.package}"
    for reason in filter(None, reasons):
        return f"skipped: {reason}"
    try:
        return build()
    except UnsupportedError as error:
        return f"skipped: {name or peer.name} {error}"


def difference(theirs: Any, ours: Any) -> float:
    """The largest, relative to the largest number of ours."""
    return float(np.max(np.abs(np.asarray(theirs) - ours)) / max(np.max(np.abs(ours)), np.finfo(float).tiny))


# --- claims -----------------------------------------------------------------------------------------------------------


def at_most(claim: str, limit: float, value: float | None, why_not: str = "") -> Row:
    """A claim that `value` is no larger than `limit`. What was not measured does not hold; `why_not` says why."""
    return _claim(claim, value, limit, value is not None and math.isfinite(value) and value <= limit, why_not)


def at_least(claim: str, limit: float, value: float | None, why_not: str = "") -> Row:
    """A claim that `value` is no smaller than `limit`."""
    return _claim(claim, value, limit, value is not None and math.isfinite(value) and value >= limit, why_not)


def _claim(claim: str, value: float | None, limit: float, holds: bool, why_not: str) -> Row:
    note = {"note": f"not measured: {why_not}"} if value is None else {}
    return {"claim": claim, "value": value, "limit": limit, "holds": holds, **note}


def find(rows: Sequence[Row], **keys: Any) -> Row | None:
    """The row with these entries."""
    return next((row for row in rows if keys.items() <= row.items()), None)


def figure(rows: Sequence[Row], key: str, **keys: Any) -> tuple[float | None, str]:
    """One number of the row with these entries, and why there is none."""
    row = find(rows, **keys)
    return (None, NO_ROW) if row is None else (row.get(key), row.get("note", ""))
