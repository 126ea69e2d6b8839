"""From the record into the editor and back: what is passive opens exactly, what is not says when and why."""

import numpy as np
import pytest

import stringless as sl
from stringless.editing import Grip, Release, studies
from stringless.editing.takes import configurations, make_scene, open_present, open_take, record
from stringless.errors import InputError
from stringless.model import ModelBuilder, Pose, Scene, Shape

DT = 5e-3
ROUNDING = 1e-12
"""What adding times up and turning coordinates round may change in a second [rad, m]."""


def falling(**options):
    model = studies.links(studies.FALLING)
    q, v = model.neutral(), np.zeros(model.nv)
    q[1], v[:6] = 2.0, (0.5, 0.0, 1.0, 0.0, 2.0, 0.0)
    return sl.Simulation(Scene(model, q=q, v=v), dt=DT, **options)


def bouncing_ball():
    builder = ModelBuilder("ball")
    inertia = (0.01, 0.01, 0.01, 0.0, 0.0, 0.0)
    builder.add_body("ball", joint="free", mass=2.0, inertia=inertia, shapes=(Shape(kind="sphere", size=(0.1,)),))
    builder.world_shapes.append(Shape(kind="box", size=(5.0, 0.1, 5.0), place=Pose((0.0, -0.1, 0.0))))
    model = builder.build()
    q = model.neutral()
    q[1] = 1.0
    return sl.Simulation(Scene(model, q=q), dt=1e-3)


def test_a_passive_take_opens_as_it_was_to_the_last_bit():
    sim = falling()
    sim.advance(1.0)
    before = sim.state.copy()
    opened = open_take(sim, begin=0.2, end=0.8)
    assert opened.note == ""
    assert opened.begin == pytest.approx(0.2)
    frames = list(sim.take.frames(opened.begin, 0.8 - DT))
    known = opened.editor.run.clips[0].frames.q
    assert len(frames) > 60
    for frame in frames:
        assert np.array_equal(known[frame.step - frames[0].step], frame.q)
    assert np.array_equal(sim.q, before.q)
    assert sim.time == before.time


def test_an_edited_take_goes_back_as_physics_alone_and_is_directed_from_any_moment():
    sim = falling()
    sim.advance(1.0)
    editor = open_take(sim, begin=0.2, end=0.8).editor
    editor.nail("link 3", time=0.4, target=editor.point("link 3", 0.4) + np.array([0.2, 0.1, 0.0]))
    editor.solve()
    sim.go_to(0.2)
    assert record(sim, editor)
    lane = sim.take.current
    assert sim.take.branch(lane).parent == 1
    frames = list(sim.take.frames(0.2, 0.79, lane))
    for frame in frames:
        step = round((frame.time - frames[0].time) / DT)
        assert np.array_equal(frame.q, editor.run.clips[0].frames.q[step])
    sim.go_to(0.5, lane)
    assert sim.motion is None
    sim.director.add("drag", bone="link 3", target=(0.0, 3.0, 0.0))
    sim.advance(0.1)
    assert sim.take.branch(sim.take.current).parent == lane


def test_a_motion_with_grips_is_followed_exactly_and_free_afterwards():
    sim = falling()
    editor = sl.Editor(
        sim.scene,
        duration=0.8,
        dt=DT,
        transitions=[Grip(body="link 3", when=0.303, point=studies.TIP), Release(when=0.551)],
    )
    assert not record(sim, editor)
    for frame in sim.take.frames(0.0, 0.8):
        wanted = configurations(editor, np.array([0.0, min(frame.time, 0.8)]))[-1 if frame.time else 0]
        assert np.abs(sim.model.difference(frame.q, wanted)).max() < ROUNDING
    assert sim.motion is None
    sim.finish_recording()
    assert sim.take.end() == sim.time == pytest.approx(0.8)  # it ends with the last pose of the motion
    sim.go_to(sim.take.end())
    assert sim.motion is None
    sim.advance(0.1)
    assert sim.take.children(1) == []
    assert sim.recording.find_difference() is None
    sim.go_to(0.8 - DT)
    assert sim.motion is not None


def test_what_goes_on_from_a_motion_that_was_kept_opens_from_where_it_left_it():
    sim = falling()
    editor = sl.Editor(sim.scene, duration=0.8, dt=DT, transitions=[Grip(body="link 3", when=0.3), Release(when=0.45)])
    assert not record(sim, editor)
    kept = sim.take.current
    sim.go_to(0.5)
    sim.follow(None)
    sim.advance(0.4)
    assert sim.take.current != kept
    opened = open_take(sim)
    assert opened.begin == pytest.approx(0.5, abs=2 * DT)
    assert opened.editor.course.duration == pytest.approx(0.4, abs=2 * DT)
    assert opened.note == "The motion is open from 0.505 s on: before that, the character follows another."
    with pytest.raises(InputError, match="follows a motion; expected .* as a whole: branch 'take 1' from 0 to 0.8 s"):
        open_take(sim, branch=kept)


