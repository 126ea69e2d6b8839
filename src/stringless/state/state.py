"""The state: all that a simulation needs to go on from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray


@dataclass(eq=False)
class State:
    """Where everything is and how it moves, at one moment."""

    time: float
    """[s]."""
    q: NDArray[np.float64]
    """Configuration, shape (nq,)."""
    v: NDArray[np.float64]
    """Velocity, shape (nv,)."""

    def copy(self) -> Self:
        """An independent copy."""
        return type(self)(self.time, self.q.copy(), self.v.copy())

    def restore(self, other: State) -> None:
        """Take over another state's numbers, in place."""
        self.time = other.time
        self.q[:] = other.q
        self.v[:] = other.v
