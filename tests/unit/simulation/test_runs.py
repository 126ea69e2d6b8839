"""A run of steps takes no memory, and lets other threads work."""

import threading
import time
import tracemalloc

import numpy as np
import pytest
from numba.core.errors import TypingError

import stringless as sl
from stringless import jit

SMALL = 16384
"""What Python itself may keep of one call, such as small numbers and frames of functions [bytes]."""
LONG = 0.3
"""A run this long is far longer than a thread that is ready waits for its turn [s]."""
SCENES = {"reduced": "worm", "stiff": "robot", "adaptive": "humanoid"}


def make_simulation(engine: str) -> sl.Simulation:
    simulation = sl.Simulation(sl.load(SCENES[engine]), engine=engine, record=0)
    if engine == "reduced":
        simulation.director.drag("bone_0", target=(-0.2, 0.1, 0.0))
    simulation.step(20)
    return simulation


@pytest.mark.compiled
@pytest.mark.parametrize("engine", SCENES)
def test_steps_take_no_memory(engine):
    simulation = make_simulation(engine)
    tracemalloc.start()
    try:
        simulation.step(1)
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        simulation.step(200)
        after, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak - before < SMALL
    assert after - before < SMALL


@pytest.mark.compiled
def test_a_kernel_that_allocates_is_not_compiled():
    @jit.kernel
    def allocate(n):
        return np.zeros(n).sum()

    with pytest.raises(TypingError, match=r"Only accept returning of array passed into the function"):
        allocate(3)


@pytest.mark.compiled
@pytest.mark.parametrize("engine", SCENES)
def test_other_threads_work_during_a_run(engine):
    simulation = make_simulation(engine)
    steps = 100
    while True:
        start = time.perf_counter()
        simulation.engine.run(simulation.controls, simulation.state, steps)
        if time.perf_counter() - start > LONG:
            break
        steps *= 2
    span = []

    def run() -> None:
        begin = time.perf_counter()
        simulation.engine.run(simulation.controls, simulation.state, steps)
        span.append((begin, time.perf_counter()))

    thread = threading.Thread(target=run)
    thread.start()
    turns = [time.perf_counter()]
    while thread.is_alive():
        time.sleep(1e-3)
        turns.append(time.perf_counter())
    begin, end = span[0]
    assert end - begin > LONG / 4
    assert max(np.diff(turns)) < 0.5 * (end - begin)
