"""Laws that every material keeps: no energy and no stress in a rotation, stress is the gradient of energy."""

import itertools

import numpy as np
import pytest

from checks import DIFFERENCE_PRECISION, derivative
from flesh_models import MATERIALS, POISSON, YOUNG, deformation, material_row, random_rotation
from stringless.flesh.kernels_diagonal import compose, decompose
from stringless.flesh.materials import registry, stvk
from stringless.flesh.wrap import lame, stretch_floor

ROUNDING = 1e-12
"""Of stresses and energies of order one, in units of Lamé's mu; a few dozen operations."""
SMALL = 1e-6
"""Strain of the small-strain tests: what is quadratic in it is a millionth of the stress."""
RANDOM = 4000
IN_RANGE = ((1.05, 1.0, 0.97), (1.1, 1.1, 0.95), (1.02, 1.02, 1.02))
OUT_OF_RANGE = (
    (1.5, 1.0, 0.9),
    (1.1, 1.0, 0.5),
    (1.6, 1.5, 0.4),
    (2.0, 2.0, 2.0),
    (0.3, 0.3, 0.3),
    (1.0, 0.7, 0.0),
)
INVERTED = (
    (1.0, 0.9, -0.6),
    (1.4, 1.4, -0.2),
    (0.55, 0.5, -0.35),
    (2.0, 1.0, -0.8),
    (3.0, 2.5, -2.0),
    # Where it chooses another axis to come back by, and close to that.
    (1.2, 0.6, -0.6),
    (1.2, 0.6, -0.55),
    (1.0, 1.0, -1.0),
    (1.0, 0.97, -0.96),
    (2.0, 1.5, -1.49),
    (0.05, 0.04, -0.03),
)
POISSONS = (0.05, 0.33, 0.45)


def law(F, row):
    """Energy density and stress at F by principal stretches, the form that holds everywhere."""
    u, v, w, s, a, b, e = decompose(tuple(F.ravel()))
    psi, p = registry.by_stretch(s, row)
    return psi, np.reshape(compose(u, v, w, p, a, b, e), (3, 3))


@pytest.mark.parametrize("name", MATERIALS)
@pytest.mark.parametrize("poisson", POISSONS)
def test_rotation_costs_nothing(name, poisson):
    row = material_row(name, poisson=poisson)
    rng = np.random.default_rng(1)
    for _ in range(20):
        R = random_rotation(rng)
        psi, P = law(R, row)
        inside, P_plain = registry.plain(tuple(R.ravel()), row)
        assert inside
        scale = row.mu + row.lam
        assert abs(psi) < ROUNDING * scale
        assert np.abs(P).max() < ROUNDING * scale
        assert np.abs(P_plain).max() < ROUNDING * scale


@pytest.mark.parametrize("name", MATERIALS)
@pytest.mark.parametrize("poisson", POISSONS)
@pytest.mark.parametrize("stretches", IN_RANGE + OUT_OF_RANGE + INVERTED)
def test_stress_is_the_gradient_of_energy(name, poisson, stretches):
    row = material_row(name, poisson=poisson)
    F = deformation(np.random.default_rng(2), stretches)
    psi, P = law(F, row)
    slope = np.empty((3, 3))
    for i, j in itertools.product(range(3), range(3)):
        step = np.zeros((3, 3))
        step[i, j] = 1.0
        slope[i, j] = derivative(lambda t, step=step: law(F + t * step, row)[0])
    scale = row.mu + row.lam
    assert np.abs(slope).max() > 1e-3 * scale, "a slope of zero would prove nothing"
    assert np.abs(P - slope).max() < 10 * DIFFERENCE_PRECISION * scale
    assert psi > 0


@pytest.mark.parametrize("name", MATERIALS)
@pytest.mark.parametrize("stretches", IN_RANGE)
def test_plain_stress_equals_stress_by_stretch_within_the_range(name, stretches):
    row = material_row(name)
    F = deformation(np.random.default_rng(3), stretches)
    inside, P = registry.plain(tuple(F.ravel()), row)
    assert inside
    assert np.abs(P).max() > 1e-3 * row.mu
    np.testing.assert_allclose(np.reshape(P, (3, 3)), law(F, row)[1], rtol=0, atol=ROUNDING * (row.mu + row.lam))


@pytest.mark.parametrize("stretches", OUT_OF_RANGE + INVERTED)
def test_neo_hookean_is_plain_everywhere(stretches):
    row = material_row("neo_hookean")
    F = deformation(np.random.default_rng(3), stretches)
    inside, P = registry.plain(tuple(F.ravel()), row)
    assert inside
    np.testing.assert_allclose(np.reshape(P, (3, 3)), law(F, row)[1], rtol=0, atol=10 * ROUNDING * (row.mu + row.lam))


@pytest.mark.parametrize("name", MATERIALS)
@pytest.mark.parametrize("others", [(1.2, 0.6), (0.9, 0.9), (2.0, 1.6), (0.03, 0.02)])
def test_stress_is_continuous_where_an_inverted_element_changes_its_axis(name, others):
    row = material_row(name)
    rng = np.random.default_rng(8)
    U, V = random_rotation(rng), random_rotation(rng)
    s0, s1 = others
    near, far = (law(U @ np.diag(s) @ V.T, row) for s in ((s0, s1 + 1e-9, -s1), (s0, s1, -s1 - 1e-9)))
    # Slopes are of order ten (lam + mu), curvatures of a hundred of it; the distance is 1e-9.
    assert near[0] > 0.1 * row.mu
    assert near[0] == pytest.approx(far[0], abs=1e-7 * (row.mu + row.lam))
    assert np.abs(near[1] - far[1]).max() < 1e-6 * (row.mu + row.lam)


