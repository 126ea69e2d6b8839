"""The adaptive engine among obstacles of the world: the contact of `reduced`, and only what is near is looked at."""

import numpy as np
import pytest

import stringless as sl
from adaptive_ground import apart, dropped, lowest, quietly, rope, solid_tree, standing
from adaptive_trees import kept, same
from checks import relative
from stringless import dynamics
from stringless.engines.adaptive.kernels_sleep import WHILE
from stringless.errors import DivergenceError
from stringless.flesh.generators import sphere as ball_surface
from stringless.model import Pose
from stringless.model.shapes import Shape
from stringless.scenes.ground import floor

ALIKE = 1e-9
"""Relative; the order of sums differs where fixed joints join bodies."""
AROUND = (0.05, 0.1, 0.2, 0.97)
"""A turn that is along no axis."""
SLOPE = Shape(kind="plane", place=Pose((0.0, 0.2, 0.0), (-0.6, 0.2, 0.1, 0.77)))


def at(kind, size, height, **more):
    """An obstacle under the first character, turned."""
    return Shape(kind=kind, size=size, place=Pose((0.1, height, 0.05), AROUND), **more)


BALL = ball_surface(radius=0.6)
WORLDS = {
    "plane": [floor()],
    "slopes": [floor(), SLOPE],
    "box": [at("box", (2.0, 0.05, 2.0), 0.3), floor()],
    "sphere": [at("sphere", (0.6,), 0.0), floor()],
    "capsule": [at("capsule", (0.3, 0.8), 0.2), floor()],
    "cylinder": [at("cylinder", (0.5, 0.4), 0.1), floor()],
    "ellipsoid": [at("ellipsoid", (0.9, 0.4, 0.6), 0.0), floor()],
    "mesh": [at("mesh", (1.0, 1.0, 1.0), 0.0, mesh="ball.obj", surface=(BALL.vertices, BALL.triangles)), floor()],
}


# --- all joints ---


@pytest.mark.parametrize("world", list(WORLDS))
def test_with_all_joints_the_contact_is_that_of_the_reduced_engine(world):
    scene = standing([solid_tree(seed) for seed in (1, 2)], WORLDS[world], height=0.8)
    one, other = quietly(scene), quietly(scene, engine="adaptive", update_every=7)
    touched = 0
    for _ in range(30):
        one.step(20)
        other.step(20)
        (points, forces), (found, felt) = one.contact_points(), other.contact_points()
        touched = max(touched, len(points))
        assert np.array_equal(found, points)
        assert relative(felt, forces) < 1e-6 if len(points) else not len(felt)  # stiff: a trifle of depth is a force
    assert touched > 0, "it has met something"
    assert relative(other.q, one.q) < ALIKE
    assert relative(other.v, one.v) < ALIKE
    assert np.array_equal(one.state.anchors["obstacle"], other.state.anchors["obstacle"])


def test_figures_fall_as_in_the_reduced_engine():
    scene = dropped(3)
    one, other = quietly(scene, engine="reduced"), quietly(scene, engine="adaptive")
    for sim in (one, other):
        sim.external[89, 3] = 20.0
        sim.configure(friction=0.4, restitution=0.5)
        sim.step(700)
    assert len(one.contact_points()[0]) > 10
    assert relative(other.q, one.q) < ALIKE
    assert relative(other.v, one.v) < ALIKE


def test_a_state_goes_from_one_engine_to_the_other_where_they_lie():
    """Anchors are part of it, so nothing slips."""
    scene = rope()
    one, other = quietly(scene), quietly(scene, engine="adaptive")
    one.step(3000)
    other.restore(one.save())
    assert (other.state.anchors["obstacle"] >= 0).sum() > 10
    one.step(100)
    other.step(100)
    assert np.array_equal(one.state.anchors["obstacle"], other.state.anchors["obstacle"])
    assert apart(one, other) < 1e-3


# --- bounding volumes ---


@pytest.mark.parametrize("world", ["plane", "box", "mesh"])
@pytest.mark.parametrize("active", [2, 6])
def test_spheres_around_clusters_and_bodies_miss_nothing(world, active):
    """With spheres so large that every contact sample is examined in every step, all is the same to the last bit."""
    scene = standing([solid_tree(seed) for seed in (3, 4, 5)], WORLDS[world], height=0.8)
    tight, loose = (quietly(scene, engine="adaptive", active=active) for _ in range(2))
    contact = loose.engine.world
    bodies = contact.model.bodies.copy()
    bodies["radius"] = 1e6
    bodies.flags.writeable = False
    contact.model = contact.model._replace(bodies=bodies)
    touched = 0
    for _ in range(40):
        tight.step(20)
        loose.step(20)
        touched = max(touched, len(tight.contact_points()[0]))
    assert touched > 0
    assert same(tight.state, loose.state)


def test_every_contact_sample_is_within_the_spheres_of_its_body_and_its_cluster():
    sim = quietly(dropped(2), engine="adaptive", active=6)
    sim.step(50)
    contact, tables = sim.engine.world, sim.engine.tables
    model, work = contact.model, contact.work
    seen = 0
    for row, status in zip(tables.trees, tables.status, strict=True):
        some = slice(row["contact0"], row["contact0"] + row["contacts"])
        for c in range(status["clusters"]):
            sphere = work.spheres[row["sphere0"] + c]
            for k in work.order[some][sphere["first"] : sphere["end"]]:
                body, own = model.bodies[some][k], work.bodies[some][k]
                assert own["cluster"] == c
                for sample in work.samples[body["first"] : body["first"] + body["count"]]:
                    assert sample["body"] == c
                    for centre, radius in ((own["c"], body["radius"]), (sphere["c"], sphere["radius"])):
                        assert np.linalg.norm(sample["r"] - centre) + sample["radius"] <= radius
                    seen += 1
    assert seen == len(model.samples)


