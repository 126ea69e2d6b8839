"""Every way to describe a model wrongly: the message names the object, what was found and what was expected."""

import re

import numpy as np
import pytest

from stringless.errors import ModelError, Problem
from stringless.model import JointSpec, LoopSpec, ModelBuilder, Pose, Shape

NAN, INF = float("nan"), float("inf")
SOLID = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1, 0.0, 0.0, 0.0)}
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def hinge(**fields):
    return JointSpec(**{"kind": "revolute", "name": "knee", "axes": (Z,), **fields})


def body(name="shin", parent="", joint=None, **fields):
    return lambda builder: builder.add_body(name, parent, joint or hinge(), **{**SOLID, **fields})


def problems(*additions, gravity=(0.0, -9.81, 0.0)):
    builder = ModelBuilder("leg", gravity=gravity)
    for add in additions:
        add(builder)
    found = builder.problems()
    if found:
        with pytest.raises(ModelError) as caught:
            builder.build()
        assert caught.value.problems == tuple(found)
        assert str(caught.value).startswith(f"model 'leg' has {len(found)} problem{'s' if len(found) > 1 else ''}:\n")
        for problem in found:
            assert str(problem) in str(caught.value)
    return found


def assert_one(found, where, what, expected, remedy=""):
    assert len(found) == 1, found
    assert found[0].where == where
    assert re.search(what, found[0].found), found[0].found
    assert re.search(expected, found[0].expected), found[0].expected
    assert re.search(remedy, found[0].remedy), found[0].remedy
    assert found[0].severity == "error"


JOINT = "joint 'knee' of body 'shin'"
BODY = "body 'shin'"

MASS_CASES = {
    "negative mass": ({"mass": -2.0}, BODY, "mass -2 kg", "0 or more"),
    "mass NaN": ({"mass": NAN}, BODY, "mass nan", "finite number"),
    "mass infinite": ({"mass": INF}, BODY, "mass inf", "finite number"),
    "centre of mass NaN": (
        {"center_of_mass": (0.0, NAN, 0.0)},
        BODY,
        r"center_of_mass \(0.0, nan, 0.0\)",
        "three finite",
    ),
    "centre of mass of two numbers": (
        {"center_of_mass": (0.0, 1.0)},
        BODY,
        r"center_of_mass \(0.0, 1.0\)",
        "three finite",
    ),
    "inertia NaN": ({"inertia": (0.1, 0.1, NAN, 0, 0, 0)}, BODY, r"inertia \(.*nan", "six finite numbers: xx, yy, zz"),
    "inertia of three numbers": ({"inertia": (0.1, 0.1, 0.1)}, BODY, r"inertia \(0.1", "six finite numbers"),
    "negative moment of inertia": (
        {"inertia": (0.1, 0.1, -0.1, 0, 0, 0)},
        BODY,
        "moments of inertia -0.1",
        "below zero",
    ),
    "products too large": ({"inertia": (0.1, 0.1, 0.1, 0.2, 0, 0)}, BODY, "moments of inertia -0.1", "below zero"),
    "triangle inequality": ({"inertia": (0.1, 0.1, 0.3, 0, 0, 0)}, BODY, "0.1, 0.1, 0.3", "sum of the other two"),
    "inertia without mass": ({"mass": 0.0}, BODY, "mass 0 with principal moments", "no inertia without mass"),
    "position NaN": ({"place": Pose((NAN, 0.0, 0.0))}, f"{BODY}, place", r"position \(nan", "three finite numbers"),
    "position of two numbers": (
        {"place": Pose((0.0, 0.0))},
        f"{BODY}, place",
        r"position \(0.0, 0.0\)",
        "three finite",
    ),
    "rotation NaN": ({"place": Pose(rotation=(0, 0, 0, NAN))}, f"{BODY}, place", "rotation", "finite unit quaternion"),
    "rotation of three numbers": (
        {"place": Pose(rotation=(0.0, 0.0, 1.0))},
        f"{BODY}, place",
        "rotation",
        "x, y, z, w",
    ),
    "quaternion not unit": ({"place": Pose(rotation=(0, 0, 0, 1.01))}, f"{BODY}, place", "length 1.01", "length 1"),
    "quaternion of zeros": ({"place": Pose(rotation=(0, 0, 0, 0))}, f"{BODY}, place", "length 0", "length 1"),
}


@pytest.mark.parametrize("case", MASS_CASES)
def test_impossible_body_is_refused(case):
    fields, where, what, expected = MASS_CASES[case]
    assert_one(problems(body(**fields)), where, what, expected)


