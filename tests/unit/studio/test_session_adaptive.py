"""The studio with the adaptive engine: how many joints move, which, and what a step costs."""

from __future__ import annotations

import dataclasses

import msgspec
import numpy as np
import pytest

import stringless as sl
from sessions import RefusedError, Visitor, studio
from stringless import scenes
from stringless.errors import DivergenceError
from stringless.scenes.crowd import crowd as few_people
from stringless.studio import session_state, step_cost
from stringless.studio.builders.frame import FrameBuilder, find_moving
from stringless.studio.frames import Assembler, Packet, unpack_bits
from stringless.studio.messages import Look, Refusal, Seek, Wishes

LINKS = 50
ROUNDING = 1e-6
"""Of places that are told as float32, along a chain of some metres [m]."""
NEAR = Look(eye=(0.0, 1.0, 6.0), target=(0.0, 1.0, -5.0), up=(0.0, 1.0, 0.0), fov=0.6, height=900.0, aspect=1.6)
FAR = msgspec.structs.replace(NEAR, eye=(0.0, 1.0, 80.0))


@pytest.fixture
def pendulum(tmp_path):
    with studio(tmp_path, "pulled_pendulum") as (session, page):
        yield session, page


def moving(page):
    """Which bodies' joints move, as the newest frame tells."""
    return unpack_bits(page.frame.moving, len(page.frame.places.values))


def go_on(page, seconds):
    page.do("live")
    page.until(page.frame.time + seconds)
    page.do("pause")


def test_nothing_is_told_before_anything_was_chosen(pendulum):
    _, page = pendulum
    assert page.document.engine == "adaptive"
    assert set(page.document.supports) == {"contact", "level_of_detail"}
    assert len(page.frame.moving) == 0
    detail = page.status.detail
    assert (detail.joints, detail.most, detail.characters) == (LINKS, LINKS, 1)
    assert (detail.step, detail.whole) == (-1.0, -1.0), "nobody wants to know"


def test_frames_tell_which_joints_move(pendulum):
    session, page = pendulum
    page.do("configure", active=5)
    go_on(page, 0.2)
    sim = session.state.project.sim
    assert moving(page).sum() == 5
    np.testing.assert_array_equal(moving(page), sim.active_joints)
    assert page.status.detail.moving == 5
    page.do("configure", active=None)
    go_on(page, 0.1)
    assert moving(page).all()
    assert page.status.detail.moving == LINKS


def test_a_frame_on_record_tells_which_joints_moved_then(pendulum):
    _, page = pendulum
    page.do("configure", active=3)
    go_on(page, 0.3)
    then, few = page.frame.time, moving(page)
    page.do("configure", active=40)
    go_on(page, 0.3)
    assert moving(page).sum() == 40
    page.sequence += 1
    page.session.receive(1, Seek(page.sequence, then))
    page.audience.wait(lambda: abs(page.frame.time - then) < 1e-9)
    np.testing.assert_array_equal(moving(page), few)
    assert page.status.detail.moving == few.sum() == 3


def test_a_root_that_floats_moves_always_and_does_not_count():
    sim = sl.Simulation(sl.load("crowd", count=3), active=2)
    sim.step(5)
    told = unpack_bits(find_moving(FrameBuilder(sim.model), sim, None), sim.model.body_count)
    roots = sim.model.tree["parent"] < 0
    assert sim.active_joints[roots].all()
    assert told.sum() == 3 * 2
    np.testing.assert_array_equal(told, sim.active_joints & ~roots)


def test_choosing_is_undone_like_any_other_parameter(pendulum):
    _, page = pendulum
    page.do("begin_gesture", label="change joints that move")
    for active in (30, 12, 4):
        page.do("configure", active=active)
    page.do("end_gesture")
    page.audience.wait(lambda: page.document.parameters["active"] == 4)
    assert page.document.undo == "change joints that move"
    page.do("undo")
    page.audience.wait(lambda: page.document.parameters["active"] is None)
    page.do("redo")
    page.audience.wait(lambda: page.document.parameters["active"] == 4)
    page.do("configure", active=None, max_error=0.5)
    page.audience.wait(lambda: page.document.parameters["max_error"] == 0.5)
    page.do("undo")
    page.audience.wait(lambda: page.document.parameters == {**page.document.parameters, "active": 4, "max_error": None})


