"""The notifier: tells pages what is open and how it stands, whenever that has changed."""

from __future__ import annotations

import contextlib
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from stringless.errors import StringlessWarning
from stringless.studio.builders.document import build_document
from stringless.studio.builders.log import LogBuilder
from stringless.studio.builders.scene import build_scene
from stringless.studio.builders.status import build_status, find_mode
from stringless.studio.messages import Document, Log, Message, Notice, OfferInfo, Scene, Status
from stringless.studio.pages import Page
from stringless.studio.session_state import SessionState

if TYPE_CHECKING:
    from stringless.studio.session import Session

MOST_NOTICES = 10
"""Kept for the page that connects first."""
STATUS_EVERY = 1 / 8
LATE = 0.2
"""After so long without a status the session counts as busy, and the last one is sent again [s]."""


class Notifier:
    """Sends scene, document, log, status and notices, and remembers what was sent last."""

    def __init__(self, session: Session) -> None:
        self.session, self.outlet, self.pages = session, session.outlet, session.pages
        self._log: LogBuilder | None = None
        self._scene: Scene | None = None
        self._document: Document | None = None
        self._revision = 0
        self._signature: Any = None
        self._notices: list[Notice] = []
        self._status, self._status_sent = Status(), 0.0
        self._mode: Any = None
        self._lock = threading.RLock()
        self._stopped = threading.Event()

    def stop(self) -> None:
        """End repeating the status."""
        self._stopped.set()

    @property
    def next_epoch(self) -> int:
        """A number that no scene had before."""
        return 1 if self._scene is None else self._scene.epoch + 1

    def notify(self, level: Any, text: str, offer: OfferInfo | None = None) -> None:
        """Show a text to people, now or when they connect."""
        notice = Notice(level, text, offer)
        if any(page.is_greeted for page in self.pages.all):
            self._send_all(notice)
        else:
            self._notices = [*self._notices, notice][-MOST_NOTICES:]

    def _send_all(self, message: Message) -> None:
        """Send something to every page that knows what is open; the others will be sent the whole."""
        pages = self.pages.all
        greeted = [page for page in pages if page.is_greeted]
        for number in [None] if len(greeted) == len(pages) else [page.number for page in greeted]:
            self.outlet.send(number, message)

    # --- what is open ---

    def greet(self, page: Page) -> None:
        """Send everything to a page that has connected."""
        page.is_greeted = True
        messages: list[Message | None] = [*self._notices]
        self._notices.clear()
        state = self.session.state
        if state is not None and self._log is not None:
            messages += [self._scene, self._document, Log(list(self._log.lines), reset=True)]
        for message in messages:
            if message is not None:
                self.outlet.send(page.number, message)
        if state is not None and self._log is not None:
            self.session.ghosts.forget_page(page.number)
            self.session.frames.send_frame(state, again=True)

    def open(self, state: SessionState) -> None:
        """Send what was opened; if it is the same in another file, pages keep its scene."""
        self._log = LogBuilder(state.project)
        self._document = self._signature = None
        if self._scene is None or self._scene.epoch != state.epoch:
            self._send_scene(state)
        else:
            self.session.frames.reset()
            self.session.ghosts.reset()
        self.send_changes()
        self._send_all(Log(list(self._log.lines), reset=True))

    def send_scene(self, state: SessionState) -> None:
        """Send the scene if another one is shown."""
        if state.update_scene():
            self._send_scene(state)

    def _send_scene(self, state: SessionState) -> None:
        self._scene = build_scene(state.scene, state.epoch)
        self._send_all(self._scene)
        self.session.frames.reset()
        self.session.ghosts.reset()

    def send_changes(self) -> None:
        """Send what has changed: the scene, the document, the log."""
        state = self.session.state
        if state is None:
            return
        self.send_scene(state)
        signature = _find_signature(state)
        if signature == self._signature:
            return
        self._signature = signature
        document = build_document(state, self._revision)
        if self._document is None or _drop_growing(document, state) != _drop_growing(self._document, state):
            self._revision += 1
            self._document = msgspec.structs.replace(document, revision=self._revision)
            self._send_all(self._document)
        assert self._log is not None
        if lines := self._log.list_new_lines(resting=state.player.mode != "live"):
            self._send_all(Log(lines))

    # --- status ---

    def send_status(self) -> None:
        """Send the status to every page."""
        state, frames = self.session.state, self.session.frames
        self._mode = None if state is None else find_mode(state)
        status = Status()
        if state is not None:
            status = build_status(state, stale=frames.is_stale(state), latency=frames.latency)
        with self._lock:
            self._status, self._status_sent = status, time.perf_counter()
            self.send_last_status()

    def send_status_if_changed(self) -> None:
        """Send the status if the mode has changed: a page must neither offer nor do what fitted the last one."""
        state = self.session.state
        if state is not None and find_mode(state) != self._mode:
            self.send_status()

    def send_last_status(self, only: int | None = None) -> None:
        """Send the last status to one page or to all, brought up to date as far as any thread can."""
        session, pages = self.session, self.pages
        with self._lock:
            for number in [page.number for page in pages.all if only in (None, page.number)]:
                status = msgspec.structs.replace(
                    self._status,
                    preparing=session.preparing,
                    jobs=session.jobs.infos,
                    pages=len(pages.all),
                    director=pages.director,
                    frames=self.outlet.find_frame_rate(number),
                )
                self.outlet.send(number, status)

    def repeat_status(self) -> None:
        """Send the last status again whenever the session has sent none for a while, until stopped."""
        while not self._stopped.wait(STATUS_EVERY):
            with self._lock:
                if time.perf_counter() - self._status_sent > LATE:
                    self.send_last_status()


def _find_signature(state: SessionState) -> Any:
    """Differs whenever the document may have changed; found without building it."""
    project, sim, player = state.project, state.project.sim, state.player
    made = project.store.journal_length, project.history.done[-1:], state.hands.goals, len(project.take.branches)
    shown = state.epoch, player.branch, player.mode, player.mode != "live" and project.position
    return made, shown, id(sim.config), id(sim.flesh)


def _drop_growing(document: Document, state: SessionState) -> Document:
    """A document without what changes all the time: its number, and the end of a branch that is being recorded."""
    if state.player.mode != "live":
        return msgspec.structs.replace(document, revision=0)
    growing = state.project.take.current
    lanes = [msgspec.structs.replace(branch, end=0.0) if branch.id == growing else branch for branch in document.lanes]
    return msgspec.structs.replace(document, revision=0, lanes=lanes)


@contextlib.contextmanager
def forward_warnings(notify: Callable[[str], None]) -> Iterator[None]:
    """Pass our own warnings of this thread to `notify`, one text once until another comes.

    The filters and the hook belong to the whole process, so this is entered once for the life of a thread and not around
    every step; warnings of other threads go where they went before.
    """
    thread, last = threading.get_ident(), ""
    with warnings.catch_warnings():
        warnings.simplefilter("always", StringlessWarning)
        before = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
            nonlocal last
            if threading.get_ident() != thread or not issubclass(category, StringlessWarning):
                before(message, category, *rest, **more)
            elif str(message) != last:
                last = str(message)
                notify(last)

        warnings.showwarning = show
        yield
