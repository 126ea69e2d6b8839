"""An editor as plain data: the same motion comes back, to the last bit, and what cannot be read is refused by name."""

import json

import numpy as np
import pytest

import stringless as sl
from stringless.editing import At, Bar, Bounce, Grip, Plane, Release, Touch, studies
from stringless.editing.data import (
    as_data,
    from_data,
    read_constraint,
    read_controls,
    read_transition,
    transition_data,
)
from stringless.errors import InputError


def through_a_file(data):
    return json.loads(json.dumps(data, allow_nan=False))


def same_motion(one, other):
    assert len(one.run.clips) == len(other.run.clips)
    for a, b in zip(one.run.clips, other.run.clips, strict=True):
        assert (a.start, a.end) == (b.start, b.end)
        assert np.array_equal(a.frames.q, b.frames.q)
        assert np.array_equal(a.frames.v, b.frames.v)
        assert np.array_equal(a.frames.q_samples[-1], b.frames.q_samples[-1])


@pytest.mark.parametrize("name", studies.STUDIES)
def test_an_edited_study_comes_back_to_the_last_bit(name):
    editor = studies.STUDIES[name]()
    before = editor.controls
    editor.solve(iterations=3)
    assert not np.array_equal(editor.controls.q, before.q) or not np.array_equal(editor.controls.v, before.v)
    data = through_a_file(as_data(editor))
    again = from_data(editor.model, data)
    same_motion(editor, again)
    assert through_a_file(as_data(again)) == data


def test_a_motion_that_waits_for_a_touch_comes_back():
    editor = studies.hoop(board=True)
    editor.solve(iterations=2)
    data = through_a_file(as_data(editor))
    assert data["controls"]["times"] == [None]
    again = from_data(editor.model, data)
    same_motion(editor, again)
    assert again.times == editor.times


def test_what_is_wanted_and_what_may_change_comes_back():
    editor = studies.two_pins()
    editor.nail_rotation("link 2", time=0.3, joint=True, strength=2.0)
    editor.nail_velocity("link 3", time=0.5, target=(1.0, 0.0, 0.0), point=studies.TIP)
    editor.nail_spin("link 1", time=0.4, target=(0.0, 0.0, 1.0))
    editor.lock("rotation", body="link 2")
    editor.lock("velocity")
    editor.set_resistance({"angular velocity": 3.0})
    editor.strengths["velocity"] = 0.1
    again = from_data(editor.model, through_a_file(as_data(editor)))
    assert [nail.id for nail in again.nails] == [nail.id for nail in editor.nails]
    assert as_data(editor)["locked"] == [["rotation", "link 2"], ["velocity", ""]]
    assert np.array_equal(again.locked, editor.locked)
    assert again.masses == editor.masses
    assert again.strengths == editor.strengths
    for found, wanted in zip(again.evaluate(again.columns)[:2], editor.evaluate(editor.columns)[:2], strict=True):
        assert found.any()
        assert np.array_equal(found, wanted)
    assert again.nail("link 1", time=0.1).id > max(nail.id for nail in editor.nails)


def test_a_motion_with_other_freedoms_comes_back():
    editor = sl.Editor(
        studies.links(("free", "ball", "ball")),
        duration=0.5,
        allow=("gravity", "masses"),
        muscles={"link 2": 4},
        dt=5e-3,
    )
    editor.nail("link 3", time=0.4, target=(0.3, -0.5, 0.2), point=studies.TIP)
    editor.solve(iterations=3)
    assert editor.controls.muscles.any()
    again = from_data(editor.model, through_a_file(as_data(editor)))
    same_motion(editor, again)
    assert again.allowed == editor.allowed
    assert again.muscles == editor.muscles


@pytest.mark.parametrize(
    "transition",
    [
        Grip(body="link 2", when=0.3, point=(0.0, -0.1, 0.0)),
        Grip(body="link 3", when=At(0.3, free=True), kind="hinge", axis=(0.0, 0.0, 1.0), push=True),
        Grip(body="link 1", when=Touch(Bar((1.0, 2.0, 0.0), radius=0.03))),
        Release(when=At(0.4, free=True)),
        Bounce(body="link 1", when=Touch(Plane((0.0, 0.5, 0.0))), restitution=0.4),
    ],
    ids=lambda transition: type(transition).__name__,
)
def test_a_transition_comes_back(transition):
    model = studies.links(("free", "ball", "ball"))
    again = read_transition(through_a_file(transition_data(model, transition)))
    assert transition_data(model, again) == transition_data(model, transition)
    assert type(again) is type(transition)
    assert again.timing == transition.timing


