"""The stream of a glove: within the limits of the hand, smooth, and doing what it says."""

import numpy as np
import pytest

from stringless.errors import InputError
from stringless.kinematics import body_poses
from stringless.model import Pose
from stringless.scenes import glove, hand

MODEL = hand.build(soft=False).build()
FLAT = 0.94
"""Fingertips are this much flatter than wide."""
TIMES = np.arange(0.0, glove.LENGTH, 0.02)


def configuration(time):
    q, palm = MODEL.neutral(), glove.palm_pose(time)
    q[:3], q[3:7] = palm.position, palm.rotation
    for name, angles in glove.glove_angles(time).items():
        q[MODEL.joint(name).q_slice] = angles
    return q


def tips(time):
    """Middles of the round ends of the fingers."""
    position, rotation = body_poses(MODEL, configuration(time))
    places = {}
    for name, finger in hand.FINGERS.items():
        i = MODEL.body(finger.bones[2]).index
        places[name] = position[i] + rotation[i] @ (finger.lengths[2], 0.0, 0.0)
    return places


def test_stream_names_every_joint_but_the_palm():
    assert set(glove.glove_angles(0.0)) == {joint.name for joint in MODEL.joints} - {"palm"}
    assert set(glove.JOINTS) == set(glove.glove_angles(0.0))


def test_angles_are_within_the_limits():
    for time in (-1.0, *TIMES, glove.LENGTH + 1.0):
        for name, angles in glove.glove_angles(time).items():
            spec = MODEL.joint(name).spec
            assert np.all(np.asarray(angles) >= spec.lower), (time, name)
            assert np.all(np.asarray(angles) <= spec.upper), (time, name)


def test_stream_begins_and_ends_where_the_scene_starts():
    start = hand.hand(soft=False).q
    for time in (-1.0, 0.0, glove.LENGTH, glove.LENGTH + 5.0):
        np.testing.assert_allclose(configuration(time), start, atol=1e-12)


def test_every_joint_is_used():
    recording = glove.recorded()
    assert np.ptp(recording.angles, axis=0).min() > 0.04
    assert np.ptp(recording.positions[:, 1]) > 0.1


def test_recording_is_the_stream_at_equal_intervals():
    recording = glove.recorded(50.0)
    assert len(recording.times) == round(50 * glove.LENGTH) + 1
    assert recording.angles.shape == (len(recording.times), 20)
    k = 123
    assert recording.times[k] == pytest.approx(k / 50)
    sent = glove.glove_angles(recording.times[k])
    np.testing.assert_array_equal(recording.angles[k], [x for name in glove.JOINTS for x in sent[name]])
    np.testing.assert_array_equal(recording.positions[k], glove.palm_pose(recording.times[k]).position)
    np.testing.assert_allclose(np.linalg.norm(recording.rotations, axis=1), 1.0)
    with pytest.raises(InputError, match="rate is 0; expected a number above 0"):
        glove.recorded(0)


def test_motion_has_no_jumps():
    """Neither in the angles nor in their rates: hands turn their joints with 20 rad/s at most."""
    recording = glove.recorded(500.0)
    rates = np.diff(recording.angles, axis=0) * 500.0
    assert np.abs(rates).max() < 20.0
    assert np.abs(np.diff(rates, axis=0)).max() * 500.0 < 400.0
    assert np.abs(np.diff(recording.positions, axis=0)).max() * 500.0 < 1.0


def test_thumb_and_index_finger_pinch():
    def apart(time):
        places = tips(time)
        return np.linalg.norm(places["thumb"] - places["index"])

    touching = hand.FINGERS["thumb"].radius + hand.FINGERS["index"].radius
    assert 0.85 * touching < apart(2.1) < touching
    assert apart(3.2) > 3 * touching


def test_fist_is_closed():
    palm = glove.palm_pose(4.3)
    for name, place in tips(4.3).items():
        local = palm.inverse().apply(tuple(place))
        assert np.linalg.norm(np.subtract(local, (0.015, -0.03, 0.0))) < 0.06, name
    assert all(palm.inverse().apply(tuple(place))[0] > 0.05 for name, place in tips(3.2).items() if name != "thumb")


@pytest.mark.parametrize("number", range(5))
def test_fingers_tap_the_table_one_after_the_other(number):
    place = tips(6.4 + 0.5 * number + 0.25)
    gaps = {name: place[name][1] - FLAT * finger.radius - hand.TABLE for name, finger in hand.FINGERS.items()}
    tapping = list(hand.FINGERS)[number]
    assert -0.006 < gaps.pop(tapping) < -0.003
    assert min(gaps.values()) > 0.008


def test_nothing_touches_the_table_between_the_taps():
    block = MODEL.body("palm").shapes[0]
    corners = np.array([block.place.apply(tuple(np.multiply(block.size, s))) for s in np.ndindex(2, 2, 2)])
    for time in TIMES:
        palm = glove.palm_pose(time)
        assert min(palm.apply(tuple(corner))[1] for corner in corners) > hand.TABLE + 0.04
        if time < 6.4 or time > 9.0:
            assert min(place[1] for place in tips(time).values()) > hand.TABLE + 0.015


def test_palm_faces_down_when_it_taps():
    palm = glove.palm_pose(7.0)
    assert isinstance(palm, Pose)
    np.testing.assert_allclose(palm.rotation, (0.0, 0.0, 0.0, 1.0), atol=1e-12)
