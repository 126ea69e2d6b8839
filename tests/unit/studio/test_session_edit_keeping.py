"""The motion editor in a session and the take: what is opened from it, kept in it, and found again."""

from __future__ import annotations

import re

import pytest

from edit_sessions import SOON, opened, poses, quiet
from sessions import RefusedError, studio
from stringless.scenes import load_scene
from stringless.studio.messages import Edit, Notice, Scene


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
    assert session.state.project.take.branch(session.state.project.position.branch).parent == lane


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
    assert re.search(r"than the take has at 0.10 s: .* shows that link \d jumps by \d+ cm", notices[0])
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
