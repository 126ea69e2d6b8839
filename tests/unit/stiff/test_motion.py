"""The implicit step: what it converges to, what it solves, what it keeps, what it holds at long steps."""

import dataclasses
import math
from itertools import pairwise

import numpy as np
import pytest

from checks import orders
from models import (
    KINDS,
    MOVING,
    NO_GRAVITY,
    TILTED_GRAVITY,
    floating,
    free_body,
    pendulum,
    random_forest,
    random_motion,
    single,
)
from stiff_models import bodies_of, center, chain, mass_matrix, momenta_of, pair, total_momentum
from stringless import Scene, Simulation, load
from stringless.errors import InputError
from stringless.kinematics import body_poses
from stringless.model import JointSpec, ModelBuilder, Pose
from stringless.model.shapes import Shape
from stringless.scenes.chains import sprung_chain
from stringless.scenes.ground import floor

ROUNDING = 1e-12
"""Relative; sums over a dozen bodies."""
SOLVE = 1e-10
"""Relative, two solutions of one linear system."""
SECONDS, REFERENCE = 0.2, 2e-4
SHORT_STEPS = (1e-3, 5e-4, 2.5e-4)
NEAR_ONE = 0.2
"""How far a measured order may be from 1 where fast joints are near what these steps can follow."""


def stiff(scene, dt, **options):
    return Simulation(scene, engine="stiff", dt=dt, record=0, **options)


# --- the limit of short steps ---


def end(model, motion, dt, **options):
    sim = Simulation(Scene(model, q=motion.q, v=motion.v), dt=dt, record=0, **options)
    sim.tau[:], sim.external[:] = motion.tau, motion.external
    sim.advance(SECONDS)
    return sim


def measured(model, motion, **options):
    """Orders of the errors of q and of v; an error at the level of rounding has none."""
    exact = end(model, motion, REFERENCE, integrator="rk4", engine="reduced")
    ends = [end(model, motion, dt, engine="stiff", **options) for dt in SHORT_STEPS]
    wrong_q = [np.linalg.norm(model.difference(exact.q, sim.q)) for sim in ends]
    wrong_v = [np.linalg.norm(sim.v - exact.v) for sim in ends]
    assert wrong_q[-1] > 1e-7
    return np.concatenate([orders(wrong) for wrong in (wrong_q, wrong_v) if wrong[-1] > ROUNDING * 100])


@pytest.mark.parametrize("seed", range(5))
def test_short_steps_lead_where_the_reduced_engine_goes(seed):
    model = random_forest(seed, bodies=9, springs=True, dampers=True, armature=True)
    assert np.all(np.abs(measured(model, random_motion(model, seed)) - 1) < NEAR_ONE)


@pytest.mark.parametrize("kind", MOVING)
def test_short_steps_of_one_joint_on_the_ground(kind):
    """A body that turns about a point of the ground: nothing but the joint and its weight."""
    model = single(kind, seed=1)
    assert np.all(np.abs(measured(model, random_motion(model, 1, speed=2.0)) - 1) < NEAR_ONE)


@pytest.mark.parametrize("kind", MOVING)
def test_short_steps_of_one_joint_in_flight(kind):
    model = pair(kind, 1, gravity=TILTED_GRAVITY)
    assert np.all(np.abs(measured(model, random_motion(model, 1)) - 1) < NEAR_ONE)


@pytest.mark.parametrize("kind", MOVING)
def test_armatures_count_in_every_newton_iteration(kind):
    model = single(kind, seed=1, springs=True, armature=True)
    motion = random_motion(model, 1, speed=2.0)
    assert np.all(np.abs(measured(model, motion, newton=3) - 1) < NEAR_ONE)


# --- the linear system ---


