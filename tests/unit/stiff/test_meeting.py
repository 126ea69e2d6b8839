"""Bodies that meet: without a world, faster than a step can see, and light ones under heavy ones."""

import math

import numpy as np
import pytest

from models import NO_GRAVITY
from stringless import Scene, Simulation
from stringless.kinematics import body_poses
from stringless.model import ModelBuilder, Pose
from stringless.model.shapes import Shape
from stringless.scenes.ground import floor

FRAME = 1 / 60
RADIUS, SIDE = 0.05, 0.1
BALL = Shape(kind="sphere", size=(RADIUS,))
QUARTER_TURN = (0.0, math.sin(math.pi / 4), 0.0, math.cos(math.pi / 4))
TARGETS = {
    "ball": BALL,
    "plate": Shape(kind="box", size=(0.005, 0.3, 0.3)),
    "block": Shape(kind="box", size=(SIDE, SIDE, SIDE)),
    "stick": Shape(kind="capsule", size=(0.02, 0.2)),
    "disc": Shape(kind="cylinder", size=(0.2, 0.01), place=Pose((0.0, 0.0, 0.0), QUARTER_TURN)),
    "leaf": Shape(kind="ellipsoid", size=(0.01, 0.2, 0.2)),
}
SINKS = 1e-3
"""How far a light body may be pressed into what carries it [m]."""


def add(builder, name, shape, mass, place):
    I = 2 / 3 * mass * SIDE**2
    builder.add_body(
        name, joint="free", place=Pose(place), mass=mass, inertia=(I, I, I, 0.0, 0.0, 0.0), shapes=(shape,)
    )


def thrown(shape, speed, *, start=-0.5, height=1.0, engine="stiff", dt=FRAME, ground=False):
    """A ball of half a kilogram flies at a body of one that hangs in space."""
    builder = ModelBuilder("throw", gravity=NO_GRAVITY)
    builder.world_shapes += [floor()] if ground else []
    add(builder, "ball", BALL, 0.5, (start, height, 0.0))
    add(builder, "target", shape, 1.0, (0.0, 1.0, 0.0))
    v = np.zeros(12)
    v[3] = speed
    return Simulation(Scene(builder.build(), v=v), engine=engine, dt=dt, record=0)


@pytest.mark.parametrize(("engine", "dt"), [("stiff", FRAME), ("reduced", 1e-3)])
def test_bodies_touch_each_other_without_a_world_around(engine, dt):
    sim = thrown(BALL, 1.0, engine=engine, dt=dt)
    sim.advance(1.0)
    x = body_poses(sim.model, sim.q).position[:, 0]
    assert x[1] > 0.1
    assert x[1] - x[0] > 1.9 * RADIUS
    assert 0.5 * sim.v[3] + sim.v[9] == pytest.approx(0.5)


def test_a_tree_alone_needs_no_tables_of_contact():
    builder = ModelBuilder("alone", gravity=NO_GRAVITY)
    add(builder, "ball", BALL, 0.5, (0.0, 1.0, 0.0))
    assert Simulation(builder.build(), record=0).engine.workspace is None


@pytest.mark.parametrize("ground", [False, True])
@pytest.mark.parametrize("speed", [3.0, 10.0, 30.0])
@pytest.mark.parametrize("target", TARGETS)
def test_a_ball_hits_what_it_is_thrown_at(target, speed, ground):
    """At 10 m/s it goes by 167 mm in a step. The starts let a step end before, within and behind the target."""
    for start in np.linspace(-0.5, -0.5 - speed * FRAME, 5):
        sim = thrown(TARGETS[target], speed, start=start, ground=ground)
        sim.advance(1.0 / speed + 3 * FRAME)
        x = body_poses(sim.model, sim.q).position[:, 0]
        assert x[0] < x[1]
        assert sim.v[9] == pytest.approx(speed / 3, rel=0.05), "dead: both go on together"
        assert 0.5 * sim.v[3] + sim.v[9] == pytest.approx(0.5 * speed)


@pytest.mark.parametrize("speed", [3.0, 10.0, 30.0])
def test_a_ball_that_misses_by_a_hair_goes_on(speed):
    sim = thrown(BALL, speed, height=1.0 + 2.02 * RADIUS)
    sim.advance(1.0 / speed + 3 * FRAME)
    np.testing.assert_allclose(sim.v, [0, 0, 0, speed, 0, 0] + [0] * 6, atol=1e-9)


@pytest.mark.parametrize("masses", [(0.1, 10.0), (10.0, 0.1), (0.1, 10.0, 0.1)])
def test_a_light_box_carries_a_heavy_one(masses):
    builder = ModelBuilder("pile")
    builder.world_shapes.append(floor())
    heights = [(2 * k + 1) * SIDE for k in range(len(masses))]
    for k, (mass, height) in enumerate(zip(masses, heights, strict=True)):
        add(builder, f"box_{k}", TARGETS["block"], mass, (0.0, height, 0.0))
    sim = Simulation(builder.build(), engine="stiff", dt=FRAME, record=0)
    sim.advance(1.0)
    x = body_poses(sim.model, sim.q).position
    np.testing.assert_allclose(x[:, 1], heights, atol=SINKS)
    assert np.abs(sim.v).max() < 1e-6
