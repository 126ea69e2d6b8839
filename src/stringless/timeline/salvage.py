"""Saving from a damaged project all that is intact."""

import contextlib
import json
import os
import sqlite3
import tempfile
import zlib
from dataclasses import dataclass

from stringless.errors import ProjectError
from stringless.timeline.connection import claim, connect
from stringless.timeline.contents import BRANCH_BITS, ChunkIndex, name_row
from stringless.timeline.failures import explained
from stringless.timeline.opening import copy_with_log
from stringless.timeline.pages import Pages, Place
from stringless.timeline.schema import KINDS, Row, Totals
from stringless.timeline.store import Store

LOST_ENTRY = {"lost": True}
"""What stands in the journal for an entry that is lost, so that those behind it keep their numbers. A lost chunk has no
frames and no data."""


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
        claimed = claim(path)
        try:
            copy_with_log(path, claimed, copy)
        finally:
            claimed.release()
        _work_log_in(copy)
        with open(copy, "rb") as file:
            report = _Rescue(Pages(file.fileno()), store).run()
        if not any(report.kept.values()):
            raise ProjectError(f"found nothing of a project in '{path}' that is intact; '{target}' was not made")
        store.save_as(target)
        return report


def _work_log_in(copy: str) -> None:
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
        connection = connect(copy, "rw")
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            connection.close()


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
