"""The step in maximal coordinates: conversions, the linear system, momentum, gaps, stiffness, turns beyond half a turn."""

import dataclasses
import math
from typing import NamedTuple

import numpy as np
import pytest

from checks import orders
from models import KINDS, NO_GRAVITY, TILTED_GRAVITY, floating, free_body, random_forest, random_motion
from stiff_models import (
    FREQUENCY,
    NO_LEAD,
    NO_MASK,
    NO_STIFF,
    NO_VECTOR,
    NO_WRENCH,
    bodies_of,
    dense_system,
    displaced,
    joints_of,
    mass_matrix,
    momenta_of,
    pair,
    total_momentum,
)
from stringless import Scene, Simulation, kinematics
from stringless.jit import kernel
from stringless.model import JointSpec, Model, ModelBuilder, Pose
from stringless.model.joints import JOINT_TYPES
from stringless.spatial import rotation
from stringless.state.scratch import Scratch
from stringless.stiff import blocks, conversions, maximal, multipliers
from stringless.stiff.assembly import assemble
from stringless.stiff.joint_forces import EXACT, FURTHEST_TURN, PLAIN, SYMMETRIC
from stringless.stiff.solve import condense
from stringless.stiff.step import begin, recouple, resist, stop
from stringless.stiff.tables import MaximalTables

ROUNDING = 1e-12
"""Relative; sums over a dozen bodies."""
SOLVE = 1e-10
"""Relative, two solutions of a linear system with condition numbers up to 1e5."""
SEEDS = range(5)
STEP = 0.01
FAST = 1e4
"""Speed at which a slider counts as run away [m/s]."""


def forest(seed, **options):
    return random_forest(seed, bodies=14, springs=True, dampers=True, armature=True, **options)


def run(model, bodies, q, steps, h=STEP, slope=SYMMETRIC, *, v=None, tau=None, prescribed=NO_MASK, vdot=NO_VECTOR):
    """Steps of `run_bodies` in place; returns what it does, and the velocities of joints."""
    tables = MaximalTables(model, general=slope == EXACT)
    if v is None:
        v = np.zeros(model.nv)
        conversions.joints_from_bodies(model.tree, bodies, tables.pairs, q, v)
    tau = np.zeros(model.nv) if tau is None else tau
    result = maximal.run_bodies(
        model.tree, model.dofs, model.limits, model.q_rest, model.gravity, prescribed, vdot, tau, NO_LEAD, NO_WRENCH,
        NO_STIFF, NO_WRENCH, slope, h, FREQUENCY, FAST, steps, 0.0, *tables.work, np.zeros(model.nv), bodies, q, v,
    )  # fmt: skip
    return result, v


def energy(model: Model, bodies, q):
    """Kinetic, potential and elastic energy; springs of coordinates only."""
    total = 0.0
    for i in range(model.body_count):
        M = mass_matrix(model, bodies, i)
        total += 0.5 * bodies[i, 7:] @ M @ bodies[i, 7:] - M[3, 3] * model.gravity @ bodies[i, :3]
    x = model.difference(model.q_rest, q)
    return total + 0.5 * np.sum(model.dofs["stiffness"] * x**2)


def chain(links, kind="revolute", root="revolute", gravity=(0.0, -9.81, 0.0), **joint):
    """Rods of 10 cm and 100 g in a row along x, from one joint to the next."""
    builder = ModelBuilder("chain", gravity=gravity)
    for i in range(links):
        spec = JointSpec(kind=kind, axes=((0.0, 0.0, 1.0),), **joint)
        if i == 0 and root == "free":
            spec = JointSpec(kind="free")
        builder.add_body(
            f"link_{i}", f"link_{i - 1}" if i else "", spec, place=Pose((0.1 if i else 0.0, 0.0, 0.0)), mass=0.1,
            center_of_mass=(0.05, 0.0, 0.0), inertia=(1e-5, 8.4e-5, 8.4e-5, 0.0, 0.0, 0.0),
        )  # fmt: skip
    return builder.build()


# --- conversions ---


