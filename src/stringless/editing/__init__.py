"""The motion editor: drag the motion, not the parameters."""

from stringless.editing.control_steps import Edit
from stringless.editing.data import as_data, from_data
from stringless.editing.editor import Editor
from stringless.editing.plan import At, Bar, Bounce, Grip, Plane, Release, Touch
from stringless.editing.takes import open_present, open_take, record, stage_for

__all__ = [
    "At",
    "Bar",
    "Bounce",
    "Edit",
    "Editor",
    "Grip",
    "Plane",
    "Release",
    "Touch",
    "as_data",
    "from_data",
    "open_present",
    "open_take",
    "record",
    "stage_for",
]
