"""What a step of the adaptive engine costs, as it is and with all joints: measured on a copy, beside the simulation."""

from __future__ import annotations

import logging
import math
import threading
import time
from typing import Any

from stringless.engines import AdaptiveEngine
from stringless.errors import DivergenceError
from stringless.project.document import lasting
from stringless.simulation import Simulation
from stringless.state import State
from stringless.studio.preparing import Kernels

log = logging.getLogger(__name__)
EVERY = 2.0
"""Seconds from one look to the next while nothing is changed by hand."""
RUNS = 3
"""The quickest of so many runs counts: the others were disturbed."""
AT_LEAST = 2e-3
"""A run takes so long, or the clock and the call would be measured [s]."""
AT_MOST = 0.5
"""After so long no further run is begun [s]."""
UNKNOWN = -1.0


class Gauge:
    """Measures a step now and then, in a thread of its own."""

    def __init__(self) -> None:
        """Nothing was measured yet."""
        self.step = self.whole = UNKNOWN
        """Of a step now, and with all joints [µs]."""
        self._thread: threading.Thread | None = None
        self._seen: Any = None
        self._next = -math.inf

    def forget(self) -> None:
        """Another simulation is there."""
        self.step = self.whole = UNKNOWN
        self._seen, self._next = None, -math.inf

    def look(self, sim: Simulation, kernels: Kernels) -> None:
        """Measure if it is time, and nobody measures already; comes back at once."""
        if (
            not isinstance(sim.engine, AdaptiveEngine)
            or not kernels.all_ready
            or (self._thread is not None and self._thread.is_alive())
        ):
            return
        now, seen = time.perf_counter(), (lasting(sim.parameters()), sim.time)
        if seen == self._seen or (seen[:1] == (self._seen or ())[:1] and now < self._next):
            return
        self._seen, self._next = seen, now + EVERY
        work = (kernels.twin, sim.save(), sim.parameters())
        self._thread = threading.Thread(target=self._measure, args=work, name="gauge", daemon=True)
        self._thread.start()

    def _measure(self, twin: Simulation, state: State, parameters: dict[str, Any]) -> None:
        try:
            twin.restore(state)
            twin.configure(**parameters)
            self.step = measured(twin)
            twin.restore(state)
            twin.configure(active=None, max_error=None, view=None)
            self.whole = measured(twin)
        except DivergenceError:  # a few joints can come to where all of them at once cannot go on from, at this step
            self.whole = UNKNOWN
        except Exception:  # the simulation itself will meet the same, and says it to somebody
            log.exception("the cost of a step could not be measured")


def measured(sim: Simulation) -> float:
    """What a step takes, choosing joints included [µs]."""
    interval = sim.config.update_every
    sim.step(1)  # the first choice, and clusters that are not yet those of the state
    best, rounds, end = math.inf, 1, time.perf_counter() + AT_MOST
    for _ in range(RUNS):
        passed = _timed(sim, rounds * interval)
        while passed < AT_LEAST:
            rounds *= 2
            passed = _timed(sim, rounds * interval)
        best = min(best, passed / (rounds * interval))
        if time.perf_counter() > end:
            break
    return best * 1e6


def _timed(sim: Simulation, steps: int) -> float:
    """Time of this thread alone: what else the machine does meanwhile is not the step's."""
    begin = time.thread_time()
    sim.step(steps)
    return time.thread_time() - begin
