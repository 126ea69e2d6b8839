"""History: what can be undone and redone, read off the journal.

The journal only grows: undoing is an entry too. An entry with a patch is a change of the document; entries of one group
are undone together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from stringless.errors import InputError


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
        """Start empty."""
        self.done: list[Step] = []
        self.undone: list[Step] = []

    def add_entry(self, number: int, entry: Mapping[str, Any]) -> None:
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
