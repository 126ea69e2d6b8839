"""The adaptive benchmark: every turn does the same work, its claims can fail, its answer is complete."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from stringless import bench
from stringless.bench import adaptive, adaptive_cases
from stringless.bench.adaptive import (
    ACTIVE,
    BETWEEN,
    CHOSEN,
    CROWD,
    FALLING,
    FULL,
    GROUNDED,
    OURS,
    PENDULUM,
    PROMISED_SHARE,
    RARE,
    SINGLY,
    STEP,
    USUAL,
    break_even,
    claims,
)
from stringless.bench.adaptive_cases import LINKS, Stretch
from stringless.bench.harness import Options
from stringless.bench.peers import PEERS
from stringless.errors import DivergenceError, InputError
from stringless.scenes import load_scene
from stringless.simulation import Simulation


def short(**choices):
    return Simulation(load_scene("long_pendulum", links=12), record=0, **choices)


@pytest.fixture
def small(monkeypatch, hasty):
    """A short pendulum, a crowd of three, and each contestant no longer than it must."""
    monkeypatch.setattr(adaptive_cases, "pendulum", lambda: load_scene("long_pendulum", links=12))
    monkeypatch.setattr(adaptive_cases, "crowd", lambda ground=False: load_scene("crowd", count=3, ground=ground))
    monkeypatch.setattr(adaptive, "FALLEN", 500)
    monkeypatch.setattr(adaptive, "QUICK_ACTIVE", (1, 5, 12))
    monkeypatch.setattr(adaptive, "QUICK_FORCES", (1, 10))


# --- cases ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("choices", [{"engine": "reduced"}, {"active": 3, "update_every": 7}])
def test_every_turn_begins_at_the_same_state_and_ends_at_the_same(choices):
    stretch = Stretch(short(**choices), 7)
    ends = []
    for count in (3, 1, 3):
        stretch.ready()
        stretch(count)
        ends.append(stretch.sim.q.copy())
    np.testing.assert_array_equal(ends[0], ends[2])
    assert not np.array_equal(ends[0], ends[1])


def test_every_step_of_a_crowd_looks_at_as_many_figures():
    """So a turn need not be as long as an interval."""
    assert adaptive_cases.PEOPLE % USUAL == adaptive_cases.PEOPLE % BETWEEN == adaptive_cases.PEOPLE % RARE == 0
    sim = Simulation(load_scene("crowd", count=4), active=3, update_every=2, record=0)
    sim.step(2)
    seen = []
    for _ in range(5):
        before = sim.engine.tables.status["updates"].sum()
        sim.step(1)
        seen.append(int(sim.engine.tables.status["updates"].sum() - before))
    assert seen == [2] * 5


def test_single_steps_are_those_of_one_call():
    one, two = short(active=4), short(active=4)
    adaptive_cases.singly(one, 30)
    two.step(30)
    np.testing.assert_array_equal(one.q, two.q)


def test_inner_steps_are_those_of_a_user():
    one, two = short(active=4), short(active=4)
    Stretch(one, 20)(2)
    Stretch(two, 20, step=adaptive_cases.outer)(2)
    np.testing.assert_array_equal(one.q, two.q)
    assert one.time == pytest.approx(0.24)


def test_a_motion_that_runs_away_is_not_timed():
    stretch = Stretch(short(active=4), 20)
    stretch.sim.state.v[0] = 1e9
    with pytest.raises(DivergenceError):
        stretch(5)


@pytest.mark.parametrize("forces", [0, 1, 5, 12])
def test_so_many_bodies_are_pushed_as_there_are_forces(forces):
    sim = short(active=4)
    adaptive_cases.apply(sim, forces)
    assert np.count_nonzero(sim.external.any(axis=1)) == forces
    sim.step(3)


def test_more_forces_than_bodies_are_refused():
    with pytest.raises(InputError, match="13 forces on 12 bodies"):
        adaptive_cases.apply(short(), 13)


def test_joints_of_a_tree_are_counted_without_a_floating_root():
    assert adaptive_cases.joints_of(load_scene("crowd", count=2)) == 88
    assert adaptive_cases.joints_of(load_scene("long_pendulum", links=12)) == 12


def test_one_figure_of_the_crowd_is_what_peers_get():
    model, at = adaptive_cases.alone(load_scene("crowd", count=2))
    assert (model.body_count, model.nv, len(at.q)) == (89, 95, 96)
    assert not np.any(model.dofs["damping"])
    assert len(model.limits) == 0
    assert np.any(at.v)


def test_distance_is_that_of_bodies():
    one, two = short(engine="reduced"), short(engine="reduced")
    assert adaptive_cases.apart(one, two) == 0.0
    two.state.q[0] += np.pi  # turned about the hook: twice as far as each link is from it
    away = np.linalg.norm(one.body_poses().position, axis=1)
    assert adaptive_cases.apart(one, two) == pytest.approx(2 * np.sqrt(np.mean(away**2)))


def test_on_the_ground_both_engines_know_the_same_contact():
    """With all joints they move alike, though figures stand in each other's way."""
    scene = load_scene("crowd", count=4, ground=True)
    q = scene.q.copy()
    q.reshape(4, -1)[:, 0] *= 0.1
    scene = dataclasses.replace(scene, q=q)
    one = adaptive_cases.only_ground(Simulation(scene, engine="reduced", record=0))
    two = Simulation(scene, record=0)
    one.step(300)
    two.step(300)
    assert len(one.contact_points()[0]) > 10
    np.testing.assert_allclose(two.q, one.q, rtol=1e-9, atol=1e-9)
    assert two.asleep == 0


