"""The director, one file for each thing it does: see `director.director.Director`."""

from stringless.control.director.director import Director
from stringless.control.director.modes import Event
from stringless.control.director.script import STYLES, TICK, Style, new_memory

__all__ = ["STYLES", "TICK", "Director", "Event", "Style", "new_memory"]
