"""Moving on the manifold: integrate and difference undo each other, the tangent is what it says, drawings obey limits."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from checks import DIFFERENCE_PRECISION, derivative, jacobian, relative
from models import KINDS, MOVING, random_forest, random_motion, random_quaternion, single
from naive import dynamics as naive_dynamics
from naive import kinematics as naive
from stringless.model import JointSpec, ModelBuilder
from stringless.model.joints import registry

ROUND_OFF = 1e-13
"""Some hundred operations on numbers of order one."""
SEEDS = range(4)


def quaternions(model, q):
    return [q[joint.q_slice][-4:] for joint in model.joints if joint.nv and not joint.kind.is_vector]


def hat(V):
    T = np.zeros((4, 4))
    T[:3, :3], T[:3, 3] = naive.skew(V[:3]), V[3:]
    return T


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", [1e-12, 1e-6, 1e-3, 0.3, 1.0])
def test_difference_undoes_integrate(seed, size):
    model = random_forest(seed)
    q, v, *_ = random_motion(model, seed)
    v = size * v
    assert np.linalg.norm(v) > 0
    # q itself is of order one, so a small step comes back with the rounding of q.
    np.testing.assert_allclose(model.difference(q, model.integrate(q, v)), v, atol=ROUND_OFF)
    np.testing.assert_allclose(model.difference(q, model.integrate(q, v, 0.5)), 0.5 * v, atol=ROUND_OFF)


@pytest.mark.parametrize("seed", SEEDS)
def test_integrate_undoes_difference(seed):
    model = random_forest(seed)
    rng = np.random.default_rng(seed)
    a, b = model.random(rng), model.random(rng)
    there = model.integrate(a, model.difference(a, b))
    for T, U in zip(naive.poses(model, there), naive.poses(model, b), strict=True):
        np.testing.assert_allclose(T, U, atol=100 * ROUND_OFF)
    assert np.linalg.norm(model.difference(a, b)) > 1


@pytest.mark.parametrize("seed", SEEDS)
def test_no_step_changes_nothing(seed):
    model = random_forest(seed)
    q = model.random(seed)
    np.testing.assert_allclose(model.integrate(q, np.zeros(model.nv)), q, atol=2e-16)
    np.testing.assert_allclose(model.difference(q, q), np.zeros(model.nv), atol=2e-16)


@pytest.mark.parametrize("kind", MOVING)
def test_steps_along_one_tangent_add_up(kind):
    model = single(kind)
    q, v, *_ = random_motion(model, 3)
    twice = model.integrate(model.integrate(q, v, 0.3), v, 0.4)
    np.testing.assert_allclose(model.difference(model.integrate(q, v, 0.7), twice), np.zeros(model.nv), atol=ROUND_OFF)


@pytest.mark.parametrize("kind", MOVING)
def test_tangent_is_the_joints_velocity(kind):
    """T_J⁻¹ dT_J/dt = S u, from poses by differences."""
    model = single(kind)
    q, v, *_ = random_motion(model, 5)
    spec = model.joints[0].spec
    Tdot = derivative(lambda t: naive.joint_matrix(spec, model.integrate(q, v, t)))
    body = np.linalg.inv(naive.joint_matrix(spec, q)) @ Tdot
    expected = hat(naive.joint_columns(spec, q) @ v)
    assert np.linalg.norm(expected) > 0.1
    np.testing.assert_allclose(body, expected, atol=DIFFERENCE_PRECISION)


@pytest.mark.parametrize("size", [1e-9, 0.99e-3, 1.01e-3, 0.5, 3.0])
def test_free_joint_moves_by_the_exponential_of_its_twist(size):
    model = single("free")
    q, v, *_ = random_motion(model, 1)
    v = size * v / np.linalg.norm(v[:3])
    spec = model.joints[0].spec
    expected = naive.joint_matrix(spec, q) @ expm(hat(v))
    np.testing.assert_allclose(naive.joint_matrix(spec, model.integrate(q, v)), expected, atol=ROUND_OFF)


@pytest.mark.parametrize("angle", [1e-12, 1e-9, 1e-4, 1.0, np.pi - 1e-9, np.pi - 1e-12])
def test_ball_difference_is_right_from_nothing_to_half_a_turn(angle):
    model = single("ball")
    rng = np.random.default_rng(2)
    q = np.array(random_quaternion(rng))
    x = angle * np.array([0.6, 0.0, 0.8])
    np.testing.assert_allclose(model.difference(q, model.integrate(q, x)), x, rtol=1e-15, atol=1e-15)


def test_quaternions_stay_unit_after_a_hundred_thousand_steps():
    model = random_forest(0, kinds=("ball", "free"), bodies=3)
    rng = np.random.default_rng(0)
    q, steps = model.random(rng), rng.normal(size=(100, model.nv))
    for k in range(100_000):
        q = model.integrate(q, steps[k % 100], 0.01)
    lengths = [np.linalg.norm(part) for part in quaternions(model, q)]
    assert len(lengths) == 3
    np.testing.assert_allclose(lengths, 1.0, atol=4e-16)


@pytest.mark.parametrize("kind", MOVING)
def test_rate_of_the_tangent_follows_the_motion(kind):
    """d/dt of x in q = q_0 ⊕ x is what `tangent_rate` says: the difference of the moved configuration, by differences.

    A free joint's series stops at the fourth power of x.
    """
    model = single(kind)
    q, u, *_ = random_motion(model, 8)
    x = 0.01 * np.random.default_rng(9).normal(size=model.nv)
    here = model.integrate(q, x)
    expected = derivative(lambda t: model.difference(q, model.integrate(here, u, t)))
    found = np.zeros(model.nv)
    registry.tangent_rate(model.tree.view(np.recarray)[0], x, u, found)
    assert np.linalg.norm(expected) > 0.1
    np.testing.assert_allclose(found, expected, atol=DIFFERENCE_PRECISION)


# --- springs ---


@pytest.mark.parametrize("seed", SEEDS)
def test_displacement_is_the_naive_one(seed):
    model = random_forest(seed, springs=True)
    q = model.random(seed)
    np.testing.assert_allclose(model.displacement(q), naive.stretch(model, q), atol=ROUND_OFF)
    np.testing.assert_allclose(model.displacement(model.q_rest), np.zeros(model.nv), atol=ROUND_OFF)
    with pytest.warns(DeprecationWarning, match=r"model\.stretch is called model\.displacement now"):
        np.testing.assert_array_equal(model.stretch(q), model.displacement(q))


@pytest.mark.parametrize("kind", MOVING)
def test_effort_of_a_spring_is_the_gradient_of_its_energy(kind):
    model = single(kind, springs=True, gravity=(0.0, 0.0, 0.0))
    q = model.integrate(model.q_rest, 0.5 * random_motion(model, 4).v)
    k = naive.coordinates(model, "stiffness")
    found = jacobian(model, lambda x: np.array(naive_dynamics.potential_energy(model, x)), q)
    assert np.linalg.norm(found) > 0.1
    assert relative(k * model.displacement(q), found) < DIFFERENCE_PRECISION


# --- random configurations ---


@pytest.mark.parametrize("kind", KINDS)
def test_random_configuration_is_valid_and_differs_from_draw_to_draw(kind):
    model = single(kind)
    rng = np.random.default_rng(0)
    drawn = np.array([model.random(rng) for _ in range(50)])
    assert drawn.shape == (50, model.nq)
    for q in drawn:
        np.testing.assert_allclose([np.linalg.norm(part) for part in quaternions(model, q)], 1.0, atol=1e-15)
    if model.nv:
        assert np.all(np.std(drawn, axis=0) > 0.1)
        np.testing.assert_array_equal(model.random(7), model.random(7))


@pytest.mark.parametrize(
    ("kind", "axes", "lower", "upper"),
    [
        ("revolute", ((0.0, 0.0, 1.0),), (-0.3,), (0.1,)),
        ("revolute", ((0.0, 0.0, 1.0),), (4.0,), (5.0,)),
        ("revolute", ((0.0, 0.0, 1.0),), (), (-4.0,)),
        ("prismatic", ((0.0, 0.0, 1.0),), (0.2,), ()),
        ("universal", ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)), (-0.1, 0.2), (0.0, 0.3)),
        ("planar", (), (-0.1, 0.2, 1.0), (0.0, 0.3, 1.0)),
        ("translational", (), (2.0, -0.1, -0.1), (3.0, 0.1, 0.1)),
        ("ball", ((0.0, 0.6, 0.8),), (0.0, -0.2, 0.0), (0.5, 0.3, 3.0)),
        ("ball", ((0.0, 0.6, 0.8),), (0.0, -2.0, 0.0), (2.0, 2.0, 0.4)),
    ],
)
def test_random_configuration_is_within_the_limits(kind, axes, lower, upper):
    joint = JointSpec(kind=kind, axes=axes, lower=lower, upper=upper)
    model = ModelBuilder("m").add_body("b", "", joint, mass=1.0, inertia=(0.1, 0.1, 0.1, 0, 0, 0)).build()
    rng = np.random.default_rng(1)
    row = model.tree.view(np.recarray)[0]
    count = len(model.limits)
    values = np.array([[registry.limit(row, model.random(rng), k)[0] for k in range(count)] for _ in range(200)])
    assert np.all(values >= model.limits["lower"] - 1e-12)
    assert np.all(values <= model.limits["upper"] + 1e-12)
    assert np.ptp(values[:, 0]) > 0.05


# --- limit coordinates ---


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("k", [0, 1, 2])
def test_ball_limit_is_the_angle_it_names_and_its_gradient_is_right(seed, k):
    rng = np.random.default_rng(seed)
    axis = np.array([0.0, 0.6, 0.8])
    joint = JointSpec(kind="ball", axes=(tuple(axis),), upper=(1.0, 1.0, 1.0))
    model = ModelBuilder("m").add_body("b", "", joint, mass=1.0, inertia=(0.1, 0.1, 0.1, 0, 0, 0)).build()
    row = model.tree.view(np.recarray)[0]
    q = np.array(random_quaternion(rng, 1.2))
    R = Rotation.from_quat(q)
    swing = np.arccos(axis @ R.apply(axis))
    # Twist: what is left of the turn when the shortest swing of the bone is taken back.
    n = np.cross(axis, R.apply(axis))
    left = Rotation.from_rotvec(-swing * n / np.linalg.norm(n)) * R
    expected = (swing, left.as_rotvec() @ axis, R.magnitude())[k]
    value, gradient = registry.limit(row, q, k)
    assert abs(value) > 0.05
    assert value == pytest.approx(expected, abs=1e-12)
    differences = jacobian(model, lambda x: np.array(registry.limit(row, x, k)[0]), q)
    assert np.linalg.norm(differences) > 0.5
    np.testing.assert_allclose(gradient, differences, atol=DIFFERENCE_PRECISION)
    # The sign of the quaternion means nothing.
    assert registry.limit(row, -q, k)[0] == pytest.approx(value, abs=1e-14)


@pytest.mark.parametrize("k", [0, 1, 2])
def test_ball_limits_are_finite_where_their_gradient_is_not_unique(k):
    joint = JointSpec(kind="ball", axes=((0.0, 0.0, 1.0),), upper=(1.0, 1.0, 1.0))
    model = ModelBuilder("m").add_body("b", "", joint, mass=1.0, inertia=(0.1, 0.1, 0.1, 0, 0, 0)).build()
    row = model.tree.view(np.recarray)[0]
    for q in ((0.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.6, 0.8, 0.0, 0.0)):
        value, gradient = registry.limit(row, np.array(q), k)
        assert np.isfinite(value)
        assert np.all(np.isfinite(gradient))
        assert np.linalg.norm(gradient) < 1 + 1e-12