JOINT_CASES = {
    "unknown type": (hinge(kind="revolut"), "joint type 'revolut'", "a known joint type", "Did you mean 'revolute'"),
    "type like no other": (hinge(kind="xyz"), "joint type 'xyz'", "a known", "Known names: 'ball', 'fixed', 'free'"),
    "no axis": (hinge(axes=()), "0 axes", "1 for a revolute joint", ""),
    "two axes on a hinge": (hinge(axes=(X, Y)), "2 axes", "1 for a revolute joint", ""),
    "one axis on a universal": (hinge(kind="universal"), "1 axes", "2 for a universal joint", ""),
    "axis on a planar joint": (hinge(kind="planar"), "1 axes", "0 for a planar joint", ""),
    "zero axis": (hinge(axes=((0.0, 0.0, 0.0),)), r"axis \(0.0, 0.0, 0.0\)", "a direction", "length"),
    "axis NaN": (hinge(axes=((NAN, 0.0, 0.0),)), r"axis \(nan", "three finite numbers", ""),
    "axis of two numbers": (hinge(axes=((1.0, 0.0),)), r"axis \(1.0, 0.0\)", "three finite numbers", ""),
    "parallel axes": (hinge(kind="universal", axes=(X, (-2.0, 0, 0))), "parallel axes", "two different", "revolute"),
    "lower above upper": (
        hinge(lower=(1.0,), upper=(0.5,)),
        "limits of angle from 1 to 0.5",
        "lower <= upper",
        "correct",
    ),
    "too many limits": (hinge(lower=(-1.0, 0.0)), "2 lower limits", r"1 \(angle\)", ""),
    "too few limits": (hinge(kind="ball", upper=(1.0,)), "1 upper limits", r"3 \(swing, twist, turn\)", ""),
    "limits on a free joint": (
        hinge(kind="free", axes=(), upper=(1.0,)),
        "1 upper limits",
        "none for a free joint",
        "",
    ),
    "lower limit infinite": (hinge(lower=(INF,)), "lower limit inf", "room to move", "Leave the limit out"),
    "upper limit infinite": (hinge(upper=(-INF,)), "upper limit -inf", "room to move", "Leave the limit out"),
    "limit NaN": (hinge(upper=(NAN,)), "upper limit NaN", "leave the limit out", ""),
    "negative damping": (hinge(damping=(-0.1,)), r"damping \(-0.1,\)", "0 or more", ""),
    "negative stiffness": (hinge(stiffness=(-0.1,)), r"stiffness \(-0.1,\)", "0 or more", ""),
    "negative armature": (hinge(armature=(-0.1,)), r"armature \(-0.1,\)", "0 or more", ""),
    "negative effort": (hinge(effort=(-0.1,)), r"effort \(-0.1,\)", "0 or more", ""),
    "negative speed": (hinge(speed=(-0.1,)), r"speed \(-0.1,\)", "0 or more", ""),
    "damping NaN": (hinge(damping=(NAN,)), r"damping \(nan,\)", "0 or more", ""),
    "armature NaN": (hinge(armature=(NAN,)), r"armature \(nan,\)", "0 or more", ""),
    "effort NaN": (hinge(effort=(NAN,)), r"effort \(nan,\)", "0 or more", ""),
    "stiffness infinite": (hinge(stiffness=(INF,)), r"stiffness \(inf,\)", "finite numbers", "make it fixed"),
    "damping infinite": (hinge(damping=(INF,)), r"damping \(inf,\)", "finite numbers", "make it fixed"),
    "wrong number of dampings": (hinge(damping=(0.1, 0.2)), "2 values of damping", "1 or 1", ""),
    "wrong number on a ball": (hinge(kind="ball", armature=(0.1, 0.2)), "2 values of armature", "1 or 3", ""),
    "ball softer one way": (
        hinge(kind="ball", stiffness=(1.0, 1.0, 2.0)),
        "stiffness",
        "same in all directions",
        "one number",
    ),
    "free softer one way": (
        hinge(kind="free", axes=(), stiffness=(1.0, 1.0, 1.0, 3.0, 3.0, 4.0)),
        "stiffness",
        "and of a shift",
        "hinges",
    ),
    "rest of two numbers": (hinge(rest=(0.0, 1.0)), r"rest \(0.0, 1.0\)", "1 finite numbers", ""),
    "rest NaN": (hinge(rest=(NAN,)), r"rest \(nan,\)", "1 finite numbers", ""),
    "rest not unit": (hinge(kind="ball", rest=(0.0, 0.0, 0.0, 1.1)), "rest", "unit quaternion", ""),
}


