"""Arrays in few bytes come back as they were, or within half a cell of the grid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from stringless.errors import ProjectError
from stringless.timeline.chunk import Packed, pack

FINITE = st.floats(allow_nan=False, allow_infinity=False, width=64)


@given(hnp.arrays(np.float64, hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=7), elements=FINITE))
def test_numbers_come_back_to_the_last_bit(array):
    packed = Packed(pack({"a": array, "b": array[:0]}, {"why": ["so", 1.5, None]}))
    assert packed.about == {"why": ["so", 1.5, None]}
    assert packed["a"].tobytes() == array.tobytes()
    assert packed["a"].shape == array.shape
    assert packed["b"].shape == array[:0].shape


@given(
    hnp.arrays(
        np.float64,
        st.tuples(st.integers(1, 40), st.integers(1, 5), st.just(3)),
        elements=st.floats(-100, 100, allow_nan=False),
    )
)
def test_positions_are_rounded_to_the_grid(array):
    grid = 2.0**-17
    back = Packed(pack({"x": array}, None, {"x": grid}))["x"]
    assert np.abs(back - array).max() <= grid / 2
    assert np.array_equal(back / grid, np.rint(back / grid))


def test_positions_far_beyond_the_grid_are_kept_as_they_are():
    array = np.array([[[1e9, -3e12, 0.1]]])
    assert np.array_equal(Packed(pack({"x": array}, None, {"x": 1e-5}))["x"], array)


def test_smooth_motion_takes_about_a_byte_a_number():
    t = np.linspace(0, 1, 120)[:, None, None]
    rng = np.random.default_rng(1)
    x = 0.2 * np.sin(6 * t + rng.uniform(0, 6, (1, 200, 3)))
    assert len(pack({"x": x}, None, {"x": 2.0**-17})) < 1.2 * x.size


@pytest.mark.parametrize("data", [b"", b"\x01", b"\xff\xff\xff\xff", b"\x04\x00\x00\x00abcd", pack({}, 1)[:-3]])
def test_other_bytes_are_refused(data):
    with pytest.raises(ProjectError, match="cannot be read"):
        Packed(data)
