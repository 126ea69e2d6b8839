"""The worm jumps when an end is dragged up."""

from __future__ import annotations

import pytest

from stringless.performances.base import MissedError
from stringless.performances.worm_jumps import WormJump
from worm_bodies import BODIES


@pytest.mark.parametrize("body", BODIES)
def test_in_any_body_and_without_strings(body: str) -> None:
    show = WormJump(watch=True, **BODIES[body]).run()
    assert show.facts["strings"] < 1e-9
    assert show.facts["off_parabola"] < 1e-9


def test_a_slow_stroke_is_no_jump(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WormJump, "duration", 1.5)
    with pytest.raises(MissedError, match="worm_jump.*in the air"):
        WormJump().run()