@pytest.mark.parametrize("name", MATERIALS)
def test_stress_is_indifferent_to_rotation(name):
    """`P(R F) = R P(F)` and, for an isotropic law, `P(F R) = P(F) R`."""
    row = material_row(name)
    rng = np.random.default_rng(4)
    for stretches in IN_RANGE + OUT_OF_RANGE + INVERTED:
        F, R = deformation(rng, stretches), random_rotation(rng)
        P = law(F, row)[1]
        atol = 100 * ROUNDING * (row.mu + row.lam)
        np.testing.assert_allclose(law(R @ F, row)[1], R @ P, rtol=0, atol=atol)
        np.testing.assert_allclose(law(F @ R, row)[1], P @ R, rtol=0, atol=atol)


@pytest.mark.parametrize("name", MATERIALS)
@pytest.mark.parametrize("poisson", POISSONS)
def test_small_strain_is_linear_elasticity_with_the_given_constants(name, poisson):
    """`sigma = 2 mu eps + lam tr(eps) 1`; a bar free at its sides has Young's modulus E and Poisson's ratio nu."""
    row = material_row(name, poisson=poisson)
    mu, lam = lame(YOUNG, poisson)
    rng = np.random.default_rng(5)
    G = rng.normal(size=(3, 3))
    eps = SMALL * (G + G.T) / 2
    expected = 2 * mu * eps + lam * np.trace(eps) * np.eye(3)
    P = law(np.eye(3) + SMALL * G, row)[1]
    # What is quadratic in the strain, with a dozen terms of order lam.
    tolerance = 100 * SMALL * np.abs(expected).max()
    assert np.abs(expected).max() > 1e-7 * YOUNG
    np.testing.assert_allclose(P, expected, rtol=0, atol=tolerance)
    bar = law(np.diag([1 + SMALL, 1 - poisson * SMALL, 1 - poisson * SMALL]), row)[1]
    assert bar[0, 0] == pytest.approx(YOUNG * SMALL, rel=100 * SMALL)
    assert abs(bar[1, 1]) < 100 * SMALL * YOUNG * SMALL


def squared_stretches_in_range(F, row):
    squares = np.linalg.eigvalsh(F.T @ F)
    return np.linalg.det(F) > 0 and squares[0] > row.low and squares[-1] < row.high


@pytest.mark.parametrize("poisson", POISSONS)
def test_range_test_agrees_with_eigenvalues(poisson):
    """On random matrices, repeated stretches and inverted ones, beside the very edge where rounding decides."""
    row = material_row("stvk", poisson=poisson)
    low, high = np.sqrt(row.low), np.sqrt(row.high)
    rng = np.random.default_rng(6)
    found = {True: 0, False: 0}
    edge = 1e-7  # the double root of a repeated stretch is known to the root of rounding
    for k in range(RANDOM):
        s = rng.uniform(low - 0.2, high + 0.2, 3)
        if k % 4 == 1:
            s[1] = s[0]
        if k % 4 == 2:
            s[:] = s[0]
        if k % 8 == 3:
            s[2] = -s[2]
        if k % 8 == 7:
            s = rng.uniform(-3, 3, 3)
        if np.min(np.abs(np.concatenate([np.abs(s) - low, np.abs(s) - high]))) < edge:
            continue
        F = deformation(rng, s)
        inside = bool(registry.plain(tuple(F.ravel()), row)[0])
        assert inside == squared_stretches_in_range(F, row), s
        found[inside] += 1
    assert min(found.values()) > RANDOM / 20, "both answers must occur"


def test_rest_is_never_flagged():
    """The printed form of eqs. 18-19 sends a few per cent of rest elements to the decomposition."""
    row = material_row("stvk")
    rng = np.random.default_rng(7)
    assert all(registry.plain(tuple(random_rotation(rng).ravel()), row)[0] for _ in range(2000))


@pytest.mark.parametrize("poisson", POISSONS)
def test_stvk_pushes_back_from_flat_and_inverted(poisson):
    """Section 2.5: at s = 0 the own-axis stress is `-(lam + 2 mu) sL³` whatever the other stretches are."""
    row = material_row("stvk", poisson=poisson)
    low = np.sqrt(row.low)
    for others in ((1.0, 1.0), (1.2, 0.9), (2.0, 1.0)):
        flat = stvk.by_stretch((*others, 0.0), row)[1][2]
        assert flat == pytest.approx(-(row.lam + 2 * row.mu) * low**3, rel=1e-12)
        inverted = stvk.by_stretch((*others, -0.5), row)[1][2]
        assert inverted < flat


def test_lower_bound_rises_where_uniform_compression_would_be_unstable():
    assert stretch_floor(*lame(YOUNG, 0.3)) == 2 / 3
    mu, lam = lame(YOUNG, 0.45)
    assert stretch_floor(mu, lam) == pytest.approx(0.88 + 0.01, abs=0.01)
    low = stretch_floor(mu, lam)
    assert (1.5 * lam + 3 * mu) * low > 1.5 * lam + mu, "the own-axis tangent must be positive at the bound"


def test_every_material_has_its_own_code():
    codes = [kind.code for kind in registry.MATERIAL_TYPES.values()]
    assert len(set(codes)) == len(codes) >= 2
    assert set(MATERIALS) >= {"stvk", "neo_hookean"}
    rows = [material_row(name, poisson=POISSON) for name in MATERIALS]
    values = {registry.by_stretch((1.3, 1.0, 0.8), row)[0] for row in rows}
    assert len(values) == len(rows), "the dispatch must reach each law"
