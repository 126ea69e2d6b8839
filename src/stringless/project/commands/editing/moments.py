"""Moments and points of a motion as commands name them."""

from __future__ import annotations

from stringless.editing.editor import Editor

ORIGIN = (0.0, 0.0, 0.0)
ROUNDED = 1e-6
"""What rounding to single precision may change of a moment [s]."""


def moment(editor: Editor, time: float) -> float:
    """A moment of the motion; one that is outside by rounding is its beginning or its end."""
    near = min(max(float(time), 0.0), editor.course.duration)
    return near if abs(near - time) < ROUNDED else float(time)
