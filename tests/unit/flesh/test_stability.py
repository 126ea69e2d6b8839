"""The longest stable step, the mass floor that guarantees a wanted one, and contact as firm as a step allows."""

import numpy as np
import pytest
from scipy import linalg

from flesh_models import block, clustered, energy, forces, tables
from stringless.flesh.stability import (
    BONE_SHARE,
    CONTACT_SHARE,
    LIGHTEST,
    MARGIN,
    contact_gains,
    raise_masses,
    step_limit,
    stiffness,
)

STEPS = 3000
"""At 1.05 of the limit the worst mode grows by 1.9 a step: hundreds are enough to see it, thousands to trust the rest."""
SMALL = 1e-6
"""Displacement as a share of a cell: far within the linear range."""


def small_cage(filled=None):
    nodes, tets, _ = block(counts=(3, 2, 2), size=(0.12, 0.08, 0.08), jitter=0.2)
    filled = np.ones(len(tets)) if filled is None else filled
    flesh = tables(nodes, tets, filled=filled, masses=clustered(nodes, tets))
    return flesh, stiffness(nodes, tets, filled, *flesh.specs[0].lame)


def vibrate(flesh, masses, h, fixed=None, steps=STEPS):
    """Largest displacement, relative to the first, of an undamped vibration by symplectic Euler."""
    rest = flesh.specs[0].nodes
    hold = np.zeros(len(rest), bool) if fixed is None else fixed
    start = SMALL * 0.04 * np.random.default_rng(1).uniform(-1, 1, rest.shape) * ~hold[:, None]
    start -= start.mean(axis=0) if fixed is None else 0.0
    x, v = rest + start, np.zeros_like(rest)
    worst = 1.0
    for _ in range(steps):
        f, _ = forces(flesh, x)
        v += h * f / masses[:, None] * ~hold[:, None]
        x = x + h * v
        worst = np.abs(x - rest).max() / np.abs(start).max()
        if worst > 1e3:
            break
    return worst


def exact_limit(K, masses, free):
    keep = np.repeat(free, 3)
    square = linalg.eigh(K.toarray()[np.ix_(keep, keep)], np.diag(np.repeat(masses[free], 3)), eigvals_only=True)[-1]
    return 2 / np.sqrt(square)


def test_limit_agrees_with_the_largest_eigenvalue():
    flesh, K = small_cage()
    masses = flesh.specs[0].masses
    for free in (np.ones(len(masses), bool), flesh.specs[0].nodes[:, 0] > 1e-9):
        limit = step_limit(K, masses, free)
        # The power iteration can only come near from above; a percent is far below the margin of 0.7.
        assert 0.999 * exact_limit(K, masses, free) <= limit < 1.01 * exact_limit(K, masses, free)
    assert step_limit(K, masses, np.zeros(len(masses), bool)) == np.inf


def test_limit_holds_with_uneven_masses():
    """M⁻¹K is then far from symmetric, and the length of `M⁻¹K x` alone no bound."""
    flesh, K = small_cage()
    masses = flesh.specs[0].masses * 10 ** np.random.default_rng(2).uniform(-2, 1, len(flesh.specs[0].masses))
    free = np.ones(len(masses), bool)
    assert step_limit(K, masses, free) == pytest.approx(exact_limit(K, masses, free), rel=0.01)


@pytest.mark.parametrize("held", [False, True])
def test_stable_below_the_limit_and_unstable_above(held):
    flesh, K = small_cage()
    masses = flesh.specs[0].masses
    fixed = (flesh.specs[0].nodes[:, 0] < 1e-9) & held
    limit = step_limit(K, masses, ~fixed)
    assert vibrate(flesh, masses, 0.95 * limit, fixed) < 100
    assert vibrate(flesh, masses, 1.05 * limit, fixed) > 1e3


