"""Pulling by hand where the stiff engine runs: a drag is a spring, and what the hand feels is told."""

from __future__ import annotations

import numpy as np
import pytest

from sessions import studio

HAND = "left_hand"


@pytest.fixture
def robot(tmp_path):
    with studio(tmp_path, "robot") as (session, page):
        page.do("live")
        page.until(1.0)
        page.do("pause")
        yield session, page


def where(session, bone=HAND):
    sim = session.state.project.sim
    return sim.body_poses().position[sim.model.body(bone).index]


def go_on(page, seconds):
    """Let time pass; a hand that has taken hold has set it going."""
    page.until(page.frame.time + seconds)


def settled(page):
    """The goal's row once nothing changes any more."""

    def calm():
        rows = [moment.goals[0] for moment in page.audience.frames[-20:] if len(moment.goals)]
        return len(rows) == 20 and bool(np.abs(np.diff(rows, axis=0)).max() < 1e-3)

    page.audience.wait(calm)
    return page.frame.goals[0]


def test_the_document_says_which_engine_and_step(robot):
    _, page = robot
    assert (page.document.engine, page.document.step) == ("stiff", pytest.approx(1 / 60))
    assert {"goals", "loops"} <= set(page.document.supports)
    assert "actuated_goals" not in page.document.supports
    assert page.document.parameters["dt"] == page.document.step
    page.do("configure", dt=0.03)
    page.audience.wait(lambda: page.document.parameters["dt"] == 0.03)
    assert page.document.step == pytest.approx(1 / 60), "what it is made for stays"


def test_a_hand_feels_the_spring_it_pulls_by_until_it_lets_go(robot):
    session, page = robot
    began, start = page.frame.time, where(session)
    goal = page.grab(bone=HAND, point=(0.0, -0.05, 0.0), target=tuple(start + [0.1, 0.2, 0.1]))
    row = settled(page)
    number, place, target, distance, force = row[0], row[1:4], row[4:7], row[7], row[8:]
    assert number == goal
    assert distance == pytest.approx(np.linalg.norm(target - place), rel=1e-3)
    size = np.linalg.norm(force)
    assert size > 20.0, "joint springs resist"
    assert force / size == pytest.approx((target - place) / distance, abs=0.01), "a spring pulls toward the pointer"
    page.release()
    page.audience.wait(lambda: len(page.frame.goals) == 0)
    page.do("pause")
    assert page.do("undo") == f"drag {HAND}"
    page.audience.wait(lambda: abs(page.frame.time - began) < 0.02)
    assert where(session) == pytest.approx(start, abs=1e-3)


def test_springs_switched_off_under_the_pull_let_the_arm_go_limp(robot):
    session, page = robot
    page.grab(bone=HAND, target=tuple(where(session) + [0.2, 0.3, 0.2]))
    held = np.linalg.norm(settled(page)[8:])
    elbow = where(session, "left_forearm")
    page.do("configure", joint_springs=0.0)
    go_on(page, 3.0)
    later = page.frame.time
    go_on(page, 3.0)
    felt = [moment.goals[0, 8:] for moment in page.audience.frames if moment.time > later]
    limp = np.linalg.norm(felt, axis=1).mean()
    assert limp < 0.2 * held, "only the weight of the arm is left to hold"
    assert limp > 5.0, "and that is there"
    assert np.linalg.norm(where(session, "left_forearm") - elbow) > 0.02
    page.release()


def test_no_force_is_told_where_characters_move_by_themselves(tmp_path):
    with studio(tmp_path, "finger") as (_, page):
        assert (page.document.engine, page.document.step) == ("reduced", 1e-3)
        page.grab(bone="distal", target=(0.3, 0.3, 0.0))
        page.audience.wait(lambda: len(page.frame.goals) and page.frame.goals[0, 7] > 0.01)
        go_on(page, 0.1)
        assert not page.frame.goals[:, 8:].any()
        page.release()


def test_a_scene_may_be_run_by_another_engine(tmp_path):
    with studio(tmp_path, "double_pendulum", settings={"engine": "stiff", "dt": 0.01}) as (session, page):
        assert (page.document.engine, page.document.parameters["dt"]) == ("stiff", 0.01)
        page.do("live")
        page.until(0.2)
        assert session.state.project.sim.state.kept.any()
        page.do("open", source="double_pendulum")
        page.audience.wait(lambda: page.document.engine == "reduced")


@pytest.mark.parametrize("scene", ["hanging_chain", "bar"])
def test_scenes_of_the_engine_open_and_run_and_can_be_pulled(tmp_path, scene):
    with studio(tmp_path, scene) as (session, page):
        assert page.document.engine == "stiff"
        sim = session.state.project.sim
        bone = sim.model.bodies[-1].name
        page.grab(bone=bone, target=tuple(where(session, bone) + [0.1, 0.0, 0.1]))
        go_on(page, 0.5)
        assert np.linalg.norm(page.frame.goals[0, 8:]) > 0.01
        assert page.status.trouble == ""
        page.release()