def dense_velocities(model, q, v, momenta, tau, external, h):
    """`(Σ Jᵀ(M + G)J + A + h C + h² K) v+ = Σ Jᵀ(P + h F) + A v + h (tau - K x)` with columns of J from unit velocities."""
    at = bodies_of(model, q, v)
    J = np.stack([bodies_of(model, q, e)[:, 7:] for e in np.eye(model.nv)], axis=-1)
    H, z = np.zeros((model.nv, model.nv)), np.zeros(model.nv)
    rotation = body_poses(model, q).rotation
    for i in range(model.body_count):
        M, R = mass_matrix(model, at, i), rotation[i]
        arm = R @ center(model, i)
        moment, force = R @ external[i, :3], R @ external[i, 3:]
        push = np.concatenate([moment - np.cross(arm, force), force + M[3, 3] * model.gravity])
        H += J[i].T @ M @ J[i]
        H += J[i, :3].T @ tautness(momenta[i], h) @ J[i, :3]
        z += J[i].T @ (momenta[i, :6] + h * push)
    k, c, a = (model.dofs[name] for name in ("stiffness", "damping", "armature"))
    z += a * v + h * (tau - k * stretch(model, q))
    return np.linalg.solve(H + np.diag(a + h * c + h * h * k), z)


def tautness(kept, h):
    """`h² K` of a body that is pulled, less what a step resolves of it; nothing is known of that in the first step."""
    if len(kept) == 6:
        return np.zeros((3, 3))
    xx, yy, zz, xy, xz, yz, _, inertia = kept[6:14]
    pull = 0.5 * h * h * (xx + yy + zz)
    share = max(1 - 1.5 * inertia / pull, 0.0) if pull > 0 else 0.0
    return share * h * h * np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def stretch(model, q):
    """How far springs are stretched: by the logarithm of a turn; a free body's shift is taken along its axes."""
    x = model.difference(model.q_rest, q)
    for joint in model.joints:
        if joint.kind.name == "free":
            shift = q[joint.q_slice][:3] - model.q_rest[joint.q_slice][:3]
            x[joint.v_slice][3:] = Pose(rotation=tuple(q[joint.q_slice][3:])).matrix.T @ shift
    return x


@pytest.mark.parametrize("h", [0.01, 0.03])
@pytest.mark.parametrize("seed", range(4))
def test_a_step_is_the_dense_solve(seed, h):
    """In the first step momenta are those of v, in later ones those that were kept."""
    kinds = [kind for kind in KINDS if kind != "free"] if seed % 2 else KINDS
    model = random_forest(seed, kinds=kinds, springs=True, dampers=True, armature=bool(seed % 2), roots=0.3)
    motion = random_motion(model, seed)
    sim = stiff(Scene(model, q=motion.q, v=motion.v), h)
    sim.tau[:], sim.external[:] = motion.tau, motion.external
    momenta = momenta_of(model, bodies_of(model, motion.q, motion.v))
    for _ in range(3):
        q, v = sim.q.copy(), sim.v.copy()
        true = dense_velocities(model, q, v, momenta, motion.tau, motion.external, h)
        sim.step()
        found = v + h * sim.state.vdot
        assert np.abs(true - v).max() > 1e-3
        assert np.abs(found - true).max() < SOLVE * np.abs(true).max()
        momenta = sim.state.kept.copy()


def falling_chain(links=20, **joint):
    spring = {"stiffness": (20.0,), "damping": (0.01,), "lower": (-0.3,), "upper": (0.3,)}
    return Scene(chain(links, **(spring | joint)))


@pytest.mark.parametrize("solver", ["ldlt", "ldu"])
def test_other_solvers_do_the_same_with_hinges(solver):
    sims = [stiff(falling_chain(), 0.01, solver=name) for name in ("condensed", solver)]
    for sim in sims:
        sim.step(100)
    one, other = sims
    assert np.abs(one.v).max() > 0.1
    assert np.abs(one.q - other.q).max() < ROUNDING
    assert np.abs(one.v - other.v).max() < ROUNDING * 100


def test_bodies_that_move_on_their_own_leave_gaps():
    apart = stiff(falling_chain(), 0.01, solver="ldlt", update="bodies")
    together = stiff(falling_chain(), 0.01, solver="ldlt")
    gaps = []
    for _ in range(50):
        apart.step()
        together.step()
        gaps.append(apart.joint_gap)
    assert together.joint_gap == 0.0
    assert max(gaps) > 1e-6
    assert apart.time == together.time


