"""Characters are put at a height."""

import numpy as np
import pytest

import stringless as sl
from stringless.errors import InputError


@pytest.mark.parametrize("options", [{}, {"root": "free"}])
def test_the_lowest_point_of_flesh_is_at_the_height(options):
    sim = sl.Simulation(sl.load("worm", **options))
    sim.place(height=1.0)
    assert sim.surface_positions[:, 1].min() == pytest.approx(1.0, abs=1e-9)
    x = sim.center_of_gravity[0]
    sim.place(height=0.25)
    assert sim.surface_positions[:, 1].min() == pytest.approx(0.25, abs=1e-9)
    assert sim.center_of_gravity[0] == pytest.approx(x, abs=1e-12), "straight up and down"


def test_a_character_that_was_turned_goes_straight_up_too():
    sim = sl.Simulation(sl.load("humanoid"))
    q = sim.q.copy()
    turned = sim.model.integrate(q, np.concatenate([[0.3, 0.7, -0.4], np.zeros(sim.model.nv - 3)]))
    sim.set_state(turned)
    before = sim.body_poses()
    sim.place(height=2.0)
    after = sim.body_poses()
    moved = after.position - before.position
    assert np.abs(after.rotation - before.rotation).max() < 1e-12
    assert np.ptp(moved, axis=0).max() < 1e-9
    assert abs(moved[0, 1]) > 0.1
    assert np.abs(moved[:, [0, 2]]).max() < 1e-9
    assert np.all(sim.v == 0.0)


def test_what_hangs_on_the_world_stays():
    sim = sl.Simulation(sl.load("double_pendulum"))
    before = sim.q.copy()
    sim.place(height=1.0)
    assert np.array_equal(sim.q, before)


def test_a_height_that_is_none_is_refused():
    sim = sl.Simulation(sl.load("worm"))
    with pytest.raises(InputError, match="cannot place anything at height nan; expected a finite number"):
        sim.place(height=float("nan"))
