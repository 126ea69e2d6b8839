"""Motions that are edited and kept as branches of the take, or opened from it."""

import shutil

import numpy as np
import pytest

import stringless as sl
from falling import DT, TIP, falling_scene, motion, same
from stringless.editing import studies
from stringless.editing.data import as_data
from stringless.editing.takes import configurations
from stringless.errors import InputError
from stringless.model import Scene
from stringless.project import Project
from stringless.timeline.store import Store


@pytest.fixture
def project(tmp_path):
    with Project.create(falling_scene(), tmp_path / "falling.stringless", dt=DT) as made:
        yield made


def without(lane, document):
    """The document with a lane that nobody sees any more."""
    return {**document, "lanes": {**document["lanes"], str(lane): {"deleted": True}}}


def _copy(path, folder):
    """The file as it would be found after the program has died."""
    for part in path.parent.glob(f"{path.name}*"):
        shutil.copy(part, folder / part.name.replace("study", "found"))
    return folder / "found.stringless"


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
    assert project.take.branch(lane).name == "hit"
    assert project.take.branch(lane).parent == 1
    assert not project.edits.is_open
    frames = list(project.take.frames(0.2, 0.89, lane))
    assert all(np.array_equal(f.q, solved[0][f.step - frames[0].step]) for f in frames)
    project.do("go_to", time=0.5, lane=lane)
    project.do("goal", kind="drag", bone="link 3", target=[0.0, 3.0, 0.0])
    project.do("advance", seconds=0.1)
    assert project.take.branch(project.position.branch).parent == lane


def test_a_study_is_kept_from_its_own_beginning_whatever_the_present_is(tmp_path):
    with Project.create(falling_scene(study=as_data(studies.two_pins())), tmp_path / "study.stringless") as project:
        project.do("advance", seconds=0.5)
        project.do("go_to", time=0.2)
        project.do("edit_study")
        lane = project.do("edit_keep")
        assert project.take.branch(lane).parent is None
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
        np.testing.assert_allclose(found, editor.find_bodies(0.7).p, atol=1e-9)
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


def test_keeping_is_undone_as_a_whole(project):
    project.do("advance", seconds=0.5)
    project.do("edit_open")
    project.do("edit_drag", body="link 1", time=0.2, target=[0.3, 2.0, 0.0])
    document, here, dragged = project.document, project.position, motion(project)
    state = project.sim.state.copy()
    for name in ("", "kept"):
        lane = project.do("edit_keep", name=name)
        assert not project.take.branch(lane).deleted
        project.undo()
        assert project.document == (document := without(lane, document))
        assert project.take.branch(lane).deleted
        assert project.position == here
        assert all(np.array_equal(getattr(project.sim.state, a), getattr(state, a)) for a in state.arrays())
        assert same(motion(project), dragged)
    project.redo()
    assert not project.edits.is_open
    assert project.take.branch(lane).begin == 0.0
    assert not project.take.branch(lane).deleted
    assert project.take.branch(lane).name == "kept"


def test_a_kept_take_remembers_the_edit_it_was_made_from(project):
    project.do("advance", seconds=0.8)
    project.do("edit_open", begin=0.2, end=0.7)
    project.do("edit_nail", body="link 3", time=0.4, point=TIP, target=[0.6, 1.2, 0.3])
    project.do("edit_grip", body="link 1", time=0.45)
    project.do("edit_solve")
    data, solved = project.document["edit"], motion(project)
    lane = project.do("edit_keep")
    begin, end = project.take.branch(lane).begin, project.take.end(lane)
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
        *_, frame = project.take.frames(branch=lane)
        assert frame.time == pytest.approx(0.8)
        assert np.abs(project.sim.model.difference(frame.q, last)).max() < 1e-12
    with Project.open(path) as project:
        assert project.sim.time == pytest.approx(0.8)
        assert project.sim.motion is None
        project.do("advance", seconds=0.2)
        assert project.position.branch == lane
        assert project.sim.recording.find_difference() is None


def test_what_was_directed_from_within_a_kept_motion_says_what_to_open(project):
    project.do("edit_start", duration=0.8)
    project.do("edit_grip", body="link 1", time=0.45)
    kept = project.do("edit_keep", name="swing")
    project.do("go_to", time=0.6, lane=kept)
    project.do("goal", kind="drag", bone="link 3", target=[0.0, 3.0, 0.0])
    project.do("direct")
    project.do("advance", seconds=0.15)
    lane, words = project.position.branch, "as a whole: branch 'swing' from 0 to 0.8 s"
    assert lane != kept
    for end in (0.3, 0.75):
        with pytest.raises(InputError, match=f"expected a character that is left to itself.* at 0 s .*{words}"):
            project.do("edit_open", lane=lane, begin=0.0, end=end)
    project.do("go_to", time=project.take.end(kept), lane=kept)
    project.do("advance", seconds=0.2)  # a lane that has gone on since still has its edit
    assert project.position.branch == kept
    assert "the edit that 'swing' was kept from" in project.do("edit_open", lane="swing", begin=0.0, end=0.8)


def test_keeping_that_fails_leaves_no_lane(project):
    project.do("advance", seconds=0.3)
    project.do("edit_open", begin=0.1)
    with pytest.raises(InputError, match="another branch is called 'take 1' already"):
        project.do("edit_keep", name="take 1")
    assert list(project.take.branches) == [1]
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
    np.testing.assert_allclose(project.edits.editor().find_bodies(0.4).p, own.find_bodies(0.4).p, atol=9.81 * 0.4 * DT)


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
        assert project.take.branch(lane).deleted
        assert project.position.branch is None
        assert project.document == without(lane, document)
        assert all(np.array_equal(getattr(project.sim.state, a), getattr(state, a)) for a in state.arrays())
        project.redo()
        kept = project.document
        assert not project.take.branch(lane).deleted
        project.store.flush()
        with Project.open(_copy(path, tmp_path)) as again:
            again.catch_up()
            assert again.document == kept
            again.undo()
            assert again.take.branch(lane).deleted
