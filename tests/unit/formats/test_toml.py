"""Our own scene file: what it may say, that nothing is lost, and what is said about mistakes."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, strategies

from models import pendulum
from small_scenes import load_small
from stringless.errors import InputError, ModelError
from stringless.formats import read_toml, read_urdf, write_toml
from stringless.formats.toml.text import scene_text
from stringless.model import BodySpec, JointSpec, LoopSpec, ModelBuilder, Pose, Scene, Shape
from stringless.scenes import SCENES

PENDULUM = """
[scene]
format = 1
name = "pendulum"
description = "A rod."

[[body]]
name = "rod"
position = [0, 1, 0]
mass = 2

[body.joint]
kind = "revolute"
name = "pivot"
axis = [0, 0, 1]
lower = -1.5
upper = 1.5
damping = 0.1

[[body.shape]]
kind = "capsule"
radius = 0.02
half_length = 0.2
position = [0.0, -0.2, 0.0]
rotation_degrees = [90.0, 0.0, 0.0]
color = [1, 0, 0, 1]

[[world_shape]]
kind = "plane"
name = "floor"
rotation_degrees = [-90, 0, 0]

[start.q]
pivot = 0.5
[start.v]
pivot = -2
"""
KINDS = ("fixed", "revolute", "prismatic", "universal", "ball", "planar", "translational", "free")


def problems(text: str) -> str:
    with pytest.raises(ModelError) as caught:
        read_toml(text)
    return str(caught.value)


def assert_same_bits(a: np.ndarray, b: np.ndarray) -> None:
    assert a.dtype == b.dtype
    assert a.tobytes() == b.tobytes()


def digits(value: object) -> object:
    """The same nested lists with every number as text, so that -0.0 differs from 0.0."""
    if isinstance(value, (list, tuple)):
        return [digits(entry) for entry in value]
    return repr(float(value)) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def assert_same_scene(a: Scene, b: Scene) -> None:
    """Every table the same to the last bit, and every description the same."""
    for name in ("tree", "dofs", "limits", "q_neutral", "q_rest", "gravity"):
        assert_same_bits(getattr(a.model, name), getattr(b.model, name))
    assert_same_bits(a.q, b.q)
    assert_same_bits(a.v, b.v)
    assert a.model.specs == b.model.specs
    for one, other in ((a.model.specs, b.model.specs), (a.model.world_shapes, b.model.world_shapes)):
        assert digits([dataclasses.astuple(part) for part in one]) == digits(
            [dataclasses.astuple(part) for part in other]
        )
    assert (a.name, a.model.name, a.description) == (b.name, b.model.name, b.description)
    assert (a.engine, repr(a.dt), a.active) == (b.engine, repr(b.dt), b.active)
    assert_same_bits(a.model.loops, b.model.loops)
    assert a.model.loop_specs == b.model.loop_specs


def random_pose(rng: np.random.Generator) -> Pose:
    q = rng.normal(size=4)
    return Pose(tuple(map(float, rng.normal(size=3))), tuple(map(float, q / np.linalg.norm(q))))


def random_shape(rng: np.random.Generator) -> Shape:
    kind = str(rng.choice(["box", "sphere", "capsule", "cylinder", "ellipsoid", "plane", "mesh"]))
    count = {"sphere": 1, "capsule": 2, "cylinder": 2, "plane": 0}.get(kind, 3)
    return Shape(
        kind=kind,
        size=tuple(map(float, rng.uniform(0.1, 1, count))),
        place=random_pose(rng),
        purpose=str(rng.choice(["both", "collision", "visual"])),
        name=str(rng.choice(["", "a shape"])),
        mesh="bone.stl" if kind == "mesh" else "",
        color=tuple(map(float, rng.uniform(size=4))) if rng.random() < 0.5 else (),
    )


def random_joint(rng: np.random.Generator, number: int) -> JointSpec:
    builder = ModelBuilder()
    kind = str(rng.choice(KINDS))
    axes = {"revolute": 1, "prismatic": 1, "universal": 2, "ball": int(rng.random() < 0.5)}.get(kind, 0)
    builder.add_body("x", joint="ball" if kind == "ball" else "fixed", mass=1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    limits = {"revolute": 1, "prismatic": 1, "universal": 2, "ball": 3, "planar": 3, "translational": 3}.get(kind, 0)
    limited = bool(limits) and rng.random() < 0.5
    return JointSpec(
        kind=kind,
        name=str(rng.choice(["", f"joint {number}", f"j{number}"])),
        axes=tuple(tuple(map(float, rng.normal(size=3))) for _ in range(axes)),
        lower=tuple(map(float, -rng.uniform(size=limits))) if limited else (),
        upper=(*map(float, rng.uniform(size=limits - 1)), math.inf) if limited else (),
        stiffness=(float(rng.uniform()),) if rng.random() < 0.5 else (),
        damping=(float(rng.uniform()),) if rng.random() < 0.5 else (),
        armature=(float(rng.uniform()),),
        effort=(math.inf,) if rng.random() < 0.3 else (),
        speed=(float(rng.uniform()),) if rng.random() < 0.3 else (),
        rest=(float(rng.normal()),) if kind in ("revolute", "prismatic") else (),
        actuated=bool(rng.random() < 0.7),
    )


def random_scene(seed: int) -> Scene:
    rng = np.random.default_rng(seed)
    builder = ModelBuilder(f"model {seed}", gravity=tuple(map(float, rng.normal(size=3))))
    for k in range(6):
        moments = np.sort(rng.uniform(1, 2, 3)) * 1e-3
        spec = BodySpec(
            name=f"body {k}",
            parent=f"body {rng.integers(k)}" if k and rng.random() < 0.8 else "",
            joint=random_joint(rng, k),
            place=random_pose(rng),
            mass=float(rng.uniform(0.1, 5)),
            center_of_mass=tuple(map(float, rng.normal(size=3))),
            inertia=(*map(float, moments), 0.0, -0.0, 1e-9),
            shapes=tuple(random_shape(rng) for _ in range(rng.integers(3))),
            frame=random_pose(rng) if rng.random() < 0.5 else Pose(),
        )
        builder.add(spec)
    builder.world_shapes = [random_shape(rng) for _ in range(2)]
    for k, kind in enumerate(("point", "hinge", "weld")[: seed % 4]):
        other = "" if k == 1 else f"body {k}"
        builder.close(LoopSpec(f"loop {k}", kind, "body 5", other, random_pose(rng), random_pose(rng)))
    model = builder.build()
    name, description = ("", 'say "hi"\n\tthere\\') if seed % 2 else ("scene", "")
    engine, dt = ("stiff", float(rng.uniform(0.001, 0.03))) if seed % 3 else ("reduced", 1e-3)
    return Scene(model, name, description, q=model.random(rng), v=rng.normal(size=model.nv), engine=engine, dt=dt)


@pytest.mark.parametrize("active", [3, {"p0_link_0": 2, "p1_link_0": 7}])
def test_budgets_are_kept(tmp_path, active):
    scene = dataclasses.replace(SCENES["long_pendulum"].build(links=9, count=2), active=active)
    write_toml(scene, tmp_path / "two.toml")
    assert read_toml(tmp_path / "two.toml").active == active


@pytest.mark.parametrize("seed", range(20))
def test_writing_and_reading_keeps_every_bit(tmp_path, seed):
    scene = random_scene(seed)
    path = write_toml(scene, tmp_path / "scene.toml")
    again = read_toml(path)
    assert_same_scene(scene, again)
    assert again.source == path
    assert scene_text(again, 1) == path.read_text(encoding="utf-8")


def test_random_scenes_cover_every_kind_of_joint_and_shape():
    scenes = [random_scene(seed) for seed in range(20)]
    assert {spec.joint.kind for scene in scenes for spec in scene.model.specs} == set(KINDS)
    shapes = [shape for scene in scenes for spec in scene.model.specs for shape in spec.shapes]
    assert len({shape.kind for shape in shapes}) == 7


def test_massless_and_point_masses_keep_their_zeros():
    ball = (Shape(kind="sphere", size=(1.0,)),)
    builder = ModelBuilder()
    builder.add(BodySpec(name="point", mass=1.0, shapes=ball))
    builder.add(BodySpec(name="none", shapes=ball, place=Pose((-0.0, 0.0, 0.0))))
    scene = Scene(builder.build())
    assert_same_scene(scene, read_toml(scene_text(scene, 1)))


def test_start_with_signed_zeros_is_kept():
    builder = ModelBuilder().add_body("a", joint=JointSpec(kind="translational"), mass=1.0)
    scene = Scene(builder.build(), q=np.array([-0.0, 0.0, 0.0]), v=np.array([0.0, -0.0, 1e-300]))
    assert_same_scene(scene, read_toml(scene_text(scene, 1)))


@given(strategies.text(strategies.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_can_be_a_name(name):
    builder = ModelBuilder(name).add_body(name, joint="ball", mass=1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    scene = Scene(builder.build(), description=name, q=np.array([1.0, 0.0, 0.0, 0.0]))
    assert_same_scene(scene, read_toml(scene_text(scene, 1)))


@given(strategies.floats(-1e30, 1e30))
def test_any_number_is_kept(value):
    builder = ModelBuilder(gravity=(value, 0.0, 0.0)).add_body("a", center_of_mass=(0.0, value, 0.0))
    scene = Scene(builder.build())
    again = read_toml(scene_text(scene, 1))
    assert_same_bits(scene.model.gravity, again.model.gravity)
    assert repr(again.model.specs[0].center_of_mass) == repr((0.0, value, 0.0))


def test_urdf_survives_the_way_through_our_format():
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    text = (
        f'<robot name="r"><link name="a">{inertial}</link><link name="b">{inertial}</link><joint name="j" '
        'type="continuous"><parent link="a"/><child link="b"/><origin xyz=".1 .2 .3" rpy=".1 .2 .3"/></joint></robot>'
    )
    scene = read_urdf(text, floating=True)
    assert_same_scene(scene, read_toml(scene_text(scene, 1)))


@pytest.mark.parametrize("name", SCENES)
def test_built_in_scenes_keep_every_bit(name, tmp_path):
    scene = load_small(name)
    assert_same_scene(scene, read_toml(write_toml(scene, tmp_path / "scene.toml")))


def test_a_written_file_reads_like_one_written_by_hand():
    text = scene_text(read_toml(PENDULUM), 1)
    assert text.startswith('[scene]\nformat = 1\nname = "pendulum"\ndescription = "A rod."\n\n[[body]]\nname = "rod"\n')
    assert '[body.joint]\nkind = "revolute"\nname = "pivot"\naxis = [0.0, 0.0, 1.0]\nlower = -1.5\n' in text
    assert "[start.q]\npivot = 0.5\n" in text
    assert "gravity" not in text
    assert "actuated" not in text


def test_hand_written_file_is_understood():
    scene = read_toml(PENDULUM)
    spec = scene.model.body("rod").spec
    assert (scene.name, scene.model.name, scene.description) == ("pendulum", "pendulum", "A rod.")
    np.testing.assert_array_equal(scene.model.gravity, (0, -9.81, 0))
    assert spec.place.position == (0.0, 1.0, 0.0)
    assert spec.joint.axes == ((0.0, 0.0, 1.0),)
    assert (spec.joint.lower, spec.joint.upper, spec.joint.damping) == ((-1.5,), (1.5,), (0.1,))
    assert (scene.q[0], scene.v[0]) == (0.5, -2.0)
    assert scene.model.world_shapes[0].name == "floor"
    np.testing.assert_allclose(scene.model.world_shapes[0].place.matrix @ (0, 0, 1), (0, 1, 0), atol=1e-15)
    # Mass from the file, centre and inertia from the capsule.
    np.testing.assert_allclose(spec.center_of_mass, (0, -0.2, 0))
    assert spec.mass == 2
    assert spec.inertia[0] > 10 * spec.inertia[1] > 0


def test_density_gives_mass_to_the_shapes_that_touch():
    text = """
    [[body]]
    name = "a"
    density = 500.0
    [[body.shape]]
    kind = "box"
    half_size = [0.5, 0.5, 0.5]
    [[body.shape]]
    kind = "sphere"
    radius = 3.0
    purpose = "visual"
    [[body.shape]]
    kind = "ellipsoid"
    radii = [1.0, 1.0, 1.0]
    position = [0.0, 0.0, 9.0]
    purpose = "collision"
    """
    spec = read_toml(text).model.body("a").spec
    assert spec.mass == pytest.approx(500 * (1 + 4 / 3 * math.pi))
    only = text.replace('"collision"', '"visual"').replace(
        "half_size = [0.5, 0.5, 0.5]", 'half_size = [1, 1, 1]\npurpose = "visual"'
    )
    assert read_toml(only).model.body("a").mass == pytest.approx(500 * (8 + 28 * 4 / 3 * math.pi))


def test_mesh_gives_mass_if_its_file_is_there(tmp_path):
    text = '[[body]]\nname = "a"\ndensity = 2.0\n[[body.shape]]\nkind = "mesh"\nfile = "cube.obj"\nscale = [1, 1, 2]\n'
    path = tmp_path / "scene.toml"
    path.write_text(text)
    with pytest.raises(
        ModelError, match=r"body 'a': found there is no mesh file 'cube.obj'; expected shapes with a vol"
    ):
        read_toml(path)
    block = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    (tmp_path / "cube.obj").write_text(block)
    assert read_toml(path).model.body("a").mass == pytest.approx(2 * 2 / 6)


def test_short_names_of_defaults():
    scene = read_toml('[[body]]\nname = "only"\n')
    assert scene.model.body_count == 1
    assert (scene.name, scene.model.nv) == ("scene", 0)
    axes = body(
        "mass = 1", "center_of_mass = [1, 1, 1]", "[body.joint]", "kind = 'universal'", "axes = [[1,0,0],[0,1,0]]"
    )
    assert read_toml(axes.replace('"a"', '"u"')).model.joint("u").spec.axes == ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


def test_byte_order_mark_and_windows_lines_are_read(tmp_path):
    path = tmp_path / "scene.toml"
    path.write_bytes(b"\xef\xbb\xbf" + PENDULUM.replace("\n", "\r\n").encode())
    assert read_toml(path).model.joint("pivot").nv == 1


# --- mistakes ---------------------------------------------------------------------------------------------------------


def body(*lines: str) -> str:
    return "\n".join(["[[body]]", 'name = "a"', *lines]) + "\n"


def loop(*lines: str) -> str:
    return body() + "\n".join(["[[loop]]", "name = 'l'", "body_a = 'a'", *lines]) + "\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[scene\n",
            "line 1, column 7: found broken TOML (Expected ']' at the end of a table declaration); expected valid TOML",
        ),
        ("[scene]\nname = \n", "line 2, column 8: found broken TOML (Invalid value)"),
        ("[scene]\nformat = 2\n", "scene: found format = 2; expected format = 1. Use a newer version of this program"),
        ("[scene]\nfromat = 1\n", "scene: found unknown key 'fromat'; expected a known key. Did you mean 'format'?"),
        ("[scene]\nname = 3\n", "scene: found name = 3, which is a number; expected text"),
        ("[scene]\ngravity = [1, 2]\n", "scene: found gravity with 2 numbers; expected a list of 3 numbers"),
        ("[scene]\ngravity = 9.81\n", "found gravity = 9.81, which is a number; expected a list of 3 numbers"),
        (
            "[scene]\ngravity = [0, nan, 0]\n",
            "found gravity = [0, nan, 0], which has a number in it that is not finite; expected a list of 3 numbers",
        ),
        ("scene = 3\n", "file: found scene = 3, which is a number; expected a table"),
        ("[scene]\nactiv = 5\n", "scene: found unknown key 'activ'; expected a known key. Did you mean 'active'?"),
        ("[bodies]\n", "file: found unknown key 'bodies'"),
        ("body = [1]\n", "found body = 1, which is a number; expected a table for each body. Write [[body]]"),
        ("[body]\nname = 'a'\n", "which is a table; expected a list"),
        ("[[body]]\nmass = 1\n", "body number 1: found no name; expected a line name = "),
        (body("mas = 1"), "body 'a': found unknown key 'mas'; expected a known key. Did you mean 'mass'?"),
        (body("mass = true"), "body 'a': found mass = True, which is true or false; expected a number"),
        (body("mass = 1e31"), "found mass = 1e+31, which is a number; expected a number of at most 1e+30"),
        (body("mass = nan"), "found mass = nan, which is not finite; expected a number"),
        (
            body("position = [0, inf, 0]"),
            "a number in it that is not finite; expected a list of 3 numbers of at most 1e+30",
        ),
        (body("mass = '1'"), "found mass = '1', which is text; expected a number"),
        (body("mass = -1"), "body 'a': found mass -1 kg"),
        (body("mass = 1" + "0" * 400), "expected a number"),
        (body("position = [0, 'x', 0]"), "found position = [0, 'x', 0], which is a list; expected a list of 3 numbers"),
        (body("rotation = [0, 0, 0, 2]"), "body 'a', place: found a quaternion of length 2"),
        (body("rotation = [0, 0, 0, 1]", "rotation_degrees = [0, 0, 1]"), "found rotation and rotation_degrees"),
        (body("mass = 1", "density = 1"), "body 'a': found mass and density; expected one of the two"),
        (body("density = 1"), "found a density; expected one only with shapes"),
        (body("parent = 'b'"), "body 'a': found parent 'b', which does not exist"),
        (body("[body.joint]", "kind = 'revolut'"), "body 'a', joint: found kind = 'revolut'; expected one of 'fixed'"),
        (body("[body.joint]", "kind = 'revolut'"), "Did you mean 'revolute'?"),
        (
            body("[body.joint]", "axis = [1, 0, 0]", "axes = [[1, 0, 0]]"),
            "found axis and axes; expected one of the two",
        ),
        (body("[body.joint]", "axes = [1, 0, 0]"), "found axes = [1, 0, 0], which is a list; expected a list of lists"),
        (
            body("[body.joint]", "damping = 'much'"),
            "found damping = 'much', which is text; expected a number or a list",
        ),
        (
            body("[body.joint]", "stifness = 1"),
            "body 'a', joint: found unknown key 'stifness'; expected a known key. Did you",
        ),
        (body("[body.joint]", "actuated = 1"), "found actuated = 1, which is a number; expected true or false"),
        (body("[body.frame]", "turn = 1"), "body 'a', frame: found unknown key 'turn'"),
        (body("[[body.shape]]", "radius = 1"), "body 'a', shape number 1: found no kind; expected a line kind = "),
        (body("[[body.shape]]", "kind = 'cone'"), "found kind = 'cone'; expected one of 'box'"),
        (body("[[body.shape]]", "kind = 'sphere'"), "found no radius; expected a line radius = ... for a sphere"),
        (body("[[body.shape]]", "kind = 'sphere'", "half_size = [1, 1, 1]", "radius = 1"), "unknown key 'half_size'"),
        (body("[[body.shape]]", "kind = 'mesh'"), "body 'a', shape '0': found no file"),
        (body("[[body.shape]]", "kind = 'box'", "half_size = [1, 1, -1]"), "size (1.0, 1.0, -1.0); expected positive"),
        (body("[[body.shape]]", "kind = 'plane'", "purpose = 'fun'"), "found purpose = 'fun'; expected one of 'both'"),
        (body("[start.q]", "b = 1"), "start.q: found joint 'b'; expected a joint of this file. Known names: 'a'"),
        (body("[start.q]", "a = 1"), "start.q: found 1 numbers for joint 'a'; expected 0 for a fixed joint"),
        (body("[start]", "w = 1"), "start: found unknown key 'w'; expected a known key. Known names: 'q', 'v'"),
        ("\nx = " + "[" * 5000, "nested too deeply"),
        (
            "[scene]\nengine = 'stif'\n",
            "found engine = 'stif'; expected one of 'reduced', 'stiff', 'adaptive'. Did you mean 'stiff'?",
        ),
        (
            "[scene]\nengine = 'adaptive'\nactive = 2.5\n",
            "scene: found active = 2.5, which is a number; expected a whole number",
        ),
        (
            "[scene]\nengine = 'adaptive'\n[scene.active]\na = 0\nc = 2\n[[body]]\nname = 'a'\n",
            "active of 'a': found 0; expected a whole number of joints, 1 or more",
        ),
        (
            "[scene]\nengine = 'adaptive'\n[scene.active]\nc = 2\n[[body]]\nname = 'a'\n",
            "active: found character 'c'; expected the root body of one",
        ),
        ("[scene]\nactive = 2\n", "active: found 2 with engine 'reduced'; expected engine 'adaptive'"),
        ("[scene]\ndt = 0\n", "dt: found 0.0; expected a finite number above 0"),
        (loop("kind = 'wled'"), "loop 'l': found kind 'wled'; expected a known kind of loop. Did you mean 'weld'?"),
        (
            loop("kind = 'weld'", "body_b = 'b'"),
            "loop 'l': found body 'b', which does not exist; expected an existing body",
        ),
        (loop("kind = 'weld'", "place = 1"), "loop 'l': found unknown key 'place'"),
        (loop("[loop.place_a]", "at = 1"), "loop 'l', place_a: found unknown key 'at'"),
    ],
)
def test_mistake_is_explained(text, message):
    assert message in problems(text)


def test_wrong_type_of_a_start_value_is_told_once():
    with pytest.raises(ModelError) as caught:
        read_toml(PENDULUM.replace("pivot = 0.5", "pivot = 'half'"))
    assert len(caught.value.problems) == 1
    assert "start.q: found pivot = 'half', which is text; expected a number or a list of numbers" in str(caught.value)


def test_start_that_is_no_turn_is_refused():
    text = body(
        "mass = 1", "inertia = [1, 1, 1, 0, 0, 0]", "[body.joint]", "kind = 'ball'", "[start.q]", "a = [0, 0, 0, 2]"
    )
    assert "initial q of joint 'a': found a quaternion of length 2; expected length 1" in problems(text)


def test_all_mistakes_are_told_at_once():
    with pytest.raises(ModelError) as caught:
        read_toml(body("mass = -1", "colour = 'red'", "[body.joint]", "kind = 'hinge'", "[start.v]", "x = 1"))
    assert len(caught.value.problems) == 4


def test_writing_where_it_cannot_be_leaves_nothing_behind(tmp_path):
    scene = read_toml(PENDULUM)
    with pytest.raises(InputError, match=r"cannot write '.*gone/scene.toml': No such file or directory"):
        write_toml(scene, tmp_path / "gone" / "scene.toml")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(InputError, match="cannot write"):
        write_toml(scene, tmp_path / "folder.toml")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.toml"]


HINGE_SPEC = JointSpec(kind="revolute", axes=((0.0, 0.0, 1.0),))


def test_specs_are_rebuilt_with_all_their_fields():
    """A field added to the descriptions must be added to the file as well."""
    known = {"name", "parent", "joint", "place", "mass", "center_of_mass", "inertia", "shapes", "frame"}
    assert {field.name for field in dataclasses.fields(BodySpec)} == known | {"trust_inertia"}
    joint = {"kind", "name", "axes", "lower", "upper", "stiffness", "damping", "armature", "rest", "effort", "speed"}
    assert {field.name for field in dataclasses.fields(JointSpec)} == joint | {"actuated"}
    shape = {"kind", "size", "place", "purpose", "name", "mesh", "color"}
    loop_fields = {"name", "kind", "body_a", "body_b", "place_a", "place_b"}
    assert {field.name for field in dataclasses.fields(LoopSpec)} == loop_fields
    # The surface of a mesh is read again from the file that `mesh` names.
    assert {field.name for field in dataclasses.fields(Shape)} == shape | {"surface"}


def test_trusted_inertia_survives_a_round_trip(tmp_path):
    impossible = BodySpec(
        name="a", joint=HINGE_SPEC, mass=1.0, inertia=(1.0, 1.0, 5.0, 0.0, 0.0, 0.0), trust_inertia=True
    )
    scene = Scene(ModelBuilder("m").add(impossible).build())
    write_toml(scene, tmp_path / "m.toml")
    assert read_toml(tmp_path / "m.toml").model.specs == scene.model.specs
    untrusted = (tmp_path / "m.toml").read_text().replace("trust_inertia = true", "")
    with pytest.raises(ModelError, match="each at most the sum of the other two"):
        read_toml(untrusted)


def test_a_study_survives_a_round_trip(tmp_path):
    study = {"duration": 0.1, "vdot": None, "name": 'a "study"', "q": [0.1 + 0.2, -0.0], "times": [None]}
    scene = Scene(pendulum(), study=study)
    again = read_toml(write_toml(scene, tmp_path / "scene.toml"))
    assert again.study == study
    assert read_toml(write_toml(Scene(pendulum()), tmp_path / "scene.toml")).study is None


@pytest.mark.parametrize("written", ["{", "3"])
def test_a_study_that_is_no_json_object_is_named(written):
    with pytest.raises(ModelError, match="scene: found study = .*expected a motion to edit, written as a JSON object"):
        read_toml(f"[scene]\nstudy = '{written}'\n[[body]]\nname = 'a'\nmass = 1.0\n")
