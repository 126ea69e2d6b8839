"""The dispatcher: carries out the messages of pages. Whatever goes wrong is answered, and ends nothing."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from stringless.engines.adaptive.view import View
from stringless.errors import InputError, StringlessError
from stringless.project.commands import COMMANDS
from stringless.studio.actions import ACTIONS
from stringless.studio.editing.controller import LATER, NAMES
from stringless.studio.message_queue import QueuedMessage
from stringless.studio.messages import Answer, Do, Grab, Hello, Look, Move, Notice, Refusal, Release, Seek, Wishes

if TYPE_CHECKING:
    from stringless.studio.session import Session

log = logging.getLogger(__name__)


class Dispatcher:
    """Carries out messages for a session."""

    def __init__(self, session: Session) -> None:
        self.session, self.outlet = session, session.outlet

    def handle(self, message: QueuedMessage) -> None:
        """Carry out a message. None is a page that has gone, a function something that our own threads want."""
        page, content = message.page, message.content
        match content:
            case None:
                self._remove_page(page)
            case Hello():
                self._greet(page)
            case Do():
                self.run(page, content)
            case Grab():
                self._answer(page, content.id, lambda: self._grab(page, content))
            case Release():
                self._answer(page, content.id, lambda: self._release(page, content))
            case Move() | Seek() | Look() | Wishes():
                try:
                    self._update(message)
                except StringlessError as error:
                    self.outlet.send(page, Refusal(None, str(error)))
            case _:
                content()

    # --- requests ---

    def run(self, page: int, do: Do) -> None:
        """Carry out a command or an action, and answer."""
        self._answer(page, do.id, lambda: self._run(page, do))

    def _answer(self, page: int, number: int, carry_out: Callable[[], Any]) -> None:
        session = self.session
        try:
            result = carry_out()
        except StringlessError as error:
            self.outlet.send(page, Refusal(number, str(error)))
            return
        except Exception as error:
            log.exception("a request of page %s failed", page)
            self.outlet.send(page, Refusal(number, f"this did not work: {type(error).__name__}: {error}"))
            return
        finally:
            session.guard(session.notifier.send_changes)
            session.guard(session.notifier.send_status_if_changed)
        if result is not LATER:
            self.outlet.send(page, Answer(number, result))

    def _run(self, page: int, do: Do) -> Any:
        session, action = self.session, ACTIONS.get(do.command)
        if action is None or not action.for_all:
            session.require_director(page)
        if action is not None:
            result = action.carry_out(session, page, do.arguments)
            if not action.for_all or do.command == "direct":
                session.notifier.send_status()
            return result
        state = session.require_state()
        if do.command not in COMMANDS:
            near = difflib.get_close_matches(do.command, [*COMMANDS, *ACTIONS], n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            raise InputError(f"there is nothing called '{do.command}' that could be done.{hint}")
        if do.command in NAMES:
            return session.editing.run(page, do, state)
        return state.run_command(do.command, do.arguments)

    def _grab(self, page: int, grab: Grab) -> int | None:
        session = self.session
        session.require_director(page)
        state = session.require_state()
        if grab.kind == "edit":
            if not session.editing.kernels.is_ready:
                raise StringlessError("the motion editor is still being prepared; try again in a moment")
            state.workspace.update()
            return state.workspace.grab(page, grab)
        return (state.pose or state.hands).grab(page, grab)

    def _release(self, page: int, release: Release) -> None:
        self.session.require_director(page)
        state = self.session.require_state()
        if state.workspace.holds(page, release.pointer):
            state.workspace.release(page, release.pointer)
        elif state.pose is None:
            state.hands.release(page, release.pointer, release.keep)
        else:
            state.pose.finish()  # a quick hand is where it let go before the pose has been found
            state.pose.release(page, release.pointer)
            if state.auto_key and state.pose.is_changed and not state.pose.is_held:
                state.keep_key()

    # --- messages without an answer ---

    def _update(self, message: QueuedMessage) -> None:
        session, state, content = self.session, self.session.state, message.content
        page = session.pages.get(message.page)
        if isinstance(content, Move):
            self._move(message)
        elif isinstance(content, Seek):
            session.require_director(message.page)
            state = session.require_state()
            state.hands.release_all()
            state.player.seek(content.time, content.lane)
            session.frames.note_input(message)
        elif isinstance(content, Look):
            view = View(*msgspec.structs.astuple(content))
            if page is not None:
                page.view = view
        elif page is not None:
            session.ghosts.set_wishes(state, page, content)

    def _move(self, message: QueuedMessage) -> None:
        state = self.session.state
        if state is None or self.session.pages.director != message.page:
            return
        if state.pose is None and not state.workspace.is_held:
            state.hands.queue_move(message)
            return
        hands = state.workspace if state.pose is None else state.pose
        if hands.move(message.page, message.content):
            self.session.frames.note_input(message)

    # --- pages come and go ---

    def _greet(self, page: int) -> None:
        session, known = self.session, self.session.pages.get(page)
        if known is not None:  # else it has gone already
            session.notifier.greet(known)
            session.editing.greet(page)
            session.notifier.send_status()

    def _remove_page(self, page: int) -> None:
        session, state = self.session, self.session.state
        session.ghosts.forget_page(page)
        if state is not None:
            state.release_page(page)
            if not session.pages.all and state.player.mode != "paused":
                state.player.pause()  # no page shows it
        session.notifier.send_status()

    def hand_over(self) -> None:
        """Tell the next director that it directs; time is stopped, because the last one has gone."""
        session, state, director = self.session, self.session.state, self.session.pages.director
        if director is None:
            return
        was_live = state is not None and state.player.mode == "live"
        if state is not None and was_live:
            state.player.pause()
        text = "You have control; playback paused." if was_live else "You have control."
        self.outlet.send(director, Notice("info", text))
        session.notifier.send_status()
