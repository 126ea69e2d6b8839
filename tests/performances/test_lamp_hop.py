"""The lamp hops and lands upright, whatever its foot is made of."""

from typing import Any

import pytest

from stringless.performances import lamp
from stringless.performances.lamp import LampHop


@pytest.mark.parametrize("changes", [{}, {"young": 64e3}, {"young": 96e3}, {"foot_cells": (8, 2, 8)}])
def test_lamp_hop(changes: dict[str, Any]) -> None:
    show = LampHop(watch=True, **changes).run()
    assert show.facts["off_parabola"] < 1e-9
    assert show.facts["strings"] < 1e-9


def test_a_harder_hop_leans_on_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The foot is pressed so hard that rounding grew sideways, and the planar root had to hold the lamp in its plane."""
    for name, value in {"RISE": 0.2, "LEVEL": 20.0, "ENOUGH": 1.0}.items():
        monkeypatch.setattr(lamp, name, value)
    act = LampHop(watch=True, foot_cells=(8, 2, 8))
    act.perform()
    assert act.balance is not None
    assert act.show.hop > 0.15
    assert act.show.off_parabola(act.sim.model.gravity) < 1e-12
    assert act.balance.worst_string < 1e-12
