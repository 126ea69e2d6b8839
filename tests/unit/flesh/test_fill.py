"""Filled parts of elements: exact, whatever the elements and the surface."""

import itertools
import time

import numpy as np
import pytest
from numba.core import config
from scipy.spatial.transform import Rotation

from stringless.flesh.fill import fill_cage
from stringless.flesh.generators import box, ellipsoid, sphere, torus
from stringless.flesh.lattice import lattice_nodes, lattice_tets
from stringless.flesh.surface import Surface, join

EXACT = 1e-12
"""Sums over hundreds of clipped tetrahedra of order one."""


def around(surface, counts, pad=1.3, shift=(0.0, 0.0, 0.0)):
    """A lattice that covers a surface with room to spare."""
    extent = pad * np.ptp(surface.bounds, axis=0)
    return lattice_nodes(surface.bounds.mean(axis=0) + np.array(shift), extent / counts, counts), lattice_tets(counts)


def check_sums(surface, nodes, tets):
    fill = fill_cage(surface, nodes, tets)
    volumes = np.linalg.det(nodes[tets[:, 1:]] - nodes[tets[:, :1]]) / 6
    assert fill.volume == pytest.approx(surface.volume, rel=EXACT)
    assert fill.filled @ volumes == pytest.approx(surface.volume, rel=EXACT)
    np.testing.assert_allclose(fill.node_volume @ nodes / fill.volume, surface.center, atol=EXACT * surface.size)
    assert fill.filled.min() >= 0
    assert fill.filled.max() <= 1
    assert fill.node_volume.min() >= 0
    return fill


# --- a slow twin: tetrahedra cut by half-spaces one after the other (docs/theory/flesh.md, section 1.2) --------------


def cut(tet, plane):
    """Tetrahedra that make up the part of `tet` (4, 3) where plane · (x, 1) >= 0."""
    height = tet @ plane[:3] + plane[3]
    inner, outer = tet[height >= 0], tet[height < 0]
    if len(outer) == 0:
        return [tet]
    if len(inner) == 0:
        return []
    h, g = height[height >= 0], height[height < 0]
    points = [[a + s / (s - t) * (b - a) for b, t in zip(outer, g, strict=True)] for a, s in zip(inner, h, strict=True)]
    if len(inner) == 1:
        return [np.array([inner[0], *points[0]])]
    if len(inner) == 2:
        prism = [inner[0], points[0][0], points[0][1], inner[1], points[1][0], points[1][1]]
    else:
        prism = [*inner, *(p[0] for p in points)]
    a, b, c, d, e, f = prism
    return [np.array(t) for t in ((a, b, c, d), (b, c, d, e), (c, d, e, f))]


def slow_fill(surface, corners):
    """Ratio and the four integrals of one element, over its volume."""
    weights = np.linalg.inv(np.vstack([corners.T, np.ones(4)]))  # rows: phi_i = w · (x, 1)
    whole = abs(np.linalg.det(corners[1:] - corners[0])) / 6
    apex, total, integrals = corners.mean(axis=0) + 0.01, 0.0, np.zeros(4)
    for triangle in surface.corners:
        sign = np.sign(np.linalg.det(triangle - apex))
        pieces = [np.vstack([apex, triangle])]
        for plane in weights:
            pieces = [part for piece in pieces for part in cut(piece, plane)]
        for piece in pieces:
            volume = sign * abs(np.linalg.det(piece[1:] - piece[0])) / 6
            total += volume
            integrals += volume * (weights @ [*piece.mean(axis=0), 1])
    return total / whole, integrals / whole


