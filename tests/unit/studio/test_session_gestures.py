"""Controls of a page that are dragged: many changes, one step of undo."""

from __future__ import annotations

import pytest

from sessions import RefusedError, Visitor, studio


def scrub(page, *values):
    page.do("begin_gesture", label="change friction")
    for value in values:
        page.do("configure", friction=value)


def test_a_slider_is_one_step_of_undo(pendulum):
    _, page = pendulum
    first = page.document.parameters["friction"]
    scrub(page, 0.1, 0.2, 0.3)
    page.do("end_gesture")
    page.do("configure", friction=0.4)
    assert page.do("undo") == "change parameters"
    assert page.document.parameters["friction"] == 0.3
    assert page.do("undo") == "change friction"
    assert page.document.parameters["friction"] == first


def test_undo_in_the_middle_ends_the_gesture(pendulum):
    _, page = pendulum
    first = page.document.parameters["friction"]
    scrub(page, 0.1)
    page.do("undo")
    assert page.document.parameters["friction"] == first
    page.do("configure", friction=0.2)
    page.do("end_gesture")
    page.do("configure", friction=0.3)
    page.do("undo")
    assert page.document.parameters["friction"] == 0.2


def test_a_page_that_goes_leaves_no_gesture_behind(pendulum):
    session, page = pendulum
    scrub(page, 0.1)
    session.remove_page(page.number)
    other = Visitor(session, page.audience, page.number + 1)
    other.do("direct")
    other.do("configure", friction=0.2)
    other.do("undo")
    assert other.document.parameters["friction"] == 0.1


def test_a_key_may_be_set_and_a_bone_taken_while_a_slider_is_held(tmp_path):
    with studio(tmp_path, "worm") as (_, page):
        scrub(page, 0.1)
        page.do("key")
        page.grab(bone="bone_6", target=(0.0, 0.1, 0.0))
        page.do("end_gesture")
        page.release()
        assert page.do("undo") == "change friction"
        assert page.document.tracks == []


def test_who_watches_cannot_begin_one(pendulum):
    session, page = pendulum
    other = Visitor(session, page.audience, page.number + 1)
    with pytest.raises(RefusedError, match="another page directs"):
        other.do("begin_gesture", label="change friction")
