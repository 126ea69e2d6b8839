"""The connected pages as the session sees them: what each wants to see, and which one directs."""

import threading
from dataclasses import dataclass, field

from stringless.engines.adaptive.view import View
from stringless.studio.messages import Wishes


@dataclass
class Page:
    """A connected page."""

    number: int
    name: str
    watch: bool
    """Whether it only watches."""
    key: str = ""
    """By which it is recognised when it reconnects."""
    is_greeted: bool = False
    """Whether it was told what is open."""
    wishes: Wishes = field(default_factory=Wishes)
    view: View | None = None
    """Its camera, if it has told."""


class Pages:
    """All connected pages, in the order they came. Any thread may ask."""

    def __init__(self) -> None:
        self._pages: dict[int, Page] = {}
        self._lock = threading.Lock()
        self.director: int | None = None
        """The page that directs."""

    def add(self, page: Page) -> None:
        """Add a page. It directs, unless it only watches, if no other does, or if it did before it was cut off."""
        with self._lock:
            former = self._pages.get(self.director) if self.director is not None else None
            has_returned = former is not None and page.key != "" and former.key == page.key
            self._pages[page.number] = page
            if (self.director is None or has_returned) and not page.watch:
                self.director = page.number

    def remove(self, number: int) -> bool:
        """Remove a page; the next that does not only watch takes over. Whether one did."""
        with self._lock:
            self._pages.pop(number, None)
            if self.director != number:
                return False
            self.director = next((page.number for page in self._pages.values() if not page.watch), None)
            return self.director is not None

    def set_director(self, number: int) -> None:
        """Let a page direct."""
        with self._lock:
            if number in self._pages:
                self._pages[number].watch = False
                self.director = number

    @property
    def view(self) -> View | None:
        """The camera of the page that directs."""
        page = self._pages.get(self.director) if self.director is not None else None
        return None if page is None else page.view

    def get(self, number: int) -> Page | None:
        """A page by its number, if it is connected."""
        return self._pages.get(number)

    @property
    def all(self) -> list[Page]:
        """All connected pages."""
        with self._lock:
            return list(self._pages.values())
