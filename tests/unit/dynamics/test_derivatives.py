"""Derivatives of inverse, forward and hybrid dynamics: against differences, dense solves and Pinocchio."""

import dataclasses

import numpy as np
import pytest

from checks import DIFFERENCE_PRECISION, derivative, jacobian, relative
from models import KINDS, MOVING, floating, random_forest, random_inertia, random_motion, single
from stringless import dynamics
from stringless.dynamics.derivatives import forward_derivatives, hybrid_derivatives, inverse_derivatives
from stringless.dynamics.hybrid import mass_matrix
from stringless.errors import InputError
from stringless.model import JointSpec, ModelBuilder, Pose

ORACLE = 1e-9
"""Relative; against a dense solve with Pinocchio's derivatives of inverse dynamics, on chains in extended precision."""
CONSISTENT = 1e-11
"""Relative; two ways to solve with mass matrices of condition 1e3 to 1e4."""
PASSIVE = {"springs": True, "dampers": True, "armature": True}
SEEDS = range(3)


def forest(seed, **options):
    return random_forest(seed, bodies=9, **{**PASSIVE, **options})


@pytest.fixture(params=[*SEEDS, *MOVING])
def case(request):
    """A forest by its seed, or a single joint by its kind; with springs, dampers and armature."""
    model = forest(request.param) if isinstance(request.param, int) else single(request.param, **PASSIVE)
    return model, random_motion(model, 5)


def by_velocity(function, v):
    return np.stack([derivative(lambda s, e=e: function(v + s * e)) for e in np.eye(len(v))], axis=-1)


def assert_derivative(found, expected, precision=DIFFERENCE_PRECISION):
    assert np.linalg.norm(found) > 1e-2
    assert relative(found, expected) < precision


# --- against differences ---


def test_inverse_derivatives_are_differences(case):
    model, m = case
    dtau_dq, dtau_dv = inverse_derivatives(model, m.q, m.v, m.vdot, m.external)
    inverse = dynamics.inverse
    assert_derivative(dtau_dq, jacobian(model, lambda q: inverse(model, q, m.v, m.vdot, m.external), m.q))
    assert_derivative(dtau_dv, by_velocity(lambda v: inverse(model, m.q, v, m.vdot, m.external), m.v))


@pytest.mark.parametrize("seed", SEEDS)
def test_forward_derivatives_are_differences(seed):
    model = forest(seed)
    m = random_motion(model, seed)
    dvdot_dq, dvdot_dv, dvdot_dtau = forward_derivatives(model, m.q, m.v, m.tau, m.external)
    forward = dynamics.forward
    assert_derivative(dvdot_dq, jacobian(model, lambda q: forward(model, q, m.v, m.tau, m.external), m.q))
    assert_derivative(dvdot_dv, by_velocity(lambda v: forward(model, m.q, v, m.tau, m.external), m.v))
    assert_derivative(dvdot_dtau, by_velocity(lambda tau: forward(model, m.q, m.v, tau, m.external), m.tau))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_hybrid_derivatives_are_differences(seed, share):
    model = forest(seed)
    m = random_motion(model, seed)
    given = np.random.default_rng(seed).random(model.nv) < share
    assert 0 < np.count_nonzero(given) < model.nv
    found = hybrid_derivatives(model, m.q, m.v, given, m.vdot, m.tau, m.external)

    def unknowns(q, v):
        vdot, tau = dynamics.hybrid(model, q, v, prescribed=given, vdot=m.vdot, tau=m.tau, external=m.external)
        return np.where(given, tau, vdot)

    by_q = jacobian(model, lambda q: unknowns(q, m.v), m.q)
    by_v = by_velocity(lambda v: unknowns(m.q, v), m.v)
    for part, expected in ((found.dvdot_dq, by_q), (found.dvdot_dv, by_v)):
        assert_derivative(part[~given], expected[~given])
        np.testing.assert_array_equal(part[given], 0.0)
    for part, expected in ((found.dtau_dq, by_q), (found.dtau_dv, by_v)):
        assert_derivative(part[given], expected[given])
        np.testing.assert_array_equal(part[~given], 0.0)


