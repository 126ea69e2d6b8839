"""The stiff benchmark: its chains are the same in every program, its watch sees what happens, its answer is complete."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

from stringless import bench, dynamics
from stringless.bench import stiff, stiff_cases
from stringless.bench.harness import Options
from stringless.bench.peers import PEERS, STIFF_PEERS
from stringless.bench.peers.base import UnsupportedError
from stringless.bench.stiff import claims
from stringless.bench.stiff_cases import LIMIT, Chain, beyond, fall, hand
from stringless.kinematics import body_poses
from stringless.simulation import Simulation

WAYS = [(peer, way) for peer, ways in STIFF_PEERS.items() for way in ways]
SHORT_STEP = 1e-5
"""So short that first-order integrators with explicit and with implicit springs agree [s]."""
AGREED = 0.02
"""Relative difference of angles after 300 such steps: each program is of first order, and the fastest mode of the chain
turns by 1e-5 s x 1,000 rad/s = 0.01 in a step."""


def build(peer: str, way: str, scene, dt):
    if PEERS[peer].available() is None:
        pytest.skip(f"{PEERS[peer].package} is not installed")
    return STIFF_PEERS[peer][way](scene, dt)


# --- peers ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("peer", "way"), WAYS)
def test_peers_move_as_we_do_in_short_steps(peer, way):
    scene = Chain("hinge", 4).scene()
    start = np.array([0.05, -0.04, 0.03, 0.06])  # springs stretched, no limit near
    other = build(peer, way, scene, SHORT_STEP)
    other.begin(start, scene.v)
    sim = Simulation(dataclasses.replace(scene, q=start), engine="reduced", dt=SHORT_STEP, record=0)

    other.step(300)
    sim.step(300)

    q, v = other.get()
    assert np.max(np.abs(sim.q - start)) > 0.01
    np.testing.assert_allclose(q, sim.q, atol=AGREED * np.max(np.abs(sim.q - start)))
    np.testing.assert_allclose(v, sim.v, atol=AGREED * np.max(np.abs(sim.v)))


@pytest.mark.parametrize(("peer", "way"), WAYS)
def test_peers_hold_their_limits(peer, way):
    # One link, whose weight would turn it far past its limit if nothing but the spring held it.
    scene = Chain("hinge", 1, length=5.0).scene()
    other = build(peer, way, scene, 1e-3)
    other.begin(scene.q, scene.v)

    other.step(3000)

    assert 5.0 * 9.81 * 2.5 / stiff_cases.STIFFNESS > 2 * LIMIT
    assert abs(other.get()[0][0]) == pytest.approx(LIMIT, abs=0.01)


@pytest.mark.parametrize(("peer", "way"), WAYS)
def test_peers_go_back(peer, way):
    scene = Chain("hinge", 5).scene()
    other = build(peer, way, scene, 1e-3)
    back = other.begin(np.full(5, 0.02), np.linspace(0, 1, 5))
    other.step(10)
    first = other.get()

    back()
    np.testing.assert_array_equal(other.get()[0], np.full(5, 0.02))
    other.step(10)

    np.testing.assert_allclose(other.get(), first, rtol=1e-9)


@pytest.mark.parametrize(("peer", "way"), WAYS)
def test_what_peers_lack_is_named(peer, way):
    with pytest.raises(UnsupportedError, match="swing and twist"):
        build(peer, way, Chain("ball", 2).scene(), 1e-3)


# --- chains -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0.1, 0.03])
def test_fall_is_the_energy_between_level_and_hanging(length):
    model = Chain("hinge", 7, length=length).scene().model
    hanging = model.neutral()
    hanging[0] = -math.pi / 2
    springs = 0.5 * stiff_cases.STIFFNESS * hanging[0] ** 2

    zero = np.zeros(model.nv)
    given = dynamics.energy(model, model.neutral(), zero).total - dynamics.energy(model, hanging, zero).total + springs

    assert given == pytest.approx(fall(model), rel=1e-9)


def test_how_far_joints_are_beyond_their_limits():
    hinge, ball = Chain("hinge", 3).scene().model, Chain("ball", 3).scene().model
    np.testing.assert_allclose(beyond(hinge, np.array([0.0, LIMIT, -3 * LIMIT])), [-LIMIT, 0.0, 2 * LIMIT], atol=1e-15)
    turned = ball.integrate(ball.neutral(), np.array([LIMIT, 0, 0, 0, 3 * LIMIT, 0, 0, 0, -1.5 * LIMIT]))
    # The second has twisted, not swung.
    np.testing.assert_allclose(beyond(ball, turned), [0.0, -LIMIT, 0.5 * LIMIT], atol=1e-7)


def test_hand_has_sixteen_bones_and_fifteen_limited_joints():
    model = hand().model
    assert model.body_count == 16
    assert sum(1 for joint in model.joints if joint.spec.upper) == 15


def test_a_led_hand_comes_to_where_it_is_led():
    sim = stiff.engine(hand(), stiff_cases.HAND_DT)
    stiff_cases.lead(sim)
    sim.advance(2.0)
    palm = sim.q[sim.model.joint("palm").q_slice]
    # Springs give way to the weight.
    np.testing.assert_allclose(palm[:3], (0.05, 0.02, 0.0), atol=0.05)
    assert abs(palm[6]) == pytest.approx(math.cos(0.1), abs=0.01)


def test_names_tell_chains_apart():
    assert Chain("hinge", 1000).name == "hinge chain 1000"
    assert Chain("ball", 100, length=0.03).name == "ball chain 100, 3 cm links"
    assert Chain("hinge", 100, density=400.0, stiffness=1e5).name == "hinge chain 100, 40 kg each, 1e+05 N·m/rad"


# --- watching ---------------------------------------------------------------------------------------------------------


def test_gap_is_that_of_bodies_moved_apart():
    model = Chain("ball", 5).scene().model
    position, rotation = body_poses(model, model.random(0))
    assert stiff_cases.gap_between(model, position, rotation) < 1e-15
    position[3] += (0.0, 0.003, 0.004)
    assert stiff_cases.gap_between(model, position, rotation) == pytest.approx(0.005, abs=1e-12)


class Acted:
    """A chain whose states are given."""

    def __init__(self, states):
        self.states, self.at = states, -1

    def step(self):
        self.at += 1
        return True

    def state(self):
        return self.states[min(self.at, len(self.states) - 1)]

    def watched(self, scene):
        return stiff_cases.Watched(
            scene, self.step, self.state, lambda: dynamics.energy(scene.model, *self.state()), lambda: 0.0
        )


def test_watch_sees_a_rise_of_energy():
    scene = Chain("hinge", 2).scene()
    still, fast = (scene.q, scene.v), (scene.q, np.array([0.0, 1e3]))
    row = stiff_cases.watch(Acted([still, fast, still]).watched(scene), 0.01, 0.05)
    assert row["energy_gain"] > 1
    assert row["finite"]
    assert row["stable"] is False
    assert stiff_cases.watch(Acted([still]).watched(scene), 0.01, 0.05)["stable"] is True


def test_watch_sees_a_chain_that_stands_still_in_the_air():
    scene = Chain("hinge", 200).scene()
    moving, hanging = np.zeros(200), np.zeros(200)
    moving[0], hanging[0] = 0.5, -math.pi / 2

    def still(*states):
        return stiff_cases.watch(Acted(list(states)).watched(scene), 0.1, 2.0)["still"]

    assert still((scene.q, scene.v)) is True
    assert still((hanging, scene.v)) is False
    assert still((scene.q, moving)) is False
    assert still(*[(scene.q, moving)] * 5, *[(scene.q, scene.v)] * 20) is True  # it moved early


def test_a_chain_at_its_limits_hangs_beside_its_hook():
    scene = Chain("hinge", 200).scene()
    q = np.zeros(200)
    q[:16] = -LIMIT  # a quarter of a circle, and then down
    row = stiff_cases.watch(Acted([(q, scene.v)]).watched(scene), 0.1, 2.0)
    assert row["still"] is False
    short = Chain("hinge", 10).scene()  # springs and stops hold it level
    assert stiff_cases.watch(Acted([(short.q, short.v)]).watched(short), 0.1, 2.0)["still"] is False


def test_overshoot_is_the_farthest():
    scene = Chain("hinge", 2).scene()
    states = [(np.array([0.0, angle]), scene.v) for angle in (0.0, -LIMIT - 0.3, LIMIT)]
    assert stiff_cases.watch(Acted(states).watched(scene), 0.01, 0.05)["overshoot"] == pytest.approx(0.3)


def test_a_choice_without_effect_is_not_reported_as_another_way(monkeypatch):
    monkeypatch.setattr(stiff, "PAPER", {"the same": {"newton": 1}})
    monkeypatch.setattr(stiff, "KINDS", {"hinge": "revolute"})
    rows = list(stiff.compare_ways(Options(quick=True)))
    (row,) = (row for row in rows if row["program"] == "stringless, the same")
    assert row["note"] == stiff.SAME_WAY
    assert "microseconds" not in row


def test_watch_sees_numbers_that_are_none():
    scene = Chain("hinge", 2).scene()
    row = stiff_cases.watch(Acted([(scene.q, scene.v), (scene.q * math.nan, scene.v)]).watched(scene), 0.01, 0.05)
    assert row["stable"] is False
    assert row["finite"] is False
    assert row["reached"] == pytest.approx(0.01)


def test_impatience_is_no_verdict():
    scene = Chain("hinge", 2).scene()
    row = stiff_cases.watch(Acted([(scene.q, scene.v)]).watched(scene), 0.01, 10.0, patience=0.0)
    assert row["stable"] is None
    assert "stopped after 0 s of waiting" in row["note"]


def test_our_chain_is_watched_while_its_stops_are_hit():
    chain = Chain("hinge", 20)
    row = stiff_cases.watch(stiff_cases.ours(stiff.engine(chain.scene())), 0.01, 2.0)
    assert row["stable"] is True
    assert row["reached"] == pytest.approx(2.0)
    assert row["stops"] > 0
    assert row["energy_gain"] < 0
    assert row["gap"] < 1e-12


# --- answer -----------------------------------------------------------------------------------------------------------


def test_whole_answer(monkeypatch, hasty):
    monkeypatch.setattr(stiff, "SIZES", (3, 5))
    monkeypatch.setattr(stiff, "watched_chains", lambda options: [Chain("hinge", 3)])
    monkeypatch.setattr(stiff_cases.watch, "__defaults__", (0.3, math.inf, 1))

    document = json.loads(json.dumps(bench.run("stiff", quick=True, against=["mujoco", "dart"])))

    assert document["bench"] == "stiff"
    assert all({"case", "task", "program"} <= row.keys() for row in document["rows"])
    assert {row["program"] for row in document["rows"]} >= {
        "stringless",
        stiff.ONE,
        stiff.KERNEL,
        *(w for _, w in WAYS),
    }
    for peer, way in WAYS:
        row = next(row for row in document["rows"] if row["program"] == way and row["case"] == "hinge chain 3")
        assert ("microseconds" in row) == (PEERS[peer].available() is not None)
    printed = [row["microseconds"] for row in document["rows"] if "as printed" in row["program"]]
    assert printed == [22e3, 285e3, 360.0]


def rivals(links, *peers):
    scene = Chain("hinge", 2).scene()  # what is told by `links` alone is told before anything is built
    return dict(stiff.rivals(scene, links, 1e-3, Options(peers=peers)))


def test_missing_peer_is_reported():
    missing = dataclasses.replace(PEERS["mujoco"], module="no_such_module_anywhere")
    assert rivals(10, missing) == dict.fromkeys(STIFF_PEERS["mujoco"], "missing: install mujoco")


def test_peers_without_implicit_steps_are_left_out():
    """All peers are what `stringless bench stiff` measures beside us if none is named."""
    assert rivals(10, *PEERS.values()).keys() == {name for ways in STIFF_PEERS.values() for name in ways}
    assert "pinocchio" in set(PEERS) - set(STIFF_PEERS)


def test_sizes_beyond_a_peer_are_skipped_with_a_reason():
    notes = rivals(10000, PEERS["mujoco"], PEERS["dart"])
    assert set(notes) == {way for _, way in WAYS}
    for peer, way in WAYS:
        assert PEERS[peer].available() is None or notes[way].startswith("skipped: ")


def test_claims_about_nothing_do_not_hold():
    found = list(claims([]))
    assert len(found) == 4 + 4 * 7 + 2
    assert not any(claim["holds"] for claim in found)
    assert all("not measured" in claim["note"] for claim in found)


def test_a_chain_that_never_reached_its_stops_proves_nothing():
    row = {"case": "hinge chain 1000", "task": "10 s at 10 ms", "program": "stringless"}
    seen = {"stable": True, "finite": True, "reached": 10.0, "energy_gain": -0.1, "gap": 1e-13}

    def first(stops):
        return next(claim for claim in claims([{**row, **seen, "stops": stops}]) if "limits hit" in claim["claim"])

    assert not first(0)["holds"]
    assert first(3)["holds"]
