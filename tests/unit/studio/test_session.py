"""The session directs a real simulation: hands, undo, refusals, pages that come and go."""

from __future__ import annotations

import re
import threading
import time

import numpy as np
import pytest

from sessions import PATIENCE, RefusedError, Visitor, studio
from stringless.studio import frames
from stringless.studio.messages import Do, Document, Log, Notice, Refusal, Scene, Seek, Status, Welcome

FAR = 0.6
"""Where a pendulum of two links of about a metre each can be dragged to [m]."""


@pytest.fixture
def pendulum(tmp_path):
    with studio(tmp_path) as (session, page):
        yield session, page


def test_a_page_is_welcomed_and_told_everything(pendulum):
    _, page = pendulum
    audience = page.audience
    kinds = [type(message) for to, message in audience.said if to in (None, page.number)]
    assert kinds[0] is Welcome
    assert kinds.index(Scene) < kinds.index(Document)
    welcome, scene = audience.last(Welcome), audience.last(Scene)
    assert {"undo", "live", "goal", "set_key"} <= {info.name for info in welcome.commands}
    assert [body.name for body in scene.bodies] == ["link_0", "link_1"]
    assert page.frame.poses.shape == (2, 7)
    assert page.frame.epoch == scene.epoch
    assert page.document.scene == "double_pendulum"
    assert page.document.path == ""
    assert [joint.name for joint in page.document.joints] == ["link_0", "link_1"]
    assert page.document.styles == ["acceleration"]
    assert page.document.director["keep_momentum"]


def test_a_drag_moves_the_bone_to_the_target(tmp_path):
    with studio(tmp_path, "worm") as (_, page):
        page.do("live")
        page.until(2.0)  # it has come to rest on the floor
        page.do("speed", rate=0.5)
        start = page.frame.poses[6, :3].copy()
        goal = page.grab(bone="bone_6", target=tuple(start))
        target = start + [-0.02, 0.06, 0.0]
        page.move(target=tuple(target))

        def led() -> list[frames.FrameData]:
            """Since the worm knows, however late this thread has its turn; half a second later it hops away."""
            some = [m for m in page.audience.frames if len(m.goals) and np.allclose(m.goals[0, 4:7], target)]
            return [m for m in some if m.time <= some[0].time + 0.4]

        page.audience.wait(lambda: (seen := led()) and page.frame.time > seen[0].time + 0.4)
        seen, way = led(), np.linalg.norm(start - target)
        moment = seen[-1]
        assert moment.goals[0, 0] == goal
        assert [m.goals[0, 7] for m in seen] == pytest.approx(
            [np.linalg.norm(m.poses[6, :3] - target) for m in seen], abs=1e-3
        )
        assert min(m.goals[0, 7] for m in seen) < 0.2 * way
        assert np.mean([m.goals[0, 7] for m in seen]) < 0.5 * way
        assert moment.flags & frames.LIVE
        assert moment.flags & frames.DIRECTED
        assert page.document.goals[0].held
        page.release()
        assert page.document.goals == []
        assert "project.do('release_goal'" in "".join(line for log in page.audience.all(Log) for line in log.lines)


def test_undo_of_a_drag_goes_back_to_its_beginning(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.3)
    page.grab(bone="link_1", target=(FAR, -FAR, 0.0))
    began = session.state.project.journal.list_entries(session.state.project.history.last())[0]["at"][2]
    page.move(target=(FAR, -0.5 * FAR, 0.0))
    page.until(1.0)
    page.release()
    assert page.document.undo == "drag link_1"
    assert page.do("undo") == "drag link_1"
    assert page.status.time == pytest.approx(began)
    assert page.status.mode == "paused"
    assert page.document.undo == ""
    assert page.do("redo") == "drag link_1"
    assert page.status.time >= 1.0


