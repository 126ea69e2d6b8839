"""Playing: live, from the record, step by step; and ghosts of the future beside it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stringless.errors import InputError
from stringless.project import Project
from stringless.project.ghosts import Ghosts
from stringless.project.player import Player


@pytest.fixture
def player():
    with Project.create("pendulum") as project:
        yield Player(project)


def run(player: Player, seconds: float, start: float = 0.0) -> float:
    """Let the wall clock run at 60 ticks a second."""
    ticks = round(seconds * 60)
    for k in range(1, ticks + 1):
        player.tick(start + k / 60)
    return start + seconds


@pytest.mark.parametrize("rate", [0.125, 1.0, 2.0])
def test_live_follows_the_wall_clock(player, rate):
    player.clock.rate = rate
    player.live(now=0.0)
    run(player, 1.0)
    assert player.time == pytest.approx(rate, abs=0.02)
    assert player.at_present
    player.pause()
    player.tick(5.0)
    assert player.time == pytest.approx(rate, abs=0.02)


def test_replay_shows_the_record_without_simulating(player):
    player.project.do("advance", seconds=1.0)
    end = player.project.sim.save()
    player.replay(0.2, 0.6, now=0.0)
    now = run(player, 0.2)
    assert player.time == pytest.approx(0.4, abs=0.01)
    assert not player.at_present
    frame = player.frame
    assert frame.time <= player.time < frame.time + 1 / 100
    run(player, 1.0, now)
    assert (player.mode, player.time) == ("paused", 0.6)
    assert np.array_equal(player.project.sim.q, end.q)
    player.replay(0.2, 0.6, loop=True, now=0.0)
    run(player, 0.9)
    assert player.mode == "replay"
    assert player.time == pytest.approx(0.3, abs=0.02)
    player.present()
    assert player.time == player.project.sim.time


def test_resuming_from_what_is_looked_at_begins_a_branch(player):
    player.project.do("advance", seconds=0.5)
    player.seek(0.25)
    assert player.project.sim.time == pytest.approx(0.5)
    player.live(now=0.0)
    run(player, 0.1)
    player.pause()
    take = player.project.take
    assert take.branch(2).begin == pytest.approx(0.25, abs=0.01)
    assert take.end(1) == pytest.approx(0.5)
    with pytest.warns(DeprecationWarning, match="argument 'lane' of Player.seek is called 'branch' now"):
        player.seek(0.4, lane=1)
    assert player.branch == 1
    player.seek(99.0)
    assert player.time == pytest.approx(0.5)


def test_keyframes_come_along_into_the_past(player):
    project = player.project
    project.do("advance", seconds=0.2)
    track = project.do("track")
    project.do("set_key", track=track, time=0.1)
    project.do("set_key", track=track, time=0.2)
    pose = project.sim.director.track(track).poses[0]
    player.seek(0.05)
    player.live(now=0.0)
    there = project.sim.director.track(track)
    assert (there.times, there.playing) == ([0.1, 0.2], False)
    assert np.array_equal(there.poses[0], pose)
    project.do("play_track", track=track, begin=0.05)
    project.do("advance", seconds=0.1)
    project.do("move_key", track=track, key=1, time=0.4)
    player.seek(0.1)
    player.live(now=0.0)
    there = project.sim.director.track(track)
    assert (there.times, there.playing) == ([0.1, 0.4], True)


def test_single_steps_go_back_along_the_record_and_forward_beyond_it(player):
    player.project.do("advance", seconds=0.1)
    end = player.time
    times = []
    for _ in range(4):
        player.step(-1)
        times.append(player.time)
    assert np.all(np.diff([end, *times]) < 0)
    assert end - times[-1] == pytest.approx(4 / 120, abs=0.012)
    player.step(4)
    assert player.time == pytest.approx(end)
    player.step(2)
    assert player.time == pytest.approx(end + 2 / 120, abs=0.01)
    assert player.project.sim.time == player.time
    player.step(-1000)
    assert player.time == 0.0


def test_frames_out_of_date_are_told_from_current_ones(player):
    player.project.do("advance", seconds=0.5)
    player.project.do("go_to", time=0.2)
    player.seek(0.4)
    assert not player.stale
    player.project.do("gravity", gravity=[0, -2, 0])
    assert player.stale
    player.seek(0.1)
    assert not player.stale
    player.project.undo()
    player.seek(0.4)
    assert not player.stale


def test_what_runs_away_stops_and_says_why():
    with Project.create("humanoid") as project:
        player = Player(project)
        project.do("advance", seconds=0.05)
        project.sim.v[7] = 1e6
        player.live(now=0.0)
        run(player, 0.2)
        assert player.mode == "paused"
        assert player.trouble
        assert np.isfinite(project.sim.q).all()


@pytest.mark.parametrize("horizon", [0.05, 6.0, math.nan, "far"])
def test_other_horizons_are_refused(horizon):
    with pytest.raises(InputError, match="look ahead"):
        Ghosts(horizon)


def test_a_ghost_agrees_with_the_future_and_follows_changed_commands():
    with Project.create("worm") as project, Ghosts(horizon=0.2) as ghosts:
        project.do("advance", seconds=0.1)
        here = project.sim.body_poses().position[-1]
        goal = project.do("goal", kind="drag", bone="bone_6", target=here + [0.05, 0.05, 0])
        with pytest.warns(DeprecationWarning, match=r"ghosts\.wish is called ghosts\.request now"):
            assert ghosts.wish == ghosts.request
        ghosts.request(project.sim)
        first = ghosts.wait()
        assert first is not None
        project.do("move_goal", goal=goal, target=here + [0.0, 0.1, 0])
        ghosts.request(project.sim)
        second = ghosts.wait()
        assert second is not None
        assert ghosts.made == 2
        assert not np.array_equal(first.q[-1], second.q[-1])
        project.do("advance", seconds=0.2)
        assert np.array_equal(second.q[-1], project.sim.q)
        assert np.array_equal(second.skin[-1], project.sim.surface_positions)


def test_the_newest_wish_wins():
    with Project.create("worm") as project, Ghosts(horizon=5.0) as ghosts:
        project.do("advance", seconds=0.05)
        for _ in range(5):
            ghosts.request(project.sim)
            project.do("advance", seconds=0.02)
        ghosts.horizon = 0.1
        ghosts.request(project.sim)
        seen = ghosts.wait()
        assert seen is not None
        assert seen.time[0] == pytest.approx(project.sim.time)
        assert ghosts.made < 6
