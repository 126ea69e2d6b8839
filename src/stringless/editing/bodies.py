"""How the bodies of a character are placed and move, and how that changes: the same for every configuration.

Poses and velocities of the bodies' own frames along world axes, and their columns: a turn θ, a shift of the origin, and the
changes of both velocities.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from stringless.editing import kernels_bodies
from stringless.editing.configurations import HERE, Configuration
from stringless.editing.records import JointColumns, Variation
from stringless.errors import InputError
from stringless.kinematics import kernels
from stringless.model.joints import JointType
from stringless.model.model import Joint, Model
from stringless.model.pose import rotation_matrix
from stringless.spatial.arrays import BoolArray, FloatArray, IntArray
from stringless.state.scratch import scratch


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Cross product of columns of vectors, shapes (..., 3, C) or (..., 3, 1)."""
    x, y, z = a[..., 0, :], a[..., 1, :], a[..., 2, :]
    u, v, w = b[..., 0, :], b[..., 1, :], b[..., 2, :]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-2)


@dataclass
class TreeState:
    """A state of a tree with its columns."""

    tree: Any
    """The table of the tree's bodies, which stands in for the model's own; the root sits where it was gripped."""
    q: FloatArray
    v: FloatArray
    dq: FloatArray
    dv: FloatArray
    """(nv, C)."""
    dplace: FloatArray
    """How the place of the root changes: turn and shift along world axes, (6, C)."""

    @classmethod
    def without_columns(cls, tree: Any, q: FloatArray, v: FloatArray) -> Self:
        """A state without columns."""
        return cls(tree, q, v, np.zeros((len(v), 0)), np.zeros((len(v), 0)), np.zeros((6, 0)))


@dataclass
class Bodies:
    """All bodies of a character at one time; n bodies, C columns."""

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
    mass: FloatArray
    """(n,) [kg]."""
    heavier: FloatArray
    """Columns of the logarithm of the masses, (n, C)."""
    centers: FloatArray
    """Centre of mass of each body in its own frame, (n, 3) [m]."""
    joint: Callable[[int], tuple[FloatArray, FloatArray]]
    """Coordinates of the joint between a body and its parent as it was built, and their columns (nv, C)."""

    def center(self) -> tuple[FloatArray, FloatArray]:
        """Where the centre of mass of all is, and its columns (3, C)."""
        return self._weighted(*zip(*(self.point(b, at) for b, at in enumerate(self.centers)), strict=True))

    def center_velocity(self) -> tuple[FloatArray, FloatArray]:
        """How fast the centre of mass of all is, and its columns (3, C)."""
        return self._weighted(*zip(*(self.point_velocity(b, at) for b, at in enumerate(self.centers)), strict=True))

    def _weighted(self, x: Sequence[FloatArray], dx: Sequence[FloatArray]) -> tuple[FloatArray, FloatArray]:
        """`Σ m x / Σ m`; a body that gets heavier pulls it to itself."""
        share = self.mass / self.mass.sum()
        mean = share @ np.array(x)
        moved = np.einsum("b,bkc->kc", share, np.array(dx))
        return mean, moved + (np.array(x) - mean).T @ (share[:, None] * self.heavier)

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
    """Axes of a tree's coordinates at one time, along world axes."""

    paths: BoolArray
    """(bodies, nv): whether the coordinate moves the body."""
    rotational: BoolArray
    owner: IntArray
    """The body whose joint each coordinate belongs to."""
    a: FloatArray
    """(nv, 3)."""
    R: FloatArray
    p: FloatArray
    V: FloatArray
    """Of the tree's bodies: (n, 3, 3), (n, 3), (n, 6)."""

    def jacobians(self) -> FloatArray:
        """Jacobians of all bodies' velocities at their origins, along their own axes, angular rows first, (n, 6, nv)."""
        rotational = self.rotational[:, None]
        arm = (
            np.where(rotational, np.cross(self.a, self.p[:, None] - self.p[self.owner]), self.a)
            * self.paths[:, :, None]
        )
        axis = np.where(rotational, self.a, 0.0) * self.paths[:, :, None]
        along = np.swapaxes(self.R, 1, 2)
        return np.concatenate([along @ np.swapaxes(axis, 1, 2), along @ np.swapaxes(arm, 1, 2)], axis=1)

    def jacobian(self, x: FloatArray, body: int) -> FloatArray:
        """Jacobian of the velocity of a point at `x` on a body, angular rows first, (6, nv)."""
        arm = np.where(self.rotational[:, None], np.cross(self.a, x - self.p[self.owner]), self.a)
        return np.concatenate([np.where(self.rotational[:, None], self.a, 0.0), arm], axis=1).T * self.paths[body]


