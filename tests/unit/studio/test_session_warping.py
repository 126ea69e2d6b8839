"""A page stretches commands: it sees how far that is, may stop it, and is shown the branch."""

from __future__ import annotations

import threading

import pytest

from sessions import RefusedError
from stringless.simulation.warping import Warping
from stringless.studio.messages import Notice, Status


@pytest.fixture
def recorded(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.3)
    page.grab(bone="link_1", target=(0.6, -0.6, 0.0))
    page.until(0.6)
    page.release()
    page.until(0.9)
    page.do("pause")
    return session, page


@pytest.fixture
def held(monkeypatch):
    """Holds what is simulated in the background, until it may go on."""
    gate, begun = threading.Event(), threading.Event()
    simulate = Warping.simulate

    def later(self, report=None):
        def held(share):
            report(share)
            begun.set()
            assert gate.wait(60)

        simulate(self, held if report else None)

    monkeypatch.setattr(Warping, "simulate", later)
    yield gate, begun
    gate.set()


def ended(page, number):
    def job():
        return next(job for job in page.audience.last(Status).jobs if job.id == number)

    page.audience.wait(lambda: job().state != "running")
    return job()


def test_the_new_branch_is_shown_from_the_start_of_the_stretch(recorded):
    session, page = recorded
    end = page.document.lanes[0].end
    number = page.do("warp", start=0.3, end=0.6, factor=1.5)
    lanes = page.audience.wait(lambda: page.document.lanes if len(page.document.lanes) == 2 else None)
    assert ended(page, number).state == "finished"
    assert lanes[1].parent == lanes[0].id
    assert lanes[1].end == pytest.approx(end + 0.15, abs=2e-3)
    page.audience.wait(lambda: page.audience.last(Status).lane == lanes[1].id)
    assert page.status.time == pytest.approx(0.3, abs=0.01)
    assert page.document.undo == "warp 'take 1', 1.5×"
    assert [span.kind for span in page.document.spans if span.kind == "drag"], "what acted is shown on it"
    assert f"factor=1.5, start=0.3, end=0.6, lane=1, until={session.state.project.take.end(1)!r}" in page.do("script")
    page.do("undo")
    assert page.document.lanes[1].deleted


def test_what_is_cancelled_leaves_no_branch(recorded, held):
    _, page = recorded
    gate, begun = held
    number = page.do("warp", factor=2.0)
    assert begun.wait(60)
    job = next(job for job in page.status.jobs if job.id == number)
    assert (job.state, job.title) == ("running", "Warping take 1")
    assert 0 < job.done < 1
    page.do("cancel_job", job=number)
    gate.set()
    assert ended(page, number).state == "cancelled"
    assert len(page.document.lanes) == 1
    assert page.document.undo == "drag link_1"


def test_directing_goes_on_meanwhile(recorded, held):
    session, page = recorded
    gate, begun = held
    number = page.do("warp", factor=1.2, name="slower")
    assert begun.wait(60)
    page.do("live")
    page.until(1.2)
    gate.set()
    page.audience.wait(lambda: len(page.document.lanes) == 2)
    assert ended(page, number).state == "finished"
    assert page.status.mode == "live", "time goes on"
    notice = page.audience.last(Notice)
    assert notice.text == "The warped commands are branch 'slower'."
    page.do("pause")
    take = session.state.project.take
    assert take.end("slower") < take.end(1) + 0.2, "up to where the branch ended then"
    page.do(notice.offer.command, **notice.offer.arguments)
    assert page.status.lane == 2


def test_what_was_for_another_project_is_dropped(recorded, held):
    _, page = recorded
    gate, begun = held
    number = page.do("warp", factor=1.2)
    assert begun.wait(60)
    page.do("open", source="pendulum")
    gate.set()
    assert ended(page, number).state == "finished"
    page.audience.wait(lambda: any("were dropped" in notice.text for notice in page.audience.all(Notice)))
    assert page.document.lanes == []


def test_what_makes_no_sense_is_refused_at_once(recorded):
    _, page = recorded
    with pytest.raises(RefusedError, match="the factor is 0.0; expected a finite number above 0"):
        page.do("warp", factor=0.0)
    with pytest.raises(RefusedError, match="goes backwards"):
        page.do("warp", start=0.6, end=0.3, factor=2.0)
    with pytest.raises(RefusedError, match="another branch is called 'take 1' already"):
        page.do("warp", factor=2.0, name="take 1")
    assert page.status.jobs == []


def test_why_it_failed_is_said(recorded):
    _, page = recorded
    number = page.do("warp", factor=1e-9)
    assert ended(page, number).state == "failed"
    page.audience.wait(lambda: any("take less than a step" in notice.text for notice in page.audience.all(Notice)))
    assert len(page.document.lanes) == 1
