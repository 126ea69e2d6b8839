"""Springs of goals and contacts with their slopes, goals at work, and going back, with the implicit engine."""

import numpy as np
import pytest

from checks import derivative
from models import NO_GRAVITY, floating, pendulum, random_forest, random_motion
from stiff_models import NO_MASK, chain, diverged, inputs_of, same, skeleton_of
from stringless import Scene, Simulation, load
from stringless.dynamics.kernels_joints import load_joint
from stringless.dynamics.kernels_response import find_response, make_response
from stringless.engines.stiff.engine import goal_tables
from stringless.engines.stiff.kernels_contacts import find_contacts
from stringless.engines.stiff.kernels_goals import add_body_springs, add_joint_springs
from stringless.engines.stiff.kernels_solve import solve_condensed
from stringless.engines.stiff.kernels_step import update_bodies
from stringless.engines.stiff.records import Iterate, StiffForces
from stringless.jit import kernel
from stringless.kinematics import body_poses
from stringless.model import JointSpec, ModelBuilder, Pose
from stringless.model.shapes import Shape
from stringless.scenes.ground import floor
from stringless.simulation import Motion
from stringless.state.scratch import Scratch

FRAME = 1 / 60
H = 0.01
DIFFERENCE = 1e-7
"""Relative, of differences of a force that is nearly linear."""
SOLVE = 1e-10
"""Relative, two solutions of one linear system."""


@kernel
def update_all(skeleton, q, v, body_work, dof_work):
    """Poses and velocities of all bodies."""
    update_bodies(skeleton, q, v, body_work, dof_work)


@kernel
def load_all(skeleton, inputs, q, v, h, body_work, dof_work, displacement_work):
    """Poses, and efforts of springs, dampers and actuators."""
    update_bodies(skeleton, q, v, body_work, dof_work)
    for i in range(skeleton.tree.shape[0]):
        load_joint(skeleton, i, q, v, inputs.prescribed, inputs.tau, h, h, h, dof_work, displacement_work)


def box(gravity=(0.0, -9.81, 0.0), on_floor=False):
    builder = ModelBuilder("box", gravity=gravity)
    builder.world_shapes += [floor()] if on_floor else []
    shape = Shape(kind="box", size=(0.1, 0.1, 0.1))
    # Goals are of those who can be directed.
    free = JointSpec(kind="free", actuated=True)
    builder.add_body(
        "box", joint=free, place=Pose((0.0, 0.1, 0.0)), mass=2.0, inertia=(0.02, 0.03, 0.04, 0, 0, 0), shapes=(shape,)
    )
    return builder.build()


def stiff(model, dt=FRAME, **start):
    return Simulation(Scene(model, **start), engine="stiff", dt=dt, record=0)


def symmetric(row):
    """6 by 6 matrix of the 21 numbers of an inertia."""
    G = np.zeros((6, 6))
    G[:3, 3:] = row[6:15].reshape(3, 3)
    for offset, first in ((0, 0), (15, 3)):
        for k, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
            G[first + i, first + j] = G[first + j, first + i] = row[offset + k]
    G[3:, :3] = G[:3, 3:].T
    return G


# --- slopes ---


def led(sim, V):
    """Wrench and slope of all goals on the only body, if it moves with V."""
    work = Scratch(sim.model)
    update_all(skeleton_of(sim.model), sim.q, sim.v, work.bodies, work.dofs)
    work.bodies["V"][0] = V
    forces, goals = StiffForces(np.zeros((1, 21)), np.zeros((1, 6))), goal_tables(sim.model, sim.director)
    add_body_springs(goals, sim.model.tree, 0.0, H, work.bodies, forces, np.zeros((len(goals.tasks), 6)))
    return forces.wrench[0].copy(), symmetric(forces.inertia[0])


def check_slope(sim, V, directions):
    """The force changes by -G/h with the velocity: springs are taken where the step ends."""
    _, G = led(sim, V)
    for e in directions:
        found = derivative(lambda s, e=e: led(sim, V + s * e)[0])
        assert np.abs(found).max() > 1e-3
        np.testing.assert_allclose(found, -G @ e / H, rtol=DIFFERENCE, atol=DIFFERENCE * np.abs(found).max())


