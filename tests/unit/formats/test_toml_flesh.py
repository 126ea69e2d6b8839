"""Flesh in our scene file: what it may say, that nothing is lost, and what is said about mistakes."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from small_scenes import load_small
from stringless.errors import InputError, ModelError
from stringless.flesh import generators
from stringless.flesh.wrap import wrap
from stringless.formats import read_toml, write_toml
from stringless.formats.toml.flesh import DEFAULTS
from stringless.formats.toml.surfaces import GENERATORS
from stringless.loader import check
from stringless.model import JointSpec, ModelBuilder, Pose, Scene, Shape
from stringless.model.spec import BodySpec
from stringless.scenes import SCENES, load_scene

SKELETON = """
[[body]]
name = "upper"
position = [-0.1, 0.0, 0.0]
density = 2000
[body.joint]
kind = "free"
[[body.shape]]
kind = "capsule"
radius = 0.01
half_length = 0.04
position = [0.05, 0.0, 0.0]
rotation_degrees = [0.0, 90.0, 0.0]

[[body]]
name = "lower"
parent = "upper"
position = [0.1, 0.0, 0.0]
density = 2000
[body.joint]
kind = "revolute"
axis = [0.0, 0.0, 1.0]
[[body.shape]]
kind = "capsule"
radius = 0.01
half_length = 0.04
position = [0.05, 0.0, 0.0]
rotation_degrees = [0.0, 90.0, 0.0]
"""
SURFACE = """
[flesh.surface]
kind = "capsule"
a = [-0.1, 0.0, 0.0]
b = [0.1, 0.0, 0.0]
radius = 0.03
"""
CAGE = """
[flesh.cage]
cells = [8, 2, 2]
"""
HEAD = """
[[flesh]]
name = "arm"
within = 0.01
young = 20e3
density = 1100
"""
ARM = SKELETON + HEAD + SURFACE + CAGE
FLESHED = [name for name in SCENES if load_small(name).model.flesh is not None]


def problems(text: str) -> str:
    with pytest.raises(ModelError) as caught:
        read_toml(text)
    return str(caught.value)


def assert_same_flesh(a: Scene, b: Scene) -> None:
    """Every table and every array of the description the same to the last bit."""
    one, other = a.model.flesh, b.model.flesh
    assert one is not None
    assert other is not None
    for name in ("nodes", "elements", "materials", "vertices", "rest"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes()
    assert a.model.tree.tobytes() == b.model.tree.tobytes()
    for x, y in zip(one.specs, other.specs, strict=True):
        for field in vars(x):
            value, again = getattr(x, field), getattr(y, field)
            if isinstance(value, np.ndarray):
                assert (value.dtype, value.tobytes()) == (again.dtype, again.tobytes()), field
            else:
                assert value == again, field


@pytest.mark.parametrize("name", FLESHED)
def test_built_in_scenes_keep_every_bit(name, tmp_path):
    scene = load_scene(name)
    again = read_toml(write_toml(scene, tmp_path / "scene.toml"))
    assert_same_flesh(scene, again)
    assert scene.q.tobytes() == again.q.tobytes()
    assert again.warnings == ()


def test_nothing_that_flesh_can_be_told_is_missing_in_the_file(tmp_path):
    """All settings away from their defaults, a node on the ground, bodies out of order."""
    told = set(inspect.signature(wrap).parameters) - {"builder", "surface", "cage", "name", "lattice"}
    assert told == {"colors", "bones", "within", "fixed", "attachment", "material", *DEFAULTS}
    for key, value in DEFAULTS.items():
        assert inspect.signature(wrap).parameters[key].default == value
    scene = read_toml(ARM)
    (flesh,) = scene.model.flesh.specs
    builder = ModelBuilder("arm")
    builder.specs = list(scene.model.specs)
    attachment = ("", *flesh.bones[1:]), flesh.fixed & (np.arange(len(flesh.bones)) > 0)
    settings = {"density": 900.0, "young": 11e3, "poisson": 0.2, "damping": 3.0, "dt": 5e-4, "material": "neo_hookean"}
    skin = generators.capsule((-0.1, 0, 0), (0.1, 0, 0), 0.03)
    colors = np.random.default_rng(0).uniform(size=(len(skin.vertices), 3))
    wrap(builder, skin, cells=(8, 2, 2), name='a "skin"', attachment=attachment, colors=colors, **settings)
    scene = Scene(builder.build())
    assert_same_flesh(scene, read_toml(write_toml(scene, tmp_path / "a b.toml")))


def test_hand_written_flesh_is_what_code_makes():
    scene = read_toml(ARM)
    builder = ModelBuilder("scene")
    builder.specs = list(scene.model.specs)
    skin = generators.capsule((-0.1, 0, 0), (0.1, 0, 0), 0.03)
    wrap(builder, skin, cells=(8, 2, 2), name="arm", within=0.01, young=20e3, density=1100.0)
    assert_same_flesh(Scene(builder.build()), scene)


def test_bodies_may_come_in_any_order():
    child, parent = SKELETON.split("[[body]]")[:0:-1]
    text = f"[[body]]{child}[[body]]{parent}" + HEAD + SURFACE + CAGE
    scene = read_toml(text + "[start.q]\nlower = 0.3\n")
    assert [body.name for body in scene.model.bodies] == ["upper", "lower"]
    np.testing.assert_array_equal(scene.q, (0, 0, 0, 0, 0, 0, 1, 0.3))


GENERATED = {
    "sphere": "radius = 0.15",
    "ellipsoid": "center = [0, 0, 0]\nradii = [0.16, 0.05, 0.05]\nsides = 12",
    "capsule": "a = [-0.1, 0, 0]\nb = [0.1, 0, 0]\nradius = 0.03\nrings = 12",
    "tube": "points = [[-0.12, 0, 0], [0, 0.001, 0], [0.12, 0, 0]]\nradii = [0.03, 0.04, 0.03]\nup = [0, 0, 1]",
    "turned": "outline = [[-0.12, 0.03], [0.0, 0.05], [0.12, 0.03]]\nrotation_degrees = [0, 0, 90]",
    "torus": 'major = 0.08\nminor = 0.07\naxis = "y"\nsides = 12\nrings = 12',
    "box": "center = [0, 0, 0]\nsize = [0.28, 0.06, 0.06]\ncells = [6, 2, 2]",
    "blend": "cell = 0.02\nwidth = 0.01\n[[flesh.surface.part]]\na = [-0.12, 0, 0]\nradius = 0.04\n"
    "[[flesh.surface.part]]\na = [-0.12, 0, 0]\nb = [0.12, 0, 0]\nradius = 0.035\nend_radius = 0.03",
}


@pytest.mark.parametrize("kind", [*GENERATORS, "blend"])
def test_every_generator_can_be_named(kind):
    text = SKELETON + HEAD + f'[flesh.surface]\nkind = "{kind}"\n{GENERATED[kind]}\n' + CAGE
    scene = read_toml(text)
    assert scene.model.flesh.specs[0].masses.sum() > 0.1


def write_box(path, size=2.0):
    """A box of 0.28 x 0.06 x 0.06 units of `size` m as an OBJ file, z up."""
    box = generators.box((0, 0, 0), (0.28 / size, 0.06 / size, 0.06 / size), (6, 2, 2))
    lines = [f"v {x!r} {-z!r} {y!r}" for x, y, z in box.vertices.tolist()]
    lines += ["f " + " ".join(str(v + 1) for v in t) for t in box.triangles]
    path.write_text("\n".join(lines) + "\n")


def test_skin_comes_from_a_mesh_beside_the_scene(tmp_path):
    write_box(tmp_path / "arm.obj")
    surface = '[flesh.surface]\nfile = "arm.obj"\nscale = 2.0\nup = "z"\nposition = [0.0, 0.0, 0.001]\n'
    (tmp_path / "arm.toml").write_text(SKELETON + HEAD + surface + CAGE)
    (flesh,) = read_toml(tmp_path / "arm.toml").model.flesh.specs
    np.testing.assert_allclose(np.ptp(flesh.vertices, axis=0), (0.28, 0.06, 0.06))
    np.testing.assert_allclose(flesh.vertices.mean(axis=0), (0.0, 0.0, 0.001), atol=1e-9)


def test_cage_comes_from_a_file_and_nodes_are_fixed_by_list(tmp_path):
    (flesh,) = read_toml(ARM).model.flesh.specs
    np.savez(tmp_path / "cage.npz", nodes=flesh.nodes, tets=flesh.tets)
    cage = '[flesh.cage]\nfile = "cage.npz"\n[flesh.fixed]\nlower = [0, 1]\n'
    (tmp_path / "arm.toml").write_text(SKELETON + HEAD + SURFACE + cage)
    (again,) = read_toml(tmp_path / "arm.toml").model.flesh.specs
    assert again.bones[:2] == ("lower", "lower")
    assert again.fixed[:2].all()
    np.testing.assert_array_equal(again.nodes, flesh.nodes)


SURFACE_MESSAGES = [
    ("", "flesh 'arm', surface: found no kind and no file"),
    ('kind = "sausage"', "flesh 'arm', surface: found kind = 'sausage'"),
    ('kind = "capsule"\na = [0, 0, 0]\nradius = 0.03', "flesh 'arm', surface: found no b"),
    ('kind = "sphere"\nradius = -1', "flesh 'arm', surface: found radii: found"),
    ('kind = "sphere"\nradius = 0.1\nrings = 1.5', "flesh 'arm', surface: found rings = 1.5"),
    ('kind = "sphere"\nradius = 0.1\nrnigs = 3', "unknown key 'rnigs'"),
    (
        'kind = "sphere"\nradius = 0.15\ncolor = [2, 0, 0]',
        "flesh 'arm': found colors: expected three numbers from 0 to 1",
    ),
    ('file = "nowhere.obj"', "flesh 'arm', surface: found file = 'nowhere.obj', which is not there"),
    ('kind = "blend"\ncell = 0.02\nwidth = 0.01', "flesh 'arm', surface: found no part"),
    (
        'kind = "blend"\ncell = 0.02\n[[flesh.surface.part]]\nradius = 1',
        "flesh 'arm', surface, part number 1: found no a",
    ),
    ('kind = "blend"\ncell = 0.02\n[[flesh.surface.part]]\nradius = 1', "flesh 'arm', surface: found no width"),
]


@pytest.mark.parametrize(("lines", "message"), SURFACE_MESSAGES)
def test_mistakes_in_a_surface_are_named(lines, message):
    assert message in problems(SKELETON + HEAD + f"[flesh.surface]\n{lines}\n" + CAGE)


CAGE_MESSAGES = [
    ("", "flesh 'arm', cage: found nothing"),
    ("cell = 0.02\ntets = 100", "flesh 'arm', cage: found cell and tets"),
    ("cells = [1, 2]", "flesh 'arm', cage: found cells with 2 numbers"),
    ("tets = 1e3", "flesh 'arm', cage: found tets = 1000.0"),
    ("cell = -1", "flesh 'arm': found cell: found -1.0; expected a positive length"),
    ('file = "nowhere.npz"', "flesh 'arm', cage: found file = 'nowhere.npz', which is not there"),
    ("cels = [1, 2, 3]", "unknown key 'cels'"),
]


@pytest.mark.parametrize(("lines", "message"), CAGE_MESSAGES)
def test_mistakes_in_a_cage_are_named(lines, message):
    assert message in problems(SKELETON + HEAD + SURFACE + f"[flesh.cage]\n{lines}\n")


HEAD_MESSAGES = [
    ("young = 0", "flesh 'arm': found young = 0; expected a number above 0"),
    ("density = -5", "flesh 'arm': found density = -5; expected a number above 0"),
    ("dt = 0", "flesh 'arm': found dt = 0"),
    ("damping = -1", "flesh 'arm': found damping = -1"),
    ("poisson = 0.5", "flesh 'arm': found poisson = 0.5; expected a number between"),
    ('material = "jelly"', "flesh 'arm': found material = 'jelly'"),
    ('bones = ["uper"]', "flesh 'arm': found bones with 'uper'; expected bodies of this file. Did you mean 'upper'"),
    ("bones = [1]", "flesh 'arm': found bones = [1]"),
    ("fixed = { uper = [1] }", "flesh 'arm', fixed: found 'uper'"),
    ("fixed = { upper = [1.5] }", "flesh 'arm', fixed: found upper = [1.5]"),
    ("fixed = { upper = [99999] }", "flesh 'arm', bone 'upper': found node 99999, fixed by list"),
    ("within = -0.1", "flesh 'arm', bone 'upper': found no node of the cage to hold"),
    ("stiffness = 3", "flesh 'arm': found unknown key 'stiffness'"),
]


@pytest.mark.parametrize(("line", "message"), HEAD_MESSAGES)
def test_mistakes_in_flesh_are_named(line, message):
    text = SKELETON + f'[[flesh]]\nname = "arm"\n{line}\n' + SURFACE + CAGE
    assert message in problems(text)


def test_bones_without_mass_are_not_blamed_for_flesh_that_is_missing():
    said = problems(ARM.replace("density = 2000", "").replace("young = 20e3", "young = 0"))
    assert "young = 0" in said
    assert "mass" not in said


def test_every_mistake_is_told_at_once():
    said = problems(SKELETON.replace("revolute", "hinge") + HEAD + "poisson = 2\n" + "[flesh.surface]\n[flesh.cage]\n")
    for part in ("'hinge'", "poisson = 2", "no kind and no file", "cage: found nothing"):
        assert part in said


def test_a_surface_that_is_open_or_a_file_that_is_none_is_refused(tmp_path):
    box = generators.box((0, 0, 0), (0.28, 0.06, 0.06), (6, 2, 2))
    np.savez(tmp_path / "open.npz", vertices=box.vertices, triangles=box.triangles[1:])
    np.savez(tmp_path / "cage.npz", nodes=box.vertices)
    (tmp_path / "broken.npz").write_bytes(b"PK\x03\x04 and then nothing")
    (tmp_path / "arm.xyz").write_text("no mesh")
    for lines, message in (
        ('file = "open.npz"', "edges with a triangle on one side only"),
        ('file = "cage.npz"', "has no array 'vertices'; its arrays: nodes"),
        ('file = "broken.npz"', "cannot be read as a NumPy .npz file"),
        ('file = "arm.xyz"', "expected a file that ends in .npz or .obj"),
    ):
        (tmp_path / "arm.toml").write_text(SKELETON + HEAD + f"[flesh.surface]\n{lines}\n" + CAGE)
        (problem,) = check(tmp_path / "arm.toml")
        assert message in str(problem)
        assert "flesh 'arm', surface" in str(problem)
    for lines, message in (
        ('file = "cage.npz"', "has no array 'tets'"),
        ('file = "broken.npz"', "cannot be read as a NumPy .npz file"),
    ):
        (tmp_path / "arm.toml").write_text(SKELETON + HEAD + SURFACE + f"[flesh.cage]\n{lines}\n")
        (problem,) = check(tmp_path / "arm.toml")
        assert message in str(problem)


def test_attachment_in_a_file_leaves_nothing_to_rules(tmp_path):
    (flesh,) = read_toml(ARM).model.flesh.specs
    arrays = {"nodes": flesh.nodes, "tets": flesh.tets, "bone": np.full(len(flesh.nodes), 7), "fixed": flesh.fixed}
    np.savez(tmp_path / "cage.npz", **arrays)
    (tmp_path / "arm.toml").write_text(SKELETON + HEAD + SURFACE + '[flesh.cage]\nfile = "cage.npz"\n')
    assert "numbers from -1 to -1 in bone" in str(check(tmp_path / "arm.toml")[0])
    np.savez(tmp_path / "cage.npz", **{**arrays, "bone": np.zeros(len(flesh.nodes), int)})
    text = SKELETON + HEAD + 'bones = ["upper"]\n' + SURFACE + '[flesh.cage]\nfile = "cage.npz"\n'
    (tmp_path / "arm.toml").write_text(text)
    assert "expected no within and no fixed beside it" in str(check(tmp_path / "arm.toml")[0])
    (tmp_path / "arm.toml").write_text(text.replace("within = 0.01\n", ""))
    assert set(read_toml(tmp_path / "arm.toml").model.flesh.specs[0].bones) == {"upper"}


def test_attachment_that_does_not_fit_is_refused():
    bone = BodySpec(
        name="bone", joint=JointSpec(kind="free"), shapes=(Shape(kind="sphere", size=(0.02,), place=Pose()),)
    )
    skin = generators.sphere(radius=0.05)
    for attachment in ((("bone",), np.ones(1, bool)), (("bon",) * 27, np.ones(27, bool))):
        with pytest.raises(ModelError, match="expected a bone of the skeleton for each of 27 nodes"):
            wrap(ModelBuilder().add(bone), skin, cells=(2, 2, 2), attachment=attachment)


def test_side_file_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "arm-flesh-1.npz.part").mkdir()
    with pytest.raises(InputError, match="cannot write"):
        write_toml(read_toml(ARM), tmp_path / "arm.toml")
