"""Loops stay closed, whatever pulls and however far joints turn in a step."""

import numpy as np
import pytest

from stringless import LoopSpec, ModelBuilder, Scene, Simulation, load
from stringless.dynamics import energy
from stringless.kinematics import close_loops, loop_gaps
from stringless.model import JointSpec, Pose

CLOSED = 1e-9


@pytest.mark.parametrize("stiffness", [12.0, 30.0, 300.0])
@pytest.mark.parametrize("dt", [0.01, 1 / 60, 1 / 30])
def test_a_body_that_holds_on_is_pulled_without_letting_go(stiffness, dt):
    """A spring of up to 2.7 MN/m, and joints that turn by more than a radian within a step."""
    sim = Simulation(load("bar"), engine="stiff", dt=dt, record=0)
    start = sim.body_poses().position[sim.model.body("torso").index].copy()
    sim.director.drag("torso", target=(0.3, 1.0, 1.0), stiffness=stiffness)
    fastest = 0.0
    for _ in range(round(2 / dt)):
        sim.step()
        assert sim.joint_gap < CLOSED
        assert loop_gaps(sim.model, sim.q).max() < CLOSED
        fastest = max(fastest, np.abs(sim.v).max())
    there = sim.body_poses().position[sim.model.body("torso").index]
    assert np.linalg.norm(there - start) > 0.1
    assert fastest > 5
    assert np.abs(sim.v).max() < 0.3 * fastest, "comes to rest"


def test_velocities_do_not_tell_what_has_closed_a_loop():
    """An energy of motion by them is that of the bodies' momenta; what closes loops would add metres a second."""
    sim = Simulation(load("bar"), engine="stiff", dt=1 / 60, record=0)
    sim.director.drag("torso", target=(0.3, 1.0, 1.0), stiffness=30.0)
    fastest = 0.0
    for _ in range(20):
        sim.step()
        told = energy(sim.model, sim.q, sim.v).kinetic
        kept = sim.energy().kinetic
        assert told < 1.2 * kept + 0.1
        fastest = max(fastest, kept)
    assert fastest > 50


def test_a_loop_that_turns_far_in_a_step_slows_nobody_else():
    """A linkage that whirls by radians a step, and a wheel beside it that has nothing to do with it."""
    builder = ModelBuilder("beside", gravity=(0.0, 0.0, 0.0))
    hinge = JointSpec(kind="revolute", axes=((0.0, 0.0, 1.0),))
    rod = {"mass": 1.0, "center_of_mass": (0.1, 0.0, 0.0), "inertia": (0.001, 0.01, 0.01, 0.0, 0.0, 0.0)}
    builder.add_body("wheel", joint=hinge, mass=1.0, inertia=(0.1, 0.1, 0.1, 0.0, 0.0, 0.0))
    builder.add_body("crank", joint=hinge, place=Pose((5.0, 0.0, 0.0)), **rod)
    builder.add_body("coupler", "crank", hinge, place=Pose((0.2, 0.0, 0.0)), **rod)
    builder.add_body("rocker", "coupler", hinge, place=Pose((0.3, 0.0, 0.0)), **rod)
    builder.close(LoopSpec("pivot", "point", "rocker", "", (0.25, 0.0, 0.0), (5.3, 0.0, 0.0)))
    model = builder.build()
    q = close_loops(model, np.array([0.0, 1.2, -1.0, -1.2]))
    v = np.array([1.0, 200.0, 0.0, 0.0])
    sim = Simulation(Scene(model, q=q, v=v), engine="stiff", dt=1 / 30, record=0)
    fastest = 0.0
    for _ in range(15):
        sim.step()
        fastest = max(fastest, np.abs(sim.v[1:]).max())
    assert fastest > 60, "two radians a step"
    assert sim.q[0] == pytest.approx(0.5, abs=1e-12)
    assert sim.joint_gap < CLOSED
