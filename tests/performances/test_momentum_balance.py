"""The balance of momentum: what it takes for a string, and what not."""

import numpy as np
import pytest

from stringless.model import JointSpec, ModelBuilder, Scene
from stringless.performances.momentum_balance import MomentumBalance
from stringless.scenes import bones, load_scene
from stringless.scenes.ground import floor
from stringless.simulation import Simulation

LAW = 1e-12
"""Share of the forces at work that momentum may miss by rounding."""


def watched(sim: Simulation, steps: int) -> MomentumBalance:
    balance = MomentumBalance(sim)
    for _ in range(steps):
        balance.step()
    return balance


def test_a_ball_is_touched_at_its_rim() -> None:
    """A dumb-bell thrown along the floor: friction turns it, by its moment about the middle of the balls."""
    builder = ModelBuilder("dumb-bell")
    builder.add(bones.body("bar", bones.capsule((-0.1, 0, 0), (0.1, 0, 0), 0.03), 0.5, joint=JointSpec(kind="free")))
    builder.world_shapes.append(floor())
    model = builder.build()
    q, v = model.neutral(), np.zeros(model.nv)
    q[1] = 0.03
    v[3:] = (0.3, -0.1, 1.0)
    sim = Simulation(Scene(model, q=q, v=v))
    balance = watched(sim, 200)
    assert sim.engine.workspace is not None
    assert np.abs(sim.v[:3]).max() > 1.0, "it rolls"
    assert sim.engine.workspace.counts[1] > 0, "on the floor"
    assert balance.worst_string < LAW


@pytest.mark.parametrize(("root", "pull"), [("planar", (0.0, 0.01, 0.0)), ("free", (0.0, 0.0, 0.01))])
def test_a_string_is_seen(root: str, pull: tuple[float, float, float]) -> None:
    """A hundredth of a newton on one bone."""
    sim = Simulation(load_scene("lamp", root=root))
    assert watched(sim, 100).worst_string < LAW
    sim.external[sim.model.body("base").index, 3:] = pull
    assert watched(sim, 3).worst_string > 1e-6
