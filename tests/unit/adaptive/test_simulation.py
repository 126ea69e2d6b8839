"""The adaptive engine as a simulation: it is the reduced one with fewer joints, and nothing else changes."""

import numpy as np
import pytest

import stringless as sl
from adaptive_trees import same, started, swung
from checks import relative
from models import floating, random_forest, random_motion
from stringless import dynamics
from stringless.engines.adaptive.criteria import roots
from stringless.errors import DivergenceError
from stringless.model import JointSpec, ModelBuilder
from stringless.scenes.pendulums import chain
from stringless.simulation import Simulation

ALIKE = 1e-9
"""Relative; the order of sums differs where fixed joints join bodies."""
STRAIGHT = 3e-3
"""Relative; choices neglect what is of third order in the step, and `reduced` itself is off by 5e-4."""


# --- all joints ---


@pytest.mark.parametrize("seed", range(6))
def test_with_all_joints_it_is_the_reduced_engine(seed):
    model = random_forest(seed, bodies=16, springs=True, dampers=True, armature=True)
    model = floating(model) if seed % 2 else model
    one, other = started(model, seed), started(model, seed, engine="adaptive", update_every=7)
    for sim in (one, other):
        sim.step(100)
    assert relative(other.q, one.q) < ALIKE
    assert relative(other.v, one.v) < ALIKE
    assert other.time == one.time
    assert np.abs(model.difference(one.scene.q, one.q)).max() > 0.05, "it has moved"


def test_limits_springs_and_actuators_act_as_in_the_reduced_engine():
    builder = ModelBuilder("limited")
    rod = {"mass": 0.2, "center_of_mass": (0.0, -0.1, 0.0), "inertia": (1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0)}
    hinge = {"kind": "revolute", "axes": ((0.0, 0.0, 1.0),), "lower": (-0.2,), "upper": (0.2,), "effort": (0.05,)}
    ball = {"kind": "ball", "axes": ((0.0, -1.0, 0.0),), "lower": (0.0, -0.3, 0.0), "upper": (0.3, 0.3, np.pi)}
    for i in range(8):
        joint = JointSpec(stiffness=(0.3,), damping=(0.01,), **(ball if i % 2 else hinge))
        builder.add_body(f"b{i}", f"b{i - 1}" if i else "", joint, place=sl.Pose((0.0, -0.2 if i else 0.0, 0.0)), **rod)
    scene = sl.Scene(builder.build(), v=np.full(16, 3.0))
    one, other = (Simulation(scene, engine=engine, record=0) for engine in ("reduced", "adaptive"))
    for sim in (one, other):
        sim.configure(joint_springs=2.0)
        sim.tau[:] = 0.1
        sim.step(300)
    assert relative(other.q, one.q) < ALIKE
    some = Simulation(scene, engine="adaptive", active=3, record=0)
    some.step(1000)
    assert np.abs(some.q[[joint.q_slice.start for joint in some.model.joints if joint.nv == 1]]).max() < 0.25


# --- some joints ---


@pytest.mark.parametrize("criterion", ["energy", "motion"])
@pytest.mark.parametrize("seed", range(4))
def test_joints_that_do_not_move_stand_still_to_the_last_bit(seed, criterion):
    model = random_forest(seed, bodies=20, dampers=True, roots=0.0)
    sim = started(model, seed, engine="adaptive", active=3, update_every=10, criterion=criterion)
    for _ in range(12):
        q = sim.q.copy()
        sim.step(10)  # an update, and the steps after it
        moving = sim.active_joints
        counted = [i for i in np.flatnonzero(moving) if not floats(model, i)]
        assert len(counted) == 3
        for joint in model.joints:
            if moving[joint.index]:
                assert not np.array_equal(sim.q[joint.q_slice], q[joint.q_slice])
            else:
                assert np.array_equal(sim.q[joint.q_slice], q[joint.q_slice])
                assert not sim.v[joint.v_slice].any()


def floats(model, i):
    return model.tree["parent"][i] < 0 and model.joints[i].kind.name in ("free", "planar")


def test_choosing_keeps_poses_and_never_adds_energy():
    """At an update only velocities change; with none lagging, kinetic energy can but fall."""
    model = random_forest(3, bodies=25, roots=0.0)
    for seed in range(8):
        m = random_motion(model, seed)
        sim = Simulation(sl.Scene(model, q=m.q, v=m.v), engine="adaptive", active=6, dt=1e-12, record=0)
        before = dynamics.energy(model, sim.q, sim.v).kinetic
        sim.step(1)  # so short that nothing but the choice changes anything
        assert np.abs(model.difference(m.q, sim.q)).max() < 1e-10
        assert 0.05 * before < sim.energy().kinetic < before * (1 + 1e-9)


