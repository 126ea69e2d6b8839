"""Every performance succeeds from a start that differs a little: a chaotic one becomes another run altogether."""

from __future__ import annotations

import numpy as np
import pytest

from stringless.performances import PERFORMANCES

NUDGE = 1e-7
"""Typical size of the change of each velocity at the start [m/s or rad/s]."""


@pytest.mark.parametrize("name", PERFORMANCES)
def test_a_nudge_at_the_start_spoils_nothing(name: str) -> None:
    act = PERFORMANCES[name]()
    before = act.sim.v.copy()
    act.sim.state.v += NUDGE * np.random.default_rng(1).normal(size=act.sim.model.nv)
    assert np.any(act.sim.v != before)
    act.run()
