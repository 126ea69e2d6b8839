"""Dampers between flesh and bones: the same as a dense implicit system, no strings, and no bone too light for them."""

import numpy as np
import pytest

from stringless.flesh import generators
from stringless.flesh.wrap import wrap
from stringless.model import JointSpec, ModelBuilder, Scene
from stringless.scenes import bones, load_scene
from stringless.simulation import Simulation

AGREE = 1e-9
"""Of accelerations against a dense solve, relative to the largest."""
MOMENTUM = 1e-11
"""What a step may add to the momentum, as a share of what moves to and fro in it."""
ALPHA = 240.0
"""Twenty times the usual damping [1/s]."""


def ball(mass, *, gravity=(0.0, 0.0, 0.0), damping=ALPHA, joint="free"):
    """Flesh of about four kilograms around a core of this mass."""
    builder = ModelBuilder("ball", gravity=gravity)
    builder.add(bones.body("core", bones.sphere((0.0, 0.0, 0.0), 0.04), mass, joint=JointSpec(kind=joint)))
    wrap(builder, generators.sphere(radius=0.1, rings=9, sides=12), cells=(4, 4, 4), damping=damping)
    return builder.build()


def shaken(model, *, speed=0.3, seed=0, **options):
    """Bones and flesh in a wild motion, away from all else."""
    rng = np.random.default_rng(seed)
    sim = Simulation(Scene(model, v=speed * rng.normal(size=model.nv)), **options)
    free = model.flesh.nodes["fixed"] == 0
    sim.state.xdot[free] += speed * rng.normal(size=(free.sum(), 3))
    sim.state.x[free] += 1e-3 * rng.normal(size=(free.sum(), 3))
    return sim


def skew(a):
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def dense_step(sim, f):
    """Acceleration of the only bone, at its origin, and damper forces on its nodes: one system for all of them at once.

    `f` are the other forces on nodes. With J the bone's inertia, V its velocity, D the forces on the nodes:
    `J A + V x* J V = W - Σ (r x D, D)`, `D = -c (xdot + h (f + D)/m + h g - V(x) - h A(x))`.
    """
    model, state, h = sim.model, sim.state, sim.config.dt
    row, nodes, g = model.tree[0], model.flesh.nodes, model.gravity
    R, p, (w, v) = np.eye(3), np.zeros(3), (state.v[:3], state.v[3:])
    xx, yy, zz, xy, xz, yz = row["I_o"]
    H, m = skew(R @ row["h"]), row["mass"]
    J = np.block([[np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), H], [H.T, m * np.eye(3)]])
    l, P = np.split(J @ state.v, 2)
    bias = np.r_[np.cross(w, l) + np.cross(v, P), np.cross(w, P)]
    fixed = nodes["fixed"] == 1
    free = np.flatnonzero(~fixed)
    W = np.r_[np.cross(state.x[fixed] - p, f[fixed]).sum(axis=0), f[fixed].sum(axis=0)]
    size = 6 + 3 * len(free)
    A, b = np.zeros((size, size)), np.zeros(size)
    A[:6, :6], b[:6] = J, W - bias + J @ np.r_[np.zeros(3), g]
    for k, i in enumerate(free):
        at, r = slice(6 + 3 * k, 9 + 3 * k), state.x[i] - p
        S = np.hstack([-skew(r), np.eye(3)])  # velocity of the bone at the node, by that of the bone
        c, mass = nodes["damping"][i], nodes["mass"][i]
        A[:6, at] = S.T
        A[at, at] = (1 + h * c / mass) * np.eye(3)
        A[at, :6] = -c * h * S
        inward = np.cross(w, v + np.cross(w, r))
        b[at] = -c * (state.xdot[i] + h * (f[i] / mass + g) - S @ state.v - h * inward)
    found = np.linalg.solve(A, b)
    forces = np.zeros_like(f)
    forces[free] = found[6:].reshape(-1, 3)
    return found[:6], forces


@pytest.mark.parametrize("mass", [1e-4, 1.0])
def test_dampers_agree_with_one_dense_system(mass):
    model = ball(mass, gravity=(0.0, -9.81, 1.0))
    undamped, sim = shaken(model, flesh_damping=0.0), shaken(model)
    start = sim.save()
    undamped.step()
    sim.step()
    after_x, after_v = sim.flesh_positions.copy(), sim.state.xdot.copy()
    f = undamped.engine.workspace.force.copy()
    acceleration = sim.engine.work.bodies[0]["A"] + np.r_[np.zeros(3), model.gravity]
    damped = sim.engine.workspace.force - f
    sim.restore(start)
    expected, forces = dense_step(sim, f)
    assert np.abs(forces).max() > 1e-3
    np.testing.assert_allclose(acceleration, expected, rtol=0, atol=AGREE * np.abs(expected).max())
    free = model.flesh.nodes["fixed"] == 0
    np.testing.assert_allclose(damped[free], forces[free], rtol=0, atol=AGREE * np.abs(forces).max())
    assert np.abs(f[free]).max() > 1e-3, "elastic forces must be at work"
    assert np.isfinite(after_x).all()
    assert np.isfinite(after_v).all()


@pytest.mark.parametrize("mass", [1e-4, 0.02, 1.0])
@pytest.mark.parametrize("damping", [12.0, ALPHA, 2000.0])
def test_no_bone_is_too_light_for_its_dampers(mass, damping):
    """The speeds of what is damped and nothing else can only fall. Taken where steps begin, dampers threw a bone of 20 g
    about at the usual damping as soon as its flesh weighed some kilograms more.
    """
    sim = shaken(ball(mass, damping=damping))
    start = np.abs(sim.state.xdot).max()
    sim.step(2000)
    assert np.abs(sim.state.xdot).max() < start
    assert np.abs(sim.v).max() < 10 * start


def test_dampers_of_a_light_bone_keep_the_momentum():
    """No strings: the force on a node and its reaction are one number. Only a turning bone adds to it, at second order."""
    model = ball(1e-4, joint="translational")
    sim = shaken(model)
    before = momentum_of_shifts(sim)
    moving = np.abs(model.flesh.nodes["mass"] @ np.abs(sim.state.xdot)).max()
    for _ in range(50):
        sim.step(10)
        after = momentum_of_shifts(sim)
        np.testing.assert_allclose(after, before, rtol=0, atol=MOMENTUM * moving)


def momentum_of_shifts(sim):
    """Linear momentum of nodes and a bone that does not turn."""
    nodes = sim.model.flesh.nodes
    free = nodes["fixed"] == 0
    return sim.model.tree[0]["mass"] * sim.v + nodes["mass"][free] @ sim.state.xdot[free]


@pytest.mark.parametrize("name", ["worm", "fish", "starfish"])
def test_characters_bear_twenty_times_their_damping(name):
    sim = Simulation(load_scene(name), flesh_damping=20.0)
    sim.advance(0.5)
    assert np.abs(sim.state.xdot).max() < 3.0


def test_nodes_come_to_the_velocity_of_their_bone_at_the_rate_of_their_dampers():
    """Flesh of no stiffness: `v+ - V+ = (v - V+)/(1 + h alpha)`."""
    model = ball(1.0, damping=50.0)
    sim = Simulation(model, flesh_stiffness=1e-9)
    free = model.flesh.nodes["fixed"] == 0
    sim.state.xdot[free] = before = np.array((0.1, 0.0, 0.0))
    sim.step()
    expected = sim.v[3:] + (before - sim.v[3:]) / (1 + 1e-3 * 50.0)
    np.testing.assert_allclose(sim.state.xdot[free], np.broadcast_to(expected, (free.sum(), 3)), rtol=0, atol=1e-7)
