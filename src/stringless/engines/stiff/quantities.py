"""Energy of bodies by their momenta."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stringless.engines.stiff.reference.kernels_pairs import MOVE, SPIN, TURN
from stringless.kinematics import body_poses
from stringless.model.model import Model
from stringless.model.pose import Pose

FloatArray = NDArray[np.float64]
FULL = (0, 3, 4, 3, 1, 5, 4, 5, 2)
"""Which of its six numbers stand where in a symmetric matrix."""


def kinetic_energy(model: Model, q: ArrayLike, v: FloatArray, momenta: FloatArray, inverses: FloatArray) -> float:
    """Energy of motion of bodies with these momenta, `Σ p²/2m + L·I⁻¹L/2`, and of armatures turning with v [J].

    `inverses` are those of `inverse_inertias`.
    """
    mass = model.tree["mass"]
    held = mass > 0
    turning = np.einsum("nij,ni->nj", body_poses(model, q).rotation, momenta[:, :3])
    turns = np.sum(turning * (inverses @ turning[:, :, None])[:, :, 0])
    moving = turns + np.sum(momenta[held, 3:6] ** 2 / mass[held, None])
    return 0.5 * float(moving + np.sum(model.dofs["armature"] * v**2))


def inverse_inertias(model: Model) -> FloatArray:
    """Inverses of the bodies' inertias about their centres of mass, along body axes; a point mass does not turn."""
    return np.asarray(np.linalg.pinv(_own_inertia(model)[1]), dtype=np.float64)


def kinetic_energy_of_rows(model: Model, v: FloatArray, bodies: FloatArray) -> float:
    """The same of bodies with poses and velocities of their own (`pairs.POSE_ROW`)."""
    mass, inertia = _own_inertia(model)
    R = np.array([Pose(rotation=tuple(row[TURN:SPIN])).matrix for row in bodies])
    w = np.einsum("nij,ni->nj", R, bodies[:, SPIN:MOVE])
    moving = np.einsum("ni,nij,nj->", w, inertia, w) + np.sum(mass[:, None] * bodies[:, MOVE:] ** 2)
    return 0.5 * float(moving + np.sum(model.dofs["armature"] * v**2))


def _own_inertia(model: Model) -> tuple[FloatArray, FloatArray]:
    """Masses, and inertias about the centres of mass along body axes."""
    tree = model.tree
    mass = tree["mass"]
    c = tree["h"] / np.where(mass > 0, mass, 1.0)[:, None]
    inertia = tree["I_o"][:, FULL].reshape(-1, 3, 3)
    spread = np.einsum("nk,nk->n", c, c)[:, None, None] * np.eye(3) - c[:, :, None] * c[:, None, :]
    return mass, inertia - mass[:, None, None] * spread
