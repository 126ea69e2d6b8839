"""Long chains that fall into their stops, in long steps: no energy from nowhere, no stop passed by far, no flipping."""

from itertools import pairwise

import numpy as np
import pytest

from stringless import Simulation
from stringless.bench.stiff_cases import LENGTH, LIMIT, SHORT, Chain, beyond, fall

CASES = [
    ("hinge", 200, LENGTH, 0.03),
    ("hinge", 300, LENGTH, 0.03),
    ("hinge", 900, LENGTH, 0.03),
    ("hinge", 300, LENGTH, 0.01),
    ("hinge", 100, SHORT, 0.01),
    ("ball", 200, LENGTH, 0.03),
    ("ball", 100, LENGTH, 0.01),
    ("ball", 150, SHORT, 0.03),
]


@pytest.mark.parametrize(("kind", "links", "length", "dt"), CASES)
def test_a_long_chain_falls(kind, links, length, dt):
    sim = Simulation(Chain(kind, links, length).scene(), engine="stiff", dt=dt, record=0)
    start, scale = sim.energy().total, fall(sim.model)
    most, farthest, rates = -np.inf, 0.0, []
    for _ in range(round(10 / dt)):
        sim.step()
        most = max(most, sim.energy().total - start)
        farthest = max(farthest, float(beyond(sim.model, sim.q).max()))
        rates = [*rates[-3:], sim.v.copy()]
    assert most <= 1e-9 * scale
    assert farthest < 3 * LIMIT
    # A joint that flips goes back and forth by more than a hundredth of a radian from step to step.
    flips = [(a * b < 0) & (np.minimum(np.abs(a), np.abs(b)) * dt > 0.01) for a, b in pairwise(rates)]
    assert not np.logical_and.reduce(flips).any()
