"""MJCF models against what MuJoCo makes of them: poses, masses, inertias, gravity, limits."""

from __future__ import annotations

import numpy as np
import pytest

from stringless.formats import read_mjcf

GEOM = '<geom type="box" size=".1 .2 .3" pos=".1 .05 -.02" euler="10 20 30"/>'


def world(inside: str, head: str = "", tail: str = "") -> str:
    return f"<mujoco>{head}<worldbody>{inside}</worldbody>{tail}</mujoco>"


MODELS = {
    "hinge with an anchor off the origin": world(
        f'<body name="a" pos="1 2 3" euler="10 20 30"><joint axis="1 2 3" pos=".3 .2 .1"/>{GEOM}'
        f'<body name="b" pos=".1 .2 .5" quat="1 2 3 4"><joint pos="-.1 0 .4" axis="0 1 0"/>{GEOM}</body></body>'
    ),
    "slide and hinge on one body": world(
        f'<body name="a" pos="0 1 0"><joint name="s" type="slide" axis="1 1 0" pos="1 2 3"/>'
        f'<joint name="h" axis="0 1 1" pos=".1 .2 .3"/><joint name="k" axis="1 0 0" pos="-.1 .2 .3"/>{GEOM}'
        f'<body name="b" pos="0 0 1"><joint/>{GEOM}</body></body>'
    ),
    "ball with an anchor": world(f'<body name="a" pos="1 0 0"><joint type="ball" pos=".1 .2 .3"/>{GEOM}</body>'),
    "slides then ball": world(
        f'<body name="a"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>'
        f'<joint type="ball" pos="0 0 .2"/>{GEOM}</body>'
    ),
    "free body with a child": world(
        f'<body name="a" pos="1 2 3" quat="1 2 3 4"><freejoint/>{GEOM}'
        f'<body name="b" pos="0 0 .3"><joint axis="1 0 0"/>{GEOM}</body></body>'
    ),
    "two free bodies and a fixed one": world(
        f'<body name="a" pos="1 2 3"><joint type="free" pos="1 1 1"/>{GEOM}</body>'
        f'<body name="b" axisangle="1 0 0 30"><freejoint/>{GEOM}</body><body name="c" pos="3 0 0">{GEOM}</body>'
    ),
    "reference positions": world(
        f'<body name="a" pos="0 0 1"><joint axis="1 1 0" ref="30" pos=".1 0 .2"/>{GEOM}'
        f'<body name="b"><joint type="slide" axis="0 2 0" ref=".4" pos="1 2 3"/><joint axis="0 0 1" ref="-20"/>{GEOM}'
        f"</body></body>"
    ),
    "frames": world(
        f'<frame pos="0 0 1" euler="90 0 0"><body name="a" pos="0 1 0"><frame pos=".1 .2 .3" axisangle="0 1 0 40">'
        f'<joint pos="0 .1 0" axis="1 0 0"/>{GEOM}<frame zaxis="1 1 1"><body name="b" pos=".1 0 0">'
        f"<joint/>{GEOM}</body></frame></frame></body></frame>"
    ),
    "free joint in frames": world(
        f'<frame pos="0 0 1" euler="90 0 0"><body name="a" pos="0 1 0"><frame pos="1 0 0"><freejoint/></frame>{GEOM}'
        f"</body></frame>"
    ),
    "orientations": world(
        f'<body name="a" xyaxes="1 1 0 0 1 1"><joint/>{GEOM}</body><body name="b" zaxis="0 0 -1"><joint/>{GEOM}</body>'
        f'<body name="c" zaxis="1 -2 .5"><joint/>{GEOM}</body><body name="d" euler="10 20 30"><joint/>{GEOM}</body>'
        f'<body name="e" quat="0 1 2 -3"><joint/>{GEOM}</body><body name="f" axisangle="1 2 3 40"><joint/>{GEOM}</body>'
    ),
    "radians and extrinsic euler": world(
        f'<body name="a" euler=".1 .2 .3"><joint ref=".2"/>{GEOM}</body>',
        head='<compiler angle="radian" eulerseq="XyZ"/>',
    ),
    "solids": world(
        '<body name="a"><joint/><geom size=".1"/></body>'
        '<body name="b"><joint/><geom type="capsule" size=".1 .3" pos=".1 0 0" euler="30 0 0"/></body>'
        '<body name="c"><joint/><geom type="cylinder" size=".1 .3" density="500"/></body>'
        '<body name="d"><joint/><geom type="ellipsoid" size=".1 .2 .3" mass="3"/></body>'
        '<body name="e"><joint/><geom type="box" size=".1 .2 .3"/></body>'
        '<body name="f"><joint/><geom type="capsule" size=".05" fromto="0 0 0 .3 .2 .1"/></body>'
        '<body name="g"><joint/><geom type="cylinder" size=".05" fromto="0 0 0 0 0 .5"/></body>'
        '<body name="h"><joint/><geom type="box" size=".05" fromto="0 .1 0 .2 0 -.5"/></body>'
        '<body name="i"><joint/><geom type="ellipsoid" size=".05" fromto="0 0 0 -1 0 0"/></body>'
    ),
    "several geoms, one of them weightless": world(
        '<body name="a"><joint/><geom size=".1" pos="1 0 0"/><geom type="box" size=".1 .1 .3" pos="0 1 0" mass="2"/>'
        '<geom type="capsule" size=".1 .2" euler="0 45 0"/><geom size="1" mass="0"/><geom size="1" density="0"/></body>'
    ),
    "inertials": world(
        '<body name="a"><joint/><inertial pos=".1 .2 .3" mass="2" diaginertia="1 2 2.5" euler="10 20 30"/></body>'
        '<body name="b"><joint/><inertial pos="0 0 .1" mass="2" fullinertia="1 2 2.5 .1 -.2 .3"/>'
        '<geom size="9"/></body>'
        '<body name="c"><joint pos=".1 .2 .3"/><frame pos=".3 0 0" euler="20 0 0"><inertial pos="0 .1 0" mass="1"'
        ' diaginertia="1 1.2 1.3"/></frame></body>'
    ),
    "inertia always from geoms": world(
        f'<body name="a"><joint/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>{GEOM}</body>',
        head='<compiler inertiafromgeom="true"/>',
    ),
    "geom groups with mass": world(
        '<body name="a"><joint/><geom size=".1" group="1"/><geom size=".2" group="3"/></body>',
        head='<compiler inertiagrouprange="0 2"/>',
    ),
    "bounds of mass and inertia": world(
        '<body name="a"><joint/><geom size=".01"/></body>'
        '<body name="b"><joint/><inertial pos="0 0 0" mass="5" diaginertia="1 1.1 3.2"/></body>',
        head='<compiler boundmass=".5" boundinertia=".02" balanceinertia="true"/>',
    ),
    "total mass": world(
        f'<geom size="1"/><body name="a"><joint/>{GEOM}<body name="b"><joint/>{GEOM}</body></body>',
        head='<compiler settotalmass="7"/>',
    ),
    "gravity along an odd axis": world(
        f'<body name="a"><joint/>{GEOM}</body>', head='<option timestep=".001"/><option gravity="1 2 -3"/>'
    ),
    "no gravity": world(
        f'<body name="a"><joint/>{GEOM}</body>', head='<option gravity="0 0 0"><flag contact="disable"/></option>'
    ),
    "orientation over a default orientation": world(
        '<body name="a"><joint/><geom type="box" size=".1 .2 .3" euler="10 20 30"/></body>',
        head='<default><geom quat="1 2 3 4"/></default>',
    ),
    "default classes": world(
        f'<body name="a" childclass="arm"><joint/><geom size=".1"/><body name="b"><joint class="other"/>'
        f'<geom/><frame childclass="other"><body name="c"><joint/>{GEOM}</body></frame></body></body>'
        f'<body name="d"><joint/>{GEOM}</body>',
        head='<default><joint axis="1 0 0"/><geom density="300"/><default class="arm"><joint pos="0 0 .1"/>'
        '<geom size=".2"/><default class="other"><joint axis="0 1 1"/><geom type="sphere" density="50"/></default>'
        '</default></default><default><geom pos=".1 0 0"/></default>',
    ),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore")
def test_model_is_what_mujoco_compiles(name, compiled, matches_mujoco):
    scene = read_mjcf(MODELS[name])
    matches_mujoco(scene, compiled(MODELS[name]))


def test_limits_springs_and_dampers_are_mujocos(compiled):
    text = world(
        f'<body name="a"><joint name="h" range="-10 20" stiffness="3" damping=".2" springref="5" armature=".01"/>'
        f'<joint name="s" type="slide" range="-1 2" stiffness="4" springref=".5"/>{GEOM}'
        f'<body name="b"><joint name="b" type="ball" range="0 60" damping=".3"/>{GEOM}'
        f'<body name="c"><joint name="f" range="-10 20" limited="false"/>{GEOM}'
        f'<body name="d"><joint name="z" range="0 0"/>{GEOM}</body></body></body></body>'
    )
    m, model = compiled(text), read_mjcf(text).model
    assert (model.joint("h").spec.lower[0], model.joint("h").spec.upper[0]) == pytest.approx(tuple(m.joint("h").range))
    assert (model.joint("s").spec.lower, model.joint("s").spec.upper) == ((-1.0,), (2.0,))
    assert model.joint("b").spec.upper == (np.inf, np.inf, pytest.approx(m.joint("b").range[1]))
    assert model.joint("b").spec.lower == ()
    assert model.joint("f").spec.upper == ()
    assert model.joint("z").spec.upper == ()
    assert not m.joint("z").limited[0]
    np.testing.assert_allclose(model.dofs["damping"], m.dof_damping)
    np.testing.assert_allclose(model.dofs["armature"], m.dof_armature)
    np.testing.assert_allclose(model.dofs["stiffness"][:2], m.jnt_stiffness[:2])
    assert model.dofs["damping"][2] == 0.3
    np.testing.assert_allclose(model.q_rest[:2], m.qpos_spring[:2])
    assert model.q_rest[0] == pytest.approx(np.radians(5))


def test_inertia_of_each_coordinate_is_mujocos_mass_matrix(compiled):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    text = MODELS["slide and hinge on one body"]
    m, model = compiled(text), read_mjcf(text).model
    data = mujoco.MjData(m)
    mujoco.mj_forward(m, data)
    full = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, data, full)
    np.testing.assert_allclose(model.dofs["inertia"], np.diag(full), rtol=1e-12)
    assert np.min(np.diag(full)) > 0


