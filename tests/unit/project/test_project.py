"""A project: commands, undo, branches, the file, the script."""

from __future__ import annotations

import json

import numpy as np
import pytest

import stringless as sl
from stringless.errors import InputError, ProjectError
from stringless.project import Project
from stringless.project.commands import COMMANDS
from stringless.project.exports import make_clip
from stringless.state import State

BONE = "bone_6"


def same(a: State, b: State) -> bool:
    return a.time == b.time and all(getattr(a, n).tobytes() == getattr(b, n).tobytes() for n in State.arrays())


@pytest.fixture
def project(tmp_path):
    with Project.create("worm", tmp_path / "a.stringless") as made:
        yield made


def drag(project: Project) -> int:
    """A hand drags the head for a fifth of a second."""
    here = project.sim.body_poses().position[-1]
    with project.gesture("drag the head"):
        goal = project.do("goal", kind="drag", bone=BONE, target=here + [0.02, 0.02, 0.0])
        project.do("advance", seconds=0.1)
        project.do("move_goal", goal=goal, target=here + [0.05, 0.1, 0.0])
        project.do("advance", seconds=0.1)
        project.do("release_goal", goal=goal)
    return goal


def test_one_drag_is_one_step_of_undo_and_goes_back_to_its_beginning(project):
    project.do("advance", seconds=0.1)
    before = project.sim.save()
    drag(project)
    after = project.sim.save()
    project.do("advance", seconds=0.05)
    assert len(project.history.done) == 1
    assert project.undo() == "drag the head"
    assert same(project.sim.state, before)
    assert project.sim.director.goals == []
    assert project.redo() == "drag the head"
    assert same(project.sim.state, after)
    with pytest.raises(InputError, match="nothing to redo"):
        project.redo()
    project.undo()
    with pytest.raises(InputError, match="nothing to undo"):
        project.undo()


def test_changes_without_time_are_undone_where_one_is(project):
    project.do("advance", seconds=0.1)
    project.do("configure", friction=0.3, flesh={"worm": {"young": 4e4}})
    project.do("advance", seconds=0.1)
    here = project.sim.save()
    project.undo()
    assert project.sim.config.friction == 0.8
    assert same(project.sim.state, here)


def test_a_command_that_fails_changes_nothing(project):
    project.do("advance", seconds=0.05)
    before, state = project.document, project.sim.save()
    entries = list(project.store.journal())
    for command, arguments in (
        ("goal", {"kind": "drag", "bone": "nose"}),
        ("goal", {"kind": "levitate"}),
        ("set_goal", {"goal": 99, "weight": 1}),
        ("configure", {"friction": -1}),
        ("configure", {"flesh": {"worm": {"young": -5}}}),
        ("edit_joint", {"body": BONE, "damping": [-1.0]}),
        ("edit_joint", {"body": BONE, "colour": "red"}),
        ("gravity", {"gravity": [0, float("nan"), 0]}),
        ("go_to", {"time": 9.0}),
        ("rename_lane", {"lane": 1, "name": " "}),
        ("join", {"pieces": [[1, 0.0, 9.0]]}),
        ("weigh", {"weights": {BONE: 2.0, "nose": 1.0}}),
        ("advance", {"seconds": 1.0, "steps": 2}),
        ("advance", {"steps": -1}),
        ("no such", {}),
        ("style", {}),
        ("mark", {"name": "x", "time": lambda: 1}),
    ):
        with pytest.raises(sl.StringlessError):
            project.do(command, **arguments)
        assert project.document == before, command
        assert same(project.sim.state, state), command
    assert list(project.store.journal()) == entries


def test_everything_is_there_again_after_closing(tmp_path):
    path = tmp_path / "a.stringless"
    with Project.create("worm", path, dt=5e-4) as project:
        project.do("advance", seconds=0.1)
        drag(project)
        project.do("rename_lane", lane=1, name="first try")
        project.do("go_to", time=0.15)
        project.do("advance", seconds=0.1)
        project.do("mark", name="here")
        track = project.do("track")
        project.do("set_key", track=track, time=0.0)
        project.do("set_key", track=track, time=0.5, pose={"joint_2": 0.3} if "joint_2" in joints(project) else None)
        project.do("join", pieces=[[1, 0.0, 0.1], [2, 0.15, 0.2]])
        project.do("configure", friction=0.5)
        project.undo()
        document, state, position = project.document, project.sim.save(), project.position
        done, undone = list(project.history.done), list(project.history.undone)
    with Project.open(path) as again:
        assert again.recovered is None
        assert again.document == document
        assert again.position == position
        assert same(again.sim.state, state)
        assert again.history.done == done
        assert again.history.undone == undone
        again.redo()
        assert again.sim.config.friction == 0.5
        while again.history.done:
            again.undo()
        assert again.markers == []
        assert again.take.branch(1).name == "take 1"
        assert again.position.step == 200, "undoing the drag has gone back to its beginning"


def joints(project: Project) -> list[str]:
    return [joint.name for joint in project.sim.model.joints]


