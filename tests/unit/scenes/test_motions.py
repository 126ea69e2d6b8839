"""Scenes that carry a motion to edit: each is solved from its bad start within a bounded number of iterations."""

import numpy as np
import pytest

from stringless.editing.course import Course
from stringless.editing.data import from_data
from stringless.scenes import load_scene

REACHED = 1e-3
BOUNDS = {"hoop": 5, "two_pins": 10, "clamped_chain": 8, "flier": 10, "trapeze": 16}
"""Iterations within which each must be solved; about twice what it takes."""
BAD = {"hoop": 1.0, "two_pins": 1.0, "clamped_chain": 0.3, "flier": 0.5, "trapeze": 0.7}
"""How far each start is off, at least [m]."""


def solved(name):
    scene = load_scene(name)
    editor = from_data(scene, scene.study)
    assert editor.error() > BAD[name]
    edits = editor.solve(iterations=BOUNDS[name])
    assert editor.error() < REACHED
    assert 0 < len(edits) <= BOUNDS[name]
    assert all(edit.after < edit.before for edit in edits)
    return editor


@pytest.mark.parametrize("name", BOUNDS)
def test_a_scene_is_solved_from_its_bad_start(name):
    editor = solved(name)
    assert not editor.run.misses


def test_scenes_with_a_motion_to_edit_start_as_it_does():
    for name in BOUNDS:
        scene = load_scene(name)
        assert scene.study is not None
        np.testing.assert_array_equal(scene.study["controls"]["q"], scene.q)
        np.testing.assert_array_equal(scene.study["controls"]["v"], scene.v)
        assert scene.study["dt"] == scene.dt


def test_loading_them_simulates_nothing(monkeypatch):
    """The first simulation of an editor compiles for a minute; a gallery must not wait for that."""

    def walk(*_):
        raise AssertionError("a motion was simulated")

    monkeypatch.setattr(Course, "walk", walk)
    for name in BOUNDS:
        assert load_scene(name).study["nails"]


def test_the_ball_goes_off_the_board_into_the_hoop():
    editor = solved("hoop")
    assert 0.5 < editor.times[0] < 1.0
    touch = editor.point("ball", editor.times[0])
    assert 3.05 < touch[1] < 4.0, "it hits the board, above the hoop"
    assert editor.find_bodies(1.0).v[0, 1] < 0, "it comes down into the hoop"


def test_the_flier_grabs_the_bar_swings_and_lets_go():
    editor = solved("flier")
    grab, release = editor.times
    bar = editor.course.transitions[0].when.surface
    assert grab < release
    for time in (grab, 0.5 * (grab + release), release):
        assert bar.distance(editor.point("link 1", time)[None])[0] <= 0.0
    assert bar.distance(editor.point("link 1", 1.2)[None])[0] > 0.1


def test_the_trapeze_artist_catches_the_second_bar():
    """25 degrees of freedom in the air: she lets go of one bar, turns over once, and hangs on the other."""
    editor = solved("trapeze")
    free = editor.course.configurations[1].model
    assert (editor.model.nv, free.nv) == (20, 25)
    release, catch = editor.times
    bar = editor.course.transitions[1].when.surface
    assert 0.5 < catch - release < 1.5
    assert np.linalg.norm(editor.point("hands", catch) - editor.point("hands", 0.0)) > 3.0
    for time in (catch, 2.8):
        assert bar.distance(editor.point("hands", time)[None])[0] <= 1e-9
    heights = [editor.find_bodies(t).R[0][1, 1] for t in np.linspace(release, catch, 9)]
    assert min(heights) < -0.9 < 0.0 < max(heights), "her arms point down on the way, and up before"


@pytest.mark.parametrize(("time", "to"), [(1.4, 1.46), (0.5, 0.55), (1.0, 1.05)])
def test_a_key_pose_of_the_trapeze_artist_can_be_had_later(time, to):
    """Steps of which little may be taken are damped, not shortened: shortened ones took 16 iterations and more."""
    editor = solved("trapeze")
    editor.nails.clear()
    editor.retime(time, to)
    assert editor.error() > 0.1
    editor.solve(iterations=10)
    assert editor.error() < REACHED
