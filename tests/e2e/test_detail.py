"""A long chain of which only some links move, in a real browser: how many is chosen by hand, shown, coloured and undone."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from stage import Stage
from studios import show

LINKS = 50
CAST = "window.stringless.viewer.parts"
INSTANCES = f"() => {CAST}.figure.children.filter((part) => part.isInstancedMesh).map((part) => part.count)"
CALLS = "() => window.stringless.viewer.renderer.info.render.calls"
MOVING = """() => {
    const { newest, scene } = window.stringless;
    const bits = newest.frame.moving;
    return bits.length && scene.value.bodies.map((_, k) => ((bits[k >> 5] >>> (k & 31)) & 1) === 1);
}"""
COLOURS = f"""() => {CAST}.figure.children.filter((part) => part.isInstancedMesh).flatMap((part) =>
    part.shapes.map(({{ body }}, k) => [body, Array.from(part.instanceColor.array.subarray(3 * k, 3 * k + 3)).join()]))"""


@pytest.fixture
def chain(page, studio) -> Stage:
    """The pendulum of many links that a spring pulls, opened from the gallery."""
    show(page, studio)
    stage = Stage(page)
    stage.until("the right to direct", lambda: stage.value("directing"))
    before = stage.value("scene")["epoch"]
    stage.click("open-gallery")
    page.get_by_test_id("gallery-pulled_pendulum").click()
    stage.until("a chain of its own", lambda: stage.value("scene")["epoch"] != before and stage.frame)
    assert stage.value("scene")["name"] == "pulled_pendulum"
    stage.until("its physics", lambda: stage.status["preparing"] is None, 600.0)
    return stage


def picture(stage: Stage, name: str) -> None:
    """Kept where somebody wants to look at it."""
    folder = os.environ.get("STRINGLESS_PICTURES")
    if folder:
        stage.page.screenshot(path=Path(folder) / f"{name}.png")


def colours(stage: Stage) -> dict[int, str]:
    """Of each body."""
    stage.drawn()
    return dict(stage.page.evaluate(COLOURS))


def test_how_much_moves_is_chosen_by_hand_and_seen(chain):
    stage = chain
    assert stage.doc["engine"] == "adaptive"
    assert sum(stage.page.evaluate(INSTANCES)) >= LINKS - 1, "links that look alike are drawn together"
    stage.click("tab-detail")
    own = colours(stage)

    stage.click("detail-number")
    stage.until("a number", lambda: stage.doc["parameters"]["active"] == LINKS // 10)
    slider = stage.shows("slider-active")
    slider.click()  # in the middle: on a scale of factors that is the root of all
    chosen = stage.until("another number", lambda: stage.doc["parameters"]["active"] == 7 and 7)
    stage.run_to(0.3, 1.0)
    stage.shows("detail-count", f"{chosen} of {LINKS} joints move")
    flags = stage.page.evaluate(MOVING)
    assert sum(flags) == chosen

    painted = colours(stage)
    bright = {painted[body] for body in painted if flags[body]}
    assert len(bright) == 1
    assert bright.isdisjoint(painted[body] for body in painted if not flags[body])
    expect(stage.page.get_by_test_id("detail-faster")).to_have_text(re.compile("all of them"))
    expect(stage.page.get_by_test_id("detail-step")).to_have_text(re.compile(r"[µm]s$"))
    assert stage.page.evaluate(CALLS) < 60
    picture(stage, "detail")

    stage.click("colour-active")
    stage.until("the shapes' own colours", lambda: colours(stage) == own)

    stage.click("detail-error")
    stage.until("an error", lambda: stage.doc["parameters"]["max_error"])
    assert stage.doc["parameters"]["active"] is None
    stage.press("Control+z")
    stage.until("the number again", lambda: stage.doc["parameters"]["active"] == chosen)
    stage.click("detail-all")
    stage.until("all of them", lambda: stage.doc["parameters"]["active"] is None)


def test_far_away_fewer_joints_move_and_the_panel_says_so(chain):
    stage = chain
    stage.click("tab-detail")
    stage.run_to(0.1, 1.0)
    stage.shows("detail-count", f"{LINKS} of {LINKS} joints move")
    follow = stage.shows("follow-view")
    assert follow.get_attribute("aria-checked") == "false"
    stage.click("follow-view")
    stage.until("the view is followed", lambda: stage.status["detail"]["follows"])
    near = seen_joints(stage, 0.2)
    assert 1 < near <= LINKS

    box = stage.page.locator("canvas").first.bounding_box()
    stage.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for _ in range(25):
        stage.page.mouse.wheel(0, 400)
        stage.drawn()
    stage.page.wait_for_timeout(800)  # the camera comes to rest, and the page says where
    far = seen_joints(stage, 0.3)
    assert far < near / 2
    assert stage.doc["undo"] == "", "looking is no step of undo"
    picture(stage, "detail-far")

    stage.shows("detail-near", f"{far} joint")
    stage.click("follow-view")
    stage.until("the view is left alone", lambda: not stage.status["detail"]["follows"])
    assert seen_joints(stage, 0.4) == LINKS


def seen_joints(stage: Stage, moment: float) -> int:
    """How many joints move after a while, as the panel says."""
    stage.run_to(moment, 1.0)
    stage.until("the panel knows", lambda: stage.status["detail"]["moving"] == sum(stage.page.evaluate(MOVING) or [0]))
    told = stage.shows("detail-count").text_content()
    return int(told.split(" of ")[0].replace(",", ""))


def test_a_link_can_be_picked_but_nobody_is_directed(chain):
    stage = chain
    bone = stage.value("scene")["bodies"][LINKS // 2]["name"]
    place = stage.frame["places"][bone]
    x, y = stage.pixel(place[:3])
    stage.page.mouse.move(x, y)
    stage.shows("hint", "moves passively")
    stage.page.mouse.down()
    stage.page.mouse.move(x + 60, y - 40)
    stage.drawn()
    stage.page.mouse.up()
    assert stage.doc["goals"] == []
    assert stage.value("toasts") == []
    assert stage.page.locator(".key-hint").count() == 0, "nobody is told of keys where none can be set"


def test_other_engines_have_no_such_panel(stage):
    stage.shows("tab-goals")
    stage.lacks("tab-detail")