def test_nobody_looks_at_what_is_far_from_all_obstacles():
    """Contact samples of bodies that reach nothing may be anywhere."""
    one, other = (quietly(dropped(2, height=1.15), engine="adaptive", active=6, update_every=500) for _ in range(2))
    for sim in (one, other):
        sim.step(260)  # on their feet
    contact = other.engine.world
    assert len(other.contact_points()[0]) > 0
    high = other.body_poses().position[:, 1] > 0.8
    far = high[contact.model.samples["body"]]
    assert far.sum() > 40
    contact.work.samples["r"][far] = np.nan
    for sim in (one, other):
        sim.step(20)
    assert same(one.state, other.state)


def test_scenes_without_obstacles_have_no_tables_for_them():
    sim = quietly(sl.load("crowd", count=2, ground=False), active=3)
    assert sim.engine.world is None
    assert len(sim.state.anchors) == 0


# --- some joints ---


def test_the_error_of_a_fall_shrinks_as_the_budget_rises():
    scene = dropped(4)
    full = quietly(scene, engine="reduced")
    sims = [quietly(scene, engine="adaptive", active=active) for active in (5, 9, 27)]
    sums = np.zeros(3)
    for _ in range(10):
        full.advance(0.1)
        for k, sim in enumerate(sims):
            sim.advance(0.1)
            sums[k] += apart(sim, full)
    assert np.all(np.diff(sums) < 0), sums


def test_joints_are_let_go_where_a_rope_hits():
    """It falls level on the edge of a block under one of its links."""
    block = Shape(kind="box", size=(0.05, 0.1, 0.5), place=Pose((0.35, 0.1, 0.0)))
    sim = quietly(rope(world=[block, floor(-2.0)], height=0.3), engine="adaptive", active=3)
    sim.step(1)
    while not len(sim.contact_points()[0]):
        sim.step(1)
    sim.step(45)
    hit = int((0.35 + 1.0) / 0.1)
    moving = np.flatnonzero(sim.active_joints)[1:]
    assert len(moving) == 3
    assert np.abs(moving - hit).min() <= 1
    assert np.abs(moving - hit).mean() < 4


def test_what_lies_keeps_still_and_gains_no_energy():
    scene = rope()
    for active in (1, 4):
        sim = quietly(scene, engine="adaptive", active=active)
        sim.advance(2.0)
        before, at_rest = sim.energy().total, sim.body_poses().position
        for _ in range(10):
            sim.advance(0.1)
            assert sim.energy().total < before + 1e-4
        assert np.abs(sim.body_poses().position - at_rest).max() < 1e-3


def test_a_rigid_character_sinks_no_deeper():
    scene = rope()
    full, rigid = quietly(scene), quietly(scene, engine="adaptive", active=1)
    deepest = []
    for sim in (full, rigid):
        depth = 0.0
        for _ in range(100):
            sim.step(10)
            depth = min(depth, lowest(sim)[0])
        deepest.append(depth)
    assert -0.02 < deepest[0] < 0.0
    assert deepest[1] > 1.1 * deepest[0]
    assert lowest(rigid)[0] > lowest(full)[0] - 1e-4


def test_what_hangs_on_the_ground_rigidly_feels_it_too():
    """An arm that lies on a block, most of its links held: if what they feel did not count, they would seem to fall."""
    builder = sl.ModelBuilder("arm", gravity=(0.0, -9.81, 0.0))
    builder.world_shapes = [Shape(kind="box", size=(1.0, 0.1, 0.5), place=Pose((0.3, -0.14, 0.0)))]
    for i in range(8):
        builder.add_body(
            f"link_{i}",
            f"link_{i - 1}" if i else "",
            sl.JointSpec(kind="revolute", axes=((0.0, 0.0, 1.0),), damping=(0.01,)),
            place=Pose((0.1 if i else 0.0, 0.0, 0.0)),
            mass=0.3,
            center_of_mass=(0.05, 0.0, 0.0),
            inertia=(1e-4, 4e-4, 4e-4, 0.0, 0.0, 0.0),
            shapes=(Shape(kind="sphere", size=(0.03,), place=Pose((0.1, 0.0, 0.0))),),
        )
    scene = sl.Scene(builder.build())
    full = quietly(scene)
    full.advance(3.0)
    sim = quietly(sl.Scene(scene.model, q=full.q), engine="adaptive", active=1)
    for _ in range(10):
        sim.advance(0.1)
    assert apart(sim, full) < 1e-3
    assert kept(sim)["rest"][0] >= WHILE, "it has come to rest"


def test_momentum_is_kept_in_mid_air_between_choices():
    sim = quietly(dropped(1, height=20.0), engine="adaptive", active=5)
    mass = sim.model.mass
    before = dynamics.momentum(sim.model, sim.q, sim.v, np.zeros(3)).linear
    sim.step(300)
    after = dynamics.momentum(sim.model, sim.q, sim.v, np.zeros(3)).linear
    assert np.allclose(after - before, [0.0, -mass * 9.81 * 0.3, 0.0], atol=1e-3 * mass)


def test_if_one_runs_away_all_stand_at_the_last_good_step_with_their_anchors():
    scene = dropped(2)
    sims = [quietly(scene, engine=engine) for engine in ("reduced", "adaptive")]
    for sim in sims:
        sim.step(400)
        sim.tau[120] = 1e9
        with pytest.raises(DivergenceError):
            sim.step(200)
    reduced, adaptive = sims
    assert adaptive.time == reduced.time
    assert relative(adaptive.q, reduced.q) < ALIKE
    assert np.array_equal(adaptive.state.anchors["obstacle"], reduced.state.anchors["obstacle"])
