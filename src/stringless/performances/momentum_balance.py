"""The balance of momentum of every step: no strings, and in flight a free fall.

It takes nothing from the director: momentum and forces are summed up here from the state, the computed accelerations
and the forces of contact.
"""

from dataclasses import dataclass, field

import numpy as np

from stringless.kinematics import BodyPoses, body_accelerations, body_poses, body_velocities
from stringless.simulation import Simulation
from stringless.spatial.arrays import FloatArray


@dataclass
class MomentumBalance:
    """Watches a simulation step by step."""

    sim: Simulation
    worst_string: float = 0.0
    """Largest share of the forces at work that the momentum's rate had in excess of gravity and contact."""
    free_mass: FloatArray = field(init=False)

    def __post_init__(self) -> None:
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
        workspace = sim.engine.workspace
        poses = body_poses(model, q)
        rate, moment = (per_body.sum(axis=0) for per_body in self._bones(q, u, poses))
        weight, torque = np.zeros(3), np.zeros(3)
        if len(self.free_mass):
            free = self.free_mass > 0
            weights = self.free_mass[free, None] * model.gravity
            moved = workspace.force[free] + weights
            rate, moment = rate + moved.sum(axis=0), moment + np.cross(x[free], moved).sum(axis=0)
            weight, torque = weights.sum(axis=0), np.cross(x[free], weights).sum(axis=0)
        arms = np.einsum("bij,bj->bi", poses.rotation, model.tree["h"])
        masses = model.tree["mass"]
        force = weight + masses.sum() * model.gravity
        torque = torque + np.cross(masses[:, None] * poses.position + arms, model.gravity).sum(axis=0)
        touched = self._contact()
        if touched is None:
            return
        force, torque = force + touched[0], torque + touched[1]
        size = masses.sum() * 9.81 + np.abs(workspace.contact_forces).sum() + np.abs(workspace.force).sum()
        miss = max(float(np.abs(rate - force).max()), float(np.abs(moment - torque).max()))
        self.worst_string = max(self.worst_string, miss / size)

    def _bones(self, q: FloatArray, u: FloatArray, poses: BodyPoses) -> tuple[FloatArray, FloatArray]:
        """Rate of each bone's momentum and of its moment, from the computed accelerations."""
        model = self.sim.model
        A, V = body_accelerations(model, q, u, self.sim.state.vdot), body_velocities(model, q, u)
        tree, R = model.tree, poses.rotation
        I = R @ tree["I_o"][:, [[0, 3, 4], [3, 1, 5], [4, 5, 2]]] @ R.transpose(0, 2, 1)
        h, w, turning, sliding = np.einsum("bij,bj->bi", R, tree["h"]), V[:, :3], A[:, :3], A[:, 3:]
        f = tree["mass"][:, None] * sliding + np.cross(turning, h) + np.cross(w, np.cross(w, h))
        spin = np.einsum("bij,bj->bi", I, w)
        m = np.einsum("bij,bj->bi", I, turning) + np.cross(w, spin) + np.cross(h, sliding)
        return f, m + np.cross(poses.position, f)

    def _contact(self) -> tuple[FloatArray, FloatArray] | None:
        """Forces of the world on everything; None where they cannot be told from those of movable things."""
        sim = self.sim
        workspace = sim.engine.workspace
        touched = np.any(workspace.contact_forces != 0, axis=1)
        held = sim.state.anchors["obstacle"].reshape(len(touched), -1)[touched]
        movable = np.any((held >= 0) & (workspace.contact.obstacles["body"][held] >= 0), axis=1)
        standing = np.any((held >= 0) & (workspace.contact.obstacles["body"][held] < 0), axis=1)
        if np.any(movable & standing):
            return None
        outside = np.flatnonzero(touched)[~movable]
        return workspace.contact_forces[outside].sum(axis=0), self._moments()[outside].sum(axis=0)

    def _moments(self) -> FloatArray:
        """Moments of the contact forces on all points about the world's origin: a ball is touched at its rim."""
        workspace = self.sim.engine.workspace
        moments = np.cross(workspace.contact_work[3], workspace.contact_forces)
        moments[len(workspace.vertices) :] += workspace.contact_work[-1]
        return moments


@dataclass
class ObjectMomentumBalance(MomentumBalance):
    """Watches a rigid thing that a character with an active root handles: only gravity and contact may move it.

    The whole has no law to keep there, since the hand that holds the character is not part of it.
    """

    thing: str = ""

    def step(self) -> None:
        """Simulate one step and look at the thing."""
        sim, i = self.sim, self.sim.model.body(self.thing).index
        q, u = sim.q.copy(), sim.v + 0.5 * sim.config.dt * sim.state.vdot
        sim.step()
        workspace = sim.engine.workspace
        pose, row = body_poses(sim.model, q), sim.model.tree[i]
        rate, moment = (per_body[i] for per_body in self._bones(q, u, pose))
        lever = row["mass"] * pose.position[i] + pose.rotation[i] @ row["h"]
        held = sim.state.anchors["obstacle"].reshape(workspace.points, -1)
        on_it = np.any((held >= 0) & (workspace.contact.obstacles["body"][held] == i), axis=1)
        sign = ((workspace.point_bodies == i).astype(float) - on_it)[:, None]
        force = sign * workspace.contact_forces
        miss = rate - row["mass"] * sim.model.gravity - force.sum(axis=0)
        turning = moment - np.cross(lever, sim.model.gravity) - (sign * self._moments()).sum(axis=0)
        size = row["mass"] * 9.81 + np.abs(force).sum()
        self.worst_string = max(self.worst_string, float(np.abs([miss, turning]).max()) / size)
