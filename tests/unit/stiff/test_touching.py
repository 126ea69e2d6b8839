"""Bodies that touch, and loops, with the implicit engine: weights, friction, rolling, collisions, linkages."""

import math

import numpy as np
import pytest

from checks import orders
from models import NO_GRAVITY, Z_AXIS
from stringless import LoopSpec, Scene, Simulation, load
from stringless.engines.stiff.kernels_friction import SAME_FORCE
from stringless.kinematics import body_poses, loop_gaps
from stringless.model import JointSpec, ModelBuilder, Pose
from stringless.model.shapes import Shape
from stringless.scenes.ground import floor

G = 9.81
SIDE, MASS = 0.1, 2.0
"""Half the side of a box [m], and what bodies weigh [kg]."""
FRAME = 1 / 60


def stiff(model, dt=FRAME, *, q=None, v=None, **options):
    scene = Scene(model, q=np.empty(0) if q is None else q, v=np.empty(0) if v is None else v)
    return Simulation(scene, engine="stiff", dt=dt, record=0, **options)


def boxes(*heights, gravity=(0.0, -G, 0.0)):
    """Cubes above the floor."""
    builder = ModelBuilder("boxes", gravity=gravity)
    builder.world_shapes.append(floor())
    I = MASS * 2 * (2 * SIDE) ** 2 / 12
    for k, height in enumerate(heights):
        builder.add_body(
            f"box_{k}",
            joint="free",
            place=Pose((0.0, height, 0.0)),
            mass=MASS,
            inertia=(I, I, I, 0.0, 0.0, 0.0),
            shapes=(Shape(kind="box", size=(SIDE, SIDE, SIDE)),),
        )
    return builder.build()


def ball(radius=0.1, gravity=(0.0, -G, 0.0), count=1, height=0.1):
    builder = ModelBuilder("ball", gravity=gravity)
    builder.world_shapes.append(floor())
    I = 0.4 * MASS * radius**2
    for k in range(count):
        builder.add_body(
            f"ball_{k}",
            joint="free",
            place=Pose((3 * k * radius, height, 0.0)),
            mass=MASS * (k + 1),
            inertia=tuple(I * (k + 1) * x for x in (1, 1, 1, 0, 0, 0)),
            shapes=(Shape(kind="sphere", size=(radius,)),),
        )
    return builder.build()


# --- touching ---


@pytest.mark.parametrize("dt", [0.01, 0.03])
def test_a_box_at_rest_carries_its_weight(dt):
    sim = stiff(boxes(0.2), dt)
    sim.advance(3.0)
    _, forces = sim.contact_points()
    assert np.abs(sim.v).max() < 1e-9
    np.testing.assert_allclose(forces.sum(axis=0), (0.0, MASS * G, 0.0), atol=1e-7)
    assert (forces[:, 1] > 0).all()


@pytest.mark.parametrize(("friction", "speed"), [(0.2, 2.0), (0.5, 2.0), (0.3, 6.0), (0.5, 4.0)])
def test_a_box_slides_as_far_as_coulomb_lets_it(friction, speed):
    sim = stiff(boxes(SIDE), friction=friction)
    sim.advance(1.0)
    v, start = np.zeros(6), sim.q[0]
    v[3] = speed
    sim.set_state(v=v)
    sim.advance(4.0)
    assert abs(sim.v[3]) < 1e-6
    assert sim.q[0] - start == pytest.approx(speed**2 / (2 * friction * G), rel=0.05)


def test_a_ball_that_slides_comes_to_roll_with_five_sevenths_of_its_speed():
    radius, speed = 0.1, 2.0
    v = np.zeros(6)
    v[3] = speed
    sim = stiff(ball(radius), v=v, friction=0.5)
    sim.advance(1.0)
    assert center_speed(sim) == pytest.approx(5 / 7 * speed, rel=0.02)
    rolling = center_speed(sim)
    sim.advance(3.0)
    assert center_speed(sim) == pytest.approx(rolling, rel=1e-3)
    assert np.linalg.norm(sim.v[:3]) * radius == pytest.approx(rolling, rel=1e-3)


def center_speed(sim):
    return float(np.linalg.norm(sim.center_of_gravity_velocity))


def test_a_stack_of_three_stays():
    sim = stiff(boxes(SIDE, 3 * SIDE, 5 * SIDE))
    sim.advance(0.5)
    settled = sim.q.copy()
    sim.advance(2.0)
    assert np.abs(sim.q - settled).max() < 1e-3
    heights = sim.q.reshape(3, 7)[:, 1] + [SIDE, 3 * SIDE, 5 * SIDE]
    np.testing.assert_allclose(np.diff(heights), 2 * SIDE, atol=0.005)


