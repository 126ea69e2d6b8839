"""Rows on their way to the disk.

Three locks, always taken in this order: `writing` for a whole commit with its wait for the disk, `connection_lock`
for a use of the connection, `_state` for the rows that wait. Nobody waits for the disk with the second or third in
hand, so that reading goes on while the disk works.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
import time
from dataclasses import replace

from stringless.errors import ProjectError
from stringless.timeline.failures import explain
from stringless.timeline.schema import Row, Totals, write_rows

COMMIT_EVERY = 0.1
"""Seconds for which rows are gathered before they are written."""
RETRY_EVERY = 0.5
"""Seconds between attempts while writing fails."""
MEMORY_LIMIT = 64 << 20
"""Bytes of rows that may wait. Whoever hands over more must wait as well."""
LOG_LIMIT = 32 << 20
"""Bytes of the write-ahead log beyond which it is worked into the file."""


class Writer:
    """Holds rows until they are durable, and writes them in a thread of its own or, for a temporary store, at once."""

    def __init__(self, connection: sqlite3.Connection, path: str, totals: Totals, main: int | None) -> None:
        """Begin to write to `connection`; `main` is a descriptor of the file, none for a temporary store."""
        self.connection = connection
        self.path = path
        self.totals = totals
        self.trouble: ProjectError | None = None
        self.connection_lock = threading.Lock()
        self._main = main
        self._writing = threading.Lock()
        self._state = threading.Condition()
        self._unwritten: dict[tuple[str, int], Row] = {}
        self._bytes = 0
        self._stop = False
        self._thread = (
            threading.Thread(target=self._run, name="project writer", daemon=True) if main is not None else None
        )
        if self._thread:
            self._thread.start()

    def hand_over(self, row: Row) -> None:
        """Take a row; it can be read from now on."""
        with self._state:
            old = self._unwritten.pop((row.kind, row.key), None)
            self._unwritten[row.kind, row.key] = row
            self._bytes += row.size() - (old.size() if old else 0)
            self._state.notify_all()
        if self._thread is None:
            self.write()

    def wait_for_room(self, size: int) -> None:
        """Return when `size` bytes more may wait.

        Raises:
            ProjectError: as much is waiting as memory allows, and it cannot be written.
        """
        with self._state:
            while self._unwritten and self._bytes + size > MEMORY_LIMIT:
                self.raise_trouble()
                self._state.wait(COMMIT_EVERY)

    def raise_trouble(self) -> None:
        """Raise what keeps rows from being written, if anything does."""
        if self.trouble:
            raise ProjectError(str(self.trouble))

    def unwritten(self, kind: str, key: int) -> Row | None:
        """The row if it is still on its way."""
        with self._state:
            return self._unwritten.get((kind, key))

    def waiting(self) -> list[Row]:
        """All rows that are on their way, in order."""
        with self._state:
            return list(self._unwritten.values())

    def write(self) -> None:
        """Make durable all that waits; what went wrong is in `trouble` afterwards and nothing is forgotten."""
        with self._writing:
            rows = self.waiting()
            if not rows:
                return
            try:
                self._commit(rows)
                self.trouble = None
            except Exception as error:  # a thread that ended would lose everything from here on without a word
                self.trouble = explain(error, self.path)
                return
            with self._state:
                for row in rows:
                    if self._unwritten.get((row.kind, row.key)) is row:
                        del self._unwritten[row.kind, row.key]
                        self._bytes -= row.size()
                self._state.notify_all()

    def mark(self, *, closed: bool) -> None:
        """Note in the file that a session begins or ends, and work the log into it.

        So the file tells of an unclosed session even if its log is lost.

        Raises:
            ProjectError: the file cannot be written.
        """
        opened = self.totals.opened if closed else time.time()
        try:
            with self._writing:
                self.totals = replace(self.totals, opened=opened, closed=closed)
                self._commit([])
                self._checkpoint()
                if self._main is not None:
                    sync_path(os.path.dirname(self.path))
        except (sqlite3.Error, OSError) as error:
            raise explain(error, self.path) from error

    def stop(self) -> None:
        """End the thread."""
        with self._state:
            self._stop = True
            self._state.notify_all()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        while not self._stop:
            with self._state:
                self._state.wait_for(lambda: self._unwritten or self._stop)
            self._pause(RETRY_EVERY if self.trouble else COMMIT_EVERY)
            self.write()

    def _pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        with self._state:
            while not self._stop and (left := end - time.monotonic()) > 0:
                if self._bytes > MEMORY_LIMIT // 2 and not self.trouble:
                    return
                self._state.wait(left)

    def _commit(self, rows: list[Row]) -> None:
        with self.connection_lock:
            self.totals = write_rows(self.connection, replace(self.totals, committed=time.time()), rows)
        if self._main is None:
            return
        log = f"{self.path}-wal"
        sync_path(log)
        if os.path.getsize(log) > LOG_LIMIT:
            self._checkpoint()

    def _checkpoint(self) -> None:
        """Work the log into the file and empty it.

        SQLite would wait for the disk between the two, with the connection in use; we do it ourselves in between. The
        log is emptied only when the file is durable, and written to again only when its emptiness is.
        """
        if self._main is None:
            return
        with self.connection_lock:
            self.connection.execute("PRAGMA synchronous = OFF")
            try:
                self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            finally:
                self.connection.execute("PRAGMA synchronous = NORMAL")
        sync(self._main)
        with self.connection_lock:
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        sync_path(f"{self.path}-wal")


def sync(descriptor: int) -> None:
    """Return when the disk has what was written; `fsync` of macOS leaves it in the disk's own memory."""
    full: int | None = getattr(fcntl, "F_FULLFSYNC", None)
    if full is None:
        os.fsync(descriptor)
    else:
        fcntl.fcntl(descriptor, full)


def sync_path(path: str) -> None:
    """`sync` for a file or folder by its name. Never for the project file itself: closing it would drop its lock."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)
