"""From a path to a connection that is alone with the file and knows what is in it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import sqlite3
import stat
import tempfile
import threading
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from stringless.errors import ProjectError
from stringless.timeline import schema
from stringless.timeline.contents import Contents, read_contents
from stringless.timeline.failures import damaged, explained, in_use
from stringless.timeline.schema import Totals

QUICK_CHECK_LIMIT = 64 << 20
"""Bytes up to which SQLite checks the whole structure of a file at opening, in 0.1 s at most."""
LOCK_FIRST, LOCK_COUNT = 0x40000002, 510
"""The bytes which SQLite locks in a file, far behind its content."""
MAGIC = b"SQLite format 3\0"

_open_files: set[tuple[int, int]] = set()
_open_files_lock = threading.Lock()


@dataclass
class Opened:
    """A project file in our hands."""

    connection: sqlite3.Connection
    path: str
    main: int
    """A descriptor of the file; closing it earlier than the connection would drop the lock of the connection."""
    identity: tuple[int, int]
    contents: Contents = field(default_factory=Contents)
    totals: Totals = field(default_factory=lambda: schema.empty_totals(0.0))
    folder: tempfile.TemporaryDirectory[str] | None = None

    def close(self) -> None:
        """Give the file back, with nothing left beside it."""
        self.connection.close()
        forget(self.main, self.identity)
        if self.folder:
            self.folder.cleanup()


def open_file(path: str, *, readonly: bool) -> Opened:
    """Open the project at `path`, check it and, unless `readonly`, keep all others out.

    Raises:
        ProjectError: it cannot be opened; the file is as it was.
    """
    with explained(path):
        main, identity = claim(path)
        try:
            check_header(path, main)
            opened = _open_readonly(path, main, identity) if readonly else _open_alone(path, main, identity)
        except BaseException:
            forget(main, identity)
            raise
        return opened


def claim(path: str) -> tuple[int, tuple[int, int]]:
    """A descriptor of a file that nobody else has open, and what to give back to `forget`."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        raise ProjectError(f"there is no project '{path}'; check the name, or make it with Store.create()") from None
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "no regular file"
        raise ProjectError(f"cannot open '{path}' as a project: it is {kind}; name the file itself")
    identity = (status.st_dev, status.st_ino)
    with _open_files_lock:
        if identity in _open_files:
            raise in_use(path, "this process already")
        _open_files.add(identity)
    try:
        main = os.open(path, os.O_RDONLY)
        try:
            fcntl.lockf(main, fcntl.LOCK_SH | fcntl.LOCK_NB, LOCK_COUNT, LOCK_FIRST)
        except (BlockingIOError, PermissionError):
            os.close(main)
            raise in_use(path) from None
    except BaseException:
        _open_files.discard(identity)
        raise
    return main, identity


def forget(main: int, identity: tuple[int, int]) -> None:
    """Undo `claim`."""
    os.close(main)
    with _open_files_lock:
        _open_files.discard(identity)


def check_header(path: str, main: int) -> None:
    """Tell from its first 100 bytes whether this is a project of ours that is all there."""
    header, size = os.pread(main, 100, 0), os.fstat(main).st_size
    remedy = "Nothing in it was changed; check the name"
    if size == 0:
        raise ProjectError(f"cannot open '{path}' as a project: it is empty, found 0 bytes. {remedy}")
    if not MAGIC.startswith(header[:16]):
        raise ProjectError(
            f"cannot open '{path}' as a project: found a file that begins with {header[:8]!r}, "
            f"expected an SQLite file that Stringless has written. {remedy}"
        )
    if size < schema.PAGE:
        raise damaged(path, f"it was cut short, found {size} bytes, expected at least {schema.PAGE}")
    application, version = int.from_bytes(header[68:72]), int.from_bytes(header[60:64])
    if application != schema.APPLICATION_ID:
        raise ProjectError(
            f"cannot open '{path}' as a project: it is an SQLite file of another program, found application "
            f"{application:#x}, expected {schema.APPLICATION_ID:#x}. {remedy}"
        )
    check_version(path, version)
    expected = int.from_bytes(header[28:32]) * schema.PAGE
    if size < expected and not has_log(path):
        raise damaged(path, f"it was cut short, found {size} bytes, expected {expected}")


