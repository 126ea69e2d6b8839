"""Elastic forces: no net force or torque, minus the gradient of the energy, nothing for a rigid motion; the patch test."""

import numpy as np
import pytest

from checks import derivative
from flesh_models import (
    MATERIALS,
    TET,
    YOUNG,
    block,
    clustered,
    deformation,
    energy,
    forces,
    material_row,
    random_rotation,
    tables,
)
from stringless.flesh.stability import step_limit, stiffness
from stringless.flesh.wrap import lame
from stringless.model.flesh import freeze_flesh

ROUNDING = 1e-12
"""Sums of a few hundred forces, relative to the largest."""
DIFFERENCE = 1e-8
"""Fourth-order differences of the energy, relative to the largest force: the energy is a sum over the cage."""
SELECTIVE = 1e-10
"""Selective and full diagonalization, relative to the largest force (the issue's number)."""
TETS = np.array([[0, 1, 2, 3]])

# Random displacement as a share of a cell, and whether elements are then beyond the range, and inverted.
STATES = {"in range": 0.005, "beyond the range": 0.25, "inverted": 1.2}


def cage(material="stvk", **options):
    nodes, tets, inner = block(jitter=0.25, **options)
    filled = np.random.default_rng(9).uniform(0.2, 1.0, len(tets))
    return tables(nodes, tets, material=material, filled=filled), nodes, tets, inner


def shaken(nodes, amount, seed=1):
    return nodes + amount * 0.1 * np.random.default_rng(seed).uniform(-1, 1, nodes.shape)


def gradients(nodes, tets, x):
    Dm = np.swapaxes(nodes[tets[:, 1:]] - nodes[tets[:, :1]], 1, 2)
    Ds = np.swapaxes(x[tets[:, 1:]] - x[tets[:, :1]], 1, 2)
    return Ds @ np.linalg.inv(Dm)


@pytest.mark.parametrize("state", STATES)
def test_states_are_what_their_names_say(state):
    flesh, nodes, tets, _ = cage()
    x = shaken(nodes, STATES[state])
    det = np.linalg.det(gradients(nodes, tets, x))
    flagged = forces(flesh, x)[1]
    assert (flagged > 0) == (state != "in range")
    assert (det.min() < 0) == (state == "inverted")


@pytest.mark.parametrize("material", MATERIALS)
@pytest.mark.parametrize("state", STATES)
def test_forces_and_torques_sum_to_zero(material, state):
    flesh, nodes, _, _ = cage(material)
    x = shaken(nodes, STATES[state]) + [3.0, -2.0, 1.0]
    f, _ = forces(flesh, x)
    scale = np.abs(f).max()
    assert scale > 0
    assert np.abs(f.sum(axis=0)).max() < ROUNDING * scale * len(f)
    assert np.abs(np.cross(x, f).sum(axis=0)).max() < 10 * ROUNDING * scale * len(f)


@pytest.mark.parametrize("material", MATERIALS)
@pytest.mark.parametrize("state", STATES)
def test_force_is_minus_the_gradient_of_energy(material, state):
    flesh, nodes, _, _ = cage(material)
    x = shaken(nodes, STATES[state])
    f, _ = forces(flesh, x)
    slope = np.zeros_like(f)
    for i in range(0, len(x), 3):
        for k in range(3):
            e = np.zeros_like(x)
            e[i, k] = 1.0
            slope[i, k] = derivative(lambda t, e=e: energy(flesh, x + t * e), 1e-5)
    scale = np.abs(f).max()
    assert np.abs(slope).max() > 0.1 * scale
    assert np.abs(f + slope)[::3].max() < 100 * DIFFERENCE * scale


@pytest.mark.parametrize("material", MATERIALS)
def test_rigid_motion_gives_no_force_and_no_energy(material):
    flesh, nodes, _, _ = cage(material)
    R = random_rotation(np.random.default_rng(3))
    x = nodes @ R.T + [5.0, -3.0, 2.0]
    f, flagged = forces(flesh, x)
    stiff = YOUNG * 0.1  # a cell strained by one
    assert np.abs(f).max() < 1e-11 * stiff  # nodes far from the origin lose two digits
    assert flagged == 0
    assert abs(energy(flesh, x)) < 1e-12 * YOUNG * 0.3 * 0.2 * 0.2
    assert np.abs(forces(flesh, nodes * 1.001)[0]).max() > 1e-5 * stiff, "and a strain does"


@pytest.mark.parametrize("material", MATERIALS)
@pytest.mark.parametrize("stretches", [(1.05, 1.0, 0.96), (1.6, 1.0, 0.5), (1.2, 0.9, -0.4)])
def test_patch_an_affine_deformation_leaves_inner_nodes_in_equilibrium(material, stretches):
    """All elements of an irregular cage see the same stress, so that inner nodes feel none; the outer ones do."""
    nodes, tets, inner = block(counts=(4, 4, 4), size=(0.4, 0.4, 0.4), jitter=0.25)
    assert inner.sum() == 27
    flesh = tables(nodes, tets, material=material)
    x = nodes @ deformation(np.random.default_rng(4), stretches).T + [1.0, 2.0, 3.0]
    f, flagged = forces(flesh, x)
    assert flagged == (len(tets) if material == "stvk" and stretches[0] != 1.05 else 0)
    scale = np.abs(f[~inner]).max()
    assert scale > 0.01
    assert np.abs(f[inner]).max() < 1e-11 * scale


