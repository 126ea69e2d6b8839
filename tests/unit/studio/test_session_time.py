"""Time in a session: undo, what is on record, branches, and what helps after a divergence."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest

from sessions import RefusedError
from stringless.studio import frames
from stringless.studio.messages import Notice, Refusal, Scene, Seek, Status

FAR = 0.6
"""Where a pendulum of two links of about a metre each can be dragged to [m]."""


def test_undo_of_a_drag_goes_back_to_its_beginning(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.3)
    page.grab(bone="link_1", target=(FAR, -FAR, 0.0))
    began = session.state.project.journal.list_entries(session.state.project.history.last())[0]["at"][2]
    page.move(target=(FAR, -0.5 * FAR, 0.0))
    page.until(1.0)
    page.release()
    assert page.document.undo == "drag link_1"
    assert page.do("undo") == "drag link_1"
    assert page.status.time == pytest.approx(began)
    assert page.status.mode == "paused"
    assert page.document.undo == ""
    assert page.do("redo") == "drag link_1"
    assert page.status.time >= 1.0


def test_a_refused_grab_in_the_past_does_not_move_the_present(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.6)
    page.do("pause")
    present = session.state.project.sim.q.copy()
    session.receive(1, Seek(1, 0.2))
    page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
    with pytest.raises(RefusedError, match="no option 'wish'"):
        page.grab(bone="link_1", options={"wish": 3})
    assert page.status.time == pytest.approx(0.2, abs=0.01)
    assert not page.status.present
    assert np.array_equal(session.state.project.sim.q, present)
    assert len(page.document.lanes) == 1


def test_a_grab_in_the_past_goes_on_from_there_in_a_lane_of_its_own(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.6)
    page.do("pause")
    session.receive(1, Seek(1, 0.2))
    page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
    page.grab(bone="link_1", target=(FAR, -FAR, 0.0))
    page.until(0.4)
    page.release()
    lanes = page.document.lanes
    assert [lane.parent for lane in lanes] == [None, 1]
    assert lanes[1].start == pytest.approx(0.2, abs=0.01)
    assert lanes[0].end >= 0.6


def test_going_on_in_the_middle_of_a_drag_lets_go_of_it_but_not_of_pins(pendulum):
    session, page = pendulum
    page.do("goal", kind="pin", bone="link_0", position=False, orientation=True)
    page.grab(bone="link_1", target=(FAR, -FAR, 0.0))
    page.until(0.5)
    page.release()
    page.until(0.7)
    page.do("pause")
    session.receive(1, Seek(1, 0.3))
    page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
    page.do("live")
    page.until(0.4)
    page.do("pause")
    assert [goal.kind for goal in page.document.goals] == ["pin"], "no hand holds the drag of then"
    assert len(page.document.lanes) == 2
    page.do("present")


def branched(session, page):
    """Two lanes; the second is looked at, and is the present."""
    page.do("live")
    page.until(0.6)
    page.do("pause")
    session.receive(1, Seek(1, 0.2))
    page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
    page.do("live")
    page.until(0.4)
    page.do("pause")


def test_the_lane_that_is_looked_at_and_the_only_one_cannot_be_deleted(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.1)
    page.do("pause")
    with pytest.raises(RefusedError, match="'take 1' is the only branch"):
        page.do("delete_lane", lane=1)
    page.do("configure", friction=0.4)
    branched(session, page)
    with pytest.raises(RefusedError, match="'take 2' is the branch that is shown; show another one first"):
        page.do("delete_lane", lane=2)
    session.receive(1, Seek(2, 0.3, lane=1))
    page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
    page.do("delete_lane", lane=2)
    assert [lane.deleted for lane in page.document.lanes] == [False, True]
    assert page.document.undo == "delete branch 'take 2'"
    page.do("present")
    assert page.status.lane == 1, "what was deleted is not come back to"
    with pytest.raises(RefusedError, match="'take 1' is the only branch"):
        page.do("delete_lane", lane=1)
    page.do("undo")
    assert [lane.deleted for lane in page.document.lanes] == [False, False]


def test_redo_of_going_on_from_the_past_stands_in_the_lane_that_came_of_it(pendulum):
    session, page = pendulum
    page.do("goal", kind="drag", bone="link_1", target=(FAR, -FAR, 0.0))
    page.do("live")
    page.until(0.3)
    page.do("release_all")
    branched(session, page)
    assert re.fullmatch(r"go to 0\.\d\d s", page.document.undo)
    end = page.status.time
    page.do("undo")
    assert page.status.lane == 1
    page.do("redo")
    assert page.status.lane == 2
    assert page.status.time == pytest.approx(end)


def test_a_lane_says_from_when_on_it_is_out_of_date(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.6)
    page.do("pause")
    assert page.document.lanes[0].stale is None
    session.receive(1, Seek(1, 0.2))
    page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
    page.do("goal", kind="drag", bone="link_1", target=(FAR, -FAR, 0.0))
    page.audience.wait(lambda: page.document.lanes[0].stale is not None)
    assert page.document.lanes[0].stale == pytest.approx(0.2, abs=0.01)


def test_divergence_is_told_and_recovered_from(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.5)
    session.state.project.sim.tau[:] = np.nan
    page.audience.wait(lambda: page.audience.last(Status).trouble)
    status = page.status
    assert not page.audience.all(Notice), "it is said once"
    assert status.mode == "paused"
    assert "diverged" in status.trouble
    assert np.isfinite(page.frame.poses).all()
    session.state.project.sim.tau[:] = 0.0
    page.do("back", seconds=0.2)
    assert page.status.trouble == ""
    assert page.status.time == pytest.approx(status.time - 0.2, abs=0.01)
    page.do("live")
    page.until(status.time + 0.1)


def test_back_after_a_divergence_takes_back_the_parameters_that_may_have_caused_it(pendulum):
    session, page = pendulum
    project = session.state.project
    page.do("live")
    page.until(0.5)
    page.do("pause")
    page.do("configure", friction=0.3)
    page.do("configure", dt=4e-3)
    page.do("speed", rate=0.25)
    page.do("live")
    page.until(page.status.time + 0.05)
    project.sim.tau[:] = np.nan
    page.audience.wait(lambda: page.audience.last(Status).trouble)
    project.sim.tau[:] = 0.0
    page.do("back")
    assert (project.sim.config.dt, project.sim.config.friction) == (1e-3, 0.3), "only the newest change"
    assert page.audience.last(Notice).text.endswith("the step is 1 ms again.")
    assert page.document.undo == "go back"
    page.do("undo")
    assert project.sim.config.dt == 4e-3


def test_back_leaves_parameters_that_have_served_well(pendulum):
    session, page = pendulum
    page.do("configure", dt=2e-3)
    page.do("live")
    page.until(2.5)
    session.state.project.sim.tau[:] = np.nan
    page.audience.wait(lambda: page.audience.last(Status).trouble)
    session.state.project.sim.tau[:] = 0.0
    page.do("back")
    assert session.state.project.sim.config.dt == 2e-3
    assert not page.audience.all(Notice)


def test_a_lane_of_another_scene_is_shown_as_it_was(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.3)
    page.do("pause")
    page.do("open_scene", source="cart_pole")
    page.do("live")
    page.until(0.3)
    page.do("pause")
    assert {body.name for body in page.audience.last(Scene).bodies} == {"cart", "pole"}
    session.receive(1, Seek(1, 0.1, lane=1))
    page.audience.wait(lambda: page.audience.last(Scene).bodies[0].name == "link_0")
    page.audience.wait(lambda: page.frame.epoch == page.audience.last(Scene).epoch)
    frame = session.state.project.take.frame(0.1, 1)
    assert page.frame.poses == pytest.approx(session.state.frame_builder.from_frame(frame).poses)
    assert page.do("trail", bone="link_1")
    page.do("present")
    assert page.audience.last(Scene).bodies[0].name == "cart"
    assert not page.audience.all(Notice)


def test_seek_replay_step_and_speed(pendulum):
    session, page = pendulum
    session.receive(1, Seek(1, 0.0))
    page.audience.wait(lambda: page.audience.all(Refusal))
    assert "nothing was recorded" in page.audience.last(Refusal).error
    page.do("live")
    page.until(1.0)
    page.do("pause")
    for k in range(20):
        session.receive(1, Seek(k, 0.04 * k))
    page.audience.wait(lambda: page.frame.input == 19 and not page.frame.flags & frames.PRESENT)
    assert page.frame.time == pytest.approx(0.76, abs=0.01)
    assert np.isnan(page.frame.kinetic)
    before = page.frame.time
    page.do("step", frames=-2)
    page.audience.wait(lambda: page.frame.time == pytest.approx(before - 2 / 120, abs=2e-3))
    page.do("speed", rate=1 / 32)
    page.do("replay", start=0.0, end=0.5)
    assert page.status.range == (0.0, 0.5)
    page.do("speed", rate=2.0)
    page.audience.wait(lambda: page.frame.time == 0.5)
    assert page.status.mode == "paused"
    page.do("present")
    assert page.status.present
    assert page.status.end >= 1.0
    assert page.do("trail", bone="link_1", count=50)
    assert len(page.do("curves", count=50)["height"]) == 50


def test_a_moment_that_is_looked_at_is_shown_without_waiting_for_anything_else(pendulum, monkeypatch):
    session, page = pendulum
    page.do("live")
    page.until(0.6)
    page.do("pause")
    monkeypatch.setattr("stringless.studio.session.STATUS_EVERY", 3600.0)
    session._next_status = time.perf_counter() + 3600.0
    for k in range(1, 30):
        session.receive(1, Seek(k, 0.02 * k))
        page.audience.wait(lambda k=k: page.frame.input == k, 60.0)
    assert page.frame.time == pytest.approx(0.58, abs=0.01)