@pytest.mark.parametrize("kind", ["ball", "free"])
@pytest.mark.parametrize("angle", [1e-6, 0.3, 2.0, 3.0])
def test_springs_on_the_manifold_are_differentiated_exactly(kind, angle):
    """From a spring that is all but slack to one that is turned by almost half a turn."""
    model = single(kind, springs=True, gravity=(0.0, 0.0, 0.0))
    rng = np.random.default_rng(3)
    turn = rng.normal(size=model.nv)
    turn[:3] *= angle / np.linalg.norm(turn[:3])
    q, still = model.integrate(model.q_rest.copy(), turn), np.zeros(model.nv)
    dtau_dq, _ = inverse_derivatives(model, q, still, still)
    expected = jacobian(model, lambda x: dynamics.inverse(model, x, still, still), q)
    assert_derivative(dtau_dq, expected)


# --- laws ---


def test_dampers_stand_on_the_diagonal():
    plain, damped = forest(0, springs=False, dampers=False), forest(0, springs=False)
    m = random_motion(plain, 0)
    (q0, v0), (q1, v1) = (inverse_derivatives(model, m.q, m.v, m.vdot) for model in (plain, damped))
    np.testing.assert_array_equal(q0, q1)
    assert relative(v1 - v0, np.diag(damped.dofs["damping"])) < 1e-13


def test_forward_is_the_dense_solve(case):
    model, m = case
    dvdot_dq, dvdot_dv, dvdot_dtau = forward_derivatives(model, m.q, m.v, m.tau, m.external)
    vdot = dynamics.forward(model, m.q, m.v, m.tau, m.external)
    dtau_dq, dtau_dv = inverse_derivatives(model, m.q, m.v, vdot, m.external)
    M = mass_matrix(model, m.q)
    assert relative(dvdot_dq, -np.linalg.solve(M, dtau_dq)) < CONSISTENT
    assert relative(dvdot_dv, -np.linalg.solve(M, dtau_dv)) < CONSISTENT
    assert relative(dvdot_dtau, np.linalg.inv(M)) < CONSISTENT
    np.testing.assert_array_equal(dvdot_dtau, dvdot_dtau.T)


def test_hybrid_with_nothing_and_with_everything_prescribed():
    model = forest(1)
    m = random_motion(model, 1)
    none, every = np.zeros(model.nv, bool), np.ones(model.nv, bool)
    free = hybrid_derivatives(model, m.q, m.v, none, m.vdot, m.tau, m.external)
    held = hybrid_derivatives(model, m.q, m.v, every, m.vdot, m.tau, m.external)
    dvdot_dq, dvdot_dv, _ = forward_derivatives(model, m.q, m.v, m.tau, m.external)
    dtau_dq, dtau_dv = inverse_derivatives(model, m.q, m.v, m.vdot, m.external)
    np.testing.assert_allclose(free.dvdot_dq, dvdot_dq, rtol=0, atol=CONSISTENT * np.abs(dvdot_dq).max())
    np.testing.assert_allclose(free.dvdot_dv, dvdot_dv, rtol=0, atol=CONSISTENT * np.abs(dvdot_dv).max())
    np.testing.assert_allclose(held.dtau_dq, dtau_dq, rtol=0, atol=CONSISTENT * np.abs(dtau_dq).max())
    np.testing.assert_allclose(held.dtau_dv, dtau_dv, rtol=0, atol=CONSISTENT * np.abs(dtau_dv).max())
    assert not np.any(free.dtau_dq)
    assert not np.any(held.dvdot_dv)


