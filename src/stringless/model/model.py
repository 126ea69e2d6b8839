"""The frozen model: every array the engines read, and the names people use for them."""

import functools
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stringless.errors import InputError, renamed
from stringless.model import kernels_manifold, manifold
from stringless.model.checks import suggest
from stringless.model.flesh import Flesh
from stringless.model.joints import JOINT_TYPES, JointType
from stringless.model.loops import LoopSpec
from stringless.model.shapes import Shape
from stringless.model.spec import BodySpec
from stringless.spatial.arrays import FloatArray

FLOAT = np.dtype(np.float64)
"""NumPy hands out this one object for every native float64 array, so that `is` tells it, and faster than `==`."""


@dataclass(frozen=True)
class Joint:
    """A joint of the model and where its coordinates are."""

    index: int
    """Equal to the index of the body it carries."""
    name: str
    kind: JointType
    body: str
    """Name of the body it carries."""
    q_slice: slice
    v_slice: slice
    spec: Any

    @property
    def nq(self) -> int:
        """Length of its configuration."""
        return self.kind.nq

    @property
    def nv(self) -> int:
        """Length of its velocity."""
        return self.kind.nv


@dataclass(frozen=True)
class Body:
    """A body of the model."""

    index: int
    name: str
    parent: int
    """Index of the parent body, -1 for the ground."""
    joint: Joint
    spec: BodySpec

    @property
    def mass(self) -> float:
        """[kg]."""
        return self.spec.mass

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """What it is made of."""
        return self.spec.shapes


