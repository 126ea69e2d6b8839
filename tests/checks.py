"""Ways to measure that many tests share: differences on the manifold, order of convergence, drift."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from stringless.model import Model

DIFFERENCE_STEP = 1e-4
"""Step of the fourth-order differences: truncation of order 1e-16, rounding of order 1e-12 on values of order one."""
DIFFERENCE_PRECISION = 1e-9
"""What such a difference can be trusted to, relative to the size of the values."""
_STENCIL = ((-2.0, 1.0 / 12.0), (-1.0, -2.0 / 3.0), (1.0, 2.0 / 3.0), (2.0, -1.0 / 12.0))


def derivative(function: Callable[[float], np.ndarray], step: float = DIFFERENCE_STEP) -> np.ndarray:
    """Derivative of a function of one number at zero, by central differences of fourth order."""
    return sum(weight * np.asarray(function(at * step), float) for at, weight in _STENCIL) / step


def jacobian(
    model: Model, function: Callable[[np.ndarray], np.ndarray], q: np.ndarray, step: float = DIFFERENCE_STEP
) -> np.ndarray:
    """Derivative by q in the tangent: column k is `d/ds f(q ⊕ s e_k)`."""
    columns = [
        derivative(lambda s, e=e: np.asarray(function(model.integrate(q, e, s))), step) for e in np.eye(model.nv)
    ]
    return np.stack(columns, axis=-1)


def gradient(
    model: Model, function: Callable[[np.ndarray], float], q: np.ndarray, step: float = DIFFERENCE_STEP
) -> np.ndarray:
    """Derivative of a number by q in the tangent."""
    return jacobian(model, lambda x: np.asarray(function(x)), q, step)


def rate(model: Model, function: Callable[[np.ndarray], np.ndarray], q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Derivative in time of a function of the configuration that moves with velocity v."""
    return derivative(lambda t: function(model.integrate(q, v, t)))


def orders(errors: Sequence[float], ratio: float = 2.0) -> np.ndarray:
    """Measured order of convergence between neighbours in a list of errors, each step `ratio` shorter."""
    errors = np.asarray(errors, float)
    assert np.all(errors > 0), "an error of exactly zero has no order"
    return np.log(errors[:-1] / errors[1:]) / np.log(ratio)


def drift(values: Sequence[float]) -> float:
    """Largest distance of a quantity from its first value."""
    values = np.asarray(values, float)
    return float(np.max(np.abs(values - values[0])))


def trend(values: Sequence[float]) -> float:
    """Difference between the means of the last and the first quarter: what is left of a drift that only oscillates."""
    values = np.asarray(values, float)
    quarter = len(values) // 4
    return float(abs(values[-quarter:].mean() - values[:quarter].mean()))


def relative(found: np.ndarray, expected: np.ndarray) -> float:
    """Largest deviation, relative to the largest expected value (or to one, if that is smaller)."""
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    assert found.shape == expected.shape, f"shapes {found.shape} and {expected.shape}"
    assert np.all(np.isfinite(found)), "a value is not finite"
    if expected.size == 0:
        return 0.0
    return float(np.max(np.abs(found - expected)) / max(1.0, np.max(np.abs(expected))))
