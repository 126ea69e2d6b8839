"""What a hand feels: a drag is calm and close, near singular poses too, and its style is least."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import stringless as sl
from stringless.model import Pose
from stringless.model.builder import ModelBuilder
from stringless.model.spec import GROUND, BodySpec, JointSpec

FloatArray = NDArray[np.float64]
STYLES = ("acceleration", "torque", "velocity")


def chain(links: int = 4) -> sl.Model:
    """Links in a straight line along x, hinged about z, without limits; nothing pulls them down."""
    builder = ModelBuilder("chain", gravity=(0.0, 0.0, 0.0))
    for k in range(links):
        builder.add(
            BodySpec(
                name=f"b{k}",
                parent=f"b{k - 1}" if k else GROUND,
                place=Pose((0.2 if k else 0.0, 0.0, 0.0)),
                mass=0.5,
                center_of_mass=(0.1, 0.0, 0.0),
                inertia=(1e-4, 2e-3, 2e-3, 0, 0, 0),
                joint=JointSpec(kind="revolute", axes=((0, 0, 1),)),
            )
        )
    return builder.build()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("bend", [1e-9, 1e-3])
def test_a_straight_chain_dragged_along_itself_folds_calmly(style: Any, bend: float) -> None:
    """The one row of its level is singular; it got 3e6 rad/s² and diverged. Now it folds; limp joints need not arrive."""
    model = chain()
    sim = sl.Simulation(model)
    sim.set_state(np.array([0.0, bend, -bend / 2, 0.0]), np.zeros(4))
    sim.director.style(style)
    goal = sim.director.drag("b3", point=(0.2, 0.0, 0.0), axes="x")
    goal.target = goal.position - (0.05, 0.0, 0.0)
    fastest = hardest = 0.0
    for _ in range(2000):
        sim.step()
        fastest, hardest = max(fastest, np.abs(sim.v).max()), max(hardest, np.abs(sim.state.vdot).max())
    assert fastest < 2.0
    assert hardest < 100.0
    assert style == "torque" or goal.error < 1e-3


def lead_head(style: Any, inward: float) -> tuple[float, float]:
    """The worm's head in a loop of 1 Hz, from rest: the fastest joint [rad/s] and the mean error [m]."""
    sim = sl.Simulation(sl.load("worm"))
    sim.advance(3.0)
    sim.director.style(style)
    goal = sim.director.drag("bone_0", point=(-0.06, 0.0, 0.0))
    start, begin = goal.position, sim.time

    def loop(time: float) -> FloatArray:
        share = 0.5 - 0.5 * math.cos(2 * math.pi * (time - begin))
        height = 0.1 * share
        # Held straight above where it lay, its head would be out of reach.
        return start + np.array([inward * share + height * height, height, 0.0])

    goal.target = loop
    fastest, missed = 0.0, 0.0
    for _ in range(2000):
        sim.step()
        fastest, missed = max(fastest, float(np.abs(sim.v[3:]).max())), missed + goal.error / 2000
    return fastest, missed


@pytest.mark.parametrize("style", ["acceleration", "velocity"])
def test_a_slow_loop_is_followed_calmly_and_closely(style: Any) -> None:
    """10 cm up and 2 cm inward from a straight pose: joints turned at up to 20 rad/s."""
    fastest, missed = lead_head(style, 0.02)
    assert fastest < 3.0
    assert missed < 0.004