def test_what_is_refused_changes_nothing(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.2)
    page.do("pause")
    before, count = page.document, session.state.project.store.journal_length
    for wrong in (
        lambda: page.grab(bone="nobody", target=(0.0, 0.0, 0.0)),
        lambda: page.grab(kind="turn", bone="link_1"),
        lambda: page.grab(bone="link_1", options={"wish": 3}),
        lambda: page.grab(bone="link_1", options={"kind": "pin"}),
        lambda: page.grab(bone="link_1", target=(float("nan"), 0.0, 0.0)),
        lambda: page.ask(Do(page.next, "mark", {"command": "undo", "name": "x"})),
        lambda: page.do("mark", name=3),
        lambda: page.do("seek"),
        lambda: page.do("open", source=7),
        lambda: page.do("step", frames="many"),
        lambda: page.do("replay", start="now"),
        lambda: page.do("replay", start=float("nan")),
        lambda: page.do("speed", rate=float("nan")),
        lambda: page.do("trail", bone="link_1", count=10**9),
        lambda: page.do("end_pose", keep=None),
        lambda: page.do("key", time=float("inf")),
        lambda: page.do("begin_pose", character=9),
        lambda: page.do("direct", joints="link_1"),
        lambda: page.do("files", folder="/"),
        lambda: page.do("save_as", path="\0"),
        lambda: page.do("export", format="gif"),
        lambda: page.do("set_key", track=5, time=0.0),
        lambda: page.do("curves", lane=77),
        lambda: page.release(7),
        lambda: page.do("goal", kind="drag"),
        lambda: page.do("configure", dt=1.0),
        lambda: page.do("fly"),
        lambda: page.do("speed", rate=-2),
        lambda: page.do("live", faster=True),
        lambda: page.do("open", source="nowhere"),
        lambda: page.do("undo"),
    ):
        with pytest.raises(RefusedError) as refused:
            wrong()
        assert "this did not work" not in str(refused.value)
        assert session.state.project.store.journal_length == count, str(refused.value)
    assert page.status.mode == "paused"
    assert page.document == before
    assert session.state.project.store.journal_length == count


def test_a_refused_grab_in_the_past_does_not_move_the_present(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.6)
    page.do("pause")
    present = session.state.project.sim.q.copy()
    session.receive(1, Seek(1, 0.2))
    page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
    with pytest.raises(RefusedError, match="no option 'wish'"):
        page.grab(bone="link_1", options={"wish": 3})
    assert page.status.time == pytest.approx(0.2, abs=0.01)
    assert not page.status.present
    assert np.array_equal(session.state.project.sim.q, present)
    assert len(page.document.lanes) == 1


def test_a_grab_in_the_past_goes_on_from_there_in_a_lane_of_its_own(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.6)
    page.do("pause")
    session.receive(1, Seek(1, 0.2))
    page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
    page.grab(bone="link_1", target=(FAR, -FAR, 0.0))
    page.until(0.4)
    page.release()
    lanes = page.document.lanes
    assert [lane.parent for lane in lanes] == [None, 1]
    assert lanes[1].start == pytest.approx(0.2, abs=0.01)
    assert lanes[0].end >= 0.6


def test_going_on_in_the_middle_of_a_drag_lets_go_of_it_but_not_of_pins(pendulum):
    session, page = pendulum
    page.do("goal", kind="pin", bone="link_0", position=False, orientation=True)
    page.grab(bone="link_1", target=(FAR, -FAR, 0.0))
    page.until(0.5)
    page.release()
    page.until(0.7)
    page.do("pause")
    session.receive(1, Seek(1, 0.3))
    page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
    page.do("live")
    page.until(0.4)
    page.do("pause")
    assert [goal.kind for goal in page.document.goals] == ["pin"], "no hand holds the drag of then"
    assert len(page.document.lanes) == 2
    page.do("present")


def branched(session, page):
    """Two lanes; the second is looked at, and is the present."""
    page.do("live")
    page.until(0.6)
    page.do("pause")
    session.receive(1, Seek(1, 0.2))
    page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
    page.do("live")
    page.until(0.4)
    page.do("pause")


