"""A script directs as a page does, and with a page: what it asks is done, what is refused changes nothing."""

import numpy as np
import pytest

from joining import connect
from stringless.errors import InputError
from stringless.studio.client import LostError, RefusedError
from stringless.studio.messages import Notice
from stringless.studio.server import Studio

ROUNDING = 1e-6
"""Of places that are told as float32, along a chain of some metres [m]."""
PATIENCE = 600.0
"""Kernels may have to be compiled first [s]."""


@pytest.fixture(scope="module")
def tip(honest):
    return honest.scene.bodies[-1].name


def test_what_there_is_is_the_newest(studio, honest):
    assert honest.scene.name == honest.document.scene == "lamp"
    assert honest.status.director == honest.welcome.page
    assert "undo" in {command.name for command in honest.welcome.commands}
    first = honest.frame
    second = honest.next_frame()
    assert second.time > first.time
    assert np.isfinite(second.poses).all()


def test_a_hand_leads_a_bone(honest, tip):
    with honest.grab(tip) as hand:
        x, y, z = hand.start
        assert [goal.id for goal in honest.document.goals] == [hand.goal]
        target = np.array((x + 0.05, y - 0.05, z))
        sequence = hand.move(target)
        honest.wait(lambda: honest.frame.input >= sequence)
        honest.wait(
            lambda: bool(np.linalg.norm(honest.position(tip) - target) < 0.5 * np.linalg.norm(target - hand.start))
        )
    honest.wait(lambda: not honest.document.goals)
    assert tip in honest.document.undo
    assert honest.waits
    assert honest.round_trips[-1] >= honest.waits[-1] >= 0.0, "the way there and back is longer than the wait there"


def test_what_is_refused_says_why_and_changes_nothing(honest, tip):
    before = honest.document
    for wrong in (
        lambda: honest.do("no_such_command"),
        lambda: honest.do("undo", much=3),
        lambda: honest.do("mark", name="x", time="noon"),
        lambda: honest.grab(tip, no_such_option=1),
        lambda: honest.do("set_goal", goal=12345, weight=2.0),
    ):
        with pytest.raises(RefusedError) as refused:
            wrong()
        assert len(str(refused.value)) > 10
        assert "this did not work" not in str(refused.value), "which is how a fault would begin"
    assert honest.document.goals == before.goals
    assert honest.document.undo == before.undo


@pytest.mark.parametrize("target", [(1.0, 2.0), (float("nan"), 0.0, 0.0), (float("inf"), 0.0, 0.0), (1, 2, 3, 4)])
def test_a_place_that_is_none_is_not_even_sent(honest, tip, target):
    with pytest.raises(InputError, match="3 finite numbers"):
        honest.grab(tip, target=target)


def test_a_bone_that_is_none_is_named(honest):
    with pytest.raises(InputError, match="there is no bone 'tail'; there are: "):
        honest.grab("tail")


def test_two_direct_in_turns(studio, honest, tip):
    with connect(studio.address, name="other") as other:
        with pytest.raises(RefusedError, match="another page directs"):
            other.grab(tip)
        assert other.do("gallery"), "looking is open to all"
        other.direct()
        with other.grab(tip) as hand:
            sequence = hand.move(hand.start + (0.0, 0.01, 0.0))
            other.wait(lambda: other.frame.input >= sequence)
            with pytest.raises(RefusedError, match="another page directs"):
                honest.do("undo")
        honest.wait(lambda: honest.status.director == other.welcome.page)
        honest.direct()
        honest.do("undo")
    honest.wait(lambda: honest.status.pages == 1)


def test_one_who_leaves_lets_go(studio, honest, tip):
    other = connect(studio.address, name="other")
    other.direct()
    other.grab(tip)
    honest.wait(lambda: len(honest.document.goals) == 1)
    other.close()
    honest.wait(lambda: not honest.document.goals and honest.status.director == honest.welcome.page)


def test_one_who_comes_again_finds_everything(studio, honest):
    honest.do("mark", name="here")
    with connect(studio.address, watch=True) as again:
        assert again.welcome.session == honest.welcome.session
        assert "here" in [marker.name for marker in again.document.markers]
        assert again.frame.epoch == again.scene.epoch


def test_a_seek_shows_the_record(honest):
    end = honest.status.end
    sequence = honest.seek(end / 2)
    honest.wait(lambda: honest.frame.input >= sequence and abs(honest.frame.time - end / 2) < 0.02)
    assert honest.status.mode in ("paused", "live"), "status comes a few times a second"
    honest.do("live")
    honest.wait(lambda: honest.frame.time > end / 2 + 0.05)


def test_nonsense_comes_back_as_a_notice(honest):
    honest.notices.clear()
    honest.send(b"garbage")
    honest.wait(lambda: bool(honest.notices))
    said = honest.notices.popleft()
    assert not isinstance(said, Notice)
    assert "is malformed" in said.error


def test_after_it_was_closed_calls_say_so(studio):
    client = connect(studio.address, watch=True)
    client.close()
    assert not client.open
    with pytest.raises(LostError, match="the connection to the studio is lost"):
        client.do("gallery")


def test_waiting_in_vain_ends(honest):
    with pytest.raises(TimeoutError, match="did not send what was waited for within 0.2 s"):
        honest.wait(lambda: False, 0.2)


def test_bodies_that_are_told_by_their_parents_are_put_together():
    """With a chain of which few joints move, every frame tells only those, and all of it can be asked for."""
    with Studio("pulled_pendulum", port=0) as studio, connect(studio.address) as script:
        script.do("configure", active=3)
        script.do("speed", rate=1.0)
        script.do("live")
        script.wait(lambda: script.frame.time > 0.1, PATIENCE)
        script.do("pause")
        script.wait(lambda: script.frame.time == script.status.time and script.status.mode == "paused")
        sim = studio.session.state.project.sim
        for bone in ("link_3", "link_49"):
            there = sim.body_poses().position[sim.model.body(bone).index]
            assert np.linalg.norm(script.position(bone) - there) < ROUNDING
        assert script.frame.poses.shape == (50, 7)


def test_a_script_edits_a_motion():
    with Studio("two_pins", port=0) as studio, connect(studio.address) as script:
        script.wait(lambda: script.edit.open, PATIENCE)
        assert script.do("edit_solve")["error"] < 1e-3
        script.do("edit_unnail", nail=2)
        with script.grab("link 3", kind="edit", time=0.4) as hand:
            hand.move((0.5, 1.6, 0.1))
        script.wait(
            lambda: not script.edit.busy and not script.edit.held and script.document.undo == "drag the motion",
            PATIENCE,
        )
        editor = studio.session.state.project.edits.editor()
        assert np.linalg.norm(editor.point("link 3", 0.4) - (0.5, 1.6, 0.1)) < 2e-3
        assert script.do("edit_keep", name="edited") == 1
        script.wait(lambda: not script.edit.open)
