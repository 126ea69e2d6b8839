"""From a scene to a motion."""

from stringless.simulation.config import SimulationConfig
from stringless.simulation.simulation import Simulation

__all__ = ["Simulation", "SimulationConfig"]