def test_what_cannot_be_read_is_refused_by_name():
    editor = studies.two_pins()
    data = as_data(editor)
    with pytest.raises(InputError, match="control 'speed' is unknown; choose one of: q, v, times"):
        read_controls({"speed": [1.0]})
    with pytest.raises(InputError, match="transition 'jump' is unknown; choose one of: grip, release, bounce"):
        read_transition({"kind": "jump", "when": {"time": 0.2}})
    with pytest.raises(InputError, match="expected a time, a plane or a bar"):
        read_transition({"kind": "release", "when": {"noon": True}})
    with pytest.raises(InputError, match="a constraint of kind 'luck' is unknown; choose one of: center"):
        read_constraint(editor.model, {"kind": "luck", "body": "link 1"})
    with pytest.raises(InputError, match="body 'arm'"):
        from_data(editor.model, data | {"nails": [data["nails"][0] | {"body": "arm"}]})


MISSHAPEN = {
    "duration": (lambda data: data.pop("duration"), "has no 'duration'; found dt, .*; expected duration, dt, controls"),
    "step": (lambda data: data.update(dt="short"), "the step of a motion is 'short'; expected a finite number"),
    "start": (lambda data: data["controls"].pop("v"), "'controls' of an edit .*'v'"),
    "numbers": (
        lambda data: data["controls"].update(q=["x"]),
        "'controls' of an edit .*; expected what `as_data` writes",
    ),
    "no numbers": (lambda data: data.update(controls=[1.0]), r"'controls' of .* is \[1.0\]; expected values by name"),
    "nails": (lambda data: data.update(nails=7), "'nails' of an edit of model 'falling links' is 7; expected a list"),
    "nail": (
        lambda data: data["nails"][1].pop("body"),
        "'nails 2' of an edit of model 'falling links' has no 'body'; found",
    ),
    "nailed": (lambda data: data["nails"][0].update(height=1.0), "'nails 1' of an edit .*'height'"),
    "arm": (
        lambda data: data["nails"][0].update(body="arm"),
        "'nails 1' of an edit of model 'falling links': .*body 'arm'",
    ),
    "when": (
        lambda data: data.update(transitions=[{"kind": "release"}]),
        "'transitions 1' of an edit .* has no 'when'",
    ),
    "acceleration": (
        lambda data: data.update(vdot="fast", last=0.005),
        "'vdot' of an edit .* is 'fast'; expected what",
    ),
    "accelerations": (
        lambda data: data.update(vdot=[1.0], last=0.005),
        r"'vdot' of .* found \[1.0\]; expected 12 finite",
    ),
    "last step": (
        lambda data: data.update(last="long"),
        "'last' of an edit .*: the step before the start is 'long'; expected",
    ),
    "last step back": (
        lambda data: data.update(last=-1.0),
        "the step before the start is -1.0; expected a finite number, 0 or",
    ),
    "first": (
        lambda data: data.update(first=3),
        "'first' of an edit of model 'falling links' is 3; expected values by name",
    ),
    "firsts": (
        lambda data: data["first"].update(nail=3),
        "'first' of an edit .* has 'nail'; expected controls, transitions",
    ),
    "first start": (
        lambda data: data["first"].update(controls={"x": 1}),
        "'first controls' of .* control 'x' is unknown",
    ),
    "time": (
        lambda data: data["nails"][0].update(time=70.0),
        "point 1, which is wanted at 70.0 s: time 70.0 is outside the",
    ),
    "target": (lambda data: data["nails"][0].update(target=[1.0]), "'target' is .*; expected three finite numbers"),
    "strengths": (
        lambda data: data["strengths"].update(luck=1.0),
        "kind 'luck', which is unknown; choose one of: point",
    ),
    "lock": (lambda data: data.update(locked=["all of it"]), "'locked 1' of an edit .* is 'all of it'"),
}


@pytest.mark.parametrize("name", MISSHAPEN)
def test_what_is_wrong_with_an_edit_is_said_of_its_part(name):
    editor = studies.two_pins(lazy=True)
    data = through_a_file(as_data(editor))
    spoil, message = MISSHAPEN[name]
    spoil(data)
    with pytest.raises(InputError, match=message):
        from_data(editor.model, data)


def test_data_that_is_none_is_refused():
    with pytest.raises(InputError, match="an edit of model 'falling links' is None; expected what `as_data` writes"):
        from_data(studies.two_pins(lazy=True).model, None)
