"""The force on one touching point: never a pull, within the friction cone, sticking below it and sliding above."""

import math

import numpy as np
import pytest

from stringless import jit
from stringless.contact.kernels import OBSTACLE_WORK, SKIN, find_contact_force
from stringless.contact.kernels_penalty import (
    ANCHOR_ROW,
    DEPTH_DAMPING,
    MOST_DAMPING,
    SLOW,
    friction_force,
    normal_force,
)
from stringless.contact.kernels_shapes import OBSTACLE_ROW
from stringless.contact.mesh_tables import mesh_tables
from stringless.contact.records import Ball, ContactSettings, Obstacle
from stringless.flesh.boxtree import STACK
from stringless.state.scratch import BODY_WORK

G = 9.81
DT = 1e-3
MASS = 0.01
STIFF = 0.25 * MASS / DT**2
DRAG = 0.35 * MASS / DT
CREEP = 2e-4
"""A point held by its anchor gives way by the anchor's spring alone: m g sin/kt = 4e-5 m, with room."""


class Slope:
    """A point mass on a plane z = 0, with gravity tilted by `angle` towards x."""

    def __init__(self, angle, friction, restitution=1.0, v=(0.0, 0.0, 0.0), height=0.0):
        self.gravity = G * np.array([math.sin(angle), 0.0, -math.cos(angle)])
        self.obstacle = jit.rows(1, OBSTACLE_ROW)
        self.obstacle["body"], self.obstacle["friction"] = -1, friction
        self.placed = jit.rows(1, OBSTACLE_WORK)
        self.placed["R"] = np.eye(3).ravel()
        self.anchor = jit.rows(1, ANCHOR_ROW)
        self.anchor["obstacle"] = -1
        self.bodies = jit.rows(0, BODY_WORK)
        self.meshes = mesh_tables([])
        self.drag = DRAG
        self.settings = ContactSettings(DT, np.array([1.0, 1.0, restitution, 1.0, friction]))
        depth = MASS * G * math.cos(angle) / STIFF
        self.x = np.array([0.0, 0.0, height - depth])
        self.v = np.array(v, float)

    def force(self):
        obstacle = Obstacle(0, self.obstacle[0], self.placed[0], self.meshes)
        ball = Ball(0.0, STIFF, self.drag, tuple(self.x), tuple(self.v))
        stack = np.zeros(STACK, np.int64)
        slot, f, _ = find_contact_force(obstacle, SKIN, ball, self.settings, self.bodies, stack, self.anchor[0])
        if slot < 0:
            self.anchor["obstacle"] = -1
        return np.array(f)

    def step(self):
        f = self.force()
        self.v += DT * (f / MASS + self.gravity)
        self.x += DT * self.v
        return f


def test_normal_force_never_pulls():
    rng = np.random.default_rng(1)
    pulls = 0
    for d, rate in zip(rng.uniform(0, 1e-2, 500), rng.uniform(-5, 5, 500), strict=True):
        f = normal_force(d, rate, STIFF, DRAG, DT, rng.uniform(0, 1))
        assert f >= 0
        pulls += f == 0
    assert 0 < pulls < 500, "both kinds must occur"
    assert normal_force(1e-3, 0.0, STIFF, DRAG, DT, 1.0) == pytest.approx(STIFF * 1e-3)
    assert normal_force(1e-3, -1.0, STIFF, DRAG, DT, 1.0) == pytest.approx(STIFF * 1e-3 + DRAG)
    # Without restitution contact is damped by depth, up to what the step allows.
    assert normal_force(1e-4, -1.0, STIFF, DRAG, DT, 0.0) == pytest.approx(STIFF * 1e-4 * (1 + DEPTH_DAMPING) + DRAG)
    assert normal_force(1e-1, -1.0, STIFF, DRAG, DT, 0.0) == pytest.approx(STIFF * (1e-1 + MOST_DAMPING * DT) + DRAG)


def test_release_is_pushed_by_its_share_only():
    full = STIFF * 1e-3
    lost = 0.7 * STIFF * MOST_DAMPING * DT
    assert normal_force(1e-3, 2 * SLOW, STIFF, 0.0, DT, 0.3) == pytest.approx(0.3 * full - 2 * SLOW * lost)
    assert normal_force(1e-3, 1.0, STIFF, 0.0, DT, 0.3) == 0
    assert normal_force(1e-3, -1.0, STIFF, 0.0, DT, 0.3) == pytest.approx(full + lost)
    # Around rest the force does not jump with the sign of the speed.
    for rate in (-1e-9, 0.0, 1e-9):
        assert normal_force(1e-3, rate, STIFF, 0.0, DT, 0.3) == pytest.approx(full, rel=1e-6)