class Model:
    """A forest of bodies, frozen. Build one with `ModelBuilder`; move it with `State`."""

    def __init__(
        self,
        name: str,
        specs: tuple[BodySpec, ...],
        world_shapes: tuple[Shape, ...],
        tree: Any,
        dofs: Any,
        limits: Any,
        neutral: FloatArray,
        rest: FloatArray,
        gravity: FloatArray,
        flesh: Flesh | None,
        loops: Any,
        loop_specs: tuple[LoopSpec, ...],
    ) -> None:
        """Take over the read-only tables; `ModelBuilder.build` is the way to call this."""
        self.name = name
        self.specs = specs
        self.world_shapes = world_shapes
        self.tree, self.dofs, self.limits = tree, dofs, limits
        self.flesh = flesh
        self.loops, self.loop_specs = loops, loop_specs
        self.q_neutral, self.q_rest, self.gravity = neutral, rest, gravity
        self.nq, self.nv, self.body_count = len(neutral), len(dofs), len(specs)
        self.local = threading.local()  # per-thread scratch, see `state.scratch`
        self._frozen = True

    def __setattr__(self, key: str, value: object) -> None:
        if getattr(self, "_frozen", False):
            raise AttributeError(f"model '{self.name}' is frozen; build a new one to change '{key}'")
        object.__setattr__(self, key, value)

    def __delattr__(self, key: str) -> None:
        raise AttributeError(f"model '{self.name}' is frozen; '{key}' cannot be deleted")

    def __getstate__(self) -> dict[str, Any]:
        """All but the scratch, which belongs to a thread, and the names, which are found again."""
        return {key: value for key, value in self.__dict__.items() if key not in ("local", "_named")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the tables over, read-only again."""
        self.__dict__.update(state, local=threading.local())
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __repr__(self) -> str:
        return f"Model('{self.name}', bodies={self.body_count}, nq={self.nq}, nv={self.nv})"

    # --- names ---

    @functools.cached_property
    def _named(self) -> tuple[tuple[Body, ...], dict[str, Body], dict[str, Joint]]:
        bodies = []
        for i, spec in enumerate(self.specs):
            row = self.tree[i]
            q0, nq, v0, nv = (int(row[field]) for field in ("q0", "nq", "v0", "nv"))
            kind = JOINT_TYPES[spec.joint.kind]
            joint = Joint(i, spec.joint.name, kind, spec.name, slice(q0, q0 + nq), slice(v0, v0 + nv), spec.joint)
            bodies.append(Body(i, spec.name, int(row["parent"]), joint, spec))
        return tuple(bodies), {body.name: body for body in bodies}, {body.joint.name: body.joint for body in bodies}

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All bodies, parents first."""
        return self._named[0]

    @property
    def joints(self) -> tuple[Joint, ...]:
        """All joints, in the order of the bodies they carry."""
        return tuple(body.joint for body in self._named[0])

    def body(self, name: str | int) -> Body:
        """The body of this name or index."""
        if isinstance(name, (int, np.integer)) and 0 <= name < self.body_count:
            return self.bodies[name]
        try:
            return self._named[1][str(name)]
        except KeyError:
            raise InputError(
                f"model '{self.name}' has no body '{name}'. {suggest(str(name), self._named[1])}"
            ) from None

    def joint(self, name: str) -> Joint:
        """The joint of this name."""
        try:
            return self._named[2][name]
        except (KeyError, TypeError):
            known = suggest(str(name), self._named[2])
            raise InputError(f"model '{self.name}' has no joint '{name}'. {known}") from None

    def dof_name(self, index: int) -> str:
        """What to call a velocity coordinate in a message: `'elbow'`, or `'hip' (y)` where a joint has several."""
        joint = self.bodies[int(self.dofs[index]["body"])].joint
        if joint.nv == 1:
            return f"'{joint.name}'"
        return f"'{joint.name}' ({joint.kind.dof_names[index - joint.v_slice.start]})"

    @property
    def mass(self) -> float:
        """Of all bodies together [kg]."""
        return float(np.sum(self.tree["mass"]))

    # --- configurations ---

    def neutral(self) -> FloatArray:
        """The configuration in which every joint frame coincides with its place."""
        return self.q_neutral.copy()

    def random(self, rng: np.random.Generator | int | None = None) -> FloatArray:
        """A random configuration within the limits (without limits: within a turn, or a metre)."""
        rng = np.random.default_rng(rng)
        return np.concatenate([np.zeros(0), *(manifold.random_joint(joint.spec, rng) for joint in self.joints)])

    def integrate(self, q: ArrayLike, dq: ArrayLike, dt: float = 1.0) -> FloatArray:
        """Return q ⊕ dt dq: the configuration reached from `q` along the tangent `dq`."""
        q, dq = self.vector(q, self.nq, "q"), self.vector(dq, self.nv, "dq")
        q_out = np.empty(self.nq)
        kernels_manifold.integrate(self.tree, q, dq, float(dt), q_out)
        return q_out

    def difference(self, q_from: ArrayLike, q_to: ArrayLike) -> FloatArray:
        """Return q_to ⊖ q_from: the tangent that leads from `q_from` to `q_to`."""
        q_from, q_to = self.vector(q_from, self.nq, "q_from"), self.vector(q_to, self.nq, "q_to")
        dq_out = np.empty(self.nv)
        kernels_manifold.difference(self.tree, q_from, q_to, dq_out)
        return dq_out

    def displacement(self, q: ArrayLike) -> FloatArray:
        """How far every joint spring is from its rest; its effort is `-k x`, its energy `½ k x²`."""
        x_out = np.empty(self.nv)
        # A writable copy: kernels are compiled for one kind of array.
        kernels_manifold.displacement(self.tree, self.q_rest.copy(), self.vector(q, self.nq, "q"), x_out)
        return x_out

    stretch = renamed("stretch", "displacement")

    def vector(self, values: ArrayLike, length: int, name: str) -> FloatArray:
        """Return `values` as the contiguous, writable float64 array that kernels are compiled for."""
        if (
            type(values) is np.ndarray
            and values.dtype is FLOAT
            and values.ndim == 1
            and len(values) == length
            and values.flags.carray
        ):
            return values
        return _convert(self.name, values, length, name)


def _convert(model: str, values: ArrayLike, length: int, name: str) -> FloatArray:
    try:
        array = np.array(values, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise InputError(f"'{name}' for model '{model}' is not an array of numbers: {error}") from None
    if array.shape != (length,):
        raise InputError(
            f"'{name}' for model '{model}' has shape {array.shape}, expected ({length},). "
            f"{'Configurations have model.nq numbers, velocities and efforts model.nv.' if array.ndim == 1 else ''}"
        )
    return array
