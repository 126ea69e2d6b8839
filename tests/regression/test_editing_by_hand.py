"""What a newcomer found wrong with the motion editor; each was seen to fail."""

import dataclasses
import warnings

import numpy as np
import pytest

import stringless as sl
from models import free_body
from stringless.editing import At, Bar, Bounce, Grip, Plane, Release, Touch, control_steps, studies
from stringless.errors import InputError, ModelError, StringlessError, StringlessWarning


def falling():
    return sl.Editor(free_body((0.1, 0.1, 0.1)), duration=0.5)


WRONG = {
    "target": (
        lambda e: e.nail("body", time=0.1, target=(1.0, 2.0, np.nan)),
        "'target' is .* expected three finite numbers",
    ),
    "point": (
        lambda e: e.nail("body", time=0.1, point=(np.nan, 0.0, 0.0)),
        "'point' is .* expected three finite numbers",
    ),
    "center": (lambda e: e.nail_center(time=0.1, target=(np.nan, 0.0, 0.0)), "expected three finite numbers"),
    "huge": (lambda e: e.nail("body", time=0.1, target=(1e300, 0.0, 0.0)), "at most 1e\\+06 \\[m\\]"),
    "velocity": (lambda e: e.nail_velocity("body", time=0.1, target=(1.0, 2.0)), "three finite numbers.* \\[m/s\\]"),
    "spin": (lambda e: e.nail_spin("body", time=0.1, target="fast"), "three finite numbers.* \\[rad/s\\]"),
    "time": (
        lambda e: e.nail("body", time="soon"),
        "the time of what is wanted is 'soon'; expected a finite number \\[s\\]",
    ),
    "strength": (lambda e: e.nail("body", time=0.1, strength="much"), "the strength of a point is 'much'"),
    "word": (lambda e: e.nail("body", time=0.1, colour="red"), "a point has no 'colour'; it has a strength and an id"),
    "joint": (lambda e: e.nail_joint(99, time=0.1), "has no body 99|99"),
    "mass": (lambda e: e.set_resistance({"velocity": "a"}), "the mass of 'velocity' is 'a'; expected a finite number"),
    "id": (
        lambda e: e.nail("body", time=0.1, id="x"),
        "the id of a point is 'x'; expected a whole number of 1 or more",
    ),
    "pose": (
        lambda e: e.nail_pose(time=0.1, pose=3),
        "the pose is 3; expected the 1 bodies of model .* as `see` gives them",
    ),
    "stop": (lambda e: e.solve(error=np.nan), "the error to stop at is nan; expected a finite number"),
    "stop below": (lambda e: e.solve(error=-1), "the error to stop at is -1; expected a finite number, 0 or more"),
    "iterations": (
        lambda e: e.solve(iterations=-1),
        "the number of iterations is -1; expected a whole number of 1 or more",
    ),
    "iterations in words": (
        lambda e: e.solve(iterations="a"),
        "the number of iterations is 'a'; expected a whole number",
    ),
    "trials": (lambda e: e.iterate(trials=0), "the number of trials is 0; expected a whole number of 1 or more"),
    "controls": (lambda e: e.set_controls(None), "controls are None; expected `Controls`"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_wish_is_refused_in_words(name):
    call, message = WRONG[name]
    editor = falling()
    with pytest.raises(InputError, match=message):
        call(editor)
    assert not editor.nails


MADE = {
    "duration": ({"duration": "a"}, "the duration of a motion is 'a'; expected a finite number \\[s\\]"),
    "step": ({"dt": 1e-9}, "at most 1000000 steps"),
    "muscles": ({"muscles": ["x"]}, "muscles are \\['x'\\]; expected how many coefficients by name of joint"),
    "allowed": ({"allow": "gravity"}, "expected names in a list, such as \\['gravity'\\]"),
    "no transition": ({"transitions": ["grip"]}, "transition 1 \\(str\\) is 'grip'; expected a `Grip`"),
    "when": ({"transitions": [Grip(body="body", when="x")]}, "the time of transition 1 \\(grip\\) is 'x'"),
    "point": ({"transitions": [Grip(body="body", point=(0.0, 0.0), when=0.1)]}, "the point of transition 1"),
    "surface": (
        {"transitions": [Grip(body="body", when=Touch("bar"))]},
        "waits for 'bar'; expected a `Plane` or a `Bar`",
    ),
    "direction": ({"transitions": [Grip(body="body", when=Touch(Bar((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))))]}, "direction"),
    "radius": ({"transitions": [Grip(body="body", when=Touch(Bar((0.0, 0.0, 0.0), radius=-1.0)))]}, "a radius of -1.0"),
    "normal": ({"transitions": [Grip(body="body", when=Touch(Plane(normal=(0.0, 0.0, 0.0))))]}, "normal .* not zero"),
    "beyond": (
        {"transitions": [Grip(body="body", when=Touch(Plane((0.0, 9.0, 0.0))))]},
        "it is beyond it when it begins",
    ),
    "q": ({"q": [np.nan] * 7}, "controls have q .* expected finite numbers"),
}


@pytest.mark.parametrize("name", MADE)
def test_what_is_no_motion_is_refused_in_words(name):
    options, message = MADE[name]
    with pytest.raises(InputError, match=message):
        sl.Editor(free_body((0.1, 0.1, 0.1)), **{"duration": 0.5, **options})


def test_other_things_than_characters_and_quaternions_are_refused():
    with pytest.raises(InputError, match="the character is 'hoop'; expected a scene or a model"):
        sl.Editor("hoop", duration=1.0)
    with pytest.raises(ModelError, match="a quaternion of length 0; expected length 1"):
        sl.Editor(free_body((0.1, 0.1, 0.1)), duration=0.5, q=np.zeros(7))
    editor = studies.two_pins()
    with pytest.raises(InputError, match="expected a quaternion of length 1"):
        editor.nail_joint(1, time=0.1, target=[0.0, 0.0, 0.0, 0.0])
    with pytest.raises(InputError, match="controls have v .* expected finite numbers"):
        editor.set_controls(dataclasses.replace(editor.controls, v=np.nan * editor.controls.v))


def test_masses_are_taken_all_or_none():
    editor = falling()
    with pytest.raises(InputError, match="the mass of 'velocity' is -1"):
        editor.set_resistance({"position": 5.0, "velocity": -1})
    assert editor.masses["position"] == 1.0


def test_an_error_that_is_no_number_never_reads_as_met():
    editor = falling()
    editor.nail("body", time=0.1)
    editor.strengths["point"] = np.nan
    with pytest.raises(InputError, match="the strength of kind 'point' is nan"):
        editor.solve()


@pytest.mark.parametrize("name", ["moves a nail", "makes a nail"])
def test_undo_of_another_timing_takes_its_nails_back(name):
    editor = studies.flier()
    editor.unlock()
    if name == "makes a nail":
        editor.nails.clear()
    before = [(nail.id, nail.time) for nail in editor.nails]
    time = 1.2 if name == "moves a nail" else 1.0
    editor.retime(time, 1.1)
    after = [(nail.id, nail.time) for nail in editor.nails]
    assert after != before
    editor.undo()
    assert [(nail.id, nail.time) for nail in editor.nails] == before
    editor.redo()
    assert [(nail.id, nail.time) for nail in editor.nails] == after


def test_rounding_is_no_freedom():
    """The mass of a ball does not change its flight: what is wanted is impossible, and a script is warned."""
    editor = sl.Editor(studies.ball(), duration=0.5, allow=("masses",))
    editor.lock("position", "velocity", "rotation", "angular velocity")
    editor.nail("ball", time=0.5, target=editor.point("ball", 0.5) + np.array([0.0, 0.5, 0.0]))
    with pytest.warns(StringlessWarning, match="what is wanted is impossible: 100% of the squared error would remain"):
        (edit,) = editor.solve()
    assert edit.scale == 0.0


@pytest.mark.parametrize("aside", [(0.3, 0.2), (0.0, 0.3)], ids=["aside and up", "straight up"])
def test_a_chain_at_rest_can_be_bent(aside):
    """Hanging straight down no small change lifts its tip: to first order that is impossible, and yet it is easy."""
    model = studies.links((studies.HINGE,) * 3, at=(0.0, 2.0, 0.0))
    editor = sl.Editor(model, duration=0.6)
    tip = editor.point("link 3", 0.5, studies.TIP)
    editor.nail("link 3", time=0.5, point=studies.TIP, target=tip + np.array([*aside, 0.0]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        editor.solve()
    assert editor.error() < 1e-3


def test_a_release_and_a_grip_between_steps_still_tell_their_story():
    """The flier flies before it grabs its bar, and flies again after it."""
    editor = studies.flier()
    editor.solve()
    grab, release = editor.times
    assert 0.2 < grab < release - 0.1 < release < 1.1
    assert isinstance(editor.course.transitions[1], Release)
    assert isinstance(editor.course.transitions[1].when, At)


def test_a_plane_through_where_a_point_is_can_be_met_on_and_off_the_grid():
    """A bounce put where a point is just then: rounding decides on which side of the plane a frame is."""
    editor = studies.two_pins()
    editor.solve()
    point = (0.0, -0.2, 0.0)
    for time in np.linspace(0.1, 0.7, 61):
        seen = editor.find_bodies(time)
        x, v = seen.point(1, np.array(point))[0], seen.point_velocity(1, np.array(point))[0]
        plane = Plane(tuple(x), tuple(-v / np.linalg.norm(v)))
        editor.plan([Bounce(body="link 2", point=point, when=Touch(plane))])
        assert editor.times[0] <= time + 1e-9
        editor.undo()


def thrown():
    return sl.Editor(
        studies.ball(), duration=1.2, q=[0.0, 1.8, 0.0, 0.0, 0.0, 0.0, 1.0], v=[0.0, 0.0, 0.0, 1.0, 2.0, 0.5]
    )


def test_contradictory_nails_leave_the_motion_as_it_was_before_the_whole_search():
    """The ball came 4 m nearer to both before no more went, and was told to have stayed."""
    editor = thrown()
    editor.nail("ball", time=0.5, target=(3.0, 3.0, 0.0))
    editor.nail("ball", time=0.5, target=(4.0, 3.0, 0.0))
    controls, run, error = editor.controls, editor.run, editor.error()
    with pytest.warns(StringlessWarning) as told:
        (edit,) = editor.solve()
    assert "impossible: the error would fall from 4.76 to 0.707, and then no step makes it smaller; the" in edit.message
    assert [str(warning.message) for warning in told] == [edit.message]
    assert told[0].filename == __file__
    assert edit.impossible
    assert (edit.before, edit.after, edit.scale) == (error, error, 0.0)
    assert editor.controls is controls
    assert editor.run is run
    with pytest.raises(InputError, match="there is nothing to undo"):
        editor.undo()


def test_hands_that_are_wanted_too_far_apart_stay_unless_the_nearest_is_wanted():
    """Stretched arms turned the search into one that merely hardly went on, and the body had been torn about."""
    editor = sl.Editor(sl.load("humanoid"), duration=0.6)
    middle = editor.find_bodies(0.3).p[editor.model.body("pelvis").index]
    for hand, x in (("left_hand", 1.5), ("right_hand", -1.5)):
        editor.nail(hand, time=0.3, target=middle + [x, 0.0, 0.0])
    before, error = editor.controls, editor.error()
    with pytest.warns(StringlessWarning, match="is impossible: .* the motion stays as it was"):
        (edit,) = editor.solve()
    assert edit.impossible
    assert editor.controls is before
    with pytest.warns(StringlessWarning, match="The nearest motion that was found is kept"):
        editor.solve(nearest=True)
    assert editor.error() < 0.9 * error


def test_who_is_as_good_as_there_stays_there():
    """A chain of 1.6 m is 2 cm too short: what was found is not thrown away. It is if the chain is 10 cm too short."""
    toward = np.array([2.0, -1.0, 0.6]) / np.linalg.norm([2.0, -1.0, 0.6])
    for missing, said in (
        (0.02, "seems out of reach: the error is 0.02, and it hardly falls"),
        (0.1, "impossible: .* 0.1, and"),
    ):
        editor = studies.clamped_chain()
        editor.nails.clear()
        editor.nail(
            "link 4", time=0.5, point=studies.TIP, target=editor.find_bodies(0.5).p[0] + (1.6 + missing) * toward
        )
        before = editor.error()
        with pytest.warns(StringlessWarning, match=said):
            editor.solve()
        assert editor.error() == pytest.approx(0.02 if missing == 0.02 else before, abs=1e-3)


def test_a_search_that_can_go_no_further_keeps_the_nearest_motion_if_that_is_wanted(monkeypatch):
    """No step helps after the first."""
    editor = thrown()
    editor.nail("ball", time=0.5, target=(3.0, 3.0, 0.0))
    first = editor.error()
    try_steps = control_steps.Search.try_steps

    def once(search, problem):
        if search.before == first:
            try_steps(search, problem)

    monkeypatch.setattr(control_steps.Search, "try_steps", once)
    with pytest.warns(StringlessWarning, match="from 2.* to 2.*, and then no step makes it smaller; the motion stays"):
        editor.solve(error=0.002)
    assert editor.error() == first
    with pytest.warns(
        StringlessWarning, match="the error is 2.* and no step makes it smaller; expected 0.002. The near"
    ):
        (edit,) = editor.solve(error=0.002, nearest=True)
    assert edit.scale > 0
    assert editor.error() == edit.after < first
    editor.undo()
    assert editor.error() == first


def test_what_a_stretched_limb_cannot_reach_is_no_contradiction():
    """Beside a chain that hangs straight down, what is missing below it can be had to first order."""
    editor = sl.Editor(studies.links((studies.HINGE,) * 3, at=(0.0, 2.0, 0.0)), duration=0.6)
    editor.nail("link 3", time=0.5, point=studies.TIP, target=(0.0, -1.0, 0.0))
    with pytest.warns(StringlessWarning, match="no step makes the motion come nearer; it stays as it was"):
        (edit,) = editor.solve()
    assert not edit.impossible
    assert edit.scale == 0.0


CHANGED = {
    "time": ({"time": 7}, "point 1, which is wanted at 7 s: time 7 is outside the motion; expected 0 to 0.5 s"),
    "no time": ({"time": None}, "the time of what is wanted is None; expected a finite number"),
    "strength": ({"strength": np.nan}, "the strength of a point is nan; expected a finite number"),
    "weak": ({"strength": -1.0}, "counts -1.0 times 1.0; expected strengths of 0 or more"),
    "target": ({"target": [np.nan] * 3}, "'target' is .*nan.*; expected three finite numbers, at most 1e\\+06"),
    "flat": ({"target": np.zeros(2)}, "'target' is .*; expected three finite numbers"),
    "word": ({"target": "there"}, "'target' is 'there'; expected three finite numbers"),
    "point": ({"point": np.array([np.inf, 0.0, 0.0])}, "'point' is .*inf.*; expected three finite numbers"),
    "body": ({"body": 9}, "9"),
}


@pytest.mark.parametrize("name", CHANGED)
@pytest.mark.parametrize("call", ["evaluate", "error", "iterate", "solve"])
def test_a_nail_that_was_changed_by_hand_is_checked(name, call):
    change, message = CHANGED[name]
    editor = falling()
    nail = editor.nail("body", time=0.1, target=(1.0, 0.0, 0.0))
    controls = editor.controls
    for attribute, value in change.items():
        setattr(nail, attribute, value)
    with pytest.raises(StringlessError, match=message):
        getattr(editor, call)()
    assert editor.controls is controls


def test_a_nail_may_be_changed_by_hand():
    editor = falling()
    nail = editor.nail("body", time=0.1)
    nail.target, nail.strength, nail.time = [0.1, 0.2, 0.3], 2, 0.3
    editor.solve()
    np.testing.assert_allclose(editor.point("body", 0.3), nail.target, atol=1e-3)


def test_an_id_and_a_kind_are_those_of_one_thing():
    editor = falling()
    editor.nail("body", time=0.1, id=4)
    with pytest.raises(
        InputError, match="the id of a velocity is 4, which another has; leave it out, or remove the other"
    ):
        editor.nail_velocity("body", time=0.1, id=4)
    editor.strengths["foo"] = 3
    with pytest.raises(InputError, match="kind 'foo', which is unknown; choose one of: point, velocity"):
        editor.solve()
