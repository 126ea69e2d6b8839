"""Forward, inverse and hybrid dynamics: the kernels against their slow twins, and the laws that bind them."""

import dataclasses

import numpy as np
import pytest

from checks import DIFFERENCE_PRECISION, gradient, rate, relative
from models import MOVING, VECTOR, floating, forest_or_joint, random_forest, random_motion, random_quaternion
from naive import dynamics as naive
from stringless import dynamics, kinematics
from stringless.model import ModelBuilder, Pose

TWIN = 1e-11
"""Relative; both sides solve with matrices whose condition number is up to 1e4."""
ROUND_TRIP = 1e-10
"""Relative; efforts to accelerations and back."""
SEEDS = range(6)


def forest(seed):
    return random_forest(seed, bodies=14, springs=True, dampers=True, armature=True)


@pytest.fixture(params=[*SEEDS, *MOVING])
def case(request):
    """A forest by its seed, or a single joint by its kind; with springs, dampers and armature."""
    model = forest_or_joint(request.param, springs=True, dampers=True, armature=True)
    return model, random_motion(model, 7)


def mass_matrix(model, q):
    """Columns by inverse dynamics: what a unit acceleration takes more than none."""
    zero = np.zeros(model.nv)
    nothing = dynamics.inverse(model, q, zero, zero)
    return np.stack([dynamics.inverse(model, q, zero, e) - nothing for e in np.eye(model.nv)], axis=1)


# --- against the twins ---


def test_inverse_dynamics_is_the_dense_sum(case):
    model, m = case
    found = dynamics.inverse(model, m.q, m.v, m.vdot, m.external)
    assert np.linalg.norm(found) > 0.1
    assert relative(found, naive.inverse(model, m.q, m.v, m.vdot, m.external)) < TWIN


def test_inverse_dynamics_is_the_recursion_of_the_notes(case):
    model, m = case
    found = dynamics.inverse(model, m.q, m.v, m.vdot, m.external)
    assert relative(found, naive.inverse_recursive(model, m.q, m.v, m.vdot, m.external)) < TWIN


def test_forward_dynamics_is_the_dense_solve(case):
    model, m = case
    found = dynamics.forward(model, m.q, m.v, m.tau, m.external)
    assert np.linalg.norm(found) > 0.1
    assert relative(found, naive.forward(model, m.q, m.v, m.tau, m.external)) < TWIN


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.8, 1.0])
def test_hybrid_dynamics_is_the_partitioned_solve(seed, share):
    model = forest(seed)
    m = random_motion(model, seed)
    given = np.random.default_rng(seed).random(model.nv) < share
    vdot, tau = dynamics.hybrid(model, m.q, m.v, prescribed=given, vdot=m.vdot, tau=m.tau, external=m.external)
    expected_vdot, expected_tau = naive.hybrid(model, m.q, m.v, given, m.vdot, m.tau, m.external)
    assert relative(vdot, expected_vdot) < TWIN
    assert relative(tau, expected_tau) < TWIN


@pytest.mark.parametrize("kind", MOVING)
@pytest.mark.parametrize("seed", [0, 1])
def test_each_single_coordinate_of_a_joint_can_be_prescribed(kind, seed):
    """All subsets of the coordinates of one joint in the middle of a chain."""
    model = random_forest(seed, bodies=3, kinds=(kind, "ball", "universal"), armature=True, roots=0.0)
    m = random_motion(model, seed)
    joint = next(joint for joint in model.joints if joint.kind.name == kind)
    for subset in range(2**joint.nv):
        given = np.zeros(model.nv, dtype=bool)
        given[joint.v_slice] = [bool(subset >> k & 1) for k in range(joint.nv)]
        vdot, tau = dynamics.hybrid(model, m.q, m.v, prescribed=given, vdot=m.vdot, tau=m.tau)
        expected_vdot, expected_tau = naive.hybrid(model, m.q, m.v, given, m.vdot, m.tau)
        assert relative(vdot, expected_vdot) < TWIN
        assert relative(tau, expected_tau) < TWIN


def test_bias_is_the_dense_one(case):
    model, m = case
    assert relative(dynamics.bias(model, m.q, m.v), naive.bias(model, m.q, m.v)) < TWIN


