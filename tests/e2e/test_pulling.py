"""Pulling a robot by its hand, in a real browser: the force is shown, and switching the springs of its joints off is felt."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from stage import Stage
from studios import show

HAND, GRIP = "left_hand", (0.0, -0.05, 0.0)


@pytest.fixture
def robot(page, studio) -> Stage:
    """The robot, opened from the gallery, with its arms lowered."""
    show(page, studio)
    stage = Stage(page)
    stage.until("the right to direct", lambda: stage.value("directing"))
    stage.click("open-gallery")
    page.get_by_test_id("gallery-robot").click()
    stage.until("the robot", lambda: (stage.value("scene") or {}).get("name") == "robot" and stage.frame)
    stage.until("its physics", lambda: stage.status["preparing"] is None, 600.0)
    stage.settle(2.0)
    stage.act("speed", rate=1.0)
    return stage


def force(stage: Stage) -> float:
    """What the hand feels, as the stage says it [N]."""
    label = stage.shows("force")
    number = stage.until("a force", lambda: re.fullmatch(r"([\d.]+) (k?)N", label.text_content() or ""))
    return float(number[1]) * (1000 if number[2] else 1)


def pull(stage: Stage) -> None:
    """Take the hand up and aside, and hold it there."""
    start = stage.pixel(stage.place(HAND, GRIP))
    stage.take_hold(start, (start[0] + 110, start[1] - 140), steps=15)
    stage.until("a spring that pulls", lambda: stage.frame["goals"] and np.any(stage.frame["goals"][0][8:]))
    began = stage.frame["time"]
    stage.until("it has come to rest", lambda: stage.frame["time"] > began + 2.0)


def picture(stage: Stage, name: str) -> None:
    """Kept where somebody wants to look at it."""
    folder = os.environ.get("STRINGLESS_PICTURES")
    if folder:
        stage.page.screenshot(path=Path(folder) / f"{name}.png")


def test_the_force_is_shown_and_the_arm_goes_limp_without_springs(robot):
    stage = robot
    assert stage.doc["engine"] == "stiff"
    assert stage.page.get_by_test_id("force").count() == 0
    pull(stage)
    row = np.array(stage.frame["goals"][0])
    held = force(stage)
    assert held > 50.0
    assert held == pytest.approx(np.linalg.norm(row[8:]), rel=0.05), "the label says what the frame says"
    stage.shows("hint", "Pulling")
    picture(stage, "pulled")
    elbow = stage.place("left_forearm")

    stage.press("j")
    stage.until("the springs are off", lambda: stage.doc["parameters"]["joint_springs"] == 0)
    stage.page.get_by_test_id("banner-limp").wait_for()
    began = stage.frame["time"]
    stage.until("the arm hangs", lambda: stage.frame["time"] > began + 3.0)
    assert force(stage) < 0.4 * held
    assert np.linalg.norm(stage.place("left_forearm") - elbow) > 0.02
    assert stage.frame["goals"][0][7] < 0.02, "the hand is still held"
    picture(stage, "limp")

    stage.let_go()
    stage.lacks("force")
    stage.click("springs-on")
    stage.until("the springs are on again", lambda: stage.doc["parameters"]["joint_springs"] == 1)


def test_the_panel_has_what_the_engine_uses_and_nothing_else(robot):
    stage, page = robot, robot.page
    stage.click("tab-physics")
    expect(page.get_by_test_id("engine")).to_have_text("Stiff")
    expect(page.get_by_test_id("parameter-newton")).to_have_count(1)
    assert page.get_by_text("Substeps", exact=True).count() == 0
    assert page.get_by_text("Limit stiffness", exact=True).count() == 0
    stage.click("joint-springs")
    stage.until("off", lambda: stage.doc["parameters"]["joint_springs"] == 0)
    stage.click("springs")
    stage.until("on", lambda: stage.doc["parameters"]["joint_springs"] == 1)
    stage.click("tab-goals")
    stage.lacks("parameter-newton")  # the other panel has gone
    assert page.get_by_test_id("style-torque").count() == 0
    page.get_by_test_id("mode-bone").hover()
    page.get_by_text("pulls from outside, by a spring").first.wait_for()

    stage.act("new", scene="finger")
    stage.until("a scene of the other engine", lambda: stage.doc["engine"] == "reduced")
    page.get_by_test_id("style-torque").wait_for()
    stage.lacks("springs")
    stage.click("tab-physics")
    page.get_by_text("Substeps", exact=True).wait_for()
    expect(page.get_by_test_id("engine")).to_have_text("Reduced")
    stage.lacks("parameter-newton")