@pytest.mark.parametrize("seed", SEEDS)
def test_bodies_are_where_kinematics_says(seed):
    model = forest(seed)
    m = random_motion(model, seed)
    bodies = bodies_of(model, m.q, m.v)
    poses, velocities = kinematics.body_poses(model, m.q), kinematics.body_velocities(model, m.q, m.v)
    for i in range(model.body_count):
        R = np.array(rotation.from_quaternion(tuple(bodies[i, 3:7]))).reshape(3, 3)
        c = R @ (model.tree[i]["h"] / model.tree[i]["mass"])
        assert np.abs(R - poses.rotation[i]).max() < ROUNDING
        assert np.abs(bodies[i, :3] - poses.position[i] - c).max() < ROUNDING
        assert np.abs(bodies[i, 7:10] - velocities[i, :3]).max() < ROUNDING
        assert np.abs(bodies[i, 10:] - velocities[i, 3:] - np.cross(velocities[i, :3], c)).max() < ROUNDING


@pytest.mark.parametrize("seed", SEEDS)
def test_there_and_back(seed):
    model = forest(seed)
    assert {joint.kind.name for joint in model.joints} == set(KINDS)
    m = random_motion(model, seed)
    near = model.integrate(m.q, 0.3 * np.random.default_rng(seed).normal(size=model.nv))
    q, v, tables = joints_of(model, bodies_of(model, m.q, m.v), near)
    assert np.abs(q - m.q).max() < ROUNDING  # quaternions with their sign
    assert np.abs(v - m.v).max() < ROUNDING
    gap, turn = conversions.joints_from_bodies(model.tree, bodies_of(model, m.q, m.v), tables.pairs, q, v)
    assert 0 <= gap < ROUNDING
    assert 0 <= turn < ROUNDING


@pytest.mark.parametrize(("kind", "turning"), [("revolute", [0]), ("universal", [0, 1]), ("planar", [2])])
def test_angles_go_on_over_whole_turns(kind, turning):
    model = pair(kind, 3)
    q = random_motion(model, 3).q
    own = np.arange(model.nq)[model.joints[1].q_slice][turning]
    q[own] = 7.5
    before = q.copy()
    before[own] = 6.9
    assert np.abs(joints_of(model, bodies_of(model, q, np.zeros(model.nv)), before)[0] - q).max() < ROUNDING


def test_a_gap_and_a_tilt_are_reported():
    model = chain(3)
    q, v = model.neutral(), np.zeros(model.nv)
    pairs = MaximalTables(model, general=False).pairs
    by = np.zeros((3, 6))
    by[2, 4] = 3e-3
    gap, turn = conversions.joints_from_bodies(model.tree, displaced(bodies_of(model, q, v), by), pairs, q, v)
    assert gap == pytest.approx(3e-3, rel=1e-12)
    assert turn < 1e-14
    by[:] = 0.0
    by[2, :3] = 0.0, 2e-3, 0.5  # 0.5 about the hinge's own axis is no fault
    gap, turn = conversions.joints_from_bodies(model.tree, displaced(bodies_of(model, q, v), by), pairs, q, v)
    R = np.array(rotation.from_quaternion(rotation.exp_quaternion((0.0, 2e-3, 0.5)))).reshape(3, 3)
    assert turn == pytest.approx(math.acos(R[2, 2]), rel=1e-6)
    assert gap > 1e-3  # the rod was turned about its middle


# --- one solve ---


def limited(seed, **options):
    """A forest with limits on every joint that can have some, many of them passed."""
    builder = ModelBuilder("limited", gravity=TILTED_GRAVITY)
    for spec in forest(seed, **options).specs:
        count = len(JOINT_TYPES[spec.joint.kind].limit_names)
        upper = (0.1, -0.3, 0.2) if spec.joint.kind == "ball" else (-0.1,) * count
        joint = dataclasses.replace(spec.joint, lower=(-9.0,) * count, upper=upper) if count else spec.joint
        builder.add(dataclasses.replace(spec, joint=joint))
    return builder.build()


class Load(NamedTuple):
    """Everything that acts in one solve, drawn at random."""

    q: np.ndarray
    v: np.ndarray
    momenta: np.ndarray
    prescribed: np.ndarray
    vdot: np.ndarray
    tau: np.ndarray
    external: np.ndarray
    stiff: np.ndarray
    wrench: np.ndarray


