"""How the bodies of a character are placed and move, and how that changes: the same for every configuration.

Poses and velocities of the bodies' own frames along world axes, and their columns: a turn θ, a shift of the origin, and the
changes of both velocities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.editing.configurations import Configuration
from stringless.kinematics import kernels
from stringless.model import Pose
from stringless.model.model import Model
from stringless.state.scratch import scratch

FloatArray = NDArray[np.float64]


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Cross product of columns of vectors, shapes (..., 3, C) or (..., 3, 1)."""
    x, y, z = a[..., 0, :], a[..., 1, :], a[..., 2, :]
    u, v, w = b[..., 0, :], b[..., 1, :], b[..., 2, :]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-2)


@dataclass
class Bodies:
    """All bodies of a character at one moment; n bodies, C columns."""

    R: FloatArray
    """(n, 3, 3)."""
    p: FloatArray
    """(n, 3) [m]."""
    w: FloatArray
    v: FloatArray
    """Angular velocity, velocity of the origin, (n, 3)."""
    turn: FloatArray
    shift: FloatArray
    """Columns of R and p, (n, 3, C): `R <- exp([turn]) R`."""
    dw: FloatArray
    dv: FloatArray
    """Columns of w and v, (n, 3, C)."""

    def point(self, body: int, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Where a point of a body is, and its columns (3, C)."""
        r = self.R[body] @ at
        return self.p[body] + r, self.shift[body] + cross(self.turn[body], r[:, None])

    def point_velocity(self, body: int, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """How fast a point of a body is, and its columns (3, C)."""
        r = self.R[body] @ at
        turned = cross(self.w[body][:, None], cross(self.turn[body], r[:, None]))
        return self.v[body] + np.cross(self.w[body], r), self.dv[body] + cross(self.dw[body], r[:, None]) + turned


@dataclass
class Skeleton:
    """Axes of a tree's coordinates at one moment, along world axes."""

    paths: NDArray[np.bool_]
    """(bodies, nv): whether the coordinate moves the body."""
    turns: NDArray[np.bool_]
    owner: NDArray[np.int64]
    """The body whose joint each coordinate belongs to."""
    a: FloatArray
    """(nv, 3)."""
    R: FloatArray
    p: FloatArray
    V: FloatArray
    """Of the tree's bodies: (n, 3, 3), (n, 3), (n, 6)."""

    def jacobian(self, x: FloatArray, body: int) -> FloatArray:
        """Jacobian of the velocity of a point at `x` on a body, angular rows first, (6, nv)."""
        arm = np.where(self.turns[:, None], np.cross(self.a, x - self.p[self.owner]), self.a)
        return np.concatenate([np.where(self.turns[:, None], self.a, 0.0), arm], axis=1).T * self.paths[body]


def paths_of(model: Model) -> NDArray[np.bool_]:
    """Which coordinates move which bodies."""
    paths = np.zeros((model.body_count, model.nv), bool)
    for i, row in enumerate(model.tree):
        if row["parent"] >= 0:
            paths[i] = paths[row["parent"]]
        paths[i, row["v0"] : row["v0"] + row["nv"]] = True
    return paths


def skeleton(model: Model, tree: Any, q: FloatArray, v: FloatArray) -> Skeleton:
    """Poses, velocities and axes of all bodies; `tree` stands in for the model's own."""
    work = scratch(model)
    kernels.motions(tree, model.dofs, q, v, work.bodies, work.dofs)
    return Skeleton(
        paths_of(model), model.dofs["turns"] == 1, model.dofs["body"], work.dofs["a"].copy(),
        work.bodies["R"].reshape(-1, 3, 3).copy(), work.bodies["p"].copy(), work.bodies["V"].copy(),
    )  # fmt: skip


@dataclass
class Variation:
    """How the bodies of a tree move and how its axes turn, in all columns."""

    turn: FloatArray
    shift: FloatArray
    dw: FloatArray
    dv: FloatArray
    """Of the tree's bodies, (n, 3, C)."""
    da: FloatArray
    """Of the axes, (nv, 3, C)."""


def vary(
    model: Model, s: Skeleton, v: FloatArray, dq: FloatArray, dv: FloatArray, dplace: FloatArray, at: FloatArray,
    wanted: NDArray[np.int64] | None = None,
) -> Variation:  # fmt: skip
    """Variation of bodies from the columns of the joints and of the place `at` which the root sits at: (6, C), turn first.

    An axis turns with the frame it is fixed in: the body itself where coordinates act at once, else the one before it.
    Only bodies that are `wanted`, and those on the way to them, are filled in.
    """
    n, columns = len(s.p), dq.shape[1]
    needed = np.ones(n, bool) if wanted is None else np.any(_carriers(model)[wanted], axis=0)
    turning = np.where(s.turns[:, None], s.a, 0.0)
    turned = turning[:, :, None] * dq[:, None, :]
    turn = dplace[:3] + np.tensordot(s.paths.astype(float), turned, 1)
    frames = turn[s.owner]
    for row in model.tree[(model.tree["sequential"] == 1) & (model.tree["nv"] > 0)]:
        own = slice(row["v0"], row["v0"] + row["nv"])
        frames[own] -= np.cumsum(turned[own][::-1], axis=0)[::-1]
    da = cross(frames, s.a[:, :, None])
    shift = np.zeros((n, 3, columns))
    dw, dv_out = np.zeros_like(shift), np.zeros_like(shift)
    for b in np.flatnonzero(needed):
        on = np.flatnonzero(s.paths[b])
        turns = s.turns[on, None]
        arms = s.p[b] - s.p[s.owner[on]]
        reach = np.where(turns, np.cross(s.a[on], arms), s.a[on])
        shift[b] = dplace[3:] + cross(dplace[:3], (s.p[b] - at)[:, None]) + reach.T @ dq[on]
        dw[b] = turning[on].T @ dv[on] + np.tensordot(np.where(s.turns[on], v[on], 0.0), da[on], 1)
        # Parents come first: the shift of every origin on the way is known.
        swung = cross(da[on], arms[:, :, None]) + cross(s.a[on][:, :, None], shift[b] - shift[s.owner[on]])
        dv_out[b] = reach.T @ dv[on] + np.tensordot(v[on], np.where(turns[:, :, None], swung, da[on]), 1)
    return Variation(turn, shift, dw, dv_out, da)


def _carriers(model: Model) -> NDArray[np.bool_]:
    """By body, which bodies it is or hangs on."""
    out = np.eye(model.body_count, dtype=bool)
    for i, parent in enumerate(model.tree["parent"]):
        if parent >= 0:
            out[i] |= out[parent]
    return out


def observe(
    configuration: Configuration, tree: Any, q: FloatArray, v: FloatArray, dq: FloatArray, dv: FloatArray, dplace: FloatArray,
    wanted: NDArray[np.int64] | None = None,
) -> Bodies:  # fmt: skip
    """The bodies of the character in their own frames, from the state of the tree and its columns.

    Columns are those of all bodies, or of the `wanted` ones at least.
    """
    model = configuration.model
    s = skeleton(model, tree, q, v)
    order = configuration.bodies
    x = vary(model, s, v, dq, dv, dplace, np.asarray(tree["p"][0]), None if wanted is None else order[wanted])
    out = Bodies(
        s.R[order], s.p[order], s.V[order, :3], s.V[order, 3:], x.turn[order], x.shift[order], x.dw[order], x.dv[order]
    )
    for b, frame in enumerate(configuration.frames):
        if frame != Pose():
            at = np.asarray(frame.position)
            p, shift = out.point(b, at)
            out.v[b], out.dv[b] = out.point_velocity(b, at)
            out.p[b], out.shift[b], out.R[b] = p, shift, out.R[b] @ frame.matrix
    return out
