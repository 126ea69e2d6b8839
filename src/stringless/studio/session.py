"""The session: the thread that owns the project, listens to the pages and shows them what happens.

Nobody else touches the project. What pages say comes in through a mailbox, what they shall see goes out through an
`Outlet`; neither is ever waited for.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

import stringless
from stringless.errors import StringlessError
from stringless.project.commands import COMMANDS
from stringless.studio import actions
from stringless.studio.actions import ACTIONS
from stringless.studio.actions.opening import open_source
from stringless.studio.announcing import Announcer
from stringless.studio.commanding import run_command
from stringless.studio.describe import describe_scene
from stringless.studio.desk import Desk
from stringless.studio.document import describe_document
from stringless.studio.files import Folders
from stringless.studio.jobs import Jobs
from stringless.studio.logbook import Logbook
from stringless.studio.mailbox import Letter, Mailbox
from stringless.studio.messages import (
    VERSION,
    Answer,
    CommandInfo,
    Do,
    Document,
    FromPage,
    Grab,
    Hello,
    Log,
    Message,
    Move,
    Notice,
    Preparation,
    Refusal,
    Release,
    Scene,
    Seek,
    Status,
    Welcome,
    Wishes,
)
from stringless.studio.outlet import Outlet
from stringless.studio.pages import Page, Pages
from stringless.studio.publishing import FRAMES_PER_SECOND, Publisher
from stringless.studio.shelf import Shelf
from stringless.studio.standing import describe_status, empty_status

log = logging.getLogger(__name__)
STATUS_EVERY = 1 / 8
DOCUMENT_EVERY = 1 / 8
"""How often to look whether the document has changed by itself [s]."""
PAUSE_AFTER_FAULT = 0.1
"""So that a fault that comes again and again does not take all the time there is [s]."""
FIRST = "worm"
"""What is opened if nothing else can be."""


class Session:
    """Owns what is open, in a thread of its own."""

    def __init__(
        self, outlet: Outlet, *, source: str = FIRST, folders: Sequence[Path] = (), home: Path | None = None
    ) -> None:
        """Open `source` when started: a scene by name, a file or a project.

        Args:
            outlet: brings things to the pages.
            source: what to begin with.
            folders: whose files pages may open and write.
            home: where projects without a name are kept; the user's data folder if not given.
        """
        self.outlet = outlet
        self.source = source
        self.shelf = Shelf(home)
        self.folders = Folders(list(folders) or [self.shelf.projects])
        self.reachable = Folders([*self.folders.all, self.shelf.home])
        """Where pages may open and write files: in the folders that were chosen, and in our own."""
        self.pages = Pages()
        self.jobs = Jobs()
        self.publisher = Publisher(outlet, self.pages)
        self.desk: Desk | None = None
        self.busy = ""
        """What the thread does just now that may take a while."""
        self.name = secrets.token_hex(8)
        self.mailbox = Mailbox()
        self._logbook: Logbook | None = None
        self._scene: Scene | None = None
        self._document: Document | None = None
        self._revision = 0
        self._seen: Any = None
        self._notices: list[Notice] = []  # for whoever comes first
        self._next_frame = self._next_status = self._next_document = 0.0
        self._ended = threading.Event()
        self._stopping = False
        self._announcer = Announcer(self)
        self._thread = threading.Thread(target=self._work, name="session", daemon=True)

    # --- from any thread ---

    def start(self) -> None:
        """Begin; comes back at once."""
        self._announcer.start()
        self._thread.start()

    def stop(self, timeout: float = 1.5) -> bool:
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
        self.pages.add(Page(page, hello.name, hello.watch))
        self.outlet.say(page, self._welcome(page))
        self._announcer.say_now(page)
        self.mailbox.put(page, hello)

    def left(self, page: int) -> None:
        """A page has gone."""
        self.pages.remove(page)
        self.mailbox.put(page, None)

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
        if self.busy:
            return Preparation(self.busy, 0, 0)
        return self.desk.kernels.preparing if self.desk is not None else None

    def _welcome(self, page: int) -> Welcome:
        known: dict[str, Any] = COMMANDS | ACTIONS
        infos = [CommandInfo(name, known[name].summary, known[name].signature) for name in sorted(known)]
        return Welcome(VERSION, stringless.__version__, page, self.name, infos, actions.exporting.FORMATS)

    # --- the thread ---

    def _work(self) -> None:
        try:
            self._begin()
            while not self._stopping:
                self._guarded(self._turn)
        finally:
            self._end()

    def _guarded(self, what: Callable[[], None]) -> None:
        try:
            what()
        except Exception as error:
            log.exception("something unexpected happened in the session")
            self.notice("error", f"Something unexpected happened: {type(error).__name__}: {error}")
            time.sleep(PAUSE_AFTER_FAULT)

    def _begin(self) -> None:
        for source in dict.fromkeys((self.source, FIRST)):
            try:
                self.put_on_desk(open_source(self, source))
                return
            except Exception as error:
                if not isinstance(error, StringlessError):
                    log.exception("cannot open '%s'", source)
                self.notice("error", f"'{source}' cannot be opened: {error}")

    def _end(self) -> None:
        self.shelf.forget_exports(self.name)
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
            desk.player.mode != "paused" or (desk.posing is not None and (desk.posing.held or desk.posing.busy))
        )
        due = min(self._next_frame, self._next_status) if moving else self._next_status
        for letter in self.mailbox.take(due, moves_too=not moving):
            self._guarded(lambda letter=letter: self._handle(letter))
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
        troubled = desk.player.trouble
        if now >= self._next_frame or desk.player.mode == "paused":
            desk.tick()
        if desk.player.trouble and desk.player.trouble != troubled:
            desk.hands.drop()
            self.notice("error", desk.player.trouble)
        if now >= self._next_frame:
            self._next_frame = max(self._next_frame + 1 / FRAMES_PER_SECOND, now)
            self._show(desk)
        if now >= self._next_document:
            self._next_document = now + DOCUMENT_EVERY
            self.tell_changes()

    def _show(self, desk: Desk) -> None:
        if desk.notice_scene():
            self._tell_scene(desk)
        if self.pages.all:
            self.publisher.frame(desk)
            self.publisher.ghosts(desk)

    # --- hearing ---

    def _handle(self, letter: Letter) -> None:
        page, message = letter.page, letter.message
        if message is None:
            self._bid_farewell(page)
        elif isinstance(message, Hello):
            self._greet(page)
        elif isinstance(message, Wishes):
            self._hear_wishes(page, message)
        elif callable(message):
            message()
        elif isinstance(message, Do):
            self._answer(page, message.id, lambda: self._do(page, message))
        elif isinstance(message, Grab):
            self._answer(page, message.id, lambda: self._grab(page, message))
        elif isinstance(message, Release):
            self._answer(page, message.id, lambda: self._release(page, message))
        elif isinstance(message, Move):
            self._move(letter)
        elif isinstance(message, Seek):
            self._seek(letter)

    def _answer(self, page: int, number: int, what: Callable[[], Any]) -> None:
        try:
            result = what()
        except StringlessError as error:
            self.outlet.say(page, Refusal(number, str(error)))
            return
        except Exception as error:
            log.exception("a request of page %s failed", page)
            self.outlet.say(page, Refusal(number, f"this did not work: {type(error).__name__}: {error}"))
            return
        finally:
            self._guarded(self.tell_changes)
        self.outlet.say(page, Answer(number, result))

    def require_director(self, page: int) -> None:
        """Refuse unless this page directs."""
        if self.pages.director != page:
            raise StringlessError("another page directs, and this one only watches; take over with 'direct' first")

    def opened(self) -> Desk:
        """What is on the desk, or a refusal."""
        if self.desk is None:
            raise StringlessError("nothing is open yet; open a scene or a project first")
        return self.desk

    def _do(self, page: int, do: Do) -> Any:
        action = ACTIONS.get(do.command)
        if action is None or not action.for_all:
            self.require_director(page)
        if action is None:
            return run_command(self.opened(), do.command, do.arguments)
        result = action.run(self, page, **action.bound(do.arguments))
        if not action.for_all or do.command == "direct":
            self.say_status()
        return result

    def _grab(self, page: int, grab: Grab) -> int | None:
        self.require_director(page)
        desk = self.opened()
        if desk.posing is not None:
            desk.posing.grab(page, grab)
            return None
        return desk.hands.grab(page, grab)

    def _release(self, page: int, release: Release) -> None:
        self.require_director(page)
        desk = self.opened()
        if desk.posing is None:
            desk.hands.release(page, release.pointer, release.keep)
            return
        if desk.auto_key:
            desk.posing.finish()
        desk.posing.release(page, release.pointer)
        if desk.auto_key and desk.posing.moved and not desk.posing.held:
            desk.keep_key()

    def _move(self, letter: Letter) -> None:
        desk = self.desk
        if desk is None or self.pages.director != letter.page:
            return
        if desk.posing is None:
            desk.hands.move(letter)
            return
        try:
            if desk.posing.move(letter.page, letter.message):
                self.publisher.heard(letter)
        except StringlessError as error:
            self.outlet.say(letter.page, Refusal(None, str(error)))

    def _seek(self, letter: Letter) -> None:
        seek: Seek = letter.message
        try:
            self.require_director(letter.page)
            desk = self.opened()
            desk.hands.drop()
            desk.player.seek(seek.time, seek.lane)
        except StringlessError as error:
            self.outlet.say(letter.page, Refusal(None, str(error)))
        else:
            self.publisher.heard(letter)

    # --- pages come and go ---

    def _greet(self, page: int) -> None:
        known = self.pages.get(page)
        if known is None:  # gone already
            return
        known.greeted = True
        for message in self._notices:
            self.outlet.say(page, message)
        self._notices.clear()
        if self.desk is not None:
            for message in (self._scene, self._document):
                if message is not None:
                    self.outlet.say(page, message)
            if self._logbook is not None:
                self.outlet.say(page, Log(list(self._logbook.lines), reset=True))
            self.publisher.forget_page(page)
            self.publisher.frame(self.desk, again=True)
        self.say_status()

    def _bid_farewell(self, page: int) -> None:
        self.publisher.forget_page(page)
        desk = self.desk
        if desk is not None:
            desk.let_go(page)
            if not self.pages.all and desk.player.mode != "paused":
                desk.player.pause()  # nobody would see it
        self.say_status()

    def _hear_wishes(self, page: int, wishes: Wishes) -> None:
        known = self.pages.get(page)
        if known is not None:
            self.publisher.hear_wishes(self.desk, known, wishes)

    # --- saying ---

    def notice(self, level: Any, text: str) -> None:
        """Something that people should read, now or when they come."""
        message = Notice(level, text)
        if any(page.greeted for page in self.pages.all):
            self.say_all(message)
        else:
            self._notices = [*self._notices[-9:], message]

    def say_all(self, message: Message) -> None:
        """Say something to every page that knows what is open; the others will be told the whole."""
        pages = self.pages.all
        if all(page.greeted for page in pages):
            self.outlet.say(None, message)
            return
        for page in pages:
            if page.greeted:
                self.outlet.say(page.number, message)

    def say_status(self) -> None:
        """Say how it stands to every page."""
        self._announcer.say(self._status())

    def _status(self) -> Status:
        if self.desk is None:
            return empty_status(self.pages, self.jobs, self.preparing)
        return describe_status(self.desk, self.publisher, self.pages, self.jobs)

    def tell_changes(self) -> None:
        """Say what has changed: the scene, the document, the log."""
        desk = self.desk
        if desk is None:
            return
        if desk.notice_scene():
            self._tell_scene(desk)
        project, sim = desk.project, desk.project.sim
        seen = (
            desk.epoch, project.store.journal_length, project.history.done[-1:], desk.player.lane, desk.player.mode,
            id(sim.config), id(sim.flesh), desk.hands.goals, len(project.take.lanes), desk.unsaved,
        )  # fmt: skip
        if seen == self._seen:
            return
        self._seen = seen
        document = describe_document(desk, self._revision)
        if self._document is None or _settled(document, desk) != _settled(self._document, desk):
            self._revision += 1
            self._document = msgspec.structs.replace(document, revision=self._revision)
            self.say_all(self._document)
        assert self._logbook is not None
        lines = self._logbook.news(resting=desk.player.mode != "live")
        if lines:
            self.say_all(Log(lines))

    def _tell_scene(self, desk: Desk) -> None:
        self._scene = describe_scene(desk.scene, desk.epoch)
        self.say_all(self._scene)
        self.publisher.reset()

    # --- what is open ---

    def put_on_desk(self, desk: Desk) -> None:
        """Open something else instead of what is open, which is closed."""
        self.close_desk()
        self.desk = desk
        self._logbook = Logbook(desk.project)
        self._document = self._seen = None
        self._tell_scene(desk)
        self.tell_changes()
        self.say_all(Log(list(self._logbook.lines), reset=True))
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
        return 1 if self._scene is None else self._scene.epoch + 1


def _settled(document: Document, desk: Desk) -> Document:
    """A document without what changes all the time: its own number, and where a lane ends that is being recorded."""
    if desk.player.mode != "live":
        return msgspec.structs.replace(document, revision=0)
    growing = desk.project.take.current
    lanes = [msgspec.structs.replace(lane, end=0.0) if lane.id == growing else lane for lane in document.lanes]
    return msgspec.structs.replace(document, revision=0, lanes=lanes)
