"""Thin walls, corners, restitution, props on flesh: contact as a person meets it."""

import math

import numpy as np
import pytest

from stringless.contact.kernels_restitution import RESTITUTION_WORK, add_restitution
from stringless.contact.records import ContactSettings, ContactState
from stringless.flesh import generators
from stringless.flesh.wrap import wrap
from stringless.kinematics.bodies import run_motions
from stringless.model import BodySpec, JointSpec, ModelBuilder, Pose, Scene
from stringless.model.records import FleshTables
from stringless.model.shapes import Shape
from stringless.scenes import bones
from stringless.scenes.ground import floor
from stringless.scenes.worm import RADIUS, build
from stringless.simulation import Simulation

G = 9.81


def prop(shape, mass, name="prop"):
    return bones.body(name, shape, mass, joint=JointSpec(kind="free"))


def flesh_mass(model):
    nodes = model.flesh.nodes
    return nodes["mass"][nodes["fixed"] == 0].sum()


# --- thin walls ---------------------------------------------------------------------------------------------------------


def over_plate(height, speed, thickness=0.005):
    """The worm above a plate whose top is at height 0, with nothing below."""
    builder = build("planar")
    builder.world_shapes.clear()
    half = (0.5, thickness / 2, 0.3)
    builder.world_shapes.append(Shape(kind="box", size=half, place=Pose((0.0, -thickness / 2, 0.0))))
    model = builder.build()
    q, v = model.neutral(), np.zeros(model.nv)
    q[1], v[1] = RADIUS + height, -speed
    return Simulation(Scene(model, q=q, v=v), restitution=0.0)


@pytest.mark.parametrize(("speed", "thickness"), [(3.0, 0.005), (6.0, 0.005)])
def test_fast_drop_on_a_thin_plate_is_held(speed, thickness):
    """At 1 ms steps a vertex passes the middle of the plate within a step, or all of it."""
    sim = over_plate(0.02, speed, thickness)
    deepest = 0.0
    for _ in range(150):
        sim.step(10)
        deepest = min(deepest, sim.surface_positions[:, 1].min())
    assert deepest < -thickness / 2, "it must have been pushed beyond the middle"
    assert sim.surface_positions[:, 1].min() > -5e-3
    assert sim.center_of_gravity[1] > 0.5 * RADIUS
    assert sim.engine.workspace.contact_forces[:, 1].min() >= 0


def test_fast_prop_on_a_thin_plate_is_held():
    builder = ModelBuilder("box").add(prop(bones.box((0, 0, 0), (0.05, 0.05, 0.05)), 1.0))
    builder.world_shapes.append(Shape(kind="box", size=(0.5, 0.0025, 0.5), place=Pose((0.0, -0.0025, 0.0))))
    model = builder.build()
    q, v = np.array([0.0, 0.06, 0.0, 0.0, 0.0, 0.0, 1.0]), np.zeros(6)
    v[4] = -6.0
    sim = Simulation(Scene(model, q=q, v=v), restitution=0.0)
    sim.advance(2.0)
    assert sim.q[1] == pytest.approx(0.05, abs=1e-3)


def test_worm_stays_in_a_glass_box():
    """Six thin walls; it is thrown about inside."""
    builder = build("planar")
    builder.world_shapes.clear()
    half, thin = np.array([0.3, 0.12, 0.15]), 0.003
    for axis in range(3):
        for side in (-1, 1):
            size, place = half + thin, np.zeros(3)
            size[axis], place[axis] = thin, side * (half[axis] + thin)
            builder.world_shapes.append(Shape(kind="box", size=tuple(size), place=Pose(tuple(place))))
    model = builder.build()
    v = np.zeros(model.nv)
    v[:3] = 2.0, 3.0, 15.0
    sim = Simulation(Scene(model, v=v))
    outside = 0.0
    for _ in range(100):
        sim.advance(0.02)
        outside = max(outside, (np.abs(sim.surface_positions) - half).max())
    assert 0 < outside < RADIUS, "it hits the walls and is not let through"
    assert np.all(np.abs(sim.center_of_gravity) < half)


# --- corners ------------------------------------------------------------------------------------------------------------


