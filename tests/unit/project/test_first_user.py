"""What a first user met."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest

import stringless as sl
from stringless.errors import InputError, ProjectError
from stringless.project import Project
from stringless.project.ghosts import Ghosts
from stringless.project.player import Player
from stringless.state import State


def same(a: State, b: State) -> bool:
    return a.time == b.time and all(getattr(a, n).tobytes() == getattr(b, n).tobytes() for n in State.arrays())


def test_numbers_of_goals_go_on_after_closing(tmp_path):
    path = tmp_path / "a.stringless"
    with Project.create("humanoid", path) as project:
        first = project.do("goal", kind="drag", bone="left_hand")
        project.do("release_goal", goal=first)
    with Project.open(path) as project:
        second = project.do("goal", kind="pin", bone="left_hand")
        assert second > first
        track = project.do("track")
        project.do("set_key", track=track, time=0.0)
        program, document = project.script(), project.document
    space: dict = {}
    exec(compile(program, "script", "exec"), space)
    assert space["project"].document == document
    space["project"].close()


@pytest.mark.parametrize("command", ["edit_body", "gravity"])
def test_a_scene_edit_before_closing_does_not_change_what_was(tmp_path, command):
    path = tmp_path / "a.stringless"
    change = {"body": "bone_0", "mass": 0.08} if command == "edit_body" else {"gravity": [0.0, -1.0, 0.0]}
    with Project.create("worm", path) as project:
        project.do("advance", steps=14)
        project.do(command, **change)
        state, fork = project.sim.save(), project.sim.fork()
    with Project.open(path) as again:
        assert same(again.sim.state, state)
        again.do("advance", steps=30)
        fork.step(30)
        assert same(again.sim.state, fork.state)
        assert again.take.branch(2).parent == 1


def test_a_function_leads_on_wherever_one_has_been_meanwhile():
    sim = sl.Simulation(sl.load("humanoid"))
    sim.step(50)
    goal = sim.director.drag("left_hand")
    here = goal.position
    sim.step(30)
    goal.target = lambda t: here + [0.0, 0.1 * math.sin(9 * t), 0.0]
    sim.step(100)
    end = sim.save()
    for times in ((0.04, 0.1), (0.06, 0.1), (0.07, 0.02, 0.12)):
        for time in times:
            sim.go_to(time, 1)
        sim.step(180 - round(times[-1] * 1000))
        assert same(sim.state, end), times
    sim.go_to(0.06, 1)
    assert goal.follower.path is None, "at that time it stood"


def test_what_is_refused_moves_nothing(tmp_path):
    path = tmp_path / "a.stringless"
    with Project.create("pendulum", path) as project:
        project.do("advance", steps=10)
    with pytest.raises(ProjectError, match="closed"):
        project.do("advance", steps=10)
    assert project.position.step == 10
    with Project.open(path, readonly=True) as looked:
        with pytest.raises(ProjectError, match="readonly"):
            looked.do("advance", steps=10)
        with pytest.raises(ProjectError, match="readonly"):
            looked.undo()
        assert looked.position.step == 10


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("advance", {"seconds": "1"}),
        ("advance", {"seconds": math.inf}),
        ("go_to", {"time": None}),
        ("go_to", {"time": 0.05, "lane": []}),
        ("goal", {"kind": None}),
        ("mark", {"name": None}),
        ("mark", {"name": "m", "time": "x"}),
        ("rename_lane", {"lane": 1, "name": None}),
        ("join", {"pieces": 5}),
        ("gravity", {"gravity": None}),
        ("change", {"patch": "x"}),
    ],
)
def test_arguments_of_a_wrong_kind_are_refused_in_our_words(command, arguments):
    with Project.create("pendulum") as project:
        project.do("advance", steps=100)
        document, state = project.document, project.sim.save()
        with pytest.raises(sl.StringlessError):
            project.do(command, **arguments)
        assert project.document == document
        assert same(project.sim.state, state)


def test_other_things_of_a_wrong_kind():
    with pytest.raises(ProjectError, match="expected the path"):
        Project.open(None)
    sim = sl.Simulation(sl.load("pendulum"))
    with pytest.raises(InputError, match="cannot rewind"):
        sim.rewind("x")
    with Project.create("pendulum") as project:
        with pytest.raises(InputError, match="there is no command"):
            project.do([])
        player = Player(project)
        with pytest.raises(InputError, match="nothing was recorded"):
            player.seek(0.0)
        with pytest.raises(InputError, match="nothing was recorded"):
            player.replay()
        project.do("advance", seconds=0.1)
        with pytest.raises(InputError, match="cannot look at"):
            player.seek(math.nan)
        project.do("join", pieces=[{"lane": 1, "start": 0.0, "end": 0.05}])
    ghosts = Ghosts()
    ghosts.close()
    with pytest.raises(InputError, match="was closed"):
        ghosts.request(sim)


def test_the_end_of_another_lane_is_where_single_steps_stay():
    with Project.create("pendulum") as project:
        project.do("advance", seconds=0.1)
        project.do("go_to", time=0.05)
        project.do("configure", friction=0.1)
        project.do("advance", seconds=0.03)
        player = Player(project)
        player.seek(0.09, 1)
        player.step(5)
        assert player.time == pytest.approx(0.1)
        assert player.branch == 1


def test_a_deep_copy_is_a_fork_with_a_record_of_its_own():
    sim = sl.Simulation(sl.load("worm"))
    sim.advance(0.05)
    twin = copy.deepcopy(sim)
    assert twin.model is sim.model
    sim.advance(0.05)
    twin.advance(0.05)
    assert same(sim.state, twin.state)
    assert len(list(twin.take.frames())) < len(list(sim.take.frames()))
    assert np.array_equal(sim.q, twin.q)


def test_a_deleted_lane_is_brought_back_before_it_is_gone_to():
    with Project.create("pendulum") as project:
        project.do("advance", seconds=0.1)
        project.do("go_to", time=0.05)
        project.do("configure", friction=0.1)
        project.do("advance", seconds=0.03)
        project.do("delete_lane", lane=1)
        with pytest.raises(InputError, match=r"branch 'take 1' was deleted; restore it first"):
            project.do("go_to", time=0.09, lane=1)
        assert project.position.branch == 2
        project.undo()
        project.do("go_to", time=0.09, lane=1)
        assert project.sim.time == pytest.approx(0.09)
