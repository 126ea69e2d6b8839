"""A simulation records itself, and goes back to any step of it: what follows is what would have followed anyway."""

from __future__ import annotations

import math

import numpy as np
import pytest

import stringless as sl
from stringless.errors import InputError
from stringless.simulation.inputs import read_inputs
from stringless.state import State


def same(a: State, b: State) -> bool:
    return (
        a.time == b.time
        and a.dt == b.dt
        and all(getattr(a, name).tobytes() == getattr(b, name).tobytes() for name in State.arrays())
    )


def tip(sim):
    """The last bone of the character, and where it is."""
    body = int(sim.director.characters[0].members[-1])
    return sim.model.bodies[body].name, sim.body_poses().position[body].copy()


def directed(scene: str) -> sl.Simulation:
    """A simulation in the middle of being directed: a drag, a pin, a moving target, and parameters that have changed."""
    sim = sl.Simulation(sl.load(scene))
    sim.advance(0.1)
    bone, here = tip(sim)
    goal = sim.director.drag(bone, here + [0.05, 0.05, 0.0])
    sim.advance(0.153)
    goal.target = here + [0.0, 0.1, 0.02]
    goal.stiffness = 20.0
    sim.configure(friction=0.6)
    sim.advance(0.1)
    goal.target = lambda t: here + [0.05 * math.sin(9 * t), 0.05, 0.0]
    sim.advance(0.147)
    return sim


@pytest.mark.parametrize("scene", ["worm", "finger", "humanoid"])
def test_going_back_and_on_repeats_every_bit(scene):
    sim = directed(scene)
    end = sim.save()
    marks = {}
    for step in (37, 100, 101, 253, 300, 353, 404, 499):
        sim.go_to(step * 1e-3, branch=1)
        assert sim.time == pytest.approx(step * 1e-3, abs=1e-9)
        marks[step] = sim.save()
    for step in (404, 100, 253):
        sim.go_to(step * 1e-3, branch=1)
        assert same(sim.state, marks[step]), f"going to step {step} twice differs"
    with pytest.warns(DeprecationWarning, match="argument 'lane' of go_to is called 'branch' now"):
        sim.go_to(0.499, lane=1)
    sim.step()
    assert same(sim.state, end), "the last step of an unbroken run differs from one that was resumed"


@pytest.mark.parametrize("scene", ["worm", "finger", "humanoid"])
def test_resumed_with_the_same_commands_it_is_as_if_unbroken(scene):
    unbroken = sl.Simulation(sl.load(scene))
    bone, here = tip(unbroken)
    unbroken.director.drag(bone, here + [0.05, 0.05, 0.0])
    unbroken.advance(0.5)
    broken = sl.Simulation(sl.load(scene))
    broken.director.drag(bone, here + [0.05, 0.05, 0.0])
    broken.advance(0.3)
    broken.rewind(0.123)
    broken.advance(0.05)
    broken.go_to(0.21)
    broken.advance(0.29)
    assert same(broken.state, unbroken.state)
    assert np.abs(unbroken.model.difference(unbroken.q, unbroken.scene.q)).max() > 0.01, "it has moved"


def test_every_frame_is_what_going_there_gives():
    sim = directed("worm")
    frames = list(sim.take.frames())
    assert len(frames) == 61  # 120 a second for half a second, and the first
    for frame in frames[::7]:
        sim.go_to(frame.time, branch=1)
        assert np.array_equal(sim.q, frame.q)
        assert np.array_equal(sim.v, frame.v)
        free = sim.model.flesh.nodes["fixed"] == 0
        assert np.abs(sim.state.x[free] - frame.nodes).max() < 2e-5
        assert sim.position.step == frame.step


def test_commands_come_back_with_the_moment():
    sim = sl.Simulation(sl.load("worm"))
    sim.advance(0.1)
    bone, here = tip(sim)
    goal = sim.director.drag(bone, here)
    sim.advance(0.1)
    goal.release()
    sim.advance(0.1)
    sim.go_to(0.15)
    assert sim.director.goals == [goal], "whoever holds the goal holds the right one"
    assert goal.active
    sim.go_to(0.05)
    assert sim.director.goals == []
    assert not goal.active
    goal_again = sim.director.drag(bone, here)
    assert goal_again.id != goal.id


