"""Finer cages of fish and finger: more elements, the same flesh."""

import numpy as np
import pytest

from stringless.scenes import load_scene

SAME_MASS = 1e-9
"""Relative: the filling of a cage is exact, whatever its elements."""


@pytest.mark.parametrize("name", ["fish", "dock", "finger"])
def test_slices_refine_the_cage_and_leave_the_flesh_as_it_is(name):
    coarse, fine = (load_scene(name, slices=slices, young=24e3).model.flesh.specs[0] for slices in (1, 2))

    assert len(fine.tets) == 2 * len(coarse.tets)
    assert fine.young == coarse.young == 24e3
    assert np.array_equal(fine.vertices, coarse.vertices)
    assert set(np.array(fine.bones)[fine.fixed]) == set(np.array(coarse.bones)[coarse.fixed])
    heavy, light = (part.masses.sum() - part.added_mass for part in (fine, coarse))
    assert heavy == pytest.approx(light, rel=SAME_MASS)


def test_fish_lies_where_it_is_told():
    assert load_scene("fish", at=0.2).q[0] == 0.2
