"""The smallest change of the controls that does what is wanted (docs/theory/editing.md, section 3.1).

Every control has a mass: how much it resists being changed. With `W = M⁻¹`, `B = A W^½ = U Σ Vᵀ`, the change is
`δp = W^½ V Σ⁺ Uᵀ δk`: of least weighted norm where there are many, of least error where there is none.
"""

from dataclasses import dataclass

import numpy as np

from stringless.spatial.arrays import FloatArray

CUT_OFF = 1e-6
"""Singular values below this share of the largest count as none."""
NOTHING = 1e-9
"""Singular values below this are rounding: a control of weight 1 that moves nothing [m, rad, ...]."""
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


@dataclass
class Problem:
    """What is wanted of the controls to first order, taken apart so that many steps can be tried."""

    U: FloatArray
    sigma: FloatArray
    Vt: FloatArray
    root: FloatArray
    """`W^½`."""
    wanted: FloatArray

    def step(self, damping: float = 0.0, wanted: FloatArray | None = None) -> FloatArray:
        """The smallest change that does what is wanted, or something else.

        With damping, `σ/(σ² + ε)` instead of `1/σ`, ε in shares of the largest σ²: a shorter one.
        """
        if not len(self.sigma) or self.sigma[0] == 0.0:
            return np.zeros(self.Vt.shape[1])
        keep = self.sigma > max(CUT_OFF * self.sigma[0], NOTHING)
        sigma = self.sigma[keep]
        share = sigma / (sigma**2 + damping * self.sigma[0] ** 2)
        return self.root * (
            self.Vt[keep].T @ (share * (self.U[:, keep].T @ (self.wanted if wanted is None else wanted)))
        )


def find_least_change(A: FloatArray, wanted: FloatArray, masses: FloatArray) -> tuple[Problem, Change]:
    """Change `δp` with `A δp = wanted` of least `Σ m δp²`; rows of A are constraints, columns controls."""
    root = 1.0 / np.sqrt(masses)
    U, sigma, Vt = np.linalg.svd(A * root, full_matrices=False)
    problem = Problem(U, sigma, Vt, root, wanted)
    total = float(wanted @ wanted)
    if total == 0.0:
        return problem, Change(np.zeros(A.shape[1]), 0.0)
    step = problem.step()
    missed = A @ step - wanted
    return problem, Change(step, float(missed @ missed) / total)
