"""Key poses earlier or later, transitions that come late, and everything about time that cannot be had."""

import numpy as np
import pytest

import stringless as sl
from models import free_body
from stringless.editing import At, Bar, Bounce, Grip, Plane, Release, Touch, studies
from stringless.errors import InputError, StringlessWarning

REACHED = 1e-3


def solved(name):
    editor = studies.STUDIES[name]()
    editor.solve()
    editor.nails.clear()
    editor.unlock()
    return editor


@pytest.mark.parametrize(
    ("name", "time", "to"), [("two pins", 0.4, 0.5), ("clamped chain", 0.6, 0.5), ("flier", 1.0, 1.06)]
)
def test_a_key_pose_can_be_had_earlier_or_later(name, time, to):
    editor = solved(name)
    before = editor.find_bodies(time)
    editor.retime(time, to)
    assert editor.error() > 0.2
    editor.solve(iterations=15)
    assert editor.error() < REACHED
    after = editor.find_bodies(to)
    np.testing.assert_allclose(after.p, before.p, rtol=0, atol=2 * REACHED)
    np.testing.assert_allclose(after.R, before.R, rtol=0, atol=2 * REACHED)


def test_clip_times_follow_a_key_pose():
    """Three links that swing on a bar: to look the same 60 ms later they grab it later, and let go later."""
    editor = solved("flier")
    grab, release = editor.times
    editor.retime(1.0, 1.06)
    assert [c.transition for c in editor.every if c.attribute == "time"] == [1]
    editor.solve(iterations=15)
    assert editor.times[0] > grab + 0.01
    assert editor.times[1] > release + 0.02
    editor.undo()
    editor.undo()
    assert editor.times == (grab, release)


def test_a_thrown_ball_is_where_it_was_a_fifth_of_a_second_later():
    """The closed form: of position and velocity at the start, the smallest change that makes up for what gravity does."""
    editor = sl.Editor(free_body((0.1, 0.1, 0.1), gravity=(0.0, -10.0, 0.0)), duration=1.0, v=[0, 0, 0, 1.0, 6.0, 0.0])
    editor.lock("position", "rotation", "angular velocity")
    editor.retime(0.5, 0.7)
    editor.solve()
    expected = (np.array([0.5, 3.0 - 1.25, 0.0]) + np.array([0.0, 5.0 * 0.49, 0.0])) / 0.7
    np.testing.assert_allclose(editor.controls.v[3:], expected, rtol=0, atol=1e-9)


def test_nails_of_a_moment_go_along():
    editor = studies.two_pins()
    first, second = editor.nails
    assert editor.retime(0.6, 0.5) == [second]
    assert (first.time, second.time) == (0.0, 0.5)
    assert editor.nails == [first, second]


def test_a_transition_is_put_where_it_is_dragged_and_stays_there():
    editor = studies.flier()
    editor.solve()
    editor.unlock()
    grab, release = editor.times
    editor.retime(release, release + 0.03)
    assert editor.times == (grab, release + 0.03)
    assert not any(c.attribute == "time" for c in editor.every)
    editor.solve()
    assert editor.times[1] == release + 0.03
    assert editor.error() < REACHED


def test_a_touch_cannot_be_told_when_but_its_pose_can():
    """A bar is met when it is met: the pose in which that happens is wanted later, and the start changes."""
    editor = solved("flier")
    grab = editor.times[0]
    pose = editor.find_bodies(grab)
    (nail,) = editor.retime(grab, grab + 0.05)
    assert nail.kind == "pose"
    editor.solve(iterations=20)
    assert editor.error() < REACHED
    np.testing.assert_allclose(editor.find_bodies(grab + 0.05).p, pose.p, rtol=0, atol=2 * REACHED)
    assert editor.times[0] != grab


def test_things_can_happen_that_were_not_planned():
    """A grip given late changes the motion from there on, to the last bit as if it had been planned; undo takes it back."""
    editor = studies.two_pins()
    start, before = editor.controls, editor.point("link 3", 0.7)
    editor.plan([Grip(body="link 1", when=At(0.3, free=True))])
    assert editor.times == (0.3,)
    assert np.array_equal(editor.controls.q, start.q)
    planned = sl.Editor(
        editor.model, duration=0.8, q=start.q, v=start.v, transitions=[Grip(body="link 1", when=At(0.3, free=True))]
    )
    assert np.array_equal(editor.point("link 3", 0.7), planned.point("link 3", 0.7))
    np.testing.assert_allclose(editor.point("link 1", 0.7), editor.point("link 1", 0.3), rtol=0, atol=1e-12)
    editor.solve(iterations=15)
    moved = editor.times[0]
    editor.plan([Grip(body="link 1", when=At(0.3, free=True)), Release(when=0.7)])
    assert editor.times == (moved, 0.7), "what an edit has done to a transition stays"
    for _ in range(3):
        editor.undo()
    assert editor.controls is start
    assert np.array_equal(editor.point("link 3", 0.7), before)


