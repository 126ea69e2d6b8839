"""One connected page as the event loop sees it: what waits to be sent, and how much it may say."""

from __future__ import annotations

import asyncio
import time
from collections import deque

from stringless.studio.frames import Parcel

UNDER_WAY = 2
"""Frames that may be on their way to a page before it has drawn one."""
MOST_MESSAGES, MOST_BYTES = 2000, 64 * 2**20
"""What may wait for a page that does not read."""
PER_SECOND, AT_ONCE = 2000.0, 4000.0
"""Messages that a page may send."""
FAULT = 20.0
"""As many messages as one counts that makes no sense."""
MOST_QUESTIONS = 500
"""What a page may ask without waiting for answers."""

MISUSED, OTHER_VERSION, FLOODING, FULL, SLOW, GONE = 4000, 4001, 4002, 4003, 4010, 1001
"""Why a connection is closed. Up to 4003 there is no use in coming back."""
STOPPED = "the studio has been stopped"


class Link:
    """What is on its way to one page. Messages all arrive and in order; of frames and ghosts only the newest."""

    def __init__(self, number: int) -> None:
        """A page that has not said anything yet."""
        self.number = number
        self.greeted = False
        self.key = ""
        self.nonsense = False
        """Whether it has said anything that makes no sense."""
        self.welcomed = False
        """Whether the session has said something to it alone; what is said to all comes after that."""
        self.has_scene = False
        """Whether it knows of any scene; before that it could not tell what a frame shows."""
        self.wake = asyncio.Event()
        self.closing: tuple[int, str] | None = None
        self.questions = 0
        """What it has asked and was not answered yet."""
        self._messages: deque[bytes] = deque()
        self._bytes = 0
        self._ghosts: dict[int | str, bytes] = {}
        self._frame: Parcel | None = None
        self._seen = (0, 0)
        """Scene and look of the last frame that was sent."""
        self._under_way: deque[int] = deque()
        self._sent: deque[float] = deque(maxlen=240)
        self._allowance, self._counted = AT_ONCE, time.perf_counter()

    # --- to the page ---

    def say(self, data: bytes) -> None:
        """Send this, after all that was said before."""
        if self.closing:
            return
        self._messages.append(data)
        self._bytes += len(data)
        if len(self._messages) > MOST_MESSAGES or self._bytes > MOST_BYTES:
            self._messages.clear()
            self.close(SLOW, "the page did not read what was sent to it")
        self.wake.set()

    def frame(self, parcel: Parcel) -> None:
        """Show this, unless a newer one comes first."""
        self._frame = parcel
        self.wake.set()

    def begin_scene(self) -> None:
        """It is told of a scene: it has seen nothing of it yet."""
        self.has_scene, self._seen = True, (0, 0)

    def ghosts(self, role: int, data: bytes) -> None:
        """Show these, unless newer ones of that role come first."""
        self._ghosts[role] = data
        self.wake.set()

    def newest(self, kind: str, data: bytes) -> None:
        """Send this, unless something newer of its kind comes first."""
        self._ghosts[kind] = data
        self.wake.set()

    def acknowledge(self, sequence: int) -> None:
        """The page has drawn a frame, and with it all before."""
        while self._under_way and self._under_way[0] <= sequence:
            self._under_way.popleft()
        self.wake.set()

    def next(self) -> bytes | None:
        """What to send now, if anything; a scene always before its frames."""
        if (data := self.last_words()) is not None:
            return data
        if self._ghosts:
            return self._ghosts.pop(next(iter(self._ghosts)))
        if self._frame is None or len(self._under_way) >= UNDER_WAY:
            return None
        parcel, self._frame = self._frame, None
        self._under_way.append(parcel.sequence)
        self._sent.append(time.perf_counter())
        data, self._seen = parcel.packed(self._seen), parcel.stage
        return data

    def last_words(self) -> bytes | None:
        """The next that must not be lost."""
        if not self._messages:
            return None
        data = self._messages.popleft()
        self._bytes -= len(data)
        return data

    def close(self, code: int, reason: str) -> None:
        """Send what is waiting to be said, then close; the first reason counts."""
        if self.closing is None:
            self.closing = (code, reason)
        self.wake.set()

    @property
    def frames_per_second(self) -> float:
        """Of the last second."""
        last = time.perf_counter() - 1.0
        while self._sent and self._sent[0] < last:
            self._sent.popleft()
        return float(len(self._sent))

    # --- from the page ---

    def may_speak(self, cost: float = 1.0) -> bool:
        """Count a message; False if it has said far too much."""
        now = time.perf_counter()
        self._allowance = min(AT_ONCE, self._allowance + PER_SECOND * (now - self._counted)) - cost
        self._counted = now
        return self._allowance >= 0.0
