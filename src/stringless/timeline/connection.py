"""Files and connections: who has a file open, and what every connection is told."""

import contextlib
import fcntl
import os
import sqlite3
import stat
import threading
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from stringless.errors import ProjectError
from stringless.timeline.failures import in_use

LOCK_FIRST, LOCK_COUNT = 0x40000002, 510
"""The bytes which SQLite locks in a file: an exclusive lock on them keeps all others out."""

_claimed: set[tuple[int, int]] = set()
_claimed_lock = threading.Lock()


@dataclass(frozen=True)
class Claim:
    """A file that is open here alone.

    The system drops all locks of a process on a file as soon as the process closes any descriptor of it. So there is
    one descriptor of our own, closed last, and no second claim in this process.
    """

    descriptor: int
    identity: tuple[int, int]

    def unlock(self) -> None:
        """Leave the locking to SQLite."""
        fcntl.lockf(self.descriptor, fcntl.LOCK_UN, LOCK_COUNT, LOCK_FIRST)

    def release(self) -> None:
        """Let others have it."""
        os.close(self.descriptor)
        with _claimed_lock:
            _claimed.discard(self.identity)


def claim(path: str) -> Claim:
    """Claim the file for reading; a process that writes it has locked it.

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
    try:
        claimed = Claim(os.open(path, os.O_RDONLY), identity)
    except BaseException:
        _claimed.discard(identity)
        raise
    try:
        fcntl.lockf(claimed.descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB, LOCK_COUNT, LOCK_FIRST)
    except (BlockingIOError, PermissionError):
        claimed.release()
        raise in_use(path) from None
    return claimed


def has_log(path: str) -> bool:
    """Whether changes lie beside the file that its last session could not work into it."""
    with contextlib.suppress(FileNotFoundError):
        return os.path.getsize(f"{path}-wal") > 0
    return False


def remove_index(path: str) -> None:
    """Remove the index that SQLite keeps beside a log for processes that share it: there are none."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(f"{path}-shm")


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
