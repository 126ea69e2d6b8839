"""The solve of the default update with multipliers, against the condensed one and against dense matrices."""

import dataclasses
from typing import Any, NamedTuple

import numpy as np
import pytest

from models import NO_GRAVITY, TILTED_GRAVITY, floating
from stiff_models import (
    NO_MASK,
    NO_STIFF,
    NO_VECTOR,
    NO_WRENCH,
    bodies_of,
    dense_system,
    forest,
    inputs_of,
    joints_of,
    momenta_of,
    settings_of,
    skeleton_of,
    total_momentum,
)
from stringless import jit
from stringless.dynamics.kernels_joints import load_joint, recouple
from stringless.engines.stiff import kernels_solve
from stringless.engines.stiff.kernels_limits import LIMIT_STATE, add_limits, measure_limits
from stringless.engines.stiff.kernels_step import update_bodies
from stringless.engines.stiff.records import Iterate, StiffForces
from stringless.engines.stiff.reference import (
    EXACT,
    PLAIN,
    SYMMETRIC,
    MaximalState,
    assemble,
    kernels_blocks,
    maximal_work,
    solve_multiplied,
)
from stringless.jit import kernel
from stringless.model import ModelBuilder
from stringless.model.joints import JOINT_TYPES
from stringless.spatial import rotation
from stringless.state.scratch import Scratch

ROUNDING = 1e-12
"""Relative; sums over a dozen bodies."""
SOLVE = 1e-10
"""Relative, two solutions of a linear system with condition numbers up to 1e5."""
SEEDS = range(5)
STEP = 0.01


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
    forces: StiffForces

    def inputs(self, model):
        return inputs_of(model, self.tau, prescribed=self.prescribed, vdot=self.vdot, external=self.external)


class StepWork(NamedTuple):
    """Of the scratch of a step, what its solve reads and writes."""

    bodies: Any
    dofs: Any
    limits: Any


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
        q,
        v,
        momenta,
        mask if prescribed else NO_MASK,
        rng.normal(size=model.nv) if prescribed else NO_VECTOR,
        rng.normal(size=model.nv),
        rng.normal(size=(model.body_count, 6)),
        StiffForces(extra if stiff else NO_STIFF, rng.normal(size=(model.body_count, 6)) if stiff else NO_WRENCH),
    )


@kernel
def load_joints(skeleton, iterate, inputs, settings, body_work, dof_work, displacement_work, limit_states_out):
    """Poses and efforts of all joints as both solves want them."""
    h, q, v = settings.dt, iterate.q, iterate.v
    update_bodies(skeleton, q, v, body_work, dof_work)
    measure_limits(skeleton, iterate, inputs.prescribed, settings, limit_states_out)
    for i in range(skeleton.tree.shape[0]):
        load_joint(skeleton, i, q, v, inputs.prescribed, inputs.tau, h, h, h, dof_work, displacement_work)
        add_limits(skeleton, i, settings, limit_states_out, body_work, dof_work)


@kernel
def recouple_all(tree, body_work, dof_work, vdot_out):
    """Accelerations of limited ball joints along body axes again."""
    for i in range(tree.shape[0]):
        recouple(tree, i, body_work, dof_work, vdot_out)


def loaded(model, load):
    scratch, limits = Scratch(model), jit.rows(len(model.limits), LIMIT_STATE)
    load_joints(
        skeleton_of(model),
        Iterate(load.q, load.v, STEP),
        load.inputs(model),
        settings_of(STEP),
        scratch.bodies,
        scratch.dofs,
        scratch.vector,
        limits,
    )
    return scratch, limits


def outcome(model, load, scratch, vdot, effort):
    """Twists of bodies at their origins, velocities and efforts of joints at the end of the step."""
    recouple_all(model.tree, scratch.bodies, scratch.dofs, vdot)
    twists = scratch.bodies["V"] + STEP * scratch.bodies["A"]
    twists[:, 3:] += STEP * model.gravity
    return twists, load.v + STEP * vdot, effort


def multiplied(model, load, slope, general):
    """One solve with multipliers: the work table, accelerations and efforts of joints."""
    (scratch, limits), tables = loaded(model, load), maximal_work(model, general=general)
    vdot, effort = np.zeros(model.nv), np.zeros(model.nv)
    solve_multiplied(
        skeleton_of(model),
        MaximalState(load.q, load.v, tables.bodies),
        load.momenta,
        load.inputs(model),
        load.forces,
        settings_of(STEP, slope),
        tables,
        StepWork(scratch.bodies, scratch.dofs, limits),
        vdot,
        effort,
    )
    return scratch, vdot, effort


def solve_blocks(model, load, slope=PLAIN, general=False):
    scratch, vdot, effort = multiplied(model, load, slope, general)
    return outcome(model, load, scratch, vdot, effort)


def solve_condensed(model, load):
    """The same by the condensed solve."""
    scratch, _ = loaded(model, load)
    vdot, effort = np.zeros(model.nv), np.zeros(model.nv)
    kernels_solve.solve_condensed(
        skeleton_of(model),
        load.inputs(model),
        load.forces,
        load.momenta,
        STEP,
        scratch.bodies,
        scratch.dofs,
        vdot,
        effort,
    )
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
def test_block_and_condensed_solves_agree_on_bodies_under_tension(seed):
    model = limited(seed)
    slack = random_load(model, seed)
    n = np.random.default_rng([seed, 9]).normal(size=(model.body_count, 3))
    n /= np.linalg.norm(n, axis=1)[:, None]
    cross = -n[:, (0, 0, 1)] * n[:, (1, 2, 2)]
    none = np.zeros((model.body_count, 1))
    taut = slack._replace(momenta=np.hstack([slack.momenta, 1e6 * np.hstack([1.0 - n * n, cross, none + 1.0, none])]))
    for found, true in zip(solve_blocks(model, taut), solve_condensed(model, taut), strict=True):
        assert np.abs(found - true).max() <= SOLVE * np.abs(true).max()
    spin, free_spin = solve_condensed(model, taut)[0][:, :3], solve_condensed(model, slack)[0][:, :3]
    across = np.linalg.norm(np.cross(n, spin))
    assert across < 0.5 * np.linalg.norm(np.cross(n, free_spin))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_limits_of_these_forests_act(seed):
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


def own_system(model, load, slope, general):
    """The system with forces of joints as `joint_forces` has them, and with the momenta of v."""
    bodies = bodies_of(model, load.q, load.v)
    q, v, tables = joints_of(model, bodies, load.q, general=general)
    assemble(
        skeleton_of(model),
        MaximalState(q, v, bodies),
        load.inputs(model),
        load.forces,
        settings_of(STEP, slope),
        tables,
    )
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
    general = tables.blocks.shape[1] == kernels_blocks.GENERAL_BLOCKS
    factor, solve = (
        (kernels_blocks.factor_general, kernels_blocks.solve_general)
        if general
        else (kernels_blocks.factor_symmetric, kernels_blocks.solve_symmetric)
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
        v[joint.v_slice] = pair["duals"].reshape(6, 6)[: joint.nv] @ np.concatenate([w, u])
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


@pytest.mark.parametrize("seed", SEEDS)
def test_a_solve_keeps_the_momentum_of_what_is_free(seed):
    model = floating(limited(seed))
    model = weightless(model)
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


def weightless(model):
    builder = ModelBuilder(model.name, gravity=NO_GRAVITY)
    for spec in model.specs:
        builder.add(spec)
    return builder.build()