def test_the_order_of_the_bodies_does_not_matter():
    """Breadth first and depth first: the same numbers in another order."""
    specs = {spec.name: spec for spec in forest(3).specs}

    def depth(spec):
        return 1 + depth(specs[spec.parent]) if spec.parent else 0

    one, other = ModelBuilder("depth"), ModelBuilder("breadth")
    one.specs, other.specs = nested(specs.values()), sorted(specs.values(), key=depth)
    one, other = one.build(), other.build()
    index_q = np.concatenate([np.arange(one.nq)[one.joint(j.name).q_slice] for j in other.joints])
    index_v = np.concatenate([np.arange(one.nv)[one.joint(j.name).v_slice] for j in other.joints])
    assert np.any(np.diff(index_v) != 1)
    m = random_motion(one, 2)
    here = forward_derivatives(one, m.q, m.v, m.tau)
    there = forward_derivatives(other, m.q[index_q], m.v[index_v], m.tau[index_v])
    for a, b in zip(here, there, strict=True):
        assert relative(b, a[np.ix_(index_v, index_v)]) < CONSISTENT


def nested(specs, parent=""):
    return [x for spec in specs if spec.parent == parent for x in (spec, *nested(specs, spec.name))]


@pytest.mark.parametrize("seed", SEEDS)
def test_far_from_the_origin_no_digits_are_lost(seed):
    """Derivatives of a floating tree do not depend on where it is; a kilometre away they still agree."""
    model = floating(random_forest(seed, bodies=12, dampers=True))
    m = random_motion(model, seed)
    far = m.q.copy()
    for joint in model.joints:
        if model.bodies[joint.index].parent < 0:
            far[joint.q_slice][:3] += (700.0, -200.0, 600.0)
    here = forward_derivatives(model, m.q, m.v, m.tau)
    there = forward_derivatives(model, far, m.v, m.tau)
    for a, b in zip(here, there, strict=True):
        assert relative(b, a) < 1e-10


def test_a_tree_on_a_fixed_base_far_away_loses_no_digits():
    """The base stands at the origin, the tree hangs from it a kilometre away: its own root is the point of reference."""
    specs = random_forest(5, bodies=8, roots=0.0, kinds=MOVING, armature=True).specs
    near, far = ModelBuilder("near"), ModelBuilder("far")
    for builder, at in ((near, (0.0, 0.0, 0.0)), (far, (600.0, 0.0, 800.0))):
        builder.add_body("base", "", "fixed", mass=1.0)
        for spec in specs:
            place = spec.place if spec.parent else Pose(at, spec.place.rotation)
            builder.add(dataclasses.replace(spec, parent=spec.parent or "base", place=place))
    near, far = near.build(), far.build()
    m = random_motion(near, 5)
    for a, b in zip(forward_derivatives(near, m.q, m.v, m.tau), forward_derivatives(far, m.q, m.v, m.tau), strict=True):
        assert relative(b, a) < 1e-10


def test_what_was_in_the_scratch_before_does_not_matter():
    model = forest(2)
    m = random_motion(model, 2)
    before = forward_derivatives(model, m.q, m.v, m.tau)
    spoilt = forward_derivatives(model, np.full(model.nq, np.nan), m.v, m.tau)
    assert np.isnan(spoilt[0]).any()
    for a, b in zip(before, forward_derivatives(model, m.q, m.v, m.tau), strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_model_that_cannot_move_has_empty_derivatives():
    builder = ModelBuilder("rock")
    builder.add_body("rock", mass=1.0)
    model = builder.build()
    for found in forward_derivatives(model, [], [], []):
        assert found.shape == (0, 0)
    for found in inverse_derivatives(model, [], [], []):
        assert found.shape == (0, 0)


# --- what may be passed ---


def test_lists_do_as_well_as_arrays():
    model = single("revolute")
    for a, b in zip(
        forward_derivatives(model, [0.3], [1], [2]),
        forward_derivatives(model, np.array([0.3]), np.array([1.0]), np.array([2.0])),
        strict=True,
    ):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("word", "arguments"),
    [
        ("'q'", ([0.0, 0.0], [0.0], [0.0])),
        ("'v'", ([0.0], [0.0, 0.0], [0.0])),
        ("'tau'", ([0.0], [0.0], [0.0, 0.0])),
        ("'external'", ([0.0], [0.0], [0.0], np.zeros((2, 6)))),
    ],
)
def test_wrong_shapes_are_refused(word, arguments):
    with pytest.raises(InputError, match=word):
        forward_derivatives(single("revolute"), *arguments)


