"""Dynamics of the skeleton: plain functions on arrays, O(n), with derivatives in the tangent space."""

from stringless.dynamics.derivatives import (
    CommandDerivatives,
    HybridDerivatives,
    command_derivatives,
    forward_derivatives,
    hybrid_derivatives,
    inverse_derivatives,
)
from stringless.dynamics.energy import Energy, Momentum, energy, momentum
from stringless.dynamics.hybrid import bias, forward, hybrid, inverse, mass_matrix, passive

__all__ = [
    "CommandDerivatives",
    "Energy",
    "HybridDerivatives",
    "Momentum",
    "bias",
    "command_derivatives",
    "energy",
    "forward",
    "forward_derivatives",
    "hybrid",
    "hybrid_derivatives",
    "inverse",
    "inverse_derivatives",
    "mass_matrix",
    "momentum",
    "passive",
]