def test_the_lane_that_is_looked_at_and_the_only_one_cannot_be_deleted(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.1)
    page.do("pause")
    with pytest.raises(RefusedError, match="'take 1' is the only lane"):
        page.do("delete_lane", lane=1)
    page.do("configure", friction=0.4)
    branched(session, page)
    with pytest.raises(RefusedError, match="'take 2' is the lane you are looking at; look at another one first"):
        page.do("delete_lane", lane=2)
    session.receive(1, Seek(2, 0.3, lane=1))
    page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
    page.do("delete_lane", lane=2)
    assert [lane.deleted for lane in page.document.lanes] == [False, True]
    assert page.document.undo == "delete lane 'take 2'"
    page.do("present")
    assert page.status.lane == 1, "what was deleted is not come back to"
    with pytest.raises(RefusedError, match="'take 1' is the only lane"):
        page.do("delete_lane", lane=1)
    page.do("undo")
    assert [lane.deleted for lane in page.document.lanes] == [False, False]


def test_redo_of_going_on_from_the_past_stands_in_the_lane_that_came_of_it(pendulum):
    session, page = pendulum
    page.do("goal", kind="drag", bone="link_1", target=(FAR, -FAR, 0.0))
    page.do("live")
    page.until(0.3)
    page.do("release_all")
    branched(session, page)
    assert re.fullmatch(r"go to 0\.\d\d s", page.document.undo)
    end = page.status.time
    page.do("undo")
    assert page.status.lane == 1
    page.do("redo")
    assert page.status.lane == 2
    assert page.status.time == pytest.approx(end)


def test_a_lane_says_from_when_on_it_is_out_of_date(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.6)
    page.do("pause")
    assert page.document.lanes[0].stale is None
    session.receive(1, Seek(1, 0.2))
    page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
    page.do("goal", kind="drag", bone="link_1", target=(FAR, -FAR, 0.0))
    page.audience.wait(lambda: page.document.lanes[0].stale is not None)
    assert page.document.lanes[0].stale == pytest.approx(0.2, abs=0.01)


def test_a_page_that_watches_cannot_direct_but_can_look(pendulum):
    session, page = pendulum
    other = Visitor(session, page.audience, 2)
    page.audience.wait(lambda: page.audience.all(Document, 2))
    for wrong in (lambda: other.do("live"), lambda: other.grab(bone="link_1"), lambda: other.do("mark", name="x")):
        with pytest.raises(RefusedError, match="another page directs"):
            wrong()
    assert other.status.director == 1
    assert other.do("gallery")
    assert other.do("script").startswith('"""')
    other.do("direct")
    assert other.status.director == 2
    other.do("mark", name="x", time=0.0)
    with pytest.raises(RefusedError, match="another page directs"):
        page.do("live")


def test_the_next_page_directs_when_the_first_leaves_and_its_hands_open(pendulum):
    session, page = pendulum
    only_looks = Visitor(session, page.audience, 2, watch=True)
    other = Visitor(session, page.audience, 3)
    page.grab(bone="link_1", target=(FAR, -FAR, 0.0))
    session.remove_page(1)
    page.audience.wait(lambda: page.audience.last(Document).goals == [])
    assert other.status.director == 3
    assert only_looks.status.pages == 2
    other.do("undo")
    session.remove_page(3)
    session.remove_page(2)
    again = Visitor(session, page.audience, 4)
    assert again.status.director == 4


def test_time_stops_when_the_page_that_directs_leaves_and_the_next_is_told(pendulum):
    session, page = pendulum
    other = Visitor(session, page.audience, 2)
    page.do("live")
    page.until(0.1)
    session.remove_page(1)
    page.audience.wait(lambda: page.audience.all(Notice, 2))
    assert page.audience.last(Notice, 2).text == "You direct now; time was stopped."
    assert other.status.mode == "paused"
    other.do("live")


