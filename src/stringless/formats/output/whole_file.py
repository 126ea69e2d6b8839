"""Files that appear whole or not at all."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from stringless.errors import InputError


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Let `write` fill a file beside `path`, then put it in its place.

    Raises:
        InputError: the file cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            write(file)
        os.replace(part, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise InputError(f"cannot write '{path}': {error.strerror or error}") from None
