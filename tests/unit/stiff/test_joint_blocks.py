"""Constraints and forces of joints in maximal coordinates: every derivative by differences."""

import math

import numpy as np
import pytest

from checks import DIFFERENCE_PRECISION, derivative
from models import random_motion
from stiff_models import (
    FREQUENCY,
    NO_WRENCH,
    axes,
    axes_for,
    bodies_of,
    center,
    displaced,
    hastened,
    joints_of,
    mass_matrix,
    pair,
    system,
)
from stringless.engines.stiff.reference import PLAIN, SYMMETRIC, joints_from_bodies, kernels_joint_forces, maximal_work
from stringless.engines.stiff.reference.records import KINDS
from stringless.model import JointSpec
from stringless.model.joints import JOINT_TYPES
from stringless.spatial import rotation

MOVING = tuple(kind for kind in KINDS if kind != "fixed")
SEEDS = range(3)
PRECISION = 10 * DIFFERENCE_PRECISION
"""Relative to the largest entry; second derivatives of angles of limits are larger than the values around them."""
STEP = 0.1
"""A long step, so that h and h² are not lost beside the masses."""
EFFORT = 1.5
"""Clips some efforts of order one and leaves others alone."""


def relative(found, true):
    return np.abs(found - true).max() / max(np.abs(true).max(), 1.0)


def columns(function, count):
    """Derivative of a function of (direction, s) along every unit vector."""
    return np.stack([derivative(lambda s, e=e: function(e, s)) for e in np.eye(count)], axis=-1)


# --- constraints ---


def values(model, bodies):
    tables = maximal_work(model, general=False)
    joints_from_bodies(model.tree, bodies, tables.pairs, model.neutral(), np.zeros(model.nv))
    row = tables.pairs[1]
    return row["value"][: row["rows"]].copy(), row["row"].reshape(6, 6)[: row["rows"]].copy(), row["V"].copy()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "free"])
def test_rows_are_the_derivatives_of_the_constraints(kind, seed):
    model = pair(kind, seed)
    m = random_motion(model, seed)
    # An open joint: the rows must hold there, too.
    apart = 0.2 * np.random.default_rng(seed).normal(size=12)
    bodies = displaced(bodies_of(model, m.q, 0 * m.v), apart)
    value, row, _ = values(model, bodies)
    assert len(value) == 6 - JOINT_TYPES[kind].nv
    assert np.abs(value).max() > 1e-3
    J = row @ np.stack([values(model, hastened(bodies, e))[2] for e in np.eye(12)], axis=-1)
    slope = columns(lambda e, s: values(model, displaced(bodies, e, s))[0], 12)
    assert np.linalg.matrix_rank(slope[:, 6:]) == len(value)
    assert relative(J, slope) < PRECISION


@pytest.mark.parametrize("kind", KINDS)
def test_rows_let_the_coordinates_move(kind):
    model = pair(kind, 1)
    m = random_motion(model, 1)
    value, row, V = values(model, bodies_of(model, m.q, m.v))
    assert kind == "fixed" or np.linalg.norm(V) > 0.1
    assert np.abs(value).max(initial=0.0) < 1e-14
    assert np.abs(row @ V).max(initial=0.0) < 1e-13


@pytest.mark.parametrize("kind", [kind for kind in MOVING if JOINT_TYPES[kind].is_vector])
def test_directions_are_the_gradients_of_the_coordinates(kind):
    model = pair(kind, 2)
    m = random_motion(model, 2)
    bodies = bodies_of(model, m.q, 0 * m.v)
    own = model.joints[1].q_slice
    slope = columns(lambda e, s: joints_of(model, displaced(bodies, e, s), m.q)[0][own], 12)
    rates = [joints_of(model, hastened(bodies, e), m.q)[1] for e in np.eye(12)]
    rates = np.stack(rates, axis=-1)[model.joints[1].v_slice]
    assert np.abs(slope).max() > 0.1
    assert relative(rates, slope) < PRECISION


