"""The state: all that a simulation needs to go on from."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Self

import numpy as np

from stringless.errors import renamed
from stringless.spatial.arrays import FloatArray


def _none() -> FloatArray:
    return np.zeros((0, 3))


@dataclass(eq=False)
class State:
    """Where everything is and how it moves, at one moment."""

    time: float
    """[s]."""
    q: FloatArray
    """Configuration, shape (nq,)."""
    v: FloatArray
    """Velocity, shape (nv,)."""
    vdot: FloatArray = field(default_factory=lambda: np.empty(0))
    """Acceleration of the step that led here, shape (nv,); zero at a start."""
    x: FloatArray = field(default_factory=_none)
    """Positions of the flesh's nodes in the world, shape (n, 3) [m]."""
    xdot: FloatArray = field(default_factory=_none)
    """Their velocities, shape (n, 3) [m/s]."""
    anchors: Any = field(default_factory=_none)
    """Anchors of points in contact: skin vertices first, then contact samples."""
    memory: Any = field(default_factory=_none)
    """What directing remembers between steps, one row per character."""
    kept: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    """What the engine keeps of every body beyond q and v, zero at a start: momenta, or which joints are active."""
    dt: float = 0.0
    """Length of the step that led here, 0 at a start [s]: v lags half of it behind q."""
    bodies = renamed("bodies", "kept")

    def __post_init__(self) -> None:
        """Start without an acceleration if none is given."""
        if self.vdot.size != self.v.size:
            self.vdot = np.zeros_like(self.v)

    def copy(self) -> Self:
        """An independent copy."""
        return type(self)(self.time, *(getattr(self, name).copy() for name in self.arrays()), dt=self.dt)

    def restore(self, other: State) -> None:
        """Take over another state's numbers, in place."""
        self.time, self.dt = other.time, other.dt
        for name in self.arrays():
            getattr(self, name)[...] = getattr(other, name)

    @classmethod
    def arrays(cls) -> tuple[str, ...]:
        """Names of the arrays, in order."""
        return tuple(item.name for item in fields(cls) if item.name not in ("time", "dt"))
