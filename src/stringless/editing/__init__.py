"""The motion editor: drag the motion, not the parameters."""

from typing import Any

from stringless.editing.control_steps import Edit
from stringless.editing.data import as_data, from_data
from stringless.editing.editor import Editor
from stringless.editing.plan import At, Bar, Bounce, Grip, Plane, Release, Touch
from stringless.editing.takes import make_scene, open_present, open_take, record
from stringless.errors import find_renamed

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
    "make_scene",
    "open_present",
    "open_take",
    "record",
]


def __getattr__(name: str) -> Any:
    """Find what had another name in earlier versions."""
    return globals()[find_renamed(__name__, name, {"stage_for": "make_scene"})]