def test_choosing_keeps_the_momentum_of_what_floats():
    model = floating(random_forest(5, bodies=25, roots=0.0))
    for criterion in ("energy", "motion"):
        m = random_motion(model, 2)
        sim = Simulation(
            sl.Scene(model, q=m.q, v=m.v), engine="adaptive", active=4, dt=1e-12, criterion=criterion, record=0
        )
        before = dynamics.momentum(model, sim.q, sim.v, np.zeros(3))
        sim.step(1)
        after = dynamics.momentum(model, sim.q, sim.v, np.zeros(3))
        assert np.abs(sim.v - m.v).max() > 0.1, "joints have stopped"
        assert np.linalg.norm(before.linear) > 1.0
        assert relative(after.linear, before.linear) < ALIKE
        assert relative(after.angular, before.angular) < ALIKE


@pytest.mark.parametrize(("count", "every"), [(5, 20), (27, 20), (27, 1)])
def test_choosing_does_not_turn_the_flight_of_who_spins(count, every):
    """The axes of a free root turn with it. Rates along them that were taken for those along the world turned it by 96°."""
    scene = sl.load("crowd", count=1, ground=False)
    sim = Simulation(scene, engine="adaptive", active=count, update_every=every, record=0)
    before, start = dynamics.momentum(sim.model, sim.q, sim.v, np.zeros(3)).linear, sim.center_of_gravity
    sim.advance(2.0)
    after = dynamics.momentum(sim.model, sim.q, sim.v, np.zeros(3)).linear
    path = 2.0 * before / sim.model.mass
    assert np.linalg.norm(path) > 5.0
    assert sim.engine.tables.status["switches"][0] > 20, "others were chosen on the way"
    assert relative(after, before) < STRAIGHT
    assert np.linalg.norm(sim.center_of_gravity - start - path) < STRAIGHT * np.linalg.norm(path)


def test_a_chain_does_not_gain_energy_from_choices():
    """Velocities lag half a step behind; going on from that across a choice, three hundred links gained 2 J in a second."""
    sim = Simulation(sl.load("pendulum_300"), engine="adaptive", active=20, record=0)
    start = sim.energy().total
    for _ in range(15):
        sim.advance(0.1)
        assert sim.energy().total < start + 0.06  # v lags: 0.05 J of what is measured
    assert start - sim.energy().total < 1.0


def test_the_error_falls_as_the_budget_rises():
    full = swung(active=40)
    budgets = (1, 3, 6, 12, 25)
    sims = [swung(active=n) for n in budgets]
    sums = np.zeros(len(budgets))
    for _ in range(40):
        full.advance(0.02)
        at = full.body_poses().position
        for k, sim in enumerate(sims):
            sim.advance(0.02)
            sums[k] += np.mean(np.sum((sim.body_poses().position - at) ** 2, axis=1))
    rms = np.sqrt(sums / 40)
    assert np.all(np.diff(rms) < 0), rms
    assert rms[-1] < 0.01 * rms[0]


def test_an_allowed_error_decides_how_many_move():
    rough, fine = swung(max_error=1e-2), swung(max_error=1e-5)
    most, capped = swung(max_error=1e-5, active=7), swung(max_error=1e-2, criterion="motion")
    for sim in (rough, fine, most, capped):
        sim.advance(0.5)
    assert 0 < rough.active_joints.sum() < fine.active_joints.sum() < 40
    assert most.active_joints.sum() == 7
    assert rough.engine.tables.status["error"][0] <= 1e-2
    assert fine.engine.tables.status["error"][0] <= 1e-5
    assert capped.engine.tables.status["error"][0] <= 1e-2


@pytest.mark.parametrize("criterion", ["energy", "motion"])
@pytest.mark.parametrize("choice", [{"active": 5}, {"max_error": 1e-3}])
def test_nothing_flickers_where_nothing_moves(choice, criterion):
    sim = swung(criterion=criterion, **choice)
    sim.set_state(q=np.zeros(40))
    sim.step(100)
    switched = int(sim.engine.tables.status["switches"][0])
    sim.step(2000)
    assert sim.engine.tables.status["switches"][0] == switched
    assert np.abs(sim.q).max() < 1e-9


def test_joints_are_chosen_where_a_force_acts():
    """A chain in weightlessness: only the joints near the push bend."""
    model = chain(60, length=0.1, mass=0.1)
    model.gravity = (0.0, 0.0, 0.0)
    sim = Simulation(sl.Scene(model.build()), engine="adaptive", active=4, record=0)
    sim.external[45, 3] = 0.5
    sim.step(1)
    assert np.abs(np.flatnonzero(sim.active_joints) - 45).min() <= 2


