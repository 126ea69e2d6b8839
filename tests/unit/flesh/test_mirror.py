"""Characters that are their own mirror image stay it, and their planar root has nothing to hold."""

import math

import numpy as np
import pytest

from stringless.flesh import generators
from stringless.flesh.kernels_mirror import ROUNDING, keep_mirrored
from stringless.flesh.wrap import wrap
from stringless.model import BodySpec, JointSpec, ModelBuilder, Pose
from stringless.model.mirror import Plane
from stringless.scenes import bones, load_scene
from stringless.simulation import Simulation

ACROSS_Z = Plane(np.zeros(3), np.array([0.0, 0.0, 1.0]))
STEP = 1e-3
TURNED = 2e-15
"""A plane that is not along the axes is itself rounded: for velocities of some metres per second."""


def arm(joint: str = "revolute", axis: tuple[float, float, float] = (0.0, 0.0, 1.0), cells=(6, 2, 2)):
    """Two bones in a sleeve of flesh, in a plane across x at x = 0.1 that the root's place turns the planar joint into."""
    builder = ModelBuilder("arm")
    place = Pose((0.1, 0.0, 0.0), (0.0, math.sin(math.pi / 4), 0.0, math.cos(math.pi / 4)))  # z becomes x, x becomes -z
    rod = bones.capsule((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), 0.005)
    builder.add(BodySpec(name="upper", joint=JointSpec(kind="planar"), place=place, shapes=(rod,)))
    hinge = JointSpec(kind=joint, axes=() if joint == "ball" else (axis,), armature=(1e-4,))
    builder.add(BodySpec(name="lower", parent="upper", joint=hinge, place=Pose((0.1, 0.0, 0.0)), shapes=(rod,)))
    skin = generators.capsule((0.1, 0.0, 0.0), (0.1, 0.0, -0.2), 0.03, rings=10, sides=12)
    wrap(builder, skin, cells=(cells[1], cells[2], cells[0]), within=0.006)
    return builder.build()


@pytest.mark.parametrize("name", ["worm", "lamp", "donut"])
def test_planar_characters_know_their_mirror_images(name):
    flesh = load_scene(name).model.flesh
    for table, places in (
        (flesh.nodes, flesh.rest),
        (flesh.vertices, np.concatenate([s.vertices for s in flesh.specs])),
    ):
        twin = table["mirror"]
        assert np.array_equal(twin[twin], np.arange(len(twin)))
        np.testing.assert_allclose(places[twin], ACROSS_Z.mirrored(places), atol=1e-12)


def test_the_plane_is_that_of_the_root():
    flesh = arm().flesh
    plane = Plane(np.array([0.1, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]))
    np.testing.assert_allclose(flesh.rest[flesh.nodes["mirror"]], plane.mirrored(flesh.rest), atol=1e-12)
    slides = arm("prismatic", (1.0, 0.0, 0.0)).flesh
    assert np.all(slides.nodes["mirror"] >= 0)


@pytest.mark.parametrize(
    "model",
    [
        lambda: load_scene("worm", root="free").model,
        lambda: arm("revolute", (0.0, 1.0, 0.0)),
        lambda: arm("prismatic", (0.0, 0.0, 1.0)),
        lambda: arm("ball"),
    ],
    ids=["a free root", "a hinge across the plane", "a slide out of it", "a ball joint"],
)
def test_nothing_is_mirrored_that_can_leave_the_plane(model):
    flesh = model().flesh
    assert np.all(flesh.nodes["mirror"] == -1)
    assert np.all(flesh.vertices["mirror"] == -1)


def test_a_lopsided_character_has_no_mirror_images():
    builder = ModelBuilder("lopsided")
    rod = bones.capsule((-0.05, 0.0, 0.0), (0.05, 0.0, 0.0), 0.005)
    builder.add(BodySpec(name="bone", joint=JointSpec(kind="planar"), shapes=(rod,)))
    wrap(builder, generators.sphere((0.0, 0.0, 0.003), 0.04), cells=(4, 4, 4), within=0.006)
    flesh = builder.build().flesh
    assert np.all(flesh.nodes["mirror"] == -1)
    assert np.all(flesh.vertices["mirror"] == -1)


@pytest.mark.parametrize("noise", [1e-15, 1e-6])
@pytest.mark.parametrize("moving", [False, True])
def test_rounding_is_taken_out_and_nothing_else(noise, moving):
    """Against the obvious twin: half of each and of its partner's image, if all of them differ by no more than rounding."""
    model = arm()
    nodes, plane = model.flesh.nodes, Plane(np.array([0.1, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]))
    twin, free = nodes["mirror"], nodes["fixed"] == 0
    flat = Plane(np.zeros(3), plane.normal)
    rng = np.random.default_rng(3)
    v = rng.normal(size=(len(nodes), 3))
    v = 0.5 * (v + flat.mirrored(v)[twin])
    x = model.flesh.rest.copy()
    (v if moving else x)[np.flatnonzero(free)[4]] += noise
    x_out, v_out = x.copy(), v.copy()
    keep_mirrored(model.tree, nodes, STEP, x_out, v_out)
    if noise > ROUNDING:
        assert np.array_equal(x_out, x)
        assert np.array_equal(v_out, v)
        return
    assert np.array_equal(x_out[~free], x[~free])
    np.testing.assert_allclose(x_out[free], 0.5 * (x + plane.mirrored(x)[twin])[free], rtol=0, atol=1e-16)
    np.testing.assert_allclose(v_out[free], 0.5 * (v + flat.mirrored(v)[twin])[free], rtol=0, atol=1e-15)
    np.testing.assert_allclose(flat.mirrored(v_out)[twin][free], v_out[free], rtol=0, atol=TURNED)
    masses = nodes["mass"][free, None]
    np.testing.assert_allclose((masses * v_out[free]).sum(axis=0)[1:], (masses * v[free]).sum(axis=0)[1:], rtol=1e-13)


def test_a_push_from_one_side_is_felt():
    """The same flesh, once let alone and once with the smallest of pushes: that is not rounding."""
    sim = Simulation(load_scene("worm"))
    sim.step(150)
    twin = sim.model.flesh.nodes["mirror"]
    assert np.array_equal(sim.state.x[twin], ACROSS_Z.mirrored(sim.state.x))
    node = int(np.flatnonzero((sim.model.flesh.nodes["fixed"] == 0) & (twin != np.arange(len(twin))))[0])
    sim.state.xdot[node, 2] += 1e-6
    sim.step()
    apart = sim.state.x[twin] - ACROSS_Z.mirrored(sim.state.x)
    assert abs(apart[node, 2]) == pytest.approx(1e-6 * STEP, rel=0.05)
