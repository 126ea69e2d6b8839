"""A joint type from outside of the package, in everything that knows joints; and what cannot be one.

A cylindrical joint moves as a hinge does that carries a slider along the same axis, with a body without mass between them.
"""

import dataclasses
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import stringless as sl
from checks import DIFFERENCE_PRECISION, derivative, jacobian, orders, relative
from models import TILTED_GRAVITY, random_direction, random_forest, random_inertia, random_motion, random_quaternion
from naive import dynamics as naive_dynamics
from naive import kinematics as naive_kinematics
from stringless import dynamics, jit, plugins
from stringless.dynamics.derivatives import forward_derivatives
from stringless.editing.bodies import observe_bodies
from stringless.editing.configurations import make_gripped, make_original, reverse_joint
from stringless.editing.rollout import Roller, Samples
from stringless.editing.transitions import TreeState, enter_configuration
from stringless.formats import registry as formats
from stringless.kinematics.bodies import body_poses
from stringless.model import JointSpec, ModelBuilder, Pose, Scene
from stringless.model.joints import JOINT_TYPES, JointType, register_joint, registry
from stringless.model.mirror import planes_of_motion
from stringless.plugins import load_plugins
from stringless.project.commands.editing.drags import find_nearest_bend
from stringless.spatial import mat3, rotation, vec3
from stringless.studio.builders.scene import build_scene

HERE = Path(__file__).parents[2]
TWIN = 1e-11
"""Relative; both sides solve with matrices whose condition number is up to 1e4."""
SAME_MOTION = 1e-9
"""Two orders of the same sums, over some hundred steps [m, rad]."""
STIFF = 1e-4
"""After half a second with springs and limits, in steps of 5 ms [m]."""
SENSITIVITY = 1e-8
"""Relative to the largest entry; fourth-order differences of a motion of a few steps are good to 1e-10."""
DT = 5e-3


def columns(a, q):
    return np.stack([np.concatenate([a[0], np.zeros(3)]), np.concatenate([np.zeros(3), a[0]])], axis=1)


CYLINDER_TWIN = (
    lambda a, q: naive_kinematics.matrix(naive_kinematics.turn(a[0], q[0]), q[1] * a[0]),
    columns,
    lambda a, q, u: np.zeros((6, 2)),
)


