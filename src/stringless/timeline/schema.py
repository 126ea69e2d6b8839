"""What a project file looks like: five tables of one shape, and the totals that say how many rows there must be.

    key    what the row is called, a number
    head   its content as JSON
    link   what the row is tied to: the checksum of its body; in the journal, the checksum of the row before
    sum    checksum of kind, key, head and link
    body   bytes, last in the row, so that reading the rest leaves their pages alone

One shape means one reader, one writer, one check and one rescue for everything. No table has an index beside it: a
row is in one place only.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

APPLICATION_ID = 0x53744C73
"""`StLs`, at byte 68 of the file."""
VERSION = 1
PAGE = 4096
"""Bytes in a page, the same in every project, so that `rescue` can read a file whose header is gone."""
KINDS: tuple[str, ...] = ("value", "lane", "chunk", "journal", "blob")
COLUMNS = "key INTEGER PRIMARY KEY, head TEXT, link BLOB, sum BLOB, body BLOB"
TABLES = {kind: f"CREATE TABLE {kind} ({COLUMNS})" for kind in (*KINDS, "total")}


@dataclass(frozen=True)
class Row:
    """One row of one table."""

    kind: str
    key: int
    head: str
    link: bytes
    sum: bytes
    body: bytes

    def size(self) -> int:
        """Bytes it holds in memory, about."""
        return len(self.head) + len(self.body) + 200


def checksum(data: bytes) -> bytes:
    """Eight bytes that tell whether `data` is what it was."""
    return blake2b(data, digest_size=8).digest()


def row_sum(kind: str, key: int, head: str, link: bytes) -> bytes:
    """The checksum of a row. JSON has no line breaks, so the parts cannot run into each other."""
    return checksum(f"{kind}\n{key}\n{head}\n".encode() + link)


def make_row(kind: str, key: int, content: Any, body: bytes = b"", link: bytes | None = None) -> Row:
    """A row with its checksums; `link` is that of the body if not given."""
    head = json.dumps(content, separators=(",", ":"))
    link = checksum(body) if link is None else link
    return Row(kind, key, head, link, row_sum(kind, key, head, link), body)


def is_intact(kind: str, key: Any, head: Any, link: Any, total: Any) -> bool:
    """Whether a row without its body is what was written: a damaged file can give any type in any column."""
    types = isinstance(key, int) and isinstance(head, str) and isinstance(link, bytes) and isinstance(total, bytes)
    return types and row_sum(kind, key, head, link) == total


@dataclass(frozen=True)
class Totals:
    """How many rows each table has and the exclusive or of their checksums: no row can vanish or turn old unseen."""

    rows: dict[str, tuple[int, int]]
    opened: float
    """When the last session began, in seconds since 1970."""
    committed: float
    """When it last wrote."""
    closed: bool
    """Whether it ended as it should."""

    def row(self) -> Row:
        """As a row of the table `total`."""
        return make_row("total", 1, [self.rows, self.opened, self.committed, self.closed])

    @classmethod
    def from_head(cls, head: str) -> Totals:
        """Read back what `row` has written."""
        rows, opened, committed, closed = json.loads(head)
        return cls({kind: (count, mixed) for kind, (count, mixed) in rows.items()}, opened, committed, closed)


def empty_totals(now: float) -> Totals:
    """Those of a project in which there is nothing yet."""
    return Totals(dict.fromkeys(KINDS, (0, 0)), now, now, True)


def create_tables(connection: sqlite3.Connection, now: float) -> Totals:
    """Make an empty project of an empty database."""
    connection.execute(f"PRAGMA page_size = {PAGE}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    for sql in TABLES.values():
        connection.execute(sql)
    return write_rows(connection, empty_totals(now), [])


def write_rows(connection: sqlite3.Connection, totals: Totals, rows: list[Row]) -> Totals:
    """Put `rows` in the place of those of the same key and the totals beside them, in one transaction."""
    counts = dict(totals.rows)
    connection.execute("BEGIN IMMEDIATE")
    try:
        for row in rows:
            counts[row.kind] = _counted(connection, counts[row.kind], row)
            _replace(connection, row)
        new = Totals(counts, totals.opened, totals.committed, totals.closed)
        _replace(connection, new.row())
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return new


def _counted(connection: sqlite3.Connection, count_and_mix: tuple[int, int], row: Row) -> tuple[int, int]:
    count, mixed = count_and_mix
    old = connection.execute(f"SELECT sum FROM {row.kind} WHERE key = ?", (row.key,)).fetchone()
    if old is None:
        return count + 1, mixed ^ int.from_bytes(row.sum)
    if not isinstance(old[0], bytes):
        raise sqlite3.DatabaseError(f"{row.kind} {row.key} has no checksum")
    return count, mixed ^ int.from_bytes(row.sum) ^ int.from_bytes(old[0])


def _replace(connection: sqlite3.Connection, row: Row) -> None:
    values = (row.key, row.head, row.link, row.sum, row.body)
    connection.execute(f"REPLACE INTO {row.kind} VALUES (?, ?, ?, ?, ?)", values)
