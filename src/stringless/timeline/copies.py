"""New project files: empty ones and copies, which appear whole or not at all."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from stringless.errors import ProjectError
from stringless.timeline import schema
from stringless.timeline.failures import explained
from stringless.timeline.schema import read_totals
from stringless.timeline.store_file import claim, has_log, prepare
from stringless.timeline.writer import Writer, sync_path

PAGES_AT_A_TIME = 256
"""Pages that are copied before others may use the connection: one megabyte."""


def copy_to(writer: Writer, path: str, *, overwrite: bool) -> None:
    """Write a copy of what `writer` has written or still holds, closed as by its last user.

    What is written while others have their turn goes into the copy as well: SQLite sees to it, because it is the same
    connection. After the last page there is no turn for others, so that the copy and the rows that wait belong together.
    """

    def let_others(_status: int, remaining: int, _total: int) -> None:
        if remaining:
            writer.connection_lock.release()
            writer.connection_lock.acquire()

    with new_file(path, overwrite=overwrite) as connection, writer.connection_lock:
        writer.connection.backup(connection, pages=PAGES_AT_A_TIME, progress=let_others)
        totals = read_totals(connection, path)
        schema.write_rows(connection, replace(totals, closed=True), writer.waiting())


@contextlib.contextmanager
def new_file(path: str, *, overwrite: bool) -> Iterator[sqlite3.Connection]:
    """A connection to a file beside `path`, which takes its name at the end of the block if all went well."""
    part = f"{path}.part{os.getpid()}"
    with explained(path):
        _check_free(path, overwrite=overwrite)
        try:
            connection = sqlite3.connect(part, isolation_level=None)
            try:
                connection.execute(f"PRAGMA page_size = {schema.PAGE}")
                prepare(connection)
                # If this fails the file is thrown away, and we wait for the disk once, at the end.
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute("PRAGMA journal_mode = MEMORY").fetchall()
                yield connection
                connection.execute("PRAGMA journal_mode = WAL").fetchall()
            finally:
                connection.close()
            sync_path(part)
            _publish(part, path, overwrite=overwrite)
        finally:
            for end in ("", "-journal", "-wal", "-shm"):
                Path(part + end).unlink(missing_ok=True)


def _check_free(path: str, *, overwrite: bool) -> None:
    if os.path.exists(path):
        if not overwrite:
            raise _exists(path)
        with claim(path):
            pass  # nobody else has it
    elif not overwrite and has_log(path):
        raise ProjectError(
            f"cannot make '{path}': beside it lies '{path}-wal' with changes to a project of that name which is gone. "
            "Move it away or choose another name"
        )


def _exists(path: str) -> ProjectError:
    return ProjectError(f"'{path}' exists already and was not changed; choose another name or say overwrite=True")


def _publish(part: str, path: str, *, overwrite: bool) -> None:
    if overwrite:
        Path(f"{path}-wal").unlink(missing_ok=True)
        os.replace(part, path)
    else:
        _rename_to_new(part, path)
    sync_path(os.path.dirname(path))


def _rename_to_new(part: str, path: str) -> None:
    try:
        os.link(part, path)  # unlike a renaming, this never replaces what has appeared at `path` meanwhile
    except FileExistsError:
        raise _exists(path) from None
    except OSError:  # no links on this disk
        if os.path.exists(path):
            raise _exists(path) from None
        os.rename(part, path)
