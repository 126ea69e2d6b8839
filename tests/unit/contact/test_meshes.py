"""Closed meshes as obstacles: exact depth and way out, what is refused, and how they carry and stand."""

import numpy as np
import pytest

from stringless.contact.kernels_meshes import mesh_depth
from stringless.contact.mesh_tables import MOST_SAMPLES, closed_mesh, mesh_samples, mesh_tables
from stringless.contact.tables import contact_tables
from stringless.errors import StringlessWarning
from stringless.flesh import generators
from stringless.flesh.boxtree import STACK
from stringless.flesh.embedding import triangle_distances
from stringless.model import BodySpec, JointSpec, ModelBuilder, Pose, Scene
from stringless.model.shapes import Shape
from stringless.model.solids import shape_solid
from stringless.scenes.ground import floor
from stringless.scenes.worm import RADIUS, build
from stringless.simulation import Simulation

G = 9.81
ROUNDING = 1e-9
UNIT = (1.0, 1.0, 1.0)


def mesh_shape(surface, **fields):
    fields = {"size": UNIT, **fields}
    return Shape(kind="mesh", mesh=surface.name, surface=(surface.vertices, surface.triangles), **fields)


def looker(surface, **fields):
    """A function that gives depth and normal of a point in the mesh's own frame."""
    found = closed_mesh(mesh_shape(surface, **fields), "the world")
    assert found is not None
    t = mesh_tables([found])
    t = t._replace(meshes=t.meshes.view(np.recarray), facets=t.facets.view(np.recarray))
    stack = np.zeros(STACK, np.int64)
    return lambda x, radius=0.0: mesh_depth.py_func(t.meshes[0], t, tuple(x), radius, stack)


def winding(x, corners):
    """Times that a closed surface goes around a point: sum of solid angles over 4 pi."""
    a, b, c = (corners[:, k] - x for k in range(3))
    la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
    top = np.einsum("ij,ij->i", a, np.cross(b, c))
    dots = [np.einsum("ij,ij->i", u, v) for u, v in ((a, b), (b, c), (c, a))]
    return np.sum(2 * np.arctan2(top, la * lb * lc + dots[0] * lc + dots[1] * la + dots[2] * lb)) / (4 * np.pi)


SURFACES = {
    "box": generators.box((0.05, 0.0, 0.0), (0.3, 0.2, 0.5)),
    "torus": generators.torus(0.2, 0.08),
    "plate": generators.box((0.0, 0.0, 0.0), (0.4, 0.005, 0.4), (3, 1, 3)),
}


@pytest.mark.parametrize("name", SURFACES)
def test_depth_and_normal_against_brute_force(name):
    surface = SURFACES[name]
    look, corners = looker(surface), surface.corners
    rng = np.random.default_rng(1)
    low, high = surface.bounds
    near = rng.uniform(low - 0.02, high + 0.02, (150, 3))
    inside = 0
    for x in near:
        d, n = look(x, radius=10.0)  # so wide that no quick look ends the search
        away = triangle_distances(x, corners).min()
        assert abs(d) == pytest.approx(away, abs=ROUNDING)
        assert (d > 0) == (winding(x, corners) > 0.5)
        inside += d > 0
        assert np.linalg.norm(n) == pytest.approx(1.0, abs=ROUNDING)
        assert triangle_distances(x + d * np.array(n), corners).min() == pytest.approx(0.0, abs=ROUNDING)
    assert 3 < inside < 147


@pytest.mark.parametrize("name", SURFACES)
def test_a_quick_look_never_overlooks_contact(name):
    surface = SURFACES[name]
    look = looker(surface)
    rng = np.random.default_rng(2)
    touching = 0
    for x in rng.uniform(surface.bounds[0] - 0.3, surface.bounds[1] + 0.3, (200, 3)):
        true = look(x, radius=10.0)[0]
        for radius in (0.0, 0.05):
            found = look(x, radius)[0]
            assert (found > -radius) == (true > -radius)
            if found > -radius:
                assert found == true
                touching += 1
    assert 3 < touching < 300, "both must occur"


def test_scaled_and_mirrored_meshes_point_outward():
    for scale in ((2.0, 1.0, 0.5), (-1.0, 1.0, 1.0), (-1.0, -1.0, -1.0)):
        look = looker(SURFACES["box"], size=scale)
        middle = np.array([0.05, 0.0, 0.0]) * scale
        assert look(middle)[0] == pytest.approx(min(0.15 * abs(scale[0]), 0.1 * abs(scale[1]), 0.25 * abs(scale[2])))
        assert look(middle + [3.0, 0, 0])[0] < 0


