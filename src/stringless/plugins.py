"""What other installed packages add to this one: joint types, materials, goals and formats."""

from __future__ import annotations

import functools
import warnings
from importlib.metadata import entry_points

from stringless.errors import StringlessWarning


@functools.cache
def load_plugins(group: str, what: str) -> None:
    """Import, once, the modules that packages name as entry points of a group; they register `what`.

    One that fails is told of in a warning, and the others go on.
    """
    for point in entry_points(group=group):
        try:
            point.load()
        except Exception as error:
            text = f"the {what} of '{point.value}' cannot be used ({type(error).__name__}: {error})"
            warnings.warn(StringlessWarning(text), stacklevel=2)