def test_the_newest_input_wins_and_comes_back_with_the_frame(pendulum):
    session, page = pendulum
    goal = page.grab(bone="link_1", target=(FAR, -FAR, 0.0))
    for k in range(50):
        page.move(target=(FAR, -FAR, 0.01 * k))
    last = page.move(target=(0.5 * FAR, -FAR, 0.0))
    page.audience.wait(lambda: page.frame.input == last)
    told = [moment for moment in page.audience.frames if moment.input == last]
    assert told[0].wait >= 0
    assert all(moment.wait == -1 for moment in told[1:])
    assert told[0].goals[0, 4:7] == pytest.approx((0.5 * FAR, -FAR, 0.0))
    assert page.status.latency > 0
    assert session.state.project.sim.director.goal(goal).target == pytest.approx((0.5 * FAR, -FAR, 0.0))


def test_two_hands_are_one_step_of_undo(pendulum):
    _, page = pendulum
    page.grab(0, bone="link_1", target=(FAR, -FAR, 0.0))
    page.grab(1, bone="link_0", target=(FAR, 0.0, 0.0))
    assert len(page.document.goals) == 2
    page.move(0, target=(FAR, -0.5 * FAR, 0.0))
    page.move(1, target=(0.5 * FAR, 0.5 * FAR, 0.0))
    page.until(0.2)
    page.release(0)
    assert [goal.bone for goal in page.document.goals] == ["link_0"]
    page.release(1, keep=True)
    assert [goal.bone for goal in page.document.goals] == ["link_0"]
    assert not page.document.goals[0].held
    page.do("undo")
    assert page.document.goals == []
    assert page.document.undo == ""
    assert page.status.time == 0.0


def test_center_and_turn(tmp_path):
    with studio(tmp_path, "worm_tilted") as (session, page):
        page.grab(0, kind="center", bone="bone_2", target=(0.0, 0.2, 0.0))
        page.grab(1, kind="turn", bone="bone_2", orientation=(0.0, 0.0, 0.0, 1.0))
        turned = (0.0, np.sin(0.4), 0.0, np.cos(0.4))
        sequence = page.move(1, orientation=turned)
        page.audience.wait(lambda: page.frame.input == sequence)
        goals = {goal.kind: goal for goal in session.state.project.sim.director.goals}
        assert goals["turn"].orientation == pytest.approx(turned)
        assert [goal.turns for goal in page.document.goals] == [False, True]
        page.release(0)
        page.release(1)
        spans = {span.kind for span in page.document.spans}
        assert {"center", "turn", "directed"} <= spans


def test_a_fault_does_not_end_the_session(pendulum, monkeypatch):
    session, page = pendulum

    def broken(*_, **__):
        raise RuntimeError("a wheel came off")

    monkeypatch.setattr(session.state.player, "seek", broken)
    session.receive(1, Seek(1, 0.0))
    page.audience.wait(lambda: any("a wheel came off" in notice.text for notice in page.audience.all(Notice)))
    monkeypatch.setattr(session.state.player, "live", broken)
    with pytest.raises(RefusedError, match="a wheel came off"):
        page.do("live")
    monkeypatch.undo()
    page.do("live")
    page.until(0.1)


def test_divergence_is_told_and_recovered_from(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.5)
    session.state.project.sim.tau[:] = np.nan
    page.audience.wait(lambda: page.audience.last(Status).trouble)
    status = page.status
    assert not page.audience.all(Notice), "it is said once"
    assert status.mode == "paused"
    assert "diverged" in status.trouble
    assert np.isfinite(page.frame.poses).all()
    session.state.project.sim.tau[:] = 0.0
    page.do("back", seconds=0.2)
    assert page.status.trouble == ""
    assert page.status.time == pytest.approx(status.time - 0.2, abs=0.01)
    page.do("live")
    page.until(status.time + 0.1)


