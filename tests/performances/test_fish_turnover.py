"""The fish turns over, with softer, firmer and finer flesh too."""

import pytest

from stringless.performances import PERFORMANCES

NO_STRINGS = 1e-9
"""Share of the forces at work, and metres off free fall: rounding is a thousand times less."""
BODIES = {"as built": {}, "soft": {"young": 24e3}, "firm": {"young": 36e3}, "finer": {"slices": 2}}


@pytest.mark.parametrize("body", BODIES)
def test_fish_turns_over(body):
    show = PERFORMANCES["fish_turnover"](watch=True, **BODIES[body]).run()

    assert show.facts["strings"] < NO_STRINGS
    assert show.facts["off_parabola"] < NO_STRINGS
