"""Poses: hands move a ghost, which becomes a key or a goal; keys are played."""

from __future__ import annotations

import numpy as np
import pytest

from sessions import RefusedError, Visitor, studio
from stringless.studio import frames
from stringless.studio.messages import Seek

REACH = (0.5, -0.7, 0.0)
"""A place that the end of a double pendulum can be put to [m]."""


def pose(page: Visitor, target: tuple[float, float, float] = REACH) -> None:
    """Put the second joint somewhere by hand."""
    page.grab(bone="link_1", point=(0.0, -0.5, 0.0), target=target)
    page.move(target=target)
    state = page.session.state
    page.audience.wait(lambda: state.pose is not None and state.pose.is_changed and not state.pose.is_busy)


def test_a_pose_becomes_a_key_and_the_key_is_played(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.3)
    page.do("pause")
    time = page.status.time
    page.do("begin_pose")
    assert page.status.posing
    count = len(page.audience.shown)
    pose(page)
    ghosts = [data for _, role, data in page.audience.shown[count:] if role == frames.POSE]
    assert ghosts
    wanted = session.state.pose.q.copy()
    before = session.state.project.sim.q.copy()
    page.release()
    assert page.do("end_pose", keep="key", time=time + 0.4) == {"track": 1, "key": 0}
    assert np.array_equal(session.state.project.sim.q, before)
    assert not page.status.posing
    assert page.document.tracks[0].times == [pytest.approx(time + 0.4)]
    page.do("play_track", track=1, begin=time, blend=0.2)
    page.do("live")
    page.until(time + 0.5)
    page.do("pause")
    assert session.state.project.sim.q == pytest.approx(wanted, abs=1e-6)
    assert {"keyframes"} <= {span.kind for span in page.document.spans}
    assert all(joint.state == "keyframes" for joint in page.document.joints)


def test_a_pose_becomes_a_goal(pendulum):
    session, page = pendulum
    page.do("begin_pose")
    pose(page)
    wanted = session.state.pose.q.copy()
    page.do("end_pose", keep="goal")
    assert [goal.kind for goal in page.document.goals] == ["pose"]
    page.do("live")
    page.until(1.5)
    assert session.state.project.sim.q == pytest.approx(wanted, abs=0.2)


def test_a_pose_that_is_dropped_leaves_nothing(pendulum):
    session, page = pendulum
    page.do("begin_pose")
    pose(page)
    before = session.state.project.store.journal_length
    with pytest.raises(RefusedError, match="'key', 'goal' or 'none'"):
        page.do("end_pose", keep="everything")
    assert page.status.posing
    page.do("end_pose", keep="none")
    assert session.state.project.store.journal_length == before
    with pytest.raises(RefusedError, match="nothing is being posed"):
        page.do("end_pose")


def test_auto_key_sets_a_key_at_every_end_of_a_drag(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.5)
    page.do("pause")
    page.do("auto_key", on=True)
    assert page.status.auto_key
    page.do("begin_pose")
    for time in (0.1, 0.4):
        session.receive(1, Seek(1, time))
        page.audience.wait(lambda time=time: page.frame.time == pytest.approx(time, abs=0.01))
        pose(page, (0.5, -0.4 - time, 0.0))
        page.release()
    assert page.document.tracks[0].times == [pytest.approx(0.1, abs=0.01), pytest.approx(0.4, abs=0.01)]
    first, second = session.state.project.sim.director.track(1).poses
    assert np.abs(first - second).max() > 0.05
    page.do("undo")
    assert len(page.document.tracks[0].times) == 1
    page.do("undo")
    assert page.document.tracks == []


def test_keys_of_what_is_looked_at_are_copied_and_moved(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.5)
    page.do("pause")
    session.receive(1, Seek(1, 0.2))
    page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
    made = page.do("key")
    shown = session.state.player.frame
    assert page.document.tracks[0].times == [shown.time]
    assert session.state.project.sim.director.track(made["track"]).poses[0] == pytest.approx(shown.q)
    assert page.do("copy_key", track=made["track"], key=0, time=0.7) == 1
    assert page.do("move_key", track=made["track"], key=1, time=0.1) == 0
    assert page.document.tracks[0].times == [0.1, shown.time]
    poses = session.state.project.sim.director.track(made["track"]).poses
    assert np.array_equal(poses[0], poses[1])


def test_a_hand_that_lets_go_at_once_has_posed_all_the_same(pendulum):
    session, page = pendulum
    page.do("begin_pose")
    page.grab(bone="link_1", point=(0.0, -0.5, 0.0), target=(0.0, -1.4, 0.0))
    page.move(target=REACH)
    page.release()
    found = session.state.pose.q.copy()
    pose(page, REACH)
    assert np.abs(found).max() > 0.1
    assert found == pytest.approx(session.state.pose.q, abs=1e-3), "where it would be if the hand had waited"


def test_only_bones_of_the_character_can_be_posed(tmp_path):
    with studio(tmp_path, "playground") as (_, page):
        page.do("begin_pose", character="hinge")
        with pytest.raises(RefusedError, match="is no bone of"):
            page.grab(bone="slider")
        with pytest.raises(RefusedError, match="while posing, bones can be dragged"):
            page.grab(kind="center", bone="hinge")
        page.grab(bone="hinge")
        with pytest.raises(RefusedError, match="holds something already"):
            page.grab(bone="hinge")
        with pytest.raises(RefusedError, match="holds nothing"):
            page.release(5)
        page.session.remove_page(1)
        again = Visitor(page.session, page.audience, 2)
        assert again.status.posing
        again.do("live")
        assert not again.status.posing
