"""The worm bends as a whole."""

from __future__ import annotations

import pytest

from stringless.performances.worm_beat import WormBend
from worm_bodies import BODIES


@pytest.mark.parametrize("body", BODIES)
def test_in_any_body_and_without_strings(body: str) -> None:
    show = WormBend(watch=True, **BODIES[body]).run()
    assert show.facts["strings"] < 1e-9
    assert show.facts["off_parabola"] < 1e-9
