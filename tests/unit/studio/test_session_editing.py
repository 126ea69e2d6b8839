"""The motion editor in a session: hands drag a motion, pages are shown it, and each drag is one step of undo."""

from __future__ import annotations

import re

import numpy as np
import pytest

from edit_sessions import SEEN, SOON, TURN, drag, opened, poses, quiet, times, turn
from sessions import RefusedError, Visitor, studio
from stringless.model.pose import rotation_matrix
from stringless.scenes import load_scene
from stringless.studio.messages import Do, Edit, Log, Move, Notice, Release, Scene


def test_a_scene_with_a_study_is_open_in_the_editor_at_once(pins):
    session, page = pins
    edit = opened(page)
    assert edit.bodies == 3
    assert edit.epoch == session.state.epoch
    assert edit.lane is None
    assert not session.state.is_changed  # nobody has done anything yet
    assert times(edit)[0] == 0.0
    assert times(edit)[-1] == pytest.approx(edit.duration)
    assert len(times(edit)) == 49  # 60 a second
    assert np.linalg.norm(poses(edit)[:, :, 3:], axis=2) == pytest.approx(1.0, abs=1e-6)
    assert [nail.kind for nail in edit.nails] == ["point", "point"]
    assert edit.error == pytest.approx(edit.worst, abs=1e-6)
    assert edit.before == b""
    editor = session.state.project.edits.editor()
    for k in (0, 7, 48):
        seen = editor.see(min(float(times(edit)[k]), edit.duration))
        np.testing.assert_allclose(poses(edit)[k, :, :3], seen.p, atol=1e-3)
        np.testing.assert_allclose(np.frombuffer(edit.centers, "<f4").reshape(-1, 3)[k], seen.center()[0], atol=1e-3)


def test_a_drag_moves_the_motion_and_is_one_step_of_undo(pins):
    session, page = pins
    page.do("edit_unnail", nail=2)
    before = quiet(page)
    edit = drag(page)
    assert edit.warning == ""
    k = len(times(edit)) // 2
    moved = poses(edit)[k, 2, :3] - poses(before)[k, 2, :3]
    assert moved == pytest.approx([0.2, 0.1, 0.0], abs=2e-3)
    assert np.frombuffer(edit.before, "<f4").reshape(poses(edit).shape) == pytest.approx(poses(before), abs=SEEN)
    assert page.document.undo == "drag the motion"
    controls = session.state.project.document["edit"]["controls"]
    page.do("undo")
    undone = quiet(page)
    assert undone.poses == before.poses
    page.do("redo")
    assert quiet(page).poses == edit.poses
    assert session.state.project.document["edit"]["controls"] == controls


def test_while_a_hand_holds_pages_see_the_motion_change_and_what_it_was(pins):
    session, page = pins
    page.do("edit_unnail", nail=2)
    before = quiet(page)
    page.grab(kind="edit", bone="link 3", options={"time": 0.4})
    x, y, z = (float(c) for c in poses(before)[24, 2, :3])
    page.move(target=(x + 0.1, y, z))
    held = page.audience.wait(
        lambda: next((e for e in page.audience.all(Edit) if e.held and e.poses != before.poses), None), SOON
    )
    assert held.before
    assert (
        session.state.project.document["edit"]["controls"]
        == session.state.project.document["edit"]["first"]["controls"]
    )
    page.release()
    quiet(page)


def test_nails_are_moved_by_hand_and_the_search_can_be_waited_for(pins):
    _, page = pins
    found = page.do("edit_solve")
    assert found["error"] < 1e-3
    solved = quiet(page)
    assert page.document.undo == "solve"
    page.grab(kind="edit", options={"nail": 2})
    target = tuple(float(x) for x in np.array(solved.nails[1].target) + (0.0, 0.1, 0.0))
    page.move(target=target)
    page.release()
    edit = quiet(page)
    assert edit.nails[1].target == pytest.approx(target)
    assert edit.worst < 1e-3
    assert page.document.undo == "move a nail"
    page.do("undo")
    again = quiet(page)
    assert again.nails[1].target == solved.nails[1].target
    assert again.poses == solved.poses


def test_a_body_is_turned_and_the_centre_dragged(pins):
    session, page = pins
    for nail in (1, 2):
        page.do("edit_unnail", nail=nail)
    turned = turn(page, time=0.4, what="turn")
    assert abs(poses(turned)[24, 1, 3:]) == pytest.approx(TURN, abs=2e-3)
    center = np.frombuffer(turned.centers, "<f4").reshape(-1, 3)[24]
    page.grab(kind="edit", bone="link 1", options={"time": 0.4, "what": "center"})
    page.move(target=tuple(float(x) for x in center + (0.0, 0.0, 0.3)))
    page.release()
    edit = quiet(page)
    assert np.frombuffer(edit.centers, "<f4").reshape(-1, 3)[24] - center == pytest.approx([0.0, 0.0, 0.3], abs=2e-3)
    assert session.state.project.history.last().label == "drag the motion"


