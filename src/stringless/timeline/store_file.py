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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from stringless.errors import ProjectError
from stringless.timeline import schema
from stringless.timeline.failures import damaged, explained, in_use
from stringless.timeline.schema import Contents, Totals, read_contents

QUICK_CHECK_LIMIT = 64 << 20
"""Bytes up to which SQLite checks the whole structure of a file at opening, in 0.1 s at most."""
MAGIC = b"SQLite format 3\0"
HEADER = 100
"""Bytes at the beginning of a file that say what it is."""
LOCK_FIRST, LOCK_COUNT = 0x40000002, 510
"""The bytes which SQLite locks in a file: an exclusive lock on them keeps all others out."""
_claimed: set[tuple[int, int]] = set()
_claimed_lock = threading.Lock()


@dataclass
class Opened:
    """A project file in our hands."""

    connection: sqlite3.Connection
    path: str
    contents: Contents
    totals: Totals
    descriptor: int
    resources: contextlib.ExitStack
    """Closing it gives the file back, with nothing left beside it."""


def open_file(path: str, *, readonly: bool) -> Opened:
    """Open the project at `path`, check it and, unless `readonly`, keep all others out.

    Raises:
        ProjectError: it cannot be opened; the file is as it was.
    """
    with explained(path), contextlib.ExitStack() as resources:
        descriptor = resources.enter_context(claim(path))
        check_header(path, descriptor)
        if readonly:
            connection = _connect_for_reading(path, descriptor, resources)
        else:
            _check_writable(path)
            fcntl.lockf(descriptor, fcntl.LOCK_UN, LOCK_COUNT, LOCK_FIRST)  # SQLite locks it from here on
            connection = _connect_alone(path, resources)
        contents, totals = read_contents(connection, path)
        if not readonly:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        return Opened(connection, path, contents, totals, descriptor, resources.pop_all())


def check_header(path: str, descriptor: int) -> None:
    """Tell from its first 100 bytes whether this is a project of ours that is all there."""
    header, size = os.pread(descriptor, HEADER, 0), os.fstat(descriptor).st_size
    remedy = "Nothing in it was changed; check the name"
    if size == 0:
        raise ProjectError(f"cannot open '{path}' as a project: it is empty, found 0 bytes. {remedy}")
    if header[:16] != MAGIC[:size]:
        raise ProjectError(
            f"cannot open '{path}' as a project: found a file that begins with {header[:8]!r}, "
            f"expected an SQLite file that Stringless has written. {remedy}"
        )
    if size < HEADER:
        raise damaged(path, f"it was cut short, found {size} bytes, expected at least {schema.PAGE}")
    application, version = int.from_bytes(header[68:72]), int.from_bytes(header[60:64])
    if application != schema.APPLICATION_ID:
        raise ProjectError(
            f"cannot open '{path}' as a project: it is an SQLite file of another program, found application "
            f"{application:#x}, expected {schema.APPLICATION_ID:#x}. {remedy}"
        )
    _check_version(path, version)
    expected = int.from_bytes(header[28:32]) * schema.PAGE
    if size < expected and not has_log(path):
        raise damaged(path, f"it was cut short, found {size} bytes, expected {expected}")


def _check_version(path: str, version: int) -> None:
    if version > schema.VERSION:
        raise ProjectError(
            f"cannot open the project '{path}': found version {version}, expected at most {schema.VERSION}. "
            "Nothing in it was changed; open it with a newer Stringless"
        )
    if version < schema.VERSION:
        raise damaged(path, f"found version {version}, expected {schema.VERSION}")


def _check_writable(path: str) -> None:
    for place in (path, os.path.dirname(path)):
        if not os.access(place, os.W_OK):
            raise ProjectError(
                f"cannot open the project '{path}' for writing: '{place}' is read-only for you. Nothing in it was "
                "changed. Allow writing, open it with readonly=True, or copy it elsewhere"
            )


def _check_structure(connection: sqlite3.Connection, path: str) -> None:
    """Check what SQLite builds on, all of it if the file is small."""
    _check_version(path, pragma(connection, "user_version"))
    expected = {"application_id": schema.APPLICATION_ID, "auto_vacuum": 0}
    expected |= {"encoding": "UTF-8", "page_size": schema.PAGE}
    found = {name: pragma(connection, name) for name in expected}
    if found != expected:
        raise damaged(path, f"its header says {found}, expected {expected}")
    if pragma(connection, "page_count") * schema.PAGE < QUICK_CHECK_LIMIT:
        verdict = pragma(connection, "quick_check(1)")
        if verdict != "ok":
            raise damaged(path, f"SQLite says: {verdict}")


