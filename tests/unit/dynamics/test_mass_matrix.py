"""The mass matrix: against the dense sum over the bodies, and the laws that bind it."""

import numpy as np
import pytest

from checks import relative
from models import MOVING, point_chain, random_forest, random_motion, single
from naive import dynamics as naive
from stringless import dynamics
from stringless.dynamics.hybrid import mass_matrix
from stringless.errors import InputError

PRECISION = 1e-12
"""Relative; sums of some hundred products."""


@pytest.fixture(params=[*range(5), *MOVING])
def case(request):
    model = (
        random_forest(request.param, bodies=14, armature=True, springs=True)
        if isinstance(request.param, int)
        else single(request.param, armature=True)
    )
    return model, random_motion(model, 3)


def test_it_is_the_dense_sum(case):
    model, m = case
    M = mass_matrix(model, m.q)
    assert np.linalg.norm(M) > 0.1
    assert relative(M, naive.mass_matrix(model, m.q)) < PRECISION


def test_it_is_symmetric_to_the_last_digit_and_positive(case):
    model, m = case
    M = mass_matrix(model, m.q)
    np.testing.assert_array_equal(M, M.T)
    assert np.linalg.eigvalsh(M).min() > 0


def test_its_columns_are_what_unit_accelerations_take(case):
    model, m = case
    nothing = dynamics.inverse(model, m.q, m.v, np.zeros(model.nv))
    columns = [dynamics.inverse(model, m.q, m.v, e) - nothing for e in np.eye(model.nv)]
    # The bias is taken away again, so its rounding is part of the difference.
    assert relative(mass_matrix(model, m.q), np.stack(columns, axis=1)) < 1e-11


def test_coordinates_of_different_trees_and_branches_have_nothing_in_common():
    model = random_forest(2, bodies=14)
    M = mass_matrix(model, random_motion(model, 0).q)
    ancestors = []
    for d in range(model.nv):
        up = int(model.dofs["parent"][d])
        ancestors.append({d} if up < 0 else ancestors[up] | {d})
    related = np.array([[a in ancestors[b] or b in ancestors[a] for a in range(model.nv)] for b in range(model.nv)])
    assert 0 < np.count_nonzero(related) < model.nv**2
    np.testing.assert_array_equal(M[~related], 0.0)


def test_double_pendulum_is_the_textbooks():
    """Two points of mass m on rods of length l: `m l² [[3 + 2c, 1 + c], [1 + c, 1]]`, c the cosine of the second angle."""
    model = point_chain(2, length=0.7, mass=1.3)
    c = np.cos(0.4)
    expected = 1.3 * 0.7**2 * np.array([[3 + 2 * c, 1 + c], [1 + c, 1.0]])
    np.testing.assert_allclose(mass_matrix(model, [0.9, 0.4]), expected, rtol=1e-14)


def test_a_wrong_length_is_refused():
    model = point_chain(2)
    with pytest.raises(InputError, match="'q'"):
        mass_matrix(model, np.zeros(3))