def test_going_on_in_the_past_begins_a_lane_and_keeps_the_future():
    sim = sl.Simulation(sl.load("pendulum"))
    sim.advance(0.4)
    old = sim.save()
    sim.rewind(0.2)
    sim.tau[:] = 1.0
    sim.advance(0.1)
    assert [lane.parent for lane in sim.take.branches.values()] == [None, 1]
    assert sim.take.end(1) == pytest.approx(0.4)
    assert sim.take.end(2) == pytest.approx(0.3)
    sim.go_to(0.4, branch=1)
    assert same(sim.state, old)
    assert not sim.tau.any()
    sim.advance(0.1)
    assert len(sim.take.branches) == 2, "at its end a lane goes on"
    assert sim.take.end(1) == pytest.approx(0.5)
    times = [frame.time for frame in sim.take.frames(branch=1)]
    assert times == sorted(set(times))


def test_lineage_runs_through_branches_of_branches():
    sim = sl.Simulation(sl.load("pendulum"))
    sim.advance(0.4)
    sim.go_to(0.3)
    sim.advance(0.2)
    sim.go_to(0.4)
    sim.advance(0.2)
    pieces = [(piece.branch, round(piece.start, 6), round(piece.end, 6)) for piece in sim.take.lineage()]
    assert pieces == [(1, 0.0, 0.3), (2, 0.3, 0.4), (3, 0.4, 0.6)]
    frames = list(sim.take.frames())
    assert [frame.step for frame in frames] == sorted({frame.step for frame in frames})
    sim.go_to(0.1)
    assert sim.take.owner(0.1).id == 1


def test_steps_that_no_frame_was_taken_of_are_not_lost():
    sim = sl.Simulation(sl.load("pendulum"))
    sim.advance(0.1)
    sim.step(3)
    end = sim.save()
    sim.go_to(0.05)
    sim.step()
    sim.go_to(0.103, branch=1)
    assert same(sim.state, end)


def test_signals_and_motions_are_recorded():
    sim = sl.Simulation(sl.load("pendulum"))
    sim.advance(0.05)
    sim.tau[0] = 0.3
    sim.external[-1] = (0.0, 0.0, 0.1, 0.5, 0.0, 0.0)
    sim.advance(0.05)
    sim.prescribed[0], sim.acceleration[0] = True, 2.0
    sim.advance(0.05)
    sim.prescribed[0] = False
    motion = sl.Motion(sim.model, [sim.time, sim.time + 1.0], [sim.q, sim.q])
    sim.set_state(v=np.zeros(sim.model.nv))
    sim.follow(motion)
    sim.advance(0.05)
    marks = {}
    for step in (20, 70, 120, 170):
        lane = 1 if step < 150 else 2
        sim.go_to(step * 1e-3, lane)
        marks[step] = sim.save(), sim.tau.copy(), sim.prescribed.copy(), sim.motion
    assert [float(marks[step][1][0]) for step in (20, 70, 120)] == [0.0, 0.3, 0.3]
    assert [bool(marks[step][2][0]) for step in (70, 120, 170)] == [False, True, False]
    assert marks[120][3] is None
    assert marks[170][3] is motion


def test_what_was_recorded_can_be_done_again_from_the_file_alone(tmp_path):
    from stringless.timeline import Store

    with Store.create(tmp_path / "a.stringless") as store:
        sim = sl.Simulation(sl.load("worm"))
        sim.record_into(store)
        bone, here = tip(sim)
        sim.director.drag(bone, lambda t: here + [0.03 * math.sin(20 * t), 0.05, 0.0])
        sim.advance(0.3)
        sim.finish_recording()
        end, middle = sim.save(), None
        sim.go_to(0.2)
        middle = sim.save()
    with Store.open(tmp_path / "a.stringless") as store:
        again = sl.Simulation(sl.load("worm"))
        again.record_into(store)
        again.go_to(0.2)
        assert same(again.state, middle)
        again.go_to(0.3)
        assert same(again.state, end)