def in_corner(opening):
    """A box in a V of two planes, tilted so that friction must hold it along the V."""
    tilt, half = math.radians(15), opening / 2
    walls = []
    for side in (-1, 1):
        lean = Pose((0, 0, 0), (math.sin(side * half / 2), 0.0, 0.0, math.cos(side * half / 2)))
        along = Pose((0, 0, 0), (0.0, 0.0, math.sin(tilt / 2), math.cos(tilt / 2)))
        walls.append(Shape(kind="plane", place=along @ lean @ floor().place))
    builder = ModelBuilder("corner").add(prop(bones.box((0, 0, 0), (0.1, 0.05, 0.05)), 1.0))
    builder.world_shapes.extend(walls)
    model = builder.build()
    q = model.neutral()
    turn = Pose((0, 0, 0), (0.0, 0.0, math.sin(tilt / 2), math.cos(tilt / 2)))
    # Its lower edges rest on both walls, at the height where they meet them.
    q[:3] = turn.apply((0.0, 0.05 + 0.05 * math.tan(half), 0.0))
    q[3:7] = turn.rotation
    return Simulation(Scene(model, q=q), friction=0.5)


def test_a_body_on_two_walls_does_not_creep():
    sim = in_corner(math.radians(60))
    sim.advance(1.0)
    before = sim.q.copy()
    sim.advance(2.0)
    assert sim.engine.workspace.counts[1] >= 4
    assert np.abs(sim.q - before).max() < 1e-6


def test_a_point_in_a_corner_holds_an_anchor_at_each_wall():
    """A worm's end pressed against a wall while it lies on the floor."""
    builder = build("planar")
    tilt = Pose((0, 0, 0), (0.0, 0.0, math.sin(0.1), math.cos(0.1)))
    wall = Shape(kind="box", size=(0.05, 0.5, 0.5), place=Pose((0.0, 0.0, 0.0)))
    place = tilt.apply((-0.21 - 0.05, 0.0, 0.0))
    builder.world_shapes[:] = [
        Shape(kind="plane", place=tilt @ floor().place),
        Shape(kind="box", size=wall.size, place=Pose(place, tilt.rotation)),
    ]
    model = builder.build()
    q = model.neutral()
    q[:2] = tilt.apply((0.0, RADIUS, 0.0))[:2]
    q[2] = 0.2
    sim = Simulation(Scene(model, q=q), restitution=0.0, friction=0.3)
    sim.advance(2.0)
    held = np.sum(sim.state.anchors["obstacle"] >= 0, axis=1)
    assert held.max() >= 1
    before = sim.surface_positions
    sim.advance(1.0)
    assert np.abs(sim.surface_positions - before).max() < 1e-4, "it does not creep"


# --- restitution --------------------------------------------------------------------------------------------------------


def drop(restitution, root="free"):
    """The worm dropped from 0.30 m at a slant: how high its centre of gravity comes back, when it has come to rest."""
    model = build(root).build()
    q = model.neutral()
    q[3:7] = (0.0, 0.0, math.sin(0.25), math.cos(0.25))
    sim = Simulation(Scene(model, q=q), restitution=restitution)
    q[1] += 0.30 - sim.surface_positions[:, 1].min()
    sim.set_state(q)
    heights, speeds = [], []
    for _ in range(300):
        sim.step(5)
        heights.append(sim.center_of_gravity[1])
        speeds.append(sim.center_of_gravity_velocity[1])
    turned = int(np.argmax(np.array(speeds) > 0))
    moving = np.flatnonzero(np.abs(speeds) > 0.05)
    return max(heights[turned:]) - RADIUS, 5e-3 * moving[-1]


def test_less_restitution_bounces_less():
    rebounds, times = zip(*(drop(share) for share in (1.0, 0.5, 0.0)), strict=True)
    assert rebounds[0] > 0.08, "flesh alone bounces"
    assert rebounds[1] < 0.8 * rebounds[0]
    assert rebounds[2] < 0.75 * rebounds[0]
    assert times[2] < times[1] < times[0]


def test_a_dead_landing_is_stable_from_two_metres():
    model = build("free").build()
    q, v = model.neutral(), np.zeros(model.nv)
    q[1], v[4] = RADIUS + 0.05, -math.sqrt(2 * G * 2.0)
    sim = Simulation(Scene(model, q=q, v=v), restitution=0.0)
    sim.advance(2.0)
    assert sim.center_of_gravity[1] < 2 * RADIUS
    assert np.abs(sim.state.xdot).max() < 1.0


