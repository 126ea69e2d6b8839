"""Random trees of every joint type against Pinocchio."""

from __future__ import annotations

import numpy as np
import pytest

from checks import relative
from models import KINDS, MOVING, floating, random_forest, random_motion
from stringless import dynamics, kinematics

pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed")

from crosscode.pinocchio_twin import Twin  # noqa: E402

PEER = 1e-11
"""Relative. Both solve with mass matrices of condition 1e3 to 1e4."""
SEEDS = range(8)


@pytest.fixture(params=[*SEEDS, *MOVING])
def case(request):
    """A forest of all joints by its seed, or a tree of one kind (with hinges between) by its name."""
    kinds = KINDS if isinstance(request.param, int) else (request.param, "revolute", "fixed")
    seed = request.param if isinstance(request.param, int) else 1
    model = random_forest(seed, bodies=15, kinds=kinds)
    return model, Twin(model), random_motion(model, seed)


def test_poses_are_pinocchios(case):
    model, twin, m = case
    pin.forwardKinematics(twin.peer, twin.data, twin.q(m.q))
    poses = kinematics.body_poses(model, m.q)
    for i in range(model.body_count):
        there = twin.data.oMi[twin.joint_of[i]] * twin.place_of[i]
        np.testing.assert_allclose(poses.rotation[i], there.rotation, atol=1e-13)
        np.testing.assert_allclose(poses.position[i], there.translation, atol=1e-12)


