"""The director, one file for each thing it does: see `director.director.Director`."""

from stringless.control.director.checks import STYLES, Style
from stringless.control.director.director import Director
from stringless.control.director.modes import Event
from stringless.control.director.task_tables import TICK, make_memory

__all__ = ["STYLES", "TICK", "Director", "Event", "Style", "make_memory"]
