"""The finger turns the box over, with softer, firmer and finer flesh too."""

import pytest

from stringless.performances import PERFORMANCES

NO_STRINGS = 1e-9
"""Share of the forces at work on the box: rounding is a thousand times less."""
BODIES = {"as built": {}, "soft": {"young": 24e3}, "firm": {"young": 36e3}, "finer": {"slices": 2}}


@pytest.mark.parametrize("body", BODIES)
def test_finger_turns_the_box_and_nothing_else_does(body):
    show = PERFORMANCES["finger_turn"](watch=True, **BODIES[body]).run()

    assert show.facts["strings"] < NO_STRINGS
    assert abs(show.facts["turned"] - 90.0) < 1.0