@pytest.fixture(scope="module", autouse=True)
def cylindrical(tmp_path_factory):
    """An installed package that has a cylindrical joint, in a process that has compiled kernels without it."""
    chain = random_forest(0, bodies=3, kinds=("revolute", "ball", "free"))
    motion = random_motion(chain, 0)
    before = dynamics.forward(chain, motion.q, motion.v, motion.tau)
    digest = jit.source_digest(jit.PACKAGE / "kinematics" / "kernels.py")
    folder = tmp_path_factory.mktemp("site")
    about = folder / "cylinders-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: cylinders\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[stringless.joints]\ncylinders = cylindrical_joint\n")
    (folder / "cylindrical_joint.py").write_bytes((HERE / "cylindrical_joint.py").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.delitem(sys.modules, "cylindrical_joint", raising=False)
        patch.setitem(naive_kinematics.TWINS, "cylindrical", CYLINDER_TWIN)
        load_plugins.cache_clear()
        assert "cylindrical" not in JOINT_TYPES
        assert registry.find_joint("cylindrical") is JOINT_TYPES["cylindrical"]
        yield
    forget("cylindrical")
    load_plugins.cache_clear()
    assert jit.source_digest(jit.PACKAGE / "kinematics" / "kernels.py") == digest
    np.testing.assert_array_equal(dynamics.forward(chain, motion.q, motion.v, motion.tau), before)


def forget(*names):
    """Take types from outside back, as no program needs to."""
    for name in names:
        JOINT_TYPES.pop(name, None)
    registry._known[:] = [joint for joint in registry._known if joint.name not in names]
    registry._write_kernels()
    registry._replace_dependents()


SPRINGS = {"stiffness": (2.0, 30.0), "damping": (0.05, 0.4), "rest": (0.2, -0.1), "armature": (0.01, 0.1)}
LIMITS = {"lower": (-0.3, -0.2), "upper": (0.4, 0.25)}


def chain(
    *, split: bool, passive: bool = True, limits: bool = True, root: str = "", gravity=TILTED_GRAVITY
) -> sl.Model:
    """Three random bodies on cylindrical joints; or each of these split into a hinge and a slider."""
    rng = np.random.default_rng(3)
    builder = ModelBuilder("cylinders", gravity=gravity)
    given = {**(SPRINGS if passive else {}), **(LIMITS if limits else {})}
    for i in range(3):
        mass, axis = float(rng.uniform(0.5, 2.0)), random_direction(rng)
        place = Pose(tuple(rng.normal(scale=0.3, size=3)), random_quaternion(rng))
        center, inertia = tuple(rng.normal(scale=0.1, size=3)), random_inertia(rng, mass)
        parent = f"body_{i - 1}" if i else ""
        body = {"mass": mass, "center_of_mass": center, "inertia": inertia}
        if root and i == 0:
            builder.add_body("body_0", "", root, place=place, **body)
        elif split:
            first, second = ({key: value[k] for key, value in given.items()} for k in (0, 1))
            builder.add_body(f"carrier_{i}", parent, JointSpec(kind="revolute", axes=(axis,), **first), place=place)
            builder.add_body(f"body_{i}", f"carrier_{i}", JointSpec(kind="prismatic", axes=(axis,), **second), **body)
        else:
            builder.add_body(
                f"body_{i}", parent, JointSpec(kind="cylindrical", axes=(axis,), **given), place=place, **body
            )
    return builder.build()


def places(model: sl.Model, q) -> np.ndarray:
    """Poses of the three bodies."""
    found = body_poses(model, q)
    own = [model.body(f"body_{i}").index for i in range(3)]
    return np.concatenate([found.rotation[own].ravel(), found.position[own].ravel()])


# --- dynamics ---------------------------------------------------------------------------------------------------------


@pytest.fixture(params=range(3))
def case(request):
    model = random_forest(
        request.param,
        bodies=9,
        kinds=("cylindrical", "ball", "revolute", "free"),
        springs=True,
        dampers=True,
        armature=True,
    )
    return model, random_motion(model, 7)


def test_dynamics_agree_with_the_naive_twin(case):
    model, m = case
    found = dynamics.forward(model, m.q, m.v, m.tau, m.external)
    assert relative(found, naive_dynamics.forward(model, m.q, m.v, m.tau, m.external)) < TWIN
    found = dynamics.inverse(model, m.q, m.v, m.vdot, m.external)
    assert relative(found, naive_dynamics.inverse_recursive(model, m.q, m.v, m.vdot, m.external)) < TWIN


def test_derivatives_are_differences(case):
    model, m = case
    by_q, by_v, _ = forward_derivatives(model, m.q, m.v, m.tau, m.external)
    forward = dynamics.forward
    assert (
        relative(by_q, jacobian(model, lambda q: forward(model, q, m.v, m.tau, m.external), m.q)) < DIFFERENCE_PRECISION
    )
    expected = [
        derivative(lambda s, e=e: forward(model, m.q, m.v + s * e, m.tau, m.external)) for e in np.eye(model.nv)
    ]
    assert relative(by_v, np.stack(expected, axis=-1)) < DIFFERENCE_PRECISION


# --- engines ----------------------------------------------------------------------------------------------------------


def find_difference(engine, dt, **options):
    """How far bodies on cylindrical joints end from those on hinges with sliders, and how fast these move apart."""
    ends = []
    for split in (False, True):
        model = chain(split=split, **options)
        v = np.linspace(1.0, -0.5, model.nv)
        sim = sl.Simulation(Scene(model, v=v), engine=engine, dt=dt, record=0)
        start = places(model, sim.state.q)
        sim.advance(0.5)
        ends.append((places(model, sim.state.q), sim.state.v))
        assert np.abs(ends[-1][0] - start).max() > 0.05
    return (np.abs(one - other).max() for one, other in zip(*ends, strict=True))


@pytest.mark.parametrize("engine", ["reduced", "adaptive"])
def test_it_moves_as_a_hinge_with_a_slider(engine):
    apart, speed = find_difference(engine, DT)
    assert apart < SAME_MOTION
    assert speed < 100 * SAME_MOTION


def test_implicit_steps_come_to_the_same_motion():
    """Geometric stiffness counts each body, one more of a hinge with a slider: a difference of the order of the step."""
    apart, _ = find_difference("stiff", DT)
    assert 0.0 < apart < STIFF
    smooth = [next(find_difference("stiff", dt, passive=False, limits=False)) for dt in (2 * DT, DT, DT / 2)]
    assert min(orders(smooth)) > 1.9


def test_solvers_of_the_paper_refuse_it():
    with pytest.raises(
        sl.InputError, match="joint 'body_0' is cylindrical, for which solvers 'ldlt' and 'ldu' have no constr"
    ):
        sl.Simulation(Scene(chain(split=False)), engine="stiff", solver="ldlt")


# --- editor -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limits", [False, True])
def test_the_editor_differentiates_its_steps(limits):
    model = chain(split=False, limits=limits, root="free")
    motion = random_motion(model, 4)
    samples = Samples(np.array([0, 3, 8]), np.array([DT, DT, 0.4 * DT]))
    one, zero = np.eye(model.nv), np.zeros((model.nv, model.nv))

    def roll(q, v, columns=0, **options):
        out = Roller(model, columns).roll(q, v, steps=8, dt=DT, samples=samples, **options)
        assert out.diverged < 0
        return out

    base = roll(motion.q, motion.v, 2 * model.nv, dq=np.hstack([one, zero]), dv=np.hstack([zero, one]))
    for c in range(2 * model.nv):
        by_q, by_v = (one[c], zero[0]) if c < model.nv else (zero[0], one[c - model.nv])

        def apart(s, by_q=by_q, by_v=by_v):
            out = roll(model.integrate(motion.q, by_q, s), motion.v + s * by_v)
            turned = [model.difference(a, b) for a, b in zip(base.q_samples, out.q_samples, strict=True)]
            return np.concatenate([turned, out.v_samples], axis=1)

        wanted = derivative(apart)
        found = np.concatenate([base.dq_samples[:, :, c], base.dv_samples[:, :, c]], axis=1)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=SENSITIVITY * max(1.0, np.abs(wanted).max()))


