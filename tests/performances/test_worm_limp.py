"""The worm limps along."""

from __future__ import annotations

import pytest

from stringless.performances.base import MissedError
from stringless.performances.worm_limp import WormLimp
from worm_bodies import BODIES


@pytest.mark.parametrize("body", BODIES)
def test_in_any_body_and_without_strings(body: str) -> None:
    show = WormLimp(watch=True, **BODIES[body]).run()
    assert show.facts["strings"] < 1e-9
    assert show.facts["off_parabola"] < 1e-9


def test_without_weights_the_middle_is_not_reluctant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WormLimp, "weights", (1.0,) * 6)
    act = WormLimp()
    with pytest.raises(MissedError):
        act.run()
    assert act.show.facts["reluctant"] > 1.0