def test_mass_floor_guarantees_the_step():
    rng = np.random.default_rng(3)
    flesh, K = small_cage(filled=10 ** rng.uniform(-2, 0, 72))
    masses = flesh.specs[0].masses * 10 ** rng.uniform(-4, 0, len(flesh.specs[0].masses))
    free = flesh.specs[0].nodes[:, 0] > 1e-9
    dt = 2e-3
    assert step_limit(K, masses, free) < 0.5 * dt, "without the floor the step must be too long"
    floor = raise_masses(K, masses, free, dt)
    # The power iteration comes near from above, the search goes to 1/256: no less, and hardly more, than is needed.
    assert 0.99 * dt / MARGIN < exact_limit(K, floor.masses, free) < 1.03 * dt / MARGIN
    assert vibrate(flesh, floor.masses, dt, ~free) < 100
    assert vibrate(flesh, masses, dt, ~free) > 1e3


def test_mass_floor_reports_what_it_adds():
    flesh, K = small_cage()
    masses = flesh.specs[0].masses.copy()
    masses[5] = 1e-9
    free = np.ones(len(masses), bool)
    free[0] = False
    masses[0] = 1e-9
    floor = raise_masses(K, masses, free, 1e-6)
    assert floor.raised == 1
    assert floor.masses[0] == 1e-9, "a fixed node belongs to its bone"
    assert floor.masses[5] == pytest.approx(LIGHTEST * np.median(masses))
    assert floor.added == pytest.approx(floor.masses.sum() - masses.sum(), rel=1e-12)
    assert floor.added > 0
    longer = raise_masses(K, masses, free, 5e-3)
    assert longer.added > floor.added
    assert longer.raised > floor.raised
    assert np.all(longer.masses >= masses)


def test_nothing_is_added_where_nothing_is_needed():
    flesh, K = small_cage()
    masses = flesh.specs[0].masses + 1.0
    floor = raise_masses(K, masses, np.ones(len(masses), bool), 1e-6)
    assert (floor.added, floor.raised) == (0.0, 0)
    np.testing.assert_array_equal(floor.masses, masses)


def test_contact_stiffness_keeps_every_node_within_its_share():
    """`Σ_v w_vi kn_v <= CONTACT_SHARE m_i/dt²`, with a bone's share behind the nodes fixed to it."""
    rng = np.random.default_rng(4)
    masses = 10 ** rng.uniform(-4, -2, 30)
    corners = np.stack([rng.choice(30, 4, replace=False) for _ in range(60)])
    weights = rng.dirichlet(np.ones(4), 60)
    fixed = np.arange(30) < 6
    bones = tuple("ab"[i % 2] for i in range(30))
    dt = 1e-3
    stiffness, soft = contact_gains(corners, weights, masses, bones, fixed, dt)
    held = masses.copy()
    for name in "ab":
        group = fixed & (np.array(bones) == name)
        held[group] = np.maximum(held[group], BONE_SHARE * masses[group].sum())
    load, drag = np.zeros(30), np.zeros(30)
    np.add.at(load, corners, weights * stiffness[:, None])
    np.add.at(drag, corners, weights * soft[:, None])
    assert np.all(load <= CONTACT_SHARE * held / dt**2 * (1 + 1e-12))
    assert np.all(drag <= 0.35 * held / dt * (1 + 1e-12))
    assert stiffness.min() > 0
    assert soft.min() > 0
    halved, _ = contact_gains(corners, weights, masses, bones, fixed, dt / 2)
    np.testing.assert_allclose(halved, 4 * stiffness, rtol=1e-12)


def test_undamped_vibration_of_a_stretched_block_keeps_its_energy():
    """At the margin, started 20 % too long. (At 0.7 it is lost without damping: large stretch stiffens the law.)"""
    flesh, K = small_cage()
    spec = flesh.specs[0]
    h = MARGIN * step_limit(K, spec.masses, np.ones(len(spec.masses), bool))
    x = spec.nodes * [1.2, 0.95, 0.95]
    v = np.zeros_like(x)
    start = energy(flesh, x)
    totals = []
    for _ in range(STEPS):
        v += h * forces(flesh, x)[0] / spec.masses[:, None]
        x = x + h * v
        totals.append(energy(flesh, x) + 0.5 * float(np.sum(spec.masses[:, None] * v * v)))
    # Symplectic Euler at a step this long swings by tens of per cent about a nearby constant, without a trend.
    assert max(totals) < 1.5 * start
    assert abs(np.mean(totals[-500:]) - np.mean(totals[:500])) < 0.05 * start
