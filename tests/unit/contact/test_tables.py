"""Which solids are obstacles, where their contact samples are, and how stiff they are."""

import math

import numpy as np
import pytest

from stringless.contact.kernels_shapes import CODES
from stringless.contact.tables import INSET, STIFFNESS_SHARE, contact_tables, shape_samples
from stringless.model import JointSpec, ModelBuilder, Pose
from stringless.model.shapes import Shape
from stringless.scenes import bones, load_scene
from stringless.scenes.ground import floor

DT = 1e-3
TURNED = Pose((0.1, 0.2, 0.3), (0.0, 0.0, math.sin(0.3), math.cos(0.3)))


def prop(shape, mass=2.0, name="prop"):
    return bones.body(name, shape, mass, joint=JointSpec(kind="free"))


def model(*specs, world=()):
    builder = ModelBuilder("things")
    for spec in specs:
        builder.add(spec)
    builder.world_shapes.extend(world)
    return builder.build()


def test_world_shapes_and_bare_bodies_are_obstacles():
    tables = contact_tables(model(prop(bones.box((0.0, 0.0, 0.0), (0.1, 0.2, 0.3))), world=[floor()]), DT, 0.7)
    assert list(tables.obstacles["body"]) == [-1, 0]
    assert list(tables.obstacles["kind"]) == [CODES["plane"], CODES["box"]]
    np.testing.assert_array_equal(tables.obstacles["friction"], 0.7)
    assert tables.obstacles["reach"][0] == math.inf
    assert tables.obstacles["reach"][1] == pytest.approx(math.sqrt(0.14))
    assert not tables.empty
    # The floor faces up.
    np.testing.assert_allclose(tables.obstacles["R"][0].reshape(3, 3)[:, 2], (0, 1, 0), atol=1e-15)


def test_only_what_collides_collides():
    seen = Shape(kind="box", size=(1.0, 1.0, 1.0), purpose="visual")
    tables = contact_tables(model(prop(bones.sphere((0.0, 0.0, 0.0), 0.1)), world=[seen]), DT, 0.7)
    assert tables.empty, "without ground and flesh there is nothing to stand on"
    assert len(tables.samples) == 0


def test_bones_within_flesh_are_neither_obstacle_nor_probe():
    tables = contact_tables(load_scene("worm").model, DT, 0.7)
    assert list(tables.obstacles["body"]) == [-1]
    assert len(tables.samples) == 0


@pytest.mark.parametrize(
    ("kind", "size", "count"),
    [
        ("sphere", (0.2,), 1),
        ("capsule", (0.1, 0.3), 3),
        ("box", (0.1, 0.2, 0.3), 8),
        ("cylinder", (0.1, 0.3), 16),
        ("ellipsoid", (0.1, 0.2, 0.3), 6),
    ],
)
def test_samples_stand_on_the_surface_of_their_shape(kind, size, count):
    """A ball's farthest point is on the surface: no shape rests on less than itself."""
    shape = Shape(kind=kind, size=size, place=TURNED)
    balls = shape_samples(shape)
    assert len(balls) == count
    for center, radius in balls:
        local = TURNED.matrix.T @ (np.asarray(center) - TURNED.position)
        if kind == "sphere":
            np.testing.assert_allclose(local, 0, atol=1e-12)
            assert radius == 0.2
        elif kind == "capsule":
            np.testing.assert_allclose(local[:2], 0, atol=1e-12)
            assert radius == 0.1
        elif kind == "box":
            np.testing.assert_allclose(np.abs(local), INSET * np.array(size), atol=1e-12)
            assert radius == 0
        elif kind == "cylinder":
            assert np.hypot(*local[:2]) == pytest.approx(0.1)
            assert abs(local[2]) == pytest.approx(0.3)
        else:
            assert np.sum((local / size) ** 2) == pytest.approx(1.0)


def test_plane_and_mesh_have_no_samples():
    assert shape_samples(Shape(kind="plane")) == []


@pytest.mark.parametrize(
    "shape",
    [
        bones.sphere((0.0, 0.0, 0.0), 0.2),
        bones.capsule((0.0, -0.3, 0.0), (0.0, 0.3, 0.0), 0.05),
        bones.box((0.0, 0.1, 0.0), (0.1, 0.2, 0.3)),
    ],
)
def test_samples_are_no_firmer_than_the_step_allows(shape):
    """Sum over the samples that can touch at once, against the exact effective mass: `kn <= STIFFNESS_SHARE m_eff/dt²`."""
    m = model(prop(shape), world=[floor()])
    samples = contact_tables(m, DT, 0.7).samples
    spec = m.bodies[0].spec
    xx, yy, zz, xy, xz, yz = spec.inertia
    inverse = np.linalg.inv([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    rng = np.random.default_rng(1)
    for sample in samples:
        assert sample["kn"] > 0
        assert sample["cn"] > 0
        r = sample["r"] - spec.center_of_mass
        for n in rng.normal(size=(20, 3)):
            n /= np.linalg.norm(n)
            arm = np.cross(r, n)
            effective = 1 / (1 / spec.mass + arm @ inverse @ arm)
            assert sample["kn"] <= STIFFNESS_SHARE * effective / DT**2 * (1 + 1e-12)
            assert sample["cn"] <= 0.35 * effective / DT * (1 + 1e-12)


@pytest.mark.parametrize("scene", ["double_pendulum", "ragdoll", "worm", "robot", "finger"])
@pytest.mark.parametrize("self_contact", [True, False])
def test_kernels_see_the_same_kinds_of_tables_whatever_is_in_the_scene(scene, self_contact):
    """A table that may be written is another type to the compiler: the largest kernels would be compiled twice."""

    def tables(parts):
        for part in parts:
            yield from tables(part) if isinstance(part, tuple) else [part]

    found = list(tables(contact_tables(load_scene(scene).model, DT, 0.7, self_contact=self_contact).record))
    assert len(found) == 12
    assert not any(table.flags.writeable for table in found)
