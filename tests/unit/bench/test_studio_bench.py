"""The benchmark of the studio promises what it measures, and what it did not measure does not hold."""

import pytest

from stringless.bench.studio import FRAMES, STOP, WAIT, claims


def row(**changes):
    return {"case": "worm", "frames_per_second": FRAMES, "wait_ms": WAIT, "stop_s": STOP} | changes


def test_claims_hold_at_their_limits():
    assert [claim["holds"] for claim in claims([row()])] == [True, True, True]


@pytest.mark.parametrize(
    ("changes", "broken"),
    [({"frames_per_second": FRAMES - 1}, 0), ({"wait_ms": WAIT + 1}, 1), ({"stop_s": STOP + 1}, 2)],
)
def test_a_worse_figure_breaks_its_claim(changes, broken):
    assert [claim["holds"] for claim in claims([row(**changes)])].index(False) == broken


def test_what_was_not_measured_does_not_hold():
    found = list(claims([]))
    assert not any(claim["holds"] for claim in found)
    assert all(claim["note"] == "not measured: there is no such row" for claim in found)
