"""Keyframes, passive joints, live input, poses by hand, previews."""

import threading

import numpy as np
import pytest

import stringless as sl
from stringless.control.live import Stream, replay


def worm() -> sl.Simulation:
    return sl.Simulation(sl.load("worm"), restitution=0.0)


# --- keyframes ---


def test_keyframes_are_played_exactly_after_a_smooth_start() -> None:
    """From the end of the blend on, joints stand on the track at every step; before, velocity does not jump."""
    sim = worm()
    sim.director.take()
    sim.v[4] = 2.0
    track = sim.director.keyframes()
    track.insert(0.0, {"bone_2": 0.1})
    track.insert(0.3, {"bone_2": -0.4, "bone_5": 0.5})
    track.insert(0.5, {"bone_2": 0.0, "bone_5": 0.0})
    track.play(blend=0.1)
    before = sim.v[3:].copy()
    fastest = 0.0
    for _ in range(600):
        sim.step()
        fastest = max(fastest, float(np.abs(sim.v[3:] - before).max()))
        before = sim.v[3:].copy()
        if sim.time > 0.101:
            expected = track.at(sim.time)[0]
            np.testing.assert_allclose(sim.q[3:], expected[3:], rtol=0, atol=1e-12)
    assert 0 < fastest < 0.3
    assert track.finished
    assert np.abs(sim.effort[3:]).max() > 0


def test_keys_can_be_inserted_moved_retimed_and_deleted() -> None:
    """The track is what was asked for."""
    track = worm().director.keyframes(["bone_2", "bone_4"])
    track.insert(1.0, {"bone_2": 0.3})
    track.insert(0.0, {"bone_2": 0.0})
    track.insert(2.0, {"bone_2": 0.1})
    joint = track.model.joint("bone_2").q_slice
    assert track.times == [0.0, 1.0, 2.0]
    np.testing.assert_allclose(track.at(1.0)[0][joint], 0.3)
    assert track.move(1, 2.5) == 2
    assert track.times == [0.0, 2.0, 2.5]
    track.retime(2.0)
    assert track.times == [0.0, 4.0, 5.0]
    track.delete(0)
    assert track.duration == 1.0
    with pytest.raises(sl.InputError, match="no key 7"):
        track.delete(7)
    with pytest.raises(sl.InputError, match="already a key"):
        track.move(0, 5.0)


def test_a_track_has_no_jump_in_acceleration() -> None:
    """Cubic splines: second differences are continuous across a key."""
    track = worm().director.keyframes(["bone_2"])
    for time, value in ((0.0, 0.0), (0.4, 0.5), (1.0, -0.3), (1.3, 0.2)):
        track.insert(time, {"bone_2": value})
    joint = track.model.joint("bone_2").v_slice
    h = 1e-5
    left = (track.at(0.4)[1][joint] - track.at(0.4 - h)[1][joint]) / h
    right = (track.at(0.4 + h)[1][joint] - track.at(0.4)[1][joint]) / h
    assert abs(left[0]) > 1
    np.testing.assert_allclose(left, right, rtol=0, atol=1e-2 * abs(left[0]))


# --- passive ---


def test_passive_joints_go_from_limp_to_stiff() -> None:
    """The stiffer the springs, the less a joint gives way; limp is what a simulation without a director does."""
    bend = {}
    for stiffness in (0.0, 1.0, 20.0):
        sim = worm()
        sim.director.take()
        sim.director.passive(stiffness=stiffness, damping=0.02)
        assert not sim.is_directed
        sim.tau[3] = 0.5
        sim.advance(0.15)
        bend[stiffness] = abs(float(sim.q[3]))
    assert bend[0.0] > 1.3 * bend[1.0] > 5 * bend[20.0] > 0
    free, limp = worm(), worm()
    limp.director.passive()
    for sim in (free, limp):
        sim.advance(0.1)
    np.testing.assert_array_equal(free.q, limp.q)


def test_modes_switch_per_joint_and_are_recorded() -> None:
    """Some joints directed, some on keyframes, some passive, at once, in the air; no switch makes velocity jump."""
    sim = worm()
    sim.set_state(sim.q + np.array([0.0, 2.0] + [0.0] * 7))
    director = sim.director
    goal = director.drag("bone_6", point=(0.06, 0, 0))
    home = goal.position
    goal.target = lambda t: home + np.array([0.02 * np.sin(9 * t), -4.905 * t * t, 0.0])
    track = director.keyframes(["bone_1"])
    track.insert(0.0, {"bone_1": 0.0})
    track.insert(0.3, {"bone_1": 0.6})
    switches = {100: track.play, 200: lambda: director.passive(["bone_2"], stiffness=0.1), 300: track.stop}
    before = sim.v.copy()
    change = []
    for k in range(400):
        switches.get(k, lambda: None)()
        sim.step()
        change.append(float(np.abs(sim.v[3:] - before[3:]).max()))
        before = sim.v.copy()
    assert max(change) < 0.4
    assert np.abs(sim.v[3:]).max() > 0.5
    what = [event.what for event in director.events]
    assert any("passive" in text for text in what)
    assert any("keyframes begin" in text for text in what)
    assert any("keyframes end" in text for text in what)
    assert director.directed[sim.model.joint("bone_1").v_slice].all()
    assert not director.directed[sim.model.joint("bone_2").v_slice].any()