def test_the_error_of_what_is_held_is_told_and_keeps_its_bound(pendulum):
    _, page = pendulum
    assert page.status.detail.error == -1.0
    page.do("configure", max_error=1e-3)
    go_on(page, 0.3)
    detail = page.status.detail
    assert 0.0 <= detail.error <= 1e-3
    assert 0 < detail.moving < LINKS


def test_what_a_step_costs_is_measured_for_who_wants_to_know(pendulum):
    session, page = pendulum
    page.do("configure", active=1)
    session.receive(1, Wishes(cost=True))
    go_on(page, 0.2)
    page.audience.wait(lambda: page.status.detail.whole > 0)
    detail = page.status.detail
    assert detail.step > 0
    sim = session.state.project.sim
    assert sim.config.active == 1, "it is measured on a copy"
    assert session.state.kernels.twin is not sim


def test_bad_choices_are_refused_and_change_nothing(pendulum):
    _, page = pendulum
    for change, text in (
        ({"active": 0}, "active is 0"),
        ({"active": 51}, "50 joints"),
        ({"max_error": -1.0}, "max_error is -1.0"),
    ):
        with pytest.raises(RefusedError, match=text):
            page.do("configure", **change)
    assert page.document.parameters["active"] is None


def test_nobody_is_directed(pendulum):
    _, page = pendulum
    with pytest.raises(RefusedError, match="'adaptive' does not support goals"):
        page.grab(bone=page.session.state.project.sim.model.bodies[-1].name)
    assert page.document.goals == []


def test_other_engines_tell_nothing_of_it(tmp_path):
    with studio(tmp_path, "double_pendulum") as (_, page):
        go_on(page, 0.05)
        assert len(page.frame.moving) == 0
        assert page.status.detail is None


def test_where_all_joints_could_not_go_on_nothing_is_said_of_them(pendulum, monkeypatch, caplog):
    session, page = pendulum
    sim, cost = session.state.project.sim, session.state.step_cost
    asked = []

    def measured(twin):
        asked.append(twin.config.active)
        if twin.config.active is None:
            raise DivergenceError("too fast", time=0.0, joint="link_3", cause="dt")
        return 7.0

    monkeypatch.setattr(step_cost, "measure_step", measured)
    page.do("configure", active=3)
    cost._measure(session.state.kernels.twin, sim.save(), sim.parameters())
    assert asked == [3, None]
    assert (cost.step, cost.whole) == (7.0, -1.0)
    assert not caplog.records


# --- bodies that are told by their parents ---


def test_frames_tell_what_has_moved_and_no_more(pendulum):
    session, page = pendulum
    page.do("configure", active=3)
    seen, assembler, counts = (0, 0), Assembler(session.state.frame_builder.model.tree["parent"].tolist()), []
    for _ in range(4):
        go_on(page, 0.02)
        packet = Packet(1, page.frame)
        data, seen = packet.pack_for(seen), packet.version
        counts.append(len(data))
        assembler.take(data)
        exact = session.state.frame_builder.from_simulation(session.state.project.sim).poses
        told = assembler.poses()
        assert np.abs(told[:, :3] - exact[:, :3]).max() < ROUNDING
        turned = np.abs(np.sum(told[:, 3:] * exact[:, 3:], axis=1))
        assert np.abs(turned - 1.0).max() < ROUNDING
    assert counts[0] > 32 * LINKS
    assert max(counts[1:]) < counts[0] / 2


