"""Loops that say the same twice, and loops whose joints are led from outside."""

import numpy as np
import pytest

from models import Z_AXIS
from stringless import InputError, LoopSpec, Scene, Simulation, load
from stringless.engines.stiff.engine import TORN_BY
from stringless.kinematics import loop_gaps
from stringless.model import JointSpec, ModelBuilder, Pose
from stringless.simulation import Motion

FRAME = 1 / 60
SAME = 1e-6
"""Of coordinates, between loops that mean the same; rows that nearly agree are held apart by a trifle."""
ARM = 0.4


def hung(hinges, apart=0.0):
    """A double pendulum whose second joint is made of loops, one hinge or several on the same axis.

    The second of them is off along its axis by `apart`: together they cannot close.
    """
    rod = {"mass": 1.0, "center_of_mass": (0.0, -ARM / 2, 0.0), "inertia": (0.02, 0.002, 0.02, 0.0, 0.0, 0.0)}
    builder = ModelBuilder("hung")
    builder.add_body("upper", joint=JointSpec(kind="revolute", axes=Z_AXIS), **rod)
    builder.add_body("lower", joint="free", place=Pose((0.0, -ARM, 0.0)), **rod)
    for k in range(hinges):
        off = apart if k == 1 else 0.0
        builder.close(
            LoopSpec(f"hinge_{k}", "hinge", "upper", "lower", (0.0, -ARM, 0.1 * k), (0.0, 0.0, 0.1 * k + off))
        )
    v = np.array([3.0, 0.0, 0.0, 3.0, 3.0 * ARM, 0.0, 0.0])
    return Simulation(Scene(builder.build(), v=v), engine="stiff", dt=FRAME, record=0)


@pytest.mark.parametrize("apart", [0.0, 5e-4])
@pytest.mark.parametrize("hinges", [2, 3])
def test_hinges_that_say_the_same_are_as_good_as_one(hinges, apart):
    one, many = hung(1), hung(hinges, apart)
    for _ in range(10):
        one.advance(0.2)
        many.advance(0.2)
        assert abs(many.q[0] - one.q[0]) < SAME
        assert abs(many.v[0] - one.v[0]) < 100 * SAME
    assert abs(one.q[0]) > 0.01
    assert loop_gaps(many.model, many.q)[0].max() < 0.01


def lowered(scene, far):
    """A motion of the monkey at its bar: all of it goes down, and its grip with it."""
    there = scene.q.copy()
    there[1] -= far
    return Motion(scene.model, np.array([0.0, 1.0]), np.array([scene.q, there]))


@pytest.mark.parametrize("record", [0, 60])
def test_a_motion_that_tears_a_loop_is_refused_where_it_does(record):
    sim = Simulation(load("bar"), record=record)
    motion = lowered(sim.scene, 0.5)
    sim.follow(motion)
    with pytest.raises(InputError, match=r"loop 'left_grip' would be torn at time 0\.\d+ s, open by 2\d\.\d mm"):
        sim.advance(1.0)
    assert 0 < loop_gaps(sim.model, sim.q).max() < TORN_BY
    reached = sim.time
    assert loop_gaps(sim.model, motion.at(reached + sim.config.dt)[0]).max() > TORN_BY, (
        "the last step that could be done"
    )
    sim.follow(None)
    sim.v[:] = 0.0
    sim.advance(0.5)
    assert sim.time == pytest.approx(reached + 0.5, abs=FRAME)
    assert loop_gaps(sim.model, sim.q).max() < 1e-3, "drawn shut again"


def test_accelerations_that_tear_a_loop_are_refused():
    sim = Simulation(load("bar"), record=0)
    sim.prescribed[:] = True
    sim.acceleration[4] = -1.0
    with pytest.raises(
        InputError, match="the joints that are prescribed or follow a motion leave it no way to stay closed"
    ):
        sim.advance(1.0)


def test_joints_that_are_led_and_leave_a_loop_its_way_are_followed():
    sim = Simulation(load("bar"), record=0)
    elbow = sim.model.joint("left_elbow").v_slice.start
    sim.prescribed[elbow], sim.acceleration[elbow] = True, 0.5
    sim.advance(1.0)
    assert sim.v[elbow] == pytest.approx(0.5, rel=1e-9)
    assert loop_gaps(sim.model, sim.q).max() < 0.01