def test_sizes_are_those_we_promise_something_about():
    assert {1, 5, 10, 20, 50, 100, 150, 200, 300} <= set(ACTIVE)
    assert {1, 150, 300} <= set(adaptive.QUICK_ACTIVE) <= set(ACTIVE)
    assert set(adaptive.QUICK_FORCES) <= set(adaptive.FORCES)
    assert PROMISED_SHARE in adaptive.SHARES
    assert adaptive_cases.pendulum().model.body_count == LINKS


# --- claims -----------------------------------------------------------------------------------------------------------


def made_up(**changes):
    """Rows of a run in which everything is as promised, but for the changes: times of joints [µs], times as fast."""
    good = {"one": 1.0, "one_chosen": 1.1, "all": 60.0, "even": 200, "often": 6.0, "seldom": 11.0} | changes
    chosen = CHOSEN.format(interval=USUAL)
    head = {"case": PENDULUM, "program": OURS, "forces": 1}
    rows = [
        head | {"task": STEP, "active": 1, "microseconds": good["one"]},
        head | {"task": STEP, "active": LINKS, "microseconds": good["all"]},
    ]
    for active in ACTIVE:
        taken = good["one_chosen"] if active == 1 else good["all"]
        faster = 1.0 + (good["even"] - active) / 100
        rows.append(head | {"task": chosen, "active": active, "microseconds": taken, "faster": faster})
    for interval, key in ((USUAL, "often"), (RARE, "seldom")):
        row = {"case": CROWD, "task": CHOSEN.format(interval=interval), "program": OURS, "share": PROMISED_SHARE}
        rows.append(row | {"faster": good[key]})
    return rows


def broken(rows):
    return [claim["claim"] for claim in claims(rows) if not claim["holds"]]


def test_claims_hold():
    assert broken(made_up()) == []
    assert len(list(claims(made_up()))) == 5


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"one": 1.3}, "joints chosen once: time with all joints over"),
        ({"one_chosen": 6.1}, "joints chosen every 20 steps: time with all joints over"),
        ({"even": 149}, "joints at which `reduced` is as fast"),
        ({"often": 4.9}, "5 % of its joints, chosen every 20 steps"),
        ({"seldom": 9.9}, "5 % of its joints, chosen every 200 steps"),
    ],
)
def test_claim_that_does_not_hold_is_told(change, text):
    (found,) = broken(made_up(**change))
    assert text in found


def test_claims_about_nothing_do_not_hold():
    found = list(claims([]))
    assert len(found) == 5
    assert not any(claim["holds"] for claim in found)
    assert all("not measured" in claim["note"] for claim in found)


@pytest.mark.parametrize("even", [40, 170, 225])
def test_break_even_lies_between_what_was_measured(even):
    assert break_even(made_up(even=even)) == pytest.approx(even)


def test_break_even_is_at_all_joints_if_it_is_always_faster():
    assert break_even(made_up(even=400)) == LINKS


def test_break_even_is_none_if_it_is_never_faster():
    assert break_even(made_up(even=0)) is None


# --- answer -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small")
def test_whole_answer():
    document = json.loads(json.dumps(bench.run("adaptive", quick=True, against=["mujoco"])))

    assert document["bench"] == "adaptive"
    rows = document["rows"]
    assert all({"case", "task", "program"} <= row.keys() for row in rows)
    for forces in (1, 10):
        steps = [row for row in rows if row.get("forces") == forces and row["task"] == STEP and row["program"] == OURS]
        assert [row["active"] for row in steps] == [1, 5, 12]
        assert all(row["microseconds"] > 0 and row["faster"] > 0 for row in steps)
    (full,) = (row for row in rows if row["program"] == FULL and row["case"] == CROWD)
    assert full["faster"] == 1.0
    shares = [
        (row["share"], row["active"], row["task"]) for row in rows if row["case"] == CROWD and row["program"] == OURS
    ]
    often, between, seldom = (CHOSEN.format(interval=interval) for interval in (USUAL, BETWEEN, RARE))
    assert shares == [
        (1.0, 88, often),
        (PROMISED_SHARE, 5, often),
        (PROMISED_SHARE, 5, SINGLY),
        (PROMISED_SHARE, 5, between),
        (PROMISED_SHARE, 5, seldom),
    ]
    full, few = (row for row in rows if row["case"] == GROUNDED)
    assert (full["program"], few["program"], few["task"], few["active"]) == (FULL, OURS, FALLING, 5)
    assert few["faster"] == pytest.approx(full["microseconds"] / few["microseconds"])
    apart = [row["metres"] for row in rows if row["task"].startswith("apart")]
    assert apart[0] > apart[1] > apart[2] == pytest.approx(0.0, abs=1e-9)
    printed = [row["microseconds"] for row in rows if "as printed" in row["program"]]
    assert (len(printed), min(printed), max(printed)) == (42, 20.0, 6310.0)


@pytest.mark.usefixtures("small")
def test_peers_are_measured_or_missed():
    missing = dataclasses.replace(PEERS["mujoco"], module="no_such_module_anywhere")
    rows = list(adaptive.measure(Options(quick=True, peers=(missing, PEERS["pinocchio"]))))
    notes = [row.get("note") for row in rows if row["program"] == "mujoco"]
    assert notes == ["missing: install mujoco"] * 2
    if PEERS["pinocchio"].available() is not None:
        pendulum, crowd = (row for row in rows if row["program"] == "pinocchio")
        assert max(pendulum["disagreement"], crowd["disagreement"]) < 1e-6
        assert min(pendulum["microseconds"], crowd["microseconds"]) > 0
        assert "times over" in crowd["note"]
