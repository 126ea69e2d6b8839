"""The worm hops forward by its centre of gravity."""

from __future__ import annotations

import pytest

from stringless.performances.worm_jumps import WormHop
from worm_bodies import BODIES


@pytest.mark.parametrize("body", BODIES)
def test_in_any_body_and_without_strings(body: str) -> None:
    show = WormHop(watch=True, **BODIES[body]).run()
    assert show.facts["strings"] < 1e-9
    assert show.facts["off_parabola"] < 1e-9
