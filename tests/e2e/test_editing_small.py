"""The Edit workspace in small windows, under fingers, and for who comes for the first time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, ViewportSize

from editing_stage import Editing
from fingers import Fingers
from studios import Studio

LOW: ViewportSize = {"width": 800, "height": 500}
PHONE: ViewportSize = {"width": 420, "height": 800}
ROOM = 280
"""What the stage has at least, across and down [px]."""
ON_TOP = """name => {
    const box = document.querySelector(`[data-testid="${name}"]`).getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return document.elementFromPoint(x, y)?.closest("[data-testid]")?.dataset.testid === name;
}"""
IS_STAGE = "([x, y]) => document.elementFromPoint(x, y)?.tagName === 'CANVAS'"
EYE = "window.stringless.viewer.eye"


@pytest.fixture
def phone(new_page: Callable[..., Page], studio: Studio) -> Editing:
    """Three links that fall, on a telephone."""
    return Editing.of_a_study(new_page(touch=True, size=PHONE), studio, "two_pins")


@pytest.mark.parametrize("size", [LOW, PHONE], ids=["low", "phone"])
def test_everything_that_is_needed_is_in_a_small_window(new_page, studio, size):
    stage = Editing.of_a_study(new_page(size=size), studio, "two_pins")
    box = stage.resting_box("stage")
    assert min(box["width"], box["height"]) > ROOM
    for name in ("edit-keep", "edit-close", "edit-play", "undo", "workspace-direct", "mode-bone", "tool-ghost"):
        assert stage.page.evaluate(ON_TOP, name), f"{name} can be pressed"
    stage.click("tab-freedom")
    assert stage.page.evaluate(ON_TOP, "mask-all")
    assert stage.page.evaluate(ON_TOP, "edit-keep"), "the panel leaves it free"
    stage.click("fold-inspector")
    stage.click("edit-close")
    stage.shows("time-area")
    box = stage.resting_box("stage")
    assert min(box["width"], box["height"]) > ROOM
    for name in ("play", "to-present", "undo", "workspace-edit", "mode-bone"):
        assert stage.page.evaluate(ON_TOP, name), f"{name} can be pressed"


def test_one_finger_drags_the_motion_and_two_move_the_view(phone):
    phone.scrub(0.3)
    fingers = Fingers(phone)
    start = phone.place("link 2")
    x, y = phone.pixel(start)
    fingers.down((x, y))
    fingers.move(((x, y), (x + 40, y - 30)))
    phone.until("the motion follows", lambda: np.linalg.norm(phone.place("link 2") - start) > 0.03)
    fingers.up()
    phone.rests()
    label = phone.until("a step of undo", lambda: phone.doc["undo"])
    assert "drag" in label
    motion, eye = phone.edit["poses"], phone.page.evaluate(EYE)
    x, y = phone.pixel(phone.place("link 2"))
    fingers.down((x, y))
    fingers.down((x, y), (x + 80, y))
    fingers.move(((x, y), (x - 40, y)), ((x + 80, y), (x + 130, y)))
    fingers.up()
    phone.until("the camera comes nearer", lambda: not np.allclose(phone.page.evaluate(EYE), eye, atol=0.1))
    assert phone.edit["poses"] == motion


def test_a_finger_that_rests_nails_and_a_mark_is_dragged(phone):
    phone.scrub(0.3)
    fingers = Fingers(phone)
    nails = len(phone.edit["nails"])
    fingers.down(phone.pixel(phone.place("link 2")))
    nail = phone.until("a nail", lambda: len(phone.edit["nails"]) > nails and phone.edit["nails"][-1])
    fingers.up()
    phone.shows("nail-menu")
    phone.click("nail-done")
    mark = phone.resting_box(f"nail-mark-{nail['id']}")
    x, y = mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2
    fingers.down((x, y))
    fingers.move(((x, y), (x + 36, y)))
    fingers.up()
    phone.until("it is wanted later", lambda: phone.edit["nails"][-1]["time"] > nail["time"] + 0.02)


def test_the_tour_of_the_editor_goes_on_by_doing(page, studio):
    stage = Editing.of_a_study(page, studio, "two_pins")
    stage.press("t")
    stage.shows("tour", "Look at a moment")
    stage.scrub(0.3)
    stage.shows("tour", "Drag the motion")
    start = stage.pixel(stage.place("link 2"))
    stage.take_hold(start, (start[0] + 30, start[1] - 20))
    stage.let_go()
    stage.shows("tour", "Nail what shall stay")
    stage.rests()
    spot = stage.pixel(stage.place("link 2"))
    stage.until("the tour stands aside", lambda: stage.page.evaluate(IS_STAGE, spot))
    stage.page.mouse.dblclick(*spot)
    stage.shows("tour", "Keep it")
    stage.press("Escape")
    stage.click("edit-keep")
    stage.lacks("tour")
