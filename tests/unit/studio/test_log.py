"""The log says in Python what was done; many moves become few lines, and what it says can be run."""

from __future__ import annotations

import pytest

from stringless.project import Project
from stringless.studio.builders.log import LogBuilder


@pytest.fixture
def project():
    with Project.create("double_pendulum") as project:
        yield project


def test_moves_of_a_drag_are_thinned(project):
    book = LogBuilder(project)
    goal = project.do("goal", kind="drag", bone="link_1", target=[0.5, -0.5, 0.0])
    for k in range(100):
        project.do("move_goal", goal=goal, target=[0.5, -0.5 + 0.001 * k, 0.0])
        project.advance(10)
        book.list_new_lines(resting=False)
    project.do("release_goal", goal=goal)
    book.list_new_lines(resting=True)
    lines = list(book.lines)
    moves = [line for line in lines if "move_goal" in line]
    assert 3 <= len(moves) <= 6
    assert "target=[0.5, -0.401, 0.0]" in moves[-1]
    steps = sum(int(line.split("steps=")[1].rstrip(")")) for line in lines if "advance" in line)
    assert steps == 1000
    assert lines[-1] == f"project.do('release_goal', goal={goal})"


def test_the_lines_can_be_run(project):
    book = LogBuilder(project)
    goal = project.do("goal", kind="drag", bone="link_1", target=[0.5, -0.5, 0.0])
    project.advance(100)
    project.advance(50)
    book.list_new_lines(resting=False)
    project.advance(25)
    project.do("release_goal", goal=goal)
    project.do("mark", name="there")
    book.list_new_lines(resting=True)
    with Project.create("double_pendulum") as other:
        for line in book.lines:
            eval(line, {"project": other})
        assert other.sim.q.tolist() == project.sim.q.tolist()
        assert other.markers == project.markers
    again = LogBuilder(project)
    assert list(again.lines) == list(book.lines)
    assert again.list_new_lines(resting=True) == []


def test_two_goals_that_move_in_turn_keep_both(project):
    book = LogBuilder(project)
    goals = [project.do("goal", kind="drag", bone=bone, target=[0.3, -0.3, 0.0]) for bone in ("link_0", "link_1")]
    for goal in goals:
        project.do("move_goal", goal=goal, target=[0.4, -0.3, 0.0])
    lines = book.list_new_lines(resting=True)
    assert [line for line in lines if "move_goal" in line] == [
        f"project.do('move_goal', goal={goal}, target=[0.4, -0.3, 0.0])" for goal in goals
    ]
