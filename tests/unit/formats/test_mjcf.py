"""MJCF: names, actuators, keyframes, assets, includes; what is left out is said, what is wrong is explained."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from stringless.errors import ModelError
from stringless.formats import read_mjcf

GEOM = '<geom size=".1"/>'
CUBE = Path(__file__).parents[2] / "data" / "cube.obj"


def world(inside: str, head: str = "", tail: str = "") -> str:
    return f"<mujoco>{head}<worldbody>{inside}</worldbody>{tail}</mujoco>"


def one(joint: str = "<joint/>", geom: str = GEOM, head: str = "", tail: str = "") -> str:
    return world(f'<body name="a">{joint}{geom}</body>', head, tail)


def problems(text: str) -> str:
    with pytest.raises(ModelError) as caught:
        read_mjcf(text)
    return str(caught.value)


def warned(text: str) -> str:
    return "\n".join(map(str, read_mjcf(text).warnings))


# --- names and frames -------------------------------------------------------------------------------------------------


def test_several_joints_become_a_chain_with_telling_names():
    text = world(
        f'<body name="torso"><joint name="x"/><joint name="y" axis="1 0 0"/><joint type="slide"/>{GEOM}</body>'
    )
    model = read_mjcf(text).model
    assert [body.name for body in model.bodies] == ["torso:x", "torso:y", "torso"]
    assert [joint.name for joint in model.joints] == ["x", "y", "torso:prismatic3"]
    assert [body.mass > 0 for body in model.bodies] == [False, False, True]
    assert model.body("torso:x").shapes == ()
    assert len(model.body("torso").shapes) == 1


def test_unnamed_bodies_and_clashing_joints_get_names():
    text = world(
        f'<body>{GEOM}<body name="body1"><joint name="hand"/>{GEOM}<body name="hand">{GEOM}</body></body></body>'
    )
    model = read_mjcf(text).model
    assert [body.name for body in model.bodies] == ["body", "body1", "hand"]
    assert [joint.name for joint in model.joints] == ["body", "hand", "hand:fixed"]


def test_body_frame_sits_at_the_anchor():
    text = one('<joint pos="1 2 3"/>', '<geom size=".1" pos="1 0 0"/>')
    spec = read_mjcf(text, up="y").model.body("a").spec
    assert spec.place.position == (1.0, 2.0, 3.0)
    assert spec.frame.position == (-1.0, -2.0, -3.0)
    assert spec.center_of_mass == (0.0, -2.0, -3.0)
    assert spec.shapes[0].place.position == (0.0, -2.0, -3.0)


def test_free_body_starts_where_the_file_puts_it_and_q_keeps_the_files_axes():
    scene = read_mjcf(world(f'<body name="a" pos="1 2 3" quat="0 0 0 2"><freejoint name="root"/>{GEOM}</body>'))
    np.testing.assert_array_equal(scene.q, (1, 2, 3, 0, 0, 1, 0))
    place = scene.model.body("a").spec.place
    assert place.position == (0.0, 0.0, 0.0)
    np.testing.assert_allclose(place.matrix @ (0, 0, 1), (0, 1, 0), atol=1e-15)
    assert not scene.model.joint("root").spec.actuated


def test_world_shapes_are_turned_to_y_up():
    text = world('<geom name="floor" type="plane" size="5 5 .1" rgba="1 0 0 1" pos="0 0 -1"/>' + '<body name="a"/>')
    (floor,) = read_mjcf(text).model.world_shapes
    assert (floor.kind, floor.size, floor.color) == ("plane", (), (1.0, 0.0, 0.0, 1.0))
    np.testing.assert_allclose(floor.place.matrix @ (0, 0, 1), (0, 1, 0), atol=1e-15)
    np.testing.assert_allclose(floor.place.position, (0, -1, 0), atol=1e-15)


def test_up_y_leaves_the_world_alone():
    text = world(f'<body name="a" pos="1 2 3">{GEOM}</body>', '<option gravity="1 2 3"/>')
    model = read_mjcf(text, up="y").model
    assert model.body("a").spec.place.position == (1.0, 2.0, 3.0)
    np.testing.assert_array_equal(model.gravity, (1, 2, 3))


def test_gravity_can_be_switched_off_and_defaults_to_earths():
    head = '<option gravity="0 0 -5"><flag gravity="disable"/></option>'
    np.testing.assert_array_equal(read_mjcf(one(head=head)).model.gravity, 0)
    np.testing.assert_array_equal(read_mjcf(one()).model.gravity, (0, -9.81, 0))


@pytest.mark.parametrize(
    ("geom", "purpose"),
    [
        ("", "both"),
        ('contype="0" conaffinity="0"', "visual"),
        ('group="3"', "collision"),
        ('group="4" contype="0" conaffinity="0"', "visual"),
        ('contype="0"', "both"),
    ],
)
def test_purpose_of_a_geom(geom, purpose):
    assert read_mjcf(one(geom=f'<geom size=".1" {geom}/>')).model.body("a").shapes[0].purpose == purpose


def test_colour_comes_from_the_geom_or_its_material():
    head = '<asset><material name="red" rgba="1 0 0 1"/></asset>'
    geoms = '<geom size=".1" material="red"/><geom size=".1" material="red" rgba="0 1 0 1"/><geom size=".1"/>'
    shapes = read_mjcf(one(geom=geoms, head=head)).model.body("a").shapes
    assert [shape.color for shape in shapes] == [(1, 0, 0, 1), (0, 1, 0, 1), ()]


def test_nested_chain_of_a_thousand_bodies_is_read():
    text = f"<body><joint/>{GEOM}" * 1000 + "</body>" * 1000
    assert read_mjcf(world(text)).model.nv == 1000


# --- joints and actuators ---------------------------------------------------------------------------------------------


def test_motor_sets_the_effort_and_other_joints_are_passive():
    text = world(
        f'<body name="a"><joint name="x"/>{GEOM}<body name="b"><joint name="y"/>{GEOM}'
        f'<body name="c"><joint name="z"/>{GEOM}</body></body></body>',
        '<default><motor ctrlrange="-2 2"/></default>',
        '<actuator><motor joint="x" gear="30"/><motor joint="z" gear="-3" forcerange="-1.5 1.5"/></actuator>',
    )
    model = read_mjcf(text).model
    assert model.joint("x").spec.effort == (60.0,)
    assert model.joint("z").spec.effort == (4.5,)
    assert [model.joint(name).spec.actuated for name in "xyz"] == [True, False, True]


def test_all_kinds_of_actuator_share_their_defaults():
    head, tail = '<default><general forcerange="-3 3"/></default>', '<actuator><motor joint="x" gear="2"/></actuator>'
    assert read_mjcf(one('<joint name="x"/>', head=head, tail=tail)).model.joint("x").spec.effort == (6.0,)


def test_without_actuators_every_joint_is_driven():
    assert read_mjcf(one()).model.joint("a").spec.actuated


def test_efforts_on_one_joint_add_up_within_the_joints_own_range():
    motors = '<motor joint="x" ctrlrange="-1 1"/><motor joint="x" ctrlrange="-3 3"/>'
    joint = '<joint name="x" {}/>'
    tail = f"<actuator>{motors}</actuator>"
    assert read_mjcf(one(joint.format(""), tail=tail)).model.joint("x").spec.effort == (4.0,)
    ranged = one(joint.format('actuatorfrcrange="-2.5 2.5"'), tail=tail)
    assert read_mjcf(ranged).model.joint("x").spec.effort == (2.5,)
    free = one(joint.format('actuatorfrcrange="-2 2" actuatorfrclimited="false"'))
    assert read_mjcf(free).model.joint("x").spec.effort == ()


@pytest.mark.parametrize(
    ("actuators", "message"),
    [
        (
            '<position joint="x" kp="5"/>',
            "control law of a 'position' actuator; expected what this reader uses. The joint can",
        ),
        (
            '<motor tendon="t"/>',
            "an actuator on a tendon; expected an actuator on a joint. It is left out, so the motion",
        ),
        (
            '<motor joint="x" ctrlrange="-1 2"/>',
            "an effort range that differs by direction; expected a symmetric range",
        ),
        ('<motor joint="x" armature="1"/>', "attribute 'armature' of an actuator"),
        ('<plugin joint="x"/>', "actuator 'plugin'"),
    ],
)
def test_what_is_not_taken_over_from_actuators_is_a_warning(actuators, message):
    scene = read_mjcf(one('<joint name="x"/>', tail=f"<actuator>{actuators}</actuator>"))
    assert message in "\n".join(map(str, scene.warnings))
    assert scene.model.joint("x").spec.actuated


def test_actuators_on_free_and_ball_joints():
    text = world(
        f'<body name="a"><freejoint name="f"/>{GEOM}<body name="b"><joint name="b" type="ball"/>{GEOM}</body></body>',
        tail='<actuator><motor joint="f"/><motor joint="b" gear="0 0 1" ctrlrange="-1 1"/></actuator>',
    )
    scene = read_mjcf(text)
    said = "\n".join(map(str, scene.warnings))
    assert "an actuator on a free joint" in said
    assert "an actuator on a ball joint" in said
    assert scene.model.joint("b").spec.effort == ()
    assert scene.model.joint("b").spec.actuated
    assert not scene.model.joint("f").spec.actuated


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        ('<joint frictionloss=".1"/>', "attribute 'frictionloss' of 'joint'"),
        ('<joint springdamper=".1 1"/>', "attribute 'springdamper' of 'joint'"),
        ('<joint damping="1 2"/>', "nonlinear damping of a joint"),
        ('<joint type="free" stiffness="1"/>', "a spring on a free joint"),
        (
            '<joint range="20 10"/>',
            "range from 20 to 10 degrees; expected lower <= upper. The joint is taken as unlimited",
        ),
        ('<joint solreflimit=".1 1"/>', "attribute 'solreflimit' of 'joint'"),
        ('<joint armture="1"/>', "attribute 'armture' of 'joint'"),
    ],
)
def test_what_is_not_taken_over_from_joints_is_a_warning(joint, message):
    said = warned(one(joint))
    assert message in said
    if "armture" not in joint and "range" not in joint:
        assert "the motion will differ" in said


def test_zero_friction_is_no_warning():
    assert warned(one('<joint frictionloss="0" margin="0"/>')) == ""


# --- keyframes --------------------------------------------------------------------------------------------------------


def test_first_keyframe_is_the_start_and_others_are_told():
    tail = '<keyframe><key qpos=".5" qvel="2"/><key name="other" qpos="1"/></keyframe>'
    scene = read_mjcf(one(tail=tail))
    assert (scene.q[0], scene.v[0]) == (0.5, 2.0)
    assert "key 'other' (line 1): found a further keyframe" in str(scene.warnings[0])


def test_keyframe_that_does_not_fit_is_a_warning():
    assert "key (line 1): found 2 numbers of qpos; expected 1 for this model" in warned(
        one('<joint ref="30"/>', tail='<keyframe><key qpos="1 2"/></keyframe>')
    )
    scene = read_mjcf(one('<joint ref="30"/>', tail='<keyframe><key qpos="1 2"/></keyframe>'))
    assert scene.q[0] == pytest.approx(math.radians(30))


def test_quaternions_of_a_keyframe_are_reordered_and_made_unit():
    scene = read_mjcf(one('<joint type="ball"/>', tail='<keyframe><key qpos="2 0 0 0"/></keyframe>'))
    np.testing.assert_array_equal(scene.q, (0, 0, 0, 1))
    text = one('<joint type="ball"/>', tail='<keyframe><key qpos="0 0 0 0"/></keyframe>')
    assert "a quaternion of length 0 for joint 'a'" in warned(text)


# --- meshes -----------------------------------------------------------------------------------------------------------


def mesh_file(folder: Path, mesh: str = "", geom: str = "", compiler: str = "", inertial: str = "") -> Path:
    path = folder / "model.xml"
    path.write_text(
        f'<mujoco><compiler {compiler}/><asset><mesh name="cube" file="{CUBE.name}" {mesh}/></asset><worldbody>'
        f'<body name="a"><joint/>{inertial}<geom type="mesh" mesh="cube" {geom}/></body></worldbody></mujoco>'
    )
    return path


@pytest.mark.parametrize(
    ("mesh", "geom"),
    [
        ("", ""),
        ('scale=".1 .2 .3"', 'pos="1 2 3" euler="10 20 30"'),
        ('scale=".1 .1 .1" refpos="1 2 3" refquat="1 2 3 4"', 'pos="1 0 0" density="500"'),
        ('scale=".1 .2 .3" refpos="1 2 3"', 'mass="4" quat="1 1 0 0"'),
        ('scale="-.1 .2 .3"', ""),
    ],
)
def test_mass_of_a_mesh_is_mujocos(tmp_path, matches_mujoco, mesh, geom):
    mujoco = pytest.importorskip("mujoco")
    (tmp_path / "cube.obj").write_text(CUBE.read_text())
    path = mesh_file(tmp_path, mesh, geom)
    matches_mujoco(read_mjcf(path), mujoco.MjModel.from_xml_path(str(path)))


def test_mesh_paths_follow_the_compiler(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "cube.obj").write_text(CUBE.read_text())
    shape = read_mjcf(mesh_file(tmp_path, compiler='meshdir="parts"')).model.body("a").shapes[0]
    assert (shape.kind, shape.mesh, shape.size) == ("mesh", "parts/cube.obj", (1.0, 1.0, 1.0))
    shape = read_mjcf(mesh_file(tmp_path, compiler='assetdir="parts" strippath="true"')).model.body("a").shapes[0]
    assert shape.mesh == "parts/cube.obj"


def test_missing_mesh_matters_only_for_mass(tmp_path):
    with pytest.raises(ModelError, match=r"there is no mesh file 'cube.obj'; expected a solid.*inertial element"):
        read_mjcf(mesh_file(tmp_path))
    inertial = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    assert read_mjcf(mesh_file(tmp_path, inertial=inertial)).model.body("a").mass == 1


def test_unreadable_and_open_meshes_are_explained(tmp_path):
    (tmp_path / "cube.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    with pytest.raises(ModelError, match="the mesh is not closed"):
        read_mjcf(mesh_file(tmp_path))
    (tmp_path / "cube.obj").write_text("nothing")
    with pytest.raises(ModelError, match=r"mesh '.*cube.obj'"):
        read_mjcf(mesh_file(tmp_path))


# --- includes ---------------------------------------------------------------------------------------------------------


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".xml").write_text(text)
    return folder / "main.xml"


def test_included_files_stand_in_their_place(tmp_path):
    main = write(
        tmp_path,
        main='<mujoco><include file="sub/head.xml"/><worldbody><include file="sub/bodies.xml"/></worldbody></mujoco>',
        sub__head='<mujoco><compiler angle="radian"/><default><joint ref=".2"/></default></mujoco>',
        sub__bodies=f'<mujocoinclude><body name="a"><joint/>{GEOM}<include file="more.xml"/></body></mujocoinclude>',
        sub__more=f'<mujocoinclude><body name="b"><joint/>{GEOM}</body></mujocoinclude>',
    )
    scene = read_mjcf(main)
    assert [body.name for body in scene.model.bodies] == ["a", "b"]
    np.testing.assert_array_equal(scene.q, (0.2, 0.2))
    assert scene.source == main
    assert scene.name == "main"


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ('<include file="a.xml"/>', r"include \(line 1 of 'b.xml'\): found file 'a.xml', which is included already"),
        ('<include file="main.xml"/>', "found file 'main.xml', which is included already; expected each file once"),
        ('<include file="gone.xml"/>', "found file 'gone.xml', which is not in"),
        ("<include/>", "found no file"),
        ("<broken", r"included file '.*b.xml', line 1, column 1: found broken XML"),
    ],
)
def test_wrong_includes_are_explained(tmp_path, inside, message):
    main = write(
        tmp_path,
        main='<mujoco><include file="a.xml"/></mujoco>',
        a='<mujoco><include file="b.xml"/></mujoco>',
        b=inside if inside.startswith("<broken") else f"<mujoco>{inside}</mujoco>",
    )
    with pytest.raises(ModelError, match=message):
        read_mjcf(main)


def test_include_needs_a_folder_and_the_right_root(tmp_path):
    assert "file 'a.xml' in a text that has no folder" in problems('<mujoco><include file="a.xml"/></mujoco>')
    main = write(tmp_path, main='<mujoco><include file="a.xml"/></mujoco>', a="<robot/>")
    with pytest.raises(ModelError, match=r"line 1 of 'a.xml': found root element 'robot'"):
        read_mjcf(main)


def test_too_many_included_files_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("stringless.formats.mjcf.includes.MAX_FILES", 2)
    names = ["a", "b", "c"]
    includes = "".join(f'<include file="{name}.xml"/>' for name in names)
    main = write(tmp_path, main=f"<mujoco>{includes}</mujoco>", **dict.fromkeys(names, "<mujoco/>"))
    with pytest.raises(ModelError, match="found more than 2 included files"):
        read_mjcf(main)


def test_problem_in_an_included_file_names_the_file(tmp_path):
    main = write(
        tmp_path,
        main='<mujoco><worldbody><include file="a.xml"/></worldbody></mujoco>',
        a='<mujocoinclude>\n<body name="x" pos="1 2"/></mujocoinclude>',
    )
    with pytest.raises(ModelError, match=r"body 'x' \(line 2 of 'a.xml'\): found pos=\"1 2\""):
        read_mjcf(main)


# --- what is left out -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tail", "message", "physics"),
    [
        ('<equality><weld body1="a" body2="b"/></equality>', "equality 'weld'", True),
        ('<tendon><fixed name="t"/></tendon>', "tendon 'fixed'", True),
        ('<contact><exclude body1="a" body2="b"/></contact>', "contact 'exclude'", True),
        ("<deformable><flex/></deformable>", "deformable 'flex'", True),
        ("<sensor><gyro/></sensor>", "section 'sensor'", False),
        ("<visual/>", "section 'visual'", False),
        ('<asset><texture name="t"/></asset>', "asset 'texture'", False),
        ('<asset><hfield name="h"/></asset>', "asset 'hfield'", True),
        ('<option viscosity="1"/>', "attribute 'viscosity' of 'option'", True),
        ('<option timestep="1"/>', "attribute 'timestep' of 'option'", False),
        ('<option><flag contact="disable"/></option>', "attribute 'contact' of 'flag'", True),
        ('<compiler fusestatic="true"/>', "compiler setting 'fusestatic'", False),
        ('<compiler conflict="merge"/>', "attribute 'conflict' of 'compiler'", False),
    ],
)
def test_sections_that_are_left_out_are_warnings(tail, message, physics):
    said = warned(one(tail=tail))
    assert message in said
    assert ("the motion will differ" in said) == physics


@pytest.mark.parametrize(
    ("geom", "message", "physics"),
    [
        ('<site name="s"/>' * 9, "element 'site' (9 times)", False),
        ("<camera/>", "element 'camera'", False),
        ("<plugin/>", "element 'plugin'", True),
        ('<geom size=".1" friction="1"/>', "attribute 'friction' of 'geom'", True),
        ('<geom size=".1" contype="2"/>', "contype and conaffinity", True),
        ('<geom type="hfield" hfield="h"/>', "geom of type 'hfield'", True),
    ],
)
def test_parts_of_a_body_that_are_left_out_are_warnings(geom, message, physics):
    said = warned(one(geom=GEOM + geom))
    assert message in said
    assert ("the motion will differ" in said) == physics


def test_body_attributes_that_change_the_motion_are_warnings():
    said = warned(world(f'<body name="a" gravcomp="1"><joint/>{GEOM}</body><body name="b" mocap="true">{GEOM}</body>'))
    assert "attribute 'gravcomp' of 'body'" in said
    assert "attribute 'mocap' of 'body'" in said
    assert said.count("the motion will differ") == 2


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<robot/>", "found root element 'robot'; expected 'mujoco', as in every MJCF file. Read it as URDF"),
        (
            "<mujoco><worlbody/></mujoco>",
            "found section 'worlbody'; expected a section of MJCF. Did you mean 'worldbody'?",
        ),
        (one(head='<compiler coordinate="global"/>'), "coordinate 'global'; expected 'local'"),
        (one(head='<compiler angle="grad"/>'), "angle 'grad'; expected one of 'degree', 'radian'"),
        (one(head='<compiler eulerseq="xyw"/>'), "eulerseq 'xyw'; expected three of the letters"),
        (one('<joint class="x"/>'), "joint (line 1): found class 'x'; expected a default class. Known names: 'main'"),
        (one(head='<default class="x"/>'), "found class 'x'; expected no class, or 'main', on the outermost default"),
        (one(head="<default><default/></default>"), "found no class"),
        (one(head='<default><default class="x"/><default class="x"/></default>'), "found class 'x' a second time"),
        (one('<joint type="pin"/>'), "found type 'pin'; expected one of 'hinge'"),
        (one('<joint limited="maybe"/>'), "found limited 'maybe'"),
        (
            one('<joint range="1 2"/>', head='<compiler autolimits="false"/>'),
            "a range without limited, and autolimits off",
        ),
        (
            one('<joint type="ball" range="10 20"/>'),
            "range from 10 to 20 degrees of a ball joint; expected one that starts at 0",
        ),
        (
            one('<joint type="ball"/><joint/>'),
            "body 'a' (line 1): found a ball joint followed by another turning joint",
        ),
        (one("<freejoint/><joint/>"), "found a free joint beside other joints"),
        (one('<joint type="slide"/>' * 7), "found more than 6 degrees of freedom"),
        (
            world(f'<body>{GEOM}<body name="a"><freejoint/>{GEOM}</body></body>'),
            "found a free joint inside another body",
        ),
        (one("<joint/>", ""), "body 'a': found no mass on it or on anything it carries"),
        (one(geom="<geom/>"), "geom (line 1): found 0 sizes; expected 1 for a sphere: radius"),
        (one(geom='<geom type="box" size="1 2"/>'), "found 2 sizes; expected 3 for a box: half x, half y, half z"),
        (one(geom='<geom type="capsule" fromto="0 0 0 1 1 1"/>'), "found no size; expected the radius, beside fromto"),
        (one(geom='<geom size="1" fromto="0 0 0 1 1 1"/>'), "found fromto on a sphere"),
        (one(geom='<geom size="1" type="cone"/>'), "found type 'cone'"),
        (one(geom='<geom size="-1"/>'), "size (-1.0,); expected positive numbers"),
        (one(geom='<geom size="1" mass="-1"/>'), "found mass -1.0"),
        (one(geom='<geom size="1" shellinertia="true"/>'), "found shellinertia; expected a full solid"),
        (one(geom='<geom size="1" material="m"/>'), "found material 'm'; expected a material of the file's assets"),
        (one(geom='<geom type="mesh" mesh="m"/>'), "found mesh 'm'; expected a mesh of the file's assets"),
        (one(geom='<geom type="mesh"/>'), "found no mesh"),
        (one(geom='<geom size="1" mesh="m"/>'), "found a sphere fitted to a mesh"),
        (one(head="<asset><mesh/></asset>"), "mesh (line 1): found no file"),
        (
            one(geom='<geom type="mesh" mesh="m"/>', head='<asset><mesh name="m" vertex="0 0 0"/></asset>'),
            "mesh 'm', which is written out in the file",
        ),
        (
            one(head='<asset><mesh file="m.obj" scale="1 2 3" refquat="1 1 0 0"/></asset>'),
            "refquat with an uneven scale",
        ),
        (
            world('<body quat="1 0 0 0" euler="0 0 0"/>'),
            "found quat and euler; expected one way to give the orientation",
        ),
        (world('<body quat="0 0 0 0"/>'), "found quat of length 0"),
        (world('<body zaxis="0 0 0"/>'), "zaxis with a direction of length 0"),
        (world('<body xyaxes="1 0 0 2 0 0"/>'), "xyaxes that span no plane"),
        (world('<body><inertial pos="0 0 0" diaginertia="1 1 1"/></body>'), "inertial (line 1): found no mass"),
        (
            world('<body><inertial mass="1" diaginertia="1 1 1" fullinertia="1 1 1 0 0 0"/></body>'),
            "fullinertia beside an orientation or diaginertia",
        ),
        (
            world('<body name="a"><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body>'),
            "principal moments of inertia",
        ),
        (world("<joint/>"), "found a joint in the world; expected bodies and geoms"),
        (world('<replicate count="3"/>'), "found 'replicate', from which MuJoCo makes bodies"),
        (world('<body><flexcomp name="f"/></body>'), "flexcomp 'f' (line 1): found 'flexcomp'"),
        (world("<bdy/>"), "found element 'bdy'; expected an element of a body. Did you mean 'body'?"),
        (world('<body name="a"/><body name="a"/>'), "body 'a' (line 1): found a name that line 1 has"),
        (
            one('<joint name="x"/>', tail='<actuator><motor joint="xx"/></actuator>'),
            "found joint 'xx'; expected a joint.",
        ),
    ],
)
def test_wrong_file_is_explained(text, message):
    assert message in problems(text)


def test_all_problems_are_told_at_once():
    text = one('<joint type="pin" axis="1 2"/>', '<geom size="x"/>', tail="<nonsense/>")
    with pytest.raises(ModelError) as caught:
        read_mjcf(text)
    said = str(caught.value)
    assert all(part in said for part in ("'pin'", "axis", "'x'", "'nonsense'"))


@pytest.mark.parametrize(
    ("kind", "head", "unit"),
    [("hinge", "", "degrees"), ("hinge", '<compiler angle="radian"/>', "rad"), ("slide", "", "m")],
)
def test_wrong_limits_are_told_in_the_units_of_the_file(kind, head, unit):
    said = problems(one(f'<joint name="j" type="{kind}" limited="true" range="20 10"/>', head=head))
    assert f"joint 'j' (line 1): found range from 20 to 10 {unit}; expected lower <= upper" in said
    assert "1 problem" in said


def test_bodies_of_the_same_name_are_told_by_their_lines():
    said = problems(world(f'<body name="a">{GEOM}</body>\n<body name="a">{GEOM}\n<body name="a">{GEOM}</body></body>'))
    assert "body 'a' (line 2): found a name that line 1 has" in said
    assert "body 'a' (line 3): found a name that line 1 has" in said
    assert "2 problems" in said


def test_unknown_attribute_is_not_called_harmless():
    said = warned(one(geom='<geom size=".1" sticky="1"/>'))
    assert "attribute 'sticky' of 'geom'" in said
    assert "It is not used, and may matter" in said
