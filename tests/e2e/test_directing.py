"""Directing by hand, in a real browser."""

from __future__ import annotations

import numpy as np
import pytest

from stage import Stage

HEAD, TAIL, END = "bone_0", "bone_6", (0.04, 0.0, 0.0)


@pytest.fixture
def stage(lying):
    return lying


def test_the_head_follows_the_pointer(stage):
    before = stage.head
    start = stage.pixel(before)
    stage.watch()
    stage.pull(start, (start[0] + 40, start[1] - 90))
    goal = stage.until("a goal in the document", lambda: stage.doc["goals"])[0]
    assert goal["kind"] == "drag"
    assert goal["bone"] == HEAD
    assert goal["held"]

    def target():
        goals = stage.until("the goal in a frame", lambda: stage.frame["goals"])
        return np.array(goals[0][4:7])

    stage.until(
        "the target is where the pointer is, not where the bone was", lambda: np.linalg.norm(target() - before) > 0.05
    )
    wanted = target()
    way = np.linalg.norm(wanted - before)
    stage.until(
        "the head comes half the way to the pointer at least",
        lambda: np.linalg.norm(stage.seen(HEAD, (-0.04, 0.0, 0.0)) - wanted, axis=1).min() < 0.5 * way,
    )
    stage.let_go()
    stage.until("the goal ends with the hand", lambda: not stage.doc["goals"])


def test_pulled_up_quickly_it_jumps(stage):
    start = stage.pixel(stage.head)
    stage.watch()
    stage.pull(start, (start[0] + 10, start[1] - 200), steps=6)
    stage.until("it is in the air", lambda: stage.page.evaluate("window.seen.some((frame) => frame.contacts === 0)"))
    stage.let_go()


def test_a_drag_is_undone_as_a_whole_and_done_again(stage):
    began, before = stage.frame["time"], stage.head
    start = stage.pixel(before)
    stage.pull(start, (start[0], start[1] - 120))
    stage.until("the head rises", lambda: stage.head[1] > before[1] + 0.03)
    stage.let_go()
    stage.until("time passes", lambda: stage.status["mode"] == "live")
    stage.press("Space")
    stage.until("it stands", lambda: stage.status["mode"] == "paused")
    stage.until("the goal ends with the hand", lambda: not stage.doc["goals"])
    label = stage.until("the drag can be undone", lambda: stage.doc["undo"])
    assert "drag" in label
    assert HEAD in label
    stage.press("Control+z")
    stage.until("back at the beginning of the drag", lambda: stage.frame["time"] == pytest.approx(began, abs=0.01))
    stage.until("the head as it was", lambda: np.abs(stage.head - before).max() < 1e-3)
    stage.press("Control+Shift+z")
    stage.until("done again", lambda: stage.head[1] > before[1] + 0.03)


def test_a_pinned_tail_stays_while_the_head_is_dragged(stage):
    stage.press("n")
    tail = stage.place(TAIL, END)
    stage.page.mouse.click(*stage.pixel(tail))
    stage.until("a pin", lambda: [goal for goal in stage.doc["goals"] if goal["kind"] == "pin"])
    stage.press("Escape")
    stage.press("b")
    before = stage.head
    start = stage.pixel(before)
    stage.watch()
    stage.pull(start, (start[0], start[1] - 40), steps=4)

    def rise():
        return np.flatnonzero(stage.seen(HEAD, (-0.04, 0.0, 0.0))[:, 1] > before[1] + 0.015)

    first = stage.until("the head rises", lambda: list(rise()))[0]
    assert np.linalg.norm(stage.seen(TAIL, END)[: first + 1] - tail, axis=1).max() < 0.02, "the pin holds meanwhile"
    stage.until("both goals", lambda: {goal["kind"] for goal in stage.doc["goals"]} == {"pin", "drag"})
    stage.let_go()


def test_the_centre_of_gravity_is_dragged(stage):
    stage.press("c")
    center = np.array(stage.frame["center"][:3])
    start = stage.pixel(center)
    stage.pull(start, (start[0] + 60, start[1] - 40))
    goal = stage.until("a goal", lambda: stage.doc["goals"])[0]
    assert goal["kind"] == "center"
    stage.until("it moves", lambda: np.linalg.norm(np.array(stage.frame["center"][:3]) - center) > 0.005)
    stage.let_go()
    stage.until("the goal ends", lambda: not stage.doc["goals"])


def ring(stage: Stage) -> tuple[float, float]:
    """A pixel at which the page says that a drag would turn the character."""
    x, y = stage.pixel(stage.frame["center"][:3])
    hint = stage.page.get_by_test_id("hint")
    for radius in range(30, 330, 4):
        for spot in ((x + radius, y), (x, y - radius)):
            stage.page.mouse.move(*spot)
            stage.drawn()
            if "turn" in (hint.text_content() or "").lower():
                return spot
    raise AssertionError("no ring was found to turn the character with")


def test_the_whole_character_is_turned(stage):
    stage.press("r")
    before = stage.turn("bone_3")
    start = ring(stage)
    stage.pull(start, (start[0] + 50, start[1] + 60))
    goal = stage.until("a goal", lambda: stage.doc["goals"])[0]
    assert goal["kind"] == "turn"
    assert goal["turns"]

    def at_work():
        """It is on its way; or it has arrived, if this looks late."""
        goals = stage.frame["goals"]
        turned = (stage.turn("bone_3") * before.inv()).magnitude()
        return goals and (abs(goals[0][7]) > 0.02 or turned > 0.02)

    stage.until("it tries", at_work)
    stage.let_go()
    stage.until("the goal ends", lambda: not stage.doc["goals"])


def test_a_joint_goes_limp_and_works_again(stage):
    def limp():
        root = "bone_3"  # it moves freely, nothing drives it at any time
        return [
            joint["name"] for joint in stage.doc["joints"] if joint["state"] != "directed" and joint["name"] != root
        ]

    start = stage.pixel(stage.head)
    stage.take_hold(start, (start[0], start[1] - 20), steps=2)
    stage.until("its joints are directed", lambda: not limp())
    stage.let_go()
    stage.act("pause")
    stage.press("l")
    spot = stage.pixel(stage.place("bone_2", (-0.03, 0.0, 0.0)))
    stage.page.mouse.click(*spot)
    assert stage.until("a limp joint", limp) == ["bone_2"]
    stage.page.mouse.click(*spot)
    stage.until("it works again", lambda: not limp())


def test_a_drag_on_nothing_looks_around(stage):
    box = stage.page.get_by_test_id("stage").bounding_box()
    spot = (box["x"] + 60, box["y"] + 60)
    before = stage.pixel((0.0, 0.0, 0.3))
    stage.take_hold(spot, (spot[0] + 120, spot[1] + 20))
    stage.let_go()
    stage.until("the view turned", lambda: np.hypot(*np.subtract(stage.pixel((0.0, 0.0, 0.3)), before)) > 5)
    assert not stage.doc["goals"]


def test_what_a_click_would_do_is_said_before(stage):
    stage.page.mouse.move(*stage.pixel(stage.head))
    hint = stage.page.get_by_test_id("hint")
    stage.until("a hint", lambda: "drag" in (hint.text_content() or "").lower())
