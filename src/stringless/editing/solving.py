"""The smallest change of the controls that does what is wanted (physics notes, section 6.2).

Every control has a mass: how much it resists being changed. With `W = M⁻¹`, `B = A W^½ = U Σ Vᵀ`, the change is
`δp = W^½ V Σ⁺ Uᵀ δk`: of least weighted norm where there are many, of least error where there is none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
CUT_OFF = 1e-6
"""Singular values below this share of the largest count as none."""
IMPOSSIBLE = 0.1
"""An edit that leaves more than this share of the squared error, to first order, is refused."""


@dataclass
class Change:
    """A change of the controls, and what it leaves."""

    step: FloatArray
    left: float
    """Share of the squared error that remains, to first order."""

    @property
    def possible(self) -> bool:
        """Whether it does most of what is wanted."""
        return self.left <= IMPOSSIBLE


def least_change(A: FloatArray, wanted: FloatArray, masses: FloatArray) -> Change:
    """Change `δp` with `A δp = wanted` of least `Σ m δp²`; rows of A are constraints, columns controls."""
    total = float(wanted @ wanted)
    if total == 0.0:
        return Change(np.zeros(A.shape[1]), 0.0)
    root = 1.0 / np.sqrt(masses)
    U, sigma, Vt = np.linalg.svd(A * root, full_matrices=False)
    keep = sigma > CUT_OFF * sigma[0] if len(sigma) and sigma[0] > 0.0 else np.zeros(len(sigma), bool)
    step = root * (Vt[keep].T @ ((U[:, keep].T @ wanted) / sigma[keep]))
    missed = A @ step - wanted
    return Change(step, float(missed @ missed) / total)
