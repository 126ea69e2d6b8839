"""The simulation, in pieces: what it is made of, what it does, how it is recorded, how it moves on."""

from stringless.simulation.simulation.simulation import Simulation

__all__ = ["Simulation"]
