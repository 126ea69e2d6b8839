"""Versions of a motion, to go back and forth between, and the locks that stay with what happens in it."""

from stringless.editing.constraints import Constraint
from stringless.editing.course import Course
from stringless.editing.plan import Column, Controls, map_columns
from stringless.editing.walk import Run
from stringless.errors import InputError


class Version:
    """A motion, and what came with it that was no change of the controls."""

    def __init__(self, course: Course, controls: Controls, run: Run | None = None) -> None:
        """Follow from controls; simulated later if no `run` is given."""
        self.course, self.controls, self._run = course, controls, run
        self.moved: list[tuple[Constraint, float, float]] = []
        """Nails that came to another time with this version: from when to when."""
        self.added: list[Constraint] = []
        """Nails that came with it."""
        self.lost: set[Column] = set()
        """Locks on transitions that the version after or before this one does not have."""

    @property
    def run(self) -> Run:
        """The motion; simulated when it is first asked for."""
        self._run = self._run or self.course.walk(self.controls)
        return self._run


class Versions:
    """The version of now, those before it and those that were undone."""

    def __init__(self, first: Version) -> None:
        """Begin with one."""
        self.now = first
        self.locks: set[Column] = set()
        """What may not change."""
        self._undo: list[Version] = []
        self._redo: list[Version] = []

    def keep(self, version: Version) -> None:
        """Go on to another version, which can be undone."""
        self._undo.append(self.now)
        self._redo.clear()
        self._enter(version)

    def undo(self, nails: list[Constraint]) -> None:
        """Go back to the version before, and take back what the one of now did to the nails."""
        gone = self.now
        self._step(self._undo, self._redo, "undo")
        for nail, time, _ in gone.moved:
            nail.time = time
        nails[:] = [nail for nail in nails if nail not in gone.added]

    def redo(self, nails: list[Constraint]) -> None:
        """Take the last undo back."""
        self._step(self._redo, self._undo, "redo")
        for nail, _, to in self.now.moved:
            nail.time = to
        nails.extend(nail for nail in self.now.added if nail not in nails)

    def forget(self) -> None:
        """Let go of everything that could be undone or redone."""
        self._undo.clear()
        self._redo.clear()

    def restore(self, version: Version) -> None:
        """Be at a version of before again, as if none had come after it."""
        self._enter(version)
        self.forget()

    def _step(self, source: list[Version], sink: list[Version], what: str) -> None:
        if not source:
            raise InputError(f"there is nothing to {what}")
        sink.append(self.now)
        self._enter(source.pop())

    def _enter(self, version: Version) -> None:
        """Go to another version; locks on times and pushes stay with their transitions."""
        if version.course is not self.now.course:
            kept, self.now.lost = map_columns(self.locks, self.now.course.transitions, version.course.transitions)
            self.locks = kept | version.lost
        self.now = version