def test_shapes_sit_where_mujoco_draws_them(compiled, poses):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    text = world(
        '<geom name="w" type="box" size="1 2 3" pos="1 2 3" euler="10 20 30"/>'
        '<geom name="floor" type="plane" size="1 1 1"/>'
        '<body name="a" pos="0 0 1" euler="0 30 0"><joint axis="1 0 0" pos=".1 .2 .3"/>'
        '<geom name="g" type="capsule" size=".1" fromto="0 0 0 .1 .2 .3"/><geom name="e" type="box" size=".1" '
        'fromto="0 0 .1 0 .3 .3"/></body>'
    )
    m, scene = compiled(text), read_mjcf(text)
    data = mujoco.MjData(m)
    data.qpos[:] = 0.7
    mujoco.mj_kinematics(m, data)
    Z = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
    for shape in scene.model.world_shapes:
        i = m.geom(shape.name).id
        np.testing.assert_allclose(shape.place.matrix, Z @ data.geom_xmat[i].reshape(3, 3), atol=1e-12)
        np.testing.assert_allclose(shape.place.position, Z @ data.geom_xpos[i], atol=1e-12)
    body = scene.model.body("a").spec
    R_file, p_file = poses(scene.model, np.array([0.7]))["a"]
    R = R_file @ body.frame.matrix.T
    p = p_file - R @ np.asarray(body.frame.position)
    assert len(body.shapes) == 2
    for shape in body.shapes:
        i = m.geom(shape.name).id
        np.testing.assert_allclose(R @ shape.place.matrix, Z @ data.geom_xmat[i].reshape(3, 3), atol=1e-12)
        np.testing.assert_allclose(p + R @ np.asarray(shape.place.position), Z @ data.geom_xpos[i], atol=1e-12)
        np.testing.assert_allclose(shape.size, m.geom_size[i][: len(shape.size)], atol=1e-12)


