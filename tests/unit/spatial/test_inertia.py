"""Spatial inertias in three blocks against six by six matrices."""

import numpy as np
import pytest

from naive.kinematics import skew
from stringless.spatial import inertia

ROUND_OFF = 2e-14
"""Sums of some ten products of order one."""


def symmetric(a):
    xx, yy, zz, xy, xz, yz = a
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def dense(I, H, M):
    H = np.array(H).reshape(3, 3)
    return np.block([[symmetric(I), H], [H.T, symmetric(M)]])


def moved(r):
    """Matrix X with `X F` the force seen from the point that sees the origin at r."""
    return np.block([[np.eye(3), skew(r)], [np.zeros((3, 3)), np.eye(3)]])


@pytest.fixture(params=range(3))
def rng(request):
    return np.random.default_rng(request.param)


@pytest.fixture
def blocks(rng):
    return tuple(tuple(rng.uniform(-1, 1, n)) for n in (6, 9, 6))


def test_rigid_body_is_the_textbook_matrix(rng):
    mass, c, I_o = 2.5, rng.normal(size=3), rng.uniform(-1, 1, 6)
    found = dense(*inertia.rigid(tuple(I_o), tuple(mass * c), mass))
    expected = np.block([[symmetric(I_o), mass * skew(c)], [mass * skew(c).T, mass * np.eye(3)]])
    np.testing.assert_allclose(found, expected, atol=ROUND_OFF)


def test_momentum_is_the_matrix_times_the_motion(rng):
    mass, h, I_o, V = 1.7, tuple(rng.normal(size=3)), tuple(rng.uniform(-1, 1, 6)), rng.normal(size=6)
    found = np.concatenate(inertia.momentum(I_o, h, mass, tuple(V[:3]), tuple(V[3:])))
    np.testing.assert_allclose(found, dense(*inertia.rigid(I_o, h, mass)) @ V, atol=ROUND_OFF)


def test_applying_is_the_matrix_times_the_motion(rng, blocks):
    V = rng.normal(size=6)
    found = np.concatenate(inertia.apply(*blocks, tuple(V[:3]), tuple(V[3:])))
    np.testing.assert_allclose(found, dense(*blocks) @ V, atol=ROUND_OFF)


def test_removing_rank_one_is_the_outer_product(rng, blocks):
    F, s = rng.normal(size=6), 0.7
    found = dense(*inertia.remove_rank_one(*blocks, s, tuple(F[:3]), tuple(F[3:])))
    np.testing.assert_allclose(found, dense(*blocks) - s * np.outer(F, F), atol=ROUND_OFF)


def test_shift_is_a_congruence(rng, blocks):
    r = rng.normal(size=3)
    X = moved(r)
    np.testing.assert_allclose(dense(*inertia.shift(*blocks, tuple(r))), X @ dense(*blocks) @ X.T, atol=ROUND_OFF)


def test_shifts_add_up(rng, blocks):
    r, s = rng.normal(size=(2, 3))
    twice = inertia.shift(*inertia.shift(*blocks, tuple(r)), tuple(s))
    np.testing.assert_allclose(dense(*twice), dense(*inertia.shift(*blocks, tuple(r + s))), atol=ROUND_OFF)


def test_power_of_a_force_is_the_same_seen_from_any_point(rng):
    V, F, r = rng.normal(size=6), rng.normal(size=6), tuple(rng.normal(size=3))
    # The point that sees the origin at r is itself at -r from it.
    back = tuple(-np.array(r))
    motion = np.concatenate(inertia.shift_motion(tuple(V[:3]), tuple(V[3:]), back))
    force = np.concatenate(inertia.shift_force(tuple(F[:3]), tuple(F[3:]), r))
    assert not np.allclose(motion, V)
    assert motion @ force == pytest.approx(V @ F, abs=ROUND_OFF)


def test_kinetic_energy_is_the_same_seen_from_any_point(rng, blocks):
    V, r = rng.normal(size=6), rng.normal(size=3)
    motion = np.concatenate(inertia.shift_motion(tuple(V[:3]), tuple(V[3:]), tuple(-r)))
    there = dense(*inertia.shift(*blocks, tuple(r)))
    assert motion @ there @ motion == pytest.approx(V @ dense(*blocks) @ V, abs=10 * ROUND_OFF)


def test_blocks_go_to_and_from_a_row_and_add_to_it(blocks):
    row = np.zeros(21)
    inertia.store(row, *blocks)
    np.testing.assert_array_equal(row, np.concatenate(blocks))
    assert inertia.load(row) == blocks
    np.testing.assert_array_equal(dense(*inertia.add(*blocks, row)), 2 * dense(*blocks))