def test_back_after_a_divergence_takes_back_the_parameters_that_may_have_caused_it(pendulum):
    session, page = pendulum
    project = session.state.project
    page.do("live")
    page.until(0.5)
    page.do("pause")
    page.do("configure", friction=0.3)
    page.do("configure", dt=4e-3)
    page.do("speed", rate=0.25)
    page.do("live")
    page.until(page.status.time + 0.05)
    project.sim.tau[:] = np.nan
    page.audience.wait(lambda: page.audience.last(Status).trouble)
    project.sim.tau[:] = 0.0
    page.do("back")
    assert (project.sim.config.dt, project.sim.config.friction) == (1e-3, 0.3), "only the newest change"
    assert page.audience.last(Notice).text.endswith("the step is 1 ms again.")
    assert page.document.undo == "go back"
    page.do("undo")
    assert project.sim.config.dt == 4e-3


def test_back_leaves_parameters_that_have_served_well(pendulum):
    session, page = pendulum
    page.do("configure", dt=2e-3)
    page.do("live")
    page.until(2.5)
    session.state.project.sim.tau[:] = np.nan
    page.audience.wait(lambda: page.audience.last(Status).trouble)
    session.state.project.sim.tau[:] = 0.0
    page.do("back")
    assert session.state.project.sim.config.dt == 2e-3
    assert not page.audience.all(Notice)


def test_warnings_of_the_simulation_are_told_to_people(tmp_path):
    with studio(tmp_path, "worm") as (_, page):
        for _ in range(2):
            page.do("configure", dt=5e-3)
        (notice,) = page.audience.all(Notice)
        assert notice.level == "warning"
        assert "of the longest that the flesh 'worm' can take" in notice.text


def test_a_new_scene_in_the_project_is_told(pendulum):
    _, page = pendulum
    before = page.audience.last(Scene)
    page.do("open_scene", source="pendulum")
    after = page.audience.last(Scene)
    assert [body.name for body in after.bodies] == ["link_0"]
    assert after.epoch > before.epoch
    page.audience.wait(lambda: page.frame.epoch == after.epoch)
    assert len(page.frame.poses) == 1
    page.do("undo")
    assert len(page.audience.last(Scene).bodies) == 2
    assert page.audience.last(Scene).epoch > after.epoch


def test_a_lane_of_another_scene_is_shown_as_it_was(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.3)
    page.do("pause")
    page.do("open_scene", source="cart_pole")
    page.do("live")
    page.until(0.3)
    page.do("pause")
    assert {body.name for body in page.audience.last(Scene).bodies} == {"cart", "pole"}
    session.receive(1, Seek(1, 0.1, lane=1))
    page.audience.wait(lambda: page.audience.last(Scene).bodies[0].name == "link_0")
    page.audience.wait(lambda: page.frame.epoch == page.audience.last(Scene).epoch)
    frame = session.state.project.take.frame(0.1, 1)
    assert page.frame.poses == pytest.approx(session.state.frame_builder.from_frame(frame).poses)
    assert page.do("trail", bone="link_1")
    page.do("present")
    assert page.audience.last(Scene).bodies[0].name == "cart"
    assert not page.audience.all(Notice)


def test_nothing_goes_on_when_nobody_is_there(pendulum):
    session, page = pendulum
    page.do("live")
    page.until(0.1)
    session.remove_page(1)
    end = time.monotonic() + PATIENCE
    while session.state.player.mode != "paused":
        assert time.monotonic() < end
        time.sleep(0.01)
    again = Visitor(session, page.audience, 2)
    assert again.status.mode == "paused"
    again.do("live")
    again.until(again.status.time + 0.05)


