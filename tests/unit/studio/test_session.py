"""The session directs a real simulation: hands, refusals, faults, what pages are told."""

from __future__ import annotations

import numpy as np
import pytest

from sessions import RefusedError, studio
from stringless.studio import frames
from stringless.studio.messages import Do, Document, Log, Notice, Scene, Seek, Welcome

FAR = 0.6
"""Where a pendulum of two links of about a metre each can be dragged to [m]."""


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
