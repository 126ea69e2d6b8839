"""The hub: carries what the session sends to the pages, and what pages send to the session.

The session sends from its own thread and never waits; everything else here runs in the event loop. What a page sends is
checked before the session gets it, so nothing malformed, too early or too much ever gets there.
"""

import asyncio
import itertools
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from stringless.studio import frames, messages
from stringless.studio.connection import MALFORMED_COST, MOST_REQUESTS, STOPPED, CloseCode, Connection
from stringless.studio.frames import FrameData, Packet
from stringless.studio.messages import VERSION, Acknowledge, Answer, FromPage, Hello, Message, Refusal, Scene

if TYPE_CHECKING:
    from stringless.studio.session import Session

MOST_PAGES = 32
Request = messages.Do | messages.Grab | messages.Release
"""Messages that are answered."""
PREFIX = bytes([frames.MESSAGE, 0, 0, 0])
MALFORMED = (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError)


class Numbered(msgspec.Struct):
    """What can be read of a request that is malformed otherwise."""

    id: messages.Number


class Hub:
    """All connections. What the session calls returns at once, and may be called from any thread."""

    def __init__(self) -> None:
        self.listener: Session | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connections: dict[int, Connection] = {}
        self._numbers = itertools.count(1)
        self._sequence = 0
        self._encoder = threading.local()
        self._decoder = msgspec.msgpack.Decoder(FromPage)

    def run_in(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """From now on pages are served by this loop; None when it ends."""
        self._loop = loop

    # --- from the session, in any thread ---

    def send(self, page: int | None, message: Message) -> None:
        """Send a message to one page or to all; all arrive, in order."""
        data = self._pack(message)
        is_answer = isinstance(message, Answer) or (isinstance(message, Refusal) and message.id is not None)

        def queue(connection: Connection) -> None:
            connection.is_welcomed = True
            if isinstance(message, Scene):
                connection.begin_scene()
            connection.requests -= is_answer
            connection.queue_message(data)

        self._for_each(page, queue)

    def send_latest(self, page: int | None, message: Message) -> None:
        """Send a message to one page or to all, of whose kind only the newest counts; it arrives after what was sent before."""
        data = self._pack(message)
        self._for_each(page, lambda connection: connection.queue_latest(type(message).__name__, data))

    def send_frame(self, frame: FrameData) -> None:
        """Send a frame to all pages, to slow ones only the newest; packed here, because its arrays may change after this call."""
        if self._connections:
            self._sequence = (self._sequence + 1) % 2**32
            packet = Packet(self._sequence, frame)
            self._for_each(None, lambda connection: connection.has_scene and connection.queue_frame(packet))

    def send_ghosts(self, page: int | None, role: int, data: bytes) -> None:
        """Send ghosts to one page or to all; only the newest of a role count."""
        self._for_each(page, lambda connection: connection.has_scene and connection.queue_latest(role, data))

    def find_frame_rate(self, page: int) -> float:
        """Frames that were sent to a page during the last second."""
        connection = self._connections.get(page)
        return connection.frames_per_second if connection else 0.0

    def close(self) -> None:
        """Close all connections, because the studio ends."""
        self._call(lambda: [connection.close(CloseCode.GONE, STOPPED) for connection in self._connections.values()])

    def _pack(self, message: Message) -> bytes:
        if not hasattr(self._encoder, "one"):  # an encoder belongs to one thread
            self._encoder.one = msgspec.msgpack.Encoder()
        return PREFIX + self._encoder.one.encode(message)

    def _for_each(self, page: int | None, queue: Callable[[Connection], Any]) -> None:
        """Call `queue` in the event loop, for one page or all that were welcomed."""

        def run() -> None:
            if page is None:
                chosen = [connection for connection in self._connections.values() if connection.is_welcomed]
            else:
                chosen = [self._connections[page]] if page in self._connections else []
            for connection in chosen:
                queue(connection)

        self._call(run)

    def _call(self, run: Callable[[], Any]) -> None:
        loop = self._loop
        if loop is not None:
            try:
                loop.call_soon_threadsafe(run)
            except RuntimeError:  # it was closed in the meantime, and all pages with it
                self._loop = None

    # --- in the event loop ---

    def add_connection(self) -> Connection:
        """A page has connected. One too many is told so, and closed."""
        connection = Connection(next(self._numbers))
        if len(self._connections) >= MOST_PAGES:
            connection.close(CloseCode.FULL, f"{MOST_PAGES} pages are connected already; close one of them")
        else:
            self._connections[connection.number] = connection
        return connection

    def remove_connection(self, connection: Connection) -> None:
        """A page has disconnected."""
        if self._connections.pop(connection.number, None) and connection.is_greeted and self.listener:
            self.listener.remove_page(connection.number)

    def receive(self, connection: Connection, data: bytes | str) -> None:
        """A page has sent something."""
        if connection.closing:
            return
        if not connection.count_message():
            self._stop_flood(connection)
            return
        try:
            if isinstance(data, str):
                raise msgspec.DecodeError("expected MessagePack in a binary message, got text")
            message = self._decoder.decode(data)
        except MALFORMED as error:
            self._refuse(connection, _find_number(data), f"the message is malformed: {error}")
            return
        self._handle(connection, message)

    def _handle(self, connection: Connection, message: FromPage) -> None:
        if isinstance(message, Acknowledge):
            connection.acknowledge(message.sequence)
        elif isinstance(message, Hello):
            self._greet(connection, message)
        elif not connection.is_greeted:
            said = type(message).__name__.lower()
            self._dismiss(connection, CloseCode.MISUSED, f"a page must say hello first, this one said '{said}'")
        elif isinstance(message, Request) and connection.requests >= MOST_REQUESTS:
            self._refuse(connection, message.id, f"{MOST_REQUESTS} requests of this page wait for an answer already")
        else:
            connection.requests += isinstance(message, Request)
            if self.listener:
                self.listener.receive(connection.number, message)

    def _greet(self, connection: Connection, hello: Hello) -> None:
        if hello.version != VERSION:
            text = f"the page speaks version {hello.version} and this studio version {VERSION}; reload the page"
            self._dismiss(connection, CloseCode.OTHER_VERSION, text)
        elif connection.is_greeted:
            self._refuse(connection, None, "hello was said already; once is enough")
        else:
            connection.is_greeted, connection.key = True, hello.key
            if self.listener:
                self.listener.add_page(connection.number, hello)
            for old in list(self._connections.values()):  # its old connection leads nowhere any more
                if connection.key and old.key == connection.key and old is not connection:
                    self._dismiss(old, CloseCode.GONE, "this page has come back by another connection")

    def _refuse(self, connection: Connection, number: int | None, text: str) -> None:
        connection.is_faulty = True
        connection.queue_message(self._pack(Refusal(number, text)))
        if not connection.count_message(MALFORMED_COST):
            self._stop_flood(connection)

    def _stop_flood(self, connection: Connection) -> None:
        """Close a page that sends too much."""
        what = "that is malformed" if connection.is_faulty else "at once"
        self._dismiss(connection, CloseCode.FLOODING, f"the page sent far too much {what}")

    def _dismiss(self, connection: Connection, code: int, reason: str) -> None:
        connection.queue_message(self._pack(Refusal(None, reason)))
        connection.close(code, reason)


def _find_number(data: bytes | str) -> int | None:
    """The number of a malformed request, if that much can be read."""
    try:
        return msgspec.msgpack.decode(data, type=Numbered).id if isinstance(data, bytes) else None
    except MALFORMED:
        return None
