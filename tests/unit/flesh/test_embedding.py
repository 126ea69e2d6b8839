"""Vertices are carried by the element they lie in."""

import numpy as np
import pytest

from stringless.errors import ModelError
from stringless.flesh.cage import Cage
from stringless.flesh.embedding import OUTSIDE, embed, locate, triangle_distances
from stringless.flesh.generators import sphere
from stringless.flesh.lattice import lattice_nodes, lattice_tets
from stringless.flesh.lattice_cage import lattice_cage

CUBE = Cage(lattice_nodes(np.zeros(3), np.full(3, 0.5), (4, 4, 4)), lattice_tets((4, 4, 4)))


def test_weights_give_the_vertices_back(worm):
    cage = lattice_cage(worm, tets=500)
    tet, weights = embed(worm, cage)
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-14)
    assert weights.min() >= OUTSIDE
    np.testing.assert_allclose(np.einsum("ij,ijk->ik", weights, cage.nodes[cage.tets[tet]]), worm.vertices, atol=1e-15)


def test_random_points_against_trying_every_element():
    rng = np.random.default_rng(0)
    points = rng.uniform(-1, 1, (50, 3))
    tet, weights = locate(points, CUBE.nodes, CUBE.tets)
    for point, found, weight in zip(points, tet, weights, strict=True):
        systems = np.concatenate([np.swapaxes(CUBE.nodes[CUBE.tets], 1, 2), np.ones((len(CUBE.tets), 1, 4))], axis=1)
        every = np.linalg.solve(systems, np.array([*point, 1.0])[None, :, None])[:, :, 0]
        best = every.min(axis=1).argmax()
        assert best == found
        np.testing.assert_allclose(weight, every[best], atol=1e-13)


def test_points_on_nodes_and_faces_belong_to_the_lowest_element():
    tet, weights = locate(CUBE.nodes, CUBE.nodes, CUBE.tets)
    assert np.all(weights.min(axis=1) >= -1e-15)
    np.testing.assert_allclose(weights.max(axis=1), 1, rtol=1e-14)
    for node, element in enumerate(tet):
        assert node in CUBE.tets[element]


def test_vertices_outside_are_named():
    with pytest.raises(ModelError) as caught:
        embed(sphere((0, 0, 0), 1.1, 3, 4), CUBE)
    text = str(caught.value)
    assert "6 vertices outside the cage: vertices " in text
    assert "the furthest" in text
    assert "by 0.1 m; expected every vertex in an element. Enlarge the cage." in text


def test_vertices_far_away_are_named_too():
    with pytest.raises(
        ModelError, match="14 vertices outside the cage: vertices 0, 1, 2, 3, 4 and 9 more; the furthest"
    ):
        embed(sphere((9, 0, 0), 1.0, 3, 4), CUBE, tolerance=1.0)


def test_vertices_a_little_outside_go_with_the_nearest_element():
    body = sphere((0, 0, 0), 1.1, 3, 4)
    tet, weights = embed(body, CUBE, tolerance=0.101)
    assert weights.min() < -0.1
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-14)
    np.testing.assert_allclose(np.einsum("ij,ijk->ik", weights, CUBE.nodes[CUBE.tets[tet]]), body.vertices, atol=1e-14)
    nearest = CUBE.nodes[CUBE.tets[tet]].mean(axis=1)
    assert np.linalg.norm(nearest - body.vertices, axis=1).max() < 0.6


def test_distances_to_triangles():
    rng = np.random.default_rng(2)
    s, t = np.meshgrid(np.linspace(0, 1, 200), np.linspace(0, 1, 200))
    weights = np.stack([s, t, 1 - s - t], axis=-1)[s + t <= 1]
    for _ in range(20):
        corners, point = rng.uniform(-1, 1, (1, 3, 3)), rng.uniform(-1, 1, 3)
        sampled = np.linalg.norm(weights @ corners[0] - point, axis=1).min()
        assert triangle_distances(point, corners)[0] == pytest.approx(sampled, abs=0.01)
        assert triangle_distances(point, corners)[0] <= sampled + 1e-12
