"""Elastic forces of the cage: the finite-volume force of every tetrahedron, gathered at its nodes.

Selective diagonalization (Kim & Pollard 2008, section 4.4): an element within the range of its material takes the plain
stress; only the others are decomposed. Both are done for many elements side by side, by vector instructions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stringless.flesh.blocks import LANES

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def elastic_scratch() -> tuple[IntArray, FloatArray, FloatArray]:
    """Room for `elastic_forces`: `flagged_work`, `F_work` and `P_work`."""
    return np.zeros(LANES, np.int64), np.zeros((28, LANES)), np.zeros((18, LANES))