def find_paths(model: Model) -> BoolArray:
    """Which coordinates move which bodies."""
    paths = np.zeros((model.body_count, model.nv), bool)
    for i, row in enumerate(model.tree):
        if row["parent"] >= 0:
            paths[i] = paths[row["parent"]]
        paths[i, row["v0"] : row["v0"] + row["nv"]] = True
    return paths


def make_skeleton(model: Model, tree: Any, q: FloatArray, v: FloatArray) -> Skeleton:
    """Poses, velocities and axes of all bodies; `tree` stands in for the model's own."""
    work = scratch(model)
    kernels.motions(tree, model.dofs, q, v, work.bodies, work.dofs)
    R, p, V = (work.bodies[name].copy() for name in ("R", "p", "V"))
    rotational, owner, a = model.dofs["rotational"] == 1, model.dofs["body"], work.dofs["a"].copy()
    return Skeleton(find_paths(model), rotational, owner, a, R.reshape(-1, 3, 3), p, V)


def vary_bodies(model: Model, m: TreeState) -> Variation:
    """Variation of bodies from the columns of the joints and of the place of the root."""
    work, count = scratch(model), m.dq.shape[1]
    columns = JointColumns(*(np.ascontiguousarray(values) for values in (m.dq, m.dv, m.dplace)))
    out = Variation(*np.empty((4, model.body_count, 3, count)), da=np.empty((model.nv, 3, count)))
    kernels_bodies.vary(work.skeleton._replace(tree=m.tree), m.q, m.v, columns, work.tables, out)
    return out


def find_carrier(configuration: Configuration, b: int) -> Joint:
    """The joint between body b of the character and its parent: it carries one of them in the tree."""
    other = int(configuration.character.tree["parent"][b]) if configuration.reversed[b] else b
    return configuration.model.joints[int(configuration.bodies[other])]


def find_joint_coordinates(
    configuration: Configuration, b: int, q: FloatArray, dq: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Coordinates of the joint between body b and its parent as the character was built, whichever way the tree goes."""
    character = configuration.character
    parent = int(character.tree["parent"][b])
    root = configuration.model.joints[int(configuration.bodies[b])]
    if parent < 0 and (configuration.placed or root.kind is not character.joints[b].kind):
        raise InputError(
            f"joint '{character.joints[b].name}' has no coordinates while the character is {configuration.name}; "
            "expected a joint between two bodies, or a time before the first grip or release"
        )
    carrier = find_carrier(configuration, b)
    own, columns = q[carrier.q_slice], dq[carrier.v_slice]
    if not configuration.reversed[b]:
        return own, columns
    none = np.zeros(carrier.nv)
    return flip_joint(carrier.kind, own, none, columns, np.zeros_like(columns))[::2]  # pyright: ignore[reportReturnType]


def flip_joint(kind: JointType, q: FloatArray, v: FloatArray, dq: FloatArray, dv: FloatArray) -> tuple[FloatArray, ...]:
    """Coordinates of a joint seen from its other side, and back (docs/theory/editing.md, section 4.1)."""
    if kind.name == "ball":
        R = rotation_matrix(tuple(q))
        back = R @ (cross(v[:, None], dq) - dv)
        return np.append(-q[:3], q[3]), -R @ v, -R @ dq, back
    if kind.reversal == "opposite order":
        return -q[::-1], -v[::-1], -dq[::-1], -dv[::-1]
    return -q, -v, -dq, -dv


def observe_bodies(configuration: Configuration, m: TreeState, heavier: FloatArray | None = None) -> Bodies:
    """The bodies of the character in their own frames; `heavier` has the columns of the logarithm of their masses."""
    model, order = configuration.model, configuration.bodies
    x, work = vary_bodies(model, m), scratch(model).bodies
    V = work["V"][order]
    out = Bodies(
        R=work["R"].reshape(-1, 3, 3)[order],
        p=work["p"][order],
        w=V[:, :3].copy(),
        v=V[:, 3:].copy(),
        **{name: getattr(x, name)[order] for name in ("turn", "shift", "dw", "dv")},
        mass=m.tree["mass"][order],
        heavier=np.zeros((len(order), m.dq.shape[1])) if heavier is None else heavier,
        centers=configuration.centers,
        joint=lambda b: find_joint_coordinates(configuration, b, m.q, m.dq),
    )
    for b, frame in enumerate(configuration.frames):
        if frame is not HERE:
            at = np.asarray(frame.position)
            p, shift = out.point(b, at)
            out.v[b], out.dv[b] = out.point_velocity(b, at)
            out.p[b], out.shift[b], out.R[b] = p, shift, out.R[b] @ frame.matrix
    return out
