"""The log: what was done, as lines of Python. Moves of a hand are thinned, long arguments shortened; `script` has all of it."""

from collections import deque
from typing import Any

from stringless.project import Project
from stringless.project.journal import format_entry

KEPT = 500
"""Lines that a page gets when it connects."""
LONGEST = 200
"""Characters of an argument that are shown; the controls of an edited motion have thousands."""
APART = 0.25
"""Moves of one goal that are closer to each other than this, in simulated time, become one line [s]."""


class LogBuilder:
    """Reads the journal as it grows."""

    def __init__(self, project: Project) -> None:
        """Begin with the last part of the journal."""
        self.project = project
        self.lines: deque[str] = deque(maxlen=KEPT)
        self._steps = 0  # simulated since the last line
        self._growing = 0  # steps of the last entry that were counted, while it may still grow
        self._move: dict[str, Any] | None = None
        self._moved = 0.0  # time of the last line that moved a goal
        self._read = max(0, project.store.journal_length - KEPT)
        for number, entry in project.store.journal(after=self._read):
            self.lines.extend(self._add_entry(entry))
            self._read = number

    def list_new_lines(self, *, resting: bool) -> list[str]:
        """Lines since the last call; if the simulation rests, what was simulated up to now is one of them."""
        lines: list[str] = []
        first = max(self._read, 1) - 1
        for number, entry in self.project.store.journal(after=first):
            if number > self._read or entry.get("do") == "advance":
                lines += self._add_entry(entry, number > self._read)
            self._read = max(self._read, number)
        if resting:
            lines += self._flush()
        self.lines.extend(lines)
        return lines

    def _add_entry(self, entry: dict[str, Any], new: bool = True) -> list[str]:
        if entry.get("do") == "advance":
            steps = entry["with"]["steps"]
            self._steps += steps - (0 if new else self._growing)
            self._growing = steps
            return []
        self._growing = 0
        if entry.get("do") == "move_goal":
            same = self._move is None or self._move["with"]["goal"] == entry["with"]["goal"]
            lines = [] if same else self._flush()
            far = entry["at"][2] - self._moved >= APART
            self._move = entry
            return lines + (self._flush() if far else [])
        return [*self._flush(), format_entry(entry, LONGEST)]

    def _flush(self) -> list[str]:
        """Lines for what was put off: time that has passed, then the last move."""
        lines: list[str] = []
        if self._steps:
            lines.append(f"project.do('advance', steps={self._steps})")
            self._steps = 0
        if self._move is not None:
            lines.append(format_entry(self._move))
            self._moved = self._move["at"][2]
            self._move = None
        return lines
