"""Commands that hands and keys need, and performances in a project."""

from __future__ import annotations

import numpy as np
import pytest

import stringless as sl
from stringless.errors import InputError
from stringless.performances import PERFORMANCES
from stringless.project import Project
from stringless.scenes import load_scene


@pytest.fixture
def project():
    with Project.create("double_pendulum") as project:
        yield project


def test_a_key_is_copied(project):
    track = project.do("track")
    project.do("set_key", track=track, time=0.0, pose=[0.1, 0.2])
    project.do("set_key", track=track, time=1.0, pose=[0.3, 0.4])
    assert project.do("copy_key", track=track, key=0, time=2.0) == 2
    keys = project.sim.director.track(track)
    assert keys.times == [0.0, 1.0, 2.0]
    assert keys.poses[2].tolist() == [0.1, 0.2]
    assert project.do("copy_key", track=track, key=0, time=1.0) == 1  # in place of the one there
    assert project.undo() == "copy a key"
    assert project.sim.director.track(track).poses[1].tolist() == [0.3, 0.4]
    with pytest.raises(InputError, match="there is no key 9; the track has 3"):
        project.do("copy_key", track=track, key=9, time=0.5)


def test_goals_are_moved_and_turned():
    with Project.create("worm_tilted") as project:
        turn = project.do("goal", kind="turn")
        drag = project.do("goal", kind="drag", bone="bone_6", orientation=[0, 0, 0, 1])
        pose = project.do("goal", kind="pose")
        wanted = [0.0, 0.6, 0.0, 0.8]
        project.do("move_goal", goal=turn, orientation=wanted)
        project.do("move_goal", goal=drag, target=[0.1, 0.2, 0.3], orientation=wanted)
        director = project.sim.director
        assert director.goal(turn).orientation == pytest.approx(wanted)
        assert director.goal(drag).orientation == pytest.approx(wanted)
        assert director.goal(drag).target == pytest.approx([0.1, 0.2, 0.3])
        for goal, arguments, text in (
            (turn, {"target": [0, 0, 0]}, "a turn has no target in space"),
            (pose, {"orientation": wanted}, "a pose has no orientation"),
            (drag, {}, "neither a target nor an orientation"),
        ):
            with pytest.raises(InputError, match=text):
                project.do("move_goal", goal=goal, **arguments)
        project.undo()
        assert director.goal(drag).orientation == pytest.approx([0, 0, 0, 1])


def test_a_step_beyond_all_reason_is_refused(project):
    with pytest.raises(InputError, match="dt is 0.5 s; expected at most 0.1 s"):
        project.do("configure", dt=0.5)
    assert project.sim.config.dt == 0.001
    project.do("configure", dt=0.002)


def test_to_look_at_the_flesh_does_not_begin_another_lane():
    sim = sl.Simulation(sl.load("worm"))
    for _ in range(5):
        sim.step(20)
        sim.energy()
        assert len(sim.flesh_positions)
    assert len(sim.take.branches) == 1


def test_a_performance_plays_in_a_project_as_it_does_by_itself():
    act = PERFORMANCES["worm_jump"]
    with Project.create(load_scene(act.scene, **act.options), **act.settings) as project:
        seen: list[float] = []
        project.watch = lambda: seen.append(project.sim.time)
        project.do("perform", name="worm_jump")
        alone = act()
        alone.perform()
        assert np.array_equal(project.sim.q, alone.sim.q)
        assert len(seen) > 50
        assert project.sim.time == pytest.approx(act.length, rel=0.2)
        assert project.undo() == "play worm_jump"
        assert project.sim.time == 0.0
        project.redo()
        assert np.array_equal(project.sim.q, alone.sim.q)
        with pytest.raises(InputError, match="plays from the start"):
            project.do("perform", name="worm_jump")
    with Project.create("pendulum") as project:
        with pytest.raises(InputError, match="plays in scene 'worm', not in 'pendulum'"):
            project.do("perform", name="worm_jump")
        with pytest.raises(InputError, match="no performance 'worm_jum'"):
            project.do("perform", name="worm_jum")
