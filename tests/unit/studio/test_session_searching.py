"""The search for a motion in a session: what it finds, what it cannot, what goes on meanwhile."""

from __future__ import annotations

import time

import numpy as np
import pytest

from edit_sessions import SOON, drag, opened, poses, quiet, times
from sessions import studio
from stringless.editing import control_steps, studies
from stringless.errors import DivergenceError
from stringless.studio.editing import search as searches
from stringless.studio.editing.search import improve
from stringless.studio.messages import Do, Edit, Notice


def test_who_has_all_that_was_wanted_is_not_warned(tmp_path):
    with studio(tmp_path, source="flier") as (_, page):
        opened(page)
        page.do("edit_solve")
        solved = quiet(page)
        place = poses(solved)[18, 1, :3]
        page.grab(kind="edit", bone="link 2", options={"time": 0.3})
        page.move(target=tuple(float(x) for x in place + np.array((0.1, 0.1, 0.0))))
        told = page.audience.wait(
            lambda: (e := page.audience.last(Edit)).held and not e.busy and e.poses != solved.poses and e, SOON
        )
        reached = np.linalg.norm(poses(told)[18, 1, :3] - place - (0.1, 0.1, 0.0)) < 2e-3
        assert (told.warning == "") == (reached and told.worst < 2e-3)
        page.release()
        quiet(page)


def test_an_impossible_wish_leaves_the_motion_and_says_why(pins):
    _, page = pins
    page.do("edit_lock")
    before = quiet(page)
    edit = drag(page)
    assert "impossible" in edit.warning
    assert edit.poses == before.poses
    assert page.document.undo == "lock "
    assert not page.audience.all(Notice)  # the warning is there as long as the motion is


def test_a_hand_that_wants_too_much_takes_the_motion_along_as_far_as_it_goes(tmp_path):
    with studio(tmp_path) as (_, page):
        page.do("edit_start", duration=1.0)
        before = opened(page)
        k = len(times(before)) // 2
        elbow = poses(before)[k, 1, :3]  # on a circle about the root
        wanted = elbow + (0.25, 0.25, 0.0)
        page.grab(kind="edit", bone="link_1", options={"time": float(times(before)[k])})
        for share in np.linspace(0.1, 1.0, 10):
            page.move(target=tuple(float(x) for x in elbow + share * (wanted - elbow)))
            time.sleep(0.05)
        page.release()
        edit = quiet(page)
        pivot = poses(edit)[k, 0, :3]
        nearest = pivot + (wanted - pivot) * np.linalg.norm(elbow - pivot) / np.linalg.norm(wanted - pivot)
        assert np.linalg.norm(nearest - elbow) > 0.1
        assert poses(edit)[k, 1, :3] == pytest.approx(nearest, abs=0.03)
        assert "follows as far as it can" in edit.warning
        assert page.document.undo == "drag the motion"


def test_a_hand_that_leads_to_where_every_step_fails_hears_that_the_motion_goes_no_further(monkeypatch):
    """Why a step fails tells something only where there was no other before it."""

    def fails(*_, **__):
        raise DivergenceError("the motion ran away", time=0.1, joint="link 2", cause="too fast")

    monkeypatch.setattr(searches, "improve", fails)
    editor, search = studies.two_pins(), searches.Search()
    hand = editor.drag("link 2", time=0.3, target=(9.0, 9.0, 9.0))
    for moved, warning in ((True, searches.AS_FAR), (False, "the motion ran away")):
        search.begin(held=True)
        search.iterate(editor, [hand], held=True, moved=moved, most=60)
        assert not search.is_running
        assert search.warning == warning


def test_after_a_drag_what_is_nailed_is_so_again(pins):
    _, page = pins
    page.do("edit_solve")
    solved = quiet(page)
    place = poses(solved)[33, 2, :3]  # shortly before the second pin
    page.grab(kind="edit", bone="link 3", options={"time": 0.55})
    page.move(target=tuple(float(x) for x in place + np.array((0.2, 0.3, 0.0))))
    page.audience.wait(lambda: (e := page.audience.last(Edit)).held and e.worst > 2e-3, SOON)
    page.release()
    edit = quiet(page)
    assert edit.worst < 1e-3
    assert edit.poses != solved.poses


def test_a_search_can_be_stopped_which_is_said(tmp_path):
    with studio(tmp_path, source="trapeze") as (session, page):
        opened(page)
        session.receive(1, Do(page.next, "edit_solve", {}))
        page.audience.wait(lambda: page.audience.last(Edit).busy, SOON)
        page.do("edit_stop")
        edit = quiet(page)
        assert not edit.busy
        assert edit.error > edit.done
        assert "not there yet" in edit.warning
        assert session.state.project.edits.is_open


