"""Skin against skin: who is paired with whom, momentum, a ring that does not pass through itself."""

import numpy as np
import pytest

from stringless import jit
from stringless.contact.kernels_skin import HIT_ROW, find_hits, push_apart
from stringless.contact.records import ContactForces, ContactSettings, SkinPoints
from stringless.contact.tables import contact_tables
from stringless.flesh import generators
from stringless.flesh.wrap import wrap
from stringless.model import BodySpec, JointSpec, ModelBuilder, Scene
from stringless.performances.momentum_balance import MomentumBalance
from stringless.scenes import bones, load_scene
from stringless.scenes.ground import floor
from stringless.scenes.worm import RADIUS, build
from stringless.simulation import Simulation
from stringless.state import scratch

DT = 1e-3
ROUNDING = 1e-12
"""Sums of some hundred forces against the largest of them."""


def named_pairs(model, tables):
    """Pairs of regions by the bodies they go with."""
    names = []
    for region in tables.skin.regions:
        first = tables.skin.members[region["first_point"]]
        skin = len(model.flesh.vertices)
        points = tables.skin.members[region["first_point"] : region["last_point"]]
        if first < skin:
            found = model.flesh.vertices["bone"][points[points < skin]]
            names.append(model.bodies[np.bincount(found).argmax()].name)
        else:
            names.append(model.bodies[tables.samples["body"][first - skin]].name)
    return {frozenset((names[i], names[j])) for i, j in tables.skin.pairs}


# --- who can touch whom ---------------------------------------------------------------------------------------------


def test_regions_more_than_two_joints_apart_are_paired():
    model = load_scene("worm").model
    tables = contact_tables(model, DT, 0.8)
    assert len(tables.skin.regions) == 7
    expected = {frozenset((f"bone_{i}", f"bone_{j}")) for i in range(7) for j in range(i + 3, 7)}
    assert named_pairs(model, tables) == expected
    listed = [tables.skin.members[r["first_point"] : r["last_point"]] for r in tables.skin.regions]
    assert set(np.concatenate(listed)) == set(range(len(model.flesh.vertices)))


def test_triangles_know_half_the_thickness_of_the_flesh():
    reach = contact_tables(load_scene("worm").model, DT, 0.8).skin.triangles["reach"]
    # A tube with twelve sides: between the radius of its inner and of its outer circle, and less toward its thin ends.
    assert np.all(reach < 1.1 * RADIUS)
    assert np.quantile(reach, 0.55) > 0.9 * RADIUS


def test_a_ring_of_bones_is_closed_by_its_skin():
    """The first and the last bone of the donut are far apart in the tree, but their skin hangs together."""
    model = load_scene("donut").model
    pairs = named_pairs(model, contact_tables(model, DT, 0.8))
    bone = model.flesh.vertices["bone"]
    for triangle in model.flesh.specs[0].triangles:
        names = {model.bodies[b].name for b in bone[triangle]}
        assert frozenset(names) not in pairs
    sim = Simulation(Scene(model, q=load_scene("donut").q))
    sim.step()
    assert sim.engine.workspace.counts[2] == 0


@pytest.mark.parametrize("name", ["worm", "fish", "starfish", "lamp", "donut", "finger"])
def test_characters_at_rest_do_not_touch_themselves(name):
    scene = load_scene(name)
    sim = Simulation(scene)
    sim.step()
    assert sim.engine.workspace.counts[2] == 0


# --- forces -----------------------------------------------------------------------------------------------------------


def blob(builder, name, at, radius=0.05, mass=0.2):
    """A ball of flesh around a small bone with a free joint."""
    core = bones.body(name, bones.sphere((0.0, 0.0, 0.0), 0.4 * radius), mass, joint=JointSpec(kind="free"))
    builder.add(core)
    skin = generators.sphere(radius=radius, rings=9, sides=14)
    wrap(builder, skin, cells=(4, 4, 4), bones=[name], name=f"flesh of {name}")
    return at


def two_blobs(gap, speed, spin=0.0, **options):
    builder = ModelBuilder("blobs", gravity=(0.0, 0.0, 0.0))
    places = [blob(builder, "left", (-0.05 - gap / 2, 0.0, 0.0)), blob(builder, "right", (0.05 + gap / 2, 0.02, 0.01))]
    model = builder.build()
    q, v = model.neutral(), np.zeros(model.nv)
    for k, (place, name) in enumerate(zip(places, ("left", "right"), strict=True)):
        q[model.body(name).joint.q_slice][:3] = place
        v[model.body(name).joint.v_slice][3:] = ((1 - 2 * k) * speed, 0.0, 0.0)
        v[model.body(name).joint.v_slice][:3] = (0.0, 0.0, spin)
    return Simulation(Scene(model, q=q, v=v), **options)


