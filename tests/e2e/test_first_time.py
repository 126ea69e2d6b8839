"""The first minute of a newcomer, and of one with a touch screen."""

from __future__ import annotations

import pytest

from fingers import Fingers
from stage import Stage


def test_the_tour_moves_on_by_doing_and_can_be_left(studio, new_page):
    stage = Stage.of_a_new(new_page(first_time=True), studio)
    tour = stage.page.get_by_test_id("tour")
    tour.wait_for()
    first = tour.text_content()
    start = stage.pixel(stage.head)
    stage.take_hold(start, (start[0], start[1] - 90))
    stage.until("the drag was real", lambda: stage.doc["goals"])
    stage.let_go()
    stage.until("the next step", lambda: tour.text_content() != first)
    stage.page.get_by_test_id("tour-skip").click()
    tour.wait_for(state="detached")
    stage.page.reload()
    stage.page.wait_for_selector('html[data-ready="1"]', state="attached")
    stage.until("the right to direct", lambda: stage.value("directing"))
    stage.drawn()
    assert stage.page.get_by_test_id("tour").count() == 0, "once is enough"


def test_two_fingers_drag_two_bones(studio, new_page):
    stage = Stage.of_a_new(new_page(touch=True), studio)
    stage.settle()
    fingers = Fingers(stage)
    ends = [stage.pixel(stage.head), stage.pixel(stage.place("bone_6", (0.04, 0.0, 0.0)))]
    fingers.down(*ends)
    fingers.move(*[((x, y), (x, y - 60)) for x, y in ends], steps=12)
    fingers.until("two goals", lambda: len(stage.doc["goals"]) == 2)
    assert {goal["bone"] for goal in stage.doc["goals"]} == {"bone_0", "bone_6"}
    fingers.up()
    stage.until("both let go", lambda: not stage.doc["goals"])
    stage.act("pause")
    stage.until("a drag to be undone", lambda: "drag" in stage.doc["undo"])
    stage.press("Control+z")
    stage.until("one step of undo for both hands", lambda: "drag" not in stage.doc["undo"])


HOLD_PICTURES = """() => {
    const draw = window.requestAnimationFrame.bind(window);
    window.held = [];
    window.requestAnimationFrame = (callback) => window.held ? window.held.push(callback) : draw(callback);
}"""
DRAW_AGAIN = "() => { const { held } = window; window.held = null; held.forEach((callback) => requestAnimationFrame(callback)); }"


def test_a_character_is_in_view_though_another_came_before_the_first_picture(studio, new_page):
    page = new_page()
    page.add_init_script(f"({HOLD_PICTURES})()")
    stage = Stage(page)
    page.goto(studio.address)
    stage.until("the right to direct", lambda: page.evaluate("() => window.stringless?.directing.value"))
    stage.until("the first scene", lambda: stage.value("scene"))
    epoch = stage.value("scene")["epoch"]
    stage.act("new", scene="worm")
    stage.until("another worm", lambda: stage.value("scene")["epoch"] != epoch)
    page.evaluate(DRAW_AGAIN)
    assert_in_view(stage)


VIEW = """([x, z, radius]) => {
    const { camera } = window.stringless.viewer;
    camera.frame(camera.target.clone().add({ x, y: 0, z }), radius, false);
}"""


@pytest.mark.parametrize("view", [(0.0, -0.7, 0.36), (-0.25, 0.0, 0.22)], ids=["gone far", "seen close up, aside"])
def test_a_new_character_is_in_view_wherever_the_last_one_was(studio, new_page, view):
    stage = Stage.of_a_new(new_page(), studio)
    stage.page.evaluate(VIEW, view)
    stage.act("new", scene="worm")
    assert_in_view(stage)


def assert_in_view(stage: Stage) -> None:
    """All of the worm is drawn on the stage, neither small nor cut off."""
    box = stage.resting_box("stage")
    ends = [stage.pixel(point) for point in (stage.head, stage.place("bone_6", (0.04, 0.0, 0.0)))]
    for x, y in ends:
        assert box["x"] < x < box["x"] + box["width"]
        assert box["y"] < y < box["y"] + box["height"]
    assert 0.15 < abs(ends[0][0] - ends[1][0]) / box["width"] < 0.6
