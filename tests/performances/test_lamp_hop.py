"""The lamp hops and lands upright, whatever its foot is made of."""

from typing import Any

import pytest

from stringless.performances.lamp_hop import LampHop


@pytest.mark.parametrize("changes", [{}, {"young": 64e3}, {"young": 96e3}, {"foot_cells": (8, 2, 8)}])
def test_lamp_hop(changes: dict[str, Any]) -> None:
    show = LampHop(film=0, watch=not changes, **changes).run()
    assert show.facts["off_parabola"] < 1e-9
    if not changes:
        assert show.facts["strings"] < 1e-9