@pytest.mark.parametrize("friction", [0.0, 0.3, 1.5])
def test_friction_cone_holds(friction):
    rng = np.random.default_rng(2)
    slid = 0
    for _ in range(500):
        gap, slip = 1e-4 * rng.normal(size=3), 0.1 * rng.normal(size=3)
        fn = rng.uniform(0, 1)
        f, share = friction_force(tuple(gap), tuple(slip), fn, STIFF, DRAG, friction)
        free = -STIFF * gap - DRAG * slip
        assert np.linalg.norm(f) <= friction * fn * (1 + 1e-12)
        np.testing.assert_allclose(f, share * free, rtol=1e-12, atol=1e-15)
        assert 0 <= share <= 1
        slid += share < 1
    assert slid > 0


def test_friction_of_nothing_is_nothing():
    f, share = friction_force((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, STIFF, DRAG, 0.5)
    assert tuple(f) == (0.0, 0.0, 0.0)
    assert share == 1.0


def test_point_sticks_below_the_cone():
    angle = math.radians(20)
    slope = Slope(angle, friction=0.5)  # tan 20° = 0.364
    for _ in range(1000):
        f = slope.step()
    assert np.abs(slope.x[:2]).max() < CREEP
    assert np.linalg.norm(slope.v) < 1e-6, "an anchored point does not creep"
    # It carries the weight, exactly.
    np.testing.assert_allclose(f, -MASS * slope.gravity, rtol=0, atol=1e-6 * MASS * G)


def test_point_slides_above_the_cone_with_the_right_acceleration():
    """`a = g (sin - mu cos)`."""
    angle, friction = math.radians(30), 0.2
    slope = Slope(angle, friction)
    for _ in range(1000):
        f = slope.step()
        assert np.hypot(f[0], f[1]) <= friction * f[2] * (1 + 1e-9)
    expected = G * (math.sin(angle) - friction * math.cos(angle))
    assert slope.v[0] == pytest.approx(expected * 1.0, abs=1e-3 * G)
    assert abs(slope.v[1]) < 1e-12


def test_sliding_point_comes_to_rest_and_sticks():
    """Braking from v takes v²/(2 mu g)."""
    slope = Slope(0.0, friction=0.4, v=(1.0, 0.5, 0.0))
    way = np.hypot(1.0, 0.5) ** 2 / (2 * 0.4 * G)
    for _ in range(1000):
        slope.step()
    assert np.linalg.norm(slope.v) < 1e-6
    assert np.hypot(*slope.x[:2]) == pytest.approx(way, rel=0.01)
    assert slope.x[1] / slope.x[0] == pytest.approx(0.5, rel=0.01)


def test_leaving_forgets_the_anchor():
    slope = Slope(0.0, friction=1.0)
    slope.step()
    assert list(slope.anchor["obstacle"][0]) == [0, -1, -1]
    slope.x[:] = (0.5, 0.0, 0.01)
    slope.force()
    assert np.all(slope.anchor["obstacle"] == -1)
    slope.x[2] = -1e-4
    slope.v[:] = 0.0
    f = slope.force()
    assert np.hypot(f[0], f[1]) == 0, "it touches anew where it lands"


def rebound(restitution):
    slope = Slope(0.0, 0.0, restitution, height=0.1)
    slope.drag = 0.0
    highest, landed = 0.0, False
    for _ in range(400):
        slope.step()
        landed = landed or slope.x[2] < 0
        highest = max(highest, slope.x[2] if landed and slope.v[2] > 0 else 0.0)
    assert landed
    return highest


def test_restitution_reduces_the_rebound():
    heights = [rebound(share) for share in (1.0, 0.75, 0.5, 0.0)]
    assert heights[0] == pytest.approx(0.1, rel=0.2), "an elastic landing comes back, but for the step's length"
    assert heights[1] < 0.7 * heights[0]
    assert heights[2] < 0.7 * heights[1]
    assert heights[3] < 0.1 * heights[0], "a dead one hardly does"
