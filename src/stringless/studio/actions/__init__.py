"""Actions: what the studio can do beside the commands of a project.

One function each, registered under its name. It gets the session and the number of the page that asks, then plain values;
what it gives back goes to that page. To add one: write it in the file of its kind, or a new one that is named here.
"""

from stringless.studio.actions import (
    directing,
    editing,
    exporting,
    looking,
    opening,
    posing,
    saving,
    transport,
    undoing,
)
from stringless.studio.actions.registry import ACTIONS, Action

__all__ = [
    "ACTIONS", "Action", "directing", "editing", "exporting", "looking", "opening", "posing", "saving", "transport", "undoing",
]  # fmt: skip