def test_passive_efforts_are_springs_and_dampers(case):
    model, m = case
    found = dynamics.passive(model, m.q, m.v)
    assert np.linalg.norm(found) > 0.1
    assert relative(found, naive.loads(model, m.q, m.v)) < TWIN


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_bias_obeys_lagranges_equations(seed):
    """`dM/dt v - ½ ∂(vᵀMv)/∂q + ∂U/∂q`, with the Lie bracket's part where velocities are along body axes."""
    model = random_forest(seed, bodies=8, springs=True, armature=True)
    q, v, *_ = random_motion(model, seed)

    def M(x):
        return naive.mass_matrix(model, x)

    momentum = naive.mass_matrix(model, q, armature=False) @ v
    expected = (
        rate(model, lambda x: M(x) @ v, q, v)
        - 0.5 * gradient(model, lambda x: v @ M(x) @ v, q)
        + naive.lie_term(model, v, momentum)
        + gradient(model, lambda x: naive.potential_energy(model, x), q)
    )
    found = dynamics.bias(model, q, v) - dynamics.passive(model, q, np.zeros(model.nv))
    assert relative(found, expected) < DIFFERENCE_PRECISION


# --- laws ---


def test_derivative_of_inverse_dynamics_by_acceleration_is_the_mass_matrix(case):
    model, m = case
    M = mass_matrix(model, m.q)
    assert relative(M, naive.mass_matrix(model, m.q)) < TWIN
    np.testing.assert_allclose(M, M.T, atol=1e-12 * np.abs(M).max())
    assert np.all(np.linalg.eigvalsh(M) > 0)


def test_forward_dynamics_is_the_mass_matrix_solved(case):
    model, m = case
    M = mass_matrix(model, m.q)
    expected = np.linalg.solve(M, m.tau + dynamics.passive(model, m.q, m.v) - dynamics.bias(model, m.q, m.v))
    assert relative(dynamics.forward(model, m.q, m.v, m.tau), expected) < TWIN


def test_inverse_undoes_forward_and_forward_undoes_inverse(case):
    model, m = case
    vdot = dynamics.forward(model, m.q, m.v, m.tau, m.external)
    assert relative(dynamics.inverse(model, m.q, m.v, vdot, m.external), m.tau) < ROUND_TRIP
    tau = dynamics.inverse(model, m.q, m.v, m.vdot, m.external)
    assert relative(dynamics.forward(model, m.q, m.v, tau, m.external), m.vdot) < ROUND_TRIP


def test_hybrid_with_nothing_prescribed_is_forward_and_with_all_inverse(case):
    model, m = case
    none, everything = np.zeros(model.nv, bool), np.ones(model.nv, bool)
    vdot, tau = dynamics.hybrid(model, m.q, m.v, prescribed=none, vdot=m.vdot, tau=m.tau, external=m.external)
    assert relative(vdot, dynamics.forward(model, m.q, m.v, m.tau, m.external)) < TWIN
    np.testing.assert_array_equal(tau, m.tau)
    vdot, tau = dynamics.hybrid(model, m.q, m.v, prescribed=everything, vdot=m.vdot, tau=m.tau, external=m.external)
    np.testing.assert_array_equal(vdot, m.vdot)
    assert relative(tau, dynamics.inverse(model, m.q, m.v, m.vdot, m.external)) < TWIN


