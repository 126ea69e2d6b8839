"""Work that was left when the studio ended without closing it: what there is of it, in words."""

from __future__ import annotations

import contextlib
import re
import time
from pathlib import Path
from typing import NamedTuple

from stringless.errors import StringlessError
from stringless.project.commands import COMMANDS
from stringless.project.history import History
from stringless.project.journal import Journal
from stringless.studio.shelf import Shelf
from stringless.timeline.store import Store

MOST = 5
"""Files that are looked into when the studio starts, newest first."""
BY_ITSELF = COMMANDS["perform"].label({"name": ""}), COMMANDS["edit_study"].label({})
"""How the steps of undo begin that opening something makes by itself."""
DATE = re.compile(r" \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d.*$")


class Left(NamedTuple):
    """A project without a name that nobody has closed."""

    path: Path
    text: str
    """What it is and of when."""


def what_is_there(journal: Journal) -> str:
    """What a project holds, as people would say it."""
    document, store = journal.document, journal.store
    edit, lanes = document["edit"], document["lanes"]
    takes = sum(not lanes.get(str(lane), {}).get("deleted", False) for lane in store.branches())
    nails = 0 if edit is None else len(edit["nails"])
    parts = [
        "" if edit is None else f"an edit with {_count(nails, 'nail')}" if nails else "an edit",
        _count(takes, "take") if takes else "",
        f"{_count(len(journal.history.done), 'step')} that can be undone" if journal.history.done else "",
    ]
    said = [part for part in parts if part]
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said) or "nothing was done yet"


def left_behind(shelf: Shelf) -> Left | None:
    """The newest project without a name in which something was done, and that was open when the studio ended."""
    for path in shelf.left_open()[:MOST]:
        with contextlib.suppress(StringlessError, OSError), Store.open(path, readonly=True) as store:
            journal = Journal(store)
            if store.recovered is not None and anything_done(journal.history):
                title, when = DATE.sub("", path.stem), _when(store.recovered.last_commit)
                return Left(path, f"{title}, {when}: {what_is_there(journal)}")
    return None


def anything_done(history: History) -> bool:
    """Whether anybody has ever done anything that could be taken back, besides opening a performance or a study."""
    steps = [*history.done, *history.undone]
    return len(steps) > 1 or any(not step.label.startswith(BY_ITSELF) for step in steps)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _when(moment: float) -> str:
    there, now = time.localtime(moment), time.localtime()
    return time.strftime("%H:%M today" if there[:3] == now[:3] else "%Y-%m-%d %H:%M", there)
