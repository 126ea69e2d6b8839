"""Derivatives by the commands: the problem is linear in them, so differences of any size are exact."""

import numpy as np
import pytest

from checks import relative
from models import MOVING, forest_or_joint, random_forest, random_motion
from naive.dynamics import mass_matrix
from stringless import dynamics, kinematics
from stringless.errors import InputError

LINEAR = 1e-9
"""Relative; differences of two solutions whose common part is up to a thousand times larger."""


@pytest.fixture(params=[*range(5), *MOVING])
def case(request):
    model = forest_or_joint(request.param, springs=True, dampers=True, armature=True)
    return model, random_motion(model, 2)


def commanded(model, m, given, k, amount):
    """Accelerations and efforts with command k raised by `amount`."""
    vdot, tau = m.vdot.copy(), m.tau.copy()
    (vdot if given[k] else tau)[k] += amount
    return dynamics.hybrid(model, m.q, m.v, prescribed=given, vdot=vdot, tau=tau, external=m.external)


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_columns_are_differences_of_hybrid_dynamics(case, share):
    model, m = case
    given = np.random.default_rng(5).random(model.nv) < share
    found = dynamics.command_derivatives(model, m.q, prescribed=given)
    assert found.vdot.shape == found.tau.shape == (model.nv, model.nv)
    assert found.body_acceleration.shape == (model.body_count, 6, model.nv)
    assert np.linalg.norm(found.vdot) > 0.1
    assert np.linalg.norm(found.tau) > 0.1
    for k in range(model.nv):
        high, low = commanded(model, m, given, k, 1.0), commanded(model, m, given, k, -1.0)
        assert relative(found.vdot[:, k], (high[0] - low[0]) / 2) < LINEAR
        assert relative(found.tau[:, k], (high[1] - low[1]) / 2) < LINEAR
        moved = [kinematics.body_accelerations(model, m.q, m.v, vdot) for vdot, _ in (high, low)]
        assert relative(found.body_acceleration[:, :, k], (moved[0] - moved[1]) / 2) < LINEAR


@pytest.mark.parametrize("kind", ["ball", "free", "universal", "planar"])
def test_some_coordinates_of_one_joint_prescribed(kind):
    model = random_forest(3, bodies=4, kinds=(kind, "revolute", "ball"), armature=True, roots=0.0)
    m = random_motion(model, 3)
    joint = next(joint for joint in model.joints if joint.kind.name == kind)
    for subset in range(1, 2**joint.nv):
        given = np.zeros(model.nv, bool)
        given[joint.v_slice] = [bool(subset >> k & 1) for k in range(joint.nv)]
        found = dynamics.command_derivatives(model, m.q, prescribed=given)
        k = joint.v_slice.start + subset % joint.nv
        high, low = commanded(model, m, given, k, 1.0), commanded(model, m, given, k, -1.0)
        assert relative(found.vdot[:, k], (high[0] - low[0]) / 2) < LINEAR
        assert relative(found.tau[:, k], (high[1] - low[1]) / 2) < LINEAR


@pytest.mark.parametrize("seed", range(4))
def test_blocks_are_those_of_the_partitioned_mass_matrix(seed):
    """dvdot_N/dtau_N = M_NN⁻¹, dvdot_N/dvdot_P = -M_NN⁻¹ M_NP, dtau_P/dvdot_P the Schur complement."""
    model = random_forest(seed, armature=True)
    q = model.random(seed)
    given = np.random.default_rng(seed).random(model.nv) < 0.5
    P, N = np.flatnonzero(given), np.flatnonzero(~given)
    M = mass_matrix(model, q)
    M_NN, M_NP, M_PP = M[np.ix_(N, N)], M[np.ix_(N, P)], M[np.ix_(P, P)]
    found = dynamics.command_derivatives(model, q, prescribed=given)
    assert relative(found.vdot[np.ix_(N, N)], np.linalg.inv(M_NN)) < LINEAR
    assert relative(found.vdot[np.ix_(N, P)], -np.linalg.solve(M_NN, M_NP)) < LINEAR
    assert relative(found.tau[np.ix_(P, P)], M_PP - M_NP.T @ np.linalg.solve(M_NN, M_NP)) < LINEAR
    assert relative(found.tau[np.ix_(P, N)], M_NP.T @ np.linalg.inv(M_NN)) < LINEAR
    np.testing.assert_array_equal(found.vdot[np.ix_(P, P)], np.eye(len(P)))
    np.testing.assert_array_equal(found.tau[np.ix_(N, N)], np.eye(len(N)))


def test_chosen_columns_are_those_of_the_whole_in_the_order_asked_for():
    model = random_forest(0)
    q, given = model.random(0), np.arange(model.nv) % 3 == 0
    whole = dynamics.command_derivatives(model, q, prescribed=given)
    some = dynamics.command_derivatives(model, q, prescribed=given, columns=[5, 2, 2])
    for part, all_of_it in zip(some, whole, strict=True):
        np.testing.assert_array_equal(part, all_of_it[..., [5, 2, 2]])
    none = dynamics.command_derivatives(model, q, prescribed=given, columns=[])
    assert none.vdot.shape == (model.nv, 0)


@pytest.mark.parametrize("columns", [[-1], [99], [[0, 1]], 3, [0.5], "all", [True, False]])
def test_impossible_columns_are_refused(columns):
    model = random_forest(0)
    with pytest.raises(InputError, match=f"'columns' for model 'forest_0' is .*, expected .* from 0 to {model.nv - 1}"):
        dynamics.command_derivatives(model, model.neutral(), prescribed=np.zeros(model.nv, bool), columns=columns)
