"""A witness to every step: no strings, and in flight a free fall.

It takes nothing from the director: momentum and forces are summed up here from the state, the computed accelerations
and the forces of contact.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stringless.kinematics import body_accelerations, body_poses, body_velocities
from stringless.simulation import Simulation

FloatArray = NDArray[np.float64]


@dataclass
class Witness:
    """Watches a simulation step by step."""

    sim: Simulation
    worst_string: float = 0.0
    """Largest share of the forces at work that the momentum's rate had in excess of gravity and contact."""
    steps: int = 0
    mixed: int = 0
    """Steps in which a point touched the world and a movable thing at once: there only the sum of forces was checked."""
    free_mass: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        """Collect the masses of the free nodes."""
        flesh = self.sim.flesh
        free = np.zeros(0) if flesh is None else np.where(flesh.nodes["fixed"] == 0, flesh.nodes["mass"], 0.0)
        self.free_mass = free

    def step(self) -> None:
        """Simulate one step and look at it."""
        sim = self.sim
        model, h = sim.model, sim.config.dt
        q, u = sim.q.copy(), sim.v + 0.5 * h * sim.state.vdot
        x = sim.flesh_positions.copy()
        sim.step()
        room = sim.workspace
        assert room is not None
        origin = np.zeros(3)
        rate, moment = self._bones(q, u, origin)
        weight, torque = np.zeros(3), np.zeros(3)
        if len(self.free_mass):
            free = self.free_mass > 0
            pulls = room.force[free]
            moved = pulls + self.free_mass[free, None] * model.gravity
            rate, moment = rate + moved.sum(axis=0), moment + np.cross(x[free] - origin, moved).sum(axis=0)
            weight = (self.free_mass[free, None] * model.gravity).sum(axis=0)
            torque = np.cross(x[free] - origin, self.free_mass[free, None] * model.gravity).sum(axis=0)
        poses = body_poses(model, q)
        arms = np.einsum("bij,bj->bi", poses.rotation, model.tree["h"])
        masses = model.tree["mass"]
        force = weight + masses.sum() * model.gravity
        torque = torque + np.cross(masses[:, None] * poses.position + arms, model.gravity).sum(axis=0)
        touched = self._contact()
        if touched is None:
            self.mixed += 1
        else:
            force, torque = force + touched[0], torque + touched[1]
            size = masses.sum() * 9.81 + np.abs(room.touch).sum() + np.abs(room.force).sum()
            miss = max(float(np.abs(rate - force).max()), float(np.abs(moment - torque).max()))
            self.worst_string = max(self.worst_string, miss / size)
        self.steps += 1

    def _bones(self, q: FloatArray, u: FloatArray, origin: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Rate of the bones' momentum and of its moment, from the computed accelerations."""
        model = self.sim.model
        A, V = body_accelerations(model, q, u, self.sim.state.vdot), body_velocities(model, q, u)
        poses = body_poses(model, q)
        rate, moment = np.zeros(3), np.zeros(3)
        for i in range(model.body_count):
            row, R = model.tree[i], poses.rotation[i]
            xx, yy, zz, xy, xz, yz = row["I_o"]
            I = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
            h, w, a = R @ row["h"], V[i, :3], A[i]
            f = row["mass"] * a[3:] + np.cross(a[:3], h) + np.cross(w, np.cross(w, h))
            m = I @ a[:3] + np.cross(w, I @ w) + np.cross(h, a[3:])
            rate, moment = rate + f, moment + m + np.cross(poses.position[i] - origin, f)
        return rate, moment

    def _contact(self) -> tuple[FloatArray, FloatArray] | None:
        """Forces of the world on everything; None where they cannot be told from those of movable things."""
        sim = self.sim
        room = sim.workspace
        assert room is not None
        bodies = room.contact.obstacles["body"]
        total, moment = np.zeros(3), np.zeros(3)
        places = room.contact_work[3]
        for i in np.flatnonzero(np.any(room.touch != 0, axis=1)):
            held = [int(j) for j in np.atleast_1d(sim.state.anchors[i]["obstacle"]) if j >= 0]
            movable = [bodies[j] >= 0 for j in held]
            if any(movable) and not all(movable):
                return None
            if not any(movable):
                total = total + room.touch[i]
                moment = moment + np.cross(places[i], room.touch[i])
        return total, moment
