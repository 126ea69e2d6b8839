"""Stops of ball joints, as they once went wrong."""

import numpy as np
import pytest

from models import NO_GRAVITY
from stringless.model import JointSpec, ModelBuilder, Pose, Scene
from stringless.simulation import Simulation

BONE = ((0.0, -1.0, 0.0),)
DT = 1e-3


def body_on(joint):
    builder = ModelBuilder("limited", gravity=NO_GRAVITY)
    builder.add_body(
        "body", "", joint, mass=1.0, center_of_mass=(0.0, -0.5, 0.0), inertia=(0.08, 0.01, 0.08, 0.0, 0.0, 0.0)
    )
    return builder.build()


@pytest.mark.parametrize(
    "joint",
    [
        JointSpec(kind="ball", axes=BONE, lower=(0.0, -1.0, 0.0), upper=(1.2, 1.0, np.pi)),
        JointSpec(kind="ball", axes=BONE, lower=(0.0, -np.pi, 0.0), upper=(np.pi, np.pi, np.pi)),
    ],
)
def test_ball_passes_freely_through_its_neutral_pose(joint):
    """A swing or turn is never below zero; a lower limit of zero once braked every pass through the neutral pose."""
    model = body_on(joint)
    q = model.integrate(model.neutral(), [0.0, 0.0, -0.5024])  # the steps do not meet the neutral pose itself
    sim = Simulation(Scene(model, q=q, v=np.array([0.0, 0.0, 5.0])), dt=DT)
    sim.advance(0.2)
    assert model.difference(model.neutral(), sim.q)[2] == pytest.approx(0.4976, abs=1e-9)
    assert sim.v[2] == pytest.approx(5.0, abs=1e-9)


def test_ball_with_limits_of_half_a_turn_has_no_wall_there():
    """Swing, twist and turn are never beyond half a turn; a limit there once took half of the speed."""
    joint = JointSpec(kind="ball", axes=BONE, lower=(0.0, -np.pi, 0.0), upper=(np.pi, np.pi, np.pi))
    for v in ([0.0, 0.0, 5.0], [0.0, 5.0, 0.0]):
        sim = Simulation(Scene(body_on(joint), v=np.array(v)), dt=DT)
        sim.advance(2.0)
        np.testing.assert_allclose(sim.v, v, atol=1e-8)


def test_stops_of_a_chain_of_balls_add_no_energy():
    """The implicit part of a stop was once bounded by a diagonal: as a false inertia it added 240 J in one step."""
    builder = ModelBuilder("spine")
    joint = JointSpec(kind="ball", axes=BONE, lower=(0.0, -0.3, 0.0), upper=(0.3, 0.3, 0.5))
    for i in range(8):
        builder.add_body(
            f"link_{i}",
            f"link_{i - 1}" if i else "",
            joint,
            place=Pose((0.0, -0.2 if i else 0.0, 0.0)),
            mass=1.0,
            center_of_mass=(0.0, -0.1, 0.0),
            inertia=(0.01, 0.002, 0.01, 0.0, 0.0, 0.0),
        )
    model = builder.build()
    v = np.random.default_rng(0).normal(scale=3.0, size=model.nv)
    sim = Simulation(Scene(model, v=v), dt=DT)
    start, kinetic = sim.energy().total, sim.energy().kinetic
    for _ in range(300):
        sim.step(10)
        # The explicit part of the step is of first order: a tenth of a percent or so.
        assert sim.energy().total < start + 0.02 * kinetic
    for joint in model.joints:
        turned = 2 * np.arccos(min(1.0, abs(sim.q[joint.q_slice][3])))
        assert turned < 0.6