def test_samples_of_a_mesh_are_few_and_at_its_ends():
    ball = generators.sphere(radius=0.1, rings=21, sides=32)
    points = mesh_samples((ball.vertices, ball.triangles))
    assert len(points) == MOST_SAMPLES
    assert len(np.unique(points, axis=0)) == MOST_SAMPLES
    assert np.all(points.max(axis=0) > 0.07)
    assert np.all(points.min(axis=0) < -0.07)
    corners = mesh_samples((SURFACES["box"].vertices, SURFACES["box"].triangles))
    assert len(corners) == 8


# --- what cannot push back ----------------------------------------------------------------------------------------------


def world_of(shape):
    builder = ModelBuilder("world")
    builder.add(BodySpec(name="ball", mass=1.0, inertia=(1, 1, 1, 0, 0, 0), joint=JointSpec(kind="free")))
    builder.world_shapes.extend([floor(), shape])
    return builder.build()


def test_open_mesh_is_named_and_left_out():
    surface = SURFACES["box"]
    torn = Shape(kind="mesh", size=UNIT, mesh="torn.obj", surface=(surface.vertices, surface.triangles[1:]))
    with pytest.warns(StringlessWarning, match=r"mesh 'torn.obj' of the world touches nothing: the mesh is not closed"):
        tables = contact_tables(world_of(torn), 1e-3, 0.8)
    assert len(tables.obstacles) == 1


def test_mesh_without_triangles_is_named_and_left_out():
    with pytest.warns(StringlessWarning, match="'far.stl' of the world touches nothing: its triangles are not known"):
        tables = contact_tables(world_of(Shape(kind="mesh", size=UNIT, mesh="far.stl")), 1e-3, 0.8)
    assert len(tables.obstacles) == 1


# --- in motion ----------------------------------------------------------------------------------------------------------


def free_mesh(surface, mass):
    shape = mesh_shape(surface)
    solid = shape_solid(shape, mass=mass, mesh=shape.surface)
    joint = JointSpec(kind="free")
    return BodySpec(
        name="prop", joint=joint, mass=mass, center_of_mass=solid.center_of_mass, inertia=solid.inertia, shapes=(shape,)
    )


def test_free_mesh_rests_on_the_floor_as_a_box_does():
    builder = ModelBuilder("box").add(free_mesh(generators.box((0, 0, 0), (0.2, 0.3, 0.4)), 2.0))
    builder.world_shapes.append(floor())
    q = np.array([0.0, 0.2, 0.0, 0.0, 0.0, 0.0, 1.0])
    sim = Simulation(Scene(builder.build(), q=q))
    sim.advance(2.0)
    assert np.abs(sim.v).max() < 1e-6
    assert 0.15 - 1e-3 < sim.q[1] < 0.15
    np.testing.assert_allclose(sim.engine.workspace.contact_forces.sum(axis=0), (0, 2.0 * G, 0), atol=1e-4)


@pytest.mark.parametrize("movable", [False, True])
def test_worm_lies_on_a_mesh(movable):
    """A block made of triangles, fixed to the world or free on the floor."""
    block = generators.box((0.0, 0.05, 0.0), (0.6, 0.1, 0.3), (4, 1, 2))
    builder = build("planar")
    if movable:
        builder.add(free_mesh(block, 5.0))
    else:
        builder.world_shapes.append(mesh_shape(block, place=Pose((0.0, 0.0, 0.0))))
    model = builder.build()
    q = model.neutral()
    q[1] = 0.1 + RADIUS + 0.005
    sim = Simulation(Scene(model, q=q), restitution=0.3)
    sim.advance(1.5)
    assert np.abs(sim.v).max() < 0.05
    skin = len(model.flesh.vertices)
    nodes = model.flesh.nodes
    mass = model.mass - (5.0 if movable else 0.0) + nodes["mass"][nodes["fixed"] == 0].sum()
    assert sim.engine.workspace.contact_forces[:skin, 1].sum() == pytest.approx(mass * G, rel=0.03)
    assert sim.surface_positions[:, 1].min() > 0.1 - 4e-3
