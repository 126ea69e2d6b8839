"""Commands: everything that can be done to a project by hand, by a script or over the wire.

Each is a function, registered under its name; its arguments are plain values, so that every call can be written down.
"""

from stringless.project.commands import director, editing, scene, take
from stringless.project.commands.registry import COMMANDS, Command

__all__ = ["COMMANDS", "Command", "director", "editing", "scene", "take"]