def test_the_record_is_told_in_the_same_way(pendulum):
    session, page = pendulum
    page.do("configure", active=3)
    go_on(page, 0.2)
    page.sequence += 1
    page.session.receive(1, Seek(page.sequence, 0.1))
    page.audience.wait(lambda: abs(page.frame.time - 0.1) < 0.01)
    frame = session.state.player.frame
    assembler = Assembler(session.state.frame_builder.model.tree["parent"].tolist())
    assembler.take(Packet(1, page.frame).pack_for((0, 0)))
    exact = session.state.frame_builder.from_frame(frame)
    assert np.abs(assembler.poses()[:, :3] - exact.poses[:, :3]).max() < ROUNDING
    assert np.abs(page.frame.center - exact.center).max() < ROUNDING, "time stands still"


# --- from where somebody looks ---


@pytest.fixture
def crowd(tmp_path, monkeypatch):
    """A small crowd that counts as a large one."""

    def build():
        """Six people."""
        return few_people(6)

    monkeypatch.setattr(session_state, "CROWD", 5)
    monkeypatch.setitem(scenes.SCENES, "crowd", dataclasses.replace(scenes.SCENES["crowd"], build=build))
    with studio(tmp_path, "crowd") as (session, page):
        yield session, page


def test_joints_are_spent_where_the_page_that_directs_looks(crowd):
    session, page = crowd
    sim = session.state.project.sim
    assert page.status.detail.follows
    page.session.receive(1, NEAR)
    page.audience.wait(lambda: sim.view is not None)
    go_on(page, 0.06)
    near = page.status.detail
    assert near.near >= near.far > 1
    page.session.receive(1, FAR)
    page.audience.wait(lambda: sim.view is not None and sim.view.eye[2] == 80.0)
    go_on(page, 0.06)
    far = page.status.detail
    assert far.moving < near.moving / 3
    assert far.near < near.near
    away = msgspec.structs.replace(NEAR, target=(0.0, 1.0, 20.0))
    page.session.receive(1, away)
    page.audience.wait(lambda: sim.view is not None and sim.view.target[2] == 20.0)
    go_on(page, 0.06)
    page.audience.wait(lambda: page.status.detail.hidden == 6)
    assert page.status.detail.moving == 0
    assert not page.document.undo, "looking is no step of undo"
    assert "view" not in page.document.parameters


def test_who_is_out_of_the_picture_adds_nothing_to_the_error(crowd):
    session, page = crowd
    sim = session.state.project.sim
    aside = msgspec.structs.replace(NEAR, eye=(-1.2, 1.0, 3.0), target=(-1.2, 1.0, -3.0), fov=0.3, aspect=0.3)
    page.session.receive(1, aside)
    page.audience.wait(lambda: sim.view is not None)
    page.do("configure", max_error=0.5)
    go_on(page, 0.06)
    page.audience.wait(lambda: 0 < page.status.detail.hidden < 6)
    told = list(sim.rigidification_errors.values())
    assert None in told
    assert page.status.detail.error == pytest.approx(sum(error for error in told if error is not None))


def test_only_the_page_that_directs_counts(crowd):
    session, page = crowd
    sim = session.state.project.sim
    other = Visitor(session, page.audience, 2)
    session.receive(2, FAR)
    session.receive(1, NEAR)
    page.audience.wait(lambda: sim.view is not None)
    assert sim.view.eye == NEAR.eye
    other.do("direct")
    page.audience.wait(lambda: sim.view.eye == FAR.eye)


def test_the_view_is_followed_or_not(crowd):
    session, page = crowd
    sim = session.state.project.sim
    page.session.receive(1, FAR)
    page.audience.wait(lambda: sim.view is not None)
    page.do("follow_view", on=False)
    assert sim.view is None
    assert not page.status.detail.follows
    page.do("follow_view", on=True)
    assert sim.view.eye == FAR.eye


def test_nobody_looks_through_nonsense(crowd):
    session, page = crowd
    page.session.receive(1, msgspec.structs.replace(NEAR, fov=4.0))
    page.audience.wait(lambda: any("fov of a view is 4.0" in said.error for said in page.audience.all(Refusal)))
    assert session.state.project.sim.view is None


def test_few_characters_are_not_followed_unless_asked(pendulum):
    session, page = pendulum
    page.session.receive(1, FAR)
    go_on(page, 0.02)
    assert not page.status.detail.follows
    assert session.state.project.sim.view is None