def boxes(count, *, on_floor):
    builder = ModelBuilder("boxes")
    builder.world_shapes += [floor()] if on_floor else []
    for k in range(count):
        builder.add_body(
            f"box_{k}",
            joint="free",
            place=Pose((0.0, 1.0 + k, 0.0)),
            mass=1.0,
            inertia=(0.1, 0.1, 0.1, 0.0, 0.0, 0.0),
            shapes=(Shape(kind="box", size=(0.1, 0.1, 0.1)),),
        )
    return Scene(builder.build())


def massless():
    builder = ModelBuilder("light")
    builder.add_body("nothing", joint=JointSpec(kind="revolute", axes=((0.0, 0.0, 1.0),)))
    builder.add_body(
        "bob",
        "nothing",
        JointSpec(kind="revolute", axes=((1.0, 0.0, 0.0),)),
        mass=1.0,
        center_of_mass=(0.0, -1.0, 0.0),
        inertia=(0.1, 0.1, 0.1, 0.0, 0.0, 0.0),
    )
    return Scene(builder.build())


@pytest.mark.parametrize(
    ("scene", "options", "message"),
    [
        (
            lambda: load("hand"),
            {"solver": "ldlt"},
            "solver 'ldlt' does not support flesh, which model 'hand' has; use solver",
        ),
        (lambda: load("bar"), {"solver": "ldu"}, "solver 'ldu' does not support closed loops"),
        (
            lambda: boxes(2, on_floor=True),
            {"solver": "ldu"},
            "solver 'ldu' does not support contact between characters",
        ),
        (
            lambda: boxes(1, on_floor=True),
            {"solver": "ldu", "update": "bodies"},
            "update 'bodies' does not support contact",
        ),
        (massless, {"solver": "ldlt"}, "cannot carry body 'nothing', which has no mass; give it some"),
    ],
    ids=["flesh", "loops", "pairs", "floor", "massless"],
)
def test_what_the_reference_solvers_do_not_know(scene, options, message):
    with pytest.raises(InputError, match=message):
        stiff(scene(), 0.01, **options)


def test_solvers_with_multipliers_know_the_floor():
    sims = [stiff(boxes(1, on_floor=True), 0.01, solver=solver) for solver in ("condensed", "ldlt")]
    for sim in sims:
        sim.advance(1.0)
    assert sims[0].center_of_gravity[1] < 0.11
    np.testing.assert_allclose(sims[1].q, sims[0].q, atol=1e-9)


def test_choices_that_do_not_go_together():
    scene = falling_chain(3)
    for options, message in (
        (
            {"engine": "stiff", "update": "bodies"},
            "update 'bodies' needs Lagrange multipliers; choose solver 'ldlt' or",
        ),
        ({"engine": "reduced", "solver": "ldlt"}, "solver 'ldlt' belongs to engine 'stiff', not to 'reduced'"),
        ({"engine": "reduced", "newton": 2}, "newton 2 belongs to engine 'stiff'"),
        ({"engine": "stiff", "newton": 0}, "newton is 0, expected a whole number from 1 to 20"),
        ({"engine": "stiff", "newton": 1.5}, "newton is 1.5, expected a whole number"),
        ({"engine": "stiff", "integrator": "rk4"}, "engine 'stiff' has its own implicit integrator"),
        ({"engine": "stiff", "substeps": "auto"}, "divides those of the flesh itself; leave substeps 'off'"),
        ({"engine": "fast"}, "engine 'fast' is unknown; choose one of: reduced, stiff"),
    ):
        with pytest.raises(InputError, match=message):
            Simulation(scene, dt=0.01, **options)
    sim = stiff(scene, 0.01, solver="ldlt", update="bodies")
    with pytest.raises(InputError, match="update 'bodies' does not support goals"):
        sim.director.drag("link_0")
    with pytest.raises(InputError, match="newton is 2; scenes with flesh take one iteration a step"):
        stiff(load("hand"), 1 / 60, newton=2)


# --- what is kept ---