@pytest.mark.parametrize("seed", range(6))
def test_random_elements_against_the_slow_twin(seed):
    rng = np.random.default_rng(seed)
    body = ellipsoid((0, 0, 0), (1, 0.7, 0.5), 3, 5)
    nodes = rng.uniform(-1, 1, (4, 3))
    tets = np.array([[0, 1, 2, 3]])
    if np.linalg.det(nodes[1:] - nodes[0]) < 0:
        tets = tets[:, [0, 1, 3, 2]]
    fill = fill_cage(body, nodes, tets)
    ratio, integrals = slow_fill(body, nodes[tets[0]])
    assert fill.filled[0] == pytest.approx(ratio, abs=EXACT)
    volume = np.linalg.det(nodes[tets[0, 1:]] - nodes[tets[0, 0]]) / 6
    np.testing.assert_allclose(fill.node_volume[tets[0]], volume * integrals, atol=EXACT)
    assert 0 < ratio < 1


@pytest.mark.parametrize("counts", [(2, 2, 2), (3, 4, 5), (5, 1, 3)])
@pytest.mark.parametrize(
    "body",
    [
        sphere((1, 2, 3), 0.5, 5, 6),
        torus(1, 0.3, 9, 7),
        box((0, 0, 0), (1, 2, 3)),
        join(sphere(radius=2.0, rings=5, sides=6), sphere(rings=3, sides=5).flipped(), sphere((5, 0, 0), 1.0, 4, 5)),
    ],
    ids=["sphere", "torus", "box", "pieces"],
)
def test_volume_and_centre_are_those_of_the_surface(body, counts):
    for pad, shift in ((1.0, 0.0), (1.3, 0.0), (1.3, 0.0137)):  # flush with the surface, symmetric, askew
        check_sums(body, *around(body, counts, pad, (shift, -shift, shift / 2)))


@pytest.mark.parametrize("seed", range(4))
def test_turned_surfaces(seed):
    body = box((0, 0, 0), (1, 2, 3), (2, 1, 2))
    turned = Rotation.random(rng=np.random.default_rng(seed)).apply(body.vertices.copy())
    body = Surface(turned, body.triangles)
    check_sums(body, *around(body, (4, 3, 5)))


@pytest.mark.parametrize("counts", [(20, 2, 2), (20, 3, 2), (20, 4, 4), (16, 4, 2)])
def test_worm_in_lattices_whose_nodes_lie_on_its_surface(worm, counts):
    """Nodes on edges, faces in planes of triangles: where clipping goes wrong if it can."""
    check_sums(worm, *around(worm, counts, 1.0))


def test_any_node_may_be_the_apex(worm):
    nodes, tets = around(worm, (10, 4, 2), 1.0)
    first = fill_cage(worm, nodes, tets)
    for order in ([1, 2, 0, 3], [2, 3, 0, 1], [3, 1, 0, 2]):  # even permutations
        other = fill_cage(worm, nodes, tets[:, order])
        np.testing.assert_allclose(other.filled, first.filled, atol=EXACT)
        np.testing.assert_allclose(other.node_volume, first.node_volume, atol=EXACT * worm.volume)


