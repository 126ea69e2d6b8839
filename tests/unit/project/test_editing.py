"""The motion editor of a project: everything is a command, undone to the last bit, and kept in the file."""

import numpy as np
import pytest

from falling import DT, TIP, falling_scene, motion, same
from stringless.editing import studies
from stringless.editing.data import as_data
from stringless.errors import DivergenceError, InputError, StringlessWarning
from stringless.project import Project


@pytest.fixture
def project(tmp_path):
    with Project.create(falling_scene(), tmp_path / "falling.stringless", dt=DT) as made:
        yield made


def test_an_edit_is_in_the_file_and_its_history_too(tmp_path):
    path = tmp_path / "kept.stringless"
    with Project.create(falling_scene(), path, dt=DT) as project:
        project.do("edit_start", duration=0.7)
        as_opened = motion(project)
        project.do("edit_grip", body="link 3", time=0.3, point=TIP, free=True)
        gripped = motion(project)
        project.do("edit_nail", body="link 1", time=0.6, target=[0.4, 1.4, 0.0])
        project.do("edit_solve", iterations=4)
        solved = motion(project)
        document = project.document
    with Project.open(path) as again:
        assert again.document == document
        assert same(motion(again), solved)
        again.undo()
        again.undo()
        assert same(motion(again), gripped)
        again.undo()
        assert same(motion(again), as_opened)
        for _ in range(3):
            again.redo()
        assert same(motion(again), solved)
        assert again.document["edit"] == document["edit"]


def test_a_script_of_the_journal_does_it_all_again(project, tmp_path):
    project.do("edit_start", duration=0.6)
    project.do("edit_lock", attributes=["rotation", "position"])
    project.do("edit_drag", body="link 3", time=0.4, target=[0.5, 1.5, 0.2], point=TIP)
    dragged = motion(project)
    controls = project.document["edit"]["controls"]
    project.undo()
    project.do("edit_drag", body="link 3", time=0.4, target=[0.5, 1.5, 0.2], point=TIP, found=controls)
    assert same(motion(project), dragged)
    lines = project.script()
    assert "project.do('edit_drag', body='link 3', time=0.4" in lines
    with Project.create(falling_scene(), dt=DT) as other:
        exec("\n".join(line for line in lines.splitlines() if line.startswith("project.")), {"project": other})
        assert same(motion(other), dragged)


def test_what_happens_in_a_motion_is_put_in_moved_and_taken_out(project):
    project.do("edit_start", duration=0.8)
    plain = motion(project)
    assert project.do("edit_release", time=0.6) == 0
    assert project.do("edit_grip", body="link 3", time=0.3, point=TIP) == 0
    editor = project.edits.editor()
    assert editor.times == (0.3, 0.6)
    still = editor.point("link 3", 0.3, TIP)
    np.testing.assert_allclose(editor.point("link 3", 0.5, TIP), still, atol=1e-9)
    project.do("edit_retime", time=0.3, to=0.35)
    assert project.edits.editor().times == (0.35, 0.6)
    project.do("edit_allow", push=True, times=True, gravity=True)
    names = {column.attribute for column in project.edits.editor().columns}
    assert names == {"q", "v", "time", "push", "gravity"}
    project.do("edit_allow", push=False, times=False, gravity=False)
    project.do("edit_cut", index=1)
    project.do("edit_cut", index=0)
    assert same(motion(project), plain)
    assert project.do("edit_bounce", body="link 1", time=0.7, restitution=0.5) == 0
    editor = project.edits.editor()
    assert editor.times == (pytest.approx(0.7, abs=1e-6),)
    assert not same(motion(project), plain)


