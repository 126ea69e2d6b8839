"""The donut rolls, whatever it is made of."""

from typing import Any

import pytest

from stringless.performances.donut_roll import DonutRoll


@pytest.mark.parametrize("changes", [{}, {"young": 24e3}, {"young": 36e3}, {"cells": (14, 14, 2)}])
def test_donut_roll(changes: dict[str, Any]) -> None:
    show = DonutRoll(watch=True, **changes).run()
    assert show.facts["off_parabola"] < 1e-9
    assert show.facts["strings"] < 1e-9
