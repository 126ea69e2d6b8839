"""The flesh benchmark's answer: its rows, its claims, and that nothing is left out silently."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

from stringless import bench
from stringless.bench import flesh_cases, flesh_stability
from stringless.bench.flesh import claims, compete, measure_motion, measure_ratios, scattered, without
from stringless.bench.flesh_cases import MOTIONS
from stringless.bench.flesh_stability import TASK, drop
from stringless.bench.harness import Options
from stringless.bench.peers import FLESH_PEERS, PEERS
from stringless.scenes import load_scene
from stringless.simulation import Simulation

PHASES = {"elastic", "self-contact", "contact", "nodes", "skeleton"}


@pytest.fixture
def fast(monkeypatch, hasty):
    """Measure the finger and small worms only, and each contestant no longer than it must."""
    monkeypatch.setattr(flesh_cases, "CHARACTERS", ("finger",))
    monkeypatch.setattr(flesh_cases, "QUICK_SIZES", ((10, 2, 2), (20, 3, 2)))
    monkeypatch.setattr(flesh_cases, "MOTIONS", {name: MOTIONS[name] for name in ("rest", "wave")})
    monkeypatch.setattr(flesh_stability, "CHARACTERS", ("finger",))
    monkeypatch.setattr(flesh_stability, "SIZES", (0.2,))


@pytest.mark.usefixtures("fast")
def test_answer():
    told = []

    document = json.loads(json.dumps(bench.run("flesh", quick=True, against=["mujoco"], report=told.append)))

    assert document["bench"] == "flesh"
    assert all({"case", "task", "program"} <= row.keys() for row in document["rows"])
    assert all({"claim", "value", "limit", "holds"} <= claim.keys() for claim in document["claims"])
    assert told[0] == "finger"
    assert "motion: wave" in told
    for where in flesh_cases.PLACES:
        rows = [row for row in document["rows"] if row["task"] == f"phase {where}, prescribed joints"]
        assert {row["phase"] for row in rows} == PHASES
        assert all(math.isfinite(row["share"]) for row in rows)  # times are no matter of tests
    sizes = [row["tets"] for row in document["rows"] if row["task"] == "step in the air, by size"]
    assert len(sizes) == 2
    assert sizes[0] < sizes[1]
    dropped = [row for row in document["rows"] if row["task"] == TASK]
    assert {row["case"] for row in dropped} == {"sphere", "rod", "plate", "ring", "pear", "finger"}
    assert all(row["stable"] for row in dropped)


@pytest.mark.usefixtures("fast")
def test_missing_peer_is_reported():
    absent = dataclasses.replace(PEERS["mujoco"], module="no_such_module_anywhere")

    rows = compete(load_scene("finger"), "in the air", Options(quick=True, peers=(absent,)), 0.0)

    (row,) = (row for row in rows if row["program"] == "mujoco")
    assert row["note"] == "missing: install mujoco"
    assert "microseconds" not in row


class Liar:
    """A peer with other elastic forces."""

    def __init__(self, scene, dt):
        self.count = int((scene.model.flesh.nodes["fixed"] == 0).sum())

    def elastic_forces(self, moved):
        return np.zeros((self.count, 3))


@pytest.mark.usefixtures("fast")
def test_peer_that_disagrees_is_reported_and_not_timed(monkeypatch):
    monkeypatch.setitem(FLESH_PEERS, "mujoco", Liar)
    there = dataclasses.replace(PEERS["mujoco"], module="numpy")

    rows = compete(load_scene("finger"), "in the air", Options(quick=True, peers=(there,)), 0.0)

    (row,) = (row for row in rows if row["program"] == "mujoco")
    assert row["disagreement"] == 1.0
    assert "disagrees" in row["note"]
    assert "microseconds" not in row


@pytest.mark.usefixtures("fast")
def test_material_that_a_peer_lacks_is_reported():
    if PEERS["mujoco"].available() is None:
        pytest.skip("MuJoCo is not installed")

    rows = compete(load_scene("lamp"), "in the air", Options(quick=True, peers=(PEERS["mujoco"],)), 0.0)

    (row,) = (row for row in rows if row["program"] == "mujoco")
    assert "skipped: mujoco is compared on one body of flesh of material 'stvk'" in row["note"]


# --- situations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", flesh_cases.CHARACTERS)
def test_nothing_touches_in_the_air_and_something_in_contact(name):
    scene = load_scene(name)
    for where in flesh_cases.PLACES:
        sim = flesh_cases.settled(scene, where)
        touched = []
        for _ in range(flesh_cases.WINDOW // 10):
            sim.step(10)
            touched.append(int(sim.engine.workspace.counts[1]))
        assert (max(touched) > 0) == (where == "in contact"), (where, touched)


@pytest.mark.parametrize("ratio", [0.0, 0.1, 0.5, 1.0])
def test_scattered_nodes_give_the_wanted_ratio(ratio):
    sim = Simulation(load_scene("worm"))
    assert scattered(sim, ratio)[1] == pytest.approx(ratio, abs=0.01)


@pytest.mark.usefixtures("fast")
def test_ratios_are_those_of_figure_5():
    rows = list(measure_ratios(Options(quick=True)))
    assert [row["wanted"] for row in rows] == [k / 10 for k in range(11)]
    assert all(row["microseconds"] > 0 and row["full_microseconds"] > 0 for row in rows)


@pytest.mark.usefixtures("fast")
def test_a_ring_flags_more_than_a_rest():
    rest, ring = (measure_motion(name, MOTIONS[name], Options(quick=True)) for name in ("rest", "ring"))
    assert ring["flagged"] > rest["flagged"] + 0.02


def test_prescribed_joints_follow_the_wave():
    sim = flesh_cases.settled(load_scene("worm"), "in the air")
    flesh_cases.prescribed(sim, MOTIONS["wave"], 1.0)
    angles = [sim.q[q] for joint in sim.model.joints for _, q in flesh_cases.angles(joint)]
    wanted = [flesh_cases.wave(k, 6, sim.time)[0] for k in range(6)]
    assert len(angles) == 6
    np.testing.assert_allclose(angles, wanted, atol=0.1)
    assert np.ptp(wanted) > 0.5


def test_phases_leave_out_what_they_say():
    sim = flesh_cases.settled(load_scene("worm"), "in contact")
    at = flesh_cases.Situation(sim)
    bare = without(at, ("elements", "pairs", "vertices", "obstacles", "samples"))
    assert len(bare.sim.engine.workspace.elements) == len(bare.sim.engine.workspace.vertices) == 0
    assert len(bare.sim.engine.workspace.contact_record[0]) == 0
    assert len(sim.engine.workspace.elements) > 0
    assert len(sim.engine.workspace.vertices) > 0
    bare(3)
    assert np.array_equal(sim.q, at.start.q), "the situation itself is left alone"


def test_what_is_lost_is_told(monkeypatch):
    """A step of a tenth of a second is beyond what any number of parts can do."""
    monkeypatch.setattr(flesh_stability, "Simulation", lambda scene, **options: Simulation(scene, dt=0.1, **options))
    row = drop(load_scene("finger"), 0.2, 1.0)
    assert not row["stable"]
    assert "too long also in 32 parts" in row["note"]


# --- claims -----------------------------------------------------------------------------------------------------------


def made_up(**changes: float) -> list[dict]:
    """Rows of a run in which everything is as promised, but for the changes."""
    good = {"real_time": 0.1, "selective": 0.6, "flex": 0.2, "slow": 1.0, "lost": 0.0} | changes
    rows: list[dict] = []
    for where in flesh_cases.PLACES:
        task = f"step {where}, prescribed joints"
        rows.append({"case": "worm", "task": task, "program": "stringless", "real_time": good["real_time"]})
        for name in ("worm", "fish", "finger"):
            task = f"step {where}, passive joints"
            rows.append({"case": name, "task": task, "program": "mujoco", "ratio": good["flex"]})
    rows.append({"case": "worm", "task": "elastic", "program": "stringless", "wanted": 0.3, "ratio": good["selective"]})
    for tets, cost in ((700, 40.0), (7000, 39.0), (50000, 40.0 * good["slow"])):
        rows.append({"case": "worm", "task": "size", "tets": tets, "nanoseconds_per_tet": cost})
    rows += [{"case": "worm", "task": TASK, "program": "stringless", "stable": not good["lost"]} for _ in range(2)]
    return rows


def broken(rows: list[dict]) -> list[str]:
    return [claim["claim"] for claim in claims(rows) if not claim["holds"]]


def test_claims_hold():
    assert broken(made_up()) == []
    assert len(list(claims(made_up()))) == 11


@pytest.mark.parametrize(
    ("change", "count", "text"),
    [
        ({"real_time": 0.126}, 2, "simulated time"),
        ({"selective": 0.67}, 1, "selective over full"),
        ({"flex": 0.26}, 2, "worm"),
        ({"flex": 0.34}, 6, "MuJoCo's flex"),
        ({"slow": 1.3}, 1, "per tetrahedron"),
        ({"lost": 1.0}, 1, "diverge"),
    ],
)
def test_claim_that_does_not_hold_is_told(change, count, text):
    found = broken(made_up(**change))

    assert len(found) == count
    assert all(text in claim for claim in found)


def test_claim_without_a_row_does_not_hold():
    assert len(broken([])) == 11
    assert all("not measured" in claim["note"] for claim in claims([]))