def test_two_characters_bounce_off_each_other():
    sim, through = two_blobs(0.02, 1.0), two_blobs(0.02, 1.0, self_contact=False)
    left, right = (sim.model.body(name).joint for name in ("left", "right"))
    most = 0
    for _ in range(200):
        sim.step()
        most = max(most, int(sim.engine.workspace.counts[2]))
    through.step(200)
    assert most > 10
    assert sim.q[left.q_slice][0] < sim.q[right.q_slice][0], "they stay on their sides"
    assert through.q[left.q_slice][0] > through.q[right.q_slice][0], "without it they pass"
    assert through.engine.workspace.counts[2] == 0


def hits_of(sim):
    """Places of all points, and the triangles that each is behind."""
    tables = contact_tables(sim.model, DT, 0.8)
    skin = sim.surface_positions
    x = np.concatenate([skin, np.zeros((len(tables.samples), 3))])
    points = SkinPoints(x, len(skin), tables.samples)
    boxes, hits = np.zeros((len(tables.skin.regions), 6)), jit.rows(len(x), HIT_ROW)
    find_hits(tables.skin, points, boxes, hits)
    return points, hits


def test_contact_of_skin_keeps_momentum():
    """Forces on points and triangles sum to zero, and so do their moments."""
    sim = two_blobs(-0.012, 0.5, spin=6.0)
    sim.step()
    assert sim.engine.workspace.counts[2] > 5
    points, hits = hits_of(sim)
    f, touch, wrench = np.zeros_like(sim.state.x), np.zeros_like(points.x), np.zeros((sim.model.body_count, 6))
    triangles = contact_tables(sim.model, DT, 0.8).skin.triangles
    settings = ContactSettings(DT, sim.config.gains())
    forces, bodies = ContactForces(touch, wrench), scratch(sim.model).bodies
    push_apart(
        sim.model.flesh.vertices, triangles, points, sim.state.xdot, settings, hits, bodies, np.zeros((0, 3)), f, forces
    )
    size = np.abs(f).max()
    assert size > 0.1
    assert np.abs(f[:, 1:]).max() > 1e-3 * size, "friction must take part"
    assert np.abs(f.sum(axis=0)).max() < ROUNDING * size
    assert np.abs(np.cross(sim.state.x, f).sum(axis=0)).max() < ROUNDING * size
    # What is reported at the points of one of them is what its nodes get.
    left = len(sim.model.flesh.specs[0].vertices)
    nodes = len(sim.model.flesh.specs[0].nodes)
    np.testing.assert_allclose(touch[:left].sum(axis=0), f[:nodes].sum(axis=0), rtol=0, atol=ROUNDING * size)
    assert touch[:left].sum(axis=0)[0] < -0.1 * size


# --- the worm as a ring -------------------------------------------------------------------------------------------------


def curled(self_contact, torque, **options):
    """The worm in the air, bent by its actuators until its ends meet, and on."""
    model = build("planar", **options).build()
    q = model.neutral()
    q[1] = 2.0
    sim = Simulation(Scene(model, q=q), self_contact=self_contact)
    sim.tau[3:] = np.where(np.arange(len(sim.tau) - 3) < 3, -torque, torque)
    return sim


def overlap(sim):
    """How deep the skin stands in itself [m]."""
    _, hits = hits_of(sim)
    return max((row["d"][: row["count"]].min() for row in hits if row["count"]), default=0.0)


@pytest.mark.parametrize("torque", [0.5, 0.7])
def test_worm_bent_into_a_ring_does_not_pass_through_itself(torque):
    held, through = curled(True, torque), curled(False, torque)
    deepest, gone, most = 0.0, 0.0, 0
    for _ in range(60):
        held.advance(0.005)
        through.advance(0.005)
        deepest, gone = max(deepest, overlap(held)), max(gone, overlap(through))
        most = max(most, int(held.engine.workspace.counts[2]))
    assert most > 5, "the ends press on each other"
    assert deepest < 0.5 * RADIUS, "nowhere half way to the middle of the other end"
    assert gone > 0.75 * RADIUS, "without it one end is in the middle of the other"


@pytest.mark.parametrize("name", ["worm", "donut", "lamp"])
def test_triangles_of_a_mirrored_skin_mirror_each_other(name):
    """A quadrangle across the plane is cut along both diagonals."""
    model = load_scene(name).model
    triangles, twin = contact_tables(model, DT, 0.8).skin.triangles, model.flesh.vertices["mirror"]
    corners = {frozenset(v): (v, reach) for v, reach in zip(triangles["v"].tolist(), triangles["reach"], strict=True)}
    assert len(corners) == len(triangles)
    x = np.concatenate([part.vertices for part in model.flesh.specs])
    for v, reach in corners.values():
        image, depth = corners[frozenset(twin[v].tolist())]
        assert depth == reach
        ours, theirs = (np.cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]) for t in (v, image))
        np.testing.assert_allclose(theirs, ours * (1, 1, -1), rtol=0, atol=1e-15)