def test_restitution_keeps_momentum():
    """Its forces on nodes and bones sum to zero, and so do their moments; and they take energy."""
    model = build("free").build()
    rng = np.random.default_rng(1)
    q = model.neutral()
    q[1] = 1.0
    sim = Simulation(Scene(model, q=q, v=rng.normal(size=model.nv)), restitution=0.0)
    sim.state.xdot[:] += 0.3 * rng.normal(size=sim.state.xdot.shape)
    room, work = sim.engine.workspace, run_motions(model, sim.q, sim.v)
    f, wrench = np.zeros_like(sim.state.x), np.zeros((model.body_count, 6))
    forces = np.zeros((room.points, 3))
    forces[5] = 0.0, 100.0, 0.0
    restitution_work = np.zeros(model.body_count, RESTITUTION_WORK)
    x, xdot = sim.flesh_positions, sim.state.xdot
    flesh = FleshTables(model.flesh.nodes, model.flesh.elements, model.flesh.materials, model.flesh.vertices)
    state, settings = ContactState(x, xdot, sim.state.anchors), ContactSettings(1e-3, sim.config.gains())
    add_restitution(
        model.tree, flesh, room.contact.record, state, forces, settings, work.bodies, restitution_work, f, wrench
    )
    size = np.abs(f).max()
    assert size > 0.1
    origins = work.bodies["p"]
    assert np.abs(f.sum(axis=0) + wrench[:, 3:].sum(axis=0)).max() < 1e-11 * size
    moment = np.cross(x, f).sum(axis=0) + wrench[:, :3].sum(axis=0) + np.cross(origins, wrench[:, 3:]).sum(axis=0)
    assert np.abs(moment).max() < 1e-11 * size
    V = work.bodies["V"]
    power = np.sum(f * xdot) + np.sum(wrench[:, :3] * V[:, :3]) + np.sum(wrench[:, 3:] * V[:, 3:])
    assert power < -1e-3
    # The bones feel no moment about their centres of mass.
    for row, R, w in zip(model.tree, work.bodies["R"], wrench, strict=True):
        arm = R.reshape(3, 3) @ row["h"] / row["mass"]
        assert np.abs(w[:3] - np.cross(arm, w[3:])).max() < 1e-11 * size


# --- props and flesh ------------------------------------------------------------------------------------------------------


def cushion(shape, mass, at, **options):
    """A flat cushion of flesh on a fixed bone, and a free prop above it."""
    builder = ModelBuilder("cushion")
    plate = bones.box((0.0, 0.01, 0.0), (0.14, 0.01, 0.14))
    builder.add(BodySpec(name="seat", shapes=(plate,), mass=1.0, inertia=(1, 1, 1, 0, 0, 0)))
    skin = generators.box((0.0, 0.05, 0.0), (0.3, 0.08, 0.3), (6, 2, 6))
    wrap(builder, skin, cells=(6, 2, 6), within=0.005)
    builder.add(prop(shape, mass))
    model = builder.build()
    q = model.neutral()
    q[:3] = at
    return Simulation(Scene(model, q=q), **options)


def test_a_box_rests_on_flesh():
    """Also one so small that no vertex of the skin is under it."""
    for half in (0.06, 0.015):
        mass = 4000 * half**3
        sim = cushion(
            bones.box((0, 0, 0), (half, half, half)), mass, (0.02, 0.09 + half + 0.002, 0.03), restitution=0.0
        )
        assert sim.surface_positions[:, 1].max() == pytest.approx(0.09)
        sim.advance(2.0)
        assert np.abs(sim.v).max() < 0.02
        assert 0.09 - 0.015 < sim.q[1] - half < 0.09 + 1e-4, "on the cushion, a little way in"


def test_a_ball_rolls_off_flesh():
    sim = cushion(bones.sphere((0, 0, 0), 0.04), 0.2, (0.0, 0.132, 0.0))
    sim.v[3] = 0.8
    sim.advance(0.6)
    assert sim.q[0] > 0.15, "it rolls to the edge"
    sim.advance(0.3)
    assert sim.q[1] < 0.0, "and falls"
    assert abs(sim.q[2]) < 0.02


def test_stacked_props_rest_on_each_other():
    builder = ModelBuilder("stack")
    for name in ("low", "high"):
        builder.add(prop(bones.box((0, 0, 0), (0.1, 0.05, 0.1)), 1.0, name))
    builder.world_shapes.append(floor())
    model = builder.build()
    q = model.neutral()
    q[1], q[8] = 0.051, 0.152
    sim = Simulation(Scene(model, q=q), restitution=0.0)
    sim.advance(2.0)
    assert sim.q[1] == pytest.approx(0.05, abs=1e-3)
    assert sim.q[8] == pytest.approx(0.15, abs=2e-3)
    assert np.abs(sim.v).max() < 1e-3
