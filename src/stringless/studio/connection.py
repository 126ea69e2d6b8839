"""One connected page as the event loop sees it: what waits to be sent, and how much it may send."""

import asyncio
import time
from collections import deque
from enum import IntEnum

from stringless.studio.frames import Packet

IN_FLIGHT = 2
"""Frames that may be on their way to a page before it has drawn one."""
MOST_MESSAGES, MOST_BYTES = 2000, 64 * 2**20
"""What may wait for a page that does not read."""
PER_SECOND, AT_ONCE = 2000.0, 4000.0
"""Messages that a page may send."""
MALFORMED_COST = 20.0
"""A malformed message counts as so many."""
MOST_REQUESTS = 500
"""Requests of a page that may wait for answers."""

STOPPED = "the studio has been stopped"


class CloseCode(IntEnum):
    """Why a connection is closed. From 4000 to 4003 there is no use in reconnecting."""

    GONE = 1001
    FAULT = 1011
    MISUSED = 4000
    OTHER_VERSION = 4001
    FLOODING = 4002
    FULL = 4003
    SLOW = 4010


class Connection:
    """What is on its way to one page. Messages all arrive and in order; of frames and ghosts only the newest."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.is_greeted = False
        """Whether it has said hello."""
        self.key = ""
        self.is_faulty = False
        """Whether it has sent a malformed message."""
        self.is_welcomed = False
        """Whether it was sent something of its own; what is sent to all comes after that."""
        self.has_scene = False
        """Whether it has a scene; without one it could not tell what a frame shows."""
        self.wake = asyncio.Event()
        self.closing: tuple[int, str] | None = None
        self.requests = 0
        """Its requests that were not answered yet."""
        self._messages: deque[bytes] = deque()
        self._bytes = 0
        self._latest: dict[int | str, bytes] = {}
        self._frame: Packet | None = None
        self._seen = (0, 0)  # scene and look of the last frame that was sent
        self._in_flight: deque[int] = deque()
        self._sent: deque[float] = deque(maxlen=240)
        self._allowance, self._counted = AT_ONCE, time.perf_counter()

    # --- to the page ---

    def queue_message(self, data: bytes) -> None:
        """Send this, after all that was queued before."""
        if self.closing:
            return
        self._messages.append(data)
        self._bytes += len(data)
        if len(self._messages) > MOST_MESSAGES or self._bytes > MOST_BYTES:
            self._messages.clear()
            self.close(CloseCode.SLOW, "the page did not read what was sent to it")
        self.wake.set()

    def begin_scene(self) -> None:
        """It is sent a scene, of which it has seen nothing yet."""
        self.has_scene, self._seen = True, (0, 0)

    def queue_latest(self, kind: int | str, data: bytes) -> None:
        """Send a message, or ghosts of a role, unless something newer of its kind comes first."""
        self._latest[kind] = data
        self.wake.set()

    def queue_frame(self, packet: Packet) -> None:
        """Send a frame, unless a newer one comes first."""
        self._frame = packet
        self.wake.set()

    def acknowledge(self, sequence: int) -> None:
        """The page has drawn a frame, and with it all before."""
        while self._in_flight and self._in_flight[0] <= sequence:
            self._in_flight.popleft()
        self.wake.set()

    def take_next(self) -> bytes | None:
        """What to send now, if anything; a scene always before its frames."""
        if (data := self.take_message()) is not None:
            return data
        if self._latest:
            return self._latest.pop(next(iter(self._latest)))
        if self._frame is None or len(self._in_flight) >= IN_FLIGHT:
            return None
        packet, self._frame = self._frame, None
        self._in_flight.append(packet.sequence)
        self._sent.append(time.perf_counter())
        data, self._seen = packet.pack_for(self._seen), packet.version
        return data

    def take_message(self) -> bytes | None:
        """The next that must not be lost."""
        if not self._messages:
            return None
        data = self._messages.popleft()
        self._bytes -= len(data)
        return data

    def close(self, code: int, reason: str) -> None:
        """Send the queued messages, then close; the first reason counts."""
        if self.closing is None:
            self.closing = (code, reason)
        self.wake.set()

    @property
    def frames_per_second(self) -> float:
        """Frames sent during the last second."""
        last = time.perf_counter() - 1.0
        while self._sent and self._sent[0] < last:
            self._sent.popleft()
        return float(len(self._sent))

    # --- from the page ---

    def count_message(self, cost: float = 1.0) -> bool:
        """Count a message; False if it has sent far too much."""
        now = time.perf_counter()
        self._allowance = min(AT_ONCE, self._allowance + PER_SECOND * (now - self._counted)) - cost
        self._counted = now
        return self._allowance >= 0.0