@pytest.mark.parametrize("cells", [(20, 3, 2), (28, 4, 2)])
def test_a_ring_that_presses_on_itself_does_not_lean_on_its_planar_root(cells):
    """Momentum and its moment change by gravity alone, in all directions."""
    sim = curled(True, 0.5, cells=cells)
    balance = MomentumBalance(sim)
    most = 0
    for _ in range(250):
        balance.step()
        most = max(most, int(sim.engine.workspace.counts[2]))
    assert most > 20
    assert balance.worst_string < ROUNDING


# --- bare bodies --------------------------------------------------------------------------------------------------------


def footed(foot_at=-0.02):
    """A leg of flesh on two bones, with a bare foot below."""
    builder = ModelBuilder("leg")
    root = JointSpec(kind="free")
    builder.add(BodySpec(name="thigh", joint=root, shapes=(bones.capsule((0, 0.05, 0), (0, 0.15, 0), 0.01),)))
    foot = bones.box((0.0, -0.01, 0.0), (0.06, 0.01, 0.06))
    builder.add(bones.body("foot", foot, 0.3, parent="thigh", joint=JointSpec(kind="fixed"), at=(0.0, foot_at, 0.0)))
    skin = generators.capsule((0, 0.03, 0), (0, 0.17, 0), 0.03, rings=12, sides=12)
    wrap(builder, skin, cells=(3, 8, 3), bones=["thigh"], within=0.005)
    return builder


def test_bare_foot_of_a_fleshed_character_stands_on_the_floor():
    builder = footed()
    builder.world_shapes.append(floor())
    model = builder.build()
    q = model.neutral()
    q[1] = 0.045
    sim = Simulation(Scene(model, q=q))
    assert {model.bodies[b].name for b in sim.engine.workspace.samples["body"]} == {"foot"}
    sim.advance(1.5)
    assert np.abs(sim.v).max() < 0.05
    assert sim.q[1] == pytest.approx(0.04, abs=2e-3), "on the sole"
    skin = len(model.flesh.vertices)
    assert np.all(sim.engine.workspace.contact_forces[:skin] == 0), "the flesh hangs clear"
    nodes = model.flesh.nodes
    weight = 9.81 * (model.mass + nodes["mass"][nodes["fixed"] == 0].sum())
    assert sim.engine.workspace.contact_forces[:, 1].sum() == pytest.approx(weight, rel=0.02)


def test_flesh_does_not_fight_its_own_bare_bones():
    """The foot reaches into the flesh above it."""
    model = footed(foot_at=0.02).build()
    q = model.neutral()
    q[1] = 5.0
    sim = Simulation(Scene(model, q=q))
    x = sim.surface_positions - [0, 5.0, 0]
    assert np.any(np.all(np.abs(x - [0, 0.01, 0]) < (0.06, 0.01, 0.06), axis=1)), "it does overlap"
    sim.step(5)
    assert np.all(sim.engine.workspace.contact_forces == 0)
    assert sim.engine.workspace.counts[1] == sim.engine.workspace.counts[2] == 0


def test_far_bare_body_of_the_same_tree_is_felt():
    """Flesh at one end of a chain lands on a bare body at the other end."""
    builder = ModelBuilder("chain")
    rod = bones.capsule((-0.05, 0, 0), (0.05, 0, 0), 0.01)
    builder.add(BodySpec(name="a", joint=JointSpec(kind="free"), shapes=(rod,)))
    for parent, name in (("a", "b"), ("b", "c"), ("c", "d")):
        bare = bones.box((0.05, 0.0, 0.0), (0.04, 0.01, 0.01))
        at = (0.12, 0.0, 0.0)
        builder.add(
            bones.body(name, bare, 0.1, parent=parent, joint=JointSpec(kind="revolute", axes=((0.0, 0.0, 1.0),)), at=at)
        )
    wrap(builder, generators.capsule((-0.05, 0, 0), (0.05, 0, 0), 0.03), cells=(6, 3, 3), bones=["a"], within=0.01)
    model = builder.build()
    tables = contact_tables(model, DT, 0.8)
    index = {body.name: body.index for body in model.bodies}
    felt = [name for name in "bcd" if not tables.near[index["a"], index[name]]]
    assert felt == ["d"]
