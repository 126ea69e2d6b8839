"""From a description to the tables of a model."""

import numpy as np
import pytest

from models import Z_AXIS, random_forest
from naive import dynamics as naive
from stringless.errors import ModelError
from stringless.model import BodySpec, JointSpec, ModelBuilder, Pose
from stringless.model.builder import about_origin, ordered
from stringless.model.joints import JOINT_TYPES

SOLID = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1, 0.0, 0.0, 0.0)}
HINGE = JointSpec(kind="revolute", axes=((0.0, 0.0, 5.0),))


def test_children_given_before_their_parents_are_put_in_order():
    builder = ModelBuilder()
    for name, parent in (("foot", "shin"), ("shin", "thigh"), ("arm", ""), ("thigh", ""), ("hand", "arm")):
        builder.add_body(name, parent, HINGE, **SOLID)
    model = builder.build()
    assert [body.name for body in model.bodies] == ["arm", "hand", "thigh", "shin", "foot"]
    assert [body.parent for body in model.bodies] == [-1, 0, -1, 2, 3]


@pytest.mark.parametrize("kind", JOINT_TYPES)
def test_a_joint_can_be_driven_unless_it_is_loose_or_said_not_to(kind):
    axes = (Z_AXIS,) * JOINT_TYPES[kind].axis_count
    assert JointSpec(kind=kind, axes=axes).actuated == (kind not in ("free", "planar"))
    assert JointSpec(kind=kind, axes=axes, actuated=True).actuated
    assert not JointSpec(kind=kind, axes=axes, actuated=False).actuated


def test_order_that_is_already_right_is_kept():
    names = [("a", ""), ("b", ""), ("c", "a"), ("d", "b"), ("e", "a")]
    specs = [BodySpec(name=name, parent=parent) for name, parent in names]
    assert ordered(specs) == specs


def test_tables_hold_what_was_described():
    builder = ModelBuilder("leg", gravity=(0.0, -1.0, 0.0))
    builder.add_body("root", "", "free", **SOLID)
    builder.add_body(
        "thigh",
        "root",
        JointSpec(
            kind="ball",
            name="hip",
            stiffness=(2.0,),
            damping=(0.5,),
            armature=(0.1, 0.2, 0.3),
            effort=(7.0,),
            lower=(0.0, -1.0, 0.0),
            upper=(1.0, 1.5, 2.0),
        ),
        place=Pose((1.0, 2.0, 3.0)),
        mass=2.0,
        center_of_mass=(0.0, -0.5, 0.0),
        inertia=(0.1, 0.1, 0.1, 0.0, 0.0, 0.0),
    )
    builder.add_body("shin", "thigh", HINGE, **SOLID)
    model = builder.build()
    assert (model.nq, model.nv, model.body_count) == (12, 10, 3)
    thigh = model.tree[1]
    assert (thigh["parent"], thigh["q0"], thigh["nq"], thigh["v0"], thigh["nv"]) == (0, 7, 4, 6, 3)
    assert (thigh["root"], thigh["leaf"], thigh["sprung"], thigh["turned"], thigh["sequential"]) == (0, 0, 1, 0, 0)
    np.testing.assert_array_equal(thigh["p"], (1.0, 2.0, 3.0))
    np.testing.assert_array_equal(thigh["h"], (0.0, -1.0, 0.0))
    np.testing.assert_allclose(thigh["I_o"], (0.6, 0.1, 0.6, 0.0, 0.0, 0.0), atol=1e-15)
    np.testing.assert_array_equal(model.tree[2]["axes"][:3], (0.0, 0.0, 1.0))
    hip = model.dofs[6:9]
    np.testing.assert_array_equal(hip["stiffness"], 2.0)
    np.testing.assert_array_equal(hip["damping"], 0.5)
    np.testing.assert_array_equal(hip["armature"], (0.1, 0.2, 0.3))
    np.testing.assert_array_equal(hip["effort"], 7.0)
    np.testing.assert_array_equal(hip["parent"], (5, 6, 7))
    np.testing.assert_array_equal(model.dofs["effort"][[0, 9]], np.inf)
    # A swing or a turn is never below zero.
    np.testing.assert_array_equal(model.limits["lower"], (-np.inf, -1.0, -np.inf))
    np.testing.assert_array_equal(model.limits["upper"], (1.0, 1.5, 2.0))
    np.testing.assert_array_equal(model.gravity, (0.0, -1.0, 0.0))


@pytest.mark.parametrize("seed", range(4))
def test_neutral_inertia_is_the_diagonal_of_the_mass_matrix(seed):
    model = random_forest(seed, armature=True)
    M = naive.mass_matrix(model, model.neutral())
    np.testing.assert_allclose(model.dofs["inertia"], np.diag(M), rtol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_siblings_and_leaves_are_marked(seed):
    model = random_forest(seed, bodies=20)
    parents = [body.parent for body in model.bodies]
    for i, body in enumerate(model.bodies):
        later = [k for k in range(i + 1, 20) if parents[k] == body.parent]
        if body.parent >= 0:
            assert bool(model.tree["first_in"][i]) == (not later)
        assert bool(model.tree["leaf"][i]) == (i not in parents)
        root = i
        while parents[root] >= 0:
            root = parents[root]
        assert model.tree["root"][i] == root


def test_inertia_moves_to_the_origin_by_parallel_axes():
    spec = BodySpec(name="x", mass=2.0, center_of_mass=(1.0, 2.0, 3.0), inertia=(1.0, 2.0, 3.0, 0.1, 0.2, 0.3))
    found = about_origin(spec)
    xx, yy, zz, xy, xz, yz = found
    expected = naive.spatial_inertia(spec)[:3, :3]
    np.testing.assert_allclose([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], expected, atol=1e-14)


def test_empty_model_has_nothing_in_it():
    model = ModelBuilder("nothing").build()
    assert (model.nq, model.nv, model.body_count) == (0, 0, 0)
    assert model.random(0).shape == (0,)


def test_defaults_are_filled_in():
    model = ModelBuilder("leg").add_body("shin", "", JointSpec(kind="ball"), **SOLID).build()
    joint = model.joint("shin").spec
    assert joint.axes == ((0.0, 1.0, 0.0),)
    assert joint.rest == (0.0, 0.0, 0.0, 1.0)
    np.testing.assert_array_equal(model.gravity, (0.0, -9.81, 0.0))


def test_refused_description_can_be_mended_and_built():
    builder = ModelBuilder("leg").add_body("shin", "", JointSpec(kind="revolute", axes=Z_AXIS), mass=-1.0)
    with pytest.raises(ModelError):
        builder.build()
    builder.specs.clear()
    assert builder.add_body("shin", "", HINGE, **SOLID).build().nv == 1
