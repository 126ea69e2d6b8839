"""Dynamics of the skeleton: plain functions on arrays, O(n), with derivatives in the tangent space."""

from stringless.dynamics.commands import CommandDerivatives, command_derivatives
from stringless.dynamics.energy import Energy, Momentum, energy, momentum
from stringless.dynamics.hybrid import bias, forward, hybrid, inverse, passive

__all__ = [
    "CommandDerivatives",
    "Energy",
    "Momentum",
    "bias",
    "command_derivatives",
    "energy",
    "forward",
    "hybrid",
    "inverse",
    "momentum",
    "passive",
]
