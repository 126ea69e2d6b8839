"""Poses, twists and Jacobians by 4 by 4 and 6 by 6 matrices. Reads the description of a model, not its tables.

Twists are angular first, of the body frame, in the body frame (docs/theory/articulated.md, sections 1.2 and 2.1).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.spatial.transform import Rotation

from stringless.model import JointSpec, Model


def skew(x: np.ndarray) -> np.ndarray:
    """`[x]`, with `[x] y = x × y`."""
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def matrix(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The 4 by 4 matrix of a pose."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def Ad(T: np.ndarray) -> np.ndarray:
    """`[[R, 0], [[p] R, R]]`."""
    R, p = T[:3, :3], T[:3, 3]
    return np.block([[R, np.zeros((3, 3))], [skew(p) @ R, R]])


def ad(V: np.ndarray) -> np.ndarray:
    """`[[[w], 0], [[v], [w]]]`."""
    w, v = skew(V[:3]), skew(V[3:])
    return np.block([[w, np.zeros((3, 3))], [v, w]])


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation matrix about a unit axis."""
    return Rotation.from_rotvec(angle * np.asarray(axis)).as_matrix()


def unit_axes(joint: JointSpec) -> list[np.ndarray]:
    """The joint's axes at unit length."""
    return [np.asarray(axis) / np.linalg.norm(axis) for axis in joint.axes]


Twin = Callable[..., np.ndarray]
TWINS: dict[str, tuple[Twin, Twin, Twin]] = {}
"""Of joint types from outside of the package, by name: the three functions below, of axes, q and, the last, u."""


def joint_matrix(joint: JointSpec, q: np.ndarray) -> np.ndarray:
    """T_J(q)."""
    a = unit_axes(joint)
    if joint.kind in TWINS:
        return TWINS[joint.kind][0](a, q)
    match joint.kind:
        case "revolute":
            return matrix(turn(a[0], q[0]), np.zeros(3))
        case "prismatic":
            return matrix(np.eye(3), q[0] * a[0])
        case "universal":
            return matrix(turn(a[0], q[0]) @ turn(a[1], q[1]), np.zeros(3))
        case "ball":
            return matrix(Rotation.from_quat(q).as_matrix(), np.zeros(3))
        case "planar":
            return matrix(turn(np.array([0.0, 0.0, 1.0]), q[2]), np.array([q[0], q[1], 0.0]))
        case "translational":
            return matrix(np.eye(3), q)
        case "free":
            return matrix(Rotation.from_quat(q[3:]).as_matrix(), q[:3])
    assert joint.kind == "fixed"
    return np.eye(4)


def joint_columns(joint: JointSpec, q: np.ndarray) -> np.ndarray:
    """S(q), in the body frame, shape (6, nv): the table of section 1.1."""
    a, o = unit_axes(joint), np.zeros(3)
    if joint.kind in TWINS:
        return TWINS[joint.kind][1](a, q)
    match joint.kind:
        case "revolute":
            return np.concatenate([a[0], o])[:, None]
        case "prismatic":
            return np.concatenate([o, a[0]])[:, None]
        case "universal":
            return np.stack([np.concatenate([turn(a[1], q[1]).T @ a[0], o]), np.concatenate([a[1], o])], axis=1)
        case "ball":
            return np.eye(6)[:, :3]
        case "planar":
            c, s = np.cos(q[2]), np.sin(q[2])
            return np.array([[0, 0, 0, c, -s, 0], [0, 0, 0, s, c, 0], [0, 0, 1, 0, 0, 0]], float).T
        case "translational":
            return np.eye(6)[:, 3:]
        case "free":
            return np.eye(6)
    return np.zeros((6, 0))


def joint_columns_rate(joint: JointSpec, q: np.ndarray, u: np.ndarray) -> np.ndarray:
    """dS/dt, in the body frame, shape (6, nv)."""
    S = np.zeros((6, len(u)))
    if joint.kind in TWINS:
        return TWINS[joint.kind][2](unit_axes(joint), q, u)
    if joint.kind == "universal":
        a = unit_axes(joint)
        S[:3, 0] = -u[1] * np.cross(a[1], turn(a[1], q[1]).T @ a[0])
    elif joint.kind == "planar":
        c, s = np.cos(q[2]), np.sin(q[2])
        S[3:, 0] = u[2] * np.array([-s, -c, 0.0])
        S[3:, 1] = u[2] * np.array([c, -s, 0.0])
    return S


