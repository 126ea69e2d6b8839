"""A model of ours rebuilt in Pinocchio, and the way between the coordinates of the two.

Pinocchio's velocities differ from ours on two joints: a free joint is linear first, and a planar joint's shifts are
along body axes. `v_peer = G v` with G depending on q for the planar joint only; `tau = Gᵀ tau_peer`.
"""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from naive.kinematics import parents, unit_axes
from stringless.model import BodySpec, Joint, JointSpec, Model


def placement(pose) -> pin.SE3:
    return pin.SE3(pose.matrix, np.asarray(pose.position))


def inertia(spec: BodySpec) -> pin.Inertia:
    xx, yy, zz, xy, xz, yz = spec.inertia
    return pin.Inertia(spec.mass, np.asarray(spec.center_of_mass), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))


def joint_models(joint: JointSpec) -> list:
    """Pinocchio's joints for one of ours; a universal joint is two hinges."""
    a = unit_axes(joint)
    match joint.kind:
        case "fixed":
            return []
        case "revolute":
            return [pin.JointModelRevoluteUnaligned(a[0])]
        case "prismatic":
            return [pin.JointModelPrismaticUnaligned(a[0])]
        case "universal":
            return [pin.JointModelRevoluteUnaligned(axis) for axis in a]
        case "ball":
            return [pin.JointModelSpherical()]
        case "planar":
            return [pin.JointModelPlanar()]
        case "translational":
            return [pin.JointModelTranslation()]
        case "free":
            return [pin.JointModelFreeFlyer()]
        case other:
            raise AssertionError(f"joint type '{other}' has no twin: write down here what it is in Pinocchio")


def depth_first(above: list[int]) -> list[int]:
    """Order in which the bodies of a branch stand together: Pinocchio's mass matrix relies on it."""
    order: list[int] = []

    def visit(i: int) -> None:
        order.append(i)
        for k, parent in enumerate(above):
            if parent == i:
                visit(k)

    for root in (i for i, parent in enumerate(above) if parent < 0):
        visit(root)
    return order


class Twin:
    """The same bodies in Pinocchio."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.peer = pin.Model()
        self.peer.gravity.linear = model.gravity.copy()
        n = model.body_count
        self.joint_of, self.place_of = [0] * n, [pin.SE3.Identity()] * n
        self.q0, self.v0 = [0] * n, [0] * n
        for i in depth_first(parents(model)):
            spec, above = model.specs[i], parents(model)[i]
            joint = 0 if above < 0 else self.joint_of[above]
            place = (pin.SE3.Identity() if above < 0 else self.place_of[above]) * placement(spec.place)
            self.q0[i], self.v0[i] = self.peer.nq, self.peer.nv
            for k, kind in enumerate(joint_models(spec.joint)):
                joint = self.peer.addJoint(joint, kind, place, f"{spec.joint.name}_{k}")
                place = pin.SE3.Identity()
            self.peer.appendBodyToJoint(joint, inertia(spec), place)
            self.joint_of[i], self.place_of[i] = joint, place
        assert self.peer.nv == model.nv
        self.data = self.peer.createData()

    def q(self, q: np.ndarray) -> np.ndarray:
        """Our configuration in Pinocchio's numbers."""
        out = np.zeros(self.peer.nq)
        for joint in self.model.joints:
            here = q[joint.q_slice]
            if joint.kind.name == "planar":
                here = np.array([here[0], here[1], np.cos(here[2]), np.sin(here[2])])
            out[self.q0[joint.index] : self.q0[joint.index] + len(here)] = here
        return out

    def rows(self, joint: Joint) -> slice:
        """Where Pinocchio has the velocities of this joint."""
        return slice(self.v0[joint.index], self.v0[joint.index] + joint.nv)

    def G(self, q: np.ndarray) -> np.ndarray:
        """`v_peer = G v`."""
        G = np.zeros((self.model.nv, self.model.nv))
        for joint in self.model.joints:
            block = np.eye(joint.nv)
            if joint.kind.name == "free":
                block = np.roll(np.eye(6), 3, axis=1)
            elif joint.kind.name == "planar":
                angle = q[joint.q_slice][2]
                block[:2, :2] = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
            G[self.rows(joint), joint.v_slice] = block
        return G

    def Gdot(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Rate of G."""
        G = np.zeros((self.model.nv, self.model.nv))
        for joint in self.model.joints:
            if joint.kind.name == "planar":
                angle, rate = q[joint.q_slice][2], v[joint.v_slice][2]
                block = np.zeros((3, 3))
                block[:2, :2] = [[-np.sin(angle), np.cos(angle)], [-np.cos(angle), -np.sin(angle)]]
                G[self.rows(joint), joint.v_slice] = rate * block
        return G

    def forces(self, external: np.ndarray):
        """Our wrenches per body as Pinocchio's per joint."""
        forces = pin.StdVec_Force()
        total = [pin.Force.Zero() for _ in range(self.peer.njoints)]
        for joint, place, F in zip(self.joint_of, self.place_of, external, strict=True):
            total[joint] += place.act(pin.Force(F[3:], F[:3]))
        forces.extend(total)
        return forces

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        G = self.G(q)
        M = np.array(pin.crba(self.peer, self.data, self.q(q)))
        M = np.triu(M) + np.triu(M, 1).T
        return G.T @ M @ G

    def inverse(self, q, v, vdot, external=None) -> np.ndarray:
        G = self.G(q)
        there = (self.q(q), G @ v, G @ vdot + self.Gdot(q, v) @ v)
        if external is None:
            return G.T @ pin.rnea(self.peer, self.data, *there)
        return G.T @ pin.rnea(self.peer, self.data, *there, self.forces(external))

    def forward(self, q, v, tau, external=None) -> np.ndarray:
        G = self.G(q)
        there = (self.q(q), G @ v, np.linalg.solve(G.T, tau))
        args = () if external is None else (self.forces(external),)
        vdot = pin.aba(self.peer, self.data, *there, *args)
        return np.linalg.solve(G, vdot - self.Gdot(q, v) @ v)