# --- forces ---


def stretch(joint, model, q):
    """How far the springs of a joint are stretched, from scratch."""
    q, rest = q[joint.q_slice], model.q_rest[joint.q_slice]
    if joint.kind.is_vector:
        return q - rest
    R, R_rest = (np.array(rotation.from_quaternion(tuple(x[-4:]))).reshape(3, 3) for x in (q, rest))
    angle = math.acos(np.clip((np.trace(R_rest.T @ R) - 1) / 2, -1, 1))
    S = R_rest.T @ R
    turn = angle / (2 * math.sin(angle)) * np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]])
    return turn if joint.kind.name == "ball" else np.concatenate([turn, R.T @ (q[:3] - rest[:3])])


def limit_values(joint, q):
    """What the limits of a joint bound, from scratch."""
    if joint.kind.is_vector:
        return q[joint.q_slice]
    Q = q[joint.q_slice]
    R = np.array(rotation.from_quaternion(tuple(Q))).reshape(3, 3)
    a = np.asarray(joint.spec.axes[0])
    swing = math.atan2(np.linalg.norm(np.cross(a, R @ a)), a @ R @ a)
    twist = 2 * math.atan(Q[:3] @ a / Q[3])
    return np.array([swing, twist, 2 * math.atan2(np.linalg.norm(Q[:3]), abs(Q[3]))])


def limit_gradients(joint, q):
    """Their gradients by the velocity coordinates (docs/theory/articulated.md, section 2.4)."""
    if joint.kind.is_vector:
        return np.eye(joint.nv)
    Q = q[joint.q_slice]
    R = np.array(rotation.from_quaternion(tuple(Q))).reshape(3, 3)
    a, v, w = np.asarray(joint.spec.axes[0]), Q[:3], Q[3]
    swing = R.T @ np.cross(a, R @ a) / np.linalg.norm(np.cross(a, R @ a))
    twist = (w * (w * a - np.cross(v, a)) + (v @ a) * v) / ((v @ a) ** 2 + w**2)
    return np.array([swing, twist, np.sign(w) * v / np.linalg.norm(v)])


def efforts(model, joint, q, v, tau):
    """Efforts on all coordinates of a joint: actuator, spring, damper, stops."""
    dof, own = model.dofs[joint.v_slice], v[joint.v_slice]
    e = np.clip(tau[joint.v_slice], -dof["effort"], dof["effort"]) - dof["damping"] * own
    if dof["stiffness"].any():
        e = e - dof["stiffness"] * stretch(joint, model, q)
    row = model.tree[joint.index]
    if row["nl"]:
        limits = model.limits[row["l0"] : row["l0"] + row["nl"]]
        gradients = limit_gradients(joint, q)
        for limit, value, g in zip(limits, limit_values(joint, q), gradients, strict=True):
            over = value - limit["upper"]
            if over > 0:
                k = max(FREQUENCY**2 * limit["inertia"], limit["least_stiffness"])
                e = e - (k * over + 2 * math.sqrt(k * limit["inertia"]) * (g @ own)) * g
    return e


def forces(model, bodies, q, tau, external):
    """All forces on all bodies at their centres of mass, from scratch but for the directions of coordinates."""
    q, v, tables = joints_of(model, bodies, q)
    F = np.zeros((model.body_count, 6))
    for joint in model.joints:
        i = joint.index
        M = mass_matrix(model, bodies, i)
        R, w = axes(bodies[i]), bodies[i, 7:10]
        F[i, :3] -= np.cross(w, M[:3, :3] @ w)
        F[i, 3:] += M[3, 3] * model.gravity
        arm = -R @ center(model, i)
        if len(external):
            m, f = R @ external[i, :3], R @ external[i, 3:]
            F[i] += np.concatenate([m + np.cross(arm, f), f])
        T = tables.pairs[i]["duals"].reshape(6, 6)[: joint.nv]
        m, f = np.split(efforts(model, joint, q, v, tau) @ T, 2) if joint.nv else (np.zeros(3), np.zeros(3))
        F[i] += np.concatenate([m + np.cross(arm, f), f])
        p = int(model.tree[i]["parent"])
        if p >= 0:
            F[p] -= np.concatenate([m + np.cross(bodies[i, :3] + arm - bodies[p, :3], f), f])
    return F.ravel()


