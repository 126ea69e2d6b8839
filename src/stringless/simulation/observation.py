"""What can be seen of a simulation: energy, means, where the flesh is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stringless.control.goals import Goal
from stringless.dynamics import Energy, energy
from stringless.engines.base import Substeps
from stringless.errors import InputError
from stringless.flesh.quantities import carry_nodes, flesh_energy, free_masses
from stringless.kinematics import BodyPoses, body_poses, center_of_gravity
from stringless.spatial.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from stringless.simulation.simulation import Simulation


def mechanical_energy(sim: Simulation) -> Energy:
    """Kinetic and potential energy now, that of the flesh included [J]."""
    bones = energy(sim.model, sim.q, sim.v)
    potential = bones.potential
    if sim.config.joint_springs != 1.0:
        springs = 0.5 * float(sim.model.dofs["stiffness"] @ sim.model.displacement(sim.q) ** 2)
        potential = bones.potential + (sim.config.joint_springs - 1.0) * springs
    kinetic = sim.engine.kinetic_energy(sim.state, bones.kinetic)
    if sim.flesh is None:
        return Energy(kinetic, potential)
    flesh = flesh_energy(sim.flesh, sim.model.gravity, node_positions(sim), sim.state.xdot)
    return Energy(kinetic + flesh.kinetic, potential + flesh.potential)


def center_of_mass(sim: Simulation) -> FloatArray:
    """Of everything in the scene, in the world [m]."""
    return _mean(sim, center_of_gravity(sim.model, sim.q).position, sim.state.x)


def center_of_mass_velocity(sim: Simulation) -> FloatArray:
    """[m/s]."""
    return _mean(sim, center_of_gravity(sim.model, sim.q, sim.v).velocity, sim.state.xdot)


def _mean(sim: Simulation, bones: FloatArray, nodes: FloatArray) -> FloatArray:
    """Mean by mass of a vector of all bones and one of each free node."""
    if sim.model.flesh is None:
        return bones
    mass = free_masses(sim.model.flesh)
    return (sim.model.mass * bones + mass @ nodes) / (sim.model.mass + mass.sum())


def node_positions(sim: Simulation) -> FloatArray:
    """World positions of all cage nodes, shape (n, 3) [m]; fixed ones are carried to where their bones are."""
    if sim.model.flesh is not None:
        carry_nodes(sim.model, sim.q, sim.v, sim.state.x, sim.state.xdot)
    return sim.state.x


def vertex_positions(sim: Simulation) -> FloatArray:
    """World positions of all vertices of the skin, shape (m, 3) [m]."""
    flesh = sim.model.flesh
    if flesh is None:
        return np.zeros((0, 3))
    return np.einsum("vk,vkj->vj", flesh.vertices["w"], node_positions(sim)[flesh.vertices["n"]])


def reaction(sim: Simulation, goal: Goal) -> FloatArray:
    """Torque and force of a goal's spring on its body in the last step, along world axes [N·m, N], as a haptic pen would.

    Only the stiff engine pulls characters by springs; for others it is zero.

    Raises:
        InputError: this is no goal, or none that is active in this simulation.
    """
    if not isinstance(goal, Goal):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"cannot tell the force of {goal!r}; expected a goal, as `director.drag` gives one")
    if goal.director is not sim.controls.director:
        raise InputError(
            f"this {goal.kind} (goal {goal.id}) belongs to another simulation; ask that one, or take a goal from "
            "`sim.director.goals`"
        )
    goal.check_active()
    return sim.engine.reaction(goal)


def poses(sim: Simulation) -> BodyPoses:
    """World poses of all bodies now."""
    return body_poses(sim.model, sim.q)


def contact_points(sim: Simulation) -> tuple[IntArray, FloatArray]:
    """Points that touch something, skin vertices first, then samples of bare bodies, and the forces on them [N]."""
    forces = sim.engine.contact_forces()
    points = np.flatnonzero(forces.any(axis=1))
    return points, forces[points]


def substeps(sim: Simulation) -> Substeps:
    """How often steps were done in shorter ones, since the simulation was made."""
    divided, halved = sim.engine.substeps
    return Substeps(divided, 1 << halved)


def joint_gap(sim: Simulation) -> float:
    """Largest gap of a joint or a closed loop in the last steps of the stiff engine [m, or rad for loops]."""
    return sim.engine.joint_gap


def sleeping_characters(sim: Simulation) -> int:
    """How many characters are at rest and cost nothing until something changes; only with the adaptive engine."""
    return sim.engine.sleeping(sim.state)


def active_joints(sim: Simulation) -> BoolArray:
    """Which joints move, by their number: with the adaptive engine the active ones, else all that can."""
    return sim.engine.active_joints(sim.state)


def rigidification_errors(sim: Simulation) -> dict[str, float | None]:
    """Error of the joints rigidified at each character's last active-region update, by the name of its root body.

    Only with the adaptive engine; None where it was not worked out: by energy with no `max_error`, and from where a state
    was put or brought back until the next update.
    """
    return sim.engine.rigidification_errors(sim.state)
