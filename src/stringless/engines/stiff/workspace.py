"""Scratch of the stiff engine's steps."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.engines.stiff.kernels_links import LINK_WORK
from stringless.engines.stiff.kernels_settle import TREE_WORK
from stringless.engines.stiff.kernels_stops import STOP_WORK
from stringless.engines.stiff.kernels_touch import TOUCH_WORK
from stringless.model.model import Model

FloatArray = NDArray[np.float64]


class Room(NamedTuple):
    """Tables that kernels of a step write to; n bodies, nv velocity coordinates."""

    trees: Any
    """Sums over each tree (`settle`)."""
    stiff: FloatArray
    """What stiff forces add to the inertia of every body, (n, 21) ..."""
    wrench: FloatArray
    """... and their wrench on it, (n, 6)."""
    links: Any
    """Rows that tie bodies across trees (`links`) ..."""
    matrix: FloatArray
    """... the Schur complement over them ..."""
    forces: FloatArray
    """... and what they transmit."""
    tied: FloatArray
    """Wrenches on all bodies that are answered to, (n, 6)."""
    load: FloatArray
    """What joints bear in an answer (`response`), (n, 6) ..."""
    y: FloatArray
    """... their efforts, (nv,) ..."""
    A: FloatArray
    """... accelerations of bodies, (n, 6) ..."""
    dv: FloatArray
    """... and of joints, (nv,)."""
    touches: Any
    """Points that touch (`touch`)."""
    stops: Any
    """Limits of joints (`stops`)."""
    start: FloatArray
    """Poses and velocities of bodies as joints set out, (n, 21), if there are loops (`closing`) ..."""
    q: FloatArray
    """... the joints' places, (nq,) ..."""
    v: FloatArray
    """... and their velocities, (nv,)."""
    no_stiff: FloatArray
    """For steps in which nothing pushes bodies."""
    no_wrench: FloatArray
    """Likewise."""
    nothing: FloatArray
    """Zero for every velocity coordinate."""


def make_room(model: Model, rows: int, touches: int) -> Room:
    """Room for a model of which up to so many rows tie bodies, and up to so many points touch."""
    n, nv = model.body_count, model.nv
    return Room(
        trees=jit.rows(n, TREE_WORK),
        stiff=np.zeros((n, 21)),
        wrench=np.zeros((n, 6)),
        links=jit.rows(rows, LINK_WORK),
        matrix=np.zeros((rows, rows)),
        forces=np.zeros(rows),
        tied=np.zeros((n, 6)),
        load=np.zeros((n, 6)),
        y=np.zeros(nv),
        A=np.zeros((n, 6)),
        dv=np.zeros(nv),
        touches=jit.rows(touches, TOUCH_WORK),
        stops=jit.rows(len(model.limits), STOP_WORK),
        start=np.zeros((n if len(model.loops) > 0 else 0, 21)),
        q=np.zeros(model.nq),
        v=np.zeros(nv),
        no_stiff=np.zeros((0, 21)),
        no_wrench=np.zeros((0, 6)),
        nothing=np.zeros(nv),
    )
