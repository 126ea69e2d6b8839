"""The mutable side of a simulation: coordinates, velocities, time, and the scratch the kernels work in."""

from stringless.state.scratch import Scratch, scratch
from stringless.state.state import State

__all__ = ["Scratch", "State", "scratch"]