@pytest.mark.parametrize("led", [False, True])
def test_a_command_given_after_everything_was_handed_over_is_on_record(led):
    """As by whoever pauses, tells the character something else and goes on."""
    sim = sl.Simulation(sl.load("lamp"))
    bone, here = tip(sim)
    goal = sim.director.drag(bone, here + [0.0, 0.05, 0.0])
    sim.advance(0.0503)
    sim.finish_recording()
    goal.target = (lambda t: here + [0.0, 0.05 - t, 0.0]) if led else here - [0.0, 0.05, 0.0]
    sim.advance(0.0503)
    end = sim.save()
    assert list(sim.take.branches) == [1]
    sim.go_to(0.02)
    sim.go_to(0.1, branch=1)
    sim.step()
    assert same(sim.state, end)
    assert sim.recording.find_difference(1) is None


def test_put_elsewhere_the_take_goes_on_in_another_lane():
    sim = sl.Simulation(sl.load("pendulum"))
    sim.advance(0.1)
    q = sim.q.copy()
    q[0] += 0.5
    sim.set_state(q)
    sim.advance(0.1)
    assert sim.take.branches[2].parent == 1
    before, after = [frame.q[0] for frame in sim.take.frames(0.09, 0.105)][:2]
    assert after - before == pytest.approx(0.5, abs=0.05)
    saved = sim.save()
    sim.advance(0.1)
    sim.restore(saved)
    sim.advance(0.1)
    assert sim.take.branches[3].parent is None


def test_frames_come_at_the_rate_asked_for():
    for rate, dt in ((120.0, 1e-3), (60.0, 1e-3), (240.0, 5e-4), (120.0, 0.01)):
        sim = sl.Simulation(sl.load("pendulum"), record=rate, dt=dt)
        for seconds in (0.003, 0.1, 0.5, 0.397):
            sim.advance(seconds)
        times = [frame.time for frame in sim.take.frames()]
        assert len(times) == pytest.approx(1 + min(rate, 1 / dt), abs=1)


def test_nothing_is_recorded_unless_wanted():
    sim = sl.Simulation(sl.load("pendulum"), record=0)
    sim.advance(0.1)
    with pytest.raises(InputError, match="records nothing"):
        _ = sim.take
    with pytest.raises(InputError, match="records nothing"):
        sim.rewind(0.1)
    with pytest.raises(InputError, match="frames per simulated second"):
        sl.Simulation(sl.load("pendulum"), record=-1)


@pytest.mark.parametrize("time", [-0.1, 0.3, 5.0])
def test_times_off_the_record_are_refused_and_nothing_moves(time):
    sim = sl.Simulation(sl.load("pendulum"))
    sim.advance(0.2)
    here = sim.save()
    with pytest.raises(InputError, match="was recorded from 0 s to 0.2 s"):
        sim.go_to(time)
    assert same(sim.state, here)
    with pytest.raises(InputError, match="no branch 7"):
        sim.go_to(0.1, branch=7)
    with pytest.raises(InputError, match="no branch is called 'jump'"):
        sim.go_to(0.1, branch="jump")


def test_a_preview_leaves_the_record_alone():
    sim = directed("worm")
    frames, lanes = len(list(sim.take.frames())), dict(sim.take.branches)
    ghost = sim.preview(0.2)
    assert len(list(sim.take.frames())) == frames
    assert sim.take.branches == lanes
    sim.advance(0.2)
    assert np.array_equal(ghost.q[-1], sim.q)


def test_inputs_are_plain_data():
    import json

    sim = directed("worm")
    data = read_inputs(sim, lambda motion: "")
    assert json.loads(json.dumps(data)) == data


def test_what_is_on_record_comes_out_again_and_it_is_noticed_if_not():
    sim = directed("worm")
    sim.rewind(0.2)
    sim.director.release()
    sim.advance(0.1)
    here = sim.save()
    assert [sim.recording.find_difference(lane) for lane in sim.take.branches] == [None, None]
    assert same(sim.state, here)
    chunk, row = sim.take.find(0.3, 1)
    moved = chunk.frames[row].q.copy()
    moved[-1] += 1e-15
    chunk.frames[row] = chunk.frames[row]._replace(q=moved)
    assert sim.recording.find_difference(1) == chunk.frames[row].time
    with pytest.warns(sl.StringlessWarning, match="replay diverged from the recording"):
        sim.go_to(chunk.frames[row].time, 1)
