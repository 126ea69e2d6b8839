"""The session: the thread that owns the project, listens to the pages and shows them what happens.

Nobody else touches the project. What pages say comes in through a mailbox, what they shall see goes out through an
`Outlet`; neither is ever waited for.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import stringless
from stringless import jit
from stringless.engines.reduced.kernels_directed import run_directed
from stringless.engines.reduced.kernels_flesh import run_flesh
from stringless.errors import StringlessError
from stringless.project.commands import COMMANDS
from stringless.studio.actions import ACTIONS
from stringless.studio.actions.opening import open_source
from stringless.studio.announcing import Announcer
from stringless.studio.desk import Desk
from stringless.studio.editing.room import Room
from stringless.studio.files import Folders, describe_formats
from stringless.studio.hearing import Ear
from stringless.studio.jobs import Jobs
from stringless.studio.mailbox import Mailbox
from stringless.studio.messages import (
    VERSION,
    CommandInfo,
    Do,
    FromPage,
    Hello,
    OfferInfo,
    Preparation,
    Refusal,
    Welcome,
)
from stringless.studio.outlet import Outlet
from stringless.studio.pages import Page, Pages
from stringless.studio.publishing import FRAMES_PER_SECOND, Publisher
from stringless.studio.recovering import left_behind
from stringless.studio.shelf import Shelf
from stringless.studio.standing import describe_status, empty_status, standing
from stringless.studio.telling import Teller
from stringless.studio.warned import warnings_told

log = logging.getLogger(__name__)
STATUS_EVERY = 1 / 8
DOCUMENT_EVERY = 1 / 8
"""How often to look whether the document has changed by itself [s]."""
CLOSED_WITHIN = 5.0
"""What the end of a step and the closing of a file may take on a slow machine [s]; usually it is a tenth of a second."""
PAUSE_AFTER_FAULT = 0.1
"""So that a fault that comes again and again does not take all the time there is [s]."""


class Session:
    """Owns what is open, in a thread of its own."""

    def __init__(
        self,
        outlet: Outlet,
        *,
        source: str = "",
        folders: Sequence[Path] = (),
        home: Path | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        """Open `source` when started: a scene by name, a file or a project.

        Args:
            outlet: brings things to the pages.
            source: what to begin with; if empty, the worm lying on the floor.
            folders: whose files pages may open and write.
            home: where projects without a name are kept; the user's data folder if not given.
            settings: of the simulation of a scene to begin with, such as `engine` or `dt`.
        """
        self.outlet = outlet
        self.source, self.settings = source, dict(settings or {})
        self.shelf = Shelf(home)
        self.folders = Folders(list(folders) or [self.shelf.projects])
        self.reachable = Folders([*self.folders.all, self.shelf.home])
        """Where pages may open and write files: in the folders that were chosen, and in our own."""
        self.pages = Pages()
        self.jobs = Jobs()
        self.publisher = Publisher(outlet, self.pages)
        self.desk: Desk | None = None
        self.busy: Preparation | None = None
        """What the thread does just now that may take a while."""
        self.name = secrets.token_hex(8)
        self.mailbox = Mailbox()
        self.teller = Teller(outlet, self.pages, self.publisher)
        self.room = Room(self)
        self._ear = Ear(self)
        self._next_frame = self._next_status = self._next_document = 0.0
        self._stood: Any = None
        self._unseen = False
        """Whether something was heard that no frame has shown yet."""
        self._ended = threading.Event()
        self._stopping = False
        self._announcer = Announcer(self)
        self._thread = threading.Thread(target=self._work, name="session", daemon=True)

    # --- from any thread ---

    def start(self) -> None:
        """Begin; comes back at once."""
        self._announcer.start()
        self._thread.start()

    def stop(self, timeout: float = CLOSED_WITHIN) -> bool:
        """Save, close and end; whether all of it was done in time. What was handed to the file is safe in any case."""
        self._stopping = True
        self.jobs.stop()
        self.mailbox.wake()
        done = self._ended.wait(timeout) if self._thread.ident is not None else True
        self._announcer.stop()
        if not done and self.desk is not None:
            self.desk.project.store.flush()
        return done

    def joined(self, page: int, hello: Hello) -> None:
        """A page has come."""
        self.outlet.say(page, self._welcome(page))  # before anything else
        self.pages.add(Page(page, hello.name, hello.watch, hello.key))
        self._announcer.say_now(page)
        self.mailbox.put(page, hello)

    def left(self, page: int) -> None:
        """A page has gone."""
        taken_over = self.pages.remove(page)
        self.mailbox.put(page, None)
        if taken_over:
            self.mailbox.put(0, self._ear.hand_over)

    def hear(self, page: int, message: FromPage) -> None:
        """A page says something."""
        if not self.mailbox.put(page, message):
            number = getattr(message, "id", None)
            self.outlet.say(page, Refusal(number, "too much waits to be done already; try again in a moment"))

    def download(self, number: int) -> Path | None:
        """The file that a job has made."""
        job = self.jobs.get(number)
        return job.file if job is not None and job.state == "finished" else None

    @property
    def preparing(self) -> Preparation | None:
        """What takes a while just now."""
        if self.busy is not None:
            return self.busy
        kernels = None if self.desk is None else self.desk.kernels.preparing
        return kernels or self.room.warming.preparing

    @contextlib.contextmanager
    def doing(self, what: str) -> Iterator[None]:
        """Let pages see what goes on; if kernels must be compiled for it, also how far that is."""

        def report(name: str, done: int, total: int) -> None:
            self.busy = Preparation(what, done, total)

        self.busy = Preparation(what, 0, 0)
        try:
            with jit.compiling(report, run_flesh, run_directed):
                yield
        finally:
            self.busy = None

    def _welcome(self, page: int) -> Welcome:
        known: dict[str, Any] = COMMANDS | ACTIONS
        infos = [CommandInfo(name, known[name].summary, known[name].signature) for name in sorted(known)]
        formats = describe_formats()
        keep = [
            suffix[1:] for known in formats if known.written and known.kind == "motion" for suffix in known.suffixes
        ]
        return Welcome(VERSION, stringless.__version__, page, self.name, infos, keep, formats)

    # --- the thread ---

    def _work(self) -> None:
        with warnings_told(self._warn):
            try:
                self._begin()
                while not self._stopping:
                    self.guarded(self._turn)
            finally:
                self._end()

    def _warn(self, text: str) -> None:
        if self.desk is None or not self.desk.bench.search.trying:
            self.notice("warning", sentence(text))

    def guarded(self, what: Callable[[], None]) -> None:
        """Do something; if it fails, people are told and the thread goes on."""
        try:
            what()
        except Exception as error:
            log.exception("something unexpected happened in the session")
            self.notice("error", f"Something unexpected happened: {type(error).__name__}: {error}")
            time.sleep(PAUSE_AFTER_FAULT)

    def _begin(self) -> None:
        self._open_first()
        left = left_behind(self.shelf)
        if left is not None:
            offer = OfferInfo("Open it", "open", {"source": str(left.path), "kind": "project"})
            self.notice(
                "info", f"The studio had ended unexpectedly. What was not saved is still there: {left.text}.", offer
            )

    def _open_first(self) -> None:
        for source in dict.fromkeys((self.source, "")):
            try:
                self.put_on_desk(open_source(self, source, self.settings if source else None))
                return
            except Exception as error:
                if not isinstance(error, StringlessError):
                    log.exception("cannot open '%s'", source)
                self.notice("error", f"'{source}' cannot be opened: {error}")

    def _end(self) -> None:
        self.shelf.forget_exports(self.name)
        self.shelf.forget_sent()
        try:
            self.publisher.close()
            self.close_desk()
        except Exception:
            log.exception("the project could not be closed")
        finally:
            self._ended.set()

    def _turn(self) -> None:
        """Once around: hear, let time pass, show."""
        desk = self.desk
        moving = desk is not None and (
            desk.player.mode != "paused"
            or desk.bench.moving
            or (desk.posing is not None and (desk.posing.held or desk.posing.busy))
        )
        due = min(self._next_frame, self._next_status) if moving or self._unseen else self._next_status
        letters = self.mailbox.take(due, moves_too=not moving)
        self._unseen = desk is not None and (self._unseen or bool(letters))
        for letter in letters:
            self.guarded(lambda letter=letter: self._ear.hear(letter))
            if self._stopping:
                return
        if self.desk is not None:
            self._go_on(self.desk)
        now = time.perf_counter()
        if now >= self._next_status:
            self._next_status = now + STATUS_EVERY
            self.say_status()

    def _go_on(self, desk: Desk) -> None:
        now = time.perf_counter()
        for letter, refused in desk.hands.carry_out():
            if refused:
                self.outlet.say(letter.page, Refusal(None, refused))
            else:
                self.publisher.heard(letter)
        desk.look_from(self.pages.view)
        troubled = desk.player.trouble
        if now >= self._next_frame or desk.player.mode == "paused":
            desk.tick()
        if desk.player.trouble and desk.player.trouble != troubled:
            desk.hands.drop()
        if now >= self._next_frame:
            self._next_frame = max(self._next_frame + 1 / FRAMES_PER_SECOND, now)
            self._unseen = False
            self.tell_standing()
            self._show(desk)
        self.room.turn(desk)
        if now >= self._next_document:
            self._next_document = now + DOCUMENT_EVERY
            self.tell_changes()

    def _show(self, desk: Desk) -> None:
        self.teller.tell_scene(desk)
        if self.pages.all:
            self.publisher.frame(desk)
            self.publisher.ghosts(desk)
        if any(page.wishes.cost for page in self.pages.all):
            desk.gauge.look(desk.project.sim, desk.kernels)

    # --- what others ask for ---

    def answer(self, page: int, do: Do) -> None:
        """Carry out what has waited, and answer it."""
        self._ear.carry_out(page, do)

    def require_director(self, page: int) -> None:
        """Refuse unless this page directs."""
        if self.pages.director != page:
            raise StringlessError("another page directs, and this one only watches; take over with 'direct' first")

    def opened(self) -> Desk:
        """What is on the desk, or a refusal."""
        if self.desk is None:
            raise StringlessError("nothing is open yet; open a scene or a project first")
        return self.desk

    def say_status(self) -> None:
        """Say how it stands to every page."""
        desk, jobs = self.desk, self.jobs
        self._stood = None if desk is None else standing(desk)
        now = empty_status(self.pages, jobs, self.preparing)
        self._announcer.say(now if desk is None else describe_status(desk, self.publisher, self.pages, jobs))

    def tell_standing(self) -> None:
        """Say at once if it stands otherwise than was said: a page must neither offer nor do what fits a moment ago."""
        if self.desk is not None and standing(self.desk) != self._stood:
            self.say_status()

    def tell_changes(self) -> None:
        """Say what has changed of what is open."""
        if self.desk is not None:
            self.teller.tell_changes(self.desk)

    def notice(self, level: Any, text: str, offer: OfferInfo | None = None) -> None:
        """Something that people should read, and what can be done about it."""
        self.teller.notice(level, text, offer)

    # --- what is open ---

    def put_on_desk(self, desk: Desk) -> None:
        """Open something else instead of what is open, which is closed."""
        self.close_desk()
        self.desk = desk
        self.teller.open(desk)
        self.room.opened(desk)
        self._next_frame = 0.0
        self.say_status()

    def close_desk(self) -> None:
        """Close what is open; a project without a name that nobody has changed is not kept."""
        desk, self.desk = self.desk, None
        if desk is None:
            return
        path, keep = desk.project.path, desk.changed or not desk.unsaved
        desk.close()
        if not keep and path is not None:
            self.shelf.discard(path)

    @property
    def next_epoch(self) -> int:
        """A number that no scene had before."""
        return self.teller.next_epoch


def sentence(text: str) -> str:
    """A text of ours as people read it alone."""
    return f"{text[:1].upper()}{text[1:]}"
