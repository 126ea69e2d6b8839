"""The motion editor: opening a motion and keeping it, what happens in it, what is wanted of it, what may change."""

from stringless.project.commands.editing import changing, dragging, happening, opening, starting, wanting

__all__ = ["changing", "dragging", "happening", "opening", "starting", "wanting"]