@pytest.mark.parametrize("nailed", [False, True])
def test_a_joint_is_bent_by_itself_or_by_its_nail(pins, nailed):
    _, page = pins
    for nail in (1, 2):
        page.do("edit_unnail", nail=nail)
    options = {"time": 0.4, "what": "bend"}
    if nailed:
        options = {"nail": page.do("edit_nail", body="link 2", time=0.4, kind="joint")}
    bent = turn(page, **options)
    assert bent.warning == ""
    parent, child = (rotation_matrix(tuple(float(x) for x in poses(bent)[24, b, 3:])) for b in (0, 1))
    np.testing.assert_allclose(parent.T @ child, rotation_matrix(TURN), atol=5e-3)
    if nailed:
        assert bent.error <= bent.done
        page.do("undo")
        page.do("redo")
        assert quiet(page).poses == bent.poses


def test_a_nail_that_is_changed_or_moved_in_time_is_called_so(pins):
    _, page = pins
    for change, said in (
        ({"time": 0.25}, "move the nail of link 1 in time"),
        ({"strength": 2.0}, "change the nail of link 1"),
    ):
        page.do("edit_nail", **{"body": "link 1", "time": 0.25, "nail": 1, **change})
        assert quiet(page)
        assert page.document.undo == said


def test_the_log_leaves_out_what_was_found(pins):
    _, page = pins
    page.do("edit_solve")
    quiet(page)
    lines = [line for log in page.audience.all(Log) for line in log.lines]
    assert lines[-1] == "project.do('edit_solve', found=...)"
    assert "found={" in page.session.state.project.script()


def test_meanwhile_nobody_directs_and_the_record_can_be_looked_at(pins):
    _, page = pins
    for what in (lambda: page.do("live"), lambda: page.grab(bone="link 1", target=(0.0, 0.0, 0.0))):
        with pytest.raises(RefusedError, match="has to wait: a motion is open in the editor"):
            what()
    with pytest.raises(
        RefusedError, match="option 'when' of a grab of the motion is unknown; choose one of: time, what, nail"
    ):
        page.grab(kind="edit", bone="link 1", options={"when": 1.0})
    with pytest.raises(RefusedError, match="time 7.0 is outside the motion"):
        page.grab(kind="edit", bone="link 1", options={"time": 7.0})
    with pytest.raises(RefusedError, match="hand 0 holds nothing"):
        page.release()
    page.do("edit_close")
    page.audience.wait(lambda: not page.audience.last(Edit).open, SOON)
    page.do("live")
    page.until(0.2)
    page.do("pause")
    with pytest.raises(RefusedError, match="no motion is open in the editor"):
        page.grab(kind="edit", bone="link 1", options={"time": 0.0})
    page.do("edit_open")
    edit = opened(page)
    assert edit.lane == 1
    assert edit.duration == pytest.approx(page.status.end, abs=0.02)


def test_an_edited_motion_is_kept_and_directed_from_any_moment(pins):
    session, page = pins
    page.do("edit_solve")
    edit = quiet(page)
    lane = page.do("edit_keep", name="solved")
    page.audience.wait(lambda: not page.audience.last(Edit).open, SOON)
    assert page.status.lane == lane
    assert page.status.time == 0.0
    frame = session.state.project.take.frame(0.4 + 1e-6, lane)
    drawn = session.state.frame_builder.from_frame(frame).poses
    assert drawn[:, :3] == pytest.approx(poses(edit)[24, :, :3], abs=1e-4)
    session.state.player.seek(0.4, lane)
    page.grab(bone="link 3", target=(0.5, 3.0, 0.0))
    page.until(0.5)
    page.release()
    page.do("pause")
    assert session.state.project.take.lane(session.state.project.position.lane).parent == lane


