"""Pages of a session: which one directs, what each is told and when."""

from __future__ import annotations

import threading
import time

import pytest

from sessions import PATIENCE, RefusedError, Visitor
from stringless.studio import frames
from stringless.studio.messages import Do, Document, Notice, Seek, Status, Welcome

FAR = 0.6
"""Where a pendulum of two links of about a metre each can be dragged to [m]."""


def test_a_page_that_watches_cannot_direct_but_can_look(pendulum):
    session, page = pendulum
    other = Visitor(session, page.audience, 2)
    page.audience.wait(lambda: page.audience.all(Document, 2))
    for wrong in (lambda: other.do("live"), lambda: other.grab(bone="link_1"), lambda: other.do("mark", name="x")):
        with pytest.raises(RefusedError, match="another page directs"):
            wrong()
    assert other.status.director == 1
    assert other.do("gallery")
    assert other.do("script").startswith('"""')
    other.do("direct")
    assert other.status.director == 2
    other.do("mark", name="x", time=0.0)
    with pytest.raises(RefusedError, match="another page directs"):
        page.do("live")


def test_the_next_page_directs_when_the_first_leaves_and_its_hands_open(pendulum):
    session, page = pendulum
    only_looks = Visitor(session, page.audience, 2, watch=True)
    other = Visitor(session, page.audience, 3)
    page.grab(bone="link_1", target=(FAR, -FAR, 0.0))
    session.remove_page(1)
    page.audience.wait(lambda: page.audience.last(Document).goals == [])
    assert other.status.director == 3
    assert only_looks.status.pages == 2
    other.do("undo")
    session.remove_page(3)
    session.remove_page(2)
    again = Visitor(session, page.audience, 4)
    assert again.status.director == 4


def test_time_stops_when_the_page_that_directs_leaves_and_the_next_is_told(pendulum):
    session, page = pendulum
    other = Visitor(session, page.audience, 2)
    page.do("live")
    page.until(0.1)
    session.remove_page(1)
    page.audience.wait(lambda: page.audience.all(Notice, 2))
    assert page.audience.last(Notice, 2).text == "You have control; playback paused."
    assert other.status.mode == "paused"
    other.do("live")


def test_the_newest_input_wins_and_comes_back_with_the_frame(pendulum):
    session, page = pendulum
    goal = page.grab(bone="link_1", target=(FAR, -FAR, 0.0))
    for k in range(50):
        page.move(target=(FAR, -FAR, 0.01 * k))
    last = page.move(target=(0.5 * FAR, -FAR, 0.0))
    page.audience.wait(lambda: page.frame.input == last)
    told = [moment for moment in page.audience.frames if moment.input == last]
    assert told[0].wait >= 0
    assert all(moment.wait == -1 for moment in told[1:])
    assert told[0].goals[0, 4:7] == pytest.approx((0.5 * FAR, -FAR, 0.0))
    assert page.status.latency > 0
    assert session.state.project.sim.director.goal(goal).target == pytest.approx((0.5 * FAR, -FAR, 0.0))


def test_nothing_goes_on_when_nobody_is_there(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.1)
    session.remove_page(1)
    end = time.monotonic() + PATIENCE
    while session.state.player.mode != "paused":
        assert time.monotonic() < end
        time.sleep(0.01)
    again = Visitor(session, page.audience, 2)
    assert again.status.mode == "paused"
    again.do("live")
    again.until(again.status.time + 0.05)


def test_status_goes_out_while_the_thread_is_busy(pendulum, monkeypatch):
    session, page = pendulum
    hold, begun = threading.Event(), threading.Event()

    def slow(*_, **__):
        with session.show_progress("Thinking"):
            begun.set()
            hold.wait(PATIENCE)

    monkeypatch.setattr(session.state.player, "pause", slow)
    session.receive(1, Do(page.next, "pause"))
    assert begun.wait(PATIENCE)
    count = len(page.audience.all(Status))
    page.audience.wait(lambda: len(page.audience.all(Status)) >= count + 4)
    assert page.audience.last(Status).preparing.text == "Thinking"
    other = Visitor(session, page.audience, 2)
    assert page.audience.all(Welcome, 2)
    assert page.audience.last(Status, 2).preparing.text == "Thinking"
    hold.set()
    assert other.status.preparing is None


def test_how_it_stands_is_told_before_it_is_seen(pendulum):
    """A page that sees the past offers to go on from there, and one whose hand has set time going can stop it."""
    session, page = pendulum
    page.do("live")
    page.until(0.3)
    page.do("pause")
    for k in range(10):
        session.receive(1, Seek(k, 0.1))
        page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
        assert not page.audience.last(Status).present
        page.do("present")
        page.audience.wait(lambda: page.frame.flags & frames.PRESENT)
    page.grab(bone="link_1", target=(FAR, -FAR, 0.0))
    assert page.audience.last(Status).mode == "live"
    page.release()
