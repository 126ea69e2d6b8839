"""The directing benchmark's answer: its rows, its claims, and that both ways simulate the same motion."""

from __future__ import annotations

import json

import numpy as np
import pytest

from stringless import bench
from stringless.bench import directing, directing_cases, directing_hand
from stringless.bench.directing import claims
from stringless.bench.directing_cases import TASKS, Take

SAME = 1e-12
"""How closely prescribed joints repeat a directed motion [rad, m]: they are led to the recorded angles, to rounding."""


@pytest.fixture
def fast(monkeypatch, hasty):
    """Measure the finger only, over a short stroke, and each contestant no longer than it must."""
    monkeypatch.setattr(directing_cases, "PARTS", {"finger": directing_cases.PARTS["finger"]})
    monkeypatch.setattr(directing, "STROKE", 0.1)
    monkeypatch.setattr(directing_hand, "HOLDS", {"worm": directing_hand.HOLDS["worm"]})


@pytest.mark.usefixtures("fast")
def test_answer():
    told = []

    document = json.loads(json.dumps(bench.run("directing", quick=True, against=[], report=told.append)))

    styles = ("acceleration", "torque", "velocity")
    assert told == [
        *(f"finger: {task}" for task in TASKS),
        "worm: a hand's drags",
        *(f"hand: least {style}" for style in styles),
    ]
    for task in TASKS:
        whole, *parts = [row for row in document["rows"] if row["task"] == task]
        assert whole["microseconds"] > whole["prescribed_microseconds"] > 0
        assert whole["ratio"] == pytest.approx(whole["microseconds"] / whole["prescribed_microseconds"])
        assert whole["apart"] < SAME
        assert [part["phase"] for part in parts] == ["momentum", "goals", directing.REST]
    assert len(document["claims"]) == 10
    assert all(claim["holds"] for claim in document["claims"][6:])


@pytest.mark.parametrize("name", ["worm", "finger"])
def test_prescribed_joints_repeat_the_directed_motion(name):
    take = Take(name, "drag, least acceleration")
    moved = 0.0
    for _ in range(4):
        frame = take.frame()
        moved = max(moved, float(np.abs(frame.sim.v).max()))
        assert frame.apart() < SAME
        flesh = np.abs(frame.sim.flesh_positions - frame.rehearsal.flesh_positions).max()
        assert flesh < 1e-3, "flesh deforms alike; only the correction of momentum is missing"
    assert moved > 0.1


def test_split_puts_the_director_back():
    take = Take("finger", "drag, least torque")
    frame = take.frame()
    end = frame.sim.q.copy()
    directing.split_time(frame, 0.0)
    frame.directed(1)
    assert np.array_equal(frame.sim.q, end)


# --- claims -----------------------------------------------------------------------------------------------------------


def made_up(ratio: float = 1.5, real_time: float = 0.1, excess: float = 1e-5) -> list[dict]:
    """Two tasks for each character, the second as told."""
    return [
        {"case": name, "task": task, "ratio": a, "real_time": b}
        for name in ("worm", "fish", "finger", "humanoid")
        for task, a, b in (("drag", 1.2, 0.05), ("turn", ratio, real_time))
    ] + [
        {"case": "worm", "task": "slow loop", "fastest": 1.6, "missed": 0.0038},
        *({"case": "chain", "task": f"least {style}", "hardest": 14.0} for style in ("torque", "velocity")),
        *({"case": "worm", "task": f"least {style}", "excess": excess} for style in ("torque", "velocity")),
    ]


def test_claims_hold():
    assert all(claim["holds"] for claim in claims(made_up()))
    assert len(list(claims(made_up()))) == 10


@pytest.mark.parametrize(
    ("rows", "text"), [(made_up(ratio=2.01), "prescribed joints"), (made_up(real_time=0.26), "simulated time")]
)
def test_the_worst_task_counts(rows, text):
    broken = [claim["claim"] for claim in claims(rows) if not claim["holds"]]
    assert len(broken) == 3
    assert all(text in claim for claim in broken)


def test_a_style_that_costs_too_much_breaks_its_claim():
    broken = [claim for claim in claims(made_up(excess=0.56)) if not claim["holds"]]
    assert len(broken) == 1
    assert "dense program" in broken[0]["claim"]


def test_claim_without_a_row_does_not_hold():
    assert not any(claim["holds"] for claim in claims([]))
    assert all("not measured" in claim["note"] for claim in claims([]))