def test_slope_of_a_spring_at_a_point():
    sim = stiff(box())
    goal = sim.director.drag("box", point=(0.1, 0.05, -0.1))
    goal.target = goal.position + (0.004, -0.003, 0.002)
    check_slope(sim, np.array([0.03, -0.02, 0.05, 0.1, 0.04, -0.07]), np.eye(6))


def test_slope_of_a_spring_of_orientation():
    """Exact about the axis of the turn that is left, and about all axes when none is left."""
    axis = np.array([2.0, 1.0, -2.0]) / 3
    q = np.concatenate([[0, 0, 0], np.sin(0.4) * axis, [np.cos(0.4)]])
    sim = stiff(box(), q=q)
    sim.director.turn((0.0, 0.0, 0.0, 1.0))
    along = np.concatenate([axis, np.zeros(3)])
    check_slope(sim, 0.7 * along, [along])
    at_rest = stiff(box())
    at_rest.director.turn((0.0, 0.0, 0.0, 1.0))
    check_slope(at_rest, np.zeros(6), np.eye(6)[:3])


def as_records(tables):
    """Tables that plain Python reads as kernels do, by `row.field`."""
    return tables._replace(
        **{name: table.view(np.recarray) for name, table in tables._asdict().items() if table.dtype.names is not None}
    )


def test_slope_of_a_pose():
    model = random_forest(3, kinds=("revolute", "prismatic", "universal"), roots=0.0)
    motion = random_motion(model, 3)
    sim = stiff(model, q=motion.q)
    sim.director.pose(model.neutral())
    goals = goal_tables(sim.model, sim.director)
    goals = as_records(goals)

    def effort(v):
        work = Scratch(model)
        skeleton = as_records(skeleton_of(model))
        add_joint_springs(
            goals, skeleton, Iterate(motion.q, v, H), 0.0, H, work.dofs.view(np.recarray), np.zeros(model.nv)
        )
        return work.dofs["tau"].copy(), work.dofs["arm"].copy()

    _, arm = effort(motion.v)
    found = derivative(lambda s: effort(motion.v + s * np.ones(model.nv))[0])
    assert np.abs(found).min() > 0
    np.testing.assert_allclose(found, -arm / H, rtol=DIFFERENCE)


def test_slope_of_a_contact_point():
    """Along the normal and along the surface, at every corner of a box that is pressed into the floor and sticks."""
    sim = stiff(box(on_floor=True))
    sim.advance(1.0)
    model, work = sim.model, sim.engine.work
    contact = sim.engine.tables(sim.controls).contact

    def contacts(V):
        anchors = sim.state.anchors.copy()
        update_all(skeleton_of(model), sim.q, sim.v, work.bodies, work.dofs)
        work.bodies["V"][0] = V
        skeleton, gains = skeleton_of(model), sim.config.gains()
        count = find_contacts(skeleton, contact, H, gains, work.bodies, work.contact, anchors, work.contacts)
        return work.contacts[:count].copy()

    V = np.array([0.0, 0.0, 0.0, 0.02, -0.05, 0.01])
    here = contacts(V)
    assert len(here) == 4
    for e in np.eye(6):
        found = derivative(lambda s, e=e: contacts(V + s * e)["force"])
        for row, change in zip(here, found, strict=True):
            at = e[3:] + np.cross(e[:3], row["r"])
            expected = -row["slope"] / H * row["axes"].reshape(3, 3) @ at
            # The depth is that of the surface point; turns move it by their square.
            np.testing.assert_allclose(change, expected, atol=1e-6 * row["slope"] / H)
            assert row["slope"] > 0


