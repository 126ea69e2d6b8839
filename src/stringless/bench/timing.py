"""Best of many, with everybody's turns interleaved, so that a busy machine is unfair to all alike.

One thread: what is measured runs in the calling one. Peers that would start threads of their own (through BLAS or
OpenMP) take their number from the environment when they are imported: `limit_threads` comes first.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Mapping
from typing import Protocol

Repeat = Callable[[int], object]
"""Do the work this many times."""

TURN = 1e-3
"""How long one turn is meant to take [s]: short enough to fit between two interruptions."""
LEAST_TURNS = 3
FINE = 1e-6
"""Resolution that a clock needs [s]."""


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


class Prepared(Protocol):
    """Work that is made ready before every turn, which does not count."""

    def ready(self) -> None:
        """Go to where the turn begins."""
        ...

    def __call__(self, count: int) -> object:
        """Do the work this many times."""
        ...


def best_times(
    contestants: Mapping[str, Repeat | Prepared],
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


def _once(repeat: Repeat | Prepared, turn: float, clock: Callable[[], float]) -> float:
    """Warm up, then take the time of one piece of work from a turn long enough for the clock."""
    _timed(repeat, 1, clock)
    count = 1
    while True:
        taken = _timed(repeat, count, clock)
        if taken * count > turn / 10:
            return taken
        count *= 4


def _timed(repeat: Repeat | Prepared, count: int, clock: Callable[[], float]) -> float:
    ready = getattr(repeat, "ready", None)
    if ready is not None:
        ready()
    start = clock()
    repeat(count)
    return (clock() - start) / count
