"""A project in one file: rows and bytes, durable within a second, checked whenever they are read."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from stringless.errors import InputError, ProjectError
from stringless.timeline import copies, schema, store_file
from stringless.timeline.failures import explained
from stringless.timeline.schema import BRANCH_BITS, ChunkIndex, Contents, Row, read_row
from stringless.timeline.store_file import prepare
from stringless.timeline.writer import Writer

BRANCH_LIMIT = 1 << 31
LARGEST_BODY = 512 << 20
"""Bytes of a chunk or file; SQLite takes a little less than twice as many."""


@dataclass(frozen=True)
class Recovery:
    """What was found in a project whose last session did not close."""

    when_opened: float
    """When that session began, in seconds since 1970."""
    last_commit: float
    """When it last wrote; what it did in the second after that may be lost."""
    journal_rows: int
    """Entries in the journal, all of them intact."""
    frames: int
    """Frames in all branches together."""


class Store:
    """A project file, or a temporary one without a name. Any thread may call it."""

    def __init__(self, opened: store_file.Opened | None, *, readonly: bool = False) -> None:
        """Use `create`, `open` or `temporary`."""
        self.path: Path | None = None
        self.readonly = readonly
        self.recovered: Recovery | None = None
        self._opened = opened
        self._lock = threading.RLock()
        self._closed = False
        if opened is None:
            connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            prepare(connection)
            self._contents = Contents()
            self._writer = Writer(connection, "temporary project", schema.create_tables(connection, time.time()), None)
            return
        self.path = Path(opened.path)
        self._contents = opened.contents
        if not opened.totals.closed:
            frames = sum(index.frames for chunks in opened.contents.chunks.values() for index in chunks)
            self.recovered = Recovery(opened.totals.opened, opened.totals.committed, opened.contents.entries, frames)
        self._writer = Writer(opened.connection, opened.path, opened.totals, None if readonly else opened.descriptor)
        if not readonly:
            atexit.register(self._close_at_exit)

    @classmethod
    def create(cls, path: str | os.PathLike[str]) -> Store:
        """Make a new project and open it.

        Raises:
            ProjectError: there is something at `path` already, or it cannot be written.
        """
        with copies.new_file(_whole(path), overwrite=False) as connection:
            schema.create_tables(connection, time.time())
        return cls.open(path)

    @classmethod
    def open(cls, path: str | os.PathLike[str], readonly: bool = False) -> Store:
        """Open a project, alone; `recovered` then tells whether its last session did not close.

        Raises:
            ProjectError: it cannot be opened; the file is as it was.
        """
        store = cls(store_file.open_file(_whole(path), readonly=readonly), readonly=readonly)
        if not readonly:
            try:
                store._writer.mark(closed=False)
            except ProjectError:
                store._release()
                raise
        return store

    @classmethod
    def temporary(cls) -> Store:
        """A project without a name, gone when it is closed; it takes to the disk what is too much for memory."""
        return cls(None)

    def __enter__(self) -> Store:
        """Close at the end of the block."""
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def trouble(self) -> ProjectError | None:
        """What keeps the store from writing, if anything does. It tries again and again; nothing is forgotten."""
        return self._writer.trouble

    def close(self, *, abandon: bool = False) -> None:
        """Make everything durable and give the file back.

        Args:
            abandon: Close even if that fails; what could not be written is lost.

        Raises:
            ProjectError: it cannot be written; the store stays open, to be saved elsewhere or closed again later.
        """
        with self._lock:
            if self._closed:
                return
            try:
                if not self.readonly:
                    self.flush()
                    self._writer.mark(closed=True)
            except ProjectError:
                if not abandon:
                    raise
            self._release()

    def flush(self) -> None:
        """Return when all that was handed over is durable.

        Raises:
            ProjectError: it cannot be written.
        """
        self._check_open()
        self._writer.write()
        self._writer.raise_trouble()

    def get(self, key: str, default: Any = None) -> Any:
        """The value that was set, `default` if none was."""
        with self._lock:
            found = self._contents.values.get(key)
        return default if found is None else json.loads(found[1])

    def set(self, key: str, value: Any) -> None:
        """Keep a small value that JSON can say."""
        with self._changing():
            known = self._contents.values
            self._put("value", known[key][0] if key in known else len(known) + 1, [key, value])

    def put_branch(self, branch_id: int, data: dict[str, Any]) -> None:
        """Keep what is known of a branch, in place of what was; branches have numbers from 0 on."""
        if not 0 <= branch_id < BRANCH_LIMIT:
            raise InputError(f"branch {branch_id}: expected a number of 0 to {BRANCH_LIMIT - 1}")
        with self._changing():
            self._put("lane", int(branch_id), data)

    def branches(self) -> dict[int, dict[str, Any]]:
        """All branches by their number."""
        with self._lock:
            return {branch: json.loads(text) for branch, text in sorted(self._contents.branches.items())}

    def put_chunk(self, branch: int, number: int, index: ChunkIndex, data: bytes) -> None:
        """Keep a chunk, in place of one of the same number; numbers of a branch are 0, 1, 2 and so on.

        Raises:
            InputError: a number is out of range.
            ProjectError: writing is in trouble and memory is full.
        """
        with self._changing(len(data)):
            count = len(self._contents.chunks.get(branch, ()))
            if not (0 <= branch < BRANCH_LIMIT and 0 <= number <= count):
                raise InputError(
                    f"chunk {number} of branch {branch}: expected a branch from 0 on and a number of 0 to {count}"
                )
            content = [float(index.first_time), float(index.last_time), int(index.frames)]
            self._put("chunk", int(branch) << BRANCH_BITS | int(number), content, bytes(data))

    def chunks(self, branch: int) -> list[ChunkIndex]:
        """What is known of the chunks of a branch, in order."""
        with self._lock:
            return list(self._contents.chunks.get(branch, ()))

    def read_chunk(self, branch: int, number: int) -> bytes:
        """The data of a chunk.

        Raises:
            InputError: there is no such chunk.
            ProjectError: it is damaged.
        """
        with self._lock:
            count = len(self._contents.chunks.get(branch, ()))
        if not 0 <= number < count:
            raise InputError(f"there is no chunk {number} in branch {branch}, which has {count}")
        return self._read("chunk", branch << BRANCH_BITS | number).body

    def append(self, entry: dict[str, Any]) -> int:
        """Add an entry to the journal and give its number, 1 for the first."""
        with self._changing():
            known = self._contents
            self._put("journal", known.entries + 1, entry, link=known.tip)
            return known.entries

    def amend(self, number: int, entry: dict[str, Any]) -> None:
        """Replace the last entry of the journal.

        Raises:
            InputError: `number` is not the last.
        """
        with self._changing():
            known = self._contents
            if number != known.entries or number < 1:
                raise InputError(
                    f"cannot amend entry {number} of the journal: only the last, {known.entries}, may change"
                )
            self._put("journal", number, entry, link=known.before)

    @property
    def journal_length(self) -> int:
        """Entries in the journal."""
        return self._contents.entries

    def journal(self, after: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
        """The entries behind number `after` with their numbers; those added meanwhile come as well.

        Raises:
            ProjectError: an entry is damaged.
        """
        number = max(after, 0)
        while number < self._contents.entries:
            number += 1
            yield number, json.loads(self._read("journal", number).head)

    def put_blob(self, data: bytes) -> str:
        """Keep a file, once and compressed, under the name that is returned."""
        name = blake2b(data, digest_size=32).hexdigest()
        with self._changing(len(data)):
            if name not in self._contents.blobs:
                self._put("blob", len(self._contents.blobs) + 1, name, zlib.compress(data))
        return name

    def read_blob(self, name: str) -> bytes:
        """A file by the name that `put_blob` gave it.

        Raises:
            InputError: there is none of that name.
            ProjectError: it is damaged.
        """
        with self._lock:
            key = self._contents.blobs.get(name)
        if key is None:
            raise InputError(f"there is no file '{name}' in this project")
        return zlib.decompress(self._read("blob", key).body)

    def save_as(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write a copy of all that was handed over, whole or not at all, and stay with the old file.

        Raises:
            ProjectError: there is something at `path` already and `overwrite` is not set, or it cannot be written.
        """
        self._check_open()
        copies.copy_to(self._writer, _whole(path), overwrite=overwrite)

    def size(self) -> int:
        """Bytes on the disk, with those in the log beside the file."""
        self._check_open()
        if self.path is None:
            with explained(self._writer.path), self._writer.connection_lock:
                return self._writer.connection.execute("PRAGMA page_count").fetchone()[0] * schema.PAGE
        places = (self.path, f"{self.path}-wal")
        return sum(os.path.getsize(place) for place in places if os.path.exists(place))

    @contextlib.contextmanager
    def _changing(self, size: int = 0) -> Iterator[None]:
        """Wait until there is room for `size` bytes, without keeping others from reading, then be the only one."""
        if self.readonly:
            raise ProjectError(f"the project '{self.path}' was opened with readonly=True; open it without to change it")
        self._check_open()
        self._writer.wait_for_room(size)
        with self._lock:
            self._check_open()
            yield

    def _put(self, kind: str, key: int, content: Any, body: bytes = b"", link: bytes | None = None) -> None:
        if len(body) > LARGEST_BODY:
            raise InputError(f"cannot keep {kind} {key}: found {len(body)} bytes, expected at most {LARGEST_BODY}")
        try:
            row = schema.make_row(kind, key, content, body, link)
        except (TypeError, ValueError) as error:
            raise InputError(f"cannot keep {kind} {key}: {error}; expected what JSON can say") from None
        self._writer.hand_over(row)
        self._contents.add(row)

    def _read(self, kind: str, key: int) -> Row:
        self._check_open()
        row = self._writer.find(kind, key)
        if row is not None:
            return row
        with self._writer.connection_lock, explained(self._writer.path):
            return read_row(self._writer.connection, self._writer.path, kind, key)

    def _check_open(self) -> None:
        if self._closed:
            raise ProjectError(f"the project '{self.path or 'temporary'}' is closed; open it again to use it")

    def _close_at_exit(self) -> None:
        self.close(abandon=True)

    def _release(self) -> None:
        self._closed = True
        atexit.unregister(self._close_at_exit)
        self._writer.stop()
        if self._opened:
            self._opened.resources.close()
        else:
            self._writer.connection.close()


def _whole(path: str | os.PathLike[str]) -> str:
    return os.path.realpath(os.fspath(path))