def test_keyframe_velocity_means_the_same_motion(compiled, poses):
    """Move a short time with MuJoCo's qvel and with ours: the free body's pose must change alike."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    text = world(
        f'<body name="a"><freejoint/>{GEOM}<body name="b" pos="1 0 0"><joint type="ball"/>{GEOM}</body></body>',
        tail='<keyframe><key qpos="1 2 3 .5 .5 .5 -.5 1 0 0 0" qvel="1 2 3 .4 .5 .6 .7 .8 .9"/></keyframe>',
    )
    m, scene = compiled(text), read_mjcf(text)
    data = mujoco.MjData(m)
    mujoco.mj_resetDataKeyframe(m, data, 0)
    mujoco.mj_forward(m, data)
    velocity = np.zeros(6)
    Z = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
    mujoco.mj_objectVelocity(m, data, mujoco.mjtObj.mjOBJ_XBODY, m.body("a").id, velocity, 0)
    R, p = poses(scene.model, scene.q)["a"]
    np.testing.assert_allclose(p, Z @ data.xpos[1], atol=1e-12)
    np.testing.assert_allclose(R @ scene.v[:3], Z @ velocity[:3], atol=1e-12)
    np.testing.assert_allclose(R @ scene.v[3:6], Z @ velocity[3:], atol=1e-12)
    np.testing.assert_allclose(scene.v[6:], [0.7, 0.8, 0.9])
    assert np.linalg.norm(velocity[3:]) > 1
