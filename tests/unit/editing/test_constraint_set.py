"""What can be wanted of a motion: errors that are zero when it is so, and columns against differences of re-simulation."""

import dataclasses

import numpy as np
import pytest

import stringless as sl
from checks import derivative
from fliers import flier
from models import random_motion
from stringless.editing import At, Grip, Release, studies
from stringless.errors import InputError, StringlessWarning

PRECISION = 1e-7
"""Relative to the largest entry: differences over 60 steps."""
MODEL = flier()
MOTION = random_motion(MODEL, 1, 0.3)
HAPPENS = [Grip(body="b3", point=(0.1, 0.2, -0.3), when=At(0.1013, free=True)), Release(when=0.2021)]
TURN = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])


def opened(**options):
    return sl.Editor(
        MODEL, duration=0.3, q=MOTION.q, v=MOTION.v, transitions=HAPPENS, allow=("gravity", "masses"), **options
    )


CONSTRAINTS = {
    "point": lambda e, t: e.nail("b2", time=t, point=(0.1, 0.0, 0.3), target=(0.1, 0.2, 0.3)),
    "velocity": lambda e, t: e.nail_velocity("b2", time=t, point=(0.1, 0.0, 0.3), target=(0.1, 0.2, 0.3)),
    "rotation": lambda e, t: e.nail_rotation("b2", time=t, target=TURN),
    "rotation of a joint": lambda e, t: e.nail_rotation("b2", time=t, target=TURN, joint=True),
    "spin": lambda e, t: e.nail_spin("b1", time=t, target=(1.0, 2.0, 3.0)),
    "center": lambda e, t: e.nail_center(time=t, target=(0.0, 1.0, 0.0)),
    "center velocity": lambda e, t: e.nail_center_velocity(time=t, target=(0.0, 1.0, 0.0)),
    "hinge": lambda e, t: e.nail_joint(MODEL.joints[3].name, time=t, target=0.4),
    "universal": lambda e, t: e.nail_joint(2, time=t, target=(0.4, -0.3)),
    "ball": lambda e, t: e.nail_joint(1, time=t, target=(0.1, 0.3, -0.1, np.sqrt(1.0 - 0.11))),
    "pose": lambda e, t: e.nail_pose(time=t, seen_at=0.02),
}


@pytest.mark.parametrize("time", [0.07, 0.1811, 0.27], ids=["free", "held", "released"])
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_errors_have_the_derivatives_of_re_simulation(name, time):
    editor = opened()
    constraint = CONSTRAINTS[name](editor, time)
    columns = [c for c in editor.columns if c.attribute not in ("q", "v") or c.index in (1, 4, 7, 10, 11)]
    base, rows, _ = editor.evaluate(columns)
    assert np.linalg.norm(base) > 1e-2
    assert len(base) == len(rows)
    for c, column in enumerate(columns):
        expected = -derivative(
            lambda s, column=column: editor.evaluate(controls=after(editor.controls, column, s))[0], 1e-5
        )
        np.testing.assert_allclose(rows[:, c], expected, rtol=0, atol=PRECISION * max(1.0, np.abs(rows).max()))
    assert np.abs(rows).max() > 1e-2
    # Where it is so, nothing is missing.
    constraint.target = constraint.target if name == "pose" else now(editor, constraint)
    if name == "pose":
        editor.remove(constraint)
        constraint = editor.nail_pose(time=time)
    assert np.linalg.norm(editor.evaluate()[0]) < 1e-6


def now(editor, constraint):
    """The target that is met already: by nailing the same thing without one."""
    made = {
        "point": lambda: editor.nail(constraint.body, time=constraint.time, point=constraint.point),
        "velocity": lambda: editor.nail_velocity(constraint.body, time=constraint.time, point=constraint.point),
        "rotation": lambda: editor.nail_rotation(
            constraint.body, time=constraint.time, joint=getattr(constraint, "base", -1) >= 0
        ),
        "spin": lambda: editor.nail_spin(constraint.body, time=constraint.time),
        "center": lambda: editor.nail_center(time=constraint.time),
        "center velocity": lambda: editor.nail_center_velocity(time=constraint.time),
        "joint": lambda: editor.nail_joint(constraint.body, time=constraint.time),
    }[constraint.kind]()
    editor.remove(made)
    return made.target


def after(controls, column, s):
    change = {"q": "q", "v": "v", "mass": "masses", "gravity": "gravity", "time": "times"}[column.attribute]
    value = np.array(getattr(controls, change), float)
    if change == "q":
        value = MODEL.integrate(value, np.eye(MODEL.nv)[column.index], s)
    elif change == "masses":
        value[column.index] *= np.exp(s)
    else:
        value[column.transition if change == "times" else column.index] += s
    return dataclasses.replace(controls, **{change: tuple(value) if change == "times" else value})


def test_the_centre_of_mass_goes_where_it_is_nailed():
    editor = studies.two_pins()
    editor.nails.clear()
    editor.nail_center(time=0.5, target=(0.5, 1.0, 0.2))
    editor.nail_center_velocity(time=0.0, target=(0.0, 1.5, 0.1))
    editor.solve(iterations=5)
    assert editor.error() < 1e-3
    np.testing.assert_allclose(editor.find_bodies(0.5).center()[0], (0.5, 1.0, 0.2), rtol=0, atol=1e-3)


