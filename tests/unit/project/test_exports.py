"""What is exported of a take, and what is said when that cannot be."""

from __future__ import annotations

import json

import numpy as np
import pytest

import stringless as sl
from gltf_player import Player
from stringless.cli.app import run_guarded
from stringless.formats.glb.few_shapes import fewest_shapes
from stringless.formats.output.clip import thinned
from stringless.project.exports import make_clip
from stringless.timeline.chunk import Frame


@pytest.fixture
def project():
    with sl.Project.create("double_pendulum") as project:
        yield project


def times(clip) -> list[float]:
    return [frame.time for frame in clip.frames]


def test_a_lane_with_its_past(project, tmp_path):
    project.advance(500)
    project.do("go_to", time=0.25)
    project.advance(500)
    project.do("rename_lane", lane=2, name="second try")

    clip = make_clip(project, rate=120)

    assert clip.name == "second try"
    assert times(clip)[0] == 0
    assert times(clip)[-1] == pytest.approx(0.75)
    assert max(np.diff(times(clip))) < 0.02
    assert Player(sl.export(project, tmp_path / "x.glb")).document.animations[0].name == "second try"
    assert times(make_clip(project, branch=1))[-1] == pytest.approx(0.5)
    with pytest.warns(DeprecationWarning, match="argument 'lane' of export is called 'branch' now"):
        assert Player(sl.export(project, tmp_path / "y.glb", lane=1)).document.animations[0].name == "take 1"


def test_a_part_of_a_branch(project):
    project.advance(500)

    clip = make_clip(project, start=0.1, end=0.3, rate=1000)

    assert 0.1 <= times(clip)[0] < 0.11
    assert 0.29 < times(clip)[-1] <= 0.3
    assert clip.time[0] == 0


def test_joined_pieces(project):
    project.advance(500)
    project.do("join", pieces=[{"lane": 1, "start": 0.0, "end": 0.1}, {"lane": 1, "start": 0.3, "end": 0.5}])

    assert times(make_clip(project))[-1] == pytest.approx(0.3, abs=0.02)
    assert times(make_clip(project, branch=1))[-1] == pytest.approx(0.5)


def test_a_lane_begins_where_its_scene_did(project):
    project.advance(200)
    project.do("open_scene", source="pendulum")
    project.advance(300)

    assert make_clip(project).scene == "pendulum"
    assert times(make_clip(project))[-1] - times(make_clip(project))[0] == pytest.approx(0.3)
    assert make_clip(project, branch=1).scene == "double_pendulum"


def test_another_mass_is_no_other_look(project):
    project.advance(200)
    project.do("edit_body", body=project.sim.model.bodies[0].name, mass=2.0)
    project.advance(300)

    assert len(project.take.branches) == 2
    assert times(make_clip(project))[0] == 0
    assert times(make_clip(project))[-1] == pytest.approx(0.5)


def test_joined_pieces_of_different_scenes_are_refused(project):
    project.advance(200)
    project.do("open_scene", source="pendulum")
    project.advance(300)
    last = project.position.branch
    project.do("join", pieces=[{"lane": 1, "start": 0.0, "end": 0.1}, {"lane": last, "start": 0.0, "end": 0.1}])

    with pytest.raises(sl.InputError, match="show different scenes, which one file cannot hold"):
        make_clip(project)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"branch": 7}, "there is no branch 7; there are: 1"),
        ({"start": 0.4, "end": 0.2}, "cannot be exported from 0.400 s to 0.200 s; it goes from 0.000 s to 0.500 s"),
        ({"end": 9.0}, "cannot be exported from 0.000 s to 9.000 s; it goes from 0.000 s to 0.500 s"),
        ({"start": float("nan")}, "cannot be exported from nan s"),
        ({"rate": 0}, "0 frames per second were asked for; expected a number above 0"),
        ({"rate": float("inf")}, "inf frames per second were asked for"),
    ],
)
def test_refusals(project, tmp_path, arguments, message):
    project.advance(500)

    with pytest.raises(sl.InputError, match=message):
        sl.export(project, tmp_path / "x.glb", **arguments)
    assert list(tmp_path.iterdir()) == []