def test_an_opened_project_goes_on_as_if_it_had_not_been_closed(tmp_path):
    path = tmp_path / "a.stringless"
    with Project.create("worm", path) as project:
        drag(project)
        goal = project.do("goal", kind="center", target=[0.0, 0.3, 0.0], push=True)
        project.do("advance", steps=77)
    with Project.create("worm") as unbroken:
        drag(unbroken)
        assert unbroken.do("goal", kind="center", target=[0.0, 0.3, 0.0], push=True) == goal
        unbroken.do("advance", steps=177)
        with Project.open(path) as again:
            again.do("advance", steps=100)
            assert same(again.sim.state, unbroken.sim.state)
            assert len(again.take.branches) == 1


def test_the_journal_is_a_program_that_does_it_all_again(tmp_path):
    path = tmp_path / "a.stringless"
    with Project.create("worm", path, friction=0.7) as project:
        project.do("advance", seconds=0.1)
        drag(project)
        project.do("edit_joint", body=BONE, damping=[0.01])
        project.do("advance", steps=33)
        project.undo()
        project.do("go_to", time=0.2)
        project.sim.director.pin(BONE)  # past the project: noticed all the same
        project.do("advance", steps=50)
        project.undo()
        project.redo()
        program, document, state = project.script(), project.document, project.sim.save()
        lanes = {number: (lane.parent, lane.begin, lane.step) for number, lane in project.take.branches.items()}
    space: dict = {}
    exec(compile(program, "script", "exec"), space)
    again: Project = space["project"]
    assert again.document == document
    assert same(again.sim.state, state)
    assert {number: (lane.parent, lane.begin, lane.step) for number, lane in again.take.branches.items()} == lanes
    assert again.script() == program.replace("'a'", "'untitled'")
    again.close()


def test_frames_after_a_change_in_the_past_are_out_of_date(project):
    project.do("advance", seconds=0.3)
    assert project.stale_after() is None
    project.do("go_to", time=0.1)
    assert project.stale_after() is None, "nothing has changed yet"
    project.do("configure", friction=0.2)
    assert project.stale_after() == project.sim.time
    project.undo()
    assert project.stale_after() is None
    project.do("goal", kind="pin", bone=BONE)
    assert project.stale_after() == project.sim.time
    project.do("advance", seconds=0.1)
    assert project.stale_after() is None, "the lane that has begun shows what is now"
    assert project.position.branch == 2


def test_a_changed_scene_goes_on_in_a_lane_of_its_own_and_the_old_one_can_be_gone_back_to(project):
    project.do("advance", seconds=0.2)
    end = project.sim.save()
    project.do("gravity", gravity=[0.0, -1.6, 0.0])
    assert project.sim.model.gravity[1] == -1.6
    assert project.sim.time == end.time
    project.do("advance", seconds=0.1)
    assert project.take.branch(2).parent == 1
    assert project.take.branch(2).scene != project.take.branch(1).scene
    project.do("go_to", time=0.1, lane=1)
    assert project.sim.model.gravity[1] == pytest.approx(-9.81)
    project.do("go_to", time=0.2, lane=1)
    assert same(project.sim.state, end)
    project.undo()
    assert project.sim.model.gravity[1] == -1.6


def test_another_scene_begins_at_its_start(project):
    project.do("advance", seconds=0.1)
    project.do("open_scene", source="pendulum")
    assert project.sim.time == 0.0
    project.do("advance", seconds=0.1)
    assert [lane.parent for lane in project.take.branches.values()] == [None, None]
    project.undo()
    assert project.sim.scene.name == "worm"
    project.do("go_to", time=0.05, lane=1)
    project.do("advance", seconds=0.02)


def test_another_scene_brings_its_engine_and_step(project):
    project.do("open_scene", source="robot")
    assert (project.sim.config.engine, project.sim.config.dt) == ("stiff", 1 / 60)
    project.do("advance", seconds=0.1)
    project.do("open_scene", source="hanging_chain", options={"links": 10})
    assert (project.sim.config.engine, project.sim.config.dt) == ("stiff", 1 / 100)
    project.do("configure", dt=0.02)
    project.do("open_scene", source="robot")
    assert project.sim.config.dt == 0.02, "somebody has chosen it"
    project.do("configure", newton=3)
    project.do("open_scene", source="pendulum")
    assert (project.sim.config.engine, project.sim.config.dt, project.sim.config.newton) == ("reduced", 1e-3, 1)
    project.undo()
    assert (project.sim.config.engine, project.sim.config.dt, project.sim.config.newton) == ("stiff", 0.02, 3)
    for _ in range(5):
        project.undo()
    assert (project.sim.config.engine, project.sim.config.dt) == ("reduced", 1e-3)


