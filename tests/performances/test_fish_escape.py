"""The fish hops off the dock, with softer, firmer and finer flesh too."""

import pytest

from stringless.performances import PERFORMANCES

NO_STRINGS = 1e-9
"""Share of the forces at work, and metres off free fall: rounding is a thousand times less."""
BODIES = {"as built": {}, "soft": {"young": 24e3}, "firm": {"young": 36e3}, "finer": {"slices": 2}}


@pytest.mark.parametrize("body", BODIES)
def test_fish_escapes_from_the_dock(body):
    show = PERFORMANCES["fish_escape"](watch=True, **BODIES[body]).run()

    assert show.facts["strings"] < NO_STRINGS
    assert show.facts["off_parabola"] < NO_STRINGS
    assert sum(show.directed[a] for a, _ in show.flights()) >= 2