def test_a_search_is_busy_from_the_command_to_its_end_and_goes_on_with_what_is_wanted_meanwhile(tmp_path, monkeypatch):
    def slowly(*arguments, **options):
        time.sleep(0.2)  # else it may have ended before anything is wanted meanwhile
        return improve(*arguments, **options)

    monkeypatch.setattr(searches, "improve", slowly)
    with studio(tmp_path, source="flier") as (session, page):
        first = opened(page)
        begun = len(page.audience.all(Edit))
        session.receive(1, Do(page.next, "edit_solve", {}))
        page.audience.wait(lambda: page.audience.last(Edit).error < first.error, SOON)
        assert page.do("edit_nail", body="link 3", time=0.0) == 2
        assert session.state.workspace.search.is_running
        page.audience.wait(lambda: len(page.audience.last(Edit).nails) == 2, SOON)
        edit = quiet(page)
        told = page.audience.all(Edit)[begun:]
        assert told[0].poses == first.poses  # it is told that something is looked for before anything was found
        assert [e.busy for e in told] == sorted((e.busy for e in told), reverse=True)
        assert all(e.busy or e.error <= e.done or e.warning for e in told)
        assert not any(e.busy and e.warning for e in told)  # no verdict before the end
        assert edit.error <= edit.done
        assert [step.label for step in session.state.project.history.done] == ["edit the study", "solve", "nail link 3"]
        page.do("undo")
        assert len(quiet(page).nails) == 1
        page.do("redo")
        assert quiet(page).poses == edit.poses


def test_what_is_kept_in_the_middle_of_a_search_is_what_it_finds(tmp_path):
    with studio(tmp_path, source="flier") as (session, page):
        opened(page)
        session.receive(1, Do(page.next, "edit_solve", {}))
        page.do("edit_keep", name="found")
        assert not page.audience.all(Notice)
        assert [lane.name for lane in session.state.project.take.branches.values()][-1] == "found"


def test_how_far_a_drag_was_followed_is_no_warning_once_it_is_over(tmp_path):
    with studio(tmp_path, source="hoop") as (_, page):
        start = opened(page)
        page.grab(kind="edit", bone="ball", options={"time": 0.3})
        page.move(target=(0.6, 2.6, 0.1))
        page.audience.wait(lambda: page.audience.last(Edit).poses != start.poses, SOON)
        page.audience.wait(lambda: page.audience.last(Edit).warning, SOON)
        page.release()
        edit = quiet(page)
        assert edit.error <= edit.done
        assert edit.warning == ""


def test_a_solve_of_contradictory_nails_leaves_the_motion_and_what_was_met(tmp_path):
    with studio(tmp_path, source="hoop") as (_, page):
        opened(page)
        page.do("edit_solve")
        page.do("edit_unlock")
        page.do("edit_unnail", nail=1)
        page.do("edit_nail", body="ball", time=0.2)
        page.do("edit_nail", body="ball", time=0.5, target=[5.0, 5.0, 1.0])  # both are far away, on the same side
        page.do("edit_nail", body="ball", time=0.5, target=[6.0, 5.0, 1.0])
        before, undo = quiet(page), page.document.undo
        assert page.do("edit_solve")["message"].startswith("what is wanted is impossible")
        edit = quiet(page)
        assert edit.poses == before.poses
        assert edit.error == before.error
        assert "the motion stays as it was" in edit.warning
        assert edit.refused
        assert page.document.undo == undo
        page.do("edit_solve", nearest=True)
        edit = quiet(page)
        assert edit.error < 0.5 * before.error
        assert page.document.undo == "solve"


def test_a_solve_that_can_go_no_further_keeps_the_nearest_motion_if_asked_for_and_says_so(pins, monkeypatch):
    """No step helps after the first."""
    _, page = pins
    before = opened(page)
    try_steps = control_steps.Search.try_steps

    def once(search, problem):
        if search.before == pytest.approx(before.error):
            try_steps(search, problem)

    monkeypatch.setattr(control_steps.Search, "try_steps", once)
    page.do("edit_solve")
    edit = quiet(page)
    assert edit.poses == before.poses
    assert edit.refused
    assert "the motion stays as it was" in edit.warning
    page.do("edit_solve", nearest=True)
    edit = quiet(page)
    assert edit.error < before.error
    assert edit.poses != before.poses
    assert not edit.refused
    assert f"the error is {edit.error:.3g}, and no step makes it smaller; expected 0.001. The near" in edit.warning
    assert page.document.undo == "solve"
