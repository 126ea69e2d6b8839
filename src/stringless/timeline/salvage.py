"""Saving from a damaged project all that is intact."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from stringless.errors import ProjectError
from stringless.timeline import schema
from stringless.timeline.failures import explained
from stringless.timeline.schema import BRANCH_BITS, KINDS, PAGE, ChunkIndex, Row, Totals, name_row
from stringless.timeline.store import Store
from stringless.timeline.store_file import claim, connect, copy_with_log

LOST_ENTRY = {"lost": True}
"""What stands in the journal for an entry that is lost, so that those behind it keep their numbers. A lost chunk has no
frames and no data."""
LEAF = 13
"""First byte of a page that holds rows of a table."""
LARGEST = PAGE - 35
"""Bytes of a row that are on its page if it fits there."""
SMALLEST = (PAGE - 12) * 32 // 255 - 23
"""Bytes of it that are on its page at least."""


@dataclass(frozen=True)
class Report:
    """What a rescue has saved and what not."""

    kept: dict[str, int]
    """How many rows of each kind are in the new file."""
    lost: tuple[str, ...]
    """What is not, as far as can be told."""


def rescue(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> Report:
    """Copy every intact row of the project at `source` into a new one at `target`; `source` stays as it is.

    Raises:
        ProjectError: there is nothing to save in `source`, or `target` exists or cannot be written.
    """
    path = os.path.realpath(os.fspath(source))
    with explained(path), tempfile.TemporaryDirectory(prefix="stringless-") as folder, Store.temporary() as store:
        copy = os.path.join(folder, "project")
        with claim(path) as descriptor:
            copy_with_log(path, descriptor, copy)
        with (
            contextlib.suppress(sqlite3.Error, UnicodeDecodeError),
            contextlib.closing(connect(copy, "rw")) as connection,
        ):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        with open(copy, "rb") as file:
            report = _Rescue(Pages(file.fileno()), store).run()
        if not any(report.kept.values()):
            raise ProjectError(f"found nothing of a project in '{path}' that is intact; '{target}' was not made")
        store.save_as(target)
        return report


class _Rescue:
    def __init__(self, pages: Pages, store: Store) -> None:
        self._pages = pages
        self._store = store
        self._heads: dict[tuple[str, int], tuple[Place, Row]] = {}
        self._kept = dict.fromkeys(KINDS, 0)
        self._lost: list[str] = []

    def run(self) -> Report:
        for place, row in self._pages.rows():
            self._heads[row.kind, row.key] = (place, row)
        for kind in KINDS:
            found = {key: self._heads[kind, key] for key in sorted(k for name, k in self._heads if name == kind)}
            before = len(self._lost)
            self._copy_kind(kind, found)
            self._compare(kind, len(self._lost) - before)
        if ("total", 1) not in self._heads:
            self._lost.append("the totals: how much more is lost cannot be told")
        return Report(self._kept, tuple(self._lost))

    def _copy_kind(self, kind: str, found: dict[int, tuple[Place, Row]]) -> None:
        expected = 1 if kind == "journal" else 0
        for key, (place, head) in found.items():
            if kind == "chunk":
                expected = max(expected, key >> BRANCH_BITS << BRANCH_BITS)
            if kind in ("chunk", "journal"):
                for missing in range(expected, key):
                    self._lose(kind, missing, None)
            expected = key + 1
            row = self._pages.row(place)
            if row is None:
                self._lose(kind, key, head)
            else:
                self._keep(row)

    def _compare(self, kind: str, named: int) -> None:
        """Say how many more are lost than could be named."""
        if ("total", 1) in self._heads:
            count = Totals.from_head(self._heads["total", 1][1].head).rows[kind][0]
            unnamed = count - self._kept[kind] - named
            if unnamed > 0:
                self._lost.append(f"{unnamed} of kind '{kind}'")

    def _keep(self, row: Row) -> None:
        content = json.loads(row.head)
        if row.kind == "value":
            self._store.set(*content)
        elif row.kind == "lane":
            self._store.put_branch(row.key, content)
        elif row.kind == "journal":
            self._store.append(content)
        elif row.kind == "blob":
            self._store.put_blob(zlib.decompress(row.body))
        else:
            branch, number = divmod(row.key, 1 << BRANCH_BITS)
            self._store.put_chunk(branch, number, ChunkIndex(*content), row.body)
        self._kept[row.kind] += 1

    def _lose(self, kind: str, key: int, head: Row | None) -> None:
        """Take note of a row that is lost; where numbers must not shift, leave an empty one in its place."""
        self._lost.append(name_row(kind, key))
        if kind == "journal":
            self._store.append(LOST_ENTRY)
        elif kind == "chunk":
            branch, number = divmod(key, 1 << BRANCH_BITS)
            before = self._store.chunks(branch)
            time = before[-1].last_time if before else 0.0
            first, last = json.loads(head.head)[:2] if head else (time, time)
            self._store.put_chunk(branch, number, ChunkIndex(first, last, 0), b"")


@dataclass(frozen=True)
class Place:
    """Where a row was found."""

    page: int
    offset: int


class Pages:
    """The pages of a file."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._size = os.fstat(descriptor).st_size

    def rows(self) -> Iterator[tuple[Place, Row]]:
        """All rows whose checksum is right, without their bodies."""
        for number in range(1, self._size // PAGE + 2):
            page = self._page(number)
            if page[:1] != bytes([LEAF]):
                continue
            for index in range(min(_number(page, 3, 2), (PAGE - 8) // 2)):
                place = Place(number, _number(page, 8 + 2 * index, 2))
                row = self._row(place, page, body=False)
                if row is not None:
                    yield place, row

    def row(self, place: Place) -> Row | None:
        """A row with its body, none if the body is damaged."""
        row = self._row(place, self._page(place.page), body=True)
        if row is None or (row.kind != "journal" and schema.checksum(row.body) != row.link):
            return None
        return row

    def _page(self, number: int) -> bytes:
        return os.pread(self._descriptor, PAGE, (number - 1) * PAGE)

    def _row(self, place: Place, page: bytes, *, body: bool) -> Row | None:
        size, at = _varint(page, place.offset)
        key, at = _varint(page, at)
        if size > self._size:
            return None
        local = size
        if size > LARGEST:
            local = SMALLEST + (size - SMALLEST) % (PAGE - 4)
            local = local if local <= LARGEST else SMALLEST
        record = page[at : at + local]
        columns = _columns(record)
        if len(columns) != 5:
            return None
        # The number that is the key is not in the record. Head, link and sum end where the body begins.
        if size > local and (body or columns[4][0] > local):
            record += self._overflow(_number(page, at + local, 4), size - local)
        head, link, total = (record[begin:end] for begin, end in columns[1:4])
        try:
            text = head.decode()
        except UnicodeDecodeError:
            return None
        for kind in (*schema.KINDS, "total"):
            if schema.is_intact(kind, key, text, link, total):
                begin, end = columns[4]
                return Row(kind, key, text, link, total, record[begin:end] if body else b"")
        return None

    def _overflow(self, number: int, size: int) -> bytes:
        """What of a row lies on further pages, each of which names the next."""
        parts: list[bytes] = []
        while size > 0 and 0 < number <= self._size // PAGE:
            page = self._page(number)
            parts.append(page[4 : 4 + size])
            number, size = _number(page, 0, 4), size - (PAGE - 4)
        return b"".join(parts)


def _columns(record: bytes) -> list[tuple[int, int]]:
    """Where each column begins and ends. Only NULL, text and blobs have a place in our rows."""
    end, at = _varint(record, 0)
    begin = end
    columns: list[tuple[int, int]] = []
    while at < min(end, len(record)) and len(columns) < 6:
        code, at = _varint(record, at)
        size = (code - 12) // 2 if code >= 12 else 0
        columns.append((begin, begin + size))
        begin += size
    return columns


def _number(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size])


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    value = 0
    for index in range(8):
        byte = _number(data, at + index, 1)
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + index + 1
    return value << 8 | _number(data, at + 8, 1), at + 9