def test_a_root_is_moved_with_its_joints_locked_or_free():
    """Nailing the root's place: with all joints locked the pose within stays as it was, to the last bit."""
    for locked in (True, False):
        editor = studies.two_pins()
        editor.nails.clear()
        joints = editor.model.joints[1:]
        start = editor.controls
        if locked:
            for joint in joints:
                editor.lock("rotation", "angular velocity", body=joint.body)
        editor.nail("link 1", time=0.3, target=editor.point("link 1", 0.3) + np.array([0.2, 0.1, 0.0]))
        editor.solve(iterations=10)
        assert editor.error() < 1e-3
        same = all(np.array_equal(editor.controls.v[j.v_slice], start.v[j.v_slice]) for j in joints)
        assert same == locked


def test_the_mouse_may_turn_a_body_and_a_joint():
    for joint in (False, True):
        editor = studies.two_pins()
        editor.nails.clear()
        held = editor.turn("link 2", time=0.4, target=TURN, joint=joint)
        assert editor.drags == [held]
        editor.solve(iterations=20)
        assert editor.error() < 1e-3


def test_strengths_of_kinds_and_nails_decide_between_contradictions():
    """A ball cannot be at two places: it goes to the mean, weighed by the squares of the strengths."""
    editor = sl.Editor(studies.ball(), duration=1.0)
    editor.lock("velocity", "rotation", "angular velocity")
    editor.nail("ball", time=0.5, target=(0.0, 0.0, 0.0))
    strong = editor.nail_center(time=0.5, target=(1.0, 0.0, 0.0), strength=2.0)
    before = editor.controls
    with pytest.warns(StringlessWarning, match="is impossible: .* the motion stays as it was"):
        editor.solve()
    assert editor.controls is before
    for kind, share in ((1.0, 0.8), (0.5, 0.5)):
        editor.strengths["center"] = kind
        with pytest.warns(StringlessWarning, match="The nearest motion that was found is kept"):
            editor.solve(nearest=True)
        assert editor.point("ball", 0.5)[0] == pytest.approx(share, abs=1e-6)
    strong.strength = 0.0
    editor.solve()
    assert editor.error() < 1e-3
    np.testing.assert_allclose(editor.point("ball", 0.5), 0.0, rtol=0, atol=1e-3)


def test_constraints_are_known_by_their_ids():
    editor = studies.hoop()
    first = editor.nail("ball", time=0.2)
    second = editor.nail("ball", time=0.3)
    assert len({first.id, second.id, editor.nails[0].id}) == 3
    editor.remove(second.id)
    assert editor.constraint(first.id) is first
    third = editor.nail("ball", time=0.3)
    assert third.id > second.id, "an id is not given twice"
    assert editor.nail("ball", time=0.4, id=40).id == 40
    with pytest.raises(InputError, match=f"constraint {second.id} is not one of the editor's"):
        editor.remove(second.id)


def test_wishes_that_make_no_sense_are_named():
    editor = opened()
    with pytest.raises(InputError, match="'target' for joint .* is 1.0; expected 2 finite numbers"):
        editor.nail_joint(2, time=0.1, target=1.0)
    with pytest.raises(InputError, match="has no coordinates while the character is held at 'b3'"):
        editor.nail_joint(0, time=0.15)
    with pytest.raises(InputError, match="is free; nail the place and the rotation of the body it carries"):
        editor.nail_joint(0, time=0.05)
    with pytest.raises(InputError, match="is free; nail the place"):
        editor.nail_joint(0, time=0.05, target=(0.0, 1.0))
    for target in ("abc", (1e300, 0.0), (np.nan, 0.0)):
        with pytest.raises(InputError, match="'target' for joint .* is .*; expected 2 finite numbers, at most 1e.06"):
            editor.nail_joint(2, time=0.1, target=target)
    with pytest.raises(InputError, match="expected a rotation matrix, 3 by 3"):
        editor.turn("b1", time=0.1, target=-np.eye(3))
    with pytest.raises(InputError, match="a point has strength -1; expected a finite number, 0 or more"):
        editor.nail("b1", time=0.1, strength=-1)
    with pytest.raises(InputError, match=r"a point has strength 1e\+300; expected a finite number, 0 or more, at most"):
        editor.nail("b1", time=0.1, strength=1e300)
    editor.nail("b1", time=0.1)
    editor.strengths["point"] = 1e300
    with pytest.raises(InputError, match=r"counts 1.0 times 1e\+300; expected strengths of 0 or more, at most"):
        editor.solve()


ASTRAY = 3e-3
"""How far the centre of mass of the humanoid leaves its parabola within 1 s in steps of 5 ms, its joints at about 1 rad/s [m]."""


def test_the_centre_of_mass_of_a_linkage_keeps_near_its_parabola():
    scene = sl.load("humanoid")
    editor = sl.Editor(scene, duration=1.0, v=np.random.default_rng(1).normal(size=scene.model.nv))
    start, v = editor.find_bodies(0.0).center()[0], editor.find_bodies(0.0).center_velocity()[0]
    for time in (0.25, 0.5, 1.0):
        wanted = start + time * v + 0.5 * time**2 * scene.model.gravity
        assert np.linalg.norm(editor.find_bodies(time).center()[0] - wanted) < ASTRAY