@pytest.mark.parametrize("seed", range(3))
def test_a_forest_in_flight_keeps_its_momentum(seed):
    """Linear and angular, about the world's origin, each tree for itself, at a step of 30 ms."""
    kinds = [kind for kind in MOVING if kind != "free"]
    model = floating(random_forest(seed, kinds=kinds, springs=True, dampers=True, gravity=NO_GRAVITY, roots=0.1))
    sim = stiff(Scene(model, q=model.neutral(), v=random_motion(model, seed).v), 0.03)
    sim.step()

    def momentum():
        return total_momentum(bodies_of(model, sim.q, sim.v), sim.state.kept)

    before, rates, seconds = momentum(), sim.v.copy(), 1.0
    sim.advance(seconds)
    assert np.abs(sim.v - rates).max() > 0.1
    assert np.abs(momentum() - before).max() < ROUNDING * seconds * max(1.0, np.abs(before).max()) * 10


def test_the_first_step_begins_with_the_momentum_of_the_rates():
    model = floating(random_forest(1, gravity=NO_GRAVITY, roots=0.1))
    motion = random_motion(model, 1)
    bodies = bodies_of(model, motion.q, motion.v)
    before = total_momentum(bodies, momenta_of(model, bodies))
    sim = stiff(Scene(model, q=motion.q, v=motion.v), 0.03)
    sim.step()
    after = total_momentum(bodies_of(model, sim.q, sim.v), sim.state.kept)
    assert np.abs(before).max() > 1
    assert np.abs(after - before).max() < ROUNDING * np.abs(before).max() * 10


def test_a_free_body_spins_within_the_bounds_of_its_energy():
    inertia = np.array([0.02, 0.05, 0.06])
    model = free_body(inertia)
    sim = stiff(Scene(model, v=np.array([3.0, 12.0, 2.0, 0.0, 0.0, 0.0])), 0.03)
    L = inertia * [3.0, 12.0, 2.0]
    found = []
    for _ in range(round(10 / 0.03)):
        sim.step()
        found.append(sim.energy().kinetic)
        assert np.linalg.norm(sim.state.kept[0, :3]) == pytest.approx(np.linalg.norm(L), rel=1e-12)
    assert L @ L / (2 * inertia.max()) * (1 - 1e-9) <= min(found)
    assert max(found) <= L @ L / (2 * inertia.min()) * (1 + 1e-9)


def test_a_tumbler_flips():
    """Turning about its middle axis, it turns over again and again (Dzhanibekov); without gyroscopic torque it never would."""
    sim = Simulation(load("tumbler"), engine="stiff", dt=1e-3, record=0)
    axis = int(np.argmax(np.abs(sim.v[:3])))
    signs = []
    for _ in range(80):
        sim.advance(0.1)
        signs.append(np.sign(sim.v[axis]))
    assert 1 <= sum(a != b for a, b in pairwise(signs)) <= 40


# --- turns ---


def test_a_ball_spring_turned_through_three_radians():
    """One step of backward Euler, `I (w - 0)/h = -k (x + h w)`: the twist is left at x/(1 + h² k/I)."""
    k, h, turned, left = 5000.0, 0.01, 3.0, 0.273
    moment = h * h * k / (turned / left - 1)
    builder = ModelBuilder("twisted", gravity=NO_GRAVITY)
    builder.add_body("body", joint=JointSpec(kind="ball", stiffness=(k,)), mass=1.0, inertia=(moment,) * 3 + (0,) * 3)
    axis = np.array([2.0, -1.0, 2.0]) / 3
    q = np.append(np.sin(turned / 2) * axis, np.cos(turned / 2))
    sim = stiff(Scene(builder.build(), q=q), h)
    sim.step()
    assert 2 * math.atan2(np.linalg.norm(sim.q[:3]), abs(sim.q[3])) == pytest.approx(left, abs=1e-9)
    assert moment == pytest.approx(0.05, rel=1e-2)
    sim.advance(1.0)
    assert np.linalg.norm(sim.q[:3]) < 1e-3


def test_a_hinge_counts_turns_beyond_half_of_one():
    sim = stiff(Scene(pendulum(), v=np.array([20.0])), 0.01)
    last = 0.0
    for _ in range(100):
        sim.step()
        assert 0.0 < sim.q[0] - last < 0.25
        last = sim.q[0]
    assert last > 3 * math.pi


# --- stiffness, limits, and chains ---


