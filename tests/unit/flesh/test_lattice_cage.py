"""Cages of our own: symmetric, covering, deterministic, of the wanted size."""

import numpy as np
import pytest
from numba.core import config

from stringless.errors import InputError, ModelError
from stringless.flesh import lattice_cage as module
from stringless.flesh.embedding import OUTSIDE, embed
from stringless.flesh.fill import fill_cage
from stringless.flesh.generators import box, ellipsoid, sphere, torus
from stringless.flesh.lattice_cage import lattice_cage
from stringless.flesh.surface import Surface, join

compiled_only = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="a minute in plain Python; smaller cases remain")
ODD_BODY = ellipsoid((0.3, 0.1, -0.2), (0.5, 0.3, 0.2), 6, 7)


def is_mirrored(cage, axis, plane):
    """Whether mirroring maps nodes to nodes and elements to elements."""
    image = cage.nodes.copy()
    image[:, axis] = 2 * plane - image[:, axis]
    distance = np.linalg.norm(image[:, None] - cage.nodes[None], axis=2)
    to = distance.argmin(axis=1)
    if distance.min(axis=1).max() > 1e-12:
        return False
    before, after = ({tuple(sorted(tet)) for tet in tets} for tets in (cage.tets, to[cage.tets]))
    return before == after


@pytest.mark.parametrize(
    "options", [{"tets": 714}, {"cell": 0.03}, {"cell": (0.05, 0.03, 0.02)}, {"cells": (10, 4, 2)}]
)
def test_cage_has_the_symmetry_planes_of_the_surface(worm, options):
    cage = lattice_cage(worm.moved((1, 2, 3)), **options)
    for axis, plane in enumerate((1, 2, 3)):
        assert is_mirrored(cage, axis, plane)


@pytest.mark.parametrize("seed", range(3))
def test_symmetric_blobs(seed):
    rng = np.random.default_rng(seed)
    body = sphere((0, 0, 0), 1.0, 7, 8)
    radii = np.abs(body.vertices) @ rng.uniform(0.2, 1, 3)
    body = Surface(body.vertices * radii[:, None], body.triangles)
    cage = lattice_cage(body, tets=500)
    assert all(is_mirrored(cage, axis, 0) for axis in range(3))


def test_an_odd_number_of_cells_loses_one_plane_only(worm):
    cage = lattice_cage(worm, cells=(20, 3, 2))
    assert [is_mirrored(cage, axis, 0) for axis in range(3)] == [True, False, True]
    assert (len(cage.nodes), len(cage.tets)) == (244, 704)


def test_chosen_planes(worm):
    cage = lattice_cage(worm, tets=714, symmetric="z")
    assert is_mirrored(cage, 2, 0)
    assert len(cage.tets) == pytest.approx(714, rel=0.03)


@pytest.mark.parametrize(
    "body",
    [ODD_BODY, torus(0.1, 0.03, 12, 8), box((0, 0, 0), (1, 2, 3)), join(sphere(), sphere((3, 0.1, 0), 0.3))],
    ids=["ellipsoid", "torus", "box", "pieces"],
)
@pytest.mark.parametrize("tets", [100, pytest.param(700, marks=compiled_only)])
def test_every_element_holds_something_and_every_vertex_has_an_element(body, tets):
    cage = lattice_cage(body, tets=tets)
    assert np.all(cage.volumes > 0)
    assert len(np.unique(cage.tets)) == len(cage.nodes)
    fill = fill_cage(body, cage.nodes, cage.tets)
    assert np.all(fill.filled > 0)
    assert np.all(fill.node_volume > 0)
    assert fill.volume == pytest.approx(body.volume, rel=1e-12)
    np.testing.assert_allclose(fill.node_volume @ cage.nodes / fill.volume, body.center, atol=1e-12 * body.size)
    tet, weights = embed(body, cage)
    assert tet.min() >= 0
    assert weights.min() > OUTSIDE


@pytest.mark.parametrize("tets", [415, *(pytest.param(n, marks=compiled_only) for n in (714, 2000))])
def test_wanted_number_is_nearly_reached(worm, tets):
    assert len(lattice_cage(worm, tets=tets).tets) == pytest.approx(tets, rel=0.1)
    cage = lattice_cage(ODD_BODY, tets=tets)
    assert len(cage.tets) == pytest.approx(tets, rel=0.07)
    sides = [np.diff(np.unique(cage.nodes[:, axis].round(9))).max() for axis in range(3)]
    assert max(sides) <= 2.001 * min(sides)


