"""The motion editor of a project: everything is a command, undone to the last bit, and kept in the file."""

import shutil

import numpy as np
import pytest

import stringless as sl
from stringless.editing import studies
from stringless.editing.data import as_data
from stringless.editing.opening import configurations
from stringless.errors import DivergenceError, InputError, StringlessWarning
from stringless.model import Scene
from stringless.project import Project
from stringless.timeline.store import Store

DT = 5e-3
TIP = list(studies.TIP)


def falling_scene(**more):
    model = studies.links(studies.FALLING)
    q, v = model.neutral(), np.zeros(model.nv)
    q[1], v[:6] = 2.0, (0.5, 0.0, 1.0, 0.0, 2.0, 0.0)
    return Scene(model, name="falling", q=q, v=v, dt=DT, **more)


@pytest.fixture
def project(tmp_path):
    with Project.create(falling_scene(), tmp_path / "falling.stringless", dt=DT) as made:
        yield made


def motion(project):
    return [clip.frames.q.copy() for clip in project.edits.editor().run.clips]


def same(one, other):
    return len(one) == len(other) and all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_a_take_is_opened_edited_undone_and_kept(project):
    project.do("advance", seconds=1.0)
    assert project.do("edit_open", begin=0.2, end=0.9) == ""
    as_opened = motion(project)
    nail = project.do("edit_nail", body="link 3", time=0.4, point=TIP, target=[0.6, 1.2, 0.3])
    found = project.do("edit_solve")
    assert found["error"] < 1e-3
    assert found["iterations"] > 0
    solved = motion(project)
    assert not same(solved, as_opened)
    project.undo()
    assert same(motion(project), as_opened)
    project.redo()
    assert same(motion(project), solved)
    assert project.do("edit_unnail", nail=nail) is None
    lane = project.do("edit_keep", name="hit")
    assert project.take.lane(lane).name == "hit"
    assert project.take.lane(lane).parent == 1
    assert not project.edits.is_open
    frames = list(project.take.frames(0.2, 0.89, lane))
    assert all(np.array_equal(f.q, solved[0][f.step - frames[0].step]) for f in frames)
    project.do("go_to", time=0.5, lane=lane)
    project.do("goal", kind="drag", bone="link 3", target=[0.0, 3.0, 0.0])
    project.do("advance", seconds=0.1)
    assert project.take.lane(project.position.lane).parent == lane


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
        ("advance", {"seconds": 0.1}), ("go_to", {"time": 0.0}), ("goal", {"kind": "drag", "bone": "link 1"}),
    ):  # fmt: skip
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
        ("edit_nail", {"body": "link 1", "time": 0.2, "kind": "luck"}, "a nail of kind 'luck' is unknown; choose one of: point"),
        ("edit_nail", {"body": "link 1", "time": 0.7}, "time 0.7 is outside the motion; expected 0 to 0.5 s"),
        ("edit_unnail", {"nail": 4}, "constraint 4 is not one of the editor's"),
        ("edit_weigh", {"masses": {"rotation": -1.0}}, "the mass of 'rotation' is -1.0; expected a finite number above 0"),
        ("edit_drag", {"body": "link 1", "time": 0.2, "target": [0, 1, 0], "what": "soul"}, "cannot drag 'soul' of a motion"),
        ("edit_allow", {"muscles": {"elbow": 3}}, "elbow"),
        ("edit_solve", {"found": {"speed": [1.0]}}, "control 'speed' is unknown"),
        ("edit_solve", {"found": {"q": [1.0], "v": [1.0], "times": [], "pushes": []}}, "q"),
    ):  # fmt: skip
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
        assert project.take.lane(lane).begin == 0.0


def test_a_study_is_kept_from_its_own_beginning_whatever_the_present_is(tmp_path):
    with Project.create(falling_scene(study=as_data(studies.two_pins())), tmp_path / "study.stringless") as project:
        project.do("advance", seconds=0.5)
        project.do("go_to", time=0.2)
        project.do("edit_study")
        lane = project.do("edit_keep")
        assert project.take.lane(lane).parent is None
        assert project.take.begin(lane) == 0.0
        assert project.take.end(lane) == pytest.approx(0.8, abs=2 * DT)