# --- live input ---


def test_a_stream_holds_when_silent_and_tames_glitches() -> None:
    """Latest sample only, a limit on speed, nonsense thrown away."""
    stream = Stream((0, 0, 0), top_speed=2.0, jump=3.0)
    assert stream.feed((1.0, 0.0, 0.0))
    assert not stream.feed((np.nan, 0, 0))
    assert not stream.feed((50.0, 0, 0))
    assert not stream.feed("nonsense")
    stream(0.0)
    np.testing.assert_allclose(stream(0.1), (0.2, 0, 0))
    np.testing.assert_allclose(stream(5.0), (1.0, 0, 0))
    np.testing.assert_allclose(stream(9.0), (1.0, 0, 0))
    assert (stream.accepted, stream.refused) == (1, 3)


def test_a_thread_can_feed_a_goal_and_the_record_repeats_it() -> None:
    """Samples from another thread lead the character; played again from the record, the motion is the same."""
    sim = worm()
    sim.advance(0.4)
    start = sim.save()
    goal = sim.director.drag("bone_0", point=(-0.06, 0, 0))
    home = goal.position
    stream = Stream(home)
    goal.target = stream
    feeder = threading.Thread(target=lambda: [stream.feed(home + np.array([0.0, 0.001 * k, 0.0])) for k in range(60)])
    feeder.start()
    sim.advance(0.1)
    feeder.join()
    sim.advance(0.1)
    first = sim.save()
    assert goal.position[1] > home[1] + 0.01
    sim.restore(start)
    goal.target = replay(stream.record)
    sim.advance(0.2)
    np.testing.assert_allclose(sim.q, first.q, rtol=0, atol=1e-9)


# --- poses by hand ---


def test_a_bone_is_dragged_into_a_pose_with_pins_and_limits() -> None:
    """The dragged point arrives, the pinned one stays, no joint passes its limit; out of reach, it gets near."""
    sim = worm()
    poser = sim.director.poser()
    pin = poser.pin("bone_6", point=(0.06, 0, 0))
    drag = poser.drag("bone_0", np.array([-0.12, sim.q[1] + 0.08, 0.0]), point=(-0.06, 0, 0))
    q = poser.solve()
    assert poser.error(drag) < 1e-4
    assert poser.error(pin) < 1e-6
    assert np.abs(q[3:]).max() < 1.1 + 1e-6
    assert np.abs(q[3:]).max() > 0.1
    far = sim.director.poser()
    handle = far.drag("bone_0", (0.0, 5.0, 0.0), point=(-0.06, 0, 0))
    before = far.error(handle)
    q = far.solve()
    assert far.error(handle) < before
    assert np.abs(q[3:]).max() < 1.1 + 1e-6
    np.testing.assert_array_equal(q[:3], sim.q[:3])


# --- preview ---


def test_a_preview_is_what_then_happens_and_disturbs_nothing() -> None:
    """Bit by bit, with goals, a moving target and contact at work."""
    sim = worm()
    sim.advance(0.3)
    goal = sim.director.drag("bone_0", point=(-0.06, 0, 0))
    home = goal.position
    goal.target = lambda t: home + np.array([0.0, 0.1 * np.sin(5 * (t - 0.3)), 0.0])
    sim.advance(0.05)
    before = sim.save()
    ghost = sim.preview(0.2, rate=50.0)
    assert ghost.complete
    for name in before.arrays():
        np.testing.assert_array_equal(getattr(before, name), getattr(sim.state, name))
    sim.step(200)
    np.testing.assert_array_equal(ghost.q[-1], sim.q)
    np.testing.assert_array_equal(ghost.skin[-1], sim.surface_positions)
    assert np.abs(ghost.q[-1] - ghost.q[0]).max() > 0.01


def test_a_preview_can_be_cancelled() -> None:
    """It returns what there is."""
    sim = worm()
    calls = []
    ghost = sim.preview(1.0, rate=100.0, cancelled=lambda: calls.append(1) is None and len(calls) > 5)
    assert not ghost.complete
    assert len(ghost.time) == 6