@pytest.mark.parametrize("material", MATERIALS)
def test_patch_outer_forces_are_stress_times_area(material):
    nodes, tets, _ = block(counts=(3, 3, 3), size=(0.3, 0.3, 0.3), jitter=0.2)
    flesh = tables(nodes, tets, material=material)
    F = np.diag([1.04, 1.0, 1.0])
    f, _ = forces(flesh, nodes @ F)
    mu, lam = lame(YOUNG, 0.33)
    if material == "stvk":
        E = 0.5 * (1.04**2 - 1)
        expected = 1.04 * (2 * mu + lam) * E * 0.09
    else:
        row = material_row("neo_hookean")
        m, l = 4 / 3 * row.mu, row.lam + 5 / 6 * row.mu
        expected = (m * (1 - 1 / (1.04**2 + 3)) * 1.04 + l * (1.04 - 1 - 0.75 * m / l)) * 0.09
    pull = f[nodes[:, 0] > 0.3 - 1e-9].sum(axis=0)
    assert pull[0] == pytest.approx(-expected, rel=1e-11)
    assert np.abs(pull[1:]).max() < 1e-11 * expected


@pytest.mark.parametrize("material", MATERIALS)
@pytest.mark.parametrize("state", STATES)
def test_selective_and_full_diagonalization_agree(material, state):
    flesh, nodes, tets, _ = cage(material)
    x = shaken(nodes, STATES[state])
    f, some = forces(flesh, x)
    f_full, every = forces(flesh, x, full=True)
    scale = np.abs(f).max()
    assert scale > 0
    assert every == len(tets)
    assert some < every or state == "inverted"
    assert np.abs(f - f_full).max() < SELECTIVE * scale


def test_more_elements_than_lanes_and_two_materials_in_one_table():
    """Batches of flagged elements end where the material ends, each with its own law."""
    parts = []
    for material, young, at in (("stvk", 30e3, 0.0), ("stvk", 90e3, 5.0), ("neo_hookean", 50e3, 10.0)):
        nodes, tets, _ = block(counts=(3, 3, 3), size=(0.3, 0.3, 0.3), jitter=0.2)
        parts.append(tables(nodes + [at, 0, 0], tets, material=material, young=young).specs[0])
    together = freeze_flesh(parts, {}, {}, {})
    x = np.concatenate([shaken(part.nodes, 0.6, seed=k) for k, part in enumerate(parts)])
    for full in (False, True):
        f, flagged = forces(together, x, full=full)
        assert flagged > 64
        start = 0
        for part in parts:
            end = start + len(part.nodes)
            alone, _ = forces(freeze_flesh([part], {}, {}, {}), x[start:end].copy(), full=full)
            assert np.abs(alone).max() > 1
            np.testing.assert_allclose(f[start:end], alone, rtol=0, atol=ROUNDING * np.abs(alone).max())
            start = end


@pytest.mark.parametrize("material", MATERIALS)
def test_linear_stiffness_is_the_slope_of_the_force_at_rest(material):
    flesh, nodes, tets, _ = cage(material)
    spec = flesh.specs[0]
    K = stiffness(nodes, tets, spec.filled, *spec.lame).toarray()
    slope = np.empty_like(K)
    for column in range(K.shape[1]):
        e = np.zeros(nodes.size)
        e[column] = 1.0
        slope[:, column] = derivative(lambda t, e=e: forces(flesh, nodes + t * e.reshape(-1, 3))[0].ravel(), 1e-5)
    assert np.abs(K).max() > 1.0
    np.testing.assert_allclose(slope, -K, rtol=0, atol=1e-7 * np.abs(K).max())
    np.testing.assert_allclose(K, K.T, rtol=0, atol=ROUNDING * np.abs(K).max())
    assert np.linalg.eigvalsh(K)[0] > -1e-9 * np.abs(K).max()


CRUSHES = {
    "flat": np.diag([1.0, 1.0, 0.0]),
    "inverted": np.diag([1.0, 1.0, -0.8]),
    "inverted and turned": np.array([[0.0, 1.2, 0.1], [0.9, 0.0, 0.3], [0.1, 0.2, 1.1]]),
    "a line": np.diag([1.0, 0.0, 0.0]) + 1e-3 * np.array([[0, 1, 2], [3, 1, -1], [1, -2, 1.0]]),
    "small": 0.1 * np.eye(3),
    "long": np.diag([3.0, 0.5, 0.5]),
}


@pytest.mark.parametrize("material", MATERIALS)
@pytest.mark.parametrize("poisson", [0.3, 0.45])
@pytest.mark.parametrize("crush", CRUSHES)
def test_crushed_element_recovers(material, poisson, crush):
    nodes = 0.1 * TET
    masses = clustered(nodes, TETS)
    flesh = tables(nodes, TETS, material=material, poisson=poisson, masses=masses)
    K = stiffness(nodes, TETS, np.ones(1), *flesh.specs[0].lame)
    h = 0.3 * step_limit(K, masses, np.ones(4, bool))
    x = nodes @ CRUSHES[crush].T
    if material == "neo_hookean" and crush == "flat":
        x[3, 2] += 1e-4  # a symmetric law has no reason to prefer a side at exactly flat
    v = np.zeros_like(x)
    start = energy(flesh, x)
    assert start > 0.01 * YOUNG * 0.1**3 / 6
    for _ in range(3000):
        f, _ = forces(flesh, x)
        v = (v + h * f / masses[:, None]) / (1 + 0.05)
        x = x + h * v
    F = gradients(nodes, TETS, x)[0]
    assert np.linalg.det(F) == pytest.approx(1.0, abs=1e-6)
    np.testing.assert_allclose(F.T @ F, np.eye(3), rtol=0, atol=1e-6)
    assert energy(flesh, x) < 1e-6 * start
