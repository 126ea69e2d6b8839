"""What pages say, on its way to the simulation thread: in order, and of moves, seeks and looks only the newest."""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable
from typing import Any, NamedTuple

from stringless.studio.messages import Grab, Look, Move, Release, Seek

MOST = 1000
"""Letters of one page that may wait; more are not taken."""


class Letter(NamedTuple):
    """A message on its way."""

    page: int
    message: Any
    arrived: float
    """By `time.perf_counter` [s]."""


class Mailbox:
    """Any thread puts letters in; the simulation thread takes them out."""

    def __init__(self) -> None:
        """Start empty."""
        self._letters: list[Letter | None] = []
        self._newest: dict[Hashable, int] = {}  # where the newest move of a hand, or seek or look of a page, lies
        self._waiting: dict[int, int] = {}
        self._pressing = False  # whether there is more than moves
        self._closed = False
        self._change = threading.Condition()

    def put(self, page: int, message: Any) -> bool:
        """Put a letter in; False if this page has too many waiting."""
        with self._change:
            if isinstance(message, Move | Seek | Look):
                self._overtake(page, message)
            elif self._waiting.get(page, 0) >= MOST:
                return False
            else:  # it is done at the moment that was sought before
                self._newest.pop((page, Seek.__name__), None)
            if isinstance(message, Grab | Release):  # what was moved before stays before
                self._newest.pop((page, message.pointer), None)
            self._letters.append(Letter(page, message, time.perf_counter()))
            self._waiting[page] = self._waiting.get(page, 0) + 1
            self._pressing |= not isinstance(message, Move | Look)
            self._change.notify()
            return True

    def _overtake(self, page: int, message: Move | Seek | Look) -> None:
        key = (page, message.pointer) if isinstance(message, Move) else (page, type(message).__name__)
        if key in self._newest:
            self._letters[self._newest[key]] = None
            self._waiting[page] -= 1
        self._newest[key] = len(self._letters)

    def take(self, until: float, *, moves_too: bool = True) -> list[Letter]:
        """All that is there; waits for it until a time of `time.perf_counter`. Moves alone may be left to wait till then."""
        with self._change:
            left = until - time.perf_counter()
            if left > 0:
                self._change.wait_for(lambda: self._closed or self._pressing or (moves_too and self._letters), left)
            letters = [letter for letter in self._letters if letter is not None]
            self._letters, self._newest, self._waiting, self._pressing = [], {}, {}, False
            return letters

    def wake(self) -> None:
        """Let nobody wait any more."""
        with self._change:
            self._closed = True
            self._change.notify_all()