def test_a_mask_of_numbers_is_refused():
    with pytest.raises(InputError, match="'prescribed'"):
        hybrid_derivatives(single("revolute"), [0.0], [0.0], [1.0], [0.0], [0.0])


# --- against Pinocchio: derivatives of inverse dynamics there, dense solve here ---


def extended_solve(A, B):
    """Gaussian elimination with pivots in extended precision."""
    A, B = A.astype(np.longdouble), B.astype(np.longdouble)
    n = len(A)
    for k in range(n):
        p = k + int(np.argmax(np.abs(A[k:, k])))
        A[[k, p]], B[[k, p]] = A[[p, k]], B[[p, k]]
        factors = A[k + 1 :, k : k + 1] / A[k, k]
        A[k + 1 :] -= factors * A[k]
        B[k + 1 :] -= factors * B[k]
    for k in range(n - 1, -1, -1):
        B[k] = (B[k] - A[k, k + 1 :] @ B[k + 1 :]) / A[k, k]
    return B


def oracle(model, q, v, tau, external=None):
    """Accelerations and their derivatives by q, v and tau; dampers and armature added here."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed")
    from crosscode.pinocchio_twin import Twin

    twin = Twin(model)
    G = twin.G(q)
    M = twin.mass_matrix(q) + np.diag(model.dofs["armature"])
    damping = model.dofs["damping"]
    right = tau - damping * v - twin.inverse(q, v, np.zeros(model.nv), external)
    vdot = extended_solve(M, right[:, None])[:, 0].astype(float)
    there = [twin.q(q), G @ v, G @ vdot]
    if external is not None:
        there.append(twin.forces(external))
    dq, dv, _ = pin.computeRNEADerivatives(twin.peer, twin.data, *there)
    dq, dv = G.T @ dq @ G, G.T @ dv @ G + np.diag(damping)
    return vdot, (dq, dv), [extended_solve(M, B).astype(float) for B in (-dq, -dv, np.eye(model.nv))]


@pytest.mark.parametrize("seed", range(6))
def test_forests_against_the_dense_oracle(seed):
    kinds = [kind for kind in KINDS if kind != "planar"]  # whose velocity means something else there
    model = random_forest(seed, bodies=15, kinds=kinds, dampers=True, armature=True)
    m = random_motion(model, seed)
    vdot, inverse, forward = oracle(model, m.q, m.v, m.tau, m.external)
    for found, expected in zip(inverse_derivatives(model, m.q, m.v, vdot, m.external), inverse, strict=True):
        assert_derivative(found, expected, ORACLE)
    for found, expected in zip(forward_derivatives(model, m.q, m.v, m.tau, m.external), forward, strict=True):
        assert_derivative(found, expected, ORACLE)


@pytest.mark.parametrize("links", [10, 30])
@pytest.mark.parametrize("kind", ["revolute", "ball"])
def test_long_chains_against_the_dense_oracle(kind, links):
    """Where Pinocchio's own derivatives of forward dynamics lose all digits (30 balls)."""
    rng = np.random.default_rng(links)
    builder = ModelBuilder("chain")
    for i in range(links):
        axes = (tuple(rng.normal(size=3)),) if kind == "revolute" else ()
        builder.add_body(
            f"link_{i}",
            f"link_{i - 1}" if i else "",
            JointSpec(kind=kind, axes=axes),
            place=Pose((0.0, -0.2 if i else 0.0, 0.0)),
            mass=0.5,
            center_of_mass=(0.0, -0.1, 0.01),
            inertia=random_inertia(rng, 0.5, size=0.07),
        )
    model = builder.build()
    m = random_motion(model, links)
    q = model.integrate(model.neutral(), 0.3 * m.v)
    _, _, forward = oracle(model, q, m.v, m.tau)
    for found, expected in zip(forward_derivatives(model, q, m.v, m.tau), forward, strict=True):
        assert_derivative(found, expected, ORACLE)