def test_another_interval_counts_from_now_on():
    sim = swung(active=5, update_every=2000)
    sim.step(100)
    before = int(sim.engine.tables.status["updates"][0])
    sim.configure(update_every=1)
    sim.step(50)
    assert sim.engine.tables.status["updates"][0] >= before + 49


def test_what_floats_on_a_root_that_is_fixed_is_never_held():
    builder = ModelBuilder("robot")
    rod = {"mass": 0.2, "center_of_mass": (0.1, 0.0, 0.0), "inertia": (1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0)}
    builder.add_body("world", joint=JointSpec(kind="fixed"))
    builder.add_body("base", "world", JointSpec(kind="free"), place=sl.Pose((0.0, 3.0, 0.0)), **rod)
    for i in range(4):
        joint = JointSpec(kind="revolute", axes=((0.0, 1.0, 0.0),))
        builder.add_body(f"l{i}", f"l{i - 1}" if i else "base", joint, place=sl.Pose((0.2, 0.0, 0.0)), **rod)
    scene = sl.Scene(builder.build())
    for options in ({"max_error": 5.0}, {"active": 4}):
        sim = Simulation(scene, engine="adaptive", record=0, **options)
        sim.advance(0.5)
        assert sim.center_of_gravity[1] == pytest.approx(3.0 - 0.5 * 9.81 * 0.25, abs=9.81 * 0.5 * 1e-3)
    sim.look_from(sl.View(eye=(0.0, 0.0, 100.0), target=(0.0, 0.0, 200.0)))
    sim.advance(0.1)
    assert sim.active_joints.tolist() == [False, True, False, False, False, False], "out of sight it falls all the same"


def test_the_error_of_what_is_held_is_told():
    sim = swung(max_error=1e-3)
    sim.step(100)
    (name, error), *others = sim.rigidification_errors.items()
    assert (name, others) == ("link_0", [])
    assert error is not None
    assert 0.0 < error <= 1e-3
    sim.configure(max_error=None, active=5)
    sim.step(1)
    assert sim.rigidification_errors == {"link_0": None}, "nobody has asked for it"
    sim.configure(active=None)
    sim.step(1)
    assert sim.rigidification_errors == {"link_0": 0.0}
    assert Simulation(sim.scene, engine="reduced", record=0).rigidification_errors == {}


def test_roots_of_weights_that_are_all_but_singular_are_numbers():
    ball = JointSpec(kind="ball", name="ball")
    model = ModelBuilder("ball").add_body("ball", joint=ball, mass=1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0)).build()
    tables = Simulation(model, engine="adaptive", record=0).engine.tables
    along = np.array((1.0, 1.0, 4.0))
    table = tables.given_weights.copy()
    for tiny in np.linspace(-1e-16, 1e-16, 21):
        table[:, 0] = np.outer(along, along) / 10.0 + tiny * np.eye(
            3
        )  # the smallest eigenvalue is within rounding of 0
        root = roots(tables, table)[:, 0]
        np.testing.assert_allclose(root @ root, table[:, 0], atol=1e-12)


def test_weights_draw_joints():
    # The joint that wins is made a thousand times less important, then another one wins.
    plain = swung(active=1)
    plain.step(1)
    winner = int(np.flatnonzero(plain.active_joints)[0])
    name = plain.model.joints[winner].name
    for weights in ({name: 1e-6}, {name: [1e-6]}, {name: {"velocity": 1e-6, "acceleration": 1e-6}}):
        for criterion in ("energy", "motion"):
            other = swung(active=1, weights=weights, criterion=criterion)
            other.step(1)
            assert np.flatnonzero(other.active_joints)[0] != winner


def test_between_choices_nobody_looks_at_what_stands_still():
    """The cost of a step does not depend on what is rigid: rows of rigid bodies may hold anything."""
    one, other = swung(active=4, update_every=50), swung(active=4, update_every=50)
    one.step(3)
    other.step(3)
    still = ~other.active_joints
    tables = other.engine.tables
    for name in ("mass", "p", "R", "h", "I_o"):
        tables.tree[name][still] = np.nan
    tables.clusters[9][still] = np.nan  # places in clusters
    one.step(40)
    other.step(40)
    assert same(one.state, other.state)


# --- several characters ---


def company(count=6):
    builder = ModelBuilder("company")
    rod = {"mass": 0.2, "center_of_mass": (0.0, -0.1, 0.0), "inertia": (1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0)}
    for k in range(count):
        for i in range(5):
            joint = JointSpec(kind="ball" if i else "free", damping=(0.001,) if i else ())
            builder.add_body(
                f"c{k}_{i}", f"c{k}_{i - 1}" if i else "", joint, place=sl.Pose((0.0, -0.2 if i else k, 0.0)), **rod
            )
    return builder.build()


