"""Formats that a clip can be written in, by the ending of the file."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Protocol

from stringless.errors import InputError
from stringless.formats.clip import Clip, Progress


class Writer(Protocol):
    """Writes a clip."""

    def __call__(self, path: Path, clip: Clip, *, world: bool, progress: Progress) -> None:
        """Write `clip` to `path`, with what stands around if `world`."""
        ...


WRITERS = {".glb": ("stringless.formats.glb", "write_glb")}
"""Module and function for each ending; imported when it is wanted."""


def writer_of(path: Path) -> Writer:
    """The writer for a file of this name."""
    ending = path.suffix.lower()
    if ending not in WRITERS:
        raise InputError(f"'{path.name}' ends in '{ending}'; a motion can be exported to: {', '.join(sorted(WRITERS))}")
    module, function = WRITERS[ending]
    return getattr(importlib.import_module(module), function)
