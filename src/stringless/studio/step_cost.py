"""The cost of a step of the adaptive engine, as it is and with all joints active, measured on a copy in the background."""

import logging
import math
import threading
import time
from typing import Any

from stringless.engines import Feature
from stringless.errors import DivergenceError
from stringless.project.document import lasting
from stringless.simulation import Simulation
from stringless.state import State
from stringless.studio.compilation import SimulationKernels

log = logging.getLogger(__name__)
EVERY = 2.0
"""Time between measurements while nothing is changed by hand [s]."""
RUNS = 3
"""The fastest of so many runs counts: the others were disturbed."""
AT_LEAST = 2e-3
"""Duration of a run, so that the clock and the call are not what is measured [s]."""
AT_MOST = 0.5
"""No further run is begun after this time [s]."""
UNKNOWN = -1.0


class StepCost:
    """Measures a step now and then, in a thread of its own."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self.reset()

    def reset(self) -> None:
        """Forget what was measured: there is another simulation."""
        self.step = self.whole = UNKNOWN
        """Cost of a step now, and with all joints active [µs]."""
        self._measured: Any = None
        self._next = -math.inf

    def update(self, sim: Simulation, kernels: SimulationKernels) -> None:
        """Begin a measurement if it is time and none is under way; returns at once."""
        is_busy = self._thread is not None and self._thread.is_alive()
        if not sim.engine.supports(Feature.LEVEL_OF_DETAIL) or not kernels.all_ready or is_busy:
            return
        now, wanted = time.perf_counter(), (lasting(sim.parameters()), sim.time)
        if wanted == self._measured or (wanted[:1] == (self._measured or ())[:1] and now < self._next):
            return
        self._measured, self._next = wanted, now + EVERY
        work = (kernels.twin, sim.save(), sim.parameters())
        self._thread = threading.Thread(target=self._measure, args=work, name="step cost", daemon=True)
        self._thread.start()

    def _measure(self, twin: Simulation, state: State, parameters: dict[str, Any]) -> None:
        try:
            twin.restore(state)
            twin.configure(**parameters)
            self.step = measure_step(twin)
            twin.restore(state)
            twin.configure(active=None, max_error=None, view=None)
            self.whole = measure_step(twin)
        except DivergenceError:  # from some states a few joints can go on, but not all of them at this step
            self.whole = UNKNOWN
        except Exception:  # the simulation itself will get the same error, and show it
            log.exception("the cost of a step could not be measured")


def measure_step(sim: Simulation) -> float:
    """Time of a step, updates of the active region included [µs]."""
    interval = sim.config.update_every
    sim.step(1)  # the first update, and clusters that are not yet those of the state
    best, rounds, end = math.inf, 1, time.perf_counter() + AT_MOST
    for _ in range(RUNS):
        while (passed := _time_steps(sim, rounds * interval)) < AT_LEAST:
            rounds *= 2
        best = min(best, passed / (rounds * interval))
        if time.perf_counter() > end:
            break
    return best * 1e6


def _time_steps(sim: Simulation, steps: int) -> float:
    """Time of this thread alone: other work of the machine does not count."""
    begin = time.thread_time()
    sim.step(steps)
    return time.thread_time() - begin
