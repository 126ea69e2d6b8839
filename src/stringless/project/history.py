"""What can be undone and redone, read off the journal.

The journal only grows: undoing is an entry too. An entry with a patch is a change of the document; entries of one group
are undone together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from stringless.errors import InputError

NAVIGATION = ("undo", "redo")


@dataclass
class Step:
    """What one undo takes back."""

    group: int
    label: str
    entries: list[int] = field(default_factory=list)
    """In the journal, in order."""


class History:
    """Two stacks: what was done, and what was undone."""

    def __init__(self) -> None:
        """Nothing was done yet."""
        self.done: list[Step] = []
        self.undone: list[Step] = []

    def hear(self, number: int, entry: Mapping[str, Any]) -> None:
        """Take note of an entry of the journal."""
        if entry["do"] == "undo":
            self.undone.append(self.done.pop())
        elif entry["do"] == "redo":
            self.done.append(self.undone.pop())
        elif entry["patch"]:
            if not self.done or self.done[-1].group != entry["group"] or self.undone:
                self.done.append(Step(entry["group"], entry["label"]))
            self.done[-1].entries.append(number)
            self.undone.clear()

    def last(self) -> Step:
        """What undo would take back."""
        if not self.done:
            raise InputError("there is nothing to undo")
        return self.done[-1]

    def next(self) -> Step:
        """What redo would do again."""
        if not self.undone:
            raise InputError("there is nothing to redo")
        return self.undone[-1]
