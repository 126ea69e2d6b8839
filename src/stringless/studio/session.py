"""The session: the thread that owns the project, carries out what pages ask for, and sends them what has changed.

Nothing else touches the project. Messages of pages come in through a queue, everything for them goes out through the hub;
neither is ever waited for.
"""

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
from stringless.engines.reduced.kernels_run import run_reduced
from stringless.errors import StringlessError
from stringless.project.commands import COMMANDS
from stringless.studio.actions import ACTIONS
from stringless.studio.actions.sources import open_source
from stringless.studio.builders import copy_fields
from stringless.studio.builders.document import describe_goal_kinds
from stringless.studio.dispatcher import Dispatcher
from stringless.studio.editing.controller import EditController
from stringless.studio.files import Folders, describe_formats
from stringless.studio.hub import Hub
from stringless.studio.jobs import Jobs
from stringless.studio.message_queue import MessageQueue
from stringless.studio.messages import VERSION, CommandInfo, FromPage, Hello, OfferInfo, Preparation, Refusal, Welcome
from stringless.studio.notifier import STATUS_EVERY, Notifier, forward_warnings
from stringless.studio.pages import Page, Pages
from stringless.studio.publisher import FRAMES_PER_SECOND, FramePublisher, GhostPublisher
from stringless.studio.recovery import find_unclosed
from stringless.studio.session_state import SessionState
from stringless.studio.storage import Storage

log = logging.getLogger(__name__)
DOCUMENT_EVERY = 1 / 8
"""How often to look whether the document has changed by itself [s]."""
CLOSED_WITHIN = 5.0
"""What the end of a step and the closing of a file may take on a slow machine [s]; usually it is a tenth of a second."""
PAUSE_AFTER_FAULT = 0.1
"""So that a fault that is repeated does not take all the time there is [s]."""


