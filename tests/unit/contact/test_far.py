"""Obstacles that are too far to be looked at: the quick look never misses a touch, and lets go of what has been left."""

import numpy as np
import pytest

from stringless import jit
from stringless.contact.kernels import OBSTACLE_WORK, mark_far_obstacles
from stringless.contact.kernels_shapes import CODES, OBSTACLE_ROW, depth
from stringless.model.pose import rotation_matrix
from stringless.model.scene import Scene
from stringless.scenes.worm import RADIUS, build
from stringless.simulation import Simulation

SIZES = {
    "plane": (),
    "box": (0.3, 0.02, 0.5),
    "sphere": (0.4,),
    "capsule": (0.2, 0.3),
    "cylinder": (0.2, 0.3),
    "ellipsoid": (0.3, 0.1, 0.2),
}
H = 1e-3


def obstacle(kind, position, rotation):
    row, work = jit.rows(1, OBSTACLE_ROW), jit.rows(1, OBSTACLE_WORK)
    row["kind"], row["body"] = CODES[kind], -1
    row["sizes"][0, : len(SIZES[kind])] = SIZES[kind]
    row["reach"] = np.inf if kind == "plane" else max(float(np.linalg.norm(SIZES[kind])), sum(SIZES[kind]))
    work["R"], work["p"] = rotation.ravel(), position
    return row.view(np.recarray), work.view(np.recarray)


@pytest.mark.parametrize("kind", SIZES)
def test_what_is_far_is_not_touched(kind):
    rng = np.random.default_rng(1)
    found = {0: 0, 1: 0}
    for _ in range(300):
        turn = rng.normal(size=4)
        R = np.array(rotation_matrix(tuple(turn / np.linalg.norm(turn)))).reshape(3, 3)
        position = rng.uniform(-1, 1, 3)
        row, work = obstacle(kind, position, R)
        x = rng.uniform(-1, 1, 3) * rng.uniform(0.5, 6) + rng.uniform(-0.2, 0.2, (20, 3))
        alone = mark_far_obstacles(row, x, H, work)
        assert bool(alone) == bool(work["far"][0])
        found[int(work["far"][0])] += 1
        mixed = rng.dirichlet(np.ones(20), 50) @ x
        if work["far"][0]:
            assert all(depth(row[0], tuple((point - position) @ R))[0] <= 0 for point in np.concatenate([x, mixed]))
    assert min(found.values()) > 20, "both answers must occur"


@pytest.mark.parametrize("self_contact", [False, True])
def test_a_worm_lifted_off_the_floor_has_let_go_of_it(self_contact):
    model = build("free").build()
    q = model.neutral()
    q[1] = RADIUS
    sim = Simulation(Scene(model, q=q), self_contact=self_contact)
    sim.advance(0.1)
    assert sim.engine.workspace.counts[1] > 0
    assert np.any(sim.state.anchors["obstacle"] >= 0)
    sim.state.x[:, 1] += 2.0
    sim.state.q[1] += 2.0
    sim.step()
    assert sim.engine.workspace.counts[1] == 0
    assert not np.any(sim.state.anchors["obstacle"] >= 0)
    assert not np.any(sim.engine.workspace.contact_forces)
