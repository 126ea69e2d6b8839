"""Volume, centre, inertia and symmetry of closed surfaces."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from stringless.errors import InputError
from stringless.flesh.generators import box, ellipsoid, sphere
from stringless.flesh.surface import Surface, join
from stringless.model.solids import mesh_solid, tensor

ROUND_OFF = 1e-12
"""Sums over some hundred triangles."""


def test_box_has_the_moments_of_a_box():
    body = box((1, 2, 3), (0.2, 0.4, 0.6), (2, 3, 4))
    assert body.volume == pytest.approx(0.048, rel=ROUND_OFF)
    np.testing.assert_allclose(body.center, (1, 2, 3), rtol=ROUND_OFF)
    a, b, c = 0.04, 0.16, 0.36
    np.testing.assert_allclose(body.inertia, 0.004 * np.diag([b + c, a + c, a + b]), atol=1e-15)
    assert body.area == pytest.approx(2 * (0.08 + 0.12 + 0.24), rel=ROUND_OFF)
    np.testing.assert_allclose(body.bounds, [(0.9, 1.8, 2.7), (1.1, 2.2, 3.3)])
    assert body.size == pytest.approx(0.6)


def test_moments_agree_with_those_of_the_model_package():
    body = ellipsoid((0.3, -2, 1), (0.1, 0.5, 0.2), 7, 9)
    solid = mesh_solid(body.vertices, body.triangles)
    assert body.volume == pytest.approx(solid.mass, rel=ROUND_OFF)
    np.testing.assert_allclose(body.center, solid.center_of_mass, rtol=ROUND_OFF)
    np.testing.assert_allclose(body.inertia, tensor(solid.inertia), rtol=1e-10, atol=1e-14)


def test_moments_against_random_points():
    body = sphere((0.1, 0.2, 0.3), 0.5, 6, 7)
    rng = np.random.default_rng(1)
    points = rng.uniform(body.bounds[0], body.bounds[1], (20000, 3))
    # Convex: inside where no triangle is in front.
    normals = np.cross(body.corners[:, 1] - body.corners[:, 0], body.corners[:, 2] - body.corners[:, 0])
    inside = np.all(points @ normals.T <= np.einsum("ij,ij->i", normals, body.corners[:, 0]), axis=1)
    ratio = inside.mean()
    error = 4 * math.sqrt(ratio * (1 - ratio) / len(points))
    assert body.volume / np.prod(np.ptp(body.bounds, axis=0)) == pytest.approx(ratio, abs=error)
    np.testing.assert_allclose(body.center, points[inside].mean(axis=0), atol=0.01)


def test_mirror_planes_of_a_symmetric_body():
    assert box((1, 2, 3), (1, 1, 1)).mirror_planes == pytest.approx((1, 2, 3))


def test_mirror_planes_are_lost_one_by_one():
    body = sphere((0, 0, 0), 1.0, 9, 8)
    vertices = body.vertices.copy()
    vertices[:, 0] += 0.1 * vertices[:, 1]  # sheared: only z is left
    assert Surface(vertices, body.triangles).mirror_planes == (None, None, pytest.approx(0))
    turned = Rotation.from_euler("xyz", (0.3, 0.4, 0.5)).apply(body.vertices.copy())
    assert Surface(turned, body.triangles).mirror_planes == (None, None, None)


def test_mirror_planes_tolerate_a_billionth_of_the_size():
    body = sphere((0, 0, 0), 1.0, 9, 8)
    vertices = body.vertices.copy()
    vertices[3, 0] += 1e-9
    assert Surface(vertices, body.triangles).mirror_planes[0] is not None
    vertices[3, 0] += 1e-8
    assert Surface(vertices, body.triangles).mirror_planes[0] is None


def test_pieces_are_counted_in_order():
    body = join(sphere((5, 0, 0)), sphere(), box((0, 5, 0), (1, 1, 1)))
    assert sorted(set(body.components)) == [0, 1, 2]
    assert body.components[0] == 0
    assert body.components[-1] == 2
    assert body.volume == pytest.approx(2 * sphere().volume + 1)


def test_arrays_are_copies_and_locked():
    vertices = np.zeros((4, 3))
    body = Surface(vertices, [(0, 1, 2)])
    vertices[0] = 1
    assert not body.vertices.any()
    with pytest.raises(ValueError, match="read-only"):
        body.vertices[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        body.triangles[0] = 1


def test_moved_and_flipped():
    body = sphere()
    np.testing.assert_allclose(body.moved((1, 2, 3)).center, (1, 2, 3), atol=1e-14)
    assert body.flipped().volume == -body.volume


@pytest.mark.parametrize(
    ("vertices", "triangles", "message"),
    [
        (np.zeros((3, 2)), [(0, 1, 2)], r"vertices: found an array of shape \(3, 2\); expected \(n, 3\)"),
        (np.zeros((3, 3)), [(0, 1)], r"triangles: found an array of shape \(1, 2\); expected \(n, 3\)"),
        (np.zeros((3, 3)), [(0.0, 1.0, 2.0)], "triangles: found numbers of type float64; expected integers"),
    ],
)
def test_wrong_shapes_are_refused(vertices, triangles, message):
    with pytest.raises(InputError, match=message):
        Surface(vertices, triangles)
