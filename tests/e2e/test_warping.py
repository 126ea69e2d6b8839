"""Recorded commands are stretched by hand: by the edge of the stretch, and by a number."""

from __future__ import annotations

import pytest

from stage import Stage


@pytest.fixture
def stage(lying: Stage) -> Stage:
    """The worm's head was dragged up for a while; the range is set around that."""
    start = lying.pixel(lying.head)
    lying.pull(start, (start[0], start[1] - 120))
    lying.until("up", lambda: lying.head[1] > 0.08)
    lying.let_go()
    lying.run_to(lying.frame["time"] + 0.3, 1.0)
    lying.act("speed", rate=0.25)
    return lying


def choose_range(stage: Stage) -> tuple[float, float]:
    """In and out points around the drag."""
    drag = next(span for span in stage.doc["spans"] if span["kind"] == "drag")
    ends = (drag["start"], drag["end"])
    for key, time in zip("io", ends, strict=True):
        stage.scrub(time)
        stage.press(key)
    stage.shows("range")
    return ends


def drag_edge(stage: Stage, pixels: float) -> None:
    box = stage.resting_box("warp-edge")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    stage.take_hold((x, y), (x + pixels, y))
    stage.let_go()


def test_a_stretch_is_made_longer_by_its_edge_and_shorter_by_a_number(stage: Stage) -> None:
    start, end = choose_range(stage)
    recorded = stage.status["end"]
    stage.press("w")
    stage.shows("warp-lengths", f"{end - start:.2f}")
    drag_edge(stage, 80)
    factor = float(stage.page.get_by_test_id("warp-factor").input_value())
    assert factor > 1.05
    stage.click("warp-apply")
    lanes = stage.until("the new branch", lambda: stage.doc["lanes"] if len(stage.doc["lanes"]) == 2 else None)
    stage.until("it is shown", lambda: stage.status["lane"] == lanes[1]["id"] and not stage.status["present"])
    stage.lacks("warp")
    length = stage.doc["lanes"][1]["end"] - recorded
    assert length == pytest.approx((factor - 1) * (end - start), abs=0.03)
    assert stage.frame["time"] == pytest.approx(start, abs=0.02)
    assert stage.doc["lanes"][1]["name"] == f"take 1 {factor:g}×"
    assert stage.doc["undo"] == f"warp 'take 1', {factor:g}×"

    stage.page.get_by_test_id(f"lane-{lanes[0]['id']}").click()
    stage.until("the old branch", lambda: stage.status["lane"] == lanes[0]["id"])
    stage.press("w")
    field = stage.page.get_by_test_id("warp-factor")
    field.click()
    field.fill("0.5")
    field.press("Enter")
    stage.page.get_by_test_id("warp-edge").press("Enter")
    stage.until("a third branch", lambda: len(stage.doc["lanes"]) == 3)
    stage.act("undo")
    stage.until("it is out of sight", lambda: stage.doc["lanes"][2]["deleted"])


def test_stretching_is_stopped_by_escape_and_says_why_it_cannot_begin(stage: Stage) -> None:
    stage.press("w")
    stage.shows("warp")
    assert stage.page.get_by_test_id("warp-apply").get_attribute("aria-disabled") == "true", "nothing is changed yet"
    stage.page.get_by_test_id("warp-edge").press("Escape")
    stage.lacks("warp")
    stage.press("Space")
    stage.until("live", lambda: stage.status["mode"] == "live")
    assert stage.page.get_by_test_id("warp-open").get_attribute("aria-disabled") == "true"
    stage.press("w")
    stage.lacks("warp")
    stage.press("Space")