def test_a_pile_of_ten_stands():
    sim = stiff(boxes(*((2 * k + 1) * SIDE for k in range(10))))
    sim.advance(1.0)
    settled = sim.q.copy()
    sim.advance(1.0)
    assert np.abs(sim.q - settled).max() < 1e-6
    assert np.abs(sim.v).max() < 1e-6


@pytest.mark.parametrize(("apart", "friction"), [((0.0, 0.0), 0.8), ((0.05, -0.04), 0.8), ((0.05, -0.04), 2.0)])
def test_what_falls_on_each_other_gains_no_energy(apart, friction):
    builder = ModelBuilder("heap")
    builder.world_shapes.append(floor())
    I = MASS * 2 * (2 * SIDE) ** 2 / 12
    for k in range(8):
        x, z = apart[0] * math.sin(3 * k), apart[1] * math.cos(5 * k)
        builder.add_body(
            f"box_{k}",
            joint="free",
            place=Pose((x, SIDE + 2.1 * SIDE * k, z)),
            mass=MASS,
            inertia=(I, I, I, 0.0, 0.0, 0.0),
            shapes=(Shape(kind="box", size=(SIDE, SIDE, SIDE)),),
        )
    sim = stiff(builder.build(), friction=friction)
    start, rounds = sim.energy().total, 0
    for _ in range(120):
        sim.step()
        rounds = max(rounds, int(sim.engine.report["rounds"][0]))
        assert sim.energy().total < start
    assert rounds >= 8, "rounds did run out"


@pytest.mark.parametrize(("share", "slips"), [(0.8, False), (1.25, True)])
def test_friction_holds_up_to_its_angle(share, slips):
    """The floor stays, gravity is tilted; beyond the angle a box is rubbed by mu of its weight."""
    friction = 0.5
    angle = math.atan(share * friction)
    sim = stiff(boxes(SIDE, gravity=(G * math.sin(angle), -G * math.cos(angle), 0.0)), friction=friction)
    sim.advance(0.5)
    x, v = sim.q[0], sim.v[3]
    sim.advance(1.0)
    if slips:
        rubbed = (G * math.sin(angle) - (sim.v[3] - v)) / (G * math.cos(angle))
        assert rubbed == pytest.approx(friction, rel=SAME_FORCE)
    else:
        assert abs(sim.q[0] - x) < 1e-4
        assert abs(sim.v[3]) < 1e-6


def test_two_balls_that_collide_keep_their_momentum():
    v = np.zeros(12)
    v[3:6], v[9:12] = (3.0, 0.1, 0.0), (-1.0, 0.0, 0.0)
    sim = stiff(ball(gravity=NO_GRAVITY, count=2, height=2.0), v=v)
    sim.step()
    before = sim.state.kept[:, 3:6].sum(axis=0)
    alone = sim.state.kept[0, 3:6].copy()
    sim.advance(1.0)
    assert np.abs(sim.state.kept[0, 3:6] - alone).max() > 1.0
    np.testing.assert_allclose(sim.state.kept[:, 3:6].sum(axis=0), before, atol=1e-10)
    x = body_poses(sim.model, sim.q).position
    assert x[0, 0] < x[1, 0]


# --- loops ---

CRANK, COUPLER, HEAVY = 0.5, 0.8, 3.0


def parallelogram(kind="point"):
    """Two equal cranks and a coupler that stays level: a pendulum. The second crank's pivot closes the loop."""
    builder = ModelBuilder("parallelogram")
    thin = {"mass": 1.0, "inertia": (CRANK**2 / 12, 1e-3, CRANK**2 / 12, 0.0, 0.0, 0.0)}
    hinge = {"kind": "revolute", "axes": Z_AXIS}
    builder.add_body("crank", joint=JointSpec(**hinge), center_of_mass=(0.0, -CRANK / 2, 0.0), **thin)
    builder.add_body(
        "coupler",
        "crank",
        JointSpec(**hinge),
        place=Pose((0.0, -CRANK, 0.0)),
        mass=HEAVY,
        center_of_mass=(COUPLER / 2, 0.0, 0.0),
        inertia=(0.01, HEAVY * COUPLER**2 / 12, HEAVY * COUPLER**2 / 12, 0.0, 0.0, 0.0),
    )
    builder.add_body(
        "other",
        "coupler",
        JointSpec(**hinge),
        place=Pose((COUPLER, 0.0, 0.0)),
        center_of_mass=(0.0, CRANK / 2, 0.0),
        **thin,
    )
    builder.close(LoopSpec("pivot", kind, "other", "", Pose((0.0, CRANK, 0.0)), Pose((COUPLER, 0.0, 0.0))))
    return builder.build()


