"""What the kernels of the flesh are given: records of arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


class ElasticWork(NamedTuple):
    """Scratch of the elastic forces."""

    flagged: NDArray[np.int64]
    """Elements that are put aside to be decomposed."""
    F: FloatArray
    """Deformation gradients, one component after the other."""
    P: FloatArray
    """Stresses."""