def random_load(model, seed, *, prescribed=False, stiff=True):
    rng = np.random.default_rng([seed, 4])
    # Less than half a turn from rest, and beyond many limits.
    q, v = model.integrate(model.q_rest, rng.uniform(-1.2, 1.2, model.nv)), rng.normal(size=model.nv)
    # Momenta as they come out of a step: near those of v, but not the same.
    momenta = momenta_of(model, bodies_of(model, q, v)) + 0.1 * rng.normal(size=(model.body_count, 6))
    mask = np.zeros(model.nv, dtype=np.bool_)
    for joint in model.joints:
        mask[joint.v_slice] = rng.random() < 0.3
    extra = np.zeros((model.body_count, 21))
    for row in extra:
        X = rng.normal(size=(6, 6))
        G = X @ X.T
        row[:] = [
            *G[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)],
            *G[:3, 3:].ravel(),
            *G[(3, 4, 5, 3, 3, 4), (3, 4, 5, 4, 5, 5)],
        ]
    return Load(
        q, v, momenta, mask if prescribed else NO_MASK, rng.normal(size=model.nv) if prescribed else NO_VECTOR,
        rng.normal(size=model.nv), rng.normal(size=(model.body_count, 6)), extra if stiff else NO_STIFF,
        rng.normal(size=(model.body_count, 6)) if stiff else NO_WRENCH,
    )  # fmt: skip


@kernel
def load_condensed(
    tree, dofs, limits, rest, q, v, prescribed, tau, h, frequency, body_work, dof_work, stretch_work
):  # fmt: skip
    """Poses and efforts of all joints as both solves want them."""
    begin(tree, dofs, q, v, body_work, dof_work)
    for i in range(tree.shape[0]):
        resist(tree, dofs, i, rest, q, v, prescribed, tau, h, h, h, dof_work, stretch_work)
        stop(tree, limits, i, q, v, prescribed, h, h, h, frequency, body_work, dof_work)


@kernel
def recouple_all(tree, body_work, dof_work, vdot_out):
    """Accelerations of limited ball joints along body axes again."""
    for i in range(tree.shape[0]):
        recouple(tree, i, body_work, dof_work, vdot_out)


def loaded(model, load):
    scratch = Scratch(model)
    load_condensed(
        model.tree, model.dofs, model.limits, model.q_rest, load.q, load.v, load.prescribed, load.tau, STEP, FREQUENCY,
        scratch.bodies, scratch.dofs, scratch.vector,
    )  # fmt: skip
    return scratch


def outcome(model, load, scratch, vdot, effort):
    """Twists of bodies at their origins, velocities and efforts of joints at the end of the step."""
    recouple_all(model.tree, scratch.bodies, scratch.dofs, vdot)
    twists = scratch.bodies["V"] + STEP * scratch.bodies["A"]
    twists[:, 3:] += STEP * model.gravity
    return twists, load.v + STEP * vdot, effort


def multiplied(model, load, slope, general):
    """One solve with multipliers: both work tables, accelerations and efforts of joints."""
    scratch, tables = loaded(model, load), MaximalTables(model, general=general)
    vdot, effort = np.zeros(model.nv), np.zeros(model.nv)
    multipliers.multiply_out(
        model.tree, model.dofs, model.limits, model.q_rest, model.gravity, load.q, load.v, load.prescribed, load.vdot,
        load.tau, load.external, load.stiff, load.wrench, load.momenta, STEP, FREQUENCY, slope, scratch.bodies, scratch.dofs,
        tables.bodies, *tables.work, vdot, effort,
    )  # fmt: skip
    return scratch, tables, vdot, effort


def solve_blocks(model, load, slope=PLAIN, general=False):
    scratch, _, vdot, effort = multiplied(model, load, slope, general)
    return outcome(model, load, scratch, vdot, effort)


def solve_condensed(model, load):
    """The same by the condensed solve."""
    scratch = loaded(model, load)
    vdot, effort = np.zeros(model.nv), np.zeros(model.nv)
    condense(
        model.tree, model.dofs, model.gravity, load.prescribed, load.vdot, load.external, load.stiff, load.wrench,
        load.momenta, STEP, scratch.bodies, scratch.dofs, vdot, effort,
    )  # fmt: skip
    return outcome(model, load, scratch, vdot, effort)


def relative(found, true):
    assert np.abs(true).max() > 0.1
    return np.abs(found - true).max() / np.abs(true).max()


