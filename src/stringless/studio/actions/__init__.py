"""Actions: what the studio can do beside the commands of a project.

Each is a function, registered under its name. It gets plain values and, if it has parameters of these names, the `session`, the
`state` of what is open, and the number of the `page` that asks; its result goes to that page. To add one, write it in the file
of its kind, or in a new one that is named here.
"""

from stringless.studio.actions import direction, files, inspection, sources, transport, warping
from stringless.studio.actions.registry import ACTIONS, Action

__all__ = ["ACTIONS", "Action", "direction", "files", "inspection", "sources", "transport", "warping"]