def test_where_somebody_directs_the_motion_ends():
    sim = falling()
    sim.advance(0.5)
    goal = sim.director.add("drag", bone="link 3", target=(0.5, 3.0, 0.0), stiffness=10.0)
    sim.advance(0.3)
    opened = open_take(sim)
    assert opened.editor.course.duration == pytest.approx(0.5, abs=0.02)
    assert "somebody directs the character" in opened.note
    assert "The motion is open up to 0.5 s of 'take 1'" in opened.note
    with pytest.raises(InputError, match=r"at 0.6 s of branch 'take 1' somebody directs the character; expected"):
        open_take(sim, begin=0.6)
    assert goal in sim.director.goals


def test_after_goals_have_ended_a_take_opens_where_the_joints_are_limp():
    sim = falling()
    goal = sim.director.add("drag", bone="link 3", target=(0.5, 3.0, 0.0), stiffness=10.0)
    sim.advance(0.1)
    goal.release()
    sim.advance(0.2)
    sim.director.leave()
    sim.advance(0.2)
    words = r"the joints go to their rest pose, .* Choose a time at which its joints are limp \(`director.leave\(\)`"
    with pytest.raises(InputError, match=f"at 0.2 s of branch 'take 1' {words}"):
        open_take(sim, begin=0.2)
    assert open_take(sim, begin=0.35).editor.course.duration == pytest.approx(0.15, abs=2 * DT)


def test_where_passive_joints_have_springs_the_motion_ends():
    sim = falling()
    sim.set_state(sim.q, np.linspace(-1.0, 1.0, sim.model.nv))
    sim.advance(0.2)
    sim.director.passive(stiffness=2.0, damping=0.1)
    sim.advance(0.2)
    assert "springs that were set for passive joints hold the character" in open_take(sim).note
    with pytest.raises(InputError, match="springs that were set for passive joints hold the character; expected"):
        open_take(sim, begin=0.3)
    limp = open_present(sim, 0.2)
    sim.director.passive()
    sim.advance(0.2)
    np.testing.assert_allclose(limp.run.clips[0].frames.q_samples[-1], sim.q, rtol=0, atol=ROUNDING)


def test_where_something_is_touched_the_motion_ends():
    sim = bouncing_ball()
    sim.advance(1.0)
    opened = open_take(sim)
    assert "something is touched" in opened.note
    assert opened.editor.course.duration == pytest.approx(np.sqrt(2 * 0.9 / 9.81), abs=0.03)


def test_what_cannot_be_opened_is_refused_by_name():
    sim = falling()
    sim.advance(0.3)
    with pytest.raises(
        InputError, match="cannot edit branch 'take 1' from 0.2 to 0.9 s; it was recorded from 0 to 0.3 s"
    ):
        open_take(sim, begin=0.2, end=0.9)
    stiff = falling(engine="stiff")
    stiff.advance(0.1)
    with pytest.raises(
        InputError, match="engine 'stiff' does not support motion editing; use engine 'reduced'. Open what would happen"
    ):
        open_take(stiff)
    worm = sl.Simulation(sl.load("worm"))
    with pytest.raises(InputError, match="some flesh; expected one tree of rigid bodies"):
        open_present(worm, 1.0)
    with pytest.raises(InputError, match="a motion of 0.01 s cannot be edited; expected 0.05 s or more"):
        open_present(sim, 0.01)


STIFFNESSES = [{"stop_frequency": 5.0}, {"joint_springs": 0.0}, {"joint_springs": 2.5, "stop_frequency": 40.0}]


@pytest.mark.parametrize("options", STIFFNESSES, ids=str)
def test_joints_are_as_stiff_as_in_the_simulation(options):
    """The editor had joints as they were built, and opened another motion without a word."""
    sim = sl.Simulation(sl.load("humanoid"), dt=DT, **options)
    editor = open_present(sim, 0.3)
    usual = open_present(sl.Simulation(sl.load("humanoid"), dt=DT), 0.3)
    frames = editor.run.clips[0].frames.q
    assert np.abs(frames - usual.run.clips[0].frames.q).max() > 1e-3
    sim.step(len(frames) - 1)
    assert np.array_equal(sim.q, frames[-1])
    assert open_take(sim).note == ""
    copy = sl.editing.from_data(sim.scene, sl.editing.as_data(editor))
    assert np.array_equal(copy.run.clips[0].frames.q, frames)
    editor.plan([Release(when=0.2)])
    assert editor.course.joint_stiffness == copy.course.joint_stiffness
    assert record(sim, copy), "physics alone does it"