def parents(model: Model) -> list[int]:
    """Index of every body's parent, by name; -1 for the ground."""
    index = {spec.name: i for i, spec in enumerate(model.specs)}
    return [index.get(spec.parent, -1) for spec in model.specs]


def ancestors(model: Model, i: int) -> list[int]:
    """The body itself and everything between it and the ground."""
    above, found = parents(model), []
    while i >= 0:
        found.append(i)
        i = above[i]
    return found


def poses(model: Model, q: np.ndarray) -> list[np.ndarray]:
    """World poses as 4 by 4 matrices."""
    T: list[np.ndarray] = []
    for i, (spec, parent) in enumerate(zip(model.specs, parents(model), strict=True)):
        x, y, z, w = np.asarray(spec.place.rotation) / np.linalg.norm(spec.place.rotation)
        X = matrix(Rotation.from_quat([x, y, z, w]).as_matrix(), np.asarray(spec.place.position))
        here = X @ joint_matrix(spec.joint, q[model.joints[i].q_slice])
        T.append(here if parent < 0 else T[parent] @ here)
    return T


def body_jacobians(model: Model, q: np.ndarray) -> list[np.ndarray]:
    """Every body's twist by the velocities, in its own frame: blocks `Ad(T_i⁻¹ T_k) S_k` of its ancestors k."""
    T = poses(model, q)
    result = []
    for i in range(model.body_count):
        J = np.zeros((6, model.nv))
        for k in ancestors(model, i):
            joint = model.joints[k]
            J[:, joint.v_slice] = Ad(np.linalg.inv(T[i]) @ T[k]) @ joint_columns(joint.spec, q[joint.q_slice])
        result.append(J)
    return result


def body_jacobian_rates(model: Model, q: np.ndarray, v: np.ndarray) -> list[np.ndarray]:
    """Their rates: `d/dt Ad(T) = Ad(T) ad(T⁻¹ dT/dt)` with `T_ik⁻¹ dT_ik/dt = V_k - Ad(T_ki) V_i`."""
    T = poses(model, q)
    V = [J @ v for J in body_jacobians(model, q)]
    result = []
    for i in range(model.body_count):
        J = np.zeros((6, model.nv))
        for k in ancestors(model, i):
            joint = model.joints[k]
            T_ik = np.linalg.inv(T[i]) @ T[k]
            apart = V[k] - Ad(np.linalg.inv(T_ik)) @ V[i]
            S = joint_columns(joint.spec, q[joint.q_slice])
            Sdot = joint_columns_rate(joint.spec, q[joint.q_slice], v[joint.v_slice])
            J[:, joint.v_slice] = Ad(T_ik) @ (ad(apart) @ S + Sdot)
        result.append(J)
    return result


def stretch(model: Model, q: np.ndarray) -> np.ndarray:
    """Stretch of every joint spring from its rest."""
    x = np.zeros(model.nv)
    for joint in model.joints:
        if not joint.nv:
            continue
        here = q[joint.q_slice]
        rest = np.asarray(joint.spec.rest or joint.kind.neutral, float)
        if joint.kind.is_vector:
            x[joint.v_slice] = here - rest
            continue
        turned = (Rotation.from_quat(rest[-4:]).inv() * Rotation.from_quat(here[-4:])).as_rotvec()
        shifted = Rotation.from_quat(here[-4:]).inv().apply(here[:3] - rest[:3]) if joint.nq == 7 else np.zeros(0)
        x[joint.v_slice] = np.concatenate([turned, shifted])
    return x


def coordinates(model: Model, field: str) -> np.ndarray:
    """Stiffness, damping or armature of every velocity coordinate, from the description."""
    values = [np.broadcast_to(getattr(joint.spec, field) or (0.0,), joint.nv) for joint in model.joints if joint.nv]
    return np.concatenate([np.zeros(0), *values])
