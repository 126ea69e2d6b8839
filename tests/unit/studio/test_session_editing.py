"""The motion editor in a session: hands drag a motion, pages are shown it, and each drag is one step of undo."""

from __future__ import annotations

import numpy as np
import pytest

from edit_sessions import SEEN, SOON, TURN, drag, opened, poses, quiet, times, turn
from sessions import RefusedError, Visitor
from stringless.model.pose import rotation_matrix
from stringless.studio.messages import Do, Edit, Log, Move, Notice, Release


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
        seen = editor.find_bodies(min(float(times(edit)[k]), edit.duration))
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
    for refused, reason in ((0, "is 0; expected `int` >= 1"), ("many", "is 'many'; expected `int`, got `str`")):
        with pytest.raises(RefusedError, match=f"'iterations' of 'edit_solve' {reason}"):
            page.do("edit_solve", iterations=refused)
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