class Session:
    """Owns what is open, in a thread of its own."""

    def __init__(
        self,
        outlet: Hub,
        *,
        source: str = "",
        folders: Sequence[Path] = (),
        home: Path | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        """Open `source` when started; `outlet` is the way to the pages, all else as for `Studio`."""
        self.outlet = outlet
        self.source, self.settings = source, dict(settings or {})
        self.storage = Storage(home)
        self.folders = Folders(list(folders) or [self.storage.projects])
        self.reachable = Folders([*self.folders.all, self.storage.home])
        """Where pages may open and write files: in the folders that were chosen, and in our own."""
        self.pages = Pages()
        self.jobs = Jobs()
        self.frames, self.ghosts = FramePublisher(outlet, self.pages), GhostPublisher(outlet, self.pages)
        self.state: SessionState | None = None
        self.busy: Preparation | None = None
        """What the thread does now, if that may take a while."""
        self.name = secrets.token_hex(8)
        self.queue = MessageQueue()
        self.notifier = Notifier(self)
        self.editing = EditController(self)
        self.dispatcher = Dispatcher(self)
        self._next_frame = self._next_status = self._next_document = 0.0
        self._has_unshown = False  # whether a message was handled that no frame has shown yet
        self._ended = threading.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._work, name="session", daemon=True)

    # --- from any thread ---

    def start(self) -> None:
        """Begin; returns at once."""
        threading.Thread(target=self.notifier.repeat_status, name="status", daemon=True).start()
        self._thread.start()

    def stop(self, timeout: float = CLOSED_WITHIN) -> bool:
        """Save, close and end; whether all of it was done in time. What was handed to the file is safe in any case."""
        self._stopping = True
        self.jobs.stop()
        self.queue.wake()
        done = self._ended.wait(timeout) if self._thread.ident is not None else True
        self.notifier.stop()
        if not done and self.state is not None:
            self.state.project.store.flush()
        return done

    def add_page(self, page: int, hello: Hello) -> None:
        """A page has connected."""
        known: dict[str, Any] = COMMANDS | ACTIONS
        infos = [copy_fields(CommandInfo, known[name]) for name in sorted(known)]
        formats = describe_formats()
        kept = [suffix[1:] for one in formats if one.written and one.kind == "motion" for suffix in one.suffixes]
        welcome = Welcome(VERSION, stringless.__version__, page, self.name, infos, kept, formats, describe_goal_kinds())
        self.outlet.send(page, welcome)  # before anything else
        self.pages.add(Page(page, hello.name, hello.watch, hello.key))
        self.notifier.send_last_status(page)
        self.queue.put(page, hello)

    def remove_page(self, page: int) -> None:
        """A page has disconnected."""
        taken_over = self.pages.remove(page)
        self.queue.put(page, None)
        if taken_over:
            self.queue.put(0, self.dispatcher.hand_over)

    def receive(self, page: int, message: FromPage) -> None:
        """A page has sent a message."""
        if not self.queue.put(page, message):
            number = getattr(message, "id", None)
            self.outlet.send(page, Refusal(number, "the command queue is full; try again in a moment"))

    def find_download(self, number: int) -> Path | None:
        """The file that a job has made."""
        job = self.jobs.get(number)
        return job.file if job is not None and job.state == "finished" else None

    @property
    def preparing(self) -> Preparation | None:
        """What takes a while now."""
        kernels = None if self.state is None else self.state.kernels.compiler.preparing
        return self.busy or kernels or self.editing.kernels.preparing

    @contextlib.contextmanager
    def show_progress(self, what: str) -> Iterator[None]:
        """Show pages what is done, and if kernels must be compiled for it, also how far that is."""

        def report(name: str, done: int, total: int) -> None:
            self.busy = Preparation(what, done, total)

        report("", 0, 0)
        try:
            with jit.compiling(report, run_reduced):
                yield
        finally:
            self.busy = None

    # --- the thread ---

    def _work(self) -> None:
        with forward_warnings(self._show_warning):
            try:
                self._begin()
                while not self._stopping:
                    self.guard(self._turn)
            finally:
                self._end()

    def _show_warning(self, text: str) -> None:
        if self.state is None or not self.state.workspace.search.is_iterating:
            self.notifier.notify("warning", f"{text[:1].upper()}{text[1:]}")

    def guard(self, do: Callable[[], None]) -> None:
        """Do something; if it fails, people are told and the thread goes on."""
        try:
            do()
        except Exception as error:
            log.exception("something unexpected happened in the session")
            self.notifier.notify("error", f"Something unexpected happened: {type(error).__name__}: {error}")
            time.sleep(PAUSE_AFTER_FAULT)

    def _begin(self) -> None:
        for source in dict.fromkeys((self.source, "")):
            try:
                self.open_state(open_source(self, source, self.settings if source else None))
                break
            except Exception as error:
                if not isinstance(error, StringlessError):
                    log.exception("cannot open '%s'", source)
                self.notifier.notify("error", f"'{source}' cannot be opened: {error}")
        left = find_unclosed(self.storage)
        if left is not None:
            path, text = left
            offer = OfferInfo("Open it", "open", {"source": str(path), "kind": "project"})
            text = f"The studio had ended unexpectedly. What was not saved is still there: {text}."
            self.notifier.notify("info", text, offer)

    def _end(self) -> None:
        self.storage.remove_temporary(self.name)
        try:
            self.ghosts.close()
            self.close_state()
        except Exception:
            log.exception("the project could not be closed")
        finally:
            self._ended.set()

    def _turn(self) -> None:
        """One turn of the loop: carry out messages, let time pass, send what has changed."""
        state = self.state
        moving = state is not None and (
            state.player.mode != "paused"
            or state.workspace.is_busy
            or (state.pose is not None and (state.pose.is_held or state.pose.is_busy))
        )
        due = min(self._next_frame, self._next_status) if moving or self._has_unshown else self._next_status
        messages = self.queue.take(due, moves_too=not moving)
        self._has_unshown = state is not None and (self._has_unshown or bool(messages))
        for message in messages:
            self.guard(lambda message=message: self.dispatcher.handle(message))
            if self._stopping:
                return
        if self.state is not None:
            self._advance(self.state)
        now = time.perf_counter()
        if now >= self._next_status:
            self._next_status = now + STATUS_EVERY
            self.notifier.send_status()

    def _advance(self, state: SessionState) -> None:
        now = time.perf_counter()
        for message, error in state.hands.apply_moves():
            if error:
                self.outlet.send(message.page, Refusal(None, error))
            else:
                self.frames.note_input(message)
        state.set_view(self.pages.view)
        trouble = state.player.trouble
        if now >= self._next_frame or state.player.mode == "paused":
            state.tick()
        if state.player.trouble and state.player.trouble != trouble:
            state.hands.release_all()
        if now >= self._next_frame:
            self._next_frame = max(self._next_frame + 1 / FRAMES_PER_SECOND, now)
            self._has_unshown = False
            self.notifier.send_status_if_changed()
            self._show(state)
        self.editing.tick(state)
        if now >= self._next_document:
            self._next_document = now + DOCUMENT_EVERY
            self.notifier.send_changes()

    def _show(self, state: SessionState) -> None:
        self.notifier.send_scene(state)
        if self.pages.all:
            self.frames.send_frame(state)
            self.ghosts.send_ghosts(state)
        if any(page.wishes.cost for page in self.pages.all):
            state.step_cost.update(state.project.sim, state.kernels)

    # --- for actions ---

    def require_director(self, page: int) -> None:
        """Refuse unless this page directs."""
        if self.pages.director != page:
            raise StringlessError("another page directs, and this one only watches; take over with 'direct' first")

    def require_state(self) -> SessionState:
        """What is open, or a refusal."""
        if self.state is None:
            raise StringlessError("nothing is open yet; open a scene or a project first")
        return self.state

    def open_state(self, state: SessionState) -> None:
        """Open something else instead of what is open, which is closed."""
        self.close_state()
        self.state = state
        self.notifier.open(state)
        self.editing.open(state)
        self._next_frame = 0.0
        self.notifier.send_status()

    def close_state(self) -> None:
        """Close what is open; an unsaved project without changes is not kept."""
        state, self.state = self.state, None
        if state is None:
            return
        path, keep = state.project.path, state.is_changed or not state.unsaved
        state.close()
        if not keep and path is not None:
            self.storage.discard(path)
