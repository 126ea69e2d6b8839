"""States of the adaptive engine on the ground: every bit comes back; who rests sleeps, until something changes."""

import copy
import pickle

import numpy as np
import pytest

import stringless as sl
from adaptive_ground import dropped, quietly, rope, standing
from adaptive_trees import kept, same
from stringless.engines.adaptive.kernels_sleep import WHILE
from stringless.scenes.bones import body, box, capsule
from stringless.scenes.ground import floor


def is_asleep(sim):
    """Which trees are, by their roots."""
    return kept(sim)["rest"][sim.model.tree["parent"] < 0] >= WHILE


def resting(active=4, **options):
    """A rope that lies on the floor, asleep."""
    sim = quietly(rope(), engine="adaptive", active=active, **options)
    for _ in range(60):
        sim.advance(0.1)
        if is_asleep(sim).all():
            assert sim.asleep == 1
            return sim
        assert sim.asleep == 0
    raise AssertionError("it does not come to rest")


# --- every bit ---


def test_the_number_of_steps_in_a_call_changes_nothing():
    one, other = (quietly(dropped(2), engine="adaptive", active=6) for _ in range(2))
    one.step(437)
    for count in (1, 19, 20, 21, 3, 40, 33, 100, 200):
        other.step(count)
    assert len(one.contact_points()[0]) > 0
    assert same(one.state, other.state)


def test_going_back_repeats_every_bit():
    sim = quietly(rope(), engine="adaptive", active=6, record=120.0)
    sim.advance(0.3)
    sim.configure(active=3)
    sim.external[8, 4] = 3.0
    sim.advance(0.3)
    sim.external[:] = 0.0
    sim.configure(friction=0.3, max_error=1e-4, active=None)
    sim.advance(0.3)
    end = sim.save()
    assert sim.recording.find_difference() is None
    for time in (0.25, 0.31, 0.45, 0.6, 0.77):
        sim.go_to(time, branch=1)
        sim.go_to(0.9, branch=1)
        assert same(sim.state, end), time


@pytest.mark.parametrize("twin", [lambda sim: sim.fork(), copy.deepcopy, lambda sim: pickle.loads(pickle.dumps(sim))])
def test_copies_go_on_alike(twin):
    sim = quietly(dropped(1), engine="adaptive", active=5)
    sim.step(333)
    other = twin(sim)
    for one in (sim, other):
        one.configure(friction=0.5)
        one.step(250)
    assert len(sim.contact_points()[0]) > 0
    assert same(sim.state, other.state)


def test_a_scene_put_elsewhere_holds_on_to_nothing():
    sim = quietly(rope(), engine="adaptive", active=5)
    sim.step(500)
    assert (sim.state.anchors["obstacle"] >= 0).any()
    q = sim.q.copy()
    q[1] += 1.0
    sim.set_state(q, np.zeros(sim.model.nv))
    assert not (sim.state.anchors["obstacle"] >= 0).any()
    sim.step(1)
    assert len(sim.contact_points()[0]) == 0


# --- asleep ---


def test_who_lies_still_falls_asleep_and_stays_where_it_is():
    sim = resting()
    assert not sim.active_joints.any()
    assert not sim.v.any()
    before = sim.save()
    updates = sim.engine.tables.status["updates"].copy()
    sim.step(500)
    assert np.array_equal(sim.q, before.q)
    assert np.array_equal(sim.state.anchors, before.anchors)
    assert np.array_equal(sim.engine.tables.status["updates"], updates), "nobody looks at it"
    assert sim.time == pytest.approx(before.time + 0.5)


def test_nobody_sleeps_in_mid_air_or_at_the_turn_of_a_swing():
    scene = rope(height=0.05)
    sim = quietly(scene, engine="adaptive", active=3)
    sim.step(200)
    v = np.zeros(sim.model.nv)
    v[4] = 2.0  # thrown up from where it lay
    sim.set_state(v=v)
    heights = []
    for _ in range(40):
        sim.step(10)
        heights.append(float(sim.body_poses().position[:, 1].mean()))
        assert not is_asleep(sim).any() or heights[-1] < 0.05
    assert max(heights) > 0.15
    hung = quietly(rope(world=[floor(-50.0)], height=0.0), engine="adaptive", active=3, update_every=1)
    for _ in range(100):
        hung.step(3)
        assert not is_asleep(hung).any()


def test_a_limb_held_in_mid_air_keeps_its_character_awake():
    sim = resting()
    q = sim.q.copy()
    end = sim.model.joints[14].q_slice
    q[end] = (0.0, 0.0, np.sin(0.4), np.cos(0.4))  # the last links stand up
    sim.set_state(q)
    high = sim.body_poses().position[-1, 1]
    assert high > 0.2
    sim.step(1)
    while not is_asleep(sim).any():
        assert sim.time < 20.0, "it comes to rest again"
        sim.step(10)
    assert sim.body_poses().position[-1, 1] < 0.1 * high, "and not before the end has come down"