def sprung(kind, seed, **passive):
    """A pair whose joint has these passive parts, and one without."""
    spec = JointSpec(kind=kind, name="joint", axes=axes_for(kind, seed), **passive)
    bare = JointSpec(kind=kind, name="joint", axes=axes_for(kind, seed))
    return pair(kind, seed, joint=spec), pair(kind, seed, joint=bare)


def check_slopes(model, bare, m, bodies, tau, external=NO_WRENCH):
    """The system of `assemble` is eq. 3 of the paper, and the forces have a part in it."""
    n = 6 * model.body_count
    F = forces(model, bodies, m.q, tau, external)
    by_pose = columns(lambda e, s: forces(model, displaced(bodies, e, s), m.q, tau, external), n)
    by_speed = columns(lambda e, s: forces(model, hastened(bodies, e, s), m.q, tau, external), n)
    M = np.zeros((n, n))
    for i in range(model.body_count):
        M[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = mass_matrix(model, bodies, i)
    V = bodies[:, 7:].ravel()
    A, b, _ = system(model, bodies, m.q, STEP, tau=tau, external=external)
    without, _, _ = system(bare, bodies, m.q, STEP)
    assert np.abs(A - without).max() > 1e-4, "the force has no slope here: nothing is tested"
    assert relative(A, M - STEP * by_speed - STEP**2 * by_pose) < PRECISION
    assert relative(b, M @ V + STEP * F - STEP * by_speed @ V) < PRECISION


@pytest.fixture(params=[(kind, seed) for kind in MOVING for seed in SEEDS], ids=lambda p: f"{p[0]}-{p[1]}")
def case(request):
    return request.param


def motion(model, seed, speed):
    """A random motion whose turns are less than half a turn from rest, with the sign of quaternions that says so."""
    rng = np.random.default_rng([seed, 9])
    q = model.integrate(model.q_rest, rng.uniform(-1.0, 1.0, model.nv))
    v = speed * rng.normal(size=model.nv)
    m = random_motion(model, seed)._replace(q=q, v=v)
    return m, bodies_of(model, q, v)


def test_springs(case):
    kind, seed = case
    nv = JOINT_TYPES[kind].nv
    k = np.linspace(3.0, 5.0, nv) if JOINT_TYPES[kind].is_vector else np.repeat([3.0, 5.0], 3)[:nv]
    model, bare = sprung(kind, seed, stiffness=tuple(k))
    m, bodies = motion(model, seed, 0.0)
    check_slopes(model, bare, m, bodies, np.zeros(model.nv))


def test_dampers(case):
    kind, seed = case
    nv = JOINT_TYPES[kind].nv
    model, bare = sprung(kind, seed, damping=tuple(np.linspace(0.5, 1.0, nv)))
    m, bodies = motion(model, seed, 1.0)
    check_slopes(model, bare, m, bodies, np.zeros(model.nv))


def test_actuators(case):
    kind, seed = case
    model, bare = sprung(kind, seed, effort=(EFFORT,) * JOINT_TYPES[kind].nv)
    m, bodies = motion(model, seed, 0.0)
    check_slopes(model, bare, m, bodies, 3.0 * m.tau * [d >= 6 for d in range(model.nv)])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", [kind for kind in MOVING if JOINT_TYPES[kind].limit_names])
def test_stops(kind, seed):
    # All limits far below the values: every stop pushes.
    count = len(JOINT_TYPES[kind].limit_names)
    upper = (0.1, -2.0, 0.1) if kind == "ball" else (-2.0,) * count
    model, bare = sprung(kind, seed, lower=(-9.0,) * count, upper=upper)
    m, bodies = motion(bare, seed, 0.3)
    joint = model.joints[1]
    turns = np.eye(model.nv)[joint.v_slice]
    slope = [derivative(lambda s, e=e: limit_values(joint, model.integrate(m.q, e, s))) for e in turns]
    assert relative(limit_gradients(joint, m.q), np.stack(slope, axis=-1)) < PRECISION
    check_slopes(model, bare, m, bodies, np.zeros(model.nv))


@pytest.mark.parametrize("seed", SEEDS)
def test_gyroscopic_torque_and_wrenches_that_go_along(seed):
    model = pair("ball", seed, gravity=(1.0, -9.0, 3.0))
    m, bodies = motion(model, seed, 2.0)
    check_slopes(model, pair("ball", seed + 10), m, bodies, np.zeros(model.nv), m.external)


# --- slopes that keep the system symmetric ---


@pytest.mark.parametrize("angle", [0.5, 1.0, 2.0, 3.0])
def test_a_turning_spring_keeps_the_pair_definite(angle):
    """Physics: with `sym(Jl⁻¹)` in all four blocks nothing is gained; in the diagonal ones only, the pair is indefinite."""
    model, bare = sprung("ball", 0, stiffness=(5.0,) * 3)
    q = model.neutral()
    x = angle * np.array([0.6, 0.0, 0.8])
    q[model.joints[1].q_slice] = rotation.exp_quaternion(tuple(x))
    bodies = bodies_of(model, q, np.zeros(model.nv))
    A, _, _ = system(model, bodies, q, STEP, slope=SYMMETRIC)
    without, _, _ = system(bare, bodies, q, STEP, slope=SYMMETRIC)
    Z = A - without
    assert np.abs(A - A.T).max() < 1e-14
    spectrum = np.linalg.eigvalsh(Z)
    assert spectrum[-1] > 0.9 * STEP**2 * 5.0
    assert spectrum[0] > -1e-13
    exact, _, _ = system(model, bodies, q, STEP)
    assert np.abs(Z[6:9, 6:9] - (exact - without + (exact - without).T)[6:9, 6:9] / 2).max() < 1e-13
    half = Z.copy()
    half[6:9, 0:3], half[0:3, 6:9] = (exact - without)[6:9, 0:3], (exact - without)[0:3, 6:9]
    assert np.linalg.eigvalsh(half)[0] < -1e-2 * STEP**2 * 5.0


def test_plain_slopes_are_the_same_in_all_directions():
    model, bare = sprung("ball", 0, stiffness=(5.0,) * 3)
    m, bodies = motion(model, 0, 0.0)
    A, _, _ = system(model, bodies, m.q, STEP, slope=PLAIN)
    without, _, _ = system(bare, bodies, m.q, STEP, slope=PLAIN)
    assert np.abs((A - without)[6:9, 6:9] - STEP**2 * 5.0 * np.eye(3)).max() < 1e-13


# --- half a turn ---


def test_a_spring_is_wound_beyond_half_a_turn_and_no_further_than_its_bound():
    rest = (0.0, 0.0, 0.0, 1.0)
    axis = np.array([0.6, 0.0, 0.8])
    for angle in (0.0, 1e-10, 3.0, math.pi, 3.5, kernels_joint_forces.FURTHEST_TURN - 1e-6):
        x = kernels_joint_forces.wound(rest, rotation.exp_quaternion(tuple(angle * axis)))
        assert np.abs(np.array(x) - angle * axis).max() < 1e-12
    beyond = kernels_joint_forces.FURTHEST_TURN + 1e-6
    x = kernels_joint_forces.wound(rest, rotation.exp_quaternion(tuple(beyond * axis)))
    assert np.abs(np.array(x) - (beyond - 2 * math.pi) * axis).max() < 1e-12
    assert np.abs(kernels_joint_forces.wound(rest, (0.0, 0.0, 0.0, -1.0))).max() == 0.0
