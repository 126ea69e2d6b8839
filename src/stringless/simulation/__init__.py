"""From a scene to a motion."""

from stringless.control.motion import Motion
from stringless.engines.config import SimulationConfig
from stringless.simulation.simulation import Simulation

__all__ = ["Motion", "Simulation", "SimulationConfig"]
