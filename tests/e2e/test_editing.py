"""The Edit workspace in a real browser: a whole motion is dragged, nailed, retimed and kept."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from scipy.spatial.transform import Rotation

from editing_stage import SHOWN, Editing
from stage import Stage
from studios import Studio, show

SEEN = 1e-4
"""Poses come as float32, and are drawn between samples by straight lines [m]."""


@pytest.fixture
def stage(page: Page, studio: Studio) -> Editing:
    """A new humanoid, thrown into a somersault, with nothing open to be edited."""
    return Editing.of_a_new(page, studio, "humanoid")


def test_a_motion_is_opened_scrubbed_played_and_put_away(stage):
    stage.open_here(0.8)
    assert stage.edit["duration"] == pytest.approx(0.8)
    first = stage.place("head")
    stage.scrub(0.6)
    assert np.linalg.norm(stage.place("head") - first) > 0.1, "the figure is where the motion has it"
    told = stage.path("pelvis")
    times = np.array(stage.edit["samples"])
    expected = [np.interp(stage.moment, times, told[:, k]) for k in range(3)]
    assert np.linalg.norm(stage.place("pelvis") - expected) < SEEN
    stage.press("Home")
    stage.until("the start", lambda: stage.moment == 0.0)
    stage.press("Space")
    stage.until("it plays by itself", lambda: stage.moment > 0.2)
    stage.press("Space")
    stage.click("edit-close")
    stage.shows("time-area")
    stage.until("it is closed", lambda: not stage.edit["open"])
    stage.press("Control+z")
    stage.until("undo brings it back", lambda: stage.edit["open"])


def test_dragging_at_a_moment_changes_the_whole_motion_and_is_undone_to_the_last_bit(stage):
    stage.open_here(0.8)
    before = stage.edit
    stage.scrub(0.6)
    chest = stage.place("chest")
    start = stage.pixel(chest)
    stage.take_hold(start, (start[0] + 40, start[1] - 30))
    stage.until("a hand holds it", lambda: stage.edit["held"])
    stage.until("the motion follows", lambda: np.linalg.norm(stage.place("chest") - chest) > 0.05)
    assert len(stage.edit["before"]) == len(stage.edit["poses"]), "what it was is kept for the eye"
    stage.let_go()
    stage.rests()
    after = stage.edit
    moved = np.linalg.norm(
        (np.array(after["poses"]) - before["poses"]).reshape(-1, before["bodies"], 7)[:, :, :3], axis=2
    )
    assert moved.max(axis=1).min() > 1e-3, "every moment of the motion has changed"
    label = stage.until("one step of undo", lambda: stage.doc["undo"])
    assert "drag" in label
    stage.press("Control+z")
    stage.until("as it was", lambda: stage.edit["poses"] == before["poses"])
    stage.press("Control+Shift+z")
    stage.until("and again", lambda: stage.edit["poses"] == after["poses"])


def test_escape_takes_a_drag_back(stage):
    stage.open_here(0.8)
    before, label = stage.edit["poses"], stage.doc["undo"]
    stage.scrub(0.6)
    chest = stage.place("chest")
    start = stage.pixel(chest)
    stage.take_hold(start, (start[0] + 40, start[1] - 30))
    stage.until("the motion follows", lambda: np.linalg.norm(stage.place("chest") - chest) > 0.05)
    stage.press("Space")
    stage.drawn()
    assert stage.moment == pytest.approx(0.6, abs=0.01), "what is held is of this moment"
    stage.press("Escape")
    stage.rests()
    stage.until("as it was", lambda: stage.edit["poses"] == before)
    stage.let_go()
    assert stage.doc["undo"] == label, "and nothing else was taken back"


def test_what_is_nailed_stays_while_something_else_is_dragged(stage):
    stage.open_here(0.8)
    stage.scrub(0.3)
    head = stage.place("head", (0.0, 0.1, 0.0))
    stage.page.mouse.dblclick(*stage.pixel(head))
    nail = stage.until("a nail", lambda: stage.edit["nails"])[0]
    assert nail["kind"] == "point"
    assert nail["time"] == pytest.approx(0.3, abs=0.01)
    stage.shows("nail-menu")
    stage.press("Escape")
    stage.lacks("nail-menu")
    stage.scrub(0.7)
    pelvis = stage.place("pelvis")
    start = stage.pixel(pelvis)
    stage.take_hold(start, (start[0] + 30, start[1]))
    stage.until("the motion follows", lambda: np.linalg.norm(stage.place("pelvis") - pelvis) > 0.03)
    stage.let_go()
    stage.rests()
    stage.until("the nail is met", lambda: stage.edit["nails"][0]["error"] <= stage.edit["done"])
    stage.page.get_by_test_id(f"nail-mark-{nail['id']}").click()
    stage.until("its moment is looked at", lambda: abs(stage.moment - nail["time"]) < 1e-6)
    stage.press("Delete")
    stage.until("it is out", lambda: not stage.edit["nails"])


def test_a_nail_wants_another_thing_at_another_time(stage):
    stage.open_here(0.8)
    stage.scrub(0.4)
    stage.press("n")
    stage.page.mouse.click(*stage.pixel(stage.place("chest")))
    nail = stage.until("a nail", lambda: stage.edit["nails"])[0]
    stage.shows("nail-menu")
    stage.click("nail-center")
    stage.until("of the whole", lambda: stage.edit["nails"][0]["kind"] == "center")
    stage.click("nail-point")
    stage.until("of a body again", lambda: stage.edit["nails"][0]["kind"] == "point")
    assert stage.edit["nails"][0]["body"] == nail["body"]
    assert stage.edit["nails"][0]["point"] == pytest.approx(nail["point"])
    stage.click("nail-velocity")
    stage.until("a velocity", lambda: stage.edit["nails"][0]["kind"] == "velocity")
    assert stage.edit["nails"][0]["error"] < 1e-6, "as it is"
    field = stage.page.get_by_test_id("nail-time")
    field.fill("5")
    field.press("Enter")
    stage.shows("toast", "out of range")
    assert stage.edit["nails"][0]["time"] == pytest.approx(nail["time"]), (
        "what cannot be is not taken for something else"
    )
    stage.click("nail-close")
    mark = stage.resting_box(f"nail-mark-{nail['id']}")
    middle = (mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    stage.take_hold(middle, (middle[0] + 60, middle[1]))
    stage.let_go()
    stage.until("it is wanted later", lambda: stage.edit["nails"][0]["time"] > 0.42)
    assert stage.edit["nails"][0]["id"] == nail["id"]
    stage.rests()
    stage.shows("edit-state", "is met")


def test_what_cannot_be_is_said_and_leaves_the_motion(stage):
    stage.open_here(0.8)
    before = stage.edit["poses"]
    stage.click("tab-freedom")
    stage.click("mask-all")
    stage.until("nothing may change", lambda: stage.edit["columns"] == 0)
    stage.scrub(0.6)
    start = stage.pixel(stage.place("chest"))
    stage.take_hold(start, (start[0] + 40, start[1] - 30))
    stage.shows("banner-impossible")
    stage.let_go()
    stage.rests()
    assert stage.edit["poses"] == before
    stage.click("mask-body-pelvis")
    stage.until("the pelvis may move", lambda: stage.edit["columns"] == 12)
    stage.click("mask-pelvis-velocity")
    stage.until("all but its velocity", lambda: stage.edit["columns"] == 9)
    stage.press("Control+z")
    stage.until("again", lambda: stage.edit["columns"] == 12)


def test_a_grip_is_put_in_moved_and_taken_out(stage):
    stage.open_here(0.8)
    stage.scrub(0.4)
    stage.page.mouse.click(*stage.pixel(stage.place("left_hand")))
    stage.until("something is selected", lambda: stage.value("selected") >= 0)
    stage.click("edit-grip")
    grip = stage.until("a grip", lambda: stage.edit["transitions"])[0]
    assert grip["kind"] == "grip"
    assert grip["time"] == pytest.approx(0.4, abs=0.01)
    stage.scrub(0.2)
    assert stage.page.get_by_test_id("edit-grip").get_attribute("aria-disabled") == "true", "it grips later already"
    mark = stage.resting_box("transition-0")
    middle = (mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    stage.take_hold(middle, (middle[0] + 70, middle[1]))
    stage.let_go()
    stage.until("it grips later", lambda: stage.edit["transitions"][0]["time"] > 0.43)
    stage.scrub(0.7)
    stage.click("edit-letGo")
    stage.until("and lets go", lambda: [each["kind"] for each in stage.edit["transitions"]] == ["grip", "release"])
    stage.page.get_by_test_id("transition-1").hover()
    stage.click("cut-1")
    stage.until("it does not let go", lambda: len(stage.edit["transitions"]) == 1)


def test_done_keeps_the_motion_as_a_take_to_direct_from(stage):
    stage.open_here(0.5)
    told = stage.path("pelvis")
    stage.click("edit-keep")
    stage.shows("time-area")
    stage.until("it is closed", lambda: not stage.edit["open"])
    stage.until("a lane", lambda: stage.doc["lanes"])
    assert stage.doc["lanes"][-1]["end"] - stage.doc["lanes"][-1]["begin"] == pytest.approx(0.5, abs=0.02)
    stage.press("Home")
    stage.until("its start is drawn", lambda: np.linalg.norm(Stage.place(stage, "pelvis") - told[0]) < 1e-3)


def test_every_key_and_the_palette_reach_it(stage):
    stage.press("e")
    stage.shows("edit-entrance")
    stage.press("e")
    stage.lacks("edit-entrance")
    stage.press("e")
    stage.shows("edit-entrance")
    stage.press("Escape")
    stage.lacks("edit-entrance")
    stage.press("Control+k")
    stage.page.get_by_test_id("palette-query").fill("edit the motion")
    stage.page.evaluate("addEventListener('click', () => (window.wasClicked = true), true)")
    stage.press("Enter")
    stage.shows("edit-entrance")
    expect(stage.page.get_by_test_id("edit-open-here")).to_be_focused()
    assert not stage.page.evaluate("window.wasClicked"), "the key that chose the command has not pressed what it opened"


def test_a_body_is_turned_by_rolling_it_and_by_its_rings(stage):
    stage.open_here(0.8)
    stage.scrub(0.5)
    stage.press("r")
    pelvis = stage.index("pelvis")

    def turn() -> Rotation:
        return Rotation.from_quat(stage.page.evaluate(SHOWN, pelvis)[3:])

    before = turn()
    start = stage.pixel(stage.place("pelvis"))
    stage.take_hold(start, (start[0] + 25, start[1]))
    stage.until("it turns", lambda: (turn() * before.inv()).magnitude() > 0.1)
    stage.let_go()
    stage.rests()
    assert "drag" in stage.doc["undo"]
    stage.page.mouse.move(5, 5)
    assert stage.page.evaluate(
        "window.stringless.viewer.stage.children.some((each) => each.visible && each.paths?.length === 3)"
    )


def test_a_joint_is_bent_by_rolling_its_body(stage):
    stage.open_here(0.8)
    stage.scrub(0.5)
    stage.press("r")
    hint = stage.page.get_by_test_id("hint")

    def in_sight(body: str) -> bool:
        stage.page.mouse.move(*stage.pixel(stage.place(body)))
        stage.drawn()
        return f"turn the {body.replace('_', ' ')} at its joint" in (hint.text_content() or "")

    limbs = ("head", "left_forearm", "right_forearm", "left_shin", "right_shin", "left_thigh", "right_thigh", "chest")
    limb = next(body for body in limbs if in_sight(body))
    own = stage.index(limb)
    parent = stage.value("scene")["bodies"][own]["parent"]

    def bend() -> Rotation:
        base, body = (Rotation.from_quat(stage.page.evaluate(SHOWN, each)[3:]) for each in (parent, own))
        return base.inv() * body

    before = bend()
    start = stage.pixel(stage.place(limb))
    stage.take_hold(start, (start[0] + 20, start[1] - 30))
    stage.until("it bends", lambda: (bend() * before.inv()).magnitude() > 0.03)
    stage.let_go()
    stage.rests()
    stage.shows("edit-state")


def test_a_stretch_of_the_take_is_edited_and_goes_back_to_it(stage):
    stage.run_to(0.6, 2.0)
    stage.click("workspace-edit")
    stage.shows("edit-entrance")
    end = stage.page.get_by_test_id("edit-to")
    end.fill(end.input_value())
    end.press("Enter")
    assert stage.page.get_by_test_id("toast").count() == 0, "what is shown may be typed"
    stage.page.get_by_test_id("edit-from").fill("0.1")
    stage.page.get_by_test_id("edit-from").press("Enter")
    stage.click("edit-open-take")
    stage.until("it is open", lambda: (stage.edit or {}).get("open"), patience=600.0)
    assert stage.edit["begin"] == pytest.approx(0.1, abs=0.02)
    stage.scrub(0.3)
    chest = stage.place("chest")
    start = stage.pixel(chest)
    stage.take_hold(start, (start[0] + 30, start[1]))
    stage.until("the motion follows", lambda: np.linalg.norm(stage.place("chest") - chest) > 0.03)
    stage.let_go()
    stage.rests()
    wanted = stage.path("chest")[-1]
    lanes = len(stage.doc["lanes"])
    stage.click("edit-keep")
    stage.until("a lane more", lambda: len(stage.doc["lanes"]) > lanes and not stage.edit["open"])
    end = stage.doc["lanes"][-1]["end"]
    stage.page.evaluate(
        "([time, lane]) => window.stringless.act('go_to', { time, lane })", [end, stage.doc["lanes"][-1]["id"]]
    )
    stage.until("its end is drawn", lambda: np.linalg.norm(Stage.place(stage, "chest") - wanted) < 1e-3)


def test_who_watches_sees_the_motion_and_cannot_drag_it(stage, new_page, studio: Studio):
    stage.open_here(0.8)
    other = new_page()
    show(other, studio, "?watch")
    watcher = Editing(other)
    watcher.until("the motion is there", lambda: (watcher.edit or {}).get("open"))
    watcher.shows("edit-area")
    watcher.scrub(0.6)
    before = watcher.edit["revision"]
    start = watcher.pixel(watcher.place("chest"))
    watcher.take_hold(start, (start[0] + 40, start[1] - 30))
    watcher.let_go()
    watcher.page.wait_for_timeout(300)
    assert watcher.edit["revision"] == before
    assert stage.moment == 0.0, "everybody looks at a moment of their own"