def test_element_around_the_whole_surface():
    body = sphere((0.1, 0.1, 0.1), 0.05, 5, 6)
    nodes = np.array([(0.0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    fill = check_sums(body, nodes, np.array([[0, 1, 2, 3]]))
    assert fill.filled[0] == pytest.approx(6 * body.volume, rel=EXACT)


def test_surface_around_the_elements_fills_them_exactly():
    nodes, tets = around(sphere(radius=0.3), (2, 2, 2), 1.0)
    fill = fill_cage(sphere(rings=9, sides=12), nodes, tets)
    assert np.all(fill.filled == 1)
    assert fill.volume == pytest.approx(0.6**3, rel=EXACT)


def test_elements_outside_are_exactly_empty():
    nodes, tets = around(sphere((5, 0.3, 0.2), 0.5), (3, 2, 2), 1.0)
    fill = fill_cage(sphere(), nodes, tets)
    assert np.all(fill.filled == 0)
    assert np.all(fill.node_volume == 0)


def test_elements_in_a_hollow_are_empty():
    nodes, tets = around(sphere(radius=0.3), (2, 2, 2), 1.0)
    shell = join(sphere(radius=2.0), sphere().flipped())
    assert np.all(fill_cage(shell, nodes, tets).filled == 0)


def test_elements_that_touch_only_are_empty():
    """A box that ends where the lattice cells do."""
    nodes, tets = lattice_nodes(np.zeros(3), np.full(3, 0.1), (6, 6, 6)), lattice_tets((6, 6, 6))
    fill = fill_cage(box((0, 0, 0), (0.2, 0.4, 0.2)), nodes, tets)
    assert set(fill.filled) == {0.0, 1.0}
    assert fill.filled.sum() == 6 * 2 * 4 * 2


def test_small_elements_before_large_triangles():
    body = box((0, 0, 0), (1000, 1000, 1000))
    nodes, tets = around(sphere((500, 0.01, 0.02), 0.5), (2, 2, 2), 1.0)
    fill = fill_cage(body, nodes, tets)
    assert fill.volume == pytest.approx(0.5, rel=1e-9)
    assert fill.filled.sum() == pytest.approx(24, rel=1e-9)


def test_against_random_points():
    body = torus(1, 0.4, 12, 8)
    nodes, tets = around(body, (3, 2, 3), 1.05)
    fill = fill_cage(body, nodes, tets)
    rng = np.random.default_rng(3)
    for e in range(0, len(tets), 9):
        weights = rng.dirichlet((1, 1, 1, 1), 400)
        inside = np.array([surface_winding(body, p) for p in weights @ nodes[tets[e]]])
        assert fill.filled[e] == pytest.approx(inside.mean(), abs=0.11)  # four standard deviations


def surface_winding(surface, point):
    from stringless.flesh.surface_checks import winding

    return round(float(winding(surface, point).sum()))


def test_mirrored_elements_are_filled_alike(worm):
    counts = (12, 4, 4)
    nodes, tets = around(worm, counts, 1.0)
    filled = fill_cage(worm, nodes, tets).filled.reshape(*counts, 6)
    for axis in range(3):
        np.testing.assert_allclose(filled, np.flip(filled, axis), atol=EXACT)


def test_reruns_are_identical_and_progress_is_told(worm, monkeypatch):
    monkeypatch.setattr("stringless.flesh.fill._CHUNK", 520 * 100)
    nodes, tets = around(worm, (10, 3, 2), 1.0)
    seen = []
    first = fill_cage(worm, nodes, tets, report=lambda *args: seen.append(args))
    assert seen == [(100, 360), (200, 360), (300, 360), (360, 360)]
    monkeypatch.undo()
    second = fill_cage(worm, nodes, tets)
    assert np.array_equal(first.filled, second.filled)
    assert np.array_equal(first.node_volume, second.node_volume)


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="a time for compiled code")
def test_cost_stays_small():
    """A generous bound on the work, whatever else the machine does: 8,000 elements against 5,000 triangles took 0.15 s."""
    body = sphere((0, 0, 0), 1.0, 50, 50)
    nodes, tets = around(body, (11, 11, 11), 1.0)
    fill_cage(body, nodes, tets[:1])
    start = time.process_time()
    check_sums(body, nodes, tets)
    assert time.process_time() - start < 5


def test_lattice_pattern_is_conforming_and_mirrored():
    for counts in ((2, 2, 2), (3, 2, 4)):
        tets = lattice_tets(counts)
        faces = np.sort(np.concatenate([tets[:, list(f)] for f in itertools.combinations(range(4), 3)]), axis=1)
        _, uses = np.unique(faces, axis=0, return_counts=True)
        a, b, c = counts
        assert np.sum(uses == 1) == 4 * (a * b + b * c + a * c)
        assert uses.max() == 2
        nodes = lattice_nodes(np.zeros(3), np.ones(3), counts)
        np.testing.assert_allclose(np.linalg.det(nodes[tets[:, 1:]] - nodes[tets[:, :1]]), 1)