def test_a_grip_beyond_it_turns_it_round():
    model = chain(split=False, root="free")
    motion = random_motion(model, 2)
    one, zero = np.eye(model.nv), np.zeros((model.nv, model.nv))
    dq, dv = np.hstack([one, zero]), np.hstack([zero, one])
    m = TreeState(model.tree, motion.q, motion.v, dq, dv, np.zeros((6, 2 * model.nv)))
    at, held = make_original(model), make_gripped(model, "body_2", (0.1, 0.2, -0.3))
    before = observe_bodies(at, m)
    m = enter_configuration(at, held, m, before)
    after = observe_bodies(held, m)
    np.testing.assert_allclose(after.p, before.p, rtol=0, atol=1e-11)
    np.testing.assert_allclose(after.R, before.R, rtol=0, atol=1e-11)
    joint = reverse_joint(JointSpec(kind="cylindrical", axes=((1.0, 0.0, 0.0),), rest=(0.1, 0.2), **LIMITS), "body")
    assert joint.rest == (-0.1, -0.2)
    assert (joint.lower, joint.upper) == ((-0.4, -0.25), (0.3, 0.2))


def test_it_bends_to_the_nearest_rotation_that_it_can_do():
    model = chain(split=False)
    spec = model.body("body_1").spec
    R = spec.place.matrix
    axis = np.asarray(spec.joint.axes[0])
    wanted = R @ naive_kinematics.turn(axis, 0.7)
    np.testing.assert_allclose(find_nearest_bend(model, "body_1", wanted), wanted, rtol=0, atol=1e-6)


# --- files and the studio ---------------------------------------------------------------------------------------------


def test_a_scene_file_keeps_it(tmp_path):
    scene = Scene(chain(split=False), v=np.linspace(1.0, -0.5, 6), name="cylinders")
    path = tmp_path / "cylinders.toml"
    formats.find_writer(path, "scene").call(scene, path, options={})
    found = sl.load(tmp_path / "cylinders.toml")
    assert [joint.spec for joint in found.model.joints] == [joint.spec for joint in scene.model.joints]
    assert found.model.joints[0].kind is JOINT_TYPES["cylindrical"]
    np.testing.assert_array_equal(found.v, scene.v)


def test_the_page_is_told_of_it():
    body = build_scene(Scene(chain(split=False, root="planar")), 1).bodies[1]
    assert (body.kind, body.nv, body.turns, body.loose) == ("cylindrical", 2, [True, False], False)
    assert body.limits == [(-0.3, 0.4), (-0.2, 0.25)]
    assert build_scene(Scene(chain(split=False, root="planar")), 1).bodies[0].loose


def test_it_leads_out_of_a_plane():
    model = chain(split=False, root="planar")
    assert not planes_of_motion(model.specs, {spec.name: Pose() for spec in model.specs})


# --- what cannot be a joint type --------------------------------------------------------------------------------------


