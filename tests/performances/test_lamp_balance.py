"""The lamp bows without losing its balance, whatever its foot is made of."""

from typing import Any

import pytest

from stringless.performances.base import MissedError
from stringless.performances.lamp import LampBalance


@pytest.mark.parametrize("changes", [{}, {"young": 64e3}, {"young": 96e3}, {"foot_cells": (8, 2, 8)}])
def test_lamp_balance(changes: dict[str, Any]) -> None:
    show = LampBalance(watch=True, **changes).run()
    assert show.facts["off_parabola"] < 1e-9
    assert show.facts["strings"] < 1e-9


class Unbalanced(LampBalance):
    """The same bows, with nobody to hold the centre of gravity."""

    def hold(self) -> None:
        """Hold nothing."""


def test_without_the_centre_of_gravity_it_sways() -> None:
    """Left to itself it bows as well, but sways half as much again, and tilts nearly twice as far."""
    balanced, unbalanced = LampBalance(), Unbalanced()
    balanced.run()
    with pytest.raises(MissedError, match="centre of gravity"):
        unbalanced.run()
    assert balanced.worst_tilt < 0.6 * unbalanced.worst_tilt
    assert balanced.wandered < 0.75 * unbalanced.wandered
