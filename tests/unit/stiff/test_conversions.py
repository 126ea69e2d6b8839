"""Between joint coordinates and rows of bodies, both ways."""

import math

import numpy as np
import pytest

from models import random_motion
from stiff_models import (
    bodies_of,
    chain,
    displaced,
    forest,
    joints_of,
    pair,
)
from stringless import kinematics
from stringless.engines.stiff.reference import joints_from_bodies, maximal_work
from stringless.engines.stiff.reference.records import KINDS
from stringless.spatial import rotation

ROUNDING = 1e-12
"""Relative; sums over a dozen bodies."""
SEEDS = range(5)


@pytest.mark.parametrize("seed", SEEDS)
def test_bodies_are_where_kinematics_says(seed):
    model = forest(seed)
    m = random_motion(model, seed)
    bodies = bodies_of(model, m.q, m.v)
    poses, velocities = kinematics.body_poses(model, m.q), kinematics.body_velocities(model, m.q, m.v)
    for i in range(model.body_count):
        R = np.array(rotation.from_quaternion(tuple(bodies[i, 3:7]))).reshape(3, 3)
        c = R @ (model.tree[i]["h"] / model.tree[i]["mass"])
        assert np.abs(R - poses.rotation[i]).max() < ROUNDING
        assert np.abs(bodies[i, :3] - poses.position[i] - c).max() < ROUNDING
        assert np.abs(bodies[i, 7:10] - velocities[i, :3]).max() < ROUNDING
        assert np.abs(bodies[i, 10:] - velocities[i, 3:] - np.cross(velocities[i, :3], c)).max() < ROUNDING


@pytest.mark.parametrize("seed", SEEDS)
def test_there_and_back(seed):
    model = forest(seed)
    assert {joint.kind.name for joint in model.joints} == set(KINDS)
    m = random_motion(model, seed)
    near = model.integrate(m.q, 0.3 * np.random.default_rng(seed).normal(size=model.nv))
    q, v, tables = joints_of(model, bodies_of(model, m.q, m.v), near)
    assert np.abs(q - m.q).max() < ROUNDING  # quaternions with their sign
    assert np.abs(v - m.v).max() < ROUNDING
    gap, turn = joints_from_bodies(model.tree, bodies_of(model, m.q, m.v), tables.pairs, q, v)
    assert 0 <= gap < ROUNDING
    assert 0 <= turn < ROUNDING


@pytest.mark.parametrize(("kind", "turning"), [("revolute", [0]), ("universal", [0, 1]), ("planar", [2])])
def test_angles_go_on_over_whole_turns(kind, turning):
    model = pair(kind, 3)
    q = random_motion(model, 3).q
    own = np.arange(model.nq)[model.joints[1].q_slice][turning]
    q[own] = 7.5
    before = q.copy()
    before[own] = 6.9
    assert np.abs(joints_of(model, bodies_of(model, q, np.zeros(model.nv)), before)[0] - q).max() < ROUNDING


def test_a_gap_and_a_tilt_are_reported():
    model = chain(3)
    q, v = model.neutral(), np.zeros(model.nv)
    pairs = maximal_work(model, general=False).pairs
    by = np.zeros((3, 6))
    by[2, 4] = 3e-3
    gap, turn = joints_from_bodies(model.tree, displaced(bodies_of(model, q, v), by), pairs, q, v)
    assert gap == pytest.approx(3e-3, rel=1e-12)
    assert turn < 1e-14
    by[:] = 0.0
    by[2, :3] = 0.0, 2e-3, 0.5  # 0.5 about the hinge's own axis is no fault
    gap, turn = joints_from_bodies(model.tree, displaced(bodies_of(model, q, v), by), pairs, q, v)
    R = np.array(rotation.from_quaternion(rotation.exp_quaternion((0.0, 2e-3, 0.5)))).reshape(3, 3)
    assert turn == pytest.approx(math.acos(R[2, 2]), rel=1e-6)
    assert gap > 1e-3  # the rod was turned about its middle
