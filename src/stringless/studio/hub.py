"""The hub: carries what the session says to the pages, and what pages say to the session.

The session speaks from its own thread and never waits; everything else here runs in the event loop. What a page says is
checked before the session hears of it, so nothing malformed, too early or too much ever gets there.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from stringless.studio import frames
from stringless.studio.frames import Moment, Parcel
from stringless.studio.link import (
    FAULT,
    FLOODING,
    FULL,
    GONE,
    MISUSED,
    MOST_QUESTIONS,
    OTHER_VERSION,
    STOPPED,
    Link,
)
from stringless.studio.messages import (
    VERSION,
    Acknowledge,
    Answer,
    Do,
    FromPage,
    Grab,
    Hello,
    Message,
    Refusal,
    Release,
    Scene,
)

MOST_PAGES = 32
PREFIX = bytes([frames.MESSAGE, 0, 0, 0])


class Listener(Protocol):
    """The part of the session that pages speak to."""

    def joined(self, page: int, hello: Hello) -> None: ...  # noqa: D102
    def left(self, page: int) -> None: ...  # noqa: D102
    def hear(self, page: int, message: FromPage) -> None: ...  # noqa: D102


class Hub:
    """All connected pages."""

    def __init__(self) -> None:
        """Nobody is there yet, and nobody listens."""
        self.listener: Listener | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._links: dict[int, Link] = {}
        self._numbers = itertools.count(1)
        self._sequence = 0
        self._encoder = threading.local()
        self._decoder = msgspec.msgpack.Decoder(FromPage)

    def run_in(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """From now on pages are served by this loop; None when it ends."""
        self._loop = loop

    # --- the session speaks (from any thread) ---

    def say(self, page: int | None, message: Message) -> None:
        """Say something to one page or to all; it arrives for sure and in order."""
        self._soon(self._say, page, message, self._pack(message))

    def newest(self, page: int | None, message: Message) -> None:
        """Say something to one page or to all, of whose kind only the newest counts."""
        self._soon(self._newest, page, type(message).__name__, self._pack(message))

    def frame(self, moment: Moment) -> None:
        """Show a moment to all pages; packed here, because arrays may change after this call, but what each has to be told."""
        if not self._links:
            return
        self._sequence = (self._sequence + 1) % 2**32
        self._soon(self._frame, Parcel(self._sequence, moment))

    def ghosts(self, page: int | None, role: int, data: bytes) -> None:
        """Show ghosts to one page or to all."""
        self._soon(self._ghosts, page, role, data)

    def sent(self, page: int) -> float:
        """Frames that went to a page during the last second."""
        link = self._links.get(page)
        return link.frames_per_second if link else 0.0

    def _pack(self, message: Message) -> bytes:
        if not hasattr(self._encoder, "one"):  # an encoder belongs to one thread
            self._encoder.one = msgspec.msgpack.Encoder()
        return PREFIX + self._encoder.one.encode(message)

    def _soon(self, call: Callable[..., None], *arguments: Any) -> None:
        loop = self._loop
        if loop is None:
            return
        try:
            loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:  # it was closed in the meantime, and all pages with it
            self._loop = None

    # --- in the event loop ---

    def _to(self, page: int | None) -> list[Link]:
        """One page, or all that were welcomed."""
        if page is not None:
            return [self._links[page]] if page in self._links else []
        return [link for link in self._links.values() if link.welcomed]

    def _say(self, page: int | None, message: Message, data: bytes) -> None:
        answers = isinstance(message, Answer) or (isinstance(message, Refusal) and message.id is not None)
        for link in self._to(page):
            link.welcomed = True
            if isinstance(message, Scene):
                link.begin_scene()
            link.questions -= answers
            link.say(data)

    def _frame(self, parcel: Parcel) -> None:
        for link in self._to(None):
            if link.has_scene:
                link.frame(parcel)

    def _newest(self, page: int | None, kind: str, data: bytes) -> None:
        for link in self._to(page):
            link.newest(kind, data)

    def _ghosts(self, page: int | None, role: int, data: bytes) -> None:
        for link in self._to(page):
            if link.has_scene:
                link.ghosts(role, data)

    def enter(self) -> Link:
        """A page has connected. One too many is told so, and closed."""
        link = Link(next(self._numbers))
        if len(self._links) >= MOST_PAGES:
            link.close(FULL, f"{MOST_PAGES} pages are connected already; close one of them")
        else:
            self._links[link.number] = link
        return link

    def leave(self, link: Link) -> None:
        """A page has gone."""
        if self._links.pop(link.number, None) and link.greeted and self.listener:
            self.listener.left(link.number)

    def close(self) -> None:
        """Send all pages away, because the studio ends; from any thread."""
        self._soon(self._close)

    def _close(self) -> None:
        for link in self._links.values():
            link.close(GONE, STOPPED)

    def hear(self, link: Link, data: bytes | str) -> None:
        """Something came from a page."""
        if link.closing:
            return
        if not link.may_speak():
            self._dam(link)
            return
        try:
            if isinstance(data, str):
                raise msgspec.DecodeError("expected MessagePack in a binary message, got text")
            message = self._decoder.decode(data)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError) as error:
            self._refuse(link, _number(data), f"the message makes no sense: {error}")
            return
        self._understand(link, message)

    def _understand(self, link: Link, message: FromPage) -> None:
        if isinstance(message, Acknowledge):
            link.acknowledge(message.sequence)
        elif isinstance(message, Hello):
            self._greet(link, message)
        elif not link.greeted:
            self._dismiss(
                link, MISUSED, f"a page must say hello first, this one said '{type(message).__name__.lower()}'"
            )
        elif isinstance(message, Do | Grab | Release):
            self._ask(link, message)
        elif self.listener:
            self.listener.hear(link.number, message)

    def _greet(self, link: Link, hello: Hello) -> None:
        if hello.version != VERSION:
            text = f"the page speaks version {hello.version} and this studio version {VERSION}; load the page anew"
            self._dismiss(link, OTHER_VERSION, text)
        elif link.greeted:
            self._refuse(link, None, "hello was said already; once is enough")
        else:
            link.greeted, link.key = True, hello.key
            if self.listener:
                self.listener.joined(link.number, hello)
            self._replace(link)

    def _replace(self, link: Link) -> None:
        """A page that was cut off has come back: nobody is at the other end of its old connection any more."""
        for old in list(self._links.values()):
            if link.key and old.key == link.key and old is not link:
                self._dismiss(old, GONE, "this page has come back by another connection")

    def _ask(self, link: Link, message: Do | Grab | Release) -> None:
        if link.questions >= MOST_QUESTIONS:
            self._refuse(link, message.id, f"{MOST_QUESTIONS} requests of this page wait for an answer already")
            return
        link.questions += 1
        if self.listener:
            self.listener.hear(link.number, message)

    def _refuse(self, link: Link, number: int | None, text: str) -> None:
        link.nonsense = True
        link.say(self._pack(Refusal(number, text)))
        if not link.may_speak(FAULT):
            self._dam(link)

    def _dam(self, link: Link) -> None:
        """Close a page that says too much."""
        what = "that makes no sense" if link.nonsense else "at once"
        self._dismiss(link, FLOODING, f"the page said far too much {what}")

    def _dismiss(self, link: Link, code: int, reason: str) -> None:
        """Say why, and close."""
        link.say(self._pack(Refusal(None, reason)))
        link.close(code, reason)


def _number(data: bytes | str) -> int | None:
    """The number of a request that could not be read as a whole, if that much can be read."""
    try:
        found = msgspec.msgpack.decode(data)["id"] if isinstance(data, bytes) else None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError, TypeError, KeyError, IndexError):
        return None
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 2**32 else None