def test_a_changed_scene_keeps_its_loops_and_its_engine(tmp_path):
    with Project.create("bar", tmp_path / "bar.stringless") as project:
        project.do("edit_body", body="head", mass=2.0)
        model, config = project.sim.model, project.sim.config
        assert model.body("head").mass == 2.0
        assert [loop.name for loop in model.loop_specs] == ["left_grip", "right_grip"]
        assert (config.engine, config.dt) == ("stiff", 1 / 100)
        assert (project.scene().engine, project.scene().dt) == ("stiff", 1 / 100)
    with Project.open(tmp_path / "bar.stringless") as project:
        assert len(project.sim.model.loops) == 2
        assert project.sim.config.dt == 1 / 100


def test_lanes_are_named_deleted_brought_back_and_joined(project):
    project.do("advance", seconds=0.2)
    project.do("go_to", time=0.1)
    project.do("goal", kind="center", target=[0.0, 0.3, 0.0], push=True)
    project.do("advance", seconds=0.1)
    project.do("rename_lane", lane=2, name="jump")
    project.do("delete_lane", lane="jump")
    assert project.take.branch(2).deleted
    project.undo()
    assert not project.take.branch("jump").deleted
    project.undo()
    assert project.take.branch(2).name == "take 2"
    project.redo()
    project.do("join", pieces=[[1, 0.05, 0.15], ["jump", 0.1, 0.2]])
    frames = make_clip(project, rate=1e4).frames
    times = [frame.time for frame in frames]
    assert times[0] == 0.0
    assert np.all(np.diff(times) > 0)
    assert times[-1] == pytest.approx(0.2, abs=0.02)
    assert np.array_equal(frames[0].q, next(project.take.frames(0.05, branch=1)).q)


def test_a_path_is_a_target_that_can_be_written_down(project):
    here = project.sim.body_poses().position[-1]
    path = {"times": [0.0, 0.1, 0.2], "places": [here.tolist(), (here + 0.02).tolist(), here.tolist()]}
    project.do("goal", kind="drag", bone=BONE, target=path)
    project.do("advance", seconds=0.15)
    state = project.sim.save()
    project.do("go_to", time=0.07)
    project.do("advance", steps=80)
    assert same(project.sim.state, state)


def test_a_project_without_a_name_is_saved_under_one(tmp_path):
    with Project.create("pendulum") as project:
        assert project.path is None
        project.do("advance", seconds=0.1)
        state = project.sim.save()
        project.save_as(tmp_path / "b.stringless")
        with pytest.raises(ProjectError, match="already"):
            project.save_as(tmp_path / "b.stringless")
        with pytest.raises(ProjectError, match="ending"):
            project.save_as(tmp_path / "b.zip")
    with Project.open(tmp_path / "b.stringless") as again:
        assert same(again.sim.state, state)


def test_a_file_opens_without_the_files_its_scene_came_from(tmp_path):
    from stringless.formats import write_toml

    folder = tmp_path / "elsewhere"
    folder.mkdir()
    write_toml(sl.load("worm"), folder / "my.toml")
    with Project.create(str(folder / "my.toml"), tmp_path / "c.stringless") as project:
        project.do("advance", steps=50)
        state = project.sim.save()
    for file in folder.iterdir():
        file.unlink()
    with Project.open(tmp_path / "c.stringless") as again:
        assert same(again.sim.state, state)
        again.do("go_to", time=0.02)
        again.do("advance", steps=30)
        assert same(again.sim.state, state)
    space: dict = {}
    with Project.open(tmp_path / "c.stringless") as again:
        program = again.script()
    exec(compile(program, "script", "exec"), space)
    space["project"].close()


def test_a_file_on_its_own_is_only_looked_at(tmp_path):
    path = tmp_path / "a.stringless"
    with Project.create("pendulum", path) as project:
        project.do("advance", seconds=0.2)
    before = path.read_bytes()
    with Project.open(path, readonly=True) as project:
        assert len(list(project.take.frames())) == 25
        with pytest.raises(ProjectError, match="readonly"):
            project.do("advance", seconds=0.1)
    assert path.read_bytes() == before


def test_commands_say_what_they_are():
    for command in COMMANDS.values():
        assert command.summary.endswith((".", ")"))
        assert json.dumps(command.signature)
    with Project.create("pendulum") as project:
        with pytest.raises(InputError, match=r"'mark' does not fit: .*colour.*; it takes: name, time"):
            project.do("mark", name="x", colour="red")
        with pytest.raises(InputError, match="there is no command 'marc'"):
            project.do("marc")


def test_the_directions_of_a_goal_change_at_the_next_step_and_come_back(project):
    here = project.sim.body_poses().position[-1]
    goal = project.do("goal", kind="drag", bone=BONE, target=here + [0.3, 0.0, 0.0])
    assert project.sim.director.goals[0].error == pytest.approx(0.3)
    project.do("set_goal", goal=goal, axes="y")
    chosen = project.sim.director.goals[0]
    assert chosen.axes.tolist() == [[0.0, 1.0, 0.0]]
    assert chosen.error == pytest.approx(0.0)
    project.do("advance", steps=1)
    with pytest.raises(InputError, match="unknown"):
        project.do("set_goal", goal=goal, axes="yq")
    assert len(project.sim.director.goals[0].axes) == 1
    project.undo()
    assert len(project.sim.director.goals[0].axes) == 3
