"""The frozen model: it cannot be changed, names lead to its parts, and its messages help."""

import numpy as np
import pytest

from models import pendulum, random_forest
from stringless.errors import InputError
from stringless.model import JointSpec, ModelBuilder


@pytest.fixture(scope="module")
def model():
    return random_forest(0, springs=True)


@pytest.mark.parametrize("name", ["gravity", "nv", "tree", "name", "something_new"])
def test_attributes_cannot_be_set(model, name):
    with pytest.raises(AttributeError, match=f"model 'forest_0' is frozen; build a new one to change '{name}'"):
        setattr(model, name, 1)


@pytest.mark.parametrize("name", ["tree", "dofs", "limits", "q_neutral", "q_rest", "gravity"])
def test_arrays_cannot_be_written(model, name):
    array = getattr(model, name)
    assert not array.flags.writeable
    if len(array):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[0]


def test_descriptions_cannot_be_changed(model):
    with pytest.raises(AttributeError):
        model.specs[0].mass = 2.0
    with pytest.raises(AttributeError):
        model.specs[0].joint.damping = (1.0,)


def test_neutral_is_a_copy(model):
    q = model.neutral()
    q += 1
    assert not np.array_equal(q, model.neutral())


def test_bodies_and_joints_are_found_by_name_and_index(model):
    for i, body in enumerate(model.bodies):
        assert body.index == i
        assert model.body(body.name) is body
        assert model.body(i) is body
        assert model.body(np.int64(i)) is body
        assert model.joint(body.joint.name) is body.joint
        assert body.joint.body == body.name
        assert body.joint.q_slice.stop - body.joint.q_slice.start == body.joint.nq
        assert body.joint.v_slice.stop - body.joint.v_slice.start == body.joint.nv
    assert model.joints[-1].v_slice.stop == model.nv
    assert model.joints[-1].q_slice.stop == model.nq


def test_unknown_names_are_answered_with_the_nearest():
    model = pendulum()
    with pytest.raises(InputError, match="model 'pendulum' has no body 'bop'. Did you mean 'bob'?"):
        model.body("bop")
    with pytest.raises(InputError, match="model 'pendulum' has no joint 'pivvot'. Did you mean 'pivot'?"):
        model.joint("pivvot")
    with pytest.raises(InputError, match="has no body 'xyz'. Known names: 'bob'"):
        model.body("xyz")


@pytest.mark.parametrize("index", [1, -1, 99])
def test_index_out_of_range_is_refused(index):
    with pytest.raises(InputError, match=f"model 'pendulum' has no body '{index}'"):
        pendulum().body(index)


def test_coordinates_are_called_by_joint_and_direction():
    builder = ModelBuilder("m")
    solid = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1, 0.0, 0.0, 0.0)}
    builder.add_body("a", "", JointSpec(kind="revolute", name="elbow", axes=((1.0, 0.0, 0.0),)), **solid)
    builder.add_body("b", "a", JointSpec(kind="ball", name="hip"), **solid)
    model = builder.build()
    assert [model.dof_name(k) for k in range(4)] == ["'elbow'", "'hip' (x)", "'hip' (y)", "'hip' (z)"]


def test_repr_tells_name_and_sizes():
    assert repr(pendulum()) == "Model('pendulum', bodies=1, nq=1, nv=1)"


def test_mass_is_the_sum(model):
    assert model.mass == pytest.approx(sum(body.mass for body in model.bodies), rel=1e-15)


# --- arguments ---


@pytest.mark.parametrize(
    ("call", "name", "shape"),
    [
        (lambda m, bad: m.integrate(bad, np.zeros(m.nv)), "q", "nq"),
        (lambda m, bad: m.integrate(m.neutral(), bad), "dq", "nv"),
        (lambda m, bad: m.difference(bad, m.neutral()), "q_from", "nq"),
        (lambda m, bad: m.difference(m.neutral(), bad), "q_to", "nq"),
        (lambda m, bad: m.displacement(bad), "q", "nq"),
    ],
)
@pytest.mark.parametrize("bad", [np.zeros(3), np.zeros((2, 2)), 1.0, []])
def test_wrong_shape_is_refused_by_name(model, call, name, shape, bad):
    expected = rf"'{name}' for model 'forest_0' has shape .*, expected \({getattr(model, shape)},\)"
    with pytest.raises(InputError, match=expected) as caught:
        call(model, bad)
    assert str(np.asarray(bad).shape) in str(caught.value)


@pytest.mark.parametrize("bad", ["abc", [1.0, "x"], [[1.0], [1.0, 2.0]], None])
def test_what_is_no_array_is_refused_by_name(model, bad):
    with pytest.raises(InputError, match="'q' for model 'forest_0'"):
        model.displacement(bad)


def test_lists_integers_strides_and_read_only_arrays_are_taken():
    model = pendulum()
    frozen = np.ones(1)
    frozen.flags.writeable = False
    for q in ([1], (1.0,), np.ones(1, dtype=np.int32), np.ones(4)[::4], frozen, np.ones(1, dtype=">f8")):
        np.testing.assert_array_equal(model.integrate(q, [0.5]), [1.5])
