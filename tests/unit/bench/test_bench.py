"""The benchmark's answer: its shape, its claims, and that nothing is left out silently."""

from __future__ import annotations

import dataclasses
import json
import time

import numpy as np
import pytest

from stringless import bench
from stringless.bench import dynamics as bench_dynamics
from stringless.bench.dynamics import CALL, LOOP, SIZES, Case, claims, measure_case
from stringless.bench.harness import (
    LEAST_TURNS,
    TURN,
    Loop,
    Options,
    at_least,
    at_most,
    best_times,
    parts,
    processor_clock,
    repeated,
)
from stringless.bench.peers import PEERS
from stringless.bench.peers.base import PeerModel
from stringless.errors import InputError
from stringless.scenes.pendulums import chain

SHORT = Case("hinge chain 3", 3, chain(3).build)


@pytest.fixture
def fast(monkeypatch, hasty):
    """Measure one short chain, and each contestant no longer than it must."""
    monkeypatch.setattr(bench_dynamics, "cases", lambda *, quick: [SHORT])
    for name in set(bench.BENCHES) - {"dynamics"}:
        monkeypatch.delitem(bench.BENCHES, name)


def absent(name: str):
    """A peer that is not installed."""
    return dataclasses.replace(PEERS[name], module="no_such_module_anywhere")


class Wrong(PeerModel):
    """A peer that computes something else."""

    def forward_call(self, q, v, tau):
        return lambda: np.zeros(len(v))

    def forward(self, q, v, tau):
        return np.zeros(len(v))


# --- the answer -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("name", ["dynamics", "all"])
def test_shape(name):
    told = []

    document = json.loads(json.dumps(bench.run(name, quick=True, against=["mujoco"], report=told.append)))

    assert document.keys() == {"bench", "machine", "rows", "claims"}
    assert document["bench"] == name
    assert {"cpu", "cores", "python", "numba", "peers"} <= document["machine"].keys()
    assert document["machine"]["peers"].keys() == {"mujoco"}
    assert all({"case", "task", "program"} <= row.keys() for row in document["rows"])
    assert all({"claim", "value", "limit", "holds"} <= claim.keys() for claim in document["claims"])
    assert all(isinstance(claim["holds"], bool) for claim in document["claims"])
    assert told == [SHORT.name]
    if name == "all":
        assert {entry["bench"] for entry in document["rows"] + document["claims"]} == {"dynamics"}


@pytest.mark.usefixtures("fast")
def test_rows_of_a_case():
    rows = list(measure_case(SHORT, Options(quick=True)))

    forward = {row["program"]: row for row in rows if row["task"] == "forward"}
    assert forward.keys() == {CALL, LOOP}
    assert 0 < forward[LOOP]["microseconds"] < forward[CALL]["microseconds"] < 1e4
    (memory,) = (row for row in rows if row["task"] == "memory")
    assert 100 < memory["bytes_per_link"] < 10_000
    assert all((row["links"], row["dofs"]) == (3, 3) for row in rows)


@pytest.mark.usefixtures("fast")
def test_missing_peer_is_reported():
    rows = list(measure_case(SHORT, Options(quick=True, peers=(absent("dart"),))))

    (row,) = (row for row in rows if row["program"] == "dart" and row["task"] == "forward")
    assert row["note"] == "missing: install dartpy"
    assert "microseconds" not in row
    assert absent("dart").available() is None


@pytest.mark.usefixtures("fast")
def test_peer_that_disagrees_is_reported_and_not_timed():
    liar = dataclasses.replace(PEERS["dart"], module="numpy", make=lambda model: Wrong())

    rows = list(measure_case(SHORT, Options(quick=True, peers=(liar,))))

    (row,) = (row for row in rows if row["program"] == "dart" and row["task"] == "forward")
    assert row["disagreement"] == 1.0
    assert "disagrees" in row["note"]
    assert "microseconds" not in row


@pytest.mark.usefixtures("fast")
def test_peer_without_derivatives_is_reported():
    liar = dataclasses.replace(PEERS["dart"], module="numpy", make=lambda model: Wrong())

    rows = list(measure_case(SHORT, Options(quick=True, peers=(liar,))))

    (row,) = (row for row in rows if row["program"] == "dart" and row["task"] == "derivatives")
    assert row["note"] == "skipped: has no analytic derivatives of forward dynamics"


def test_too_large_a_model_is_refused_with_a_reason():
    small, large = chain(300).build(), chain(1001).build()

    for peer in PEERS.values():
        assert peer.refuse(small) == ""
        assert "1001" in peer.refuse(large)


def test_unknown_benchmark_lists_the_known_ones():
    with pytest.raises(
        InputError, match="there is no benchmark 'jumps'; there are: all, adaptive, directing, dynamics, editing, flesh"
    ):
        bench.run("jumps")


# --- claims -----------------------------------------------------------------------------------------------------------


def made_up(**changes: float) -> list[dict]:
    """Rows of a run in which everything is as promised, but for the changes."""
    good = {"ratio": 0.4, "ratio_loop": 0.3, "derivatives": 0.5, "slow": 1.0, "fat": 1.0} | changes
    rows = []
    for case in ("humanoid", "pendulum"):
        for peer in ("pinocchio", "dart"):
            row = {"case": case, "task": "forward", "program": peer}
            rows.append(row | {"ratio": good["ratio"], "ratio_loop": good["ratio_loop"]})
    rows.append({"case": "humanoid", "task": "derivatives", "program": "pinocchio", "ratio": good["derivatives"]})
    for kind in ("hinge", "ball"):
        for links in SIZES:
            long = links == SIZES[-1]
            head = {"case": f"{kind} chain {links}", "links": links}
            time = 0.1 * links * (good["slow"] if long else 1.0)
            rows.append(head | {"task": "forward", "program": LOOP, "microseconds": time})
            rows.append(head | {"task": "memory", "program": CALL, "bytes_per_link": good["fat"] if long else 1.0})
    return rows


