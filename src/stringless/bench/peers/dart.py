"""DART: set the state, `computeForwardDynamics`, get the accelerations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stringless.bench.peers.base import (
    FloatArray,
    Peer,
    PeerModel,
    UnsupportedError,
    inertia_matrix,
    load,
    refuse_springs_and_dampers,
    unit_axes,
)
from stringless.model.model import Body, Model
from stringless.model.pose import rotation_matrix

LARGEST = 1000
"""Bodies. Building a skeleton takes time that grows faster than their square."""


class DartModel(PeerModel):
    """A skeleton.

    Configurations hold a rotation vector where ours hold a quaternion. A free body moves along the axes of its parent,
    ours along its own.
    """

    def __init__(self, model: Model) -> None:
        """Add a joint and a body node for each of ours."""
        dartpy = load("dartpy")
        self.dart = dartpy
        self.bodies = model.bodies
        self.skeleton = dartpy.dynamics.Skeleton(model.name)
        self._order: list[int] = [0] * model.nv
        nodes: dict[int, Any] = {-1: None}
        for body in model.bodies:
            joint, nodes[body.index] = self._add(body, nodes[body.parent])
            for k in range(body.joint.nv):
                self._order[joint.getIndexInSkeleton(k)] = body.joint.v_slice.start + k
        self.skeleton.setGravity(np.array(model.gravity))

    def _add(self, body: Body, parent: Any) -> tuple[Any, Any]:
        create = {
            "fixed": self.skeleton.createWeldJointAndBodyNodePair,
            "revolute": self.skeleton.createRevoluteJointAndBodyNodePair,
            "prismatic": self.skeleton.createPrismaticJointAndBodyNodePair,
            "universal": self.skeleton.createUniversalJointAndBodyNodePair,
            "ball": self.skeleton.createBallJointAndBodyNodePair,
            "planar": self.skeleton.createPlanarJointAndBodyNodePair,
            "translational": self.skeleton.createTranslationalJointAndBodyNodePair,
            "free": self.skeleton.createFreeJointAndBodyNodePair,
        }.get(body.joint.kind.name)
        if create is None:
            raise UnsupportedError(f"has no joint of type '{body.joint.kind.name}'")
        joint, node = create(parent)
        place = np.eye(4)
        place[:3, :3], place[:3, 3] = body.spec.place.matrix, body.spec.place.position
        joint.setTransformFromParentBodyNode(self.dart.math.Isometry3(place))
        axes = unit_axes(body)
        if body.joint.kind.name in ("revolute", "prismatic"):
            joint.setAxis(axes[0])
        elif body.joint.kind.name == "universal":
            joint.setAxis1(axes[0])
            joint.setAxis2(axes[1])
        center = np.asarray(body.spec.center_of_mass, float)
        node.setInertia(self.dart.dynamics.Inertia(body.mass, center, inertia_matrix(body)))
        return joint, node

    def _positions(self, q: FloatArray) -> FloatArray:
        parts = []
        dynamics = self.dart.dynamics
        for body in self.bodies:
            part = q[body.joint.q_slice]
            if body.joint.kind.name == "ball":
                part = dynamics.BallJoint.convertToPositions(rotation_matrix(tuple(part)))
            elif body.joint.kind.name == "free":
                place = np.eye(4)
                place[:3, :3], place[:3, 3] = rotation_matrix(tuple(part[3:])), part[:3]
                part = dynamics.FreeJoint.convertToPositions(self.dart.math.Isometry3(place))
            parts.append(np.asarray(part))
        return np.concatenate(parts)[self._order]

    def _turned(self, q: FloatArray, values: FloatArray) -> FloatArray:
        """Velocities or forces of ours in its coordinates."""
        result = values.copy()
        for body in self.bodies:
            if body.joint.kind.name == "free":
                R, part = turn_in_parent(body, q), result[body.joint.v_slice]
                part[:3], part[3:] = R @ part[:3], R @ part[3:]
        return result[self._order]

    def forward_call(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> Callable[[], Any]:
        """All that a new state needs; DART itself finds out what has changed."""
        skeleton, positions = self.skeleton, self._positions(q)
        velocities, forces = self._turned(q, v), self._turned(q, tau)

        def call() -> Any:
            skeleton.setPositions(positions)
            skeleton.setVelocities(velocities)
            skeleton.setForces(forces)
            skeleton.computeForwardDynamics()
            return skeleton.getAccelerations()

        return call

    def forward(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> FloatArray:
        """Accelerations in our coordinates: of a free body, `vdot = Rᵀ a - w x v`."""
        vdot = np.empty(len(v))
        vdot[self._order] = self.forward_call(q, v, tau)()
        for body in self.bodies:
            if body.joint.kind.name == "free":
                R = turn_in_parent(body, q)
                part, u = vdot[body.joint.v_slice], v[body.joint.v_slice]
                part[:3], part[3:] = R.T @ part[:3], R.T @ part[3:] - np.cross(u[:3], u[3:])
        return vdot


def turn_in_parent(body: Body, q: FloatArray) -> FloatArray:
    """Rotation of a free body's axes into its parent's."""
    return body.spec.place.matrix @ rotation_matrix(tuple(q[body.joint.q_slice][3:]))


def build(model: Model) -> DartModel:
    """Rebuild `model`."""
    refuse_springs_and_dampers(model)
    if np.any(model.dofs["armature"]):
        raise UnsupportedError(f"knows no armature; model '{model.name}' has some")
    return DartModel(model)


def refuse(model: Model) -> str:
    """Building takes too long for long chains."""
    return f"building {model.body_count} bodies takes it minutes" if model.body_count > LARGEST else ""


PEER = Peer("dart", "dartpy", "dartpy", build, refuse)
