"""Poses, velocities, accelerations, Jacobians and their rates: against matrices, and by differences."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from checks import DIFFERENCE_PRECISION, derivative, jacobian, rate, relative
from models import MOVING, floating, forest_or_joint, random_forest, random_motion
from naive import kinematics as naive
from stringless import kinematics
from stringless.errors import InputError

ROUND_OFF = 1e-12
"""Relative, after a product of some ten matrices."""
SEEDS = range(4)
POINT = np.array([0.3, -0.2, 0.5])


@pytest.fixture(params=[*SEEDS, *MOVING])
def case(request):
    """A forest by its seed, or a single joint by its kind."""
    model = forest_or_joint(request.param)
    return model, random_motion(model, 3)


def in_world(model, q, twists):
    """Twists of body frames (6, ...) per body, turned to world axes."""
    turned = []
    for T, V in zip(naive.poses(model, q), twists, strict=True):
        R = T[:3, :3]
        turned.append(np.concatenate([R @ V[:3], R @ V[3:]]))
    return np.array(turned)


def test_poses_are_products_of_matrices(case):
    model, m = case
    poses = kinematics.body_poses(model, m.q)
    assert poses.position.shape == (model.body_count, 3)
    assert poses.rotation.shape == (model.body_count, 3, 3)
    for i, T in enumerate(naive.poses(model, m.q)):
        np.testing.assert_allclose(poses.rotation[i], T[:3, :3], atol=ROUND_OFF)
        np.testing.assert_allclose(poses.position[i], T[:3, 3], atol=ROUND_OFF)


def test_velocities_are_jacobians_times_v(case):
    model, m = case
    found = kinematics.body_velocities(model, m.q, m.v)
    expected = in_world(model, m.q, [J @ m.v for J in naive.body_jacobians(model, m.q)])
    assert relative(found, expected) < ROUND_OFF
    for i in range(model.body_count):
        np.testing.assert_allclose(kinematics.body_jacobian(model, m.q, i) @ m.v, found[i], atol=100 * ROUND_OFF)


def test_linear_velocities_are_the_rates_of_positions(case):
    model, m = case
    moved = rate(model, lambda q: kinematics.body_poses(model, q).position, m.q, m.v)
    if any(joint.kind.name not in ("ball", "revolute", "universal") for joint in model.joints):
        assert np.linalg.norm(moved) > 0.1
    assert relative(kinematics.body_velocities(model, m.q, m.v)[:, 3:], moved) < DIFFERENCE_PRECISION


def test_angular_velocities_are_the_rates_of_rotations(case):
    model, m = case
    turned = rate(model, lambda q: kinematics.body_poses(model, q).rotation, m.q, m.v)
    R = kinematics.body_poses(model, m.q).rotation
    w = kinematics.body_velocities(model, m.q, m.v)[:, :3]
    for i in range(model.body_count):
        np.testing.assert_allclose(turned[i] @ R[i].T, naive.skew(w[i]), atol=100 * DIFFERENCE_PRECISION)


def test_accelerations_are_the_rates_of_velocities(case):
    model, m = case

    def velocity(t):
        return kinematics.body_velocities(model, model.integrate(m.q, m.v, t), m.v + t * m.vdot)

    found = kinematics.body_accelerations(model, m.q, m.v, m.vdot)
    assert np.linalg.norm(found) > 0.1
    assert relative(found, derivative(velocity)) < DIFFERENCE_PRECISION


@pytest.mark.parametrize("body", [0, -1])
def test_jacobian_of_a_point_is_its_derivative_by_q(case, body):
    model, m = case
    body = model.bodies[body]

    def position(q):
        poses = kinematics.body_poses(model, q)
        return poses.position[body.index] + poses.rotation[body.index] @ POINT

    J = kinematics.point_jacobian(model, m.q, body.name, POINT)
    assert J.shape == (3, model.nv)
    np.testing.assert_allclose(J, jacobian(model, position, m.q), atol=10 * DIFFERENCE_PRECISION)
    if body.joint.nv or body.parent >= 0:
        assert np.linalg.norm(J) > 0.1
    np.testing.assert_array_equal(kinematics.body_jacobian(model, m.q, body.index, POINT)[3:], J)


def test_rate_of_a_jacobian_is_its_derivative_in_time(case):
    model, m = case
    for body in model.bodies:
        found = kinematics.body_jacobian_rate(model, m.q, m.v, body.name, POINT)
        expected = rate(model, lambda q, b=body: kinematics.body_jacobian(model, q, b.name, POINT), m.q, m.v)
        assert relative(found, expected) < DIFFERENCE_PRECISION
        np.testing.assert_array_equal(kinematics.point_jacobian_rate(model, m.q, m.v, body.name, POINT), found[3:])
    if all(joint.kind.name not in ("translational", "prismatic", "revolute") for joint in model.joints):
        assert np.linalg.norm(found) > 0.01


def test_jacobian_and_rate_give_the_acceleration_of_a_point(case):
    """xdd = J vdot + dJ/dt v, and for the origin it is `body_accelerations`."""
    model, m = case
    expected = kinematics.body_accelerations(model, m.q, m.v, m.vdot)
    for body in model.bodies:
        J = kinematics.body_jacobian(model, m.q, body.name)
        Jdot = kinematics.body_jacobian_rate(model, m.q, m.v, body.name)
        assert relative(J @ m.vdot + Jdot @ m.v, expected[body.index]) < ROUND_OFF


def test_jacobians_are_the_naive_ones_turned_to_world_axes(case):
    model, m = case
    T, J = naive.poses(model, m.q), naive.body_jacobians(model, m.q)
    for i in range(model.body_count):
        turn = np.kron(np.eye(2), T[i][:3, :3])
        assert relative(kinematics.body_jacobian(model, m.q, i), turn @ J[i]) < ROUND_OFF


# --- centre of gravity ---


def test_centre_of_gravity_is_the_weighted_mean(case):
    model, m = case
    sums = np.zeros(3)
    for T, spec in zip(naive.poses(model, m.q), model.specs, strict=True):
        sums += spec.mass * (T @ np.append(spec.center_of_mass, 1.0))[:3]
    np.testing.assert_allclose(kinematics.center_of_gravity(model, m.q).position, sums / model.mass, atol=ROUND_OFF)


def test_velocity_of_the_centre_of_gravity_is_its_rate(case):
    model, m = case
    found = kinematics.center_of_gravity(model, m.q, m.v).velocity
    assert np.linalg.norm(found) > 1e-2
    moved = rate(model, lambda q: kinematics.center_of_gravity(model, q).position, m.q, m.v)
    np.testing.assert_allclose(found, moved, atol=DIFFERENCE_PRECISION)
    np.testing.assert_array_equal(kinematics.center_of_gravity(model, m.q).velocity, np.zeros(3))


def test_jacobian_of_the_centre_of_gravity_and_its_rate_are_derivatives(case):
    model, m = case
    J, Jdot = kinematics.center_of_gravity_jacobian(model, m.q, m.v)
    assert np.linalg.norm(J) > 0.01
    np.testing.assert_allclose(J @ m.v, kinematics.center_of_gravity(model, m.q, m.v).velocity, atol=ROUND_OFF)
    by_q = jacobian(model, lambda q: kinematics.center_of_gravity(model, q).position, m.q)
    np.testing.assert_allclose(J, by_q, atol=DIFFERENCE_PRECISION)
    in_time = rate(model, lambda q: kinematics.center_of_gravity_jacobian(model, q)[0], m.q, m.v)
    np.testing.assert_allclose(Jdot, in_time, atol=DIFFERENCE_PRECISION)
    np.testing.assert_array_equal(kinematics.center_of_gravity_jacobian(model, m.q)[0], J)
    np.testing.assert_array_equal(kinematics.center_of_gravity_jacobian(model, m.q)[1], np.zeros_like(J))


# --- special cases ---


def test_digits_do_not_suffer_far_from_the_worlds_origin():
    """A free tree moved by a kilometre keeps its Jacobians to the digits that a position of a kilometre leaves."""
    model = floating(random_forest(1, kinds=("ball", "revolute"), bodies=5, roots=0.0))
    q = model.random(1)
    far = q.copy()
    far[:3] += 1e3
    near_J, far_J = (kinematics.body_jacobian(model, x, model.bodies[-1].name, POINT) for x in (q, far))
    np.testing.assert_allclose(far_J, near_J, atol=1e-12)


def test_rotations_stay_orthogonal_down_a_long_chain():
    model = random_forest(0, bodies=60, kinds=("revolute", "ball", "universal"), roots=0.0)
    R = kinematics.body_poses(model, model.random(0)).rotation
    np.testing.assert_allclose(np.einsum("nij,nkj->nik", R, R), np.broadcast_to(np.eye(3), (60, 3, 3)), atol=1e-13)
    np.testing.assert_allclose(Rotation.from_matrix(R).as_matrix(), R, atol=1e-13)


# --- arguments ---

CALLS = {
    "body_poses q": (lambda m, bad: kinematics.body_poses(m, bad), "q", "nq"),
    "body_velocities q": (lambda m, bad: kinematics.body_velocities(m, bad, np.zeros(m.nv)), "q", "nq"),
    "body_velocities v": (lambda m, bad: kinematics.body_velocities(m, m.neutral(), bad), "v", "nv"),
    "body_accelerations vdot": (
        lambda m, bad: kinematics.body_accelerations(m, m.neutral(), np.zeros(m.nv), bad),
        "vdot",
        "nv",
    ),
    "body_accelerations v": (
        lambda m, bad: kinematics.body_accelerations(m, m.neutral(), bad, np.zeros(m.nv)),
        "v",
        "nv",
    ),
    "body_jacobian q": (lambda m, bad: kinematics.body_jacobian(m, bad, 0), "q", "nq"),
    "point_jacobian q": (lambda m, bad: kinematics.point_jacobian(m, bad, 0), "q", "nq"),
    "body_jacobian_rate v": (lambda m, bad: kinematics.body_jacobian_rate(m, m.neutral(), bad, 0), "v", "nv"),
    "point_jacobian_rate v": (lambda m, bad: kinematics.point_jacobian_rate(m, m.neutral(), bad, 0), "v", "nv"),
    "center_of_gravity q": (lambda m, bad: kinematics.center_of_gravity(m, bad), "q", "nq"),
    "center_of_gravity v": (lambda m, bad: kinematics.center_of_gravity(m, m.neutral(), bad), "v", "nv"),
    "center_of_gravity_jacobian v": (
        lambda m, bad: kinematics.center_of_gravity_jacobian(m, m.neutral(), bad),
        "v",
        "nv",
    ),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("bad", [np.zeros(1), np.zeros((1, 1)), 0.0])
def test_wrong_shape_is_refused_by_name(call, bad):
    model = random_forest(0)
    function, name, count = CALLS[call]
    with pytest.raises(InputError) as caught:
        function(model, bad)
    message = str(caught.value)
    assert f"'{name}' for model 'forest_0'" in message
    assert f"has shape {np.shape(bad)}" in message
    assert f"expected ({getattr(model, count)},)" in message


@pytest.mark.parametrize("function", [kinematics.body_jacobian, kinematics.point_jacobian])
def test_wrong_point_is_refused_by_body(function):
    model = random_forest(0)
    with pytest.raises(InputError, match=r"'point' on body 'body_2' has shape \(2,\), expected \(3,\)"):
        function(model, model.neutral(), "body_2", (1.0, 2.0))


def test_unknown_body_is_refused_by_name():
    model = random_forest(0)
    with pytest.raises(InputError, match="model 'forest_0' has no body 'bodi_2'. Did you mean 'body_"):
        kinematics.body_jacobian(model, model.neutral(), "bodi_2")


@pytest.mark.parametrize("function", [kinematics.body_jacobian, kinematics.point_jacobian])
def test_point_that_is_no_position_is_refused_by_body(function):
    model = random_forest(0)
    with pytest.raises(InputError, match="'point' on body 'body_2' is not a position"):
        function(model, model.neutral(), "body_2", "tip")