def _connect_alone(path: str, resources: contextlib.ExitStack) -> sqlite3.Connection:
    if has_log(path):
        _look(path)
    connection = connect(path, "rw")
    resources.callback(connection.close)
    _check_structure(connection, path)
    return connection


def _look(path: str) -> None:
    """Check a file with a log for reading: a connection that may write would work the log even into a damaged file."""
    connection = connect(path, "ro")
    try:
        _check_structure(connection, path)
        read_contents(connection, path)
    finally:
        connection.close()
        Path(f"{path}-shm").unlink(missing_ok=True)  # the index of a log for processes that share it: there are none


def _connect_for_reading(path: str, descriptor: int, resources: contextlib.ExitStack) -> sqlite3.Connection:
    place, mode = path, "ro&immutable=1"
    if has_log(path):
        # SQLite reads a log only where it can make a file beside it, which may be forbidden here.
        folder = resources.enter_context(tempfile.TemporaryDirectory(prefix="stringless-"))
        place, mode = os.path.join(folder, "project"), "ro"
        copy_with_log(path, descriptor, place)
    connection = connect(place, mode)
    resources.callback(connection.close)
    _check_structure(connection, path)
    return connection


def copy_with_log(path: str, descriptor: int, target: str) -> None:
    """Copy a claimed file and the log beside it, without closing a descriptor of the file."""
    with open(descriptor, "rb", closefd=False) as source, open(target, "wb") as copy:
        source.seek(0)
        shutil.copyfileobj(source, copy, 1 << 20)
    if has_log(path):
        shutil.copyfile(f"{path}-wal", f"{target}-wal")


@contextlib.contextmanager
def claim(path: str) -> Iterator[int]:
    """Claim the file for reading until the end of the block, and give its descriptor; a process that writes it has locked it.

    The system drops all locks of a process on a file as soon as the process closes any descriptor of it. So there is
    one descriptor of our own, closed last, and no second claim in this process.

    Raises:
        ProjectError: there is no such file, or it is open elsewhere.
    """
    try:
        status = os.stat(path)
    except FileNotFoundError:
        raise ProjectError(f"there is no project '{path}'; check the name, or make it with Project.create") from None
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "no regular file"
        raise ProjectError(f"cannot open '{path}' as a project: it is {kind}; name the file itself")
    identity = (status.st_dev, status.st_ino)
    with _claimed_lock:
        if identity in _claimed:
            raise in_use(path, "this process already")
        _claimed.add(identity)
    with contextlib.ExitStack() as resources:
        resources.callback(_claimed.discard, identity)
        descriptor = os.open(path, os.O_RDONLY)
        resources.callback(os.close, descriptor)
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB, LOCK_COUNT, LOCK_FIRST)
        except (BlockingIOError, PermissionError):
            raise in_use(path) from None
        yield descriptor


def has_log(path: str) -> bool:
    """Whether changes lie beside the file that its last session could not work into it."""
    with contextlib.suppress(FileNotFoundError):
        return os.path.getsize(f"{path}-wal") > 0
    return False


def connect(path: str, mode: str) -> sqlite3.Connection:
    """A connection to a file; `mode` is that of SQLite's file names."""
    uri = f"file:{quote(path)}?mode={mode}"
    connection = sqlite3.connect(uri, timeout=0, isolation_level=None, check_same_thread=False, uri=True)
    try:
        if mode == "rw":
            connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def prepare(connection: sqlite3.Connection) -> None:
    """Tell a connection to trust the file in nothing, and to leave the log to us."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0").fetchall()
    connection.execute("PRAGMA wal_autocheckpoint = 0").fetchall()
    # What is replaced is wiped, so that `rescue` finds no row that is not the last of its key.
    connection.execute("PRAGMA secure_delete = ON").fetchall()


def pragma(connection: sqlite3.Connection, name: str) -> Any:
    """What SQLite says to a question."""
    return connection.execute(f"PRAGMA {name}").fetchone()[0]