def screw(pitch=0.1):
    def pose(body, q):
        a = vec3.load(body.axes, 0)
        return rotation.about_axis(a, q[body.q0]), vec3.scale(pitch * q[body.q0], a)

    return jit.kernel(pose, inline=True)


@jit.kernel(inline=True)
def wobbling(body, q, k):
    return vec3.scale(1.0 + q[body.q0], vec3.load(body.axes, 0))


@jit.kernel(inline=True)
def polar(body, q):
    R = rotation.about_axis(vec3.load(body.axes, 0), q[body.q0])
    return R, mat3.transform(R, vec3.scale(q[body.q0 + 1], vec3.load(body.axes, 3)))


REFUSED = {
    "screw": (
        {
            "name": "screw",
            "nq": 1,
            "dof_names": ("angle",),
            "angular": (True,),
            "neutral": (0.0,),
            "limit_names": (),
            "pose": screw(),
        },
        r"by 'pose', coordinate 'angle' turns by .* and slides by .* Every coordinate turns about, or slides along, an axis",
    ),
    "a slide beside a turn": (
        {"name": "polar", "axis_count": 2, "pose": polar, "reversal": ""},
        "by 'pose', coordinate 'angle' turns by",
    ),
    "an axis that is none": ({"axis": wobbling}, "by 'pose', coordinate 'angle' turns by"),
    "no kernel": ({"axis": None}, "it has no kernel 'axis'"),
    "a quaternion": ({"nq": 4, "neutral": (0.0, 0.0, 0.0, 1.0)}, "its configuration has 4 numbers for 2 velocities"),
    "a turn that is no shift": ({"angular": (True, True)}, "coordinate 'shift' turns by .* it turns about"),
    "a neutral place elsewhere": (
        {"neutral": (0.0, 1.0)},
        r"its neutral configuration is \(0.0, 1.0\); expected zeros",
    ),
    "limits of something else": (
        {"limit_names": ("swing",)},
        r"its limits bound \('swing',\); expected the first of its",
    ),
    "a wrong reversal": (
        {"reversal": "opposite order"},
        "does not move by the opposite coordinates in the opposite order",
    ),
    "a name that is none": ({"name": "my joint"}, "its name is no single word"),
    "seven coordinates": (
        {"nq": 7, "dof_names": tuple("abcdefg"), "angular": (True,) * 7, "neutral": (0.0,) * 7, "limit_names": ()},
        "it has 7 coordinates; expected 1 to 6",
    ),
    "three axes": ({"axis_count": 3}, "it has 3 axes; expected 2 at most"),
    "a name that is taken": ({"name": "ball"}, "joint type 'ball' is registered already"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_a_joint_type_is_refused(what):
    changes, message = REFUSED[what]
    kind = dataclasses.replace(JOINT_TYPES["cylindrical"], **changes)
    with pytest.raises(sl.InputError, match=message):
        register_joint(kind)


def test_a_module_may_be_run_again():
    first = JOINT_TYPES["cylindrical"]
    second = register_joint(dataclasses.replace(first, limit_names=()))
    assert (JOINT_TYPES["cylindrical"], second.code) == (second, first.code + 1)
    JOINT_TYPES["cylindrical"] = first


@pytest.mark.compiled  # without numba they have no machine code
def test_code_of_kernels_from_elsewhere_is_part_of_the_digest():
    """Machine code of one joint must never be taken for that of another."""
    found = {jit._code_digest((pose,)) for pose in (screw(0.1), screw(0.1), screw(0.2), polar)}
    assert len(found) == 3
    assert jit._code_digest((screw(0.1),)) == jit._code_digest((screw(0.1),))


def test_a_package_that_fails_is_told_of(tmp_path, monkeypatch):
    point = SimpleNamespace(value="no_such_joints", load=lambda: __import__("no_such_joints"))
    monkeypatch.setattr(plugins, "entry_points", lambda group: [point])
    load_plugins.cache_clear()
    with pytest.warns(
        sl.StringlessWarning, match=r"joint types of 'no_such_joints' cannot be used \(ModuleNotFoundError"
    ):
        assert registry.find_joint("spherical") is None


def test_joint_types_are_vectors_with_less_said():
    kind = JointType(
        name="rod", nq=1, axis_count=1, dof_names=("angle",), angular=(True,), neutral=(0.0,), pose=None, axis=None
    )
    assert kind.is_vector
    assert kind.sequential
    assert not kind.limit_names
