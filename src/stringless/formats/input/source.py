"""Getting the bytes of a file, or of a text handed over in its place, with a clear word when there are none."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stringless.errors import InputError, ModelError, Problem

MAX_BYTES = 64 * 2**20
"""Largest file that is read; a scene description of this size is a mistake."""
LARGEST = 1e30
"""Largest number that can mean something in SI units; squares and products of such numbers stay finite."""
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Source:
    """What is read: its bytes and, if it came from a file, where that is."""

    data: bytes
    path: Path | None = None

    @property
    def subject(self) -> str:
        """What to call it in a message."""
        return f"file '{self.path}'" if self.path else "text"

    @property
    def folder(self) -> Path | None:
        """Folder that relative names start from; none for a text."""
        return self.path.parent if self.path else None


def read_source(path_or_text: str | os.PathLike[str], is_text: Callable[[str], bool]) -> Source:
    """Read a file, or take a string that `is_text` recognises as the content itself.

    Raises:
        InputError: there is no such file, or it cannot be read.
        ModelError: the file is empty, far too large, or not text.
    """
    if isinstance(path_or_text, str) and is_text(path_or_text):
        source = Source(path_or_text.encode("utf-8", "surrogatepass"))
    else:
        source = _read_file(as_path(path_or_text))
    problem = _content_problem(source.data)
    if problem:
        raise ModelError(source.subject, [problem])
    return source


def as_path(value: Any) -> Path:
    """Take a path in any of its forms, or say that this is none."""
    try:
        return Path(value)
    except TypeError:
        raise InputError(f"expected a path or a text, got {type(value).__name__}") from None


def _read_file(path: Path) -> Source:
    try:
        if path.is_dir():
            raise InputError(f"'{path}' is a folder; expected a file. Name the file inside it.")
        size = path.stat().st_size
        if size > MAX_BYTES:
            problem = Problem("file", f"{size / 2**20:.0f} MB", f"at most {MAX_BYTES // 2**20} MB")
            raise ModelError(f"file '{path}'", [problem])
        return Source(path.read_bytes(), path)
    except FileNotFoundError:
        raise InputError(f"there is no file '{shortened(str(path))}'. {_neighbours(path)}".rstrip()) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot read '{shortened(str(path))}': {reason}") from None


def shortened(text: str, most: int = 120) -> str:
    """The text, without its middle if it is long."""
    return text if len(text) <= most else f"{text[: most // 2]}...{text[-most // 2 :]}"


def _neighbours(path: Path) -> str:
    """Name the files of the same ending in the folder, for a mistyped name."""
    if not path.parent.is_dir():
        return f"There is no folder '{path.parent}' either."
    names = sorted(f.name for f in path.parent.iterdir() if f.suffix == path.suffix and f.suffix)
    shown = ", ".join(f"'{name}'" for name in names[:8]) + (", ..." if len(names) > 8 else "")
    return f"Files of this kind beside it: {shown}." if names else ""


def _content_problem(data: bytes) -> Problem | None:
    if len(data) > MAX_BYTES:
        return Problem("text", f"{len(data) / 2**20:.0f} MB", f"at most {MAX_BYTES // 2**20} MB")
    if not data.strip():
        return Problem("file", "nothing in it", "the description of a scene")
    if b"\0" in data[:4096] and not data.startswith(UTF16_MARKS):
        return Problem("file", "binary data", "text", "Check that this is the right file.")
    return None


def decode_utf8(source: Source) -> str:
    """Decode a source that must be UTF-8.

    Raises:
        ModelError: it is in some other encoding; the message says where that shows.
    """
    problem = utf8_problem(source.data)
    if problem:
        raise ModelError(source.subject, [problem])
    return source.data.decode("utf-8-sig")


def utf8_problem(data: bytes) -> Problem | None:
    """Say where `data` stops being UTF-8, if it does."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        found = f"byte 0x{data[error.start]:02x}, which is not UTF-8"
        return Problem(f"line {line}, column {column}", found, "text in UTF-8", "Save the file as UTF-8.")
    return None
