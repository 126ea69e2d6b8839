"""Joints that hover at the border of a budget or an error do not begin and cease to move at every look."""

import numpy as np
import pytest

from adaptive_trees import swung

LOOKS = 30
NOISE = 0.03
"""By how much of themselves forces differ from look to look, as a root of the mean square."""


def sets_chosen(criterion, **choice):
    """The sets of joints chosen at many looks at a chain that is put back before each, under forces that tremble."""
    sim = swung(criterion=criterion, **choice)
    rng = np.random.default_rng(3)
    q, sets = sim.q.copy(), []
    for _ in range(LOOKS):
        sim.q[:], sim.v[:], sim.state.vdot[:] = q, 0.0, 0.0
        sim.external[::5, 3] = 0.05 * (1.0 + NOISE * rng.normal(size=8))
        sim.step(20)
        sets.append(sim.active_joints.copy())
    return np.array(sets)


@pytest.mark.parametrize("criterion", ["energy", "motion"])
@pytest.mark.parametrize("active", [1, 2, 3, 5, 8, 13])
def test_a_budget_is_spent_on_the_same_joints(active, criterion):
    sets = sets_chosen(criterion, active=active)
    assert (sets.sum(axis=1) == active).all()
    changes = np.any(sets[6:] != sets[5:-1], axis=1)
    assert changes.mean() <= 0.1, changes


@pytest.mark.parametrize("criterion", ["energy", "motion"])
def test_an_error_at_its_bound_changes_no_joints(criterion):
    """Bounds so near each other that for some of them the trembling forces lead over it and back."""
    worst, counts = 0.0, set()
    for bound in np.geomspace(1e-6, 1e-3, 25) if criterion == "energy" else np.geomspace(1e-3, 1.0, 25):
        sets = sets_chosen(criterion, max_error=float(bound))
        counts |= set(sets.sum(axis=1).tolist())
        worst = max(worst, float(np.any(sets[6:] != sets[5:-1], axis=1).mean()))
    assert len(counts) > 5, "the bounds matter"
    assert worst <= 0.1
