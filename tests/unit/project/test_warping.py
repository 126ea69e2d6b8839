"""The command that warps: undone, done again, written down, and kept in the file."""

from __future__ import annotations

import numpy as np
import pytest

from stringless.errors import InputError
from stringless.project import Project


def recorded(project: Project, lane: int) -> list[tuple[float, bytes, bytes]]:
    """Frames of a branch itself."""
    begin = project.take.branch(lane).begin
    return [(f.time, f.q.tobytes(), f.v.tobytes()) for f in project.take.frames(begin, None, lane)]


@pytest.fixture
def project(tmp_path):
    """A pendulum that was dragged for a while."""
    with Project.create("double_pendulum", tmp_path / "a.stringless") as made:
        made.do("advance", seconds=0.1)
        tip = made.sim.body_poses().position[-1]
        goal = made.do("goal", kind="drag", bone="link_1", target=tip + [0.1, 0.0, 0.0])
        made.do("advance", seconds=0.1)
        made.do("move_goal", goal=goal, target=tip + [0.2, 0.1, 0.0], velocity=[0.1, 0.0, 0.0], hold=0.1)
        made.do("advance", seconds=0.2)
        yield made


def test_a_warp_is_a_branch_and_one_step_of_undo(project):
    here, position = project.sim.q.copy(), project.position
    lane = project.do("warp", start=0.1, end=0.3, factor=1.3)
    assert (lane, project.take.branch(lane).parent) == (2, 1)
    assert project.take.end(lane) == pytest.approx(0.46)
    assert project.position == position
    assert np.array_equal(project.sim.q, here)
    assert project.history.last().label == "warp 'take 1', 1.3×"
    assert project.undo() == "warp 'take 1', 1.3×"
    assert project.take.branch(lane).deleted
    with pytest.raises(InputError, match=r"branch 'take 2' was deleted; restore it first"):
        project.do("warp", factor=2.0, lane=lane)
    assert project.redo() == "warp 'take 1', 1.3×"
    assert not project.take.branch(lane).deleted


def test_undo_leaves_a_branch_that_it_takes_out_of_sight(project):
    present = project.position
    lane = project.do("warp", factor=1.3, name="slower")
    assert project.take.branch(lane).name == "slower"
    project.do("go_to", time=0.2, lane=lane)
    project.undo()
    assert project.position == present
    project.do("advance", seconds=0.05)
    assert project.take.current == 1


def test_a_script_does_it_again_to_the_last_bit(project):
    project.do("configure", friction=0.4)
    project.do("warp", start=0.05, end=0.25, factor=0.7)
    project.do("warp", knots=[[0.1, 0.1], [0.2, 0.35], [0.3, 0.4]], lane=1)
    script = project.script()
    assert "project.do('warp', start=0.05, end=0.25, factor=0.7)" in script
    space: dict = {}
    exec(script, space)
    again = space["project"]
    for lane in (2, 3):
        assert recorded(again, lane) == recorded(project, lane)
        assert len(recorded(again, lane)) > 20
    again.close()


def test_it_is_in_the_file(project, tmp_path):
    lane = project.do("warp", start=0.1, end=0.3, factor=1.5, name="slower")
    frames = recorded(project, lane)
    project.close()
    with Project.open(tmp_path / "a.stringless") as again:
        assert again.take.branch("slower").id == lane
        assert recorded(again, lane) == frames
        assert again.sim.recording.find_difference(lane) is None
        again.do("go_to", time=0.3, lane=lane)
        again.do("advance", seconds=0.1)
        assert again.take.branch().parent == lane
        assert [again.undo(), again.undo()] == ["go to 0.30 s", "warp 'take 1', 1.5×"]
        assert again.take.branch(lane).deleted


def test_what_fails_changes_nothing(project):
    entries, document = project.store.journal_length, project.document
    for arguments in (
        {"start": 0.3, "end": 0.1, "factor": 1.3},
        {"factor": 0.0},
        {"factor": 1.3, "lane": "take 9"},
        {"factor": 1.3, "name": "take 1"},
        {"factor": "slow"},
        {"knots": [[0.1]]},
    ):
        with pytest.raises(InputError):
            project.do("warp", **arguments)
    assert list(project.take.branches) == [1]
    assert (project.store.journal_length, project.document) == (entries, document)


def test_a_watch_can_stop_it(project):
    class StoppedError(Exception):
        pass

    def stop() -> None:
        raise StoppedError

    project.watch = stop
    with pytest.raises(StoppedError):
        project.do("warp", factor=2.0)
    assert list(project.take.branches) == [1]


def test_another_scene_is_not_warped_with_this_one(project):
    project.do("edit_body", body="link_1", mass=2.0)
    project.do("advance", seconds=0.1)
    with pytest.raises(InputError, match="branch 'take 2' shows another scene than is open now, from 0.2 s on"):
        project.do("warp", start=0.2, end=0.45, factor=1.2)
    lane = project.do("warp", start=0.42, end=0.48, factor=1.2)
    assert project.take.branch(lane).parent == 2


def test_it_waits_for_the_editor(project):
    project.do("release_all")
    project.do("leave")
    project.do("edit_start", duration=0.1)
    with pytest.raises(InputError, match="'warp' has to wait: a motion is open in the editor"):
        project.do("warp", factor=2.0)