def test_jacobians_velocities_and_accelerations_are_pinocchios(case):
    model, twin, m = case
    q, G = twin.q(m.q), twin.G(m.q)
    v, vdot = G @ m.v, G @ m.vdot + twin.Gdot(m.q, m.v) @ m.v
    pin.computeJointJacobians(twin.peer, twin.data, q)
    pin.forwardKinematics(twin.peer, twin.data, q, v, vdot)
    V, A = kinematics.body_velocities(model, m.q, m.v), kinematics.body_accelerations(model, m.q, m.v, m.vdot)
    for i in range(model.body_count):
        joint, place = twin.joint_of[i], twin.place_of[i]
        if joint == 0:
            continue
        if place.isIdentity():
            J = pin.getJointJacobian(twin.peer, twin.data, joint, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
            assert relative(kinematics.body_jacobian(model, m.q, i), np.roll(J, 3, axis=0) @ G) < PEER
        frame = twin.data.oMi[joint] * place
        # The body's own spatial velocity, turned to world axes at its origin; for the acceleration add w x v.
        local = place.actInv(twin.data.v[joint])
        w, u = frame.rotation @ local.angular, frame.rotation @ local.linear
        assert relative(V[i], np.concatenate([w, u])) < PEER
        local = place.actInv(twin.data.a[joint])
        expected = np.concatenate([frame.rotation @ local.angular, frame.rotation @ local.linear + np.cross(w, u)])
        assert relative(A[i], expected) < PEER


def test_mass_matrix_is_pinocchios(case):
    model, twin, m = case
    zero = np.zeros(model.nv)
    nothing = dynamics.inverse(model, m.q, zero, zero)
    M = np.stack([dynamics.inverse(model, m.q, zero, e) - nothing for e in np.eye(model.nv)], axis=1)
    assert relative(M, twin.mass_matrix(m.q)) < PEER


def test_inverse_dynamics_is_pinocchios(case):
    model, twin, m = case
    found = dynamics.inverse(model, m.q, m.v, m.vdot, m.external)
    assert relative(found, twin.inverse(m.q, m.v, m.vdot, m.external)) < PEER


def test_forward_dynamics_is_pinocchios(case):
    model, twin, m = case
    found = dynamics.forward(model, m.q, m.v, m.tau, m.external)
    assert relative(found, twin.forward(m.q, m.v, m.tau, m.external)) < PEER


def test_hybrid_dynamics_is_the_partition_of_pinocchios_matrix_and_bias(case):
    model, twin, m = case
    M, bias = twin.mass_matrix(m.q), twin.inverse(m.q, m.v, np.zeros(model.nv), m.external)
    for seed, share in enumerate((0.2, 0.5, 0.8)):
        given = np.random.default_rng(seed).random(model.nv) < share
        P, N = np.flatnonzero(given), np.flatnonzero(~given)
        vdot, tau = m.vdot.copy(), m.tau.copy()
        vdot[N] = np.linalg.solve(M[np.ix_(N, N)], m.tau[N] - bias[N] - M[np.ix_(N, P)] @ m.vdot[P])
        tau[P] = (M @ vdot + bias)[P]
        found = dynamics.hybrid(model, m.q, m.v, prescribed=given, vdot=m.vdot, tau=m.tau, external=m.external)
        assert relative(found[0], vdot) < PEER
        assert relative(found[1], tau) < PEER


@pytest.mark.parametrize("seed", SEEDS)
def test_centre_of_gravity_momentum_and_energy_are_pinocchios(seed):
    model = floating(random_forest(seed, bodies=15))  # Pinocchio leaves bodies welded to the world out of its sums
    twin, m = Twin(model), random_motion(model, seed)
    q, v = twin.q(m.q), twin.G(m.q) @ m.v
    pin.centerOfMass(twin.peer, twin.data, q, v)
    center = kinematics.center_of_gravity(model, m.q, m.v)
    assert relative(center.position, twin.data.com[0]) < PEER
    assert relative(center.velocity, twin.data.vcom[0]) < PEER
    J = pin.jacobianCenterOfMass(twin.peer, twin.data, q) @ twin.G(m.q)
    assert relative(kinematics.center_of_gravity_jacobian(model, m.q)[0], J) < PEER
    pin.computeCentroidalMomentum(twin.peer, twin.data, q, v)
    found = dynamics.momentum(model, m.q, m.v)
    assert relative(found.linear, twin.data.hg.linear) < PEER
    assert relative(found.angular, twin.data.hg.angular) < PEER
    energy = dynamics.energy(model, m.q, m.v)
    assert energy.kinetic == pytest.approx(pin.computeKineticEnergy(twin.peer, twin.data, q, v), rel=PEER)
    assert energy.potential == pytest.approx(pin.computePotentialEnergy(twin.peer, twin.data, q), rel=PEER, abs=PEER)


@pytest.mark.parametrize("seed", SEEDS)
def test_moving_on_the_manifold_is_pinocchios(seed):
    kinds = tuple(kind for kind in MOVING if kind != "planar")  # its tangent is another one there
    model = random_forest(seed, kinds=kinds)
    twin, m = Twin(model), random_motion(model, seed)
    there = pin.integrate(twin.peer, twin.q(m.q), twin.G(m.q) @ m.v)
    ours = model.integrate(m.q, m.v)
    for joint in model.joints:
        a, b = ours[joint.q_slice], there[twin.q0[joint.index] : twin.q0[joint.index] + joint.nq]
        if not joint.kind.is_vector and a[-4:] @ b[-4:] < 0:
            b[-4:] *= -1
        np.testing.assert_allclose(a, b, atol=1e-12)
    back = pin.difference(twin.peer, twin.q(m.q), twin.q(ours))
    np.testing.assert_allclose(twin.G(m.q) @ model.difference(m.q, ours), back, atol=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_armature_is_pinocchios(seed):
    kinds = tuple(kind for kind in KINDS if kind != "planar")  # its coordinates are others there
    model = random_forest(seed, kinds=kinds, armature=True)
    twin, m = Twin(model), random_motion(model, seed)
    twin.peer.armature = twin.G(m.q) @ model.dofs["armature"]
    assert relative(dynamics.forward(model, m.q, m.v, m.tau), twin.forward(m.q, m.v, m.tau)) < PEER


@pytest.mark.parametrize("links", [10, 40])
def test_chain_of_balls_is_pinocchios(links):
    """Pinocchio's own forward dynamics loses digits here; inverse dynamics and its mass matrix do not."""
    model = random_forest(0, bodies=links, kinds=("ball",), roots=0.0)
    twin, m = Twin(model), random_motion(model, 0)
    vdot = dynamics.forward(model, m.q, m.v, m.tau)
    assert relative(twin.inverse(m.q, m.v, vdot), m.tau) < 1e-9
