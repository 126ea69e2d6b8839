"""Who is connected, what each wants to see, and who directs."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from stringless.engines.adaptive.view import View
from stringless.studio.messages import Wishes


@dataclass
class Page:
    """A connection."""

    number: int
    name: str
    watch: bool
    """Whether it only looks."""
    key: str = ""
    """By which it is known when it comes back."""
    greeted: bool = False
    """Whether it was told what is open."""
    wishes: Wishes = field(default_factory=Wishes)
    view: View | None = None
    """From where it looks, as far as it has said."""


class Pages:
    """All connections, in the order they came. Any thread may ask."""

    def __init__(self) -> None:
        """Nobody is there."""
        self._pages: dict[int, Page] = {}
        self._lock = threading.Lock()
        self.director: int | None = None
        """The page that directs."""

    def add(self, page: Page) -> None:
        """Somebody comes. One that does not only watch directs if nobody else does, or if it did before it was cut off."""
        with self._lock:
            before = self._pages.get(self.director) if self.director is not None else None
            returned = before is not None and page.key != "" and before.key == page.key
            self._pages[page.number] = page
            if (self.director is None or returned) and not page.watch:
                self.director = page.number

    def remove(self, number: int) -> bool:
        """Somebody leaves; the next that does not only watch takes over. Whether somebody did."""
        with self._lock:
            self._pages.pop(number, None)
            if self.director != number:
                return False
            able = (page.number for page in self._pages.values() if not page.watch)
            self.director = next(able, None)
            return self.director is not None

    def direct(self, number: int) -> None:
        """Let a page direct."""
        with self._lock:
            if number in self._pages:
                self._pages[number].watch = False
                self.director = number

    @property
    def view(self) -> View | None:
        """From where the page looks that directs."""
        page = self._pages.get(self.director) if self.director is not None else None
        return None if page is None else page.view

    def get(self, number: int) -> Page | None:
        """A page by its number, if it is there."""
        return self._pages.get(number)

    @property
    def all(self) -> list[Page]:
        """All that are there."""
        with self._lock:
            return list(self._pages.values())
