"""The motion editor: drag the motion, not the parameters."""

from stringless.editing.editor import Editor
from stringless.editing.improving import Edit
from stringless.editing.plan import At, Bar, Bounce, Grip, Plane, Release, Touch

__all__ = ["At", "Bar", "Bounce", "Edit", "Editor", "Grip", "Plane", "Release", "Touch"]
