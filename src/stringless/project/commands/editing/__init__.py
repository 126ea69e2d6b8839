"""The motion editor: opening and keeping a motion, its transitions, its constraints, and what may change."""

from stringless.project.commands.editing import drags, freedoms, motions, nails, transitions

__all__ = ["drags", "freedoms", "motions", "nails", "transitions"]