def check_version(path: str, version: int) -> None:
    """Refuse what a newer program has written."""
    if version > schema.VERSION:
        raise ProjectError(
            f"cannot open the project '{path}': found version {version}, expected at most {schema.VERSION}. "
            "Nothing in it was changed; open it with a newer Stringless"
        )
    if version < 1:
        raise damaged(path, f"found version {version}, expected 1 to {schema.VERSION}")


def has_log(path: str) -> bool:
    """Whether changes lie beside the file that its last session could not work into it."""
    with contextlib.suppress(FileNotFoundError):
        return os.path.getsize(f"{path}-wal") > 0
    return False


def connect(path: str, mode: str) -> sqlite3.Connection:
    """A connection that trusts the file in nothing; `mode` is that of SQLite's file names."""
    uri = f"file:{quote(path)}?mode={mode}"
    connection = sqlite3.connect(uri, timeout=0, isolation_level=None, check_same_thread=False, uri=True)
    if mode.startswith("rw"):
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
    prepare(connection)
    return connection


def prepare(connection: sqlite3.Connection) -> None:
    """What every connection is told."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0").fetchall()
    connection.execute("PRAGMA wal_autocheckpoint = 0").fetchall()
    # What is replaced is wiped, so that `rescue` finds no row that is not the last of its key.
    connection.execute("PRAGMA secure_delete = ON").fetchall()


def check(connection: sqlite3.Connection, path: str) -> tuple[Contents, Totals]:
    """Check all but bodies, and the structure as well if the file is small."""
    pragma = {name: _pragma(connection, name) for name in ("application_id", "auto_vacuum", "encoding", "page_size")}
    expected = {
        "application_id": schema.APPLICATION_ID, "auto_vacuum": 0, "encoding": "UTF-8", "page_size": schema.PAGE
    }  # fmt: skip
    if pragma != expected:
        raise damaged(path, f"its header says {pragma}, expected {expected}")
    if _pragma(connection, "page_count") * schema.PAGE < QUICK_CHECK_LIMIT:
        verdict = _pragma(connection, "quick_check(1)")
        if verdict != "ok":
            raise damaged(path, f"SQLite says: {verdict}")
    return read_contents(connection, path)


def _pragma(connection: sqlite3.Connection, name: str) -> Any:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _open_alone(path: str, main: int, identity: tuple[int, int]) -> Opened:
    for place in (path, os.path.dirname(path)):
        if not os.access(place, os.W_OK):
            raise ProjectError(
                f"cannot open the project '{path}' for writing: '{place}' is read-only for you. Nothing in it was "
                "changed. Allow writing, open it with readonly=True, or copy it elsewhere"
            )
    fcntl.lockf(main, fcntl.LOCK_UN, LOCK_COUNT, LOCK_FIRST)
    if has_log(path):
        # Closing a connection that may write would work the log into the file, even into a damaged one: look first.
        _look(path)
    connection = connect(path, "rw")
    try:
        contents, totals = check(connection, path)
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return Opened(connection, path, main, identity, contents, totals)


def _look(path: str) -> None:
    connection = connect(path, "ro")
    try:
        check_version(path, _pragma(connection, "user_version"))
        check(connection, path)
    finally:
        connection.close()
        remove_index(path)


def remove_index(path: str) -> None:
    """Remove the file that SQLite keeps beside a log for readers who share it: nobody shares it."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(f"{path}-shm")


def _open_readonly(path: str, main: int, identity: tuple[int, int]) -> Opened:
    folder = None
    place = path
    if has_log(path):
        # A log can be read only where a file can be made beside it.
        folder = tempfile.TemporaryDirectory(prefix="stringless-")
        place = os.path.join(folder.name, "project")
        shutil.copyfile(f"{path}-wal", f"{place}-wal")
        with open(place, "wb") as copy, open(main, "rb", closefd=False) as source:
            shutil.copyfileobj(source, copy, 1 << 20)
    connection = connect(place, "ro" if folder else "ro&immutable=1")
    try:
        check_version(path, _pragma(connection, "user_version"))
        contents, totals = check(connection, path)
    except BaseException:
        connection.close()
        if folder:
            folder.cleanup()
        raise
    return Opened(connection, path, main, identity, contents, totals, folder)