@pytest.mark.parametrize("prescribed", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_block_and_condensed_solves_agree(seed, prescribed):
    model = limited(seed)
    load = random_load(model, seed, prescribed=prescribed)
    twists, v, effort = solve_blocks(model, load)
    true_twists, true_v, true_effort = solve_condensed(model, load)
    assert relative(twists, true_twists) < SOLVE
    assert relative(v, true_v) < SOLVE
    if prescribed:
        assert 0 < load.prescribed.sum() < model.nv
        assert relative(effort[load.prescribed], true_effort[load.prescribed]) < SOLVE


@pytest.mark.parametrize("seed", SEEDS)
def test_the_stops_of_these_forests_act(seed):
    load = random_load(limited(seed), seed)
    assert relative(solve_blocks(forest(seed), load)[1], solve_blocks(limited(seed), load)[1]) > 1e-3


@pytest.mark.parametrize("seed", SEEDS)
def test_both_factorisations_agree_on_a_symmetric_system(seed):
    model = limited(seed)
    load = random_load(model, seed, prescribed=True)
    for found, true in zip(solve_blocks(model, load), solve_blocks(model, load, general=True), strict=True):
        assert relative(found, true) < SOLVE


@pytest.mark.parametrize("seed", SEEDS)
def test_exact_slopes_differ_by_little(seed):
    model = limited(seed)
    load = random_load(model, seed, stiff=False)
    exact, plain = solve_blocks(model, load, EXACT, general=True)[1], solve_blocks(model, load)[1]
    assert 1e-6 < relative(exact, plain) < 0.1


def own_system(model, load, slope, general, lead=NO_LEAD):
    """The system with forces of joints as `joint_forces` has them, and with the momenta of v."""
    bodies = bodies_of(model, load.q, load.v)
    q, v, tables = joints_of(model, bodies, load.q, general=general)
    assemble(
        model.tree, model.dofs, model.limits, model.q_rest, model.gravity, q, v, bodies, load.prescribed, load.vdot,
        load.tau, lead, load.external, load.stiff, load.wrench, slope, STEP, FREQUENCY, tables.vector, tables.pairs,
        tables.nodes, tables.blocks, tables.x,
    )  # fmt: skip
    return tables


def slow(load):
    """The same at rest, so that no gyroscopic torque acts and the momenta are those of v: none."""
    return load._replace(v=0 * load.v, momenta=0 * load.momenta)


@pytest.mark.parametrize("general", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_forces_of_joints_are_those_of_the_condensed_solve(seed, general):
    model = limited(seed)
    load = slow(random_load(model, seed))
    tables = own_system(model, load, EXACT if general else PLAIN, general)
    solve_system(tables)
    v = joint_velocities(model, tables)
    true = solve_blocks(model, load, EXACT, general=True) if general else solve_condensed(model, load)
    assert relative(v, true[1]) < SOLVE


def solve_system(tables):
    general = tables.blocks.shape[1] == blocks.GENERAL_BLOCKS
    factor, solve = (
        (blocks.factor_general, blocks.solve_general) if general else (blocks.factor_symmetric, blocks.solve_symmetric)
    )
    factor(tables.nodes, tables.pad, tables.blocks)
    solve(tables.nodes, tables.blocks, np.zeros(6), tables.x)


def joint_velocities(model, tables):
    """Velocities of joints in a solution."""
    v = np.zeros(model.nv)
    for i, joint in enumerate(model.joints):
        pair, p = tables.pairs[i], int(model.tree[i]["parent"])
        w, u = np.split(tables.x[2 * i + 1], 2)
        u = u + np.cross(w, pair["r_c"])
        if p >= 0:
            w_p, u_p = np.split(tables.x[2 * p + 1], 2)
            w, u = w - w_p, u - u_p - np.cross(w_p, pair["r_p"])
        v[joint.v_slice] = pair["T"].reshape(6, 6)[: joint.nv] @ np.concatenate([w, u])
    return v


@pytest.mark.parametrize("slope", [PLAIN, SYMMETRIC])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_system_is_the_dense_one(seed, slope):
    model = limited(seed)
    tables = own_system(model, random_load(model, seed, prescribed=True), slope, False)
    H, z, at = dense_system(tables)
    true = np.linalg.solve(H, z)
    assert np.abs(z).max() > 0.1
    solve_system(tables)
    found = np.concatenate([tables.x[i, : at[i].stop - at[i].start] for i in range(len(at))])
    assert relative(found, true) < SOLVE


def test_what_leads_a_joint_is_an_effort_and_an_inertia():
    """A spring to a moving target, told as `lead`, is a spring of the joint with its rest there."""
    k, c, target = 7.0, 0.3, 0.4
    plain, sprung = chain(4), chain(4, stiffness=(k,), damping=(c,), rest=(target,))
    load = random_load(plain, 1, stiff=False)
    lead = np.stack([-k * (load.q - target + STEP * load.v) - c * load.v, np.full(4, STEP * c + STEP**2 * k)], axis=1)
    led, true = own_system(plain, load, PLAIN, False, lead), own_system(sprung, load, PLAIN, False)
    solve_system(led)
    solve_system(true)
    assert relative(led.x, true.x) < SOLVE


@pytest.mark.parametrize("general", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_factors_answer_further_wrenches(seed, general):
    """What a wrench adds is the difference of two solves, with it and without."""
    model = limited(seed)
    load = random_load(model, seed, prescribed=True)
    slope = EXACT if general else PLAIN
    scratch, tables, _, _ = multiplied(model, load, slope, general)
    more = np.random.default_rng(seed).normal(size=(model.body_count, 6))
    A, dv, dtau = np.zeros((model.body_count, 6)), np.zeros(model.nv), np.zeros(model.nv)
    multipliers.answer_wrenches(
        model.tree, load.prescribed, more, tables.nodes, tables.blocks, tables.pairs, tables.pad, tables.x, A, dv, dtau
    )
    recouple_all(model.tree, scratch.bodies, scratch.dofs, dv)
    before = solve_blocks(model, load, slope, general)
    after = solve_blocks(model, load._replace(wrench=load.wrench + more), slope, general)
    assert relative(A, (after[0] - before[0]) / STEP) < SOLVE
    assert relative(dv, (after[1] - before[1]) / STEP) < SOLVE
    assert relative(dtau, after[2] - before[2]) < SOLVE


# --- momentum ---


@pytest.mark.parametrize("seed", SEEDS)
def test_a_solve_keeps_the_momentum_of_what_is_free(seed):
    model = floating(limited(seed))
    model = without_gravity_and_root_springs(model)
    load = random_load(model, seed, stiff=False)._replace(external=NO_WRENCH)
    root = [d for d in range(model.nv) if model.tree[model.dofs[d]["body"]]["parent"] < 0]
    load.tau[root] = 0.0
    bodies = bodies_of(model, load.q, load.v)
    before = total_momentum(bodies, load.momenta)
    twists, _, _ = solve_blocks(model, load)
    after = bodies.copy()
    for i in range(model.body_count):
        R = np.array(rotation.from_quaternion(tuple(bodies[i, 3:7]))).reshape(3, 3)
        arm = R @ (model.tree[i]["h"] / model.tree[i]["mass"])
        after[i, 7:10], after[i, 10:] = twists[i, :3], twists[i, 3:] + np.cross(twists[i, :3], arm)
    assert relative(momenta_of(model, after), load.momenta) > 1e-3
    assert relative(total_momentum(bodies, momenta_of(model, after)), before) < ROUNDING * 100


def without_gravity_and_root_springs(model):
    builder = ModelBuilder(model.name, gravity=NO_GRAVITY)
    for spec in model.specs:
        builder.add(spec)
    return builder.build()


def test_a_free_chain_keeps_its_momentum_over_many_steps():
    """Linear momentum exactly; the angular one up to what p += h v, R = exp(h w) R does to it, of first order."""
    drift = []
    for h in (4e-3, 2e-3, 1e-3):
        model = chain(6, root="free", kind="ball", gravity=NO_GRAVITY, stiffness=(0.05,) * 3)
        q, v = model.neutral(), np.random.default_rng(2).normal(size=model.nv)
        bodies = bodies_of(model, q, v)
        before = total_momentum(bodies, momenta_of(model, bodies))
        (done, _, bad, _), _ = run(model, bodies, q, round(0.2 / h), h)
        assert (done, bad) == (round(0.2 / h), -1)
        after = total_momentum(bodies, momenta_of(model, bodies))
        assert np.abs(after[3:] - before[3:]).max() < ROUNDING
        drift.append(np.abs(after[:3] - before[:3]).max())
    assert drift[-1] < 0.02 * np.abs(before[:3]).max()
    assert (orders(drift) > 0.8).all()


@pytest.mark.parametrize("slope", [SYMMETRIC, EXACT])
def test_a_tumbling_rod_gains_no_energy(slope):
    model = free_body((1e-5, 8.4e-5, 8.4e-5))
    q, v = model.neutral(), np.array([6.0, 3.0, 7.4, 0.0, 0.0, 0.0])
    bodies = bodies_of(model, q, v)
    start = energy(model, bodies, q)
    spins = []
    for _ in range(300):
        (_, _, bad, _), _ = run(model, bodies, q, 1, slope=slope)
        assert bad == -1
        spins.append(energy(model, bodies, q))
    assert max(spins) <= start
    assert spins[-1] > 0.9 * start


# --- in the limit of short steps ---


@pytest.mark.parametrize("slope", [SYMMETRIC, EXACT])
@pytest.mark.parametrize("seed", [0, 1])
def test_short_steps_lead_where_the_reduced_engine_goes(seed, slope):
    """All joint types, springs, dampers, armature, actuators: first order, against the fourth-order reference."""
    model = forest(seed)
    rng = np.random.default_rng([seed, 8])
    q = model.integrate(model.q_rest, rng.uniform(-0.5, 0.5, model.nv))
    v, tau = rng.normal(size=model.nv), rng.normal(size=model.nv)
    sim = Simulation(Scene(model, q=q, v=v), integrator="rk4", dt=1e-3)
    sim.tau[:] = tau
    sim.advance(0.1)
    true = bodies_of(model, sim.state.q, sim.state.v)[:, :3]
    errors = []
    for h in (2e-3, 1e-3, 5e-4):
        bodies = bodies_of(model, q, v)
        assert run(model, bodies, q.copy(), round(0.1 / h), h, slope, tau=tau)[0][2] == -1
        errors.append(np.abs(bodies[:, :3] - true).max())
    assert errors[-1] < 0.05 * np.abs(true - bodies_of(model, q, v)[:, :3]).max()
    assert (np.abs(orders(errors) - 1.0) < 0.2).all()


# --- gaps ---


def test_gaps_open_with_the_square_of_the_step_and_are_reported():
    """Physics notes, 4.1: 6.5e-5, 1.6e-5, 4.1e-6 m at 4, 2 and 1 ms on their chain."""
    gaps = []
    for h in (4e-3, 2e-3, 1e-3):
        model = chain(3, "ball")
        q = model.neutral()
        bodies = bodies_of(model, q, np.zeros(model.nv))
        (_, time, bad, gap), _ = run(model, bodies, q, round(0.3 / h), h)
        assert bad == -1
        assert time == pytest.approx(0.3)
        gaps.append(gap)
    assert 1e-7 < gaps[-1] < gaps[0] < 1e-3
    assert (orders(gaps) > 1.6).all()


@pytest.mark.parametrize("slope", [SYMMETRIC, EXACT])
def test_an_open_joint_is_closed(slope):
    model = chain(3, gravity=NO_GRAVITY)
    q = model.neutral()
    by = np.zeros((3, 6))
    by[1, 4], by[2, 1] = 2e-3, 1e-2
    bodies = displaced(bodies_of(model, q, np.zeros(model.nv)), by)
    gaps = [run(model, bodies, q, 1, slope=slope)[0][3] for _ in range(3)]
    _, _, tables = joints_of(model, bodies, q)
    now, turn = conversions.joints_from_bodies(model.tree, bodies, tables.pairs, q, np.zeros(model.nv))
    assert gaps[0] > 1.9e-3
    assert now < 1e-5
    assert turn < 1e-5


# --- stiffness ---


@pytest.mark.parametrize("slope", [SYMMETRIC, EXACT])
@pytest.mark.parametrize(("kind", "nv"), [("revolute", 1), ("ball", 3)])
def test_springs_of_1e5_stay_calm_at_ten_milliseconds(kind, nv, slope):
    """A rod's own frequency at such a spring is 1e4 rad/s: a hundred radians a step."""
    model = chain(8, kind, stiffness=(1e5,) * nv)
    rest = model.neutral()
    q = model.integrate(rest, np.random.default_rng(1).uniform(-0.1, 0.1, model.nv))
    bodies = bodies_of(model, q, np.zeros(model.nv))
    start = energy(model, bodies, q)
    assert start > 100.0
    (done, _, bad, gap), v = run(model, bodies, q, 500, slope=slope)
    assert (done, bad) == (500, -1)
    assert energy(model, bodies, q) < 1.0
    assert np.abs(model.difference(rest, q)).max() < 1e-4
    assert np.abs(v).max() < 1e-3
    assert gap < 0.05


def test_a_limit_holds_a_falling_chain():
    model = chain(5, lower=(-0.5,), upper=(0.5,), damping=(1e-3,))
    q = model.neutral()
    bodies = bodies_of(model, q, np.zeros(model.nv))
    start = energy(model, bodies, q)
    lowest = 0.0
    for _ in range(300):
        (_, _, bad, _), _ = run(model, bodies, q, 1)
        assert bad == -1
        lowest = min(lowest, q[0])
        assert energy(model, bodies, q) < start + 1e-3
    assert -0.75 < lowest < -0.5


# --- half a turn ---


@pytest.mark.parametrize("slope", [SYMMETRIC, EXACT])
def test_a_twist_of_three_radians_in_one_step(slope):
    """Physics notes, 4.5: backward Euler leaves `3 / (1 + h² k / I) = 3/11` rad; the slope as printed, 2.86."""
    model = ball_on_ground(stiffness=5000.0)
    q = np.array(rotation.exp_quaternion((0.0, 3.0 * 0.6, 3.0 * 0.8)))
    bodies = bodies_of(model, q, np.zeros(3))
    run(model, bodies, q, 1, slope=slope)
    angle = np.linalg.norm(model.difference(model.q_rest, q))
    assert angle == pytest.approx(3.0 / 11.0, rel=1e-9)
    assert round(angle, 3) == 0.273


def ball_on_ground(stiffness):
    """A sphere of 0.05 kg m² that turns about its centre."""
    builder = ModelBuilder("ball", gravity=NO_GRAVITY)
    builder.add_body(
        "ball", "", JointSpec(kind="ball", stiffness=(stiffness,) * 3), mass=1.0, inertia=(0.05,) * 3 + (0.0,) * 3
    )
    return builder.build()


@pytest.mark.parametrize("slope", [SYMMETRIC, EXACT])
def test_a_spring_turned_beyond_half_a_turn_comes_back_the_way_it_went(slope):
    model = ball_on_ground(stiffness=1.0)
    axis = np.array([0.6, 0.0, 0.8])
    q = np.array(rotation.exp_quaternion(tuple(2.5 * axis)))
    bodies = bodies_of(model, q, 11.0 * axis)
    angles, spins = [], []
    for _ in range(45):
        run(model, bodies, q, 1, slope=slope)
        angles.append(2 * math.atan2(np.linalg.norm(q[:3]) * np.sign(q[:3] @ axis), q[3]))
        spins.append(bodies[0, 7:10] @ axis)
    highest = max(angles)
    assert math.pi + 0.1 < highest < FURTHEST_TURN
    assert np.abs(np.diff(angles) - STEP * np.array(spins[1:])).max() < 1e-9  # never a leap
    assert (np.diff(spins) < 0).all()  # the spring pulls one way throughout
    assert 0 < angles[-1] < 2.5


# --- what goes wrong ---


@pytest.mark.parametrize("slope", [SYMMETRIC, EXACT])
def test_a_runaway_is_named_and_the_last_good_state_kept(slope):
    model = chain(3)
    q = model.neutral()
    bodies = bodies_of(model, q, np.zeros(3))
    (done, time, bad, _), _ = run(model, bodies, q, 2, slope=slope)
    before = bodies.copy(), q.copy()
    (done, time, bad, _), _ = run(model, bodies, q, 5, slope=slope, tau=np.array([0.0, 0.0, 1e6]))
    assert (done, time) == (0, 0.0)
    assert 0 <= bad < 3
    assert np.array_equal(bodies, before[0])
    assert np.abs(q - before[1]).max() < ROUNDING
    (done, _, bad, _), _ = run(model, bodies, q, 5, slope=slope, tau=np.array([0.0, math.nan, 0.0]))
    assert done == 0
    assert bad >= 0


def test_a_prescribed_hinge_goes_where_it_is_led():
    model = chain(3)
    q = model.neutral()
    bodies = bodies_of(model, q, np.zeros(3))
    prescribed, vdot = np.array([True, False, False]), np.array([2.0, 0.0, 0.0])
    (done, _, bad, _), v = run(model, bodies, q, 10, prescribed=prescribed, vdot=vdot)
    assert (done, bad) == (10, -1)
    assert v[0] == pytest.approx(0.2, rel=1e-9)