def test_nothing_on_record(project, tmp_path):
    with pytest.raises(sl.InputError, match="nothing was simulated yet, so there is nothing to export"):
        sl.export(project, tmp_path / "x.glb")


def test_unknown_ending(project, tmp_path):
    with pytest.raises(sl.InputError, match=r"'x.fbx' ends in '.fbx'; a motion can be exported to: .glb"):
        sl.export(project, tmp_path / "x.fbx")
    with pytest.raises(sl.InputError, match="there is no folder"):
        sl.export(project, tmp_path / "none" / "x.glb")
    with pytest.raises(sl.InputError, match="cannot export str; expected a simulation, its take, or a project"):
        sl.export("worm", tmp_path / "x.glb")


def test_a_take_is_exported_as_its_simulation(tmp_path):
    sim = sl.Simulation(sl.load("double_pendulum"))
    sim.advance(0.2)
    taken, whole = sl.export(sim.take, tmp_path / "take.glb"), sl.export(sim, tmp_path / "sim.glb")
    assert taken.read_bytes() == whole.read_bytes()


def test_a_take_of_several_scenes_is_exported_by_its_project(project, tmp_path):
    project.advance(100)
    assert sl.export(project.take, tmp_path / "one.glb").exists()
    project.do("open_scene", source="pendulum")
    project.advance(100)
    with pytest.raises(sl.InputError, match="does not know which scene it shows; export the project"):
        sl.export(project.take, tmp_path / "x.glb")


# --- thinning -------------------------------------------------------------------------------------------------------


def frame(time: float) -> Frame:
    none = np.zeros(0)
    return Frame(time, round(time * 1000), none, none, none, none, np.zeros(0, int), none)


@pytest.mark.parametrize(
    ("count", "rate", "kept"),
    [
        (13, 60, [0, 2, 4, 6, 8, 10, 12]),
        (12, 60, [0, 2, 4, 6, 8, 10, 11]),
        (4, 1000, [0, 1, 2, 3]),
        (1, 60, [0]),
        (0, 60, []),
    ],
)
def test_thinning_keeps_frames_as_they_were(count, rate, kept):
    frames = [frame(3 + k / 120) for k in range(count)]

    assert thinned(frames, rate) == [frames[k] for k in kept]


# --- few shapes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "points"), [(1, 5), (40, 60), (900, 20)])
def test_few_shapes_are_near_all(count, points):
    rng = np.random.default_rng(4)
    waves = rng.normal(size=(6, 3 * points))
    shapes = (rng.normal(size=(count, 6)) * 0.5 ** np.arange(6)) @ waves * 0.02 + 1e-5 * rng.normal(
        size=(count, 3 * points)
    )
    few = fewest_shapes(shapes.astype(np.float32), 1e-3, lambda _: None)

    off = few.offset + few.weights @ few.directions - shapes
    assert np.linalg.norm(off.reshape(count, -1, 3), axis=2).max() <= 1e-3
    assert len(few.directions) <= min(count, 6)
    assert few.weights.min(initial=0) >= 0
    assert few.weights.max(initial=1) <= 1


def test_shapes_at_rest_need_no_directions():
    few = fewest_shapes(np.zeros((5, 12), np.float32), 1e-3, lambda _: None)

    assert few.directions.shape == (0, 12)
    assert not few.offset.any()


# --- the command ----------------------------------------------------------------------------------------------------


def test_the_command_exports_a_file_that_stays_as_it_was(tmp_path, capsys):
    with sl.Project.create("double_pendulum", tmp_path / "p.stringless") as project:
        project.advance(300)
    before = (tmp_path / "p.stringless").read_bytes()
    command = ["export", str(tmp_path / "p.stringless"), str(tmp_path / "x.glb"), "--start", "0.1", "--json"]

    assert run_guarded(command) == 0

    told = json.loads(capsys.readouterr().out)
    assert told["bytes"] == (tmp_path / "x.glb").stat().st_size
    assert Player(tmp_path / "x.glb").times[-1] == pytest.approx(0.2, abs=0.01)
    assert (tmp_path / "p.stringless").read_bytes() == before
    assert run_guarded([*command, "--lane", "nobody"]) == 1
    assert "no branch is called 'nobody'" in capsys.readouterr().out
