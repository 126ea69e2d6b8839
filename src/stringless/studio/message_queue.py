"""Messages of pages on their way to the simulation thread: in order, and of moves, seeks and looks only the newest."""

import threading
import time
from collections.abc import Hashable
from typing import Any, NamedTuple

from stringless.studio.messages import Grab, Look, Move, Release, Seek

MOST = 1000
"""Messages of one page that may wait; more are rejected."""


class QueuedMessage(NamedTuple):
    """A message on its way."""

    page: int
    content: Any
    arrived: float
    """By `time.perf_counter` [s]."""


class MessageQueue:
    """Any thread puts messages in; the simulation thread takes them out."""

    def __init__(self) -> None:
        self._messages: list[QueuedMessage | None] = []
        self._newest: dict[Hashable, int] = {}  # position of the newest move of a hand, or seek or look of a page
        self._waiting: dict[int, int] = {}
        self._pressing = False  # whether there is more than moves
        self._closed = False
        self._change = threading.Condition()

    def put(self, page: int, content: Any) -> bool:
        """Put a message in; False if this page has too many waiting."""
        with self._change:
            if isinstance(content, Move | Seek | Look):
                key = (page, content.pointer) if isinstance(content, Move) else (page, type(content).__name__)
                if key in self._newest:
                    self._messages[self._newest[key]] = None
                    self._waiting[page] -= 1
                self._newest[key] = len(self._messages)
            elif self._waiting.get(page, 0) >= MOST:
                return False
            else:  # it is done at the time that was sought before
                self._newest.pop((page, Seek.__name__), None)
            if isinstance(content, Grab | Release):  # what was moved before stays before
                self._newest.pop((page, content.pointer), None)
            self._messages.append(QueuedMessage(page, content, time.perf_counter()))
            self._waiting[page] = self._waiting.get(page, 0) + 1
            self._pressing |= not isinstance(content, Move | Look)
            self._change.notify()
            return True

    def take(self, until: float, *, moves_too: bool = True) -> list[QueuedMessage]:
        """All messages; waits for some until a time of `time.perf_counter`. Moves alone may be left to wait until then."""
        with self._change:
            left = until - time.perf_counter()
            if left > 0:
                self._change.wait_for(lambda: self._closed or self._pressing or (moves_too and self._messages), left)
            messages = [message for message in self._messages if message is not None]
            self._messages, self._newest, self._waiting, self._pressing = [], {}, {}, False
            return messages

    def wake(self) -> None:
        """End all waiting, now and later."""
        with self._change:
            self._closed = True
            self._change.notify_all()