def test_locks_stay_with_their_transition():
    """A release whose time and push are locked is the second one once a grip comes before it; undo counts as it did."""
    editor = studies.two_pins()
    release = Release(when=At(0.6, free=True), push=True)
    editor.plan([Grip(body="link 1", when=At(0.4, free=True), push=True), release])
    editor.lock("time", "push")
    editor.unlock("time")
    first = [Grip(body="link 3", when=At(0.1, free=True), push=True), Release(when=At(0.2, free=True), push=True)]
    editor.plan([*first, *editor.course.transitions])

    def locked(attribute):
        every = zip(editor.every, editor.locked, strict=True)
        return {c.transition: bool(is_locked) for c, is_locked in every if c.attribute == attribute}

    assert locked("push") == {0: False, 1: False, 2: True, 3: True}
    assert not any(locked("time").values())
    editor.lock("time")
    editor.plan([first[0]])
    assert locked("time") == {0: True}
    editor.undo()
    assert locked("push") == {0: False, 1: False, 2: True, 3: True}
    assert all(locked("time").values())
    editor.undo()
    assert locked("push") == {0: True, 1: True}


FAR = Bar((50.0, 50.0, 0.0))
LATE = {
    "outside the motion": ([Grip(body="link 1", when=0.9)], "is at 0.9 s; expected a time after 0 s"),
    "before it": ([Grip(body="link 1", when=0.0)], "is at 0 s; expected a time after 0 s"),
    "two clamps": ([Grip(body="link 1", when=0.1), Grip(body="link 3", when=0.2)], "held already"),
    "no length": ([Grip(body="link 1", when=0.1), Release(when=0.1)], "is at 0.1 s; expected a time after 0.1 s"),
    "next to no length": ([Grip(body="link 1", when=0.1), Release(when=0.1 + 1e-8)], "clip 2 of the motion would last"),
    "out of reach": ([Grip(body="link 1", when=Touch(FAR))], "does not meet the bar through .* it comes as near as"),
    "beneath": (
        [Grip(body="link 1", when=Touch(Plane((0.0, -90.0, 0.0))))],
        "does not meet the floor at a height of -90 m",
    ),
    "no axis": (
        [Grip(body="link 1", when=0.1, kind="hinge", axis="z")],
        "the axis of transition 1 .* is 'z'; expected three",
    ),
    "no list": (Release(when=0.1), "what happens is Release.*; expected transitions in a list"),
    "no bounce": (
        [Bounce(body="link 1", when=Touch(Plane()), restitution="x")],
        "the restitution of transition 1 .* is 'x'; expected",
    ),
    "no such body": ([Grip(body="hand", when=0.1)], "has no body 'hand'"),
}


@pytest.mark.parametrize("name", LATE)
def test_what_cannot_happen_leaves_the_motion_as_it_was(name):
    transitions, message = LATE[name]
    editor = studies.two_pins()
    controls, run, course = editor.controls, editor.run, editor.course
    with pytest.raises(InputError, match=message):
        editor.plan(transitions)
    assert editor.controls is controls
    assert editor.run is run
    assert editor.course is course
    with pytest.raises(InputError, match="there is nothing to undo"):
        editor.undo()


def test_a_moment_outside_the_motion_is_named_and_nothing_changes():
    editor = studies.flier()
    controls, nails = editor.controls, [(nail.id, nail.time) for nail in editor.nails]
    with pytest.raises(InputError, match="time 5 is outside the motion; expected 0 to 1.2 s"):
        editor.retime(1.0, 5)
    with pytest.raises(InputError, match="expected a time after"):
        editor.retime(editor.times[1], 1.2)
    assert editor.controls is controls
    assert [(nail.id, nail.time) for nail in editor.nails] == nails


def test_a_point_out_of_reach_is_told_to_be():
    """A chain of 1.6 m cannot reach 10 m: it stays or, if the nearest is wanted, stretches as far as it can."""
    editor = studies.clamped_chain()
    editor.nails.clear()
    editor.nail("link 4", time=0.5, target=(10.0, 2.0, 0.0), point=studies.TIP)
    before = editor.controls
    with pytest.warns(StringlessWarning, match="what is wanted is impossible: the error would fall from 1.* to 8.4"):
        (edit,) = editor.solve()
    assert edit.impossible
    assert editor.controls is before
    with pytest.warns(StringlessWarning, match="what is wanted seems out of reach: the error is 8.4"):
        edits = editor.solve(nearest=True)
    assert "out of reach" in edits[-1].message
    assert len(edits) < 20
    assert editor.error() == pytest.approx(8.4, abs=0.03)


def test_a_motion_that_diverges_on_being_put_is_refused():
    editor = studies.two_pins()
    before = editor.controls
    wild = sl.editing.plan.Controls(before.q, 1e5 * before.v, (), ())
    with pytest.raises(sl.DivergenceError, match="the motion ran away"):
        editor.set_controls(wild)
    assert editor.controls is before
