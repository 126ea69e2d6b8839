"""Mass matrix, bias, forward, inverse and hybrid dynamics by dense sums over the bodies, and RNEA as in the notes."""

from __future__ import annotations

import numpy as np

from naive.kinematics import (
    Ad,
    ad,
    body_jacobian_rates,
    body_jacobians,
    coordinates,
    joint_columns,
    joint_columns_rate,
    parents,
    poses,
    skew,
    stretch,
)
from stringless.model import BodySpec, Model


def spatial_inertia(spec: BodySpec) -> np.ndarray:
    """Six by six inertia about the body origin, in the body frame, angular first."""
    xx, yy, zz, xy, xz, yz = spec.inertia
    c = skew(np.asarray(spec.center_of_mass))
    I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) + spec.mass * c @ c.T
    return np.block([[I, spec.mass * c], [spec.mass * c.T, spec.mass * np.eye(3)]])


def mass_matrix(model: Model, q: np.ndarray, *, armature: bool = True) -> np.ndarray:
    """`Σ Jᵀ I J` and the armature."""
    M = np.diag(coordinates(model, "armature")) if armature else np.zeros((model.nv, model.nv))
    for J, spec in zip(body_jacobians(model, q), model.specs, strict=True):
        M = M + J.T @ spatial_inertia(spec) @ J
    return M


def coriolis(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """A matrix C with `C v` the velocity product and `dM/dt - 2 C` skew: `Σ Jᵀ (I dJ/dt + N J)`.

    N is the skew matrix with `N V = -ad(V)ᵀ I V`.
    """
    C = np.zeros((model.nv, model.nv))
    for J, Jdot, spec in zip(body_jacobians(model, q), body_jacobian_rates(model, q, v), model.specs, strict=True):
        I = spatial_inertia(spec)
        momentum = I @ J @ v
        m, f = skew(momentum[:3]), skew(momentum[3:])
        C += J.T @ (I @ Jdot - np.block([[m, f], [f, np.zeros((3, 3))]]) @ J)
    return C


def bias(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`C v + g(q)`: gravity is the weight of every body at its centre of mass."""
    b = coriolis(model, q, v) @ v
    for J, T, spec in zip(body_jacobians(model, q), poses(model, q), model.specs, strict=True):
        weight = spec.mass * T[:3, :3].T @ model.gravity
        b -= J.T @ np.concatenate([np.cross(spec.center_of_mass, weight), weight])
    return b


def loads(model: Model, q: np.ndarray, v: np.ndarray, external: np.ndarray | None = None) -> np.ndarray:
    """Efforts of springs, dampers and external wrenches."""
    tau = -coordinates(model, "stiffness") * stretch(model, q) - coordinates(model, "damping") * v
    if external is not None:
        tau = tau + sum(J.T @ F for J, F in zip(body_jacobians(model, q), external, strict=True))
    return tau


def forward(
    model: Model, q: np.ndarray, v: np.ndarray, tau: np.ndarray, external: np.ndarray | None = None
) -> np.ndarray:
    """`M⁻¹ (tau + loads - bias)`."""
    return np.linalg.solve(mass_matrix(model, q), tau + loads(model, q, v, external) - bias(model, q, v))


def inverse(
    model: Model, q: np.ndarray, v: np.ndarray, vdot: np.ndarray, external: np.ndarray | None = None
) -> np.ndarray:
    """`M vdot + bias - loads`."""
    return mass_matrix(model, q) @ vdot + bias(model, q, v) - loads(model, q, v, external)


def hybrid(
    model: Model,
    q: np.ndarray,
    v: np.ndarray,
    prescribed: np.ndarray,
    vdot: np.ndarray,
    tau: np.ndarray,
    external: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """By partition of M and bias into prescribed and free rows."""
    M, b = mass_matrix(model, q), bias(model, q, v) - loads(model, q, v, external)
    P, N = np.flatnonzero(prescribed), np.flatnonzero(~prescribed)
    a = vdot.copy()
    if len(N):
        a[N] = np.linalg.solve(M[np.ix_(N, N)], tau[N] - b[N] - M[np.ix_(N, P)] @ vdot[P])
    t = tau.copy()
    t[P] = (M @ a + b)[P]
    return a, t


def inverse_recursive(
    model: Model, q: np.ndarray, v: np.ndarray, vdot: np.ndarray, external: np.ndarray | None = None
) -> np.ndarray:
    """The recursion of the notes, section 1.2 with everything prescribed, in body frames as printed."""
    T, above = poses(model, q), parents(model)
    n = model.body_count
    A, V, Vdot, F = [np.eye(6)] * n, [np.zeros(6)] * n, [np.zeros(6)] * n, [np.zeros(6)] * n
    S = [joint_columns(joint.spec, q[joint.q_slice]) for joint in model.joints]
    ground = np.concatenate([np.zeros(3), -model.gravity])
    for i, joint in enumerate(model.joints):
        T_par = np.eye(4) if above[i] < 0 else T[above[i]]
        A[i] = Ad(np.linalg.inv(T[i]) @ T_par)
        u = v[joint.v_slice]
        V[i] = S[i] @ u + (A[i] @ V[above[i]] if above[i] >= 0 else 0)
        eta = ad(V[i]) @ S[i] @ u + joint_columns_rate(joint.spec, q[joint.q_slice], u) @ u
        Vdot[i] = A[i] @ (Vdot[above[i]] if above[i] >= 0 else ground) + eta + S[i] @ vdot[joint.v_slice]
    tau = coordinates(model, "armature") * vdot - loads(model, q, v)
    for i in range(n - 1, -1, -1):
        I = spatial_inertia(model.specs[i])
        F[i] = F[i] + I @ Vdot[i] - ad(V[i]).T @ I @ V[i] - (0 if external is None else external[i])
        tau[model.joints[i].v_slice] += S[i].T @ F[i]
        if above[i] >= 0:
            F[above[i]] = F[above[i]] + A[i].T @ F[i]
    return tau


def kinetic_energy(model: Model, q: np.ndarray, v: np.ndarray) -> float:
    """`½ vᵀ M v`."""
    return 0.5 * float(v @ mass_matrix(model, q) @ v)


def potential_energy(model: Model, q: np.ndarray) -> float:
    """Of weights and springs."""
    energy = 0.5 * float(np.sum(coordinates(model, "stiffness") * stretch(model, q) ** 2))
    for T, spec in zip(poses(model, q), model.specs, strict=True):
        energy -= spec.mass * float(model.gravity @ (T @ np.append(spec.center_of_mass, 1.0))[:3])
    return energy


def lie_term(model: Model, v: np.ndarray, p: np.ndarray) -> np.ndarray:
    """`-ad(u)ᵀ p` of every ball and free joint: what a velocity along body axes adds to Lagrange's equations.

    p is the momentum of the bodies alone: armature resists acceleration and has no direction of its own (as in MuJoCo).
    """
    out = np.zeros(model.nv)
    for joint in model.joints:
        u, momentum = v[joint.v_slice], p[joint.v_slice]
        if joint.kind.name == "ball":
            out[joint.v_slice] = np.cross(u, momentum)
        elif joint.kind.name == "free":
            out[joint.v_slice] = -ad(u).T @ momentum
    return out