def test_what_happens_is_changed_afterwards(project):
    project.do("edit_start", duration=0.8)
    project.do("edit_bounce", body="link 1", time=0.4)
    wall = project.edits.data["transitions"][0]["when"]
    project.do("edit_happening", index=0, restitution=0.25)
    assert project.edits.data["transitions"][0]["restitution"] == 0.25
    floor = {"plane": {"point": [0.0, 1.5, 0.0], "normal": [0.0, 1.0, 0.0]}}
    project.do("edit_happening", index=0, surface=floor)
    editor = project.edits.editor()
    assert editor.point("link 1", editor.times[0])[1] == pytest.approx(1.5, abs=1e-6)
    assert project.edits.data["transitions"][0]["restitution"] == 0.25, "the rest stays"
    project.do("edit_happening", index=0, time=0.4)
    again = project.edits.data["transitions"][0]["when"]["plane"]
    np.testing.assert_allclose(again["normal"], wall["plane"]["normal"], atol=0.05)
    project.do("edit_cut", index=0)
    project.do("edit_grip", body="link 3", time=0.3, point=TIP, free=True)
    project.do("edit_happening", index=0, kind="hinge", axis=[0.0, 0.0, 1.0])
    gripped = project.edits.data["transitions"][0]
    assert (gripped["hold"], gripped["axis"], gripped["when"]) == (
        "hinge",
        [0.0, 0.0, 1.0],
        {"time": 0.3, "free": True},
    )
    bar = {
        "bar": {
            "point": project.edits.editor().point("link 3", 0.3, TIP).tolist(),
            "direction_of": [0.0, 0.0, 1.0],
            "radius": 0.02,
        }
    }
    project.do("edit_happening", index=0, kind="ball", surface=bar)
    gripped = project.edits.data["transitions"][0]
    assert (gripped["hold"], gripped["when"]) == ("ball", bar)
    project.do("edit_happening", index=0, time=0.35)
    assert project.edits.editor().times == (0.35,)
    with pytest.raises(InputError, match="transition 0 is a grip, which has no restitution; choose from: kind, axis"):
        project.do("edit_happening", index=0, restitution=0.5)


def test_every_kind_of_nail_and_what_may_change(project):
    project.do("edit_start", duration=0.6)
    for kind in ("point", "velocity", "rotation", "spin", "center", "center velocity", "joint"):
        project.do("edit_nail", body="link 2", time=0.5, kind=kind)
    editor = project.edits.editor()
    assert [nail.kind for nail in editor.nails][:4] == ["point", "velocity", "rotation", "spin"]
    assert editor.error() < 1e-9  # each wants what is
    project.do("edit_nail", nail=1, body="link 2", time=0.5, target=[0.1, 1.0, 0.0], strength=2.0)
    assert [nail.id for nail in project.edits.editor().nails] == list(range(1, 8))
    project.do("edit_nail", nail=3, body="link 2", time=0.5, kind="rotation", target=[0.0, 0.0, 0.6, 0.8])
    project.do("edit_strength", nail=2, strength=0.5)
    project.do("edit_strengths", strengths={"spin": 0.2})
    project.do("edit_weigh", masses={"rotation": 4.0})
    project.do("edit_lock", attributes=["rotation"], body="link 2")
    project.do("edit_lock", attributes=["velocity"])
    project.do("edit_unlock", attributes=["velocity"])
    edit = project.document["edit"]
    assert edit["locked"] == [["rotation", "link 2"]]
    assert edit["masses"]["rotation"] == 4.0
    assert edit["strengths"]["spin"] == 0.2
    assert [nail["strength"] for nail in edit["nails"]][:2] == [2.0, 0.5]
    while project.history.done:
        project.undo()
    assert project.document["edit"] is None


def test_an_impossible_wish_leaves_the_motion(project):
    project.do("edit_start", duration=0.6)
    project.do("edit_nail", body="link 1", time=0.3, target=[0.0, 3.0, 0.0])
    project.do("edit_nail", body="link 1", time=0.3, target=[0.0, -3.0, 0.0])
    before, document = motion(project), project.document
    with pytest.warns(StringlessWarning, match="impossible"):
        found = project.do("edit_solve")
    assert "impossible" in found["message"]
    assert same(motion(project), before)
    assert project.document == document


