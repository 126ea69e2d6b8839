"""Energy of bodies by their momenta."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stringless.kinematics import body_poses
from stringless.model.model import Model

FloatArray = NDArray[np.float64]
PLACES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Where the six numbers of a symmetric matrix stand."""


def kinetic_energy(model: Model, q: ArrayLike, v: FloatArray, momenta: FloatArray) -> float:
    """Energy of motion of bodies with these momenta, `Σ p²/2m + L·I⁻¹L/2`, and of armatures turning with v [J]."""
    tree, R = model.tree, body_poses(model, q).rotation
    mass = tree["mass"]
    held = mass > 0
    c = tree["h"][held] / mass[held, None]
    inertia = np.zeros((int(held.sum()), 3, 3))
    for k, (i, j) in enumerate(PLACES):
        inertia[:, i, j] = inertia[:, j, i] = tree["I_o"][held][:, k]
    spread = np.einsum("nk,nk->n", c, c)[:, None, None] * np.eye(3) - c[:, :, None] * c[:, None, :]
    inertia -= mass[held, None, None] * spread
    turning = np.einsum("nij,ni->nj", R[held], momenta[held, :3])
    w = (np.linalg.pinv(inertia) @ turning[:, :, None])[:, :, 0]  # a point mass has no inertia of its own
    moving = np.sum(turning * w) + np.sum(momenta[held, 3:] ** 2 / mass[held, None])
    return 0.5 * float(moving + np.sum(model.dofs["armature"] * v**2))
