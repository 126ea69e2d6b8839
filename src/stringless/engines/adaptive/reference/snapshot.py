"""Reference: all that the passes need to know of a moving model at one instant."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from stringless.dynamics.hybrid import passive, wrenches
from stringless.errors import InputError
from stringless.kinematics.bodies import run_motions
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """Bodies and joints at one instant; joint i leads from `parents[i]`, -1 for the ground, to body i."""

    parents: tuple[int, ...]
    inertias: FloatArray
    """(n, 6, 6)."""
    velocities: FloatArray
    """(n, 6)."""
    wrenches: FloatArray
    """External force on every body, (n, 6)."""
    axes: tuple[FloatArray, ...]
    """S of every joint, (6, d)."""
    products: FloatArray
    """Velocity product of every joint: what its body accelerates by beyond its parent if the joint does not, (n, 6)."""
    efforts: tuple[FloatArray, ...]
    """Q of every joint."""
    armatures: tuple[FloatArray, ...]
    """Inertia on every joint's own coordinates, (d, d)."""
    gravity: FloatArray
    """(6,): (0, g)."""

    @property
    def count(self) -> int:
        """Bodies, the ground not counted."""
        return len(self.parents)

    def at_rest(self, efforts: tuple[FloatArray, ...]) -> Snapshot:
        """The same bodies without motion, gravity and external forces: accelerations are then those of `efforts` alone."""
        nothing = np.zeros((self.count, 6))
        return dataclasses.replace(
            self, velocities=nothing, wrenches=nothing, products=nothing, efforts=efforts, gravity=np.zeros(6)
        )

    def split(self, values: ArrayLike) -> tuple[FloatArray, ...]:
        """A vector of all coordinates, joint by joint."""
        ends = np.cumsum([S.shape[1] for S in self.axes])
        return tuple(np.split(np.asarray(values, dtype=np.float64), ends[:-1]))


def take_snapshot(
    model: Model, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: ArrayLike | None = None
) -> Snapshot:
    """The model in a state, under efforts and wrenches on its bodies; springs and dampers of joints join the efforts.

    Raises:
        InputError: a body has no inertia, so that no acceleration belongs to a force on it.
    """
    n = model.body_count
    forces = np.zeros((n, 6)) if external is None else wrenches(model, external)
    efforts = model.vector(tau, model.nv, "tau") + passive(model, q, v)
    work = run_motions(model, q, v)
    inertias, moved, pushed, products = np.zeros((n, 6, 6)), np.zeros((n, 6)), np.zeros((n, 6)), np.zeros((n, 6))
    axes: list[FloatArray] = []
    for i, (row, joint) in enumerate(zip(work.bodies, model.joints, strict=True)):
        X, R = to_origin(row["p"]), row["R"].reshape(3, 3)
        inertias[i] = X.T @ _turned(_inertia(model, i), R) @ X
        if np.linalg.matrix_rank(inertias[i]) < 6:
            name = model.bodies[i].name
            raise InputError(
                f"body '{name}' has no inertia in some direction, which the passes cannot invert; give it some"
            )
        moved[i], products[i] = (np.linalg.solve(X, row[name]) for name in ("V", "eta"))
        pushed[i] = X.T @ np.concatenate([R @ forces[i, :3], R @ forces[i, 3:]])
        S = np.zeros((6, joint.nv))
        for k, d in enumerate(range(joint.v_slice.start, joint.v_slice.stop)):
            S[0 if model.dofs[d]["rotational"] else 3 :, k][:3] = work.dofs[d]["a"]
        axes.append(np.asarray(np.linalg.solve(X, S), dtype=np.float64))
    armature, slices = model.dofs["armature"], [joint.v_slice for joint in model.joints]
    return Snapshot(
        parents=tuple(int(parent) for parent in model.tree["parent"]),
        inertias=inertias,
        velocities=moved,
        wrenches=pushed,
        axes=tuple(axes),
        products=products,
        efforts=tuple(efforts[part].copy() for part in slices),
        armatures=tuple(np.diag(armature[part]) for part in slices),
        gravity=np.concatenate([np.zeros(3), model.gravity]),
    )


def to_origin(p: FloatArray) -> FloatArray:
    """X with `X V` the motion at point p of what moves with V at the world's origin."""
    X = np.eye(6)
    X[3:, :3] = -skew(p)
    return X


def skew(x: FloatArray) -> FloatArray:
    """`[x]`, with `[x] y = x × y`."""
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def ad(V: FloatArray) -> FloatArray:
    """`[[[w], 0], [[v], [w]]]`: `ad(V) S` is the cross product of motions, `-ad(V)ᵀ F` that of a motion and a force."""
    w, v = skew(V[:3]), skew(V[3:])
    return np.block([[w, np.zeros((3, 3))], [v, w]])


def _inertia(model: Model, i: int) -> FloatArray:
    """Inertia of a body about its origin, along body axes."""
    row = model.tree[i]
    xx, yy, zz, xy, xz, yz = row["I_o"]
    H = skew(row["h"])
    return np.block([[np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), H], [H.T, float(row["mass"]) * np.eye(3)]])


def _turned(I: FloatArray, R: FloatArray) -> FloatArray:
    """An inertia along other axes."""
    both = np.kron(np.eye(2), R)
    return both @ I @ both.T
