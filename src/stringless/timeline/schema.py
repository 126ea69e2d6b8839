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
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from stringless.timeline.failures import damaged

APPLICATION_ID = 0x53744C73
"""`StLs`, at byte 68 of the file."""
VERSION = 1
PAGE = 4096
"""Bytes in a page, the same in every project, so that `rescue` can read a file whose header is gone."""
KINDS: tuple[str, ...] = ("value", "lane", "chunk", "journal", "blob")
COLUMNS = "key INTEGER PRIMARY KEY, head TEXT, link BLOB, sum BLOB, body BLOB"
TABLES = {kind: f"CREATE TABLE {kind} ({COLUMNS})" for kind in (*KINDS, "total")}
BRANCH_BITS = 32
"""The key of a chunk is its branch times 2^32 plus its number: chunks of a branch lie one behind the other."""


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


def create_tables(connection: sqlite3.Connection, now: float) -> Totals:
    """Make an empty project of an empty database."""
    connection.execute(f"PRAGMA page_size = {PAGE}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    for sql in TABLES.values():
        connection.execute(sql)
    return write_rows(connection, Totals(dict.fromkeys(KINDS, (0, 0)), now, now, True), [])


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


class ChunkIndex(NamedTuple):
    """What is known of a chunk without reading it."""

    first_time: float
    """Time of its first frame, s."""
    last_time: float
    """Time of its last frame, s."""
    frames: int
    """How many frames it holds."""


@dataclass
class Contents:
    """All that is kept in memory of a project: everything but journal entries, chunks and blobs themselves."""

    values: dict[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])
    """By name: key and content as JSON."""
    branches: dict[int, str] = field(default_factory=dict[int, str])
    chunks: dict[int, list[ChunkIndex]] = field(default_factory=dict[int, list[ChunkIndex]])
    blobs: dict[str, int] = field(default_factory=dict[str, int])
    entries: int = 0
    """How many entries the journal has."""
    tip: bytes = b""
    """The checksum of the last entry, to which the next one is linked ..."""
    before: bytes = b""
    """... and that of the one before, to which the last one is linked."""

    def add(self, row: Row) -> None:
        """Take note of a row that is new or newer."""
        if row.kind == "journal":
            self.entries, self.tip, self.before = row.key, row.sum, row.link
        elif row.kind == "lane":
            self.branches[row.key] = row.head
        elif row.kind == "value":
            name, value = json.loads(row.head)
            self.values[name] = (row.key, json.dumps(value))
        elif row.kind == "blob":
            self.blobs[json.loads(row.head)] = row.key
        else:
            branch, number = divmod(row.key, 1 << BRANCH_BITS)
            self.chunks.setdefault(branch, [])[number : number + 1] = [ChunkIndex(*json.loads(row.head))]


def read_totals(connection: sqlite3.Connection, path: str) -> Totals:
    """The totals, checked."""
    rows = connection.execute("SELECT key, head, link, sum FROM total").fetchall()
    if len(rows) != 1 or not is_intact("total", *rows[0]):
        raise damaged(path, "its totals are not what was written")
    return Totals.from_head(rows[0][1])


def read_contents(connection: sqlite3.Connection, path: str) -> tuple[Contents, Totals]:
    """Read and check everything but the bodies.

    Raises:
        ProjectError: a row is not what was written, or one is missing.
    """
    tables = dict(connection.execute("SELECT name, sql FROM sqlite_master"))
    if tables != TABLES:
        raise damaged(path, f"found tables {sorted(map(str, tables))}, expected {sorted(TABLES)}")
    totals = read_totals(connection, path)
    contents = Contents()
    for kind in KINDS:
        count, mixed = _read_kind(connection, path, kind, contents)
        expected = totals.rows[kind]
        if count != expected[0]:
            raise damaged(path, f"found {count} rows of kind '{kind}', expected {expected[0]}")
        if mixed != expected[1]:
            raise damaged(path, f"a row of kind '{kind}' is older than the others")
    return contents, totals


def _read_kind(connection: sqlite3.Connection, path: str, kind: str, contents: Contents) -> tuple[int, int]:
    count = mixed = 0
    last = -1
    for key, head, link, total in connection.execute(f"SELECT key, head, link, sum FROM {kind} ORDER BY key"):
        if not is_intact(kind, key, head, link, total) or key <= last:
            raise damaged(path, f"{name_row(kind, key)} is not what was written")
        if kind == "journal" and (link != contents.tip or key != contents.entries + 1):
            raise damaged(path, f"{name_row(kind, key)} does not follow the entry before")
        contents.add(Row(kind, key, head, link, total, b""))
        count, mixed, last = count + 1, mixed ^ int.from_bytes(total), key
    return count, mixed


def read_row(connection: sqlite3.Connection, path: str, kind: str, key: int) -> Row:
    """One row with its body, checked."""
    sql = f"SELECT key, head, link, sum, body FROM {kind} WHERE key = ?"
    found = connection.execute(sql, (key,)).fetchone()
    if found is None:
        raise damaged(path, f"{name_row(kind, key)} is missing")
    found_key, head, link, total, body = found
    if not is_intact(kind, found_key, head, link, total) or found_key != key:
        raise damaged(path, f"{name_row(kind, key)} is not what was written")
    if kind != "journal" and (not isinstance(body, bytes) or checksum(body) != link):
        raise damaged(path, f"the data of {name_row(kind, key)} are not what was written")
    return Row(kind, key, head, link, total, body)


def name_row(kind: str, key: Any) -> str:
    """A row as a person would call it."""
    if kind == "chunk" and isinstance(key, int):
        branch, number = divmod(key, 1 << BRANCH_BITS)
        return f"chunk {number} of branch {branch}"
    return f"entry {key} of the journal" if kind == "journal" else f"{kind} {key}"