def test_status_goes_out_while_the_thread_is_busy(pendulum, monkeypatch):
    session, page = pendulum
    hold, begun = threading.Event(), threading.Event()

    def slow(*_, **__):
        with session.show_progress("Thinking"):
            begun.set()
            hold.wait(PATIENCE)

    monkeypatch.setattr(session.state.player, "pause", slow)
    session.receive(1, Do(page.next, "pause"))
    assert begun.wait(PATIENCE)
    count = len(page.audience.all(Status))
    page.audience.wait(lambda: len(page.audience.all(Status)) >= count + 4)
    assert page.audience.last(Status).preparing.text == "Thinking"
    other = Visitor(session, page.audience, 2)
    assert page.audience.all(Welcome, 2)
    assert page.audience.last(Status, 2).preparing.text == "Thinking"
    hold.set()
    assert other.status.preparing is None


def test_seek_replay_step_and_speed(pendulum):
    session, page = pendulum
    session.receive(1, Seek(1, 0.0))
    page.audience.wait(lambda: page.audience.all(Refusal))
    assert "nothing was recorded" in page.audience.last(Refusal).error
    page.do("live")
    page.until(1.0)
    page.do("pause")
    for k in range(20):
        session.receive(1, Seek(k, 0.04 * k))
    page.audience.wait(lambda: page.frame.input == 19 and not page.frame.flags & frames.PRESENT)
    assert page.frame.time == pytest.approx(0.76, abs=0.01)
    assert np.isnan(page.frame.kinetic)
    before = page.frame.time
    page.do("step", frames=-2)
    page.audience.wait(lambda: page.frame.time == pytest.approx(before - 2 / 120, abs=2e-3))
    page.do("speed", rate=1 / 32)
    page.do("replay", start=0.0, end=0.5)
    assert page.status.range == (0.0, 0.5)
    page.do("speed", rate=2.0)
    page.audience.wait(lambda: page.frame.time == 0.5)
    assert page.status.mode == "paused"
    page.do("present")
    assert page.status.present
    assert page.status.end >= 1.0
    assert page.do("trail", bone="link_1", count=50)
    assert len(page.do("curves", count=50)["height"]) == 50


def test_energy_and_contacts_of_a_moment(tmp_path):
    with studio(tmp_path, "worm") as (session, page):
        page.do("live")
        page.until(3.0)  # it lies still
        page.do("pause")
        page.audience.wait(lambda: not page.frame.flags & frames.LIVE)
        moment = page.frame
        sim = session.state.project.sim
        assert len(moment.contacts) > 4
        assert moment.contacts[:, 4].sum() == pytest.approx(9.81 * session.state.frame_builder.mass, rel=0.2)
        assert np.abs(moment.contacts[:, 1]).max() < 0.01
        assert moment.center[:3] == pytest.approx(sim.center_of_gravity)
        assert moment.center[3:] == pytest.approx(sim.center_of_gravity_velocity)
        assert moment.nodes == pytest.approx(sim.flesh_positions)
        assert moment.potential == pytest.approx(sim.energy().potential, rel=0.05)
        assert moment.flags & frames.TOUCHING


def test_how_it_stands_is_told_before_it_is_seen(pendulum):
    """A page that sees the past offers to go on from there, and one whose hand has set time going can stop it."""
    session, page = pendulum
    page.do("live")
    page.until(0.3)
    page.do("pause")
    for k in range(10):
        session.receive(1, Seek(k, 0.1))
        page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
        assert not page.audience.last(Status).present
        page.do("present")
        page.audience.wait(lambda: page.frame.flags & frames.PRESENT)
    page.grab(bone="link_1", target=(FAR, -FAR, 0.0))
    assert page.audience.last(Status).mode == "live"
    page.release()


def test_a_moment_that_is_looked_at_is_shown_without_waiting_for_anything_else(pendulum, monkeypatch):
    session, page = pendulum
    page.do("live")
    page.until(0.6)
    page.do("pause")
    monkeypatch.setattr("stringless.studio.session.STATUS_EVERY", 3600.0)
    session._next_status = time.perf_counter() + 3600.0
    for k in range(1, 30):
        session.receive(1, Seek(k, 0.02 * k))
        page.audience.wait(lambda k=k: page.frame.input == k, 60.0)
    assert page.frame.time == pytest.approx(0.58, abs=0.01)