@pytest.mark.parametrize("prescribed", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_a_response_is_the_difference_of_two_solves(seed, prescribed):
    model = random_forest(seed, springs=True, dampers=True, armature=True)
    motion = random_motion(model, seed)
    rng = np.random.default_rng(seed)
    mask = np.zeros(model.nv, dtype=np.bool_) if prescribed else NO_MASK
    if prescribed:
        for joint in model.joints:
            mask[joint.v_slice] = rng.random() < 0.3
        assert 0 < mask.sum() < model.nv
    wrench, more = rng.normal(size=(2, model.body_count, 6))

    def solved(load):
        work, forces = Scratch(model), StiffForces(np.zeros((model.body_count, 21)), load)
        inputs = inputs_of(model, motion.tau, prescribed=mask, vdot=motion.vdot)
        load_all(skeleton_of(model), inputs, motion.q, motion.v, H, work.bodies, work.dofs, work.vector)
        vdot, effort, momenta = np.zeros(model.nv), np.zeros(model.nv), np.zeros((model.body_count, 6))
        solve_condensed(skeleton_of(model), inputs, forces, momenta, H, work.bodies, work.dofs, vdot, effort)
        return work, vdot, work.bodies["A"].copy()

    work, vdot, A = solved(wrench)
    _, vdot_more, A_more = solved(wrench + more)
    response = make_response(model.body_count, model.nv)
    find_response(skeleton_of(model), mask, more, work.bodies, work.dofs, response)
    assert np.abs(response.dv).max() > 0.1
    assert np.abs(response.dv - (vdot_more - vdot)).max() < SOLVE * np.abs(vdot).max()
    assert np.abs(response.A - (A_more - A)).max() < SOLVE * np.abs(A).max()


# --- goals at work ---


def test_a_spring_that_carries_a_weight_is_felt():
    """At rest the force is stiffness times distance, and the weight."""
    sim = stiff(box())
    goal = sim.director.drag("box")
    sim.advance(3.0)
    felt = sim.reaction(goal)
    np.testing.assert_allclose(felt, (0, 0, 0, 0, 2.0 * 9.81, 0), atol=1e-6)
    np.testing.assert_allclose(felt[3:], 2.0 * goal.stiffness**2 * (goal.target - goal.position), atol=1e-6)


def test_what_is_felt_is_what_moves_the_body():
    sim = stiff(box(NO_GRAVITY))
    goal = sim.director.drag("box", (0.02, 0.13, -0.01))
    sim.step()
    np.testing.assert_allclose(sim.state.kept[0, 3:6], FRAME * sim.reaction(goal)[3:], rtol=1e-12)
    assert np.abs(sim.reaction(goal)[3:]).min() > 1.0


def test_drag_and_pin_of_a_robot():
    sim = Simulation(load("robot"), record=0)
    pin = sim.director.pin("right_hand")
    goal = sim.director.drag("left_hand")
    goal.target = goal.position + (0.05, 0.1, 0.1)
    before = goal.error
    sim.advance(2.0)
    assert before == pytest.approx(0.15)
    assert goal.error < 0.1 * before
    assert pin.error < 0.01


def test_turn_and_center_of_a_hand():
    sim = Simulation(load("hand", soft=False), record=0)
    turn = sim.director.turn((0.0, np.sin(0.5), 0.0, np.cos(0.5)))
    center = sim.director.center(sim.center_of_gravity + (0.05, 0.1, 0.0), stiffness=60.0)
    before = center.error
    assert turn.error > 0.9
    assert before > 0.1
    sim.advance(2.0)
    assert turn.error < 0.02
    assert center.error < 0.2 * before


@pytest.mark.parametrize("dt", [1e-3, 5e-3, FRAME])
def test_a_centre_of_gravity_sags_by_its_spring_and_not_by_the_step(dt):
    """Its spring bears the weight at g/kp below the target, whatever the step."""
    sim = stiff(box(), dt)
    start = sim.center_of_gravity.copy()
    center = sim.director.center(stiffness=20.0)
    sim.advance(2.0)
    np.testing.assert_allclose(start - sim.center_of_gravity, (0.0, 9.81 / 20.0**2, 0.0), atol=1e-6)
    np.testing.assert_allclose(sim.reaction(center), (0, 0, 0, 0, 2.0 * 9.81, 0), atol=1e-4)


def test_a_centre_of_gravity_that_is_where_it_should_be_leaves_the_weight_to_the_floor():
    sim = stiff(box(on_floor=True))
    sim.advance(1.0)
    center = sim.director.center()
    sim.advance(1.0)
    np.testing.assert_allclose(sim.reaction(center), np.zeros(6), atol=1e-6)
    np.testing.assert_allclose(sim.contact_points()[1].sum(axis=0), (0.0, 2.0 * 9.81, 0.0), atol=1e-6)


def test_a_centre_of_gravity_keeps_the_momentum_that_it_is_given():
    """What is felt is what moves a chain of bodies, whichever way it bends."""
    sim = stiff(floating(chain(4, gravity=NO_GRAVITY)))
    center = sim.director.center(sim.center_of_gravity + (0.3, -0.2, 0.1), axes="xy")
    for _ in range(5):
        before = sim.state.kept[:, 3:6].sum(axis=0)
        sim.step()
        change = sim.state.kept[:, 3:6].sum(axis=0) - before
        np.testing.assert_allclose(change, FRAME * sim.reaction(center)[3:], rtol=1e-9, atol=1e-12)
        assert np.abs(change[:2]).min() > 1e-3


def test_a_pose_moves_the_rest_of_the_joints_own_springs():
    plain = stiff(chain(3, gravity=NO_GRAVITY))
    plain.director.pose([0.5, -0.3, 0.2])
    plain.advance(6.0)
    np.testing.assert_allclose(plain.q, [0.5, -0.3, 0.2], atol=1e-6)
    sprung = stiff(chain(1, gravity=NO_GRAVITY, stiffness=(2.0,), damping=(0.1,)))
    goal = sprung.director.pose([0.5])
    assert 0.01 < goal.stiffness**2 * sprung.model.dofs["inertia"][0] < 0.1, "too weak beside a spring that held still"
    sprung.advance(5.0)
    assert sprung.q[0] == pytest.approx(0.5, abs=1e-6)
    goal.release()
    sprung.advance(5.0)
    assert sprung.q[0] == pytest.approx(0.0, abs=1e-6)


def test_a_whole_pose_leaves_a_free_root_alone():
    sim = Simulation(load("hand", soft=False), record=0)
    sim.director.pose(sim.q.copy())
    height = sim.q[1]
    sim.advance(0.1)
    assert sim.q[1] == pytest.approx(height - 0.5 * 9.81 * 0.1**2, rel=0.05)


def test_without_joint_springs_an_arm_is_limp():
    heights = []
    for springs in (1.0, 0.0):
        sim = Simulation(load("robot"), record=0)
        sim.configure(joint_springs=springs)
        sim.advance(2.0)
        hand = sim.model.body("left_hand").index
        heights.append(body_poses(sim.model, sim.q).position[hand][1])
    assert heights[1] < heights[0] - 0.05


def test_prescribed_acceleration_is_exact():
    sim = stiff(pendulum(armature=(0.3,)))
    sim.prescribed[0], sim.acceleration[0] = True, 2.0
    sim.step(30)
    assert sim.v[0] == pytest.approx(30 * FRAME * 2.0, rel=1e-12)
    assert sim.q[0] == pytest.approx(2.0 * FRAME**2 * 30 * 31 / 2, rel=1e-12)
    # Inertia and weight, and what the armature takes.
    assert sim.effort[0] == pytest.approx(1.3 * 2.0 + 9.81 * np.sin(sim.q[0]), rel=0.05)


def test_joints_follow_a_motion_exactly():
    model = floating(random_forest(2, roots=0.1))
    rng = np.random.default_rng(2)
    q = [model.random(rng)]
    for _ in range(4):
        q.append(model.integrate(q[-1], rng.normal(size=model.nv), 0.3))
    motion = Motion(model, np.linspace(0, 1, 5), np.array(q))
    sim = stiff(model, q=motion.at(0.0)[0], v=motion.at(0.0)[1])
    sim.follow(motion)
    for _ in range(50):
        sim.step()
        np.testing.assert_array_equal(sim.q, motion.sampled([sim.time])[0][0])
    assert np.abs(sim.effort).max() > 1.0


# --- going back ---


def dragged():
    sim = Simulation(load("robot"), record=60)
    sim.director.drag("left_hand", lambda t: (0.4 + 0.1 * np.sin(5 * t), 1.2, 0.2))
    sim.advance(0.5)
    return sim


def test_a_fork_and_a_preview_see_the_same_bits():
    sim = dragged()
    other, seen = sim.fork(), sim.preview(0.5)
    for each in (sim, other):
        each.advance(0.5)
    assert same(sim.state, other.state)
    assert seen.complete
    np.testing.assert_array_equal(seen.q[-1], sim.q)


def test_rewinding_and_repeating_gives_the_same_bits():
    sim = dragged()
    sim.advance(0.5)
    end = sim.save()
    sim.rewind(0.5)
    assert sim.time == pytest.approx(0.5)
    sim.advance(0.5)
    assert same(sim.state, end)


def test_a_divergence_leaves_the_last_good_state():
    sim = stiff(box(on_floor=True))
    sim.advance(0.5)
    diverged(sim)
