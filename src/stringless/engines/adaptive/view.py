"""Views: joints are active where a pixel would show the error."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.engines.adaptive.rows import CAMERA_ROW
from stringless.errors import InputError
from stringless.kinematics import body_poses
from stringless.model.model import Model

FloatArray = NDArray[np.float64]
Point = tuple[float, float, float]
SMALLEST = 1e-3
"""Size of a character that has none, and reach of a joint that carries nothing [m]."""
PARALLEL = 1e-9
"""Sine of the angle between two directions below which they are one."""


@dataclass(frozen=True)
class View:
    """Where a picture is taken from, and how large it is."""

    eye: Point
    """[m]."""
    target: Point
    """A point in the middle of the picture [m]."""
    up: Point = (0.0, 1.0, 0.0)
    """Any direction that points up in the picture."""
    fov: float = 0.8
    """Angle from the picture's lower edge to the upper one [rad]."""
    height: float = 1080.0
    """Of the picture [px]."""
    aspect: float = 16 / 9
    """Its width by its height."""

    def __post_init__(self) -> None:
        """Refuse numbers that make no view."""
        for name in ("eye", "target", "up"):
            object.__setattr__(self, name, _point(name, getattr(self, name)))
        for name, top, what in (
            ("fov", math.pi, "an angle between 0 and pi [rad]"),
            ("height", math.inf, "a finite number of pixels above 0"),
            ("aspect", math.inf, "a finite number above 0"),
        ):
            value: Any = getattr(self, name)
            if isinstance(value, bool) or not (isinstance(value, Real) and 0 < float(value) < top):
                raise InputError(f"{name} of a view is {value!r}; expected {what}")
            object.__setattr__(self, name, float(value))
        forward = np.subtract(self.target, self.eye)
        if not np.linalg.norm(forward) > 0:
            raise InputError(
                f"eye and target of a view are both at {self.eye}; expected two points, or it looks nowhere"
            )
        across = np.cross(forward / np.linalg.norm(forward), self.up)
        if not np.linalg.norm(across) > PARALLEL * np.linalg.norm(self.up) > 0:
            raise InputError(
                f"up of a view is {self.up}, which is no direction or the one it looks in; expected one across it"
            )

    @classmethod
    def of(cls, value: Any) -> Self:
        """A view as it is, or from its fields by name."""
        if isinstance(value, cls):
            return value
        known = [item.name for item in fields(cls)]
        if not isinstance(value, Mapping):
            raise InputError(f"view is {value!r}; expected a View, or its fields by name: {', '.join(known)}")
        for name in value:
            if name not in known:
                raise InputError(f"a view has no '{name}'; it has: {', '.join(known)}")
        for name in ("eye", "target"):
            if name not in value:
                raise InputError(f"the view says no '{name}'; expected a point in the world, three numbers [m]")
        return cls(**value)

    def as_data(self) -> dict[str, Any]:
        """Its fields, ready to be written down."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    def camera(self) -> Any:
        """As the kernels have it: one row of `CAMERA_ROW`."""
        forward = np.subtract(self.target, self.eye)
        forward /= np.linalg.norm(forward)
        right = np.cross(forward, self.up)
        right /= np.linalg.norm(right)
        row = jit.rows(1, CAMERA_ROW)
        row["eye"], row["right"], row["up"], row["forward"] = self.eye, right, np.cross(right, forward), forward
        row["tall"] = math.tan(self.fov / 2)
        row["wide"] = row["tall"] * self.aspect
        row["height"], row["given"] = self.height, 1
        return row


def _point(name: str, value: Any) -> Point:
    try:
        numbers = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.zeros(0)
    if numbers.shape != (3,) or not np.all(np.isfinite(numbers)):
        raise InputError(f"{name} of a view is {value!r}; expected three finite numbers")
    return (float(numbers[0]), float(numbers[1]), float(numbers[2]))


def reaches(model: Model) -> FloatArray:
    """How far from each body's origin what hangs on it ends, at the neutral configuration, shape (n,) [m].

    A body counts as ending as far beyond its centre of mass as that is from its origin.
    """
    tree = model.tree
    position, rotation = body_poses(model, model.neutral())
    middle = tree["h"] / np.where(tree["mass"] > 0, tree["mass"], 1.0)[:, None]
    end = position + 2 * np.einsum("nij,nj->ni", rotation, middle)
    reach = np.full(model.body_count, SMALLEST)
    bodies, ancestors = np.arange(model.body_count), np.arange(model.body_count)
    while len(bodies):
        np.maximum.at(reach, ancestors, np.linalg.norm(end[bodies] - position[ancestors], axis=1))
        np.maximum.at(reach, ancestors, np.linalg.norm(position[bodies] - position[ancestors], axis=1))
        ancestors = tree["parent"][ancestors]
        bodies, ancestors = bodies[ancestors >= 0], ancestors[ancestors >= 0]
    return reach


def seen_weights(model: Model, reach: FloatArray, criterion: str) -> FloatArray:
    """How much coordinates count in a picture, shape (nv,): by how far a turn moves what hangs on them.

    By motion that is the reach squared, and the error is that of speeds in the picture. Energies grow with reach themselves;
    by energy the reach gives the least distance from the full motion.
    """
    far = np.where(model.dofs["rotational"] == 1, reach[model.dofs["body"]], 1.0)
    return far if criterion == "energy" else far * far
