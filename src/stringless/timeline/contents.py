"""Reading what a project file holds, and believing nothing that its checksum does not confirm."""

import json
import sqlite3
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from stringless.timeline import schema
from stringless.timeline.failures import damaged
from stringless.timeline.schema import Row, Totals

BRANCH_BITS = 32
"""The key of a chunk is its branch times 2^32 plus its number: chunks of a branch lie one behind the other."""


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
    if len(rows) != 1 or not schema.is_intact("total", *rows[0]):
        raise damaged(path, "its totals are not what was written")
    return Totals.from_head(rows[0][1])


def read_contents(connection: sqlite3.Connection, path: str) -> tuple[Contents, Totals]:
    """Read and check everything but the bodies.

    Raises:
        ProjectError: a row is not what was written, or one is missing.
    """
    tables = dict(connection.execute("SELECT name, sql FROM sqlite_master"))
    if tables != schema.TABLES:
        raise damaged(path, f"found tables {sorted(map(str, tables))}, expected {sorted(schema.TABLES)}")
    totals = read_totals(connection, path)
    contents = Contents()
    for kind in schema.KINDS:
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
        if not schema.is_intact(kind, key, head, link, total) or key <= last:
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
    if not schema.is_intact(kind, found_key, head, link, total) or found_key != key:
        raise damaged(path, f"{name_row(kind, key)} is not what was written")
    if kind != "journal" and (not isinstance(body, bytes) or schema.checksum(body) != link):
        raise damaged(path, f"the data of {name_row(kind, key)} are not what was written")
    return Row(kind, key, head, link, total, body)


def name_row(kind: str, key: Any) -> str:
    """A row as a person would call it."""
    if kind == "chunk" and isinstance(key, int):
        branch, number = divmod(key, 1 << BRANCH_BITS)
        return f"chunk {number} of branch {branch}"
    return f"entry {key} of the journal" if kind == "journal" else f"{kind} {key}"