def test_hybrid_keeps_what_was_given_and_leaves_its_arguments_alone(case):
    model, m = case
    given = np.arange(model.nv) % 2 == 0
    before = [array.copy() for array in m]
    vdot, tau = dynamics.hybrid(model, m.q, m.v, prescribed=given, vdot=m.vdot, tau=m.tau, external=m.external)
    np.testing.assert_array_equal(vdot[given], m.vdot[given])
    np.testing.assert_array_equal(tau[~given], m.tau[~given])
    for array, copy in zip(m, before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_efforts_and_accelerations_of_the_unused_side_do_not_matter(case):
    model, m = case
    given = np.arange(model.nv) % 2 == 0
    vdot, tau = dynamics.hybrid(model, m.q, m.v, prescribed=given, vdot=m.vdot, tau=m.tau)
    other_vdot, other_tau = np.where(given, m.vdot, np.nan), np.where(given, np.nan, m.tau)
    again = dynamics.hybrid(model, m.q, m.v, prescribed=given, vdot=other_vdot, tau=other_tau)
    np.testing.assert_array_equal(again[0], vdot)
    np.testing.assert_array_equal(again[1], tau)


@pytest.mark.parametrize("seed", SEEDS)
def test_rate_of_the_mass_matrix_less_twice_coriolis_is_skew(seed):
    """Where coordinates are vectors, C by Christoffel's symbols is the polarisation of the quadratic bias."""
    model = random_forest(seed, kinds=VECTOR, gravity=(0.0, 0.0, 0.0))
    q, v, *_ = random_motion(model, seed)

    def b(u):
        return dynamics.bias(model, q, u)

    C = np.stack([(b(v + e) - b(v - e)) / 4 for e in np.eye(model.nv)], axis=1)
    assert relative(C @ v, b(v)) < TWIN
    N = rate(model, lambda x: mass_matrix(model, x), q, v) - 2 * C
    assert np.linalg.norm(C) > 0.1
    assert np.abs(N + N.T).max() < 100 * DIFFERENCE_PRECISION * max(1, np.abs(C).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_velocity_products_do_no_work_beyond_the_rate_of_the_mass_matrix(seed):
    """`vᵀ (dM/dt) v = 2 vᵀ C v` on forests of all joint types; and the dense C makes `dM/dt - 2 C` skew."""
    model = random_forest(seed, gravity=(0.0, 0.0, 0.0))
    q, v, *_ = random_motion(model, seed)
    Mdot = rate(model, lambda x: mass_matrix(model, x), q, v)
    assert abs(v @ Mdot @ v) > 1e-3
    power = 2 * v @ dynamics.bias(model, q, v)
    assert v @ Mdot @ v == pytest.approx(power, rel=1e-7, abs=1e-7)
    C = naive.coriolis(model, q, v)
    assert relative(dynamics.bias(model, q, v), C @ v) < TWIN
    N = Mdot - 2 * C
    assert np.abs(N + N.T).max() < 100 * DIFFERENCE_PRECISION * max(1, np.abs(C).max())


def test_bias_without_gravity_is_quadratic_in_the_velocities(case):
    model, m = case
    weight = dynamics.bias(model, m.q, np.zeros(model.nv))
    once, twice = dynamics.bias(model, m.q, m.v) - weight, dynamics.bias(model, m.q, 2 * m.v) - weight
    assert relative(twice, 4 * once) < TWIN


# --- gravity and external wrenches ---


@pytest.mark.parametrize("seed", SEEDS)
def test_weight_is_the_gradient_of_the_potential(seed):
    model = random_forest(seed)
    q = model.random(seed)
    weight = dynamics.bias(model, q, np.zeros(model.nv))
    assert np.linalg.norm(weight) > 1
    height = gradient(model, lambda x: dynamics.energy(model, x, np.zeros(model.nv)).potential, q)
    assert relative(weight, height) < DIFFERENCE_PRECISION
    J, _ = kinematics.center_of_gravity_jacobian(model, q)
    assert relative(weight, -model.mass * J.T @ model.gravity) < TWIN


def test_wrench_at_a_point_is_the_transposed_jacobian(case):
    """A world force f at point r of a body: external (r x Rᵀf, Rᵀf) acts as the effort Jᵀ f."""
    model, m = case
    rng = np.random.default_rng(4)
    for body in model.bodies:
        f, r = rng.normal(size=3), rng.normal(size=3)
        local = kinematics.body_poses(model, m.q).rotation[body.index].T @ f
        external = np.zeros((model.body_count, 6))
        external[body.index] = [*np.cross(r, local), *local]
        pushed = dynamics.inverse(model, m.q, m.v, m.vdot, external)
        alone = dynamics.inverse(model, m.q, m.v, m.vdot)
        expected = kinematics.point_jacobian(model, m.q, body.name, r).T @ f
        assert relative(alone - pushed, expected) < TWIN
        given = dynamics.forward(model, m.q, m.v, m.tau, external)
        assert relative(given, dynamics.forward(model, m.q, m.v, m.tau + expected)) < ROUND_TRIP


@pytest.mark.parametrize("seed", SEEDS)
def test_action_and_reaction_cancel_on_bodies_without_a_ground(seed):
    """Opposite forces at one point of two bodies of a free tree: its total momentum does not change."""
    model = random_forest(seed, bodies=6, kinds=("ball", "revolute", "universal"), roots=0.0, gravity=(0.0, 0.0, 0.0))
    model = floating(model)
    q = model.random(seed)
    poses = kinematics.body_poses(model, q)
    rng = np.random.default_rng(seed)
    x, f = rng.normal(size=3), rng.normal(size=3)
    external = np.zeros((model.body_count, 6))
    for i, sign in ((0, 1.0), (model.body_count - 1, -1.0)):
        R, p = poses.rotation[i], poses.position[i]
        external[i] = sign * np.concatenate([R.T @ np.cross(x - p, f), R.T @ f])
    vdot = dynamics.forward(model, q, np.zeros(model.nv), np.zeros(model.nv), external)
    assert np.linalg.norm(vdot) > 0.1
    change = dynamics.momentum(model, q, vdot, about=np.zeros(3))
    np.testing.assert_allclose(change.linear, np.zeros(3), atol=1e-11)
    np.testing.assert_allclose(change.angular, np.zeros(3), atol=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_free_fall_moves_no_joint(seed):
    """A free tree at rest under gravity falls as one: all joint accelerations vanish but the root's, which is g."""
    model = floating(random_forest(seed, kinds=("ball", "revolute", "universal", "planar", "prismatic"), roots=0.0))
    q = model.random(seed)
    vdot = dynamics.forward(model, q, np.zeros(model.nv), np.zeros(model.nv))
    np.testing.assert_allclose(vdot[6:], 0, atol=1e-11)
    np.testing.assert_allclose(vdot[:3], 0, atol=1e-11)
    A = kinematics.body_accelerations(model, q, np.zeros(model.nv), vdot)
    np.testing.assert_allclose(A[:, 3:], np.broadcast_to(model.gravity, (model.body_count, 3)), atol=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_dynamics_does_not_depend_on_where_the_world_is(seed):
    """The whole model and its gravity seen from a turned and shifted world: same accelerations, same power."""
    model = random_forest(seed, springs=True, armature=True)
    m = random_motion(model, seed)
    rng = np.random.default_rng(seed)
    X = Pose(tuple(rng.normal(size=3)), random_quaternion(rng))
    builder = ModelBuilder("moved", gravity=tuple(X.matrix @ model.gravity))
    for spec in model.specs:
        builder.add(spec if spec.parent else dataclasses.replace(spec, place=X @ spec.place))
    moved = builder.build()
    here, there = (dynamics.forward(x, m.q, m.v, m.tau, m.external) for x in (model, moved))
    assert relative(there, here) < ROUND_TRIP
    V, W = (kinematics.body_velocities(x, m.q, m.v) for x in (model, moved))
    np.testing.assert_allclose(W[:, :3], V[:, :3] @ X.matrix.T, atol=1e-12)
    np.testing.assert_allclose(W[:, 3:], V[:, 3:] @ X.matrix.T, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_power_of_wrenches_is_the_power_of_the_efforts_they_amount_to(seed):
    """`Σ F·V`, wrenches and twists along body axes, is `tau·v` with tau what inverse dynamics is spared by them."""
    model = random_forest(seed)
    m = random_motion(model, seed)
    R, V = kinematics.body_poses(model, m.q).rotation, kinematics.body_velocities(model, m.q, m.v)
    in_body = np.concatenate([np.einsum("nji,nj->ni", R, V[:, :3]), np.einsum("nji,nj->ni", R, V[:, 3:])], axis=1)
    spared = dynamics.inverse(model, m.q, m.v, m.vdot) - dynamics.inverse(model, m.q, m.v, m.vdot, m.external)
    power = float(np.sum(in_body * m.external))
    assert abs(power) > 0.1
    assert spared @ m.v == pytest.approx(power, rel=1e-10)


# --- long chains ---


@pytest.mark.parametrize("kind", ["ball", "revolute", "universal"])
def test_digits_are_kept_along_a_chain_of_two_hundred_links(kind):
    model = random_forest(0, bodies=200, kinds=(kind,), roots=0.0)
    m = random_motion(model, 0)
    vdot = dynamics.forward(model, m.q, m.v, m.tau)
    assert relative(dynamics.inverse(model, m.q, m.v, vdot), m.tau) < 1e-9


def test_straight_chain_of_balls_keeps_its_digits():
    """Rounding noise in the blocks that vanish in theory must not grow from ball to ball."""
    builder = ModelBuilder("rope")
    for i in range(100):
        builder.add_body(
            f"link_{i}",
            f"link_{i - 1}" if i else "",
            "ball",
            place=Pose((0.0, -0.1 if i else 0.0, 0.0)),
            mass=0.1,
            center_of_mass=(0.0, -0.05, 0.0),
            inertia=(1e-4, 1e-5, 1e-4, 0.0, 0.0, 0.0),
        )
    model = builder.build()
    m = random_motion(model, 1)
    q = model.integrate(model.neutral(), 0.1 * m.v)
    vdot = dynamics.forward(model, q, m.v, m.tau)
    # The accelerations are of order 1e5 and each effort is a sum of products with them.
    scale = np.abs(vdot).max() * model.dofs["inertia"].max()
    assert np.abs(dynamics.inverse(model, q, m.v, vdot) - m.tau).max() < 1e-11 * scale
