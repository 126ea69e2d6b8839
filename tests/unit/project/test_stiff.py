"""Projects of scenes that the stiff engine runs: kept, repeated to the last bit, and beside those of the other engine."""

from __future__ import annotations

import numpy as np
import pytest

import stringless as sl
from gltf_player import Player
from stringless.errors import InputError
from stringless.project import Project, project
from stringless.simulation import parameters
from stringless.state import State
from stringless.timeline import chunk
from stringless.timeline.chunk import pack_state, unpack_state

HAND = "left_hand"
LATER = ("newton", "joint_springs")
"""Parameters that the first files knew nothing of."""


def same(a: State, b: State) -> bool:
    return a.time == b.time and all(getattr(a, n).tobytes() == getattr(b, n).tobytes() for n in State.arrays())


def place(robot: Project) -> np.ndarray:
    return robot.sim.body_poses().position[robot.sim.model.body(HAND).index]


def pull(robot: Project) -> int:
    """Pull the hand up, switch the springs of all joints off under way, and let go."""
    with robot.gesture("pull the hand"):
        goal = robot.do("goal", kind="drag", bone=HAND, target=place(robot) + [0.1, 0.2, 0.1])
        robot.do("advance", seconds=0.3)
        robot.do("configure", joint_springs=0.0)
        robot.do("advance", seconds=0.2)
        robot.do("release_goal", goal=goal)
    return goal


@pytest.fixture
def robot(tmp_path):
    with Project.create("robot", tmp_path / "robot.stringless") as made:
        made.do("advance", seconds=0.5)
        yield made


def test_a_project_goes_on_after_reopening_as_if_it_had_stayed_open(tmp_path, robot):
    robot.do("goal", kind="drag", bone=HAND, target=place(robot) + [0.1, 0.2, 0.1])
    robot.do("advance", seconds=0.4)
    robot.do("configure", joint_springs=0.0, newton=3)
    robot.do("advance", seconds=0.4)
    robot.save_as(tmp_path / "copy.stringless")
    before = robot.sim.q.copy()
    robot.do("advance", seconds=0.5)
    assert np.abs(robot.sim.q - before).max() > 0.01, "it moves, so that there is something to repeat"
    with Project.open(tmp_path / "copy.stringless") as again:
        assert (again.sim.config.engine, again.sim.config.dt, again.sim.config.newton) == ("stiff", 1 / 60, 3)
        assert again.sim.state.kept.any(), "momenta are part of what is kept"
        again.do("advance", seconds=0.5)
        assert same(again.sim.state, robot.sim.state)
        assert again.sim.recording.find_difference() is None


def test_a_pull_is_undone_and_done_again(robot):
    before = robot.sim.save()
    pull(robot)
    after = robot.sim.save()
    assert not same(before, after)
    assert robot.undo() == "pull the hand"
    assert same(robot.sim.state, before)
    assert robot.sim.config.joint_springs == 1.0
    robot.redo()
    assert same(robot.sim.state, after)
    assert robot.sim.config.joint_springs == 0.0


def test_rewound_into_a_pull_it_repeats_it_and_branches(robot):
    goal = robot.do("goal", kind="drag", bone=HAND, target=place(robot) + [0.1, 0.2, 0.1])
    robot.do("advance", seconds=0.3)
    then = robot.sim.save()
    robot.do("advance", seconds=0.3)
    first = robot.sim.save()
    lane = robot.position.branch
    robot.do("go_to", time=then.time)
    assert same(robot.sim.state, then)
    robot.do("configure", joint_springs=0.0)
    robot.do("advance", seconds=0.3)
    assert robot.position.branch != lane
    assert not np.array_equal(robot.sim.q, first.q)
    for one in (lane, robot.position.branch):
        assert robot.sim.recording.find_difference(one) is None
    robot.do("release_goal", goal=goal)


def test_a_look_ahead_is_what_happens(robot):
    robot.do("goal", kind="drag", bone=HAND, target=place(robot) + [0.1, 0.2, 0.1])
    seen = robot.sim.preview(0.5)
    robot.do("advance", seconds=0.5)
    assert seen.complete
    assert np.array_equal(seen.q[-1], robot.sim.q)
    assert not np.array_equal(seen.q[0], robot.sim.q)


def test_a_take_is_exported(robot, tmp_path):
    pull(robot)
    written = Player(sl.export(robot, tmp_path / "robot.glb"))
    assert written.times[-1] == pytest.approx(robot.sim.time)
    assert written.node(HAND)


