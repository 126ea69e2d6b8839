"""The journal: every command in order, what it changed, and what can be undone.

The journal only grows: undoing is an entry too. An entry with a patch is a change of the document; entries of one group
are undone together.
"""

from __future__ import annotations

import math
import time as wall
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from stringless.errors import InputError, ProjectError
from stringless.project.document import Document
from stringless.simulation.position import Position
from stringless.timeline.patch import apply, difference
from stringless.timeline.store import Store

if TYPE_CHECKING:
    from stringless.project.project import Project

SNAPSHOT = 64
"""Entries after which the whole document is written down, so that opening need not start at the first."""
Entry = dict[str, Any]


@dataclass
class Step:
    """The entries that one undo takes back."""

    group: int
    label: str
    entries: list[int] = field(default_factory=list)
    """In the journal, in order."""


class History:
    """Two stacks: steps that were done, and steps that were undone."""

    def __init__(self) -> None:
        self.done: list[Step] = []
        self.undone: list[Step] = []

    def add_entry(self, number: int, entry: Entry) -> None:
        """Add an entry of the journal."""
        if "do" not in entry:  # lost when a damaged file was rescued: nothing before it can be taken back any more
            self.done.clear()
            self.undone.clear()
        elif entry["do"] == "undo":
            self.undone += [self.done.pop()] if self.done else []
        elif entry["do"] == "redo":
            self.done += [self.undone.pop()] if self.undone else []
        elif entry["patch"]:
            if not self.done or self.done[-1].group != entry["group"] or self.undone:
                self.done.append(Step(entry["group"], entry["label"]))
            self.done[-1].entries.append(number)
            self.undone.clear()

    def last(self) -> Step:
        """The step that undo would take back."""
        if not self.done:
            raise InputError("there is nothing to undo")
        return self.done[-1]

    def next(self) -> Step:
        """The step that redo would do again."""
        if not self.undone:
            raise InputError("there is nothing to redo")
        return self.undone[-1]


class Journal:
    """Writes entries into a store, and finds from them what was done."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.history = History()
        self.document: Document = {}
        """As the last entry left it."""
        self._group = 0
        self._gesture: str | None = None
        self._last: tuple[int, Entry] | None = None
        self._read()

    def _read(self) -> None:
        snapshot = self.store.get("snapshot")
        if snapshot is None:
            raise ProjectError(f"'{self.store.path}' holds no document; it was not finished when it was made")
        document, broken = snapshot["document"], False
        for number, entry in self.store.journal():
            self.history.add_entry(number, entry)
            self._group = max(self._group, entry.get("group", 0))
            self._last = (number, entry)
            broken |= number > snapshot["after"] and "do" not in entry
            if number > snapshot["after"] and entry.get("patch") and not broken:
                document = apply(document, entry["patch"])
        if broken:  # changes after a lost one would be put on top of something else
            self.history = History()
        self.document = {"director": None, "lanes": {}, "sequence": [], "markers": [], "edit": None, **document}

    # --- gestures ---

    @property
    def in_gesture(self) -> bool:
        """Whether entries are being gathered into one step of undo."""
        return self._gesture is not None

    def begin_gesture(self, label: str) -> None:
        """All entries until `end_gesture` are one step of undo."""
        if self._gesture is not None:
            raise InputError(f"'{self._gesture}' is still going on; end it before '{label}' begins")
        self._group += 1
        self._gesture = label

    def end_gesture(self) -> None:
        """End what `begin_gesture` has begun."""
        self._gesture = None

    # --- writing ---

    def write(
        self, command: str, arguments: dict[str, Any], label: str, after: Document, at: Position, to: Position
    ) -> None:
        """Add an entry: what was done, what it has changed, from where to where in time."""
        if self._gesture is None:
            self._group += 1
        entry = {
            "do": command,
            "with": arguments,
            "label": self._gesture or label,
            "group": self._group,
            "at": list(at),
            "to": list(to),
            "patch": difference(self.document, after),
            "back": difference(after, self.document),
            "wall": wall.time(),
        }
        number = self.store.append(entry)
        self._last = (number, entry)
        self.history.add_entry(number, entry)
        self.document = after
        if number % SNAPSHOT == 0:
            self.write_snapshot()

    def hide_before(self, branch: int) -> None:
        """Treat a branch that is being made as one that was deleted before: undo deletes it, redo restores it."""
        changes = {**self.document["lanes"], str(branch): {"deleted": True}}
        self.document = {**self.document, "lanes": changes}

    def write_advance(self, steps: int, at: Position, to: Position) -> None:
        """Add simulated time; the newest entry grows if it is one of simulated time, too."""
        if self._last is not None and self._last[1].get("do") == "advance" and self._last[1]["to"] == list(at):
            number, entry = self._last
            entry = {**entry, "with": {"steps": entry["with"]["steps"] + steps}, "to": list(to)}
            self.store.amend(number, entry)
            self._last = (number, entry)
        else:
            self.write("advance", {"steps": steps}, f"simulate from {at.time:.2f} s", self.document, at, to)

    def write_snapshot(self) -> None:
        """Write down the whole document."""
        self.store.set("snapshot", {"after": 0 if self._last is None else self._last[0], "document": self.document})

    # --- reading ---

    def list_entries(self, step: Step) -> list[Entry]:
        """The entries that one undo takes back, in order."""
        return [next(self.store.journal(after=number - 1))[1] for number in step.entries]


def write_script(project: Project) -> str:
    """A program that does everything again, in a project of its own."""
    name = "untitled" if project.path is None else project.path.stem
    lines = [f'"""What was done in project {name!r}."""', "", "import stringless as sl", ""]
    lines.append(f"project = sl.Project.create({_format_source(project)})")
    every = (entry for _, entry in project.store.journal())
    for _, group in groupby(every, key=lambda entry: entry.get("group")):
        entries = list(group)
        gesture = len(entries) > 1 and "label" in entries[0]  # not so if several were lost in a row
        if gesture:
            lines.append(f"with project.gesture({entries[0]['label']!r}):")
        lines += [("    " if gesture else "") + format_entry(entry) for entry in entries]
    return "\n".join(lines) + "\n"


def format_entry(entry: Entry, longest: float = math.inf) -> str:
    """One entry as a line of Python; longer arguments are left out."""
    if "do" not in entry:
        return "# something was lost here when a damaged file was rescued"
    if entry["do"] in ("undo", "redo"):
        return f"project.{entry['do']}()"
    texts = {name: repr(value) for name, value in entry["with"].items()}
    arguments = "".join(f", {name}={text if len(text) <= longest else '...'}" for name, text in texts.items())
    return f"project.do({entry['do']!r}{arguments})"


def _format_source(project: Project) -> str:
    """Arguments of `create`: the scene that the project has begun with, its options and its settings."""
    first = project.store.get("first")
    source = repr(first["source"]) if first["source"] else f"sl.Project.first_scene({str(project.path)!r})"
    options = f", options={first['options']!r}" if first["source"] and first.get("options") else ""
    return source + options + "".join(f", {name}={value!r}" for name, value in first["settings"].items())
