"""What goals ask for, against what the real simulation then does."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import stringless as sl
from stringless.control.director import Director
from stringless.dynamics import hybrid
from stringless.kinematics import body_velocities
from stringless.model import Pose
from stringless.model.builder import ModelBuilder
from stringless.model.shapes import Shape
from stringless.model.spec import BodySpec, JointSpec

FloatArray = NDArray[np.float64]
STEP = 1e-6


def arm(kind: str, root: str = "free", *, ground: bool = False) -> sl.Model:
    """A chain of four bodies in the air, or on the ground, its joints of one kind."""
    axes = {"universal": ((0, 0, 1), (0, 1, 0)), "ball": ((0, 1, 0),)}.get(kind, ((0.3, 0.2, 1.0),))
    axes = () if kind in ("free", "planar", "translational") else axes
    builder = ModelBuilder("arm", gravity=(0.0, -9.81, 0.0))
    shapes = (Shape(kind="sphere", size=(0.05,)),) if ground else ()
    if ground:
        up = (-math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
        builder.world_shapes.append(Shape(kind="plane", place=Pose((0.0, -0.1, 0.0), up)))
    builder.add(
        BodySpec(
            name="b0",
            shapes=shapes,
            mass=2.0,
            inertia=(0.02, 0.03, 0.025, 0, 0, 0),
            joint=JointSpec(kind=root),
        )
    )
    for k in range(1, 4):
        builder.add(
            BodySpec(
                name=f"b{k}",
                shapes=shapes,
                parent=f"b{k - 1}",
                place=Pose((0.3, 0.05, -0.02)),
                mass=1.0,
                center_of_mass=(0.1, 0.02, 0.01),
                inertia=(0.01, 0.012, 0.011, 0, 0, 0),
                joint=JointSpec(kind=kind, axes=axes, damping=(0.3,)),
            )
        )
    return builder.build()


def moving(model: sl.Model, seed: int) -> sl.Simulation:
    rng = np.random.default_rng(seed)
    sim = sl.Simulation(model, dt=STEP)
    q = model.integrate(model.random(rng), np.zeros(model.nv))
    sim.set_state(q, rng.normal(size=model.nv))
    return sim


def measured(sim: sl.Simulation, body: int, point: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Angular velocity and velocity of a point of a body."""
    V = body_velocities(sim.model, sim.q, sim.v)[body]
    arm_ = sim.body_poses().rotation[body] @ point
    return V[:3], V[3:] + np.cross(V[:3], arm_)


@pytest.mark.parametrize("style", ["acceleration", "torque", "velocity"])
@pytest.mark.parametrize("kind", ["revolute", "prismatic", "universal", "ball", "translational"])
def test_rows_predict_what_the_simulation_does(kind: str, style: Any) -> None:
    """`A x - b` is how much the real acceleration differs from the wanted one, of a point and of an orientation."""
    sim = moving(arm(kind), 3)
    director = sim.director
    director.style(style)
    director.limit_stiffness = 30.0
    point = np.array([0.1, 0.05, 0.02])
    goal = director.drag("b3", point=point, orientation=(0.1, 0.2, 0.3, 0.9), stiffness=5.0)
    goal.target = goal.position + np.array([0.02, -0.03, 0.01])
    sim.step(2)  # from the second step on, velocity products are taken at the middle of the step
    body = sim.model.body("b3").index
    w0, x0 = measured(sim, body, point)
    error = goal.target - goal.position
    R = sim.body_poses().rotation[body]
    turn = rotation_error(R, np.array(goal.orientation))
    sim.step()
    w1, x1 = measured(sim, body, point)
    residual = director.workspace.residual[0][:6]
    wanted = 25.0 * error - 10.0 * x0
    wanted_turn = 25.0 * turn - 10.0 * w0
    scale = max(np.abs(wanted).max(), np.abs(wanted_turn).max(), np.abs((x1 - x0) / STEP).max())
    assert np.abs(x1 - x0).max() > 0
    np.testing.assert_allclose((x1 - x0) / STEP, wanted + residual[:3], rtol=0, atol=1e-4 * scale)
    np.testing.assert_allclose((w1 - w0) / STEP, wanted_turn + residual[3:], rtol=0, atol=1e-4 * scale)


