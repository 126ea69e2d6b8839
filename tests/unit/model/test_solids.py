"""Mass properties of shapes against closed forms, MuJoCo, and each other."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import trimesh

from stringless.errors import InputError
from stringless.model import Pose, Shape
from stringless.model.solids import Solid, combine, has_volume, mesh_solid, shape_solid, tensor, turn_inertia

TURNED = Pose((0.3, -0.2, 0.5), (0.1 / 2, 0.7 / 2, 0.1 / 2, math.sqrt(4 - 0.51) / 2))
SHAPES = [
    Shape(kind="box", size=(0.1, 0.2, 0.3), place=TURNED),
    Shape(kind="sphere", size=(0.25,), place=TURNED),
    Shape(kind="capsule", size=(0.1, 0.3), place=TURNED),
    Shape(kind="cylinder", size=(0.1, 0.3), place=TURNED),
    Shape(kind="ellipsoid", size=(0.1, 0.2, 0.3), place=TURNED),
]
CORNERS = np.array(list(itertools.product((0.0, 1.0), repeat=3)))
CUBE = np.array(
    [
        [0, 1, 3],
        [0, 3, 2],
        [4, 6, 7],
        [4, 7, 5],
        [0, 4, 5],
        [0, 5, 1],
        [2, 3, 7],
        [2, 7, 6],
        [0, 2, 6],
        [0, 6, 4],
        [1, 5, 7],
        [1, 7, 3],
    ]
)


def mujoco_solid(shapes: list[Shape]) -> Solid:
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    geoms = ""
    for shape in shapes:
        x, y, z, w = shape.place.rotation
        geoms += (
            f'<geom type="{shape.kind}" size="{" ".join(map(repr, shape.size))}" density="700" '
            f'pos="{" ".join(map(repr, shape.place.position))}" quat="{w} {x} {y} {z}"/>'
        )
    m = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody><body><joint/>{geoms}</body></worldbody></mujoco>")
    w, x, y, z = m.body_iquat[1]
    inertia = turn_inertia((*m.body_inertia[1], 0, 0, 0), Pose(rotation=(x, y, z, w)).matrix)
    return Solid(m.body_mass[1], tuple(m.body_ipos[1]), inertia)


def assert_same(a: Solid, b: Solid, tolerance: float = 1e-9) -> None:
    assert a.mass == pytest.approx(b.mass, rel=1e-12)
    np.testing.assert_allclose(a.center_of_mass, b.center_of_mass, atol=1e-12)
    np.testing.assert_allclose(a.inertia, b.inertia, atol=tolerance * max(map(abs, b.inertia)))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_shape_has_the_mass_mujoco_gives_it(shape):
    assert_same(shape_solid(shape, density=700.0), mujoco_solid([shape]))


def test_joined_shapes_have_the_mass_mujoco_gives_them():
    moved = [
        Shape(kind=shape.kind, size=shape.size, place=Pose((0.1 * k, 0.2, -0.3 * k)) @ shape.place)
        for k, shape in enumerate(SHAPES)
    ]
    assert_same(combine(shape_solid(shape, density=700.0) for shape in moved), mujoco_solid(moved))


def test_mass_wins_over_density_and_scales_the_inertia():
    light, heavy = (shape_solid(SHAPES[0], density=d) for d in (1.0, 500.0))
    given = shape_solid(SHAPES[0], mass=heavy.mass, density=3.0)
    assert_same(given, heavy)
    np.testing.assert_allclose(heavy.inertia, 500 * np.array(light.inertia))
    assert shape_solid(SHAPES[1]).mass == pytest.approx(1000 * 4 / 3 * math.pi * 0.25**3)


def test_capsule_of_no_length_is_a_sphere_and_a_thin_one_a_rod():
    ball = shape_solid(Shape(kind="capsule", size=(0.2, 1e-15)), density=1.0)
    assert_same(ball, shape_solid(Shape(kind="sphere", size=(0.2,)), density=1.0))
    rod = shape_solid(Shape(kind="capsule", size=(1e-6, 0.5)), mass=3.0)
    assert rod.inertia[0] == pytest.approx(3.0 / 12, rel=1e-5)


def test_cube_of_triangles_is_a_box():
    box = shape_solid(Shape(kind="box", size=(1.0, 1.5, 2.0), place=Pose((1.0, 1.5, 2.0))), density=2.0)
    mesh = Shape(kind="mesh", size=(2.0, 3.0, 4.0), mesh="cube.stl")
    assert_same(shape_solid(mesh, density=2.0, mesh=(CORNERS, CUBE)), box, 1e-12)


def test_mesh_turned_inside_out_or_mirrored_has_the_same_mass():
    solid = mesh_solid(CORNERS, CUBE)
    assert_same(mesh_solid(CORNERS, CUBE[:, ::-1]), solid, 1e-12)
    mirrored = shape_solid(Shape(kind="mesh", size=(-1.0, 1.0, 1.0)), density=1.0, mesh=(CORNERS, CUBE))
    assert mirrored.mass == pytest.approx(1.0)
    np.testing.assert_allclose(mirrored.center_of_mass, (-0.5, 0.5, 0.5), atol=1e-15)


def test_mesh_with_repeated_corners_is_closed():
    soup = CORNERS[CUBE].reshape(-1, 3)
    assert_same(mesh_solid(soup, np.arange(36).reshape(12, 3)), mesh_solid(CORNERS, CUBE), 1e-12)


def test_mesh_of_a_sphere_approaches_the_sphere():
    ball = trimesh.creation.icosphere(subdivisions=4, radius=0.3)
    solid = mesh_solid(ball.vertices + [5.0, 6.0, 7.0], ball.faces)
    exact = shape_solid(Shape(kind="sphere", size=(0.3,), place=Pose((5.0, 6.0, 7.0))), density=1.0)
    # An inscribed polyhedron of N triangles falls short of the sphere by about 11/N, N = 5120.
    assert solid.mass == pytest.approx(exact.mass, rel=20 / 5120)
    assert solid.mass < exact.mass
    np.testing.assert_allclose(solid.inertia, exact.inertia, atol=20 / 5120 * exact.inertia[0])


@pytest.mark.parametrize(
    ("vertices", "triangles", "message"),
    [
        (CORNERS, CUBE[:-1], "not closed"),
        (CORNERS * [1, 1, 0], CUBE, "encloses no volume"),
        (CORNERS, CUBE + 1, "names vertex 8 of a mesh of 8"),
        (CORNERS[:, :2], CUBE, r"vertices \(n, 3\)"),
        (CORNERS, np.zeros((0, 3), int), r"got \(8, 3\) and \(0, 3\)"),
        (CORNERS * np.nan, CUBE, "not finite"),
    ],
)
def test_mesh_without_a_volume_is_refused(vertices, triangles, message):
    with pytest.raises(InputError, match=message):
        mesh_solid(vertices, triangles)


def test_plane_and_mesh_without_triangles_are_refused():
    with pytest.raises(InputError, match="kind 'plane' has no mass"):
        shape_solid(Shape(kind="plane"))
    with pytest.raises(InputError, match=r"mesh 'a.stl' needs its vertices"):
        shape_solid(Shape(kind="mesh", size=(1.0, 1.0, 1.0), mesh="a.stl"))


def test_only_positive_sizes_have_a_volume():
    assert has_volume(SHAPES[0])
    assert has_volume(Shape(kind="mesh", size=(1.0, -1.0, 1.0)))
    assert not has_volume(Shape(kind="mesh", size=(1.0, 0.0, 1.0)))
    assert not has_volume(Shape(kind="sphere", size=(-1.0,)))
    assert not has_volume(Shape(kind="sphere", size=(math.inf,)))


@pytest.mark.parametrize("size", [1e200, 1e-200, 0.0])
def test_sizes_without_a_volume_are_refused(size):
    with pytest.raises(InputError, match="has no volume that can be computed"):
        shape_solid(Shape(kind="sphere", size=(size,)))


def test_nothing_combines_to_nothing():
    assert combine([]) == Solid()
    assert combine([Solid(), Solid()]) == Solid()
    with pytest.raises(InputError, match="cannot be scaled"):
        Solid().scaled(1.0)


def test_halves_combine_to_the_whole():
    whole = shape_solid(Shape(kind="box", size=(1.0, 2.0, 3.0), place=TURNED), density=5.0)
    halves = [
        shape_solid(Shape(kind="box", size=(0.5, 2.0, 3.0), place=TURNED @ Pose((side, 0.0, 0.0))), density=5.0)
        for side in (-0.5, 0.5)
    ]
    assert_same(combine(halves), whole, 1e-12)
    assert np.linalg.eigvalsh(tensor(whole.inertia))[0] > 0
