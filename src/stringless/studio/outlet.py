"""The way out of the simulation thread: what it says, and to whom."""

from __future__ import annotations

from typing import Protocol

from stringless.studio.frames import Moment
from stringless.studio.messages import Message


class Outlet(Protocol):
    """Whoever brings things to the pages. Every call comes back at once and may come from any thread."""

    def say(self, page: int | None, message: Message) -> None:
        """Bring a message to one page, or to all; nothing is left out, and the order is kept."""
        ...

    def newest(self, page: int | None, message: Message) -> None:
        """Bring a message to one page, or to all, of whose kind only the newest counts; after what was said before."""
        ...

    def frame(self, moment: Moment) -> None:
        """Show a moment to all pages; a page that is slow sees only the newest."""
        ...

    def ghosts(self, page: int | None, role: int, data: bytes) -> None:
        """Show ghosts to one page, or to all; only the newest of a role counts."""
        ...

    def sent(self, page: int) -> float:
        """Frames per second that went to a page of late."""
        ...
