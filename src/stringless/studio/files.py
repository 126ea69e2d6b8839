"""Files that a page may use: those in folders that the user chose, and those it has sent."""

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path, PurePosixPath

from stringless.errors import InputError
from stringless.formats.registry import Kind, Writer, list_formats
from stringless.project.project import ENDING
from stringless.studio.builders import copy_fields
from stringless.studio.messages import FormatInfo

LARGEST = 64 * 2**20
"""Bytes of one file that is sent."""
MOST = 16 * LARGEST
"""Bytes of all of them together."""
DEEPEST, LONGEST = 4, 120
"""Folders in the name of a file that is sent, and characters of each."""


def describe_formats() -> list[FormatInfo]:
    """What can be opened, sent along and written."""
    return [
        copy_fields(FormatInfo, known, written=isinstance(known, Writer), suffixes=list(known.suffixes))
        for known in list_formats()
    ]


def list_taken() -> dict[str, Kind]:
    """Suffixes of what is shown and taken, with what each holds: what can be opened, then what comes along."""
    taken: dict[str, Kind] = {}
    for known in list_formats():
        if not isinstance(known, Writer):
            taken |= {suffix: known.kind for suffix in known.suffixes if suffix not in taken}
    return taken


class Folders:
    """The folders the user chose. Whatever a page names must be inside one of them, links followed."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Resolve the folders now; a link to one is followed once and for all."""
        self.all = list(dict.fromkeys(Path(folder).expanduser().resolve() for folder in folders))
        for folder in self.all:
            if not folder.is_dir():
                raise InputError(f"'{folder}' is no folder; expected one whose files the studio may open and write")

    def inside(self, path: str | os.PathLike[str]) -> Path:
        """The real path, if it is in one of the folders; a relative one starts in the first.

        Raises:
            InputError: it is not in one of them, or not a path.
        """
        text = os.fspath(path)
        names = ", ".join(f"'{folder}'" for folder in self.all) or "none"
        hint = f"folders that can be used: {names}. Start the studio with --folder to add one"
        if not text or "\0" in text or not self.all:
            raise InputError(f"{text!r} cannot be a file here; {hint}")
        found = (self.all[0] / Path(text)).resolve()
        if not any(found == folder or folder in found.parents for folder in self.all):
            raise InputError(f"'{text}' is outside of the folders that were chosen; {hint}")
        return found


class Uploads:
    """Files that pages have sent, kept in one folder until the studio ends, so that a scene finds its meshes.

    Projects are kept for good: nothing that is done in one must be lost.
    """

    def __init__(self, parent: Path, make_path: Callable[[str], Path]) -> None:
        """Make the folder in `parent`; `make_path` finds the path of a project with a title."""
        self.folder = Path(tempfile.mkdtemp(prefix="sent-", dir=parent))
        self._make_project_path = make_path
        self._taken = 0

    async def take(self, name: str, parts: AsyncIterator[bytes]) -> Path:
        """Write a file as it comes in.

        A file appears under its name only when it is whole; one of that name is replaced, except a project, which gets
        a name of its own.

        Raises:
            InputError: the name is not accepted, or the file is too large.
        """
        target = self._find_target(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, half = tempfile.mkstemp(dir=self.folder, prefix=".half-")
        size = 0
        try:
            with os.fdopen(handle, "wb") as file:
                async for part in parts:
                    size += len(part)
                    self._taken += len(part)
                    self._check_size(name, size)
                    file.write(part)
            Path(half).replace(target)
        except BaseException:
            Path(half).unlink(missing_ok=True)
            self._taken -= size
            raise
        return target

    def close(self) -> None:
        """Remove everything that was sent."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _check_size(self, name: str, size: int) -> None:
        if size > LARGEST:
            raise InputError(f"'{name}' is larger than {LARGEST >> 20} MB, which is the most that is taken")
        if self._taken > MOST:
            raise InputError(f"more than {MOST >> 20} MB were sent by now; open '{name}' from a folder instead")

    def _find_target(self, name: str) -> Path:
        path = PurePosixPath(check_name(name))
        return self._make_project_path(path.stem) if path.suffix.lower() == ENDING else self.folder / path


def check_name(name: str) -> str:
    """The name of a file that is sent, which may have folders in front of it but leads nowhere else.

    Raises:
        InputError: the reason why it is not accepted.
    """
    parts = name.split("/")
    strange = any(not part.isprintable() or "\\" in part or ":" in part for part in parts)
    hidden = any(not part or part.startswith(".") for part in parts)
    if strange or hidden or len(parts) > DEEPEST or any(len(os.fsencode(part)) > LONGEST for part in parts):
        shown = name if name.isprintable() and len(name) <= LONGEST else ascii(name[:LONGEST])
        raise InputError(f"'{shown}' cannot be the name of a file here; expected a plain name such as 'robot.urdf'")
    suffix, taken = PurePosixPath(name).suffix.lower(), list_taken()
    if suffix not in taken:
        raise InputError(f"'{name}' ends in '{suffix}', which cannot be opened; expected one of {', '.join(taken)}")
    return name
