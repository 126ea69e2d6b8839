"""Every peer, given our model, computes what we compute: the benchmark compares like with like."""

from __future__ import annotations

import numpy as np
import pytest

from models import KINDS, Motion, random_forest, random_motion, single
from stringless import dynamics
from stringless.bench.dynamics import bare, situation
from stringless.bench.peers import PEERS, choose
from stringless.bench.peers.base import PeerModel, UnsupportedError
from stringless.errors import InputError
from stringless.model import Model
from stringless.scenes import load_scene

TOLERANCE = {"pinocchio": 1e-9, "dart": 1e-9, "mujoco": 1e-8}
"""Relative to the largest acceleration. MuJoCo factors the mass matrix and loses more digits."""
GROWN = tuple(kind for kind in KINDS if kind != "free")
"""MuJoCo has free joints on the ground only."""


@pytest.fixture(params=PEERS)
def peer(request):
    found = PEERS[request.param]
    if found.available() is None:
        pytest.skip(f"{found.package} is not installed")
    return found


def relative(theirs: np.ndarray, ours: np.ndarray) -> float:
    assert np.all(np.isfinite(ours))
    assert np.max(np.abs(ours)) > 0.1
    return float(np.max(np.abs(theirs - ours)) / np.max(np.abs(ours)))


def disagreement(rebuilt: PeerModel, model: Model, at: Motion) -> float:
    return relative(rebuilt.forward(at.q, at.v, at.tau), dynamics.forward(model, at.q, at.v, at.tau))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "fixed"])
def test_each_joint(peer, kind):
    model = single(kind, seed=4)

    assert disagreement(peer.build(model), model, random_motion(model, 5)) < TOLERANCE[peer.name]


@pytest.mark.parametrize("seed", range(3))
def test_random_forest(peer, seed):
    kinds = GROWN if peer.name == "mujoco" else KINDS
    model = random_forest(seed, bodies=14, kinds=kinds)

    assert disagreement(peer.build(model), model, random_motion(model, seed)) < TOLERANCE[peer.name]


def test_a_new_state_is_seen(peer):
    model = bare(load_scene("humanoid").model)
    rebuilt = peer.build(model)
    for seed in range(3):
        assert disagreement(rebuilt, model, random_motion(model, seed)) < TOLERANCE[peer.name]


def test_timed_call_computes_the_same_each_time(peer):
    model = bare(load_scene("humanoid").model)
    call = peer.build(model).forward_call(*situation(model))

    np.testing.assert_array_equal(np.array(call()), np.array(call()))


@pytest.mark.parametrize("name", ["pinocchio", "mujoco"])
def test_armature(name):
    if PEERS[name].available() is None:
        pytest.skip(f"{PEERS[name].package} is not installed")
    kinds = ("revolute", "prismatic", "universal", "planar", "translational")
    model = random_forest(7, bodies=10, kinds=kinds, armature=True)

    assert disagreement(PEERS[name].build(model), model, random_motion(model, 7)) < TOLERANCE[name]


def test_what_a_peer_lacks_is_named():
    if PEERS["dart"].available() is not None:
        with pytest.raises(UnsupportedError, match="knows no armature"):
            PEERS["dart"].build(single("revolute", armature=True))
    if PEERS["mujoco"].available() is not None:
        with pytest.raises(UnsupportedError, match="'free' below another body"):
            PEERS["mujoco"].build(random_forest(0, bodies=2, kinds=("revolute", "free"), roots=0.0))
        with pytest.raises(UnsupportedError, match="one armature"):
            PEERS["mujoco"].build(single("ball", armature=True))
    for peer in PEERS.values():
        with pytest.raises(UnsupportedError, match="without springs and dampers"):
            peer.build(single("revolute", dampers=True))


def test_pinocchio_derivatives_are_derivatives_of_forward():
    if PEERS["pinocchio"].available() is None:
        pytest.skip("pin is not installed")
    model = random_forest(2, bodies=9, armature=False)
    at = random_motion(model, 2)
    dq, dv, dtau = PEERS["pinocchio"].build(model).derivatives(at.q, at.v, at.tau)
    along = np.random.default_rng(0).normal(size=model.nv)
    h = 1e-6

    def slope(ahead, back):
        return (dynamics.forward(model, *ahead) - dynamics.forward(model, *back)) / (2 * h)

    q_ahead, q_back = (model.integrate(at.q, along, step) for step in (h, -h))
    # Central differences: h² of truncation and 1e-16/h of rounding.
    assert relative(dq @ along, slope((q_ahead, at.v, at.tau), (q_back, at.v, at.tau))) < 1e-7
    assert relative(dv @ along, slope((at.q, at.v + h * along, at.tau), (at.q, at.v - h * along, at.tau))) < 1e-7
    assert relative(dtau @ along, slope((at.q, at.v, at.tau + h * along), (at.q, at.v, at.tau - h * along))) < 1e-7


def test_pinocchio_derivatives_of_the_humanoid():
    # Its own universal joint, in the hands, would give wrong ones.
    if PEERS["pinocchio"].available() is None:
        pytest.skip("pin is not installed")
    model = bare(load_scene("humanoid").model)
    at = situation(model)

    theirs = PEERS["pinocchio"].build(model).derivatives(*at)

    for ours, other in zip(dynamics.forward_derivatives(model, *at), theirs, strict=True):
        assert relative(other, ours) < TOLERANCE["pinocchio"]


def test_unknown_peer_is_named_with_the_known_ones():
    with pytest.raises(InputError, match="there is no peer 'bullet' .*pinocchio, dart, mujoco"):
        choose(["dart", "bullet"])


def test_no_names_mean_all_peers():
    assert [peer.name for peer in choose([])] == list(PEERS)
    assert [peer.name for peer in choose(["mujoco"])] == ["mujoco"]