NOT_OPENED = {
    "no beginning": (
        lambda sim: open_take(sim, begin="x"),
        "the beginning of a part is 'x'; expected a finite number",
    ),
    "no end": (lambda sim: open_take(sim, end=np.nan), "the end of a part is nan; expected a finite number"),
    "at the end": (
        lambda sim: open_take(sim, begin=0.299),
        "0.001 s of branch 'take 1' are too short .* expected 10 steps",
    ),
    "no simulation": (lambda _: open_take("take 1"), "the simulation is 'take 1'; expected a `Simulation`"),
    "no number": (lambda sim: open_present(sim, "x"), "the duration of a motion is 'x'; expected a finite number"),
    "no step": (lambda sim: open_present(sim, 1.0, dt="x"), "the step of a motion is 'x'; expected a finite number"),
    "step of nothing": (
        lambda sim: open_present(sim, 1.0, dt=0),
        "the step of a motion is 0 s; expected a number above 0",
    ),
    "endless": (lambda sim: open_present(sim, np.inf), "the duration of a motion is inf; expected a finite number"),
    "no motion": (lambda sim: record(sim, None), "the motion is None; expected an `Editor`"),
    "another": (lambda sim: record(sim, studies.hoop()), "one of model 'ball'.*; record it in one of 'ball'"),
    "springs": (
        lambda sim: sl.Editor(sim.scene, duration=1.0, joint_springs=-1),
        "joint_springs is -1; expected a finite",
    ),
    "stops": (
        lambda sim: sl.Editor(sim.scene, duration=1.0, stop_frequency=0),
        "stop_frequency is 0; expected a finite",
    ),
}


@pytest.mark.parametrize("name", NOT_OPENED)
def test_what_makes_no_sense_is_refused_by_name(name):
    sim = falling()
    sim.advance(0.3)
    attempt, message = NOT_OPENED[name]
    with pytest.raises(InputError, match=message):
        attempt(sim)


def test_a_motion_that_cannot_be_recorded_leaves_the_simulation_where_it_is():
    """It had been put to the start of the motion before it was refused."""
    sim = falling(engine="adaptive")
    sim.step(3)
    before = sim.state.copy()
    editor = sl.Editor(sim.scene, duration=0.3, dt=DT, transitions=[Grip(body="link 1", when=0.1)])
    with pytest.raises(InputError, match="engine 'adaptive' does not support following a motion"):
        record(sim, editor)
    assert np.array_equal(sim.q, before.q)
    assert np.array_equal(sim.v, before.v)
    assert sim.motion is None
    sim.step()


def test_the_present_of_any_engine_can_be_edited():
    editor = open_present(falling(engine="stiff"), 0.5)
    assert editor.course.dt == DT
    assert editor.course.duration == 0.5


def test_a_held_character_that_lets_go_is_not_recorded_in_its_own_scene():
    editor = studies.clamped_chain()
    editor = sl.Editor(editor.model, duration=1.0, dt=DT, transitions=[Release(when=0.5)], q=editor.controls.q)
    sim = sl.Simulation(Scene(editor.model, q=editor.controls.q), dt=DT)
    with pytest.raises(
        InputError, match="with a root that is free, and the simulation one of model 'clamped chain' with a"
    ):
        record(sim, editor)
    stage = make_scene(editor, Scene(editor.model))
    free = sl.Simulation(stage, dt=DT)
    assert not record(free, editor)
    free.go_to(0.8)
    np.testing.assert_allclose(
        sl.kinematics.body_poses(free.model, free.q).position, editor.find_bodies(0.8).p, atol=1e-9
    )
    plain = studies.two_pins()
    scene = Scene(plain.model)
    assert make_scene(plain, scene) is scene


def test_a_character_put_elsewhere_at_the_end_of_a_lane_begins_another():
    sim = falling()
    sim.advance(0.3)
    sim.go_to(0.3)
    sim.set_state(v=np.zeros(sim.model.nv))
    sim.advance(0.1)
    assert sorted(sim.take.branches) == [1, 2]
    assert sim.take.branch(2).parent == 1
    assert sim.take.end(1) == pytest.approx(0.3)


def test_a_character_that_a_spring_pulls_is_not_opened():
    spring = sl.WorldSpring("link 1", anchor=(0.0, 3.0, 0.0), stiffness=5.0)
    sim = sl.Simulation(sl.Scene(studies.two_pins().model, world_springs=(spring,)), dt=DT)
    sim.step(20)
    with pytest.raises(InputError, match="a spring of the scene pulls the character"):
        open_take(sim)
    with pytest.raises(InputError, match="a spring of the scene pulls the character"):
        open_present(sim, 1.0)
