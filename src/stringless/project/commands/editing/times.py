"""Times and points of a motion as commands have them."""

from __future__ import annotations

from stringless.editing.editor import Editor

ORIGIN = (0.0, 0.0, 0.0)
ROUNDED = 1e-6
"""Rounding of a time to single precision [s]."""


def snap_time(editor: Editor, time: float) -> float:
    """A time of the motion; one that is outside by rounding is its beginning or its end."""
    near = min(max(float(time), 0.0), editor.course.duration)
    return near if abs(near - time) < ROUNDED else float(time)
