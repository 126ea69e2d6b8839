"""A look ahead: what would happen if everything went on as it is now.

The present is copied, the copy runs on, the live state is not touched. It holds the present commands: goals keep their
targets, paths and keyframes go on, a live stream holds its last sample. What it shows is what the live simulation will do
under the same inputs, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stringless.errors import DivergenceError, InputError
from stringless.spatial.arrays import FloatArray

if TYPE_CHECKING:
    from stringless.simulation.simulation import Simulation


@dataclass(frozen=True)
class Preview:
    """A trajectory that has not happened yet, from the present on."""

    time: FloatArray
    """[s], shape (k,)."""
    q: FloatArray
    """Configurations, shape (k, nq)."""
    positions: FloatArray
    """Of all bodies, shape (k, n, 3) [m]."""
    rotations: FloatArray
    """`R_WB` of all bodies, shape (k, n, 3, 3)."""
    skin: FloatArray
    """Vertices of the flesh, shape (k, m, 3) [m]."""
    nodes: FloatArray
    """Of the flesh, shape (k, n, 3) [m]."""
    centers: FloatArray
    """Centres of gravity of everything, shape (k, 3) [m]."""
    complete: bool
    """False if it was cancelled or the motion ran away."""
    trouble: str = ""
    """Why the motion ran away."""


def preview(
    sim: Simulation, seconds: float, *, rate: float = 60.0, cancelled: Callable[[], bool] | None = None
) -> Preview:
    """Run a copy of `sim` for `seconds`, with `rate` frames a second; `cancelled` is asked before each frame.

    May run in a thread of its own while the live simulation goes on, if the copy was made before: `preview(sim.fork(), …)`.
    """
    if not (np.isfinite(seconds) and seconds > 0 and np.isfinite(rate) and rate > 0):
        raise InputError(f"cannot preview {seconds} s at {rate} frames a second; expected finite numbers above 0")
    ghost = sim.fork()
    per_frame = max(1, round(1.0 / (rate * ghost.config.dt)))
    steps = round(seconds / ghost.config.dt)
    frames = [_frame(ghost)]
    complete, trouble = True, ""
    while steps > 0:
        if cancelled is not None and cancelled():
            complete = False
            break
        try:
            ghost.step(min(per_frame, steps))
        except DivergenceError as error:
            complete, trouble = False, str(error)
            break
        steps -= min(per_frame, steps)
        frames.append(_frame(ghost))
    time, q, positions, rotations, skin, nodes, centers = (np.array(column) for column in zip(*frames, strict=True))
    return Preview(time, q, positions, rotations, skin, nodes, centers, complete, trouble)


def _frame(sim: Simulation) -> tuple[float, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    poses = sim.body_poses()
    skin, nodes = sim.surface_positions, sim.flesh_positions.copy()
    return sim.time, sim.q.copy(), poses.position, poses.rotation, skin, nodes, sim.center_of_gravity
