"""Obstacles of one tree looked at together: who is far from all of them is far from each."""

import numpy as np
import pytest

from stringless import Simulation, load
from stringless.contact import tables
from stringless.contact.kernels_shapes import OBSTACLE_ROW


def test_runs_end_where_the_tree_changes():
    obstacles = np.zeros(8, OBSTACLE_ROW)
    obstacles["body"] = (-1, -1, 0, 1, 2, 3, 4, 5)
    tables.mark_runs(obstacles, [0, 0, 2, 2, 2, 0])
    np.testing.assert_array_equal(obstacles["end"], (1, 2, 4, 4, 7, 7, 7, 8))


def test_nothing_at_all_has_no_runs():
    tables.mark_runs(np.zeros(0, OBSTACLE_ROW), [])


@pytest.mark.parametrize(("engine", "dt"), [("reduced", 1e-3), ("stiff", 1 / 100)])
def test_together_they_touch_what_each_touches(engine, dt, monkeypatch):
    def motion():
        sim = Simulation(load("playground"), engine=engine, dt=dt, record=0)
        touching = 0
        for _ in range(30):
            sim.advance(0.05)
            touching += len(sim.contact_points()[0])
        return touching, sim.q.copy()

    touching, q = motion()

    def apart(obstacles, root):
        obstacles["end"] = np.arange(len(obstacles)) + 1

    monkeypatch.setattr(tables, "mark_runs", apart)
    touching_apart, q_apart = motion()
    assert touching == touching_apart > 0
    np.testing.assert_array_equal(q, q_apart)