@pytest.mark.parametrize("case", JOINT_CASES)
def test_impossible_joint_is_refused(case):
    joint, what, expected, remedy = JOINT_CASES[case]
    assert_one(problems(body(joint=joint)), JOINT, what, expected, remedy)


def test_joint_without_a_name_of_its_own_is_named_after_its_body():
    found = problems(body(joint=hinge(name="", damping=(-1.0,))))
    assert found[0].where == "joint 'shin' of body 'shin'"


SHAPE_CASES = {
    "unknown kind": (Shape(kind="bax", size=(1.0,)), "kind 'bax'", "a known shape", "Did you mean 'box'"),
    "too few sizes": (Shape(kind="box", size=(1.0, 1.0)), "2 sizes", "3 for a box: half x, half y, half z", ""),
    "negative size": (Shape(kind="sphere", size=(-1.0,)), r"size \(-1.0,\)", "positive", ""),
    "zero size": (Shape(kind="capsule", size=(0.1, 0.0)), r"size \(0.1, 0.0\)", "other than zero", ""),
    "size NaN": (Shape(kind="sphere", size=(NAN,)), r"size \(nan,\)", "finite", ""),
    "mesh without a file": (Shape(kind="mesh", size=(1.0, 1.0, 1.0)), "no file", "path of a mesh file", ""),
    "crooked place": (
        Shape(kind="sphere", size=(1.0,), place=Pose(rotation=(0, 0, 0, 2.0))),
        "length 2",
        "length 1",
        "",
    ),
}


@pytest.mark.parametrize("case", SHAPE_CASES)
def test_impossible_shape_is_refused_on_a_body_and_in_the_world(case):
    shape, what, expected, remedy = SHAPE_CASES[case]
    assert_one(problems(body(shapes=(shape,))), "body 'shin', shape '0'", what, expected, remedy)
    assert_one(problems(lambda builder: builder.world_shapes.append(shape)), "world shape '0'", what, expected, remedy)


@pytest.mark.parametrize("gravity", [(0.0, NAN, 0.0), (0.0, INF, 0.0), (0.0, -9.81)])
def test_impossible_gravity_is_refused(gravity):
    assert_one(problems(body(), gravity=gravity), "world", "gravity", "three finite numbers")


# --- names and the tree ---


def test_body_that_is_its_own_parent_is_a_cycle():
    assert_one(problems(body("shin", "shin")), BODY, "cycle of parents 'shin' -> 'shin'", "a tree", "elsewhere")


def test_cycle_is_shown_link_by_link():
    loop = [
        body("thigh", "foot", hinge(name="hip")),
        body("shin", "thigh"),
        body("foot", "shin", hinge(name="ankle")),
        body("toe", "foot", hinge(name="ball of the foot")),
    ]
    found = problems(*loop)
    assert len(found) == 1
    assert "'thigh' -> 'foot' -> 'shin' -> 'thigh'" in found[0].found
    assert found[0].where == "body 'thigh'"


def test_two_cycles_are_two_problems():
    additions = [body("a", "b", hinge(name="1")), body("b", "a", hinge(name="2")), body("c", "c", hinge(name="3"))]
    assert len(problems(*additions)) == 2


def test_missing_parent_is_named_with_the_nearest_name():
    additions = [body("thigh", joint=hinge(name="hip")), body("shin", "thihg")]
    assert_one(
        problems(*additions), BODY, "parent 'thihg', which does not exist", "existing body", "Did you mean 'thigh'"
    )


def test_two_bodies_of_one_name_are_refused():
    found = problems(body(joint=hinge(name="a")), body(joint=hinge(name="b")))
    assert_one(found, BODY, "2 of this name", "one", "Rename")


def test_two_joints_of_one_name_are_refused():
    assert_one(problems(body("a"), body("b")), "joint 'knee'", "2 of this name", "one", "Rename")


def test_empty_name_is_refused():
    found = problems(body("", joint=hinge(name="a")))
    assert [problem.where for problem in found] == ["body without a name"]
    assert found[0].expected == "a name"


# --- loops ---


LOOP_CASES = {
    "unknown body": (("grip", "weld", "shni"), "body 'shni', which does not exist", "existing body", "mean 'shin'"),
    "unknown second body": (("grip", "weld", "shin", "foto"), "body 'foto'", "existing body", "mean 'foot'"),
    "no body": (("grip", "weld", ""), "no first body", "name of a body", "second end can be the ground"),
    "both ends on one body": (("grip", "weld", "shin", "shin"), "both ends on body 'shin'", "two bodies", ""),
    "unknown kind": (("grip", "hing", "shin"), "kind 'hing'", "known kind of loop", "mean 'hinge'"),
}


