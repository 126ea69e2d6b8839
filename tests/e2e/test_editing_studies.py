"""Scenes that carry a motion to edit, in a real browser."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page

from editing_stage import Editing
from studios import Studio

MIDDLE = (0.0, -0.2, 0.0)
"""Of a link, from its joint [m]."""


@pytest.fixture
def court(page: Page, studio: Studio) -> Editing:
    """A ball that misses its hoop, as the gallery has it."""
    return Editing.of_a_study(page, studio, "hoop")


@pytest.fixture
def links(page: Page, studio: Studio) -> Editing:
    """Three links that fall."""
    return Editing.of_a_study(page, studio, "two_pins")


def test_a_scene_that_carries_a_motion_opens_in_the_editor_and_is_solved(court):
    court.shows("edit-state", "not met")
    assert court.edit["error"] > 0.1
    court.click("edit-solve")
    court.until("the ball goes into the hoop", lambda: court.edit["error"] <= court.edit["done"])
    court.shows("edit-state", "is met")


def test_the_tip_of_an_arrow_is_dragged_to_want_another_velocity(court):
    court.scrub(0.4)
    court.page.mouse.dblclick(*court.pixel(court.place("ball")))
    court.shows("nail-menu")
    court.click("nail-velocity")
    nail = court.until("a velocity", lambda: [each for each in court.edit["nails"] if each["kind"] == "velocity"])[0]
    court.press("Escape")
    tip = court.page.evaluate("id => window.stringless.nailSpot(id)", nail["id"])
    court.take_hold((tip["x"], tip["y"]), (tip["x"], tip["y"] - 30))
    court.until("a hand holds it", lambda: court.edit["held"])
    court.let_go()
    court.rests()
    wanted = next(each for each in court.edit["nails"] if each["id"] == nail["id"])
    assert wanted["target"][1] > nail["target"][1] + 0.5, "faster upward"


def test_a_nail_of_the_whole_can_be_what_its_body_can(court):
    court.scrub(0.4)
    court.page.mouse.dblclick(*court.pixel(court.place("ball")))
    court.shows("nail-menu")
    court.lacks("nail-joint")
    court.click("nail-center")
    court.until("of the whole", lambda: court.edit["nails"][-1]["kind"] == "center")
    court.shows("nail-center")
    court.lacks("nail-joint")


def test_the_wheel_moves_what_is_dragged_away(court):
    # With its nail, a ball that is thrown from a fixed place cannot follow a hand as well: the nail counts more.
    court.act("edit_unnail", nail=court.edit["nails"][0]["id"])
    court.until("nothing is nailed", lambda: not court.edit["nails"])
    court.scrub(0.4)
    ball = court.place("ball")
    start = court.pixel(ball)
    eye = np.array(court.page.evaluate("window.stringless.viewer.eye"))
    court.take_hold(start, (start[0] + 6, start[1]))
    court.until("a hand holds it", lambda: court.edit["held"])
    court.page.mouse.wheel(0, -100)
    away = np.linalg.norm(ball - eye)
    court.until("it goes away", lambda: np.linalg.norm(court.place("ball") - eye) > 1.02 * away)
    assert court.page.evaluate("window.stringless.viewer.eye") == pytest.approx(eye), "and the camera stays"
    court.let_go()


@pytest.mark.parametrize("kind", ["rotation", "joint"])
def test_a_nail_that_turns_is_rolled(links, kind):
    links.scrub(0.3)
    # Its middle: at its joint the link before it is as near, and which of them is hit depends on the camera.
    links.page.mouse.dblclick(*links.pixel(links.place("link 2", MIDDLE)))
    links.shows("nail-menu")
    links.click(f"nail-{kind}")
    nail = links.until("how it is turned", lambda: [n for n in links.edit["nails"] if n["kind"] == kind])[0]
    links.press("Escape")
    spot = links.page.evaluate("id => window.stringless.nailSpot(id)", nail["id"])
    links.take_hold((spot["x"], spot["y"]), (spot["x"] + 40, spot["y"] + 20))
    links.let_go()
    links.rests()
    wanted = next(each for each in links.edit["nails"] if each["id"] == nail["id"])["target"]
    assert abs(np.dot(wanted, nail["target"])) < 0.999


def test_nails_that_contradict_each_other_change_nothing_until_the_nearest_is_asked_for(links):
    for nail in links.edit["nails"]:
        links.act("edit_unnail", nail=nail["id"])
    for x in (-1.0, 1.0):
        links.act("edit_nail", body="link 2", time=0.4, target=[x, 1.0, 0.0])
    before = links.path("link 2")
    links.press("Enter")
    banner = links.shows("banner-impossible", "the motion stays as it was").bounding_box()
    stage = links.page.locator("canvas").first.bounding_box()
    assert banner["width"] > 0.5 * stage["width"], "a long text has more than half of the stage"
    assert np.array_equal(links.path("link 2"), before)
    links.click("take-nearest")
    links.until("it is between both", lambda: not np.array_equal(links.path("link 2"), before))
    links.rests()
    links.shows("banner-impossible", "nearest motion")
    links.lacks("take-nearest")
    first, second = (nail["error"] for nail in links.edit["nails"])
    assert first == pytest.approx(second, abs=1e-3)
    links.press("Control+z")
    links.until("all as before", lambda: np.array_equal(links.path("link 2"), before))


def test_the_gallery_finds_its_shelf_by_name(links):
    links.click("open-gallery")
    links.page.get_by_test_id("gallery-search").fill("to edit")
    links.shows("gallery-hoop")
    links.shows("gallery-trapeze")
    links.lacks("gallery-worm")


def test_a_notice_stands_on_the_stage_whatever_opens_below_it(links):
    links.click("edit-close")
    notice = links.shows("toast", "put away")
    links.press("Control+z")
    links.shows("edit-area")
    below = links.resting_box("edit-area")
    box = notice.bounding_box()
    assert box is None or box["y"] + box["height"] < below["y"] - 40


def test_a_pose_is_wanted_earlier(court):
    court.press("Enter")
    court.until("the nail is met", lambda: court.edit["error"] <= court.edit["done"])
    nails = len(court.edit["nails"])
    mark = court.resting_box("pose-3")
    middle = (mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    court.take_hold(middle, (middle[0] - 25, middle[1]))
    court.let_go()
    court.until("something more is wanted", lambda: len(court.edit["nails"]) > nails or "time" in court.doc["undo"])