def equal_pendulum():
    """A hinge with the inertia and the weight of the linkage."""
    inertia = 2 * CRANK**2 / 3 + HEAVY * CRANK**2
    mass = 2 + HEAVY
    arm = (CRANK + HEAVY * CRANK) / mass
    builder = ModelBuilder("pendulum")
    I = inertia - mass * arm**2
    builder.add_body(
        "bob",
        joint=JointSpec(kind="revolute", axes=Z_AXIS),
        mass=mass,
        center_of_mass=(0.0, -arm, 0.0),
        inertia=(I, I, I, 0.0, 0.0, 0.0),
    )
    return builder.build()


def swung(dt, kind="point", seconds=1.0, angle=1.0):
    sim = stiff(parallelogram(kind), dt, q=np.array([angle, -angle, angle]))
    gap = 0.0
    for _ in range(round(seconds / dt)):
        sim.step()
        gap = max(gap, sim.joint_gap)
    return sim, gap


def test_a_parallelogram_is_a_pendulum():
    true = Simulation(Scene(equal_pendulum(), q=np.array([1.0])), integrator="rk4", dt=1e-3, record=0)
    true.advance(1.0)
    wrong = [abs(swung(dt)[0].q[0] - true.q[0]) for dt in (4e-3, 2e-3, 1e-3)]
    assert wrong[-1] > 1e-6
    assert np.all(np.abs(orders(wrong) - 1) < 0.2)


@pytest.mark.parametrize("kind", ["point", "hinge"])
def test_loops_stay_closed_however_long_the_step(kind):
    """A hinge closes five directions where two would do: rows that say the same again do no harm."""
    for dt in (0.01, 0.05):
        sim, gap = swung(dt, kind)
        assert gap < 1e-9
        assert np.abs(sim.q[0] + sim.q[1]) < 1e-9
        assert abs(sim.q[0] - 1.0) > 0.1


@pytest.mark.parametrize("kind", ["point", "hinge"])
def test_a_linkage_does_not_drift_apart(kind):
    sim, _ = swung(0.01, kind, seconds=20.0)
    assert loop_gaps(sim.model, sim.q).max() < 1e-3
    assert (
        sim.energy().total
        <= Simulation(Scene(parallelogram(), q=np.array([1.0, -1.0, 1.0])), engine="stiff", dt=0.01).energy().total
    )


def test_two_grips_carry_half_the_weight_each():
    """A plank held at both ends by posts on springs, which tell the force of each grip."""
    k, post = 1000.0, 0.5
    builder = ModelBuilder("plank")
    builder.add_body("plank", joint="free", mass=MASS, inertia=(0.01, 0.2, 0.2, 0.0, 0.0, 0.0))
    for name, x in (("left", -0.5), ("right", 0.5)):
        spring = JointSpec(kind="prismatic", name=name, axes=((0.0, 1.0, 0.0),), stiffness=(k,), damping=(30.0,))
        builder.add_body(name, joint=spring, place=Pose((x, 0.0, 0.0)), mass=post, inertia=(0.01,) * 3 + (0.0,) * 3)
        builder.close(LoopSpec(f"{name}_grip", "point", "plank", name, Pose((x, 0.0, 0.0)), Pose()))
    sim = stiff(builder.build(), 0.01)
    sim.advance(5.0)
    for name in ("left", "right"):
        carried = -k * sim.q[sim.model.joint(name).q_slice][0] - post * G
        assert carried == pytest.approx(MASS * G / 2, rel=1e-6)


@pytest.mark.parametrize("free_bar", [False, True])
def test_a_monkey_keeps_hold_of_its_bar(free_bar):
    sim = Simulation(load("bar", free_bar=free_bar), record=0)
    start, gap = sim.energy().total, 0.0
    for _ in range(400):
        sim.step()
        gap = max(gap, sim.joint_gap)
    assert 0 < gap < 0.01
    assert loop_gaps(sim.model, sim.q)[:, 0].max() < 0.01
    assert sim.energy().total <= start
    height = body_poses(sim.model, sim.q).position[sim.model.body("torso").index][1]
    assert height < 0.5 if free_bar else 0.9 < height < 1.8