def test_an_engine_that_was_chosen_is_kept(tmp_path):
    path = tmp_path / "swing.stringless"
    with Project.create("double_pendulum", path, engine="stiff", dt=0.01) as made:
        made.do("advance", seconds=0.3)
        state = made.sim.save()
    with Project.open(path) as again:
        assert (again.sim.config.engine, again.sim.config.dt) == ("stiff", 0.01)
        assert same(again.sim.state, state)
        again.do("open_scene", source="double_pendulum")
        assert (again.sim.config.engine, again.sim.config.dt) == ("reduced", 1e-3), "as that scene is made"
        again.do("advance", seconds=0.1)
        again.undo()
        assert again.sim.config.engine == "stiff"
        assert same(again.sim.state, state)
        assert again.sim.recording.find_difference(again.position.branch) is None, (
            "the lane knows its engine, although both scenes are alike"
        )


def test_a_scene_of_the_other_engine_is_opened_and_left_again(robot):
    robot.do("configure", newton=4, friction=0.3)
    state, parameters = robot.sim.save(), robot.sim.parameters()
    robot.do("open_scene", source="double_pendulum")
    assert robot.sim.config.engine == "reduced"
    assert (robot.sim.config.dt, robot.sim.config.newton, robot.sim.config.friction) == (1e-3, 1, 0.3)
    robot.do("advance", seconds=0.1)
    robot.do("go_to", time=0.25, lane=1)
    assert (robot.sim.config.engine, robot.sim.config.dt) == ("stiff", 1 / 60)
    robot.undo()
    assert robot.sim.config.engine == "reduced"
    robot.undo()
    assert robot.sim.parameters() == parameters
    assert same(robot.sim.state, state)


def test_it_opens_where_another_engine_was_left_without_a_step(robot, tmp_path):
    robot.do("open_scene", source="double_pendulum")
    robot.save_as(tmp_path / "left.stringless")
    with Project.open(tmp_path / "left.stringless") as again:
        assert again.sim.config.engine == "reduced"
        again.undo()
        assert again.sim.config.engine == "stiff"


def test_an_engine_that_does_not_fit_is_refused_before_a_file_is_made(tmp_path):
    with pytest.raises(InputError, match="engine 'reduced' does not support closed loops"):
        Project.create("bar", tmp_path / "bar.stringless", engine="reduced")
    with pytest.raises(InputError, match="engine 'magic' is unknown"):
        Project.create("bar", tmp_path / "bar.stringless", engine="magic")
    assert list(tmp_path.iterdir()) == []


# --- files of earlier versions ---


@pytest.fixture
def old(tmp_path, monkeypatch):
    """A project as it was written before there was another engine, and the state it was left in."""
    path = tmp_path / "old.stringless"
    with monkeypatch.context() as then:
        then.setattr(project, "FIXED", ("engine", "integrator"))
        then.setattr(project, "with_all_parameters", lambda document: document)
        then.setattr(parameters, "CHANGEABLE", tuple(name for name in parameters.CHANGEABLE if name not in LATER))
        then.setattr("stringless.simulation.inputs.USUAL", {})
        then.setattr(chunk, "pack_state", packed_as_before)
        with Project.create("double_pendulum", path) as made:
            made.do("advance", seconds=1.2)
            made.do("configure", friction=0.4)
            made.do("advance", seconds=0.3)
            assert not {*LATER} & {*made.document["parameters"]}
            state = made.sim.save()
    return path, state


def packed_as_before(state: State) -> bytes:
    arrays = {name: chunk._plain(getattr(state, name)) for name in State.arrays() if name != "kept"}
    return chunk.pack(arrays, {"time": state.time, "dt": state.dt})


def test_a_state_without_momenta_is_read(tmp_path):
    sim = sl.Simulation(sl.load("double_pendulum"))
    sim.advance(0.1)
    assert same(unpack_state(packed_as_before(sim.state), sim.state), sim.state)
    assert packed_as_before(sim.state) != pack_state(sim.state)


def test_an_old_file_opens_and_goes_on(old):
    path, state = old
    with Project.open(path) as again:
        assert (again.sim.config.engine, again.sim.config.joint_springs) == ("reduced", 1.0)
        assert same(again.sim.state, state)
        steps = len(again.history.done)
        again.do("mark", name="here")
        assert len(again.history.done) == steps + 1, "opening is nothing that could be undone"
        again.do("advance", seconds=0.1)
        assert again.sim.recording.find_difference() is None


def test_an_old_take_is_repeated_as_it_was_whatever_is_set_now(old):
    path, state = old
    with Project.open(path) as again:
        again.do("configure", joint_springs=0.0)
        again.do("go_to", time=0.7)
        assert again.sim.config.joint_springs == 0.0
        assert again.stale_after() == pytest.approx(0.7), "without the springs it would come out otherwise"
        again.undo()
        again.undo()
        again.do("go_to", time=0.7)
        again.do("configure", friction=0.8)
        assert again.stale_after() is None
        again.go_to(state.time)
        assert same(again.sim.state, state)