def test_budgets_are_each_characters_own_and_roots_do_not_count():
    sim = started(company(), engine="adaptive", active={"c0_0": 1, "c3_0": 3})
    sim.step(30)
    per_character = sim.active_joints.reshape(6, 5)
    assert per_character[:, 0].all()
    assert per_character[:, 1:].sum(axis=1).tolist() == [1, 4, 4, 3, 4, 4]
    sim.configure(active=2)
    sim.step(1)
    assert sim.active_joints.reshape(6, 5)[:, 1:].sum(axis=1).tolist() == [2] * 6, "at once"


def test_characters_are_looked_at_one_after_the_other():
    sim = started(company(), engine="adaptive", active=2, update_every=3)
    sim.step(1)
    updates = [sim.engine.tables.status["updates"].copy()]
    for _ in range(12):
        sim.step(1)
        updates.append(sim.engine.tables.status["updates"].copy())
    each = np.diff(updates, axis=0)[3:]
    assert (each.sum(axis=1) == 2).all(), "six characters in three steps"
    assert (each.sum(axis=0) == 3).all()


def test_characters_do_not_know_of_each_other():
    """Each alone moves as it does in company, to the last bit."""
    model = company(3)
    m = random_motion(model, 4)
    together = Simulation(sl.Scene(model, q=m.q, v=m.v), engine="adaptive", active=2, record=0)
    together.step(20)
    alone = company(1)
    for k in range(1):
        sim = Simulation(sl.Scene(alone, q=m.q[:23], v=m.v[:18]), engine="adaptive", active=2, record=0)
        sim.step(20)
        assert np.array_equal(sim.q, together.q[23 * k : 23 * k + 23])


def crowded(*, damping=(), upper=()):
    """Four hanging rods of two links: the first and the last two are built alike, unless told otherwise of the last."""
    builder = ModelBuilder("crowded")
    rod = {"center_of_mass": (0.0, -0.1, 0.0), "inertia": (1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0)}
    for k in range(4):
        own = {"damping": damping if k == 3 else (0.01,), "upper": upper if k == 3 else (0.5,)}
        for i in range(2):
            joint = JointSpec(kind="revolute", axes=((0.0, 0.0, 1.0),), lower=(-0.5,), **own)
            place = sl.Pose((0.0, -0.2 if i else 0.0, 0.0))
            builder.add_body(
                f"c{k}_{i}", f"c{k}_0" if i else "", joint, place=place, mass=0.3 if k == 1 else 0.2, **rod
            )
    return builder.build()


@pytest.mark.parametrize(
    ("last", "shared"),
    [
        ({"damping": (0.01,), "upper": (0.5,)}, [0, 2, 0, 0]),
        ({"damping": (0.02,), "upper": (0.5,)}, [0, 2, 0, 6]),
        ({"damping": (0.01,), "upper": (0.4,)}, [0, 2, 0, 6]),
    ],
    ids=["alike", "another damper", "another stop"],
)
def test_characters_built_alike_share_their_tables_and_nobody_notices(last, shared):
    one, other = (started(crowded(**last), engine="adaptive", active=1, update_every=3) for _ in range(2))
    trees = other.engine.tables.trees
    assert trees["shared"].tolist() == shared
    for name, own in (("shared", "first"), ("shared_q", "q0"), ("shared_v", "v0")):
        trees[name] = trees[own]
    for sim in (one, other):
        sim.step(200)
    assert same(one.state, other.state)
    assert np.abs(one.q).max() > 0.4, "stops are met"


def test_if_one_runs_away_all_stand_at_the_last_good_step():
    builder = ModelBuilder("two")
    for name in ("calm", "wild"):
        joint = JointSpec(kind="revolute", name=name, axes=((0.0, 0.0, 1.0),))
        builder.add_body(name, joint=joint, mass=1.0, center_of_mass=(0.0, -1.0, 0.0))
    scene = sl.Scene(builder.build(), q=np.array([0.3, 0.2]))
    sims = [Simulation(scene, engine=engine, record=0) for engine in ("reduced", "adaptive")]
    for sim in sims:
        sim.tau[1] = 2e5
        with pytest.raises(DivergenceError, match="joint 'wild'"):
            sim.step(200)
    reduced, adaptive = sims
    assert 0.0 < adaptive.time == reduced.time
    assert np.array_equal(adaptive.q, reduced.q)
    assert np.array_equal(adaptive.v, reduced.v)
