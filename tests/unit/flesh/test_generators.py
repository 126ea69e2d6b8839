"""Surfaces made by code: closed, outward, of the right size, symmetric, and converging to the shapes they stand for."""

import itertools
import math

import numpy as np
import pytest
from scipy.spatial import KDTree

from stringless.errors import InputError
from stringless.flesh.generators import box, capsule, ellipsoid, sphere, torus, tube, turned
from stringless.flesh.surface_checks import check_surface

SHAPES = {
    "sphere": (lambda n: sphere((1, 2, 3), 0.5, 2 * n - 1, 4 * n), 4 / 3 * math.pi * 0.125),
    "ellipsoid": (lambda n: ellipsoid((0, 0, 0), (1, 2, 3), 2 * n - 1, 4 * n), 8 * math.pi),
    "capsule": (lambda n: capsule((0, 0, 0), (1, 2, 2), 0.5, 4 * n, 4 * n), math.pi * (0.75 + 0.5 / 3)),
    "torus": (lambda n: torus(1, 0.25, 8 * n, 4 * n, center=(3, 2, 1)), 2 * math.pi**2 / 16),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_volume_converges_with_the_square_of_the_spacing(shape):
    make, volume = SHAPES[shape]
    errors = [volume - make(n).volume for n in (4, 8, 16)]
    assert errors[0] > errors[1] > errors[2] > 0  # inscribed
    assert 3.5 < errors[1] / errors[2] < 4.5
    assert check_surface(make(4)) == []


def test_worm_has_the_size_of_the_paper(worm):
    assert worm.vertices.shape == (262, 3)
    assert worm.triangles.shape == (520, 3)
    assert worm.mirror_planes == pytest.approx((0, 0, 0), abs=1e-15)
    np.testing.assert_allclose(worm.bounds[1], (0.21, 0.032, 0.032 * math.sin(math.radians(72))))
    assert check_surface(worm) == []


def test_counts():
    assert sphere((0, 0, 0), 1.0, 5, 8).vertices.shape == (42, 3)
    assert capsule((0, 0, 0), (0, 1, 0), 0.1, 26, 10).triangles.shape == (520, 3)
    assert torus(1, 0.3, 12, 8).triangles.shape == (192, 3)
    assert box((0, 0, 0), (1, 1, 1)).triangles.shape == (12, 3)
    assert len(box((0, 0, 0), (1, 1, 1), (2, 3, 4)).triangles) == 4 * (6 + 12 + 8)


@pytest.mark.parametrize("axis", range(3))
def test_capsule_is_symmetric_along_each_axis(axis):
    end = 0.3 * np.eye(3)[axis]
    body = capsule(-end, end, 0.1, 12, 8)
    assert body.mirror_planes == pytest.approx((0, 0, 0), abs=1e-12)
    np.testing.assert_allclose(np.sort(np.ptp(body.bounds, axis=0)), (0.2, 0.2, 0.8), rtol=1e-12)


@pytest.mark.parametrize("axis", "xyz")
def test_torus_goes_round_its_axis(axis):
    body = torus(1, 0.25, 16, 8, axis=axis)
    assert check_surface(body) == []
    np.testing.assert_allclose(np.ptp(body.bounds, axis=0)["xyz".index(axis)], 0.5)
    assert body.mirror_planes == pytest.approx((0, 0, 0), abs=1e-12)


def test_tube_follows_a_bend_without_twist():
    """Along a curve in a plane, the vertices that start in the plane stay in it."""
    a = np.linspace(0, np.pi, 12)
    points = np.stack([np.cos(a), np.sin(a), 0 * a], axis=1)
    body = tube(points, np.full(12, 0.1), 8, cap_rings=0, up=(1, 0, 0))
    rings = body.vertices[:96].reshape(12, 8, 3)
    np.testing.assert_allclose(rings[:, 0, 2], 0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(rings[1:-1, 0, :2], axis=1), 1.1, rtol=1e-12)
    assert body.mirror_planes[0] == pytest.approx(0, abs=1e-12)
    assert check_surface(body) == []
    # Pappus: the section times the way of its middle, and less for the polygons.
    assert body.volume == pytest.approx(math.pi * 0.01 * math.pi, rel=0.15)


def test_tube_of_two_points_and_one_straight_up():
    body = tube([(0, 0, 0), (0, 1, 0)], [0.1, 0.2], 6)
    assert check_surface(body) == []
    np.testing.assert_allclose(body.bounds[:, 1], (-0.1, 1.2), rtol=1e-12)


OUTLINE = [(0.0, 0.1), (0.1, 0.3), (0.2, 0.25), (0.5, 0.1)]
MIRRORED = {
    # What is symmetric about the planes of these axes through the origin, in its triangles too.
    "sphere": (lambda: sphere(rings=7, sides=12), "xyz"),
    "ellipsoid": (lambda: ellipsoid((0, 0, 0), (1, 2, 3), 7, 12), "xyz"),
    "ten sides": (lambda: capsule((-1, 0, 0), (1, 0, 0), 0.5, 13, 10), "xz"),
    "twelve sides": (lambda: capsule((-1, 0, 0), (1, 0, 0), 0.5, 13, 12), "xyz"),
    "even rings": (lambda: capsule((-1, 0, 0), (1, 0, 0), 0.5, 12, 12), "yz"),
    "tube": (lambda: tube([(0, 0, 0), (1, 0.1, 0), (2, 0, 0)], [0.2, 0.3, 0.2], 8), "z"),
    "torus": (lambda: torus(1, 0.3, 16, 12), "xyz"),
    "box": (lambda: box((0, 0, 0), (1, 2, 3), (2, 4, 6)), "xyz"),
    "turned": (lambda: turned(OUTLINE, 12), "xz"),
}


@pytest.mark.parametrize("name", MIRRORED)
def test_triangles_are_mirrored_where_the_shape_is(name):
    """Bent quadrangles cut all the same way would give a symmetric body a twist."""
    make, axes = MIRRORED[name]
    surface = make()
    given = {frozenset(triangle) for triangle in surface.triangles.tolist()}
    for axis in range(3):
        if "xyz"[axis] in axes:
            image = surface.vertices * np.where(np.arange(3) == axis, -1, 1)
            apart, twin = KDTree(surface.vertices).query(image)
            assert apart.max() < 1e-12
            assert {frozenset(triangle) for triangle in twin[surface.triangles].tolist()} == given


def test_turned_solid_has_the_volume_of_its_cones():
    solid = turned(OUTLINE, 400)
    cones = sum(
        math.pi * (y1 - y0) * (r0 * r0 + r0 * r1 + r1 * r1) / 3 for (y0, r0), (y1, r1) in itertools.pairwise(OUTLINE)
    )
    assert solid.volume == pytest.approx(cones, rel=1e-4)
    assert turned(OUTLINE[::-1], 12).volume == pytest.approx(turned(OUTLINE, 12).volume)
    assert check_surface(turned(OUTLINE, 12)) == []


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sphere((0, 0)), "center: found .* expected three finite numbers"),
        (lambda: sphere(radius=0.0), "radii: found .* expected positive lengths"),
        (lambda: sphere(rings=0), "rings: found 0; expected at least 1"),
        (lambda: sphere(sides=2), "sides: found 2; expected at least 3"),
        (lambda: capsule((0, 0, 0), (0, 0, 0), 1.0), "b: found .* expected another point than a"),
        (lambda: capsule((0, 0, 0), (1, 0, 0), -1.0), "radius: found -1.0; expected a positive length"),
        (lambda: capsule((0, 0, 0), (1, 0, 0), 1.0, 1), "rings: found 1; expected at least 2"),
        (lambda: tube([(0, 0, 0)], [1]), r"points: found \(1, 3\); expected \(n, 3\)"),
        (lambda: tube([(0, 0, 0), (1, 0, 0)], [1]), r"radii: found \(1,\); expected \(2,\), one for each point"),
        (lambda: tube([(0, 0, 0), (1, 0, 0)], [1, 0]), "radii: found 0.0; expected positive lengths"),
        (lambda: tube([(0, 0, 0), (0, 0, 0)], [1, 1]), "two neighbours in one place"),
        (lambda: tube([(0, 0, 0), (1, 0, 0), (0, 0, 0)], [1, 1, 1]), "a curve that turns back on itself"),
        (lambda: tube([(0, 0, 0), (1, 0, 0)], [1, 1], cap_rings=-1), "cap_rings: found -1; expected 0 or more"),
        (lambda: torus(1, 2), "minor: found 2; expected between 0 and the major radius 1"),
        (lambda: torus(1, 0.1, 2), "rings: found 2; expected at least 3"),
        (lambda: torus(1, 0.1, axis="w"), "axis: found w; expected x, y or z"),
        (lambda: turned([(0, 1)]), r"outline: found \(1, 2\); expected \(n, 2\)"),
        (lambda: turned([(0, 1), (1, 0)]), "outline: found 0.0; expected positive radii"),
        (lambda: turned([(0, 1), (math.nan, 1)]), "outline: found a number that is not finite"),
        (lambda: box((0, 0, 0), (1, 0, 1)), "size: found .* expected positive lengths"),
        (lambda: box((0, 0, 0), (1, 1, 1), (1, 0, 1)), "cells: found .* expected at least 1 in each direction"),
    ],
)
def test_bad_input_is_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()