def level_chain(kind, links, mass):
    """A chain let go straight and level, so heavy that it bends to its stops although its springs are as stiff as steel."""
    builder = ModelBuilder("level")
    quarter = (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5))
    for spec in sprung_chain(links, kind=kind, mass=mass, stiffness=1e5, damping=0.05, limit=0.1).specs:
        builder.add(spec if spec.parent else dataclasses.replace(spec, place=Pose((0.0, 0.0, 0.0), quarter)))
    return Scene(builder.build())


@pytest.mark.parametrize("h", [0.01, 0.03])
@pytest.mark.parametrize(("links", "mass"), [(16, 200.0), (100, 40.0)])
@pytest.mark.parametrize("kind", ["revolute", "ball"])
def test_springs_of_1e5_stay_calm_for_ten_seconds(kind, links, mass, h):
    sim = stiff(level_chain(kind, links, mass), h)
    model = sim.model
    start, reached, most = sim.energy().total, 0.0, -np.inf
    for _ in range(round(10 / h)):
        sim.step()
        reached = max(reached, bend(model, sim.q).max())
        most = max(most, sim.energy().total - start)
    assert reached > 0.1
    assert reached < 0.1 + 0.6
    assert most <= 0.0


def bend(model, q):
    """Angle of every hinge, or swing of every ball of a chain that lies along y."""
    if model.nq == model.nv:
        return np.abs(q)
    x, _, z, _ = q.reshape(-1, 4).T
    return np.arccos(np.clip(1 - 2 * (x * x + z * z), -1, 1))


def anchors_apart(model, q):
    """Largest distance of the two world points that a joint holds together, by the poses of its two bodies."""
    position, rotation = body_poses(model, q)
    return max(
        np.linalg.norm(position[parent] + rotation[parent] @ row["p"] - position[i])
        for i, row in enumerate(model.tree)
        if (parent := int(row["parent"])) >= 0
    )


def test_joints_of_a_chain_stay_together_for_100_seconds():
    """Poses are rebuilt from coordinates: this sees that quaternions stay of unit length and nothing drifts."""
    scene = load("hanging_chain", links=16)
    sim = stiff(scene, 0.03)
    sim.advance(100.0)
    lengths = np.linalg.norm(sim.q.reshape(-1, 4), axis=1)
    assert np.abs(lengths - 1).max() < ROUNDING
    assert anchors_apart(sim.model, sim.q) < 1e-9
    assert sim.joint_gap == 0.0


@pytest.mark.parametrize("links", [16, 60])
def test_a_chain_swings_for_ten_seconds(links):
    """Its energy never rises above the start, and in every second in which it is aside of its hook it moves."""
    sim = stiff(load("hanging_chain", links=links), 0.01)
    start = sim.energy().total
    fall = sim.model.mass * 9.81 * 1.2
    for _ in range(10):
        lively = 0.0
        for _ in range(100):
            sim.step()
            found = sim.energy()
            assert found.total <= start
            lively = max(lively, found.kinetic)
        x, _, z = sim.center_of_gravity
        assert lively > 1e-3 * fall or math.hypot(x, z) < 0.02


# --- Newton iterations ---


def test_newton_reports_and_converges():
    """Springs of balls, and stops that are reached within the step, are not linear: every iteration changes less."""
    changes = []
    for newton in (1, 2, 3, 20):
        model = single("ball", 3, springs=True)
        motion = random_motion(model, 3, speed=5.0)
        sim = stiff(Scene(model, q=motion.q, v=motion.v), 0.03, newton=newton)
        sim.step()
        report = sim.engine.report[0]
        assert report["iterations"] == newton if newton < 4 else 3 < report["iterations"] < 20
        changes.append(float(report["change"]))
    assert changes[0] > 3 * changes[1] > 9 * changes[2] > 0
    assert changes[3] < 1e-11


def test_two_iterations_hold_limits_no_worse():
    def overshoot(newton):
        model = pendulum(lower=(-0.5,), upper=(0.5,))
        sim = stiff(Scene(model, v=np.array([8.0])), 0.03, newton=newton)
        worst = 0.0
        for _ in range(100):
            sim.step()
            worst = max(worst, abs(sim.q[0]) - 0.5)
        return worst

    one, two = overshoot(1), overshoot(2)
    assert one > 0
    assert two <= one
