"""What happens in an edited motion is made and changed by hand, in a real browser."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page
from scipy.spatial.transform import Rotation

from editing_stage import Editing
from studios import Studio

MIDDLE = (0.0, -0.2, 0.0)
"""Of a link, from its joint [m]."""


@pytest.fixture
def links(page: Page, studio: Studio) -> Editing:
    """Three links that fall."""
    return Editing.of_a_study(page, studio, "two_pins")


def data(stage: Editing, index: int = 0) -> dict:
    """What the document has of a transition."""
    return stage.edit["transitions"][index]["data"]


def test_a_hinge_swings_in_the_plane_of_the_picture(links):
    links.scrub(0.3)
    links.page.mouse.click(*links.pixel(links.place("link 2", MIDDLE)))
    links.press("Control+k")
    links.page.get_by_test_id("palette-query").fill("grip here by a hinge")
    links.press("Enter")
    gripped = links.until("a grip", lambda: links.edit["transitions"])[0]["data"]
    assert gripped["hold"] == "hinge"
    turn = Rotation.from_quat(links.page.evaluate("i => Array.from(window.stringless.viewer.moment.poses)", 0)[10:14])
    sight = links.page.evaluate("window.stringless.viewer.forward")
    np.testing.assert_allclose(turn.apply(gripped["axis"]), sight, atol=0.02)
    links.click("grip-ball")
    links.until("a ball", lambda: data(links)["hold"] == "ball")
    links.page.get_by_test_id("happening-time").fill("0.35")
    links.press("Enter")
    links.until("it is later", lambda: links.edit["transitions"][0]["time"] == pytest.approx(0.35))
    links.click("happening-remove")
    links.until("nothing happens", lambda: not links.edit["transitions"])
    links.lacks("happening-menu")


def test_a_bounce_is_made_dead_by_its_mark(page, studio):
    court = Editing.of_a_study(page, studio, "hoop")
    court.click("transition-0")
    court.shows("happening-menu", "Bounce · ball")
    court.page.get_by_test_id("bounce-restitution").fill("0")
    court.until("it is dead", lambda: data(court)["restitution"] == 0.0)
    court.shows("happening-menu", "dead")
    court.click("bounce-floor")
    court.shows("toast", "does not meet the floor")
    court.press("Escape")
    court.lacks("happening-menu")


def test_a_bounce_off_the_floor_is_where_the_body_meets_it(links):
    links.click("edit-close")
    links.shows("time-area")
    links.open_here(1.2)
    links.scrub(0.3)
    links.page.mouse.click(*links.pixel(links.place("link 3", MIDDLE)))
    links.press("h")
    links.shows("happening-menu", "Bounce · link 3")
    links.click("bounce-floor")
    links.until("off the floor", lambda: data(links)["when"]["plane"]["normal"] == [0.0, 1.0, 0.0])
    met = links.edit["transitions"][0]["time"]
    assert met > 0.3, "it falls on to the floor"
    links.click("bounce-wall")
    links.until("off a wall again", lambda: data(links)["when"]["plane"]["normal"] != [0.0, 1.0, 0.0])


def test_a_grip_waits_for_the_floor_or_for_a_time(links):
    links.click("edit-close")
    links.shows("time-area")
    links.open_here(1.2)
    links.scrub(0.3)
    links.page.mouse.click(*links.pixel(links.place("link 3", MIDDLE)))
    links.press("g")
    links.shows("happening-menu", "Grip · link 3")
    links.click("grip-floor")
    links.until("on the floor", lambda: data(links)["when"].get("plane", {}).get("normal") == [0.0, 1.0, 0.0])
    met = links.edit["transitions"][0]["time"]
    assert met > 0.3, "it falls on to the floor"
    links.page.get_by_text("Holds on with link 3 where it meets the floor").wait_for()
    links.drawn()
    mark, menu = links.resting_box("transition-0"), links.resting_box("happening-menu")
    assert menu["x"] < mark["x"] + mark["width"] / 2 < menu["x"] + menu["width"], "what it is about has gone along"
    links.scrub(met + 0.1)
    landed = links.place("link 3", data(links)["point"])
    links.scrub(1.2)
    assert np.linalg.norm(links.place("link 3", data(links)["point"]) - landed) < 1e-3, "it is held where it came down"
    links.click("grip-time")
    links.until("at a time", lambda: "time" in data(links)["when"])


def test_a_catch_that_was_cut_is_put_back_at_its_bar(page, studio):
    artist = Editing.of_a_study(page, studio, "trapeze")
    catch = artist.edit["transitions"][-1]
    assert "bar" in catch["surface"]
    artist.act("edit_cut", index=catch["index"])
    artist.until("nobody catches", lambda: len(artist.edit["transitions"]) == catch["index"])
    artist.scrub(1.8)
    artist.page.evaluate("i => { window.stringless.selected.value = i; }", artist.index("hands"))
    artist.press("g")
    artist.shows("happening-menu", "Grip")
    artist.click("grip-bar-0")
    artist.until("it waits for the bar", lambda: artist.edit["transitions"][-1]["surface"] == catch["surface"])


def test_nobody_leaves_while_a_body_is_held(links):
    links.scrub(0.3)
    start = links.pixel(links.place("link 2", MIDDLE))
    links.take_hold(start, (start[0] + 20, start[1]))
    links.until("a hand holds it", lambda: links.edit["held"])
    links.press("e")
    links.drawn()
    links.let_go()
    links.rests()
    assert links.edit["open"], "the editor is still there"


def test_the_word_beside_a_switch_switches(links):
    links.click("tab-freedom")
    links.page.get_by_text("Gravity", exact=True).first.click()
    links.until("gravity may change", lambda: links.edit["options"]["gravity"])


def test_who_can_never_be_edited_says_why(page, studio):
    stage = Editing.of_a_new(page, studio, "worm")
    stage.click("workspace-edit")
    stage.shows("edit-never", "flesh")
    assert stage.page.get_by_test_id("edit-open-here").get_attribute("aria-disabled") == "true"
    stage.click("edit-back")
