"""Commands: everything that can be done to a project by hand, by a script or over the wire.

One function each, registered under its name; its arguments are plain values, so that every call can be written down.
"""

from stringless.project.commands import directing, editing, goals, keyframes, lanes, marks, performing, scene, time
from stringless.project.commands.registry import COMMANDS, Command

__all__ = [
    "COMMANDS",
    "Command",
    "directing",
    "editing",
    "goals",
    "keyframes",
    "lanes",
    "marks",
    "performing",
    "scene",
    "time",
]
