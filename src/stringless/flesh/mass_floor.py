"""Masses that make a wanted step safe: light nodes get what heavy ones give (docs/theory/flesh.md, section 6.3)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from stringless.flesh.stability import MARGIN, NO_BONES, step_limit
from stringless.spatial.arrays import BoolArray, FloatArray

LIGHTEST = 0.25
"""A node weighs at least this share of the median node: milligram nodes at the rim ask for feeble contact springs."""
LEAST_KEPT = 0.5
"""A node that is fixed to a bone keeps at least this share of its mass."""
MOST_MOVED = 0.1
"""Largest share of the flesh's mass that is moved for a wanted step. Beyond that, the step has to be shorter."""
BISECTIONS = 8
"""How finely the floor under the masses is searched for: to 1/256 ..."""
FINE = 30
"""... and how finely what can be had at most, which costs little and may be far from what is wanted."""
NEWTON_STEPS = 100
"""After which masses that keep the centre of gravity are not to be found."""
EXACT = 1e-13
"""Share of the mass that may be missing from a sum or, times the size of the flesh, from a first moment."""


@dataclass(frozen=True)
class Floor:
    """Masses with a floor under them, and what that took."""

    masses: FloatArray
    """[kg], shape (n,)."""
    moved: float
    """Mass that light nodes got [kg]."""
    added: float
    """Part of that which no other node gave [kg]."""
    raised: int
    """How many nodes got any."""


def move_masses(masses: FloatArray, floor: FloatArray, nodes: FloatArray) -> FloatArray | None:
    """Masses of at least `floor`, with the sum and the centre of `masses`; None if there are none.

    The nearest by `Σ (m' - m)²/m`: these are `m' = max(floor, m (1 + a + b·x))`, with the four numbers a, b by Newton's method.
    """
    X = np.column_stack([np.ones(len(nodes)), nodes - nodes.mean(axis=0)])
    X[:, 1:] /= max(float(np.abs(X[:, 1:]).max()), 1e-300)
    wanted, factors = X.T @ masses, np.zeros(4)
    for _ in range(NEWTON_STEPS):
        share = masses * (1.0 + X @ factors)
        moved = np.maximum(share, floor)
        lack = X.T @ moved - wanted
        if np.abs(lack).max() <= EXACT * wanted[0]:
            return moved
        giving = share > floor
        if not giving.any():
            return None
        factors -= np.linalg.lstsq((X[giving] * masses[giving, None]).T @ X[giving], lack, rcond=None)[0]
    return None


def raise_masses(
    K: sparse.csr_array,
    masses: FloatArray,
    nodes: FloatArray,
    free: BoolArray,
    dt: float,
    bone_motions: Callable[[FloatArray], FloatArray] = lambda masses: NO_BONES,
    most: float = MOST_MOVED,
) -> Floor:
    """Raise free nodes to a share of the median node, and to what the step `dt` needs.

    `m >= kappa dt²/(4 · MARGIN²)` with `kappa_i = Σ_j |K_ij|` bounds the highest frequency, but from far: the smallest share
    of that floor is taken with which the limit, by power iteration, is `dt/MARGIN`. If that moves more than `most` of the mass,
    it is the smallest that does as much as `most` can do. `bone_motions` gives those of fixed nodes,
    by the masses of all.
    """
    if not free.any():
        return Floor(masses.copy(), 0.0, 0.0, 0)
    blocks = sparse.bsr_array(K, blocksize=(3, 3))
    kappa = np.add.reduceat(np.linalg.norm(blocks.data, ord=2, axis=(1, 2)), blocks.indptr[:-1])
    light = LIGHTEST * float(np.median(masses[masses > 0])) if np.any(masses > 0) else 0.0
    bound = kappa * dt * dt / (4 * MARGIN * MARGIN)

    def floor(share: float) -> FloatArray:
        return np.where(free, np.maximum(share * bound, light), LEAST_KEPT * masses)

    def above(share: float) -> FloatArray:
        moved = move_masses(masses, floor(share), nodes)
        return np.maximum(masses, floor(share)) if moved is None else moved

    def gain(share: float) -> float:
        return float(np.maximum(above(share) - masses, 0.0).sum())

    def limit(share: float) -> float:
        raised = above(share)
        return step_limit(K, raised, free, bone_motions(raised))

    share = 0.0
    if limit(0.0) < dt / MARGIN:
        allowed = most * float(masses.sum())
        top = first(lambda share: gain(share) > allowed, 0.0, 1.0, FINE)[0]
        wanted = min(dt / MARGIN, limit(top))
        share = first(lambda share: limit(share) >= wanted, 0.0, top)[1]
    raised = above(share)
    added = max(float(raised.sum() - masses.sum()), 0.0)
    if added <= EXACT * len(masses) * masses.sum():
        added = 0.0
    return Floor(raised, gain(share), added, int(np.sum(floor(share) > masses)))


def first(holds: Callable[[float], bool], low: float, high: float, bisections: int = BISECTIONS) -> tuple[float, float]:
    """The last number between two that something does not hold for, and the first that it holds for, by bisection.

    It does not hold for `low`, and may hold for `high` and beyond.
    """
    if not holds(high):
        return high, high
    for _ in range(bisections):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return low, high
