"""Rows straight from the pages of a file, whatever has become of the tree that SQLite keeps over them.

The format is that of https://www.sqlite.org/fileformat2.html, sections 1.5 (pages), 1.6 (overflow), 2.1 (records). A row
counts only if its checksum confirms it, so anything may be wrong with what is read here.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass

from stringless.timeline import schema
from stringless.timeline.schema import PAGE, Row

LEAF = 13
"""First byte of a page that holds rows of a table."""
LARGEST = PAGE - 35
"""Bytes of a row that are on its page if it fits there."""
SMALLEST = (PAGE - 12) * 32 // 255 - 23
"""Bytes of it that are on its page at least."""


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