def test_a_held_character_that_lets_go_is_kept_in_a_scene_of_its_own(tmp_path):
    study = studies.clamped_chain()
    scene = Scene(study.model, name="chain", q=study.controls.q, dt=DT)
    with Project.create(scene, tmp_path / "chain.stringless", dt=DT) as project:
        project.do("advance", seconds=0.2)
        project.do("edit_start", duration=0.8)
        project.do("edit_release", time=0.4)
        editor, document = project.edits.editor(), project.document
        with pytest.raises(InputError, match="is kept in another scene: close=False cannot be had"):
            project.do("edit_keep", close=False)
        lane = project.do("edit_keep")
        assert project.sim.model.joints[0].kind.name == "free"
        assert project.take.end(lane) == pytest.approx(1.0)
        project.do("go_to", time=0.9, lane=lane)
        found = sl.kinematics.body_poses(project.sim.model, project.sim.q).position
        np.testing.assert_allclose(found, editor.see(0.7).p, atol=1e-9)
        project.undo()
        assert project.sim.model.joints[0].kind.name == "universal"
        assert project.document == without(lane, document)


def test_a_project_of_before_has_no_edit(tmp_path):
    path = tmp_path / "old.stringless"
    with Project.create(falling_scene(), path, dt=DT) as project:
        project.do("advance", seconds=0.1)
    with Store.open(path) as store:
        snapshot = store.get("snapshot")
        assert snapshot["document"].pop("edit", "missing") is None
        store.set("snapshot", snapshot)
    with Project.open(path) as again:
        assert again.document["edit"] is None
        again.do("edit_open")
        assert again.edits.is_open


def test_a_motion_that_runs_away_is_refused_and_the_old_one_stays(project):
    project.do("edit_start", duration=0.5)
    before, controls = motion(project), project.document["edit"]["controls"]
    fast = {**controls, "v": [1e7] * len(controls["v"])}
    with pytest.raises(DivergenceError, match="the motion ran away"):
        project.do("edit_drag", body="link 1", time=0.2, target=[0.0, 0.0, 0.0], found=fast)
    assert same(motion(project), before)
    assert project.document["edit"]["controls"] == controls


def test_keeping_is_undone_as_a_whole(project):
    project.do("advance", seconds=0.5)
    project.do("edit_open")
    project.do("edit_drag", body="link 1", time=0.2, target=[0.3, 2.0, 0.0])
    document, here, dragged = project.document, project.position, motion(project)
    state = project.sim.state.copy()
    for name in ("", "kept"):
        lane = project.do("edit_keep", name=name)
        assert not project.take.lane(lane).deleted
        project.undo()
        assert project.document == (document := without(lane, document))
        assert project.take.lane(lane).deleted
        assert project.position == here
        assert all(np.array_equal(getattr(project.sim.state, a), getattr(state, a)) for a in state.arrays())
        assert same(motion(project), dragged)
    project.redo()
    assert not project.edits.is_open
    assert project.take.lane(lane).begin == 0.0
    assert not project.take.lane(lane).deleted
    assert project.take.lane(lane).name == "kept"


def test_a_kept_take_remembers_the_edit_it_was_made_from(project):
    project.do("advance", seconds=0.8)
    project.do("edit_open", begin=0.2, end=0.7)
    project.do("edit_nail", body="link 3", time=0.4, point=TIP, target=[0.6, 1.2, 0.3])
    project.do("edit_grip", body="link 1", time=0.45)
    project.do("edit_solve")
    data, solved = project.document["edit"], motion(project)
    lane = project.do("edit_keep")
    begin, end = project.take.lane(lane).begin, project.take.end(lane)
    assert "the edit that 'take 2' was kept from" in project.do("edit_open", lane=lane, begin=begin, end=round(end, 2))
    assert project.document["edit"] == data
    assert same(motion(project), solved)
    project.undo()
    assert not project.edits.is_open
    with pytest.raises(InputError, match="follows a motion"):  # a part of it
        project.do("edit_open", lane=lane, begin=begin + 0.3, end=end)
    project.do("edit_open", lane=lane, begin=0.0, end=0.15)
    assert project.document["edit"]["nails"] == []


