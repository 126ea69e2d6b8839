"""Many shapes as sums of few: the fewest directions from which every shape can be put together within a bound."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless.formats.output.clip import Progress
from stringless.spatial.arrays import FloatArray

Single = NDArray[np.floating[Any]]
AT_ONCE = 400
"""Shapes of which principal directions are taken together."""
MARGIN = 0.9
"""Share of the bound that is used up here; rounding may have the rest."""


class FewShapes(NamedTuple):
    """`shapes[k] ≈ offset + weights[k] @ directions`, with all weights from 0 to 1."""

    weights: FloatArray
    """Shape (k, r)."""
    directions: FloatArray
    """Shape (r, n)."""
    offset: FloatArray
    """Shape (n,)."""


def fewest_shapes(shapes: Single, bound: float, progress: Progress) -> FewShapes:
    """Write shapes of points, (k, 3 m), as sums in which no point of any shape is further off than `bound`.

    Principal directions (Pearson 1901) are optimal for the mean square and not for the worst point. So they are taken of the
    shapes that are still too far off, no more than needed, until none is.
    """
    left = np.array(shapes, np.float32)
    directions = np.zeros((0, left.shape[1]), np.float32)
    start = _worst(left).max(initial=0.0)
    while (off := _worst(left)).max(initial=0.0) > MARGIN * bound:
        progress(np.log(start / off.max()) / np.log(start / (MARGIN * bound)))
        rows = np.sort(np.argsort(-off)[:AT_ONCE])
        new = _fewest_directions(left[rows], MARGIN * bound)
        left -= (left @ new.T) @ new
        directions = np.concatenate([directions, new])
    return _within_one(shapes @ directions.T, directions)


def _worst(left: Single) -> Single:
    """How far the worst point of each shape is off."""
    return np.sqrt(np.square(left).reshape(len(left), -1, 3).sum(axis=2).max(axis=1, initial=0.0))


def _fewest_directions(shapes: Single, bound: float) -> Single:
    """The first so many principal directions that leave no point of these shapes further off than `bound`."""
    directions = np.linalg.svd(shapes.astype(np.float64), full_matrices=False)[2].astype(np.float32)
    low, high = 1, len(directions)
    while low < high:
        middle = (low + high) // 2
        part = directions[:middle]
        enough = _worst(shapes - (shapes @ part.T) @ part).max() <= bound
        low, high = (low, middle) if enough else (middle + 1, high)
    return directions[:low]


def _within_one(weights: Single, directions: Single) -> FewShapes:
    """The same sums with weights from 0 to 1: an offset takes the lowest of each, its direction their range."""
    w, D = weights.astype(np.float64), directions.astype(np.float64)
    low, high = w.min(axis=0, initial=0.0), w.max(axis=0, initial=0.0)
    return FewShapes((w - low) / (high - low), (high - low)[:, None] * D, low @ D)