def broken(rows: list[dict]) -> list[str]:
    return [claim["claim"] for claim in claims(rows) if not claim["holds"]]


def test_claims_hold():
    assert broken(made_up()) == []
    assert len(list(claims(made_up()))) == 13


@pytest.mark.parametrize(
    ("change", "count", "text"),
    [
        ({"ratio": 0.51}, 2, "called from Python: time over that of pinocchio"),
        ({"ratio": 0.81}, 4, "called from Python"),
        ({"ratio_loop": 0.51}, 2, "in a compiled loop: time over that of pinocchio"),
        ({"derivatives": 0.61}, 1, "derivatives of the humanoid"),
        ({"slow": 1.51}, 2, "time per link"),
        ({"fat": 1.11}, 2, "memory per link"),
    ],
)
def test_claim_that_does_not_hold_is_told(change, count, text):
    found = broken(made_up(**change))

    assert len(found) == count
    assert all(text in claim for claim in found)


def test_claim_about_a_missing_peer_does_not_hold():
    rows = made_up()
    for row in rows:
        if row["program"] == "dart":
            del row["ratio"], row["ratio_loop"]
            row["note"] = "missing: install dartpy"

    lost = [claim for claim in claims(rows) if not claim["holds"]]

    assert len(lost) == 4
    assert all(claim["value"] is None for claim in lost)
    assert all(claim["note"] == "not measured: missing: install dartpy" for claim in lost)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1.01])
def test_only_numbers_within_the_limit_hold(value):
    assert not at_most("something", 1.0, value)["holds"]
    assert at_most("something", 1.0, 1.0)["holds"]


@pytest.mark.parametrize("value", [None, 0.9, float("inf"), float("nan")])
def test_only_numbers_beyond_the_least_hold(value):
    assert not at_least("something", 1.0, value)["holds"]
    assert at_least("something", 1.0, 1.0)["holds"]


# --- timing and cases -------------------------------------------------------------------------------------------------


def test_everybody_has_three_turns_at_least():
    turns = {"a": 0, "b": 0}

    def work(name: str) -> None:
        turns[name] += 1
        time.sleep(2 * TURN)

    best = best_times({name: repeated(lambda name=name: work(name)) for name in turns}, 0.0)

    assert best.keys() == turns.keys()
    assert all(TURN < least < 1 for least in best.values())
    assert all(count >= LEAST_TURNS for count in turns.values())


class Work:
    """Half a turn's work, which takes long to be made ready."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def ready(self) -> None:
        self.log.append("ready")
        time.sleep(50 * TURN)

    def __call__(self, count: int) -> None:
        self.log.append("turn")
        time.sleep(TURN / 2)


def test_work_is_made_ready_before_every_turn_and_that_does_not_count():
    work = Work()

    (taken,) = best_times({"work": work}, 0.0).values()

    assert work.log == ["ready", "turn"] * (len(work.log) // 2)
    assert taken < 25 * TURN


def test_waiting_costs_no_time_of_the_processor():
    if processor_clock() is time.perf_counter:
        pytest.skip("the clock of threads is too coarse here")

    def work() -> None:
        time.sleep(20 * TURN)
        sum(range(20_000))  # for the clock to see something

    assert 0 < best_times({"work": repeated(work)}, 0.0, clock=processor_clock())["work"] < 10 * TURN
    assert best_times({"work": repeated(work)}, 0.0)["work"] > 20 * TURN


def test_cases_cover_the_sizes_we_promise():
    full = {case.name for case in bench_dynamics.cases()}
    quick = {case.name for case in bench_dynamics.cases(quick=True)}

    assert {f"{kind} chain {links}" for kind in ("hinge", "ball") for links in SIZES} < full
    assert {"humanoid", "pendulum", "hinge chain 100", "ball chain 10000"} < quick < full


def test_bare_humanoid_has_nothing_that_a_peer_lacks():
    model = next(case for case in bench_dynamics.cases() if case.name == "humanoid").build()

    assert (model.body_count, model.nv) == (27, 34)
    assert not any(np.any(model.dofs[field]) for field in ("stiffness", "damping", "armature"))
    assert len(model.limits) == 0


def test_steps_go_back_before_they_get_far():
    at, most = [0], [0]

    def step(count):
        at[0] += count
        most[0] = max(most[0], at[0])

    run = Loop(step, lambda: at.__setitem__(0, 0), 7)
    run(23)
    run(1)
    assert most[0] == 7
    assert at[0] == 24 - 3 * 7
    afresh = Loop(step, lambda: at.__setitem__(0, 0), 7, afresh=True)
    afresh(9)
    afresh(3)
    assert at[0] == 3


def test_parts_are_what_each_variant_takes_less():
    variants = {
        name: repeated(lambda turns=turns: time.sleep(turns * TURN)) for name, turns in (("all", 8), ("half", 3))
    }
    whole, taken = parts(variants, 0.0, "rest")
    assert taken.keys() == {"half", "rest"}
    assert sum(taken.values()) == pytest.approx(whole)
    assert taken["half"] > taken["rest"] > 2 * TURN
