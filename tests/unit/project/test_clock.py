"""The clock asks for as much simulated time as has passed at the wall, times its rate."""

from __future__ import annotations

import math

import pytest

from stringless.errors import InputError
from stringless.project.player import MOST_BEHIND, Clock


@pytest.mark.parametrize("rate", [1 / 32, 0.25, 1.0, 4.0])
def test_simulated_time_keeps_the_rate(rate):
    clock, done, dt = Clock(rate), 0.0, 1e-3
    clock.start(10.0)
    for k in range(1, 601):
        steps = int(clock.due(10.0 + k / 60, 1.0) / dt + 1e-9)
        clock.did(steps * dt)
        done += steps * dt
    assert done == pytest.approx(10.0 * rate, abs=2 * dt)
    assert clock.speed == pytest.approx(rate, rel=0.1)


def test_as_fast_as_possible_always_wants_the_most():
    clock = Clock(math.inf)
    clock.start(0.0)
    assert [clock.due(k * 1e-6, 0.5) for k in range(3)] == [0.5] * 3


def test_a_machine_that_cannot_keep_up_runs_slower_instead_of_falling_behind():
    clock = Clock(1.0)
    clock.start(0.0)
    clock.due(100.0, 0.02)
    assert clock.due(100.0, math.inf) <= MOST_BEHIND + 0.02


def test_it_stands_still_until_it_is_started():
    clock = Clock()
    assert clock.due(5.0, 1.0) == 0.0
    clock.start(5.0)
    assert clock.due(5.5, 1.0) == 0.5
    clock.stop()
    assert clock.due(9.0, 1.0) == 0.0
    assert not clock.running


@pytest.mark.parametrize("rate", [0.0, 1 / 33, -1.0, math.nan, "fast", None])
def test_other_rates_are_refused(rate):
    with pytest.raises(InputError, match="1/32"):
        Clock(rate)