def test_meanwhile_the_take_is_left_alone_and_another_scene_closes_the_editor(project):
    project.do("advance", seconds=0.3)
    project.do("edit_start", duration=0.5)
    before = motion(project)
    for command, arguments in (
        ("advance", {"seconds": 0.1}),
        ("go_to", {"time": 0.0}),
        ("goal", {"kind": "drag", "bone": "link 1"}),
    ):
        with pytest.raises(InputError, match=f"'{command}' has to wait: a motion is open in the editor. Keep it"):
            project.do(command, **arguments)
    with pytest.raises(InputError, match="'advance' has to wait"):
        project.advance(1)
    with pytest.raises(InputError, match="a motion is open in the editor already; close it with edit_close"):
        project.do("edit_open")
    assert project.sim.time == pytest.approx(0.3)
    project.do("edit_body", body="link 3", mass=2.0)
    assert not project.edits.is_open
    project.undo()
    assert same(motion(project), before)
    project.do("edit_close")
    project.do("advance", seconds=0.1)


def test_bad_wishes_are_refused_by_name_and_nothing_has_changed(project):
    with pytest.raises(
        InputError, match=r"no motion is open in the editor; open one with edit_open\(\) or edit_start\(\)"
    ):
        project.do("edit_solve")
    with pytest.raises(InputError, match=r"scene 'falling' carries no motion to edit"):
        project.do("edit_study")
    project.do("edit_start", duration=0.5)
    document = project.document
    for command, arguments, text in (
        ("edit_grip", {"body": "link 1", "time": 0.9}, r"transition 1 \(grip\) is at 0.9 s; expected a time after 0 s"),
        ("edit_grip", {"body": "arm", "time": 0.2}, "body 'arm'"),
        ("edit_cut", {"index": 3}, "there is no transition 3; there are 0, counted from 0"),
        (
            "edit_nail",
            {"body": "link 1", "time": 0.2, "kind": "luck"},
            "a nail of kind 'luck' is unknown; choose one of: point",
        ),
        ("edit_nail", {"body": "link 1", "time": 0.7}, "time 0.7 is outside the motion; expected 0 to 0.5 s"),
        ("edit_unnail", {"nail": 4}, "constraint 4 is not one of the editor's"),
        (
            "edit_weigh",
            {"masses": {"rotation": -1.0}},
            "the mass of 'rotation' is -1.0; expected a finite number above 0",
        ),
        (
            "edit_drag",
            {"body": "link 1", "time": 0.2, "target": [0, 1, 0], "what": "soul"},
            "cannot drag 'soul' of a motion",
        ),
        ("edit_allow", {"muscles": {"elbow": 3}}, "elbow"),
        ("edit_solve", {"found": {"speed": [1.0]}}, "control 'speed' is unknown"),
        ("edit_solve", {"found": {"q": [1.0], "v": [1.0], "times": [], "pushes": []}}, "q"),
    ):
        with pytest.raises(InputError, match=text):
            project.do(command, **arguments)
        assert project.document == document
    project.do("edit_grip", body="link 1", time=0.2)
    with pytest.raises(InputError, match=r"transition 2 \(grip\) holds a character that is held already"):
        project.do("edit_grip", body="link 3", time=0.3)
    assert project.edits.editor().times == (0.2,)


def test_a_scene_may_carry_a_motion(tmp_path):
    editor = studies.two_pins()
    study = as_data(editor)
    with Project.create(falling_scene(study=study), tmp_path / "study.stringless") as project:
        project.do("edit_study")
        assert project.do("edit_solve")["error"] < 1e-3
        assert project.document["edit"]["first"]["controls"] == study["controls"]
        lane = project.do("edit_keep")
        assert project.take.branch(lane).begin == 0.0


def test_a_motion_that_runs_away_is_refused_and_the_old_one_stays(project):
    project.do("edit_start", duration=0.5)
    before, controls = motion(project), project.document["edit"]["controls"]
    fast = {**controls, "v": [1e7] * len(controls["v"])}
    with pytest.raises(DivergenceError, match="the motion ran away"):
        project.do("edit_drag", body="link 1", time=0.2, target=[0.0, 0.0, 0.0], found=fast)
    assert same(motion(project), before)
    assert project.document["edit"]["controls"] == controls