def rotation_error(R: FloatArray, Q: FloatArray) -> FloatArray:
    """Rotation vector in the world that leads from R to the orientation Q."""
    x, y, z, w = Q / np.linalg.norm(Q)
    wanted = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    D = wanted @ R.T
    angle = np.arccos(np.clip((np.trace(D) - 1) / 2, -1, 1))
    axis = np.array([D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1]])
    return angle * axis / np.linalg.norm(axis)


@pytest.mark.parametrize("kind", ["revolute", "universal", "ball"])
def test_efforts_are_those_of_hybrid_dynamics(kind: str) -> None:
    """The efforts reported for a command are those that hybrid dynamics gives for the accelerations it led to."""
    sim = moving(arm(kind), 5)
    goal = sim.director.drag("b3")
    goal.target = goal.position + 0.05
    sim.step()
    q, v, u = sim.q.copy(), sim.v.copy(), sim.v + 0.5 * STEP * sim.state.vdot
    sim.step()
    vdot, tau = hybrid(
        sim.model, q, u, prescribed=sim.director.directed, vdot=sim.state.vdot, tau=np.zeros(sim.model.nv)
    )
    assert np.abs(tau).max() > 1e-3
    np.testing.assert_allclose(sim.state.vdot, vdot, rtol=0, atol=1e-6 * np.abs(vdot).max())
    np.testing.assert_allclose(sim.effort[6:], tau[6:], rtol=0, atol=2e-4 * np.abs(tau).max())
    assert v.shape == u.shape


def test_reactions_at_support_points_move_the_rigid_body_as_counted_on() -> None:
    """Root accelerations counted on with the ground equal those of dynamics under the same forces."""
    sim = sl.Simulation(arm("universal", ground=True))
    sim.advance(0.5)
    director = sim.director
    director.keep_momentum = False
    goal = director.center()
    goal.target = goal.position + np.array([0.02, 0.03, -0.01])
    q, v, vdot = sim.q.copy(), sim.v.copy(), sim.state.vdot.copy()
    sim.step()
    work, n = director.workspace.work, len(director.characters[0].actuators)
    count = director.report()["footholds"]
    assert count > 1
    x = work.x[: n + 3 * count]
    reactions = x[n:].reshape(-1, 3)
    assert np.all(reactions[:, 0] > -1e-9)
    assert np.all(np.abs(reactions[:, 1:]) <= 0.6 * reactions[:, :1] + 1e-9)
    external = np.zeros((sim.model.body_count, 6))
    poses = sl.kinematics.body_poses(sim.model, q)
    for k in range(count):
        place, *frame = work.ground.points[k].reshape(4, 3)
        force = reactions[k] @ np.array(frame)
        body = int(sim.state.memory[0]["body"][k])
        R = poses.rotation[body]
        external[body, :3] += R.T @ np.cross(place - poses.position[body], force)
        external[body, 3:] += R.T @ force
    given = director.directed
    command = np.zeros(sim.model.nv)
    command[director.characters[0].actuators] = x[:n]
    u = v + 0.5 * sim.config.dt * vdot
    expected, _ = hybrid(sim.model, q, u, prescribed=given, vdot=command, tau=np.zeros(sim.model.nv), external=external)
    counted = work.ground.D[:6, : len(x)] @ x + work.ground.qdd0[:6]
    assert np.abs(reactions).max() > 5
    np.testing.assert_allclose(counted, expected[:6], rtol=0, atol=1e-7 * np.abs(expected).max())


def test_nobody_to_direct_is_said() -> None:
    """A scene without actuators, a body of nobody, a goal that does not exist."""
    sim = sl.Simulation(sl.load("finger"))
    with pytest.raises(sl.InputError, match="no goal 'drga'"):
        sim.director.add("drga", "tip")
    prop = next(
        body.name
        for body in sim.model.bodies
        if sim.model.tree[body.index]["root"] not in {character.root for character in sim.director.characters}
    )
    with pytest.raises(sl.InputError, match="actuators"):
        sim.director.drag(prop)
    assert isinstance(sim.director, Director)