def close(*fields, **places):
    return lambda builder: builder.close(LoopSpec(*fields, **places))


@pytest.mark.parametrize("case", LOOP_CASES)
def test_impossible_loop_is_refused(case):
    fields, *message = LOOP_CASES[case]
    found = problems(body(), body("foot", "shin", hinge(name="ankle")), close(*fields))
    assert_one(found, "loop 'grip'", *message)


def test_impossible_places_of_a_loop_are_refused():
    assert_one(
        problems(body(), close("grip", "point", "shin", place_a=Pose((NAN, 0.0, 0.0)))),
        "loop 'grip', place_a",
        r"position \(nan",
        "three finite numbers",
    )
    assert_one(
        problems(body(), close("grip", "weld", "shin", place_b=Pose(rotation=(0.0, 0.0, 0.0, 2.0)))),
        "loop 'grip', place_b",
        "length 2",
        "length 1",
        "Divide",
    )


def test_two_loops_of_one_name_are_refused():
    found = problems(body(), close("grip", "point", "shin"), close("grip", "weld", "shin"))
    assert_one(found, "loop 'grip'", "2 of this name", "one", "Rename")
    assert [problem.where for problem in problems(body(), close("", "point", "shin"))] == ["loop without a name"]


# --- what needs the inertia of the whole tree ---


def test_massless_body_on_a_moving_joint_is_refused():
    found = problems(body(mass=0.0, inertia=(0.0,) * 6))
    assert_one(found, BODY, "no mass on it or on anything it carries", "some mass beyond its revolute joint", "fixed")


def test_massless_body_that_carries_mass_is_accepted():
    massless = body("hip", joint=hinge(name="hip"), mass=0.0, inertia=(0.0,) * 6)
    assert problems(massless, body("shin", "hip")) == []


def test_massless_fixed_leaf_is_accepted():
    assert problems(body(joint=JointSpec(kind="fixed"), mass=0.0, inertia=(0.0,) * 6)) == []


def test_massless_body_with_armature_is_accepted():
    assert problems(body(joint=hinge(armature=(0.1,)), mass=0.0, inertia=(0.0,) * 6)) == []


def test_point_mass_on_its_own_axis_has_no_inertia():
    found = problems(body(inertia=(0.0,) * 6, center_of_mass=(0.0, 0.0, 1.0)))
    assert_one(found, JOINT, "no inertia against motion of 'angle'", "some inertia or armature", "moment of inertia")


def test_point_mass_on_a_ball_lacks_inertia_about_the_axis_through_it():
    joint = JointSpec(kind="ball", name="knee")
    found = problems(body(joint=joint, inertia=(0.0,) * 6, center_of_mass=(0.0, 1.0, 0.0)))
    assert_one(found, JOINT, "no inertia against motion of 'y'", "some inertia or armature")


# --- all at once ---


def test_all_problems_are_reported_together():
    wrong = {"mass": -1.0, "place": Pose((NAN, 0.0, 0.0)), "shapes": (Shape(kind="box"),)}
    joint = hinge(axes=((0.0, 0.0, 0.0),), lower=(1.0,), upper=(0.0,), damping=(-1.0,))
    found = problems(body(joint=joint, **wrong), body("foot", "shinn", hinge(name="ankle", kind="hinge")))
    text = "\n".join(str(problem) for problem in found)
    for part in (
        "position",
        "mass -1",
        "0 sizes",
        "axis (0.0",
        "limits of angle",
        "damping",
        "joint type 'hinge'",
        "shinn",
    ):
        assert part in text
    assert len(found) == 8


def test_problem_reads_as_a_sentence():
    problem = Problem("body 'shin'", "mass -2 kg", "a mass of 0 or more", "Give the body its real mass.")
    assert str(problem) == "body 'shin': found mass -2 kg; expected a mass of 0 or more. Give the body its real mass."
    assert str(Problem("world", "x", "y")) == "world: found x; expected y."


def test_infinite_limits_on_their_own_side_are_no_limits():
    assert problems(body(joint=hinge(lower=(-INF,), upper=(INF,)))) == []


def test_rounding_in_a_file_is_not_a_problem():
    """Six digits, as files have them: quaternions and triangle inequality within 1e-6 pass, and are made exact."""
    nearly = Pose(rotation=(0.0, 0.0, 0.7071068, 0.7071068))
    builder = ModelBuilder("leg")
    builder.add_body("shin", "", hinge(), mass=1.0, inertia=(0.1, 0.1, 0.2 + 1e-8, 0.0, 0.0, 0.0), place=nearly)
    R = builder.build().tree["R"][0].reshape(3, 3)
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-15)