@pytest.mark.parametrize("change", ["force", "effort", "budget", "friction", "place", "speed"])
def test_whatever_changes_wakes_it(change):
    sim = resting(active=4)
    before = sim.q.copy()
    if change == "force":
        sim.external[3, 4] = 0.5
    elif change == "effort":
        sim.tau[20] = 0.05
    elif change == "budget":
        sim.configure(active=5)
    elif change == "friction":
        sim.configure(friction=0.2)
    elif change == "place":
        sim.q[1] += 0.02
    else:
        sim.v[4] = 0.3
    sim.step(1)
    assert not is_asleep(sim).any()
    assert sim.active_joints.any()
    sim.step(60)
    if change in ("force", "effort", "place", "speed"):
        assert not np.array_equal(sim.q, before)


def turntable():
    """A heavy box that lies, with an arm on it that swings slowly in the plane of the floor."""
    builder = sl.ModelBuilder("turntable", gravity=(0.0, -9.81, 0.0))
    builder.world_shapes = [floor()]
    slab = box((0.0, 0.0, 0.0), (0.4, 0.1, 0.4))
    builder.add(body("base", slab, 20.0, joint=sl.JointSpec(kind="free"), at=(0.0, 0.1, 0.0)))
    spring = sl.JointSpec(kind="revolute", axes=((0.0, 1.0, 0.0),), stiffness=(2.0,))
    builder.add(
        body(
            "arm", capsule((0.0, 0.0, 0.0), (0.6, 0.0, 0.0), 0.03), 4.0, parent="base", joint=spring, at=(0.0, 0.2, 0.0)
        )
    )
    rod = capsule((0.0, 0.0, 0.0), (0.05, 0.0, 0.0), 0.02)
    tip = sl.JointSpec(kind="revolute", axes=((0.0, 1.0, 0.0),), stiffness=(5.0,), damping=(0.1,))
    builder.add(body("tip", rod, 0.1, parent="arm", joint=tip, at=(0.6, 0.0, 0.0)))
    model = builder.build()
    q = model.neutral()
    q[:3], q[model.joints[1].q_slice] = (0.0, 0.1, 0.0), 0.8
    return sl.Scene(model, q=q)


def test_one_glance_in_a_long_interval_lets_nobody_sleep():
    """At the turning point of a swing all is slow; seen once in 0.2 s, that counted as rest for 0.2 s."""
    sim = quietly(turntable(), engine="adaptive", active=1, update_every=200)
    full = quietly(turntable())
    for _ in range(12):
        sim.advance(0.5)
        full.advance(0.5)
        assert not is_asleep(sim).any()
        assert sim.q[7] == pytest.approx(full.q[7], abs=0.1)


def test_the_same_in_another_order_wakes_nobody():
    names = ("p0_rod_0", "p1_rod_0")
    sim = quietly(rows_of_ropes(), engine="adaptive", active=dict.fromkeys(names, 4))
    for _ in range(60):
        sim.advance(0.1)
    assert is_asleep(sim).all()
    sim.configure(active=dict.fromkeys(reversed(names), 4), weights={})
    sim.step(5)
    assert is_asleep(sim).all()


def test_only_those_wake_that_something_happens_to():
    sim = quietly(rows_of_ropes(), engine="adaptive", active=4)
    for _ in range(60):
        sim.advance(0.1)
    assert is_asleep(sim).all()
    sim.external[0, 4] = 3.0
    sim.step(5)
    assert is_asleep(sim).tolist() == [False, True]


def rows_of_ropes():
    """Two ropes above one floor."""
    bare = rope(world=[]).model
    scene = standing([bare, bare], [floor()], height=0.1, speed=0.0)
    q = scene.q.copy()
    q.reshape(2, -1)[:, 3:7] = (0.0, 0.0, 0.0, 1.0)
    return sl.Scene(scene.model, q=q)


def test_nothing_pops_when_it_wakes():
    sim = resting()
    before = sim.body_poses().position
    sim.configure(active=6)
    worst = 0.0
    for _ in range(10):
        sim.step(10)
        worst = max(worst, float(np.abs(sim.v).max()))
    assert np.abs(sim.body_poses().position - before).max() < 1e-3
    assert worst < 0.2


def test_sleep_is_part_of_a_state():
    """Rewound, forked and read back, a sleeper sleeps on, and one that was awake wakes again."""
    sim = quietly(rope(), engine="adaptive", active=4, record=120.0)
    sim.advance(0.3)
    awake = sim.time
    assert not is_asleep(sim).any()
    for _ in range(60):
        sim.advance(0.1)
        if is_asleep(sim).all():
            break
    asleep = sim.time
    sim.advance(0.2)
    sim.external[3, 4] = 3.0
    sim.advance(0.2)
    end = sim.save()
    assert not is_asleep(sim).any()
    sim.go_to(asleep + 0.1, branch=1)
    assert is_asleep(sim).all()
    for other in (sim.fork(), pickle.loads(pickle.dumps(sim))):
        other.step(50)
        assert is_asleep(other).all()
    sim.go_to(awake, branch=1)
    assert not is_asleep(sim).any()
    sim.go_to(end.time, branch=1)
    assert same(sim.state, end)


def test_with_all_joints_nobody_sleeps():
    """As in the reduced engine."""
    sim = quietly(rope(), engine="adaptive")
    sim.advance(3.0)
    assert not is_asleep(sim).any()