def test_other_things_may_change_and_the_ghost_goes_along(pins):
    _, page = pins
    page.do("edit_allow", muscles={"link 2": 4}, gravity=True)
    allowed = quiet(page)
    assert allowed.options["muscles"] == {"link 2": 4}
    assert allowed.options["gravity"]
    assert allowed.columns == 24 + 12 + 3
    page.do("edit_solve")
    assert quiet(page).before
    page.do("edit_allow", muscles={"link 3": 6}, gravity=False)
    assert quiet(page).columns == 24 + 18
    page.do("edit_grip", body="link 1", time=0.3)
    assert quiet(page).before
    page.do("edit_retime", time=0.3, to=0.35)
    assert quiet(page).times == [0.35]
    assert page.document.undo == "move in time"
    for refused in ({"iterations": 0}, {"iterations": "many"}):
        with pytest.raises(RefusedError, match="expected a whole number of 1 or more"):
            page.do("edit_solve", **refused)
    while page.document.undo:
        page.do("undo")
    page.audience.wait(lambda: not page.audience.last(Edit).open, SOON)
    assert not [notice for notice in page.audience.all(Notice) if notice.level == "error"]


def test_two_hands_at_once_are_one_step_of_undo(pins):
    session, page = pins
    for nail in (1, 2):
        page.do("edit_unnail", nail=nail)
    before = quiet(page)
    wanted = {b: poses(before)[24, b, :3] + np.array((0.0, 0.1, 0.05 * b), np.float32) for b in (0, 2)}
    page.do("begin_gesture", label="slide")
    for pointer, b in enumerate(wanted):
        page.grab(pointer, kind="edit", bone=f"link {b + 1}", options={"time": 0.4})
    for pointer, b in enumerate(wanted):
        page.move(pointer, target=tuple(float(x) for x in wanted[b]))
    for pointer in (0, 1):
        page.release(pointer)
    edit = quiet(page)
    page.do("end_gesture")
    for b, place in wanted.items():
        assert poses(edit)[24, b, :3] == pytest.approx(place, abs=2e-3)
    assert [
        entry["do"] for entry in session.state.project.journal.list_entries(session.state.project.history.last())
    ] == ["edit_drag"]
    page.do("undo")
    assert quiet(page).poses == before.poses


def test_the_gallery_tells_which_scenes_carry_a_motion(pins):
    _, page = pins
    told = {row["name"]: row["study"] for row in page.do("gallery") if row["kind"] == "scene"}
    assert [name for name, study in told.items() if study] == ["trapeze", "hoop", "two_pins", "clamped_chain", "flier"]
    for name in ("pendulum", "humanoid", *(name for name, study in told.items() if study)):
        assert (load_scene(name).study is not None) == told[name]


def test_a_take_opened_from_its_middle_keeps_its_start_and_if_not_what_jumps_is_told(pins):
    _, page = pins
    page.do("edit_close")
    page.do("live")
    page.until(0.6)
    page.do("pause")
    for begin, kept, told in ((0.1, True, 0), (0.1, False, 1), (0.0, False, 1)):
        page.do("edit_open", lane=1, begin=begin, end=begin + 0.4)
        assert opened(page).keeps_start == (begin > 0)
        if not kept and begin > 0:
            page.do("edit_keep_start", on=False)
            assert not quiet(page).keeps_start
        page.do("edit_drag", body="link 3", time=0.3, target=(0.3, 1.6, 0.2))
        page.do("edit_keep")
        notices = [n.text for n in page.audience.all(Notice) if "begins in another pose" in n.text]
        assert len(notices) == told
        page.audience.wait(lambda: not page.audience.last(Edit).open, SOON)
    assert re.search(r"than the take has at 0.10 s: .* sees that link \d jumps by \d+ cm", notices[0])
    lanes = {lane.id: lane.deleted for lane in page.document.lanes}
    assert len(lanes) == 4
    page.do("undo")
    page.audience.wait(lambda: page.audience.last(Edit).open, SOON)
    assert [lane.id for lane in page.document.lanes if lane.deleted] == [4]
    page.do("redo")
    page.audience.wait(lambda: not page.audience.last(Edit).open, SOON)
    assert not any(lane.deleted for lane in page.document.lanes)


def test_what_happens_is_told_in_words(tmp_path):
    with studio(tmp_path, source="flier") as (_, page):
        edit = opened(page)
        assert [info.kind for info in edit.transitions] == ["grip", "release"]
        assert edit.transitions[0].text.startswith("Misses the bar with link 1 by 24 cm, at 0.40 s")
        assert list(edit.transitions[0].surface) == ["bar"]
        assert edit.transitions[1].text == "Lets go at 0.80 s."
        assert [info.missed for info in edit.transitions] == [True, False]
        assert edit.transitions[0].gap == pytest.approx(0.24, abs=0.01)
        assert edit.times == [info.time for info in edit.transitions]
        with pytest.raises(RefusedError, match="transition 1 of the motion misses its bar by 0.24"):
            page.do("edit_keep")
        page.do("edit_solve")
        solved = quiet(page)
        assert solved.transitions[0].text.startswith("Holds on with link 1 where it meets the bar, at 0.")
        assert solved.error < 1e-3
        page.do("edit_allow", push=True)
        assert (
            page.audience.wait(lambda: (e := page.audience.last(Edit)).options["push"] and e, SOON).columns
            > edit.columns
        )


