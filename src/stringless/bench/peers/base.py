"""What a program must offer to be compared with: our model in its terms, its results in our coordinates."""

import importlib
import importlib.metadata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stringless.errors import StringlessError
from stringless.model.model import Body, Model
from stringless.spatial.arrays import FloatArray

Derivatives = tuple[FloatArray, FloatArray, FloatArray]
"""Of vdot by q (tangent), v and tau, shape (nv, nv) each."""


class UnsupportedError(StringlessError):
    """The peer has no such joint, function or property; the message says which."""


class PeerModel(ABC):
    """One of our models, rebuilt in another program."""

    @abstractmethod
    def forward_call(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> Callable[[], Any]:
        """The call a user of the peer would make, ready to be timed: its arguments are already in its coordinates."""

    @abstractmethod
    def forward(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> FloatArray:
        """Accelerations in our coordinates."""

    def derivatives_call(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> Callable[[], Any]:
        """The same for the derivatives of forward dynamics."""
        raise UnsupportedError("has no analytic derivatives of forward dynamics")

    def derivatives(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> Derivatives:
        """Derivatives in our coordinates."""
        raise UnsupportedError("has no analytic derivatives of forward dynamics")


class StiffPeer(ABC):
    """One of our scenes with springs, dampers and limits in its joints, rebuilt in another program that steps it implicitly."""

    @abstractmethod
    def step(self, count: int) -> None:
        """Advance by `count` steps."""

    @property
    def sound(self) -> bool:
        """Whether it has found nothing wrong with its state; one that watches nothing has not."""
        return True

    @abstractmethod
    def begin(self, q: FloatArray, v: FloatArray) -> Callable[[], object]:
        """Begin at a state of ours; the answer goes back there, and fast."""

    @abstractmethod
    def get(self) -> tuple[FloatArray, FloatArray]:
        """Its state as ours, q and v."""


@dataclass(frozen=True)
class Peer:
    """A program to compare with."""

    name: str
    package: str
    """Its name where packages are published."""
    module: str
    """Its name in Python."""
    make: Callable[[Model], PeerModel]
    """Rebuild a model, or raise `UnsupportedError`."""
    refuse: Callable[[Model], str]
    """Why a model of this size is too much for it; empty if it is not."""

    def available(self) -> str | None:
        """Its version, or None if it is not installed."""
        try:
            load(self.module)
        except (ImportError, OSError):
            return None
        try:
            return importlib.metadata.version(self.package)
        except importlib.metadata.PackageNotFoundError:
            return "unknown version"

    def build(self, model: Model) -> PeerModel:
        """Rebuild a model. Springs and dampers are no part of the comparison: peers do not agree where they belong.

        Raises:
            UnsupportedError: the program has no such thing.
        """
        if np.any(model.dofs["stiffness"]) or np.any(model.dofs["damping"]):
            raise UnsupportedError(f"is compared without springs and dampers; model '{model.name}' has some")
        return self.make(model)


def load(module: str) -> Any:
    """Import a peer's module when it is needed, so that none of them has to be there."""
    return importlib.import_module(module)


def depth_first(model: Model) -> Iterator[Body]:
    """Bodies, each followed by everything it carries: several programs number theirs so."""
    children: dict[int, list[Body]] = {}
    for body in model.bodies:
        children.setdefault(body.parent, []).append(body)
    waiting = children.get(-1, [])[::-1]
    while waiting:
        body = waiting.pop()
        yield body
        waiting.extend(children.get(body.index, [])[::-1])


def unit_axes(body: Body) -> list[FloatArray]:
    """Axes of the body's joint, of length one."""
    return [np.asarray(axis, float) / np.linalg.norm(axis) for axis in body.joint.spec.axes]


def inertia_matrix(body: Body) -> FloatArray:
    """Inertia about the centre of mass, along body axes."""
    xx, yy, zz, xy, xz, yz = body.spec.inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def of_each(values: Sequence[float], count: int) -> list[float]:
    """A number for each of `count` coordinates, from one for each, one for all, or none, which is 0."""
    return [float(x) for x in np.broadcast_to(values or (0.0,), count)]
