"""The hand follows the glove and taps the table, with soft fingertips and with bare bones."""

import pytest

from stringless.performances import PERFORMANCES
from stringless.performances.base import MissedError
from stringless.performances.hand_glove import posture

BODIES = {"as built": {}, "firm": {"young": 40e3}, "bare bones": {"soft": False}}


@pytest.mark.parametrize("body", BODIES)
def test_glove_drives_the_hand(body):
    show = PERFORMANCES["hand_glove"](**BODIES[body]).run()

    assert show.facts["fingers_down"] == 5
    assert "off_parabola" not in show.facts, "it is pulled, it does not fly"


def test_a_hand_without_a_glove_misses_the_table(monkeypatch):
    monkeypatch.setattr("stringless.performances.hand_glove.posture", lambda angles: posture(0.0 * angles))
    with pytest.raises(MissedError, match="missed: all five fingers press on the table"):
        PERFORMANCES["hand_glove"](soft=False).run()
