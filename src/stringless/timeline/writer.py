"""Rows on their way to the disk.

A row is handed over, then committed, then durable. One thread commits, ten times a second: from there on a killed
process loses nothing. Another waits for the disk: from there on a pulled plug loses nothing. A disk that takes long
therefore holds up neither readers nor commits.

SQLite itself never waits for the disk (`synchronous = OFF`), because it would do so with the connection in use. All it
would wait for is waited for here: the log before it is worked into the file, the file before the log is emptied, the
emptied log before it is written to again.

Locks are taken in this order: `_syncing`, `_writing` (no commit meanwhile), `connection_lock`, `_state`. Nobody waits for
the disk with one of the last two in hand.
"""

import contextlib
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
"""Bytes of rows that may wait; callers that hand over more must wait as well. Rows that were replaced while the disk was at
work on them may take as much again."""
LOG_LIMIT = 32 << 20
"""Bytes of the write-ahead log beyond which it is worked into the file."""


class Writer:
    """Holds rows until they are durable, and sees to it in threads of its own or, for a temporary store, at once."""

    def __init__(self, connection: sqlite3.Connection, path: str, totals: Totals, main: int | None) -> None:
        """Begin to write to `connection`; `main` is a descriptor of the file, none for a temporary store."""
        self.connection = connection
        self.path = path
        self.totals = totals
        self.connection_lock = threading.Lock()
        self._main = main
        self._commit_trouble: ProjectError | None = None
        self._sync_trouble: ProjectError | None = None
        self._syncing = threading.Lock()
        self._writing = threading.Lock()
        self._state = threading.Condition()
        self._waiting: dict[tuple[str, int], Row] = {}
        """All rows that are not durable."""
        self._bytes = 0
        """How much they are."""
        self._uncommitted: dict[tuple[str, int], Row] = {}
        self._unsynced: dict[tuple[str, int], Row] = {}
        self._stop = False
        self._threads: list[threading.Thread] = []
        if main is not None:
            connection.execute("PRAGMA synchronous = OFF")
            for loop in (self._commit_loop, self._sync_loop):
                self._threads.append(threading.Thread(target=loop, name="project writer", daemon=True))
                self._threads[-1].start()

    @property
    def trouble(self) -> ProjectError | None:
        """What keeps rows from being written, if anything does."""
        return self._commit_trouble or self._sync_trouble

    def raise_trouble(self) -> None:
        """Raise it."""
        if self.trouble:
            raise ProjectError(str(self.trouble))

    def wait_for_room(self, size: int) -> None:
        """Return when `size` bytes more may wait.

        Raises:
            ProjectError: as much is waiting as memory allows, and it cannot be written.
        """
        with self._state:
            while self._waiting and self._bytes + size > MEMORY_LIMIT:
                self.raise_trouble()
                self._state.wait(COMMIT_EVERY)

    def hand_over(self, row: Row) -> None:
        """Take a row; it can be read from now on."""
        place = (row.kind, row.key)
        with self._state:
            old = self._waiting.pop(place, None)
            self._bytes += row.size() - (old.size() if old else 0)
            self._waiting[place] = row
            self._uncommitted.pop(place, None)
            self._uncommitted[place] = row
            self._state.notify_all()
        if self._main is None:
            self.write()

    def find(self, kind: str, key: int) -> Row | None:
        """The row if it is still on its way."""
        with self._state:
            return self._waiting.get((kind, key))

    def waiting(self) -> list[Row]:
        """All rows that are on their way, in order."""
        with self._state:
            return list(self._waiting.values())

    def write(self) -> None:
        """Make durable all that waits; what went wrong is in `trouble` afterwards and nothing is forgotten."""
        self._commit()
        self._sync()

    def mark(self, *, closed: bool) -> None:
        """Note in the file that a session begins or ends, and work the log into it.

        So the file tells of an unclosed session even if its log is lost.

        Raises:
            ProjectError: the file cannot be written.
        """
        if self._main is None:
            return
        opened = self.totals.opened if closed else time.time()
        try:
            with self._syncing:
                with self._writing, self.connection_lock:
                    marked = replace(self.totals, opened=opened, committed=time.time(), closed=closed)
                    self.totals = write_rows(self.connection, marked, [])
                self._checkpoint(self._main)
                sync_path(os.path.dirname(self.path))
        except (sqlite3.Error, OSError) as error:
            raise explain(error, self.path) from error

    def stop(self) -> None:
        """End the threads; from here on SQLite waits for the disk again."""
        with self._state:
            self._stop = True
            self._state.notify_all()
        for thread in self._threads:
            thread.join()
        if self._threads:
            with contextlib.suppress(sqlite3.Error):
                self.connection.execute("PRAGMA synchronous = FULL")

    def _commit_loop(self) -> None:
        while not self._stop:
            with self._state:
                self._state.wait_for(lambda: self._uncommitted or self._stop)
            self._pause(RETRY_EVERY if self.trouble else COMMIT_EVERY)
            self._commit()

    def _sync_loop(self) -> None:
        while not self._stop:
            with self._state:
                self._state.wait_for(lambda: self._unsynced or self._stop)
            self._sync()

    def _pause(self, seconds: float) -> None:
        """Let rows gather, unless they gather fast."""
        end = time.monotonic() + seconds
        with self._state:
            while not self._stop and (left := end - time.monotonic()) > 0:
                if self._bytes > MEMORY_LIMIT // 2 and not self.trouble:
                    return
                self._state.wait(left)

    def _commit(self) -> None:
        with self._writing:
            with self._state:
                rows = list(self._uncommitted.values())
            if not rows:
                return
            try:
                with self.connection_lock:
                    self.totals = write_rows(self.connection, replace(self.totals, committed=time.time()), rows)
            except Exception as error:  # a thread that ended would lose all that comes without a word
                self._commit_trouble = explain(error, self.path)
                return
            with self._state:
                self._commit_trouble = None
                self._remove(self._uncommitted, rows)
                self._unsynced |= {(row.kind, row.key): row for row in rows}
                self._state.notify_all()

    def _sync(self) -> None:
        with self._syncing:
            with self._state:
                rows, self._unsynced = self._unsynced, {}
            if not rows:
                return
            try:
                self._sync_files()
            except Exception as error:
                # The system may have dropped what it could not write: commit these rows again.
                with self._state:
                    self._sync_trouble = explain(error, self.path)
                    self._uncommitted = rows | self._uncommitted
                    self._state.notify_all()
                return
            with self._state:
                self._sync_trouble = None
                self._bytes -= sum(row.size() for row in self._remove(self._waiting, list(rows.values())))
                self._state.notify_all()

    def _remove(self, rows: dict[tuple[str, int], Row], done: list[Row]) -> list[Row]:
        """Take from `rows` those that are done, but not the newer ones in their place."""
        same = [row for row in done if rows.get((row.kind, row.key)) is row]
        for row in same:
            del rows[row.kind, row.key]
        return same

    def _sync_files(self) -> None:
        if self._main is None:
            return
        log = f"{self.path}-wal"
        sync_path(log)
        if os.path.getsize(log) > LOG_LIMIT:
            with self._writing:
                self._copy_log()
            sync(self._main)
            self._checkpoint(self._main)

    def _checkpoint(self, main: int) -> None:
        """Work the log into the file and empty it. Commits wait, so most of it should have been copied before."""
        with self._writing:
            self._copy_log()
            sync(main)
            with self.connection_lock:
                self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            sync_path(f"{self.path}-wal")

    def _copy_log(self) -> None:
        """Copy what the log holds into the file; no commit may happen meanwhile."""
        sync_path(f"{self.path}-wal")
        with self.connection_lock:
            self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


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