def test_a_followed_motion_ends_with_its_last_pose_and_is_free_there_also_in_the_file(tmp_path):
    """One step more was recorded, in which the character was free already: a film had a frame too many."""
    path = tmp_path / "kept.stringless"
    study = studies.two_pins()
    with Project.create(Scene(study.model, name="chain", q=study.controls.q, dt=DT), path, dt=DT) as project:
        project.do("edit_start", duration=0.8)
        project.do("edit_grip", body="link 3", time=0.4, point=TIP)
        last = configurations(project.edits.editor(), np.array([0.0, 0.8]))[-1]
        lane = project.do("edit_keep")
        *_, frame = project.take.frames(lane=lane)
        assert frame.time == pytest.approx(0.8)
        assert np.abs(project.sim.model.difference(frame.q, last)).max() < 1e-12
    with Project.open(path) as project:
        assert project.sim.time == pytest.approx(0.8)
        assert project.sim.motion is None
        project.do("advance", seconds=0.2)
        assert project.position.lane == lane
        assert project.sim.recording.unlike() is None


def test_what_was_directed_from_within_a_kept_motion_says_what_to_open(project):
    project.do("edit_start", duration=0.8)
    project.do("edit_grip", body="link 1", time=0.45)
    kept = project.do("edit_keep", name="swing")
    project.do("go_to", time=0.6, lane=kept)
    project.do("goal", kind="drag", bone="link 3", target=[0.0, 3.0, 0.0])
    project.do("direct")
    project.do("advance", seconds=0.15)
    lane, words = project.position.lane, "as a whole: lane 'swing' from 0 to 0.8 s"
    assert lane != kept
    for end in (0.3, 0.75):
        with pytest.raises(InputError, match=f"expected a character that is left to itself.* at 0 s .*{words}"):
            project.do("edit_open", lane=lane, begin=0.0, end=end)
    project.do("go_to", time=project.take.end(kept), lane=kept)
    project.do("advance", seconds=0.2)  # a lane that has gone on since still has its edit
    assert project.position.lane == kept
    assert "the edit that 'swing' was kept from" in project.do("edit_open", lane="swing", begin=0.0, end=0.8)


def test_keeping_that_fails_leaves_no_lane(project):
    project.do("advance", seconds=0.3)
    project.do("edit_open", begin=0.1)
    with pytest.raises(InputError, match="another lane is called 'take 1' already"):
        project.do("edit_keep", name="take 1")
    assert list(project.take.lanes) == [1]
    assert project.edits.is_open


def test_a_take_is_edited_in_other_steps(project):
    project.do("advance", seconds=0.5)
    project.do("edit_open")
    own = project.edits.editor()
    assert own.course.dt == DT
    project.undo()
    project.do("edit_open", dt=DT / 5)
    assert project.edits.editor().course.dt == DT / 5
    # Steps of length h bring a fall down by g t h / 2 too much.
    np.testing.assert_allclose(project.edits.editor().see(0.4).p, own.see(0.4).p, atol=9.81 * 0.4 * DT)


def without(lane, document):
    """The document with a lane that nobody sees any more."""
    return {**document, "lanes": {**document["lanes"], str(lane): {"deleted": True}}}


@pytest.mark.parametrize("name", ["", "kept"])
def test_keeping_a_study_is_undone_to_where_nothing_was_on_record(tmp_path, name):
    path = tmp_path / "study.stringless"
    study = as_data(studies.two_pins())
    with Project.create(falling_scene(study=study), path) as project:
        project.do("edit_study")
        project.do("edit_solve")
        document, state = project.document, project.sim.state.copy()
        lane = project.do("edit_keep", name=name)
        project.undo()
        assert project.take.lane(lane).deleted
        assert project.position.lane is None
        assert project.document == without(lane, document)
        assert all(np.array_equal(getattr(project.sim.state, a), getattr(state, a)) for a in state.arrays())
        project.redo()
        kept = project.document
        assert not project.take.lane(lane).deleted
        project.store.flush()
        with Project.open(_copy(path, tmp_path)) as again:
            again.catch_up()
            assert again.document == kept
            again.undo()
            assert again.take.lane(lane).deleted


def _copy(path, folder):
    """The file as it would be found after the program has died."""
    for part in path.parent.glob(f"{path.name}*"):
        shutil.copy(part, folder / part.name.replace("study", "found"))
    return folder / "found.stringless"
