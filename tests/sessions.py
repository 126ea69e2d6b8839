"""A session with an audience that writes down what it is shown."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from stringless.studio.frames import FrameData
from stringless.studio.messages import (
    VERSION,
    Answer,
    Do,
    Document,
    Grab,
    Hello,
    Message,
    Move,
    Refusal,
    Release,
    Status,
)
from stringless.studio.session import Session

PATIENCE = 900.0
"""On a machine that has never compiled the kernels, the first answer may take minutes [s]."""
STOPPED = 120.0
"""What a session may take to save and end on a busy machine [s]."""
Kind = TypeVar("Kind", bound=Message)


class RefusedError(Exception):
    """What was asked for was refused."""


class Audience:
    """An outlet that remembers, and pages that wait for answers."""

    def __init__(self) -> None:
        self.said: list[tuple[int | None, Message]] = []
        self.frames: list[FrameData] = []
        self.shown: list[tuple[int | None, int, bytes]] = []
        self.change = threading.Condition()

    def send(self, page: int | None, message: Message) -> None:
        with self.change:
            self.said.append((page, message))
            self.change.notify_all()

    def send_latest(self, page: int | None, message: Message) -> None:
        self.send(page, message)

    def send_frame(self, frame: FrameData) -> None:
        with self.change:
            self.frames.append(frame)
            self.change.notify_all()

    def send_ghosts(self, page: int | None, role: int, data: bytes) -> None:
        with self.change:
            self.shown.append((page, role, data))
            self.change.notify_all()

    def find_frame_rate(self, page: int) -> float:
        return 0.0

    def wait(self, what: Callable[[], Any], patience: float = PATIENCE) -> Any:
        """Wait until something is there."""
        with self.change:
            assert self.change.wait_for(what, patience), (
                f"it did not happen within {patience} s; the last words: {self.said[-3:]}"
            )
            return what()

    def all(self, kind: type[Kind], page: int | None = None) -> list[Kind]:
        return [m for to, m in list(self.said) if isinstance(m, kind) and (page is None or to in (None, page))]

    def last(self, kind: type[Kind], page: int | None = None) -> Kind:
        return self.all(kind, page)[-1]


class Visitor:
    """A page."""

    def __init__(self, session: Session, audience: Audience, number: int = 1, watch: bool = False) -> None:
        self.session, self.audience, self.number = session, audience, number
        self.asked = 0
        self.sequence = 0
        session.add_page(number, Hello(VERSION, f"page {number}", watch=watch))

    def ask(self, message: Do | Grab | Release) -> Any:
        """Say something and wait for its answer."""
        self.session.receive(self.number, message)
        number = message.id

        def answer() -> Any:
            for to, said in reversed(self.audience.said):
                if to == self.number and isinstance(said, Answer | Refusal) and said.id == number:
                    return said
            return None

        found = self.audience.wait(answer)
        if isinstance(found, Refusal):
            raise RefusedError(found.error)
        return found.result

    @property
    def next(self) -> int:
        self.asked += 1
        return self.asked

    def do(self, command: str, **arguments: Any) -> Any:
        return self.ask(Do(self.next, command, arguments))

    def grab(self, pointer: int = 0, **what: Any) -> Any:
        return self.ask(Grab(self.next, pointer, **what))

    def move(self, pointer: int = 0, **where: Any) -> int:
        self.sequence += 1
        self.session.receive(self.number, Move(pointer, self.sequence, **where))
        return self.sequence

    def release(self, pointer: int = 0, keep: bool = False) -> None:
        self.ask(Release(self.next, pointer, keep))

    def until(self, time_reached: float) -> None:
        """Let the simulation come to a time."""
        self.audience.wait(lambda: self.frame.time >= time_reached)

    @property
    def frame(self) -> FrameData:
        return self.audience.frames[-1]

    @property
    def document(self) -> Document:
        return self.audience.last(Document, self.number)

    @property
    def status(self) -> Status:
        """A status that the session's own thread has made since this was asked for."""
        made: list[bool] = []

        def make() -> None:
            self.session.notifier.send_status()
            with self.audience.change:
                made.append(True)
                self.audience.change.notify_all()

        self.session.queue.put(0, make)
        self.audience.wait(lambda: made)
        return self.audience.last(Status, self.number)


@contextmanager
def studio(home: Path, source: str = "double_pendulum", **options: Any) -> Iterator[tuple[Session, Visitor]]:
    """A session with a page that directs, ready to go; as fast as possible, because tests are in a hurry."""
    audience = Audience()
    session = Session(audience, source=source, home=home, **options)
    session.start()
    try:
        page = Visitor(session, audience)
        audience.wait(lambda: audience.frames)
        ready(session)
        page.do("speed", rate=-1)
        yield session, page
    finally:
        assert session.stop(STOPPED)


def ready(session: Session) -> None:
    """Wait until all kernels are there."""
    end = time.monotonic() + PATIENCE
    while session.state is None or not session.state.kernels.all_ready:
        assert time.monotonic() < end
        time.sleep(0.01)
