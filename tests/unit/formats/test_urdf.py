"""What a URDF file says, element by element, and what is said about files that are wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stringless.errors import InputError, ModelError
from stringless.formats import read_urdf
from stringless.formats.urdf.repairs import possible_inertia
from stringless.model import Shape
from stringless.model.solids import turn_inertia

MASS = '<inertial><mass value="2"/><inertia ixx="1" ixy="0.1" ixz="0.2" iyy="1.1" iyz="0.3" izz="1.2"/></inertial>'
BAD_MASS = MASS.replace('value="2"', 'value="-1"')
JOINT = '<joint name="j" type="{kind}"><parent link="a"/><child link="b"/>{inside}</joint>'
LIMIT = '<limit lower="-1" upper="2" effort="30" velocity="4"/>'


def robot(*parts: str, name: str = "r") -> str:
    return f'<robot name="{name}">' + "".join(parts) + "</robot>"


def two_links(kind: str = "revolute", inside: str = LIMIT, extra: str = "") -> str:
    return robot(
        f'<link name="a">{MASS}</link><link name="b">{MASS}</link>', JOINT.format(kind=kind, inside=inside), extra
    )


def link(inside: str, *more: str) -> str:
    return robot(f'<link name="a">{inside}</link>', *more)


def problems(text: str, **options) -> str:
    with pytest.raises(ModelError) as caught:
        read_urdf(text, **options)
    return str(caught.value)


def warned(text: str, **options) -> str:
    return "\n".join(map(str, read_urdf(text, **options).warnings))


def test_joint_keeps_axis_limits_effort_speed_and_damping():
    inside = LIMIT + '<axis xyz="0 2 0"/><dynamics damping="0.5"/><origin xyz="1 2 3" rpy="0 0 1.5"/>'
    scene = read_urdf(two_links(inside=inside))
    spec = scene.model.body("b").spec
    assert spec.joint.name == "j"
    assert spec.joint.kind == "revolute"
    assert spec.joint.axes == ((0.0, 2.0, 0.0),)
    assert (spec.joint.lower, spec.joint.upper) == ((-1.0,), (2.0,))
    assert (spec.joint.effort, spec.joint.speed, spec.joint.damping) == ((30.0,), (4.0,), (0.5,))
    assert spec.parent == "a"
    assert spec.place.position == (1.0, 2.0, 3.0)
    np.testing.assert_allclose(spec.place.rotation, (0, 0, math.sin(0.75), math.cos(0.75)))
    assert scene.warnings == ()
    assert scene.name == scene.model.name == "r"


@pytest.mark.parametrize(
    ("kind", "ours", "nv", "inside"),
    [
        ("fixed", "fixed", 0, ""),
        ("revolute", "revolute", 1, LIMIT),
        ("continuous", "revolute", 1, ""),
        ("prismatic", "prismatic", 1, LIMIT),
        ("planar", "planar", 3, ""),
        ("floating", "free", 6, ""),
    ],
)
def test_every_kind_of_joint(kind, ours, nv, inside):
    scene = read_urdf(two_links(kind, inside))
    joint = scene.model.joint("j")
    assert joint.kind.name == ours
    assert scene.model.nv == nv
    assert joint.spec.actuated == (kind != "floating")
    assert bool(joint.spec.upper) == bool(inside)
    assert scene.warnings == ()


def test_axis_defaults_to_x_and_continuous_has_no_limits():
    spec = read_urdf(two_links("continuous", LIMIT)).model.joint("j").spec
    assert spec.axes == ((1.0, 0.0, 0.0),)
    assert spec.lower == spec.upper == ()
    assert spec.effort == (30.0,)


def test_root_is_fixed_or_floats_and_z_becomes_y(poses):
    for floating in (False, True):
        model = read_urdf(two_links("fixed", '<origin xyz="1 2 3"/>'), floating=floating).model
        assert model.nv == 6 * floating
        R, p = poses(model, model.neutral())["b"]
        np.testing.assert_allclose(p, (2, 3, 1), atol=1e-15)
        np.testing.assert_allclose(R @ (0, 0, 1), (0, 1, 0), atol=1e-15)
    np.testing.assert_array_equal(model.gravity, (0, -9.81, 0))
    # A free root's q stays in the file's own axes: 5 along the file's z is 5 along our y.
    q = model.neutral()
    q[2] = 5.0
    np.testing.assert_allclose(poses(model, q)["a"][1], (0, 5, 0), atol=1e-14)


def test_up_y_leaves_the_world_alone(poses):
    model = read_urdf(two_links("fixed", '<origin xyz="1 2 3"/>'), up="y").model
    np.testing.assert_array_equal(poses(model, model.neutral())["b"][1], (1, 2, 3))
    with pytest.raises(InputError, match="up='x' is not possible; expected 'z' or 'y'"):
        read_urdf(two_links(), up="x")


def test_planar_joint_slides_across_its_axis(poses):
    text = two_links("planar", '<axis xyz="0 3 0"/><origin xyz="0 0 1"/>').replace(
        "</robot>",
        f'<link name="c">{MASS}<visual><geometry><sphere radius="1"/></geometry><origin xyz="1 0 0"/></visual></link>'
        '<joint name="k" type="fixed"><parent link="b"/><child link="c"/><origin xyz="0 0 2"/></joint></robot>',
    )
    model = read_urdf(text, up="y").model
    found = poses(model, np.array([0.3, 0.4, 0.0]))
    R, p = found["b"]
    assert p[1] == pytest.approx(0, abs=1e-15)
    assert np.linalg.norm(p - (0, 0, 1)) == pytest.approx(0.5)
    np.testing.assert_allclose(R, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(found["c"][1] - p, (0, 0, 2), atol=1e-15)
    turned = poses(model, np.array([0.0, 0.0, 0.7]))["b"][0]
    np.testing.assert_allclose(turned @ (0, 1, 0), (0, 1, 0), atol=1e-15)
    assert turned[0, 0] == pytest.approx(math.cos(0.7))
    spec = model.body("b").spec
    np.testing.assert_allclose(spec.frame.inverse().matrix @ (0, 0, 1), (0, 1, 0), atol=1e-15)
    xx, yy, zz, *_ = spec.inertia
    assert sorted((xx, yy, zz)) == pytest.approx([1.0, 1.1, 1.2])
    assert zz == pytest.approx(1.1)  # the file's y is our normal


def test_inertial_frame_is_turned_into_the_links():
    inertial = (
        '<inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><mass value="2"/>'
        '<inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial>'
    )
    spec = read_urdf(link(inertial)).model.body("a").spec
    assert spec.mass == 2
    assert spec.center_of_mass == (1.0, 2.0, 3.0)
    np.testing.assert_allclose(spec.inertia, (2, 1, 2.5, 0, 0, 0), atol=1e-15)
    plain = read_urdf(link(MASS)).model.body("a").spec
    assert plain.inertia == (1.0, 1.1, 1.2, 0.1, 0.2, 0.3)


def test_shapes_keep_size_place_purpose_name_and_colour():
    def part(tag: str, geometry: str, more: str = "") -> str:
        return f'<{tag} name="{tag}1"><origin xyz="1 2 3"/><geometry>{geometry}</geometry>{more}</{tag}>'

    inside = "".join(
        [
            part("visual", '<box size="2 4 6"/>', '<material name="red"/>'),
            part("collision", '<sphere radius="2"/>'),
            part("collision", '<cylinder radius="1" length="3"/>'),
            part("collision", '<capsule radius="1" length="3"/>'),
            part("visual", '<mesh filename="package://p/m.stl" scale="1 2 -3"/>', '<material name="blue"/>'),
            part("visual", '<mesh filename="m.dae"/>', '<material name="x"><color rgba="0 1 0 0.5"/></material>'),
        ]
    )
    color = '<material name="{}"><color rgba="{}"/></material>'
    colors = color.format("red", "1 0 0 1") + color.format("blue", "0 0 1 1")
    scene = read_urdf(link(inside, colors))
    shapes = {(shape.kind, shape.purpose): shape for shape in scene.model.body("a").shapes}
    assert shapes["box", "visual"].size == (1.0, 2.0, 3.0)
    assert shapes["box", "visual"].color == (1.0, 0.0, 0.0, 1.0)
    assert shapes["box", "visual"].place.position == (1.0, 2.0, 3.0)
    assert shapes["box", "visual"].name == "visual1"
    assert shapes["sphere", "collision"].size == (2.0,)
    assert shapes["sphere", "collision"].color == ()
    assert shapes["cylinder", "collision"].size == shapes["capsule", "collision"].size == (1.0, 1.5)
    meshes = [shape for shape in scene.model.body("a").shapes if shape.kind == "mesh"]
    assert [mesh.mesh for mesh in meshes] == ["package://p/m.stl", "m.dae"]
    assert [mesh.size for mesh in meshes] == [(1.0, 2.0, -3.0), (1.0, 1.0, 1.0)]
    assert [mesh.color for mesh in meshes] == [(0.0, 0.0, 1.0, 1.0), (0.0, 1.0, 0.0, 0.5)]
    assert scene.warnings == ()


def test_joint_may_be_called_like_the_root_link():
    text = two_links().replace('name="j"', 'name="a"')
    model = read_urdf(text).model
    assert [joint.name for joint in model.joints] == ["a:fixed", "a"]
    assert model.joint("a").body == "b"


def test_children_may_stand_before_their_parents():
    text = robot(
        JOINT.format(kind="revolute", inside=LIMIT), f'<link name="b">{MASS}</link>', f'<link name="a">{MASS}</link>'
    )
    assert [body.name for body in read_urdf(text).model.bodies] == ["a", "b"]


def test_chain_of_a_thousand_links_is_read():
    parts = [f'<link name="l{k}">{MASS}</link>' for k in range(1000)]
    joints = [
        f'<joint name="j{k}" type="continuous"><parent link="l{k}"/><child link="l{k + 1}"/></joint>'
        for k in range(999)
    ]
    assert read_urdf(robot(*parts, *joints)).model.nv == 999


# --- warnings ---------------------------------------------------------------------------------------------------------


def test_unused_elements_are_told_once_each():
    extra = '<gazebo reference="a"/>' * 40 + '<transmission name="t"/>' + '<sensor name="s"/>'
    scene = read_urdf(two_links(extra=extra))
    assert len(scene.warnings) == 3
    text = "\n".join(map(str, scene.warnings))
    assert "element 'gazebo' (40 times)" in text
    assert "transmission 't' (line 1): found element 'transmission'" in text
    assert "every joint counts as driven" in text
    assert "element 'sensor'" in text
    assert all(warning.severity == "warning" for warning in scene.warnings)


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        (
            LIMIT + '<dynamics friction="0.1"/>',
            "dry friction in a joint; expected viscous damping only. It is left out",
        ),
        (
            LIMIT + '<mimic joint="k"/>',
            "a joint that mimics another; expected independent joints. The joint is left free",
        ),
        (LIMIT + "<safety_controller/>", "element 'safety_controller' of a joint"),
        ("", "found no limit; expected a limit, as every revolute joint has. It is taken as unlimited"),
        (
            '<limit effort="1" velocity="1"/>',
            "a limit without lower and upper; expected both. By the format both are 0",
        ),
        ('<limit lower="-1" upper="1" effort="0"/>', "effort limit of 0 or less; expected a positive effort"),
        ('<limit lower="-1" upper="1" jerk="0"/>', "attribute 'jerk' of 'limit'"),
        (LIMIT + '<origin xyz="0 0 0" foo="1"/>', "attribute 'foo' of 'origin'"),
    ],
)
def test_what_is_not_used_in_a_joint_is_a_warning(inside, message):
    assert message in warned(two_links(inside=inside))


def test_effort_of_zero_is_no_limit():
    spec = read_urdf(two_links(inside='<limit lower="-1" upper="1" effort="0" velocity="-1"/>')).model.joint("j").spec
    assert spec.effort == spec.speed == ()


def test_limits_may_be_infinite_and_nothing_else():
    spec = read_urdf(two_links(inside='<limit lower="-inf" upper="1e99" effort="inf"/>')).model.joint("j").spec
    assert (spec.lower, spec.upper, spec.effort) == ((-math.inf,), (1e99,), (math.inf,))
    said = problems(two_links(inside='<origin xyz="0 inf 0"/>' + LIMIT))
    assert "origin of joint 'j' (line 1): found xyz=\"0 inf 0\"; expected 3 numbers of at most 1e+30" in said


def test_link_parts_that_are_not_used_are_warnings():
    sphere = '<visual><geometry><sphere radius="1"/></geometry><material name="{}">{}</material></visual>'
    text = warned(link(sphere.format("m", '<texture filename="t.png"/>') + "<self_collide/>" + sphere.format("n", "")))
    assert "texture of a material" in text
    assert "element 'self_collide' of a link" in text
    assert "material 'n' without a colour" in text


def test_impossible_inertia_is_taken_as_it_is_with_a_warning():
    bad = MASS.replace('izz="1.2"', 'izz="5"')
    scene = read_urdf(link(bad))
    assert "link 'a': found moments of inertia that no real body can have" in str(scene.warnings[0])
    assert "mend=True" in str(scene.warnings[0])
    assert scene.model.body("a").spec.inertia == (1.0, 1.1, 5.0, 0.1, 0.2, 0.3)


def test_impossible_inertia_is_mended_when_asked_with_a_warning():
    bad = MASS.replace('izz="1.2"', 'izz="5"')
    scene = read_urdf(link(bad), mend=True)
    assert "link 'a': found moments of inertia that no real body can have" in str(scene.warnings[0])
    assert scene.model.body("a").spec.inertia != (1.0, 1.1, 5.0, 0.1, 0.2, 0.3)


def test_possible_inertia_is_not_trusted_blindly():
    scene = read_urdf(link(MASS))
    assert not scene.warnings
    assert not scene.model.body("a").spec.trust_inertia


@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        ((1.0, 1.0, 3.0), (1.5, 1.5, 3.0)),
        ((0.0, 0.0, 3e-6), (1.5e-6, 1.5e-6, 3e-6)),
        ((2.0, -1.0, 0.5), (2.0, 0.25, 1.75)),
        ((-0.1, 1.0, 1.0), (0.0, 1.05, 1.05)),
    ],
)
def test_mended_inertia_is_the_nearest_possible_one(moments, expected):
    """By hand: P = tr(I)/2 - I, negative parts of P set to zero, I = tr(P) - P."""
    mended = possible_inertia((*moments, 0.0, 0.0, 0.0))
    assert mended == pytest.approx((*expected, 0, 0, 0))
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    turned = possible_inertia(turn_inertia((*moments, 0.0, 0.0, 0.0), turn))
    assert turned == pytest.approx(turn_inertia(mended, turn))


def test_possible_inertia_is_left_to_the_last_bit():
    inertia = (1.0, 1.1, 1.2, 0.1, 0.2, 0.3)
    assert possible_inertia(inertia) is inertia


def test_inertia_without_mass_is_left_out_with_a_warning():
    bad = MASS.replace('value="2"', 'value="0"')
    assert "link 'a': found an inertia without a mass" in warned(link(bad), mend=True)
    assert "moments of inertia that no real body can have" in warned(link(bad))


def test_joint_that_moves_nothing_gets_an_armature_with_a_warning():
    text = two_links().replace(f'<link name="b">{MASS}</link>', '<link name="b"/>')
    scene = read_urdf(text, mend=True)
    assert "joint 'j': found a moving joint with no mass to move" in str(scene.warnings[0])
    assert scene.model.dofs["armature"][0] == 1e-4
    assert "no mass on it or on anything it carries" in problems(text)


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<robot/>", "robot: found no link; expected at least one link"),
        ("<mujoco/>", "line 1: found root element 'mujoco'; expected 'robot'"),
        (robot('<xacro:macro name="x"/>'), "found macro 'xacro:macro'; expected plain URDF. Expand the file"),
        (robot("<link/>"), "link (line 1): found no name"),
        (robot('<link name="a"/>', '\n<link name="a"/>'), "link 'a' (line 2): found a name that line 1 has"),
        (robot('<link name="a"/><link name="b"/>'), "2 links that no joint carries: 'a', 'b'; expected one root"),
        (two_links(inside='<axis xyz="1 0"/>'), "axis of joint 'j' (line 1): found xyz=\"1 0\", 2 numbers; expected 3"),
        (two_links(inside='<axis xyz="1,0,0"/>'), "with '1,0,0' in it; expected 3 numbers. Separate the numbers"),
        (two_links(inside='<axis xyz="1 zero 0"/>'), "with 'zero' in it"),
        (two_links(inside='<axis xyz="1 nan 0"/>'), "expected 3 numbers of at most 1e+30"),
        (two_links(inside='<axis xyz="1_0 0 0"/>'), "with '1_0' in it"),
        (two_links("planar", '<axis xyz="0 0 0"/>'), "found axis 0 0 0; expected a direction"),
        (two_links(inside='<axis xyz="0 0 0"/>' + LIMIT), "axis (0.0, 0.0, 0.0); expected a direction, not zero"),
        (two_links("hinge"), "found type 'hinge'; expected one of 'revolute'"),
        (two_links(""), "found no type"),
        (two_links().replace('name="j"', ""), "joint (line 1): found no name"),
        (
            two_links().replace('<child link="b"/>', ""),
            "joint 'j' (line 1): found no child; expected an element <child",
        ),
        (two_links().replace('<parent link="a"/>', "<parent/>"), "found no link; expected an attribute link"),
        (
            two_links().replace('<child link="b"/>', '<child link="bb"/>'),
            "child 'bb', which is no link; expected a link.",
        ),
        (two_links(inside='<limit lower="2" upper="1"/>'), "limits of angle from 2 to 1; expected lower <= upper"),
        (
            two_links(extra='<joint name="k" type="fixed"><parent link="a"/><child link="b"/></joint>'),
            "joint 'k' (line 1): found link 'b', which joint 'j' carries already",
        ),
        (
            two_links(extra='<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>'),
            "link 'a': found a loop of parents 'a' -> 'b' -> 'a', by the joints 'k', 'j'; expected a tree",
        ),
        (link("<inertial><inertia/></inertial>"), "inertial of link 'a' (line 1): found no mass"),
        (link('<inertial><mass value="1"/></inertial>'), "found no inertia; expected an element <inertia"),
        (link(MASS.replace("value", "xalue")), "mass of link 'a' (line 1): found no value"),
        (link(MASS.replace("iyy", "jyy")), "inertia of link 'a' (line 1): found no iyy"),
        (link(MASS.replace('"2"', '"-2"')), "mass -2 kg"),
        (link("<visual/>"), "visual of link 'a' (line 1): found no geometry"),
        (link("<visual><geometry><cone/></geometry></visual>"), "found geometry 'cone'; expected box, sphere"),
        (link("<visual><geometry><mesh/></geometry></visual>"), "found no filename"),
        (link('<visual><geometry><sphere radius="-1"/></geometry></visual>'), "size (-1.0,); expected positive"),
        (link('<visual><geometry><box size="1 2"/></geometry></visual>'), "box of link 'a' (line 1): found size"),
    ],
)
def test_wrong_file_is_explained(text, message):
    assert message in problems(text)


def test_loop_beside_the_tree_is_found():
    text = robot(
        '<link name="a"/><link name="b"/><link name="c"/>',
        '<joint name="j" type="fixed"><parent link="b"/><child link="c"/></joint>',
        '<joint name="k" type="fixed"><parent link="c"/><child link="b"/></joint>',
    )
    assert "a loop of parents 'b' -> 'c' -> 'b', by the joints 'k', 'j'; expected a tree" in problems(text)


def test_all_problems_are_told_at_once():
    text = two_links(inside='<axis xyz="1 0"/><limit lower="x"/>').replace("<mass value", "<mass xalue")
    with pytest.raises(ModelError) as caught:
        read_urdf(text.replace('ixx="1"', 'ixx="one"'))
    assert len(caught.value.problems) >= 4


def test_same_file_gives_the_same_shape_objects():
    shape = read_urdf(link('<visual><geometry><sphere radius="1"/></geometry></visual>')).model.body("a").shapes[0]
    assert shape == Shape(kind="sphere", size=(1.0,), purpose="visual")


BROKEN_TREES = {
    "missing parent": JOINT.format(kind="fixed", inside="").replace('"a"', '"x"'),
    "no parent": JOINT.format(kind="fixed", inside="").replace('<parent link="a"/>', ""),
    "missing child": JOINT.format(kind="fixed", inside="").replace('"b"', '"x"'),
    "two roots": "",
    "loop": JOINT.format(kind="fixed", inside="") + '<joint name="k" type="fixed"><parent link="b"/><child link="a"/>'
    "</joint>",
    "carried twice": JOINT.format(kind="fixed", inside="") + '<joint name="k" type="fixed"><parent link="a"/>'
    '<child link="b"/></joint>',
    "same link": JOINT.format(kind="fixed", inside="") + '<link name="a"/>',
    "unnamed link": JOINT.format(kind="fixed", inside="") + "<link/>",
}


@pytest.mark.parametrize("broken", BROKEN_TREES.values(), ids=BROKEN_TREES)
def test_broken_tree_hides_no_problem_of_links_and_joints(broken):
    limits, axis = '<limit lower="1" upper="-1"/>', LIMIT + '<axis xyz="0 0 0"/>'
    text = robot(
        f'<link name="a">{MASS}</link><link name="b">{MASS}</link>',
        broken,
        f'<link name="c">{BAD_MASS}</link><link name="d">{MASS}</link>',
        f'<joint name="jc" type="revolute"><parent link="a"/><child link="c"/>{limits}</joint>',
        f'<joint name="jd" type="revolute"><parent link="c"/><child link="d"/>{axis}</joint>',
        f'<link name="e">{MASS}</link><joint name="jd" type="fixed"><parent link="a"/><child link="e"/></joint>',
    )
    with pytest.raises(ModelError) as caught:
        read_urdf(text)
    said = [str(problem) for problem in caught.value.problems]
    for part in (
        "body 'c': found mass -1 kg",
        "joint 'jc' of body 'c': found limits of angle from 1 to -1",
        "joint 'jd' of body 'd': found axis (0.0, 0.0, 0.0)",
        "joint 'jd' (line 1): found a name that line 1 has",
    ):
        assert sum(part in line for line in said) == 1, part
    assert len(said) == len(set(said)) <= 6, said


def test_broken_tree_hides_no_massless_leaf():
    text = two_links(
        extra='<link name="c"/><joint name="k" type="continuous"><parent link="b"/><child link="c"/></joint>'
    )
    said = problems(text.replace('<parent link="a"/>', '<parent link="x"/>'))
    assert "parent 'x', which is no link" in said
    assert "body 'c': found no mass on it" in said


def test_joints_and_links_without_a_place_in_the_tree_are_looked_at():
    limits = '<limit lower="1" upper="-1"/>'
    text = two_links(
        extra=f'<link name="a">{BAD_MASS}</link><link>{BAD_MASS}</link><joint type="revolute"><child link="b"/>{limits}</joint>'
    )
    said = problems(text)
    assert "body 'a (line 1)': found mass -1 kg" in said
    assert "body '(line 1)': found mass -1 kg" in said
    assert "joint '(line 1)' of body 'b': found limits of angle from 1 to -1" in said
    assert "without a name" not in said


def test_joint_limits_that_a_continuous_joint_ignores_are_a_warning():
    said = warned(two_links("continuous"))
    assert "joint 'j' (line 1): found limits of a continuous joint" in said
    assert "They are ignored" in said
    assert warned(two_links("continuous", '<limit effort="1" velocity="1"/>')) == ""
