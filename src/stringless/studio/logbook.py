"""The log: what was done, as lines of Python. Moves of a hand are thinned, long arguments left out; `script` has all of it."""

from __future__ import annotations

from collections import deque
from typing import Any

from stringless.project import Project
from stringless.project.script import line_of

KEPT = 500
"""Lines that a page which comes later is told."""
LONGEST = 200
"""Characters of an argument that are shown; the controls of a motion that was found have thousands."""
APART = 0.25
"""Moves of one goal that are nearer to each other than this, in simulated time, become one line [s]."""


class Logbook:
    """Reads the journal as it grows."""

    def __init__(self, project: Project) -> None:
        """Begin with the last part of the journal."""
        self.project = project
        self.lines: deque[str] = deque(maxlen=KEPT)
        self._steps = 0  # simulated since the last line
        self._growing = 0  # steps of the last entry that were counted, while it may still grow
        self._move: dict[str, Any] | None = None
        self._moved = 0.0  # time of the last line that moved a goal
        entries = project.store.journal(after=max(0, _length(project) - KEPT))
        self._read = max(0, _length(project) - KEPT)
        for number, entry in entries:
            self.lines.extend(self._hear(entry))
            self._read = number

    def news(self, *, resting: bool) -> list[str]:
        """Lines that came since; if the simulation rests, what was simulated up to now is one of them."""
        lines: list[str] = []
        first = max(self._read, 1) - 1
        for number, entry in self.project.store.journal(after=first):
            if number > self._read or entry.get("do") == "advance":
                lines += self._hear(entry, number > self._read)
            self._read = max(self._read, number)
        if resting:
            lines += self._settle()
        self.lines.extend(lines)
        return lines

    def _hear(self, entry: dict[str, Any], new: bool = True) -> list[str]:
        if entry.get("do") == "advance":
            steps = entry["with"]["steps"]
            self._steps += steps - (0 if new else self._growing)
            self._growing = steps
            return []
        self._growing = 0
        if entry.get("do") == "move_goal":
            lines = [] if self._move is None or self._same(entry) else self._settle()
            far = entry["at"][2] - self._moved >= APART
            self._move = entry
            return lines + (self._settle() if far else [])
        return [*self._settle(), line_of(entry, LONGEST)]

    def _same(self, entry: dict[str, Any]) -> bool:
        return self._move is not None and self._move["with"]["goal"] == entry["with"]["goal"]

    def _settle(self) -> list[str]:
        """Lines for what was put off: time that has passed, then the last move."""
        lines: list[str] = []
        if self._steps:
            lines.append(f"project.do('advance', steps={self._steps})")
            self._steps = 0
        if self._move is not None:
            lines.append(line_of(self._move))
            self._moved = self._move["at"][2]
            self._move = None
        return lines


def _length(project: Project) -> int:
    return project.store.journal_length