def test_a_page_that_comes_later_is_told_and_one_that_leaves_lets_go(pins):
    session, page = pins
    page.do("edit_unnail", nail=2)
    before = quiet(page)
    page.grab(kind="edit", bone="link 3", options={"time": 0.4})
    page.move(target=(0.5, 1.5, 0.0))
    page.audience.wait(lambda: (e := page.audience.last(Edit)).held and e.poses != before.poses, SOON)
    other = Visitor(session, page.audience, number=2)
    page.audience.wait(lambda: any(e.open for e in page.audience.all(Edit, 2)), SOON)
    session.remove_page(1)
    edit = quiet(other)
    assert edit.poses != before.poses
    assert session.state.project.history.last().label == "drag the motion"


def test_a_drag_that_another_command_cuts_short_is_told_of(pins):
    session, page = pins
    page.do("edit_unnail", nail=2)
    quiet(page)
    page.grab(kind="edit", bone="link 3", options={"time": 0.4})
    session.receive(1, Move(0, 1, target=(1.5, 1.0, 0.4)))
    session.receive(1, Release(page.next, 0, False))
    session.receive(1, Do(page.next, "edit_nail", {"body": "link 2", "time": 0.2}))
    page.audience.wait(lambda: len(page.audience.last(Edit).nails) == 2, SOON)
    assert "drag it again" in quiet(page).warning


@pytest.mark.parametrize("scene", ["flier", "clamped_chain"])
def test_a_kept_motion_with_all_that_was_wanted_of_it_is_edited_again(tmp_path, scene):
    with studio(tmp_path, source=scene) as (session, page):
        opened(page)
        if scene == "clamped_chain":
            page.do("edit_release", time=0.9)  # so it is kept in a scene in which it is free
        page.do("edit_solve")
        edit = quiet(page)
        for _ in range(2):
            lane = page.do("edit_keep")
            page.audience.wait(lambda: not page.audience.last(Edit).open, SOON)
            status = page.status
            assert status.lane == lane
            page.do("edit_open", lane=lane, begin=status.begin, end=status.end)
            again = page.audience.wait(lambda: (e := page.audience.last(Edit)).open and e, SOON)
            assert again.poses == edit.poses
            assert [n.target for n in again.nails] == [n.target for n in edit.nails]
            assert again.transitions == edit.transitions
            assert again.epoch == session.state.epoch
        page.do("edit_close")
        page.do("edit_open", lane=lane, begin=status.begin, end=status.end)
        assert page.audience.wait(lambda: (e := page.audience.last(Edit)).open and e, SOON).poses == edit.poses
        while page.document.undo != "edit the study":
            page.do("undo")
        assert all(lane.deleted for lane in page.document.lanes)
        assert not [notice for notice in page.audience.all(Notice) if notice.level != "info"]


def test_saving_elsewhere_moves_nothing(pins):
    _, page = pins
    page.do("edit_solve")
    before = quiet(page)
    count = len(page.audience.all(Edit))
    page.do("save_as", path="mine")
    page.do("edit_lock", attributes=["position"])
    page.audience.wait(lambda: page.audience.last(Edit).locked, SOON)
    assert all(e.open and e.epoch == before.epoch and e.poses == before.poses for e in page.audience.all(Edit)[count:])
    assert len(page.audience.all(Scene)) == 1
    page.do("edit_keep")
    page.session.state.player.seek(0.3, 1)
    there = page.status.time
    assert 0.2 < there < 0.4
    page.do("save_as", path="again")
    assert page.status.time == there
    assert len(page.audience.all(Scene)) == 1


def test_the_motion_survives_the_end_of_the_studio(tmp_path):
    with studio(tmp_path, source="two_pins") as (session, page):
        opened(page)
        page.do("edit_solve")
        edit = quiet(page)
        path = str(session.state.project.path)
    with studio(tmp_path, source=path) as (_, page):
        assert opened(page).poses == edit.poses
        page.do("undo")
        page.audience.wait(lambda: page.audience.last(Edit).poses != edit.poses, SOON)
        page.do("redo")
        page.audience.wait(lambda: page.audience.last(Edit).poses == edit.poses, SOON)