@compiled_only
def test_search_finds_the_best_of_all_lattices():
    planes = [False, True, True]
    every = [c for c in set(module._candidates(ODD_BODY, 415, planes)) if 6 * np.prod(c) < 1500]
    numbers = [len(lattice_cage(ODD_BODY, cells=c).tets) for c in every]
    best = min(numbers, key=lambda n: abs(n - 415))
    assert len(every) > 20
    assert len(lattice_cage(ODD_BODY, tets=415).tets) == best


def test_fewer_than_possible_gives_the_fewest(worm):
    assert len(lattice_cage(worm, tets=1).tets) == 192  # cells of at most 2:1, an even number across


def test_cells_are_not_larger_than_wanted(worm):
    cage = lattice_cage(worm, cell=(0.03, 0.02, 0.04))
    numbers = [len(np.unique(cage.nodes[:, axis].round(9))) - 1 for axis in range(3)]
    assert numbers == [14, 4, 2]
    np.testing.assert_allclose(np.ptp(cage.nodes, axis=0), np.ptp(worm.bounds, axis=0))


def test_the_same_input_gives_the_same_cage(worm):
    first, second = (lattice_cage(worm, tets=400) for _ in range(2))
    assert np.array_equal(first.nodes, second.nodes)
    assert np.array_equal(first.tets, second.tets)


def test_a_spike_too_thin_to_fill_anything_keeps_its_vertex():
    """The tip reaches 1e-5 of a cell into elements whose filled part is lost in rounding."""
    body = box((0, 0, 0), (2, 2, 2), (2, 2, 2))
    vertices = body.vertices.copy()
    top = int(np.argmin(np.linalg.norm(vertices - (0, 1, 0), axis=1)))
    vertices[top, 1] += 1e-5
    # A small bump on a second, larger piece makes the lattice reach beyond.
    body = join(Surface(vertices, body.triangles), box((5, 0.5, 0), (1, 3, 1)))
    cage = lattice_cage(body, cells=(11, 6, 4))
    _, weights = embed(body, cage)
    assert weights.min() > OUTSIDE


def test_progress_is_told(worm):
    seen = []
    lattice_cage(worm, cells=(4, 2, 2), report=lambda *args: seen.append(args))
    assert seen == [(96, 96)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give exactly one of cell"),
        ({"cell": 0.1, "tets": 100}, "give exactly one of cell"),
        ({"cell": -1.0}, "cell: found -1.0; expected a positive length"),
        ({"cell": (0.1, 0.1)}, "cell: found .* expected a positive length or three"),
        ({"cell": 1e-4}, "cell: found 0.0001, which makes a lattice of .* expected at most 2,000,000. Choose larger"),
        ({"cells": (1, 0, 1)}, "cells: found .* expected three numbers of at least 1"),
        ({"cells": (1000, 1000, 1000)}, "cells: found .* expected a lattice of at most 2,000,000"),
        ({"tets": 0}, "tets: found 0; expected from 1 to 500,000"),
        ({"tets": 100, "symmetric": "xw"}, "symmetric: found 'xw'; expected some of the letters x, y and z"),
    ],
)
def test_bad_input_is_refused(worm, options, message):
    with pytest.raises(InputError, match=message):
        lattice_cage(worm, **options)


def test_open_surface_is_refused(worm):
    with pytest.raises(ModelError, match="edges with a triangle on one side only"):
        lattice_cage(Surface(worm.vertices, worm.triangles[1:]), tets=100)


def test_lost_vertices_bring_their_element_back(worm, monkeypatch):
    """Even if filling were to say that everything is empty but one element."""
    full = lattice_cage(worm, cells=(4, 2, 2))

    class Almost:
        filled = np.arange(96) == 0

    monkeypatch.setattr(module, "fill_cage", lambda *args, **kwargs: Almost)
    cage = lattice_cage(worm, cells=(4, 2, 2))
    assert 8 <= len(cage.tets) <= len(full.tets)
    _, weights = embed(worm, cage)
    assert weights.min() > OUTSIDE
