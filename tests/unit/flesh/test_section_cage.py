"""Cages drawn by hand: no gaps, mirrored, of the right size."""

import numpy as np
import pytest
from scipy.spatial import KDTree

from stringless.errors import InputError
from stringless.flesh.section_cage import cell_middles, centred_cage, diamond_cage

SECTIONS = [(0.0, 1.0, 2.0, 3.0), (1.0, 2.0, 2.0, 2.0), (2.5, 1.0, 1.0, 1.5), (3.0, 0.5, 0.5, 0.5)]


def bent_grid(counts=(3, 2, 2)):
    """Corners of cells of a barrel that is symmetric about the planes of y and z."""
    axes = [np.linspace(-1, 1, n + 1) for n in counts]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    grid[..., 1:] *= 1.2 - 0.3 * grid[..., :1] ** 2
    return grid


def is_mirrored(cage, axis):
    image = cage.nodes * np.where(np.arange(3) == axis, -1, 1)
    apart, twin = KDTree(cage.nodes).query(image)
    elements = {frozenset(tet) for tet in cage.tets.tolist()}
    return apart.max() < 1e-12 and {frozenset(tet) for tet in twin[cage.tets].tolist()} == elements


def enclosed(cage):
    """Volume within the outer faces."""
    faces, _ = cage.outer_faces
    a, b, c = np.swapaxes(cage.nodes[faces], 0, 1)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6


def test_diamonds_fill_their_outline():
    cage = diamond_cage(SECTIONS)
    assert (len(cage.nodes), len(cage.tets)) == (20, 36)
    assert cage.volumes.min() > 0
    assert cage.volumes.sum() == pytest.approx(enclosed(cage), rel=1e-12)
    assert is_mirrored(cage, 2)
    assert not is_mirrored(cage, 1)
    assert is_mirrored(diamond_cage([(x, w, up, up) for x, w, up, _ in SECTIONS]), 1)


def test_centred_cells_fill_their_outline():
    corners = bent_grid()
    cage, middle = centred_cage(corners)
    assert middle.shape == (3, 2, 2)
    assert len(cage.nodes) == 4 * 9 + 12
    np.testing.assert_allclose(cage.nodes[middle], cell_middles(corners))
    np.testing.assert_array_equal(cage.nodes[:36], corners.reshape(-1, 3))
    assert cage.volumes.min() > 0
    assert cage.volumes.sum() == pytest.approx(enclosed(cage), rel=1e-12)
    assert is_mirrored(cage, 1)
    assert is_mirrored(cage, 2)


def test_straight_cells_have_the_volume_of_their_box():
    grid = np.stack(np.meshgrid(*[np.arange(n + 1.0) for n in (2, 3, 4)], indexing="ij"), axis=-1)
    assert centred_cage(grid)[0].volumes.sum() == pytest.approx(24, rel=1e-12)


def test_middles_may_be_given():
    corners = bent_grid()
    cage, middle = centred_cage(corners, 0.9 * cell_middles(corners))
    np.testing.assert_allclose(cage.nodes[middle], 0.9 * cell_middles(corners))


def test_bad_sections_are_refused():
    with pytest.raises(InputError, match=r"sections: found an array of shape \(1, 4\)"):
        diamond_cage(SECTIONS[:1])
    with pytest.raises(InputError, match=r"corners: found an array of shape \(4, 3, 1, 3\)"):
        centred_cage(bent_grid()[:, :, :1])
