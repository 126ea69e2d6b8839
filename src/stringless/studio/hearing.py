"""Hearing: what each kind of message does. Whatever goes wrong is answered, and ends nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from stringless.engines.adaptive.view import View
from stringless.errors import StringlessError
from stringless.studio.actions import ACTIONS
from stringless.studio.commanding import run_command
from stringless.studio.editing.room import LATER, NAMES
from stringless.studio.mailbox import Letter
from stringless.studio.messages import Answer, Do, Grab, Hello, Look, Move, Notice, Refusal, Release, Seek, Wishes

if TYPE_CHECKING:
    from stringless.studio.session import Session

log = logging.getLogger(__name__)


class Ear:
    """Does what letters say."""

    def __init__(self, session: Session) -> None:
        """Listen for a session."""
        self.session, self.outlet = session, session.outlet

    def hear(self, letter: Letter) -> None:
        """Do what a letter says. None is a page that has gone, and a function something that our own threads want."""
        page, message = letter.page, letter.message
        if message is None:
            self._bid_farewell(page)
        elif callable(message):
            message()
        elif isinstance(message, Hello):
            self._greet(page)
        elif isinstance(message, Wishes):
            self._wish(page, message)
        elif isinstance(message, Do):
            self.carry_out(page, message)
        elif isinstance(message, Grab):
            self._answer(page, message.id, lambda: self._grab(page, message))
        elif isinstance(message, Release):
            self._answer(page, message.id, lambda: self._release(page, message))
        elif isinstance(message, Move):
            self._move(letter)
        elif isinstance(message, Seek):
            self._seek(letter)
        elif isinstance(message, Look):
            self._look(letter.page, message)

    # --- questions ---

    def carry_out(self, page: int, do: Do) -> None:
        """Do what is asked for, and answer."""
        self._answer(page, do.id, lambda: self._do(page, do))

    def _answer(self, page: int, number: int, what: Callable[[], Any]) -> None:
        session = self.session
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
            session.guarded(session.tell_changes)
            session.guarded(session.tell_standing)
        if result is not LATER:
            self.outlet.say(page, Answer(number, result))

    def _do(self, page: int, do: Do) -> Any:
        session, action = self.session, ACTIONS.get(do.command)
        if action is None or not action.for_all:
            session.require_director(page)
        if do.command in NAMES:
            return session.room.do(page, do, session.opened())
        if action is None:
            return run_command(session.opened(), do.command, do.arguments)
        result = action.run(session, page, **action.bound(do.arguments))
        if not action.for_all or do.command == "direct":
            session.say_status()
        return result

    def _grab(self, page: int, grab: Grab) -> int | None:
        self.session.require_director(page)
        desk = self.session.opened()
        if grab.kind == "edit":
            if not self.session.room.warming.ready:
                raise StringlessError("the motion editor is still being prepared; try again in a moment")
            desk.bench.sync()
            desk.bench.grab(page, grab)
            return None
        if desk.posing is not None:
            desk.posing.grab(page, grab)
            return None
        return desk.hands.grab(page, grab)

    def _release(self, page: int, release: Release) -> None:
        self.session.require_director(page)
        desk = self.session.opened()
        if desk.bench.holds(page, release.pointer):
            desk.bench.release(page, release.pointer)
            return
        if desk.posing is None:
            desk.hands.release(page, release.pointer, release.keep)
            return
        desk.posing.finish()  # a quick hand is where it let go before the pose has been found
        desk.posing.release(page, release.pointer)
        if desk.auto_key and desk.posing.moved and not desk.posing.held:
            desk.keep_key()

    # --- what only the newest counts of ---

    def _move(self, letter: Letter) -> None:
        desk = self.session.desk
        if desk is None or self.session.pages.director != letter.page:
            return
        if desk.posing is None and not desk.bench.held:
            desk.hands.move(letter)
            return
        try:
            hands = desk.bench if desk.posing is None else desk.posing
            if hands.move(letter.page, letter.message):
                self.session.publisher.heard(letter)
        except StringlessError as error:
            self.outlet.say(letter.page, Refusal(None, str(error)))

    def _seek(self, letter: Letter) -> None:
        session, seek = self.session, letter.message
        try:
            session.require_director(letter.page)
            desk = session.opened()
            desk.hands.drop()
            desk.player.seek(seek.time, seek.lane)
        except StringlessError as error:
            self.outlet.say(letter.page, Refusal(None, str(error)))
        else:
            session.publisher.heard(letter)

    def _look(self, page: int, look: Look) -> None:
        known = self.session.pages.get(page)
        try:
            view = View(look.eye, look.target, look.up, look.fov, look.height, look.aspect)
        except StringlessError as error:
            self.outlet.say(page, Refusal(None, str(error)))
            return
        if known is not None:
            known.view = view

    # --- pages come and go ---

    def _greet(self, page: int) -> None:
        known = self.session.pages.get(page)
        if known is not None:  # else it has gone already
            self.session.teller.greet(known, self.session.desk)
            self.session.room.greet(page)
            self.session.say_status()

    def _bid_farewell(self, page: int) -> None:
        session, desk = self.session, self.session.desk
        session.publisher.forget_page(page)
        if desk is not None:
            desk.let_go(page)
            if not session.pages.all and desk.player.mode != "paused":
                desk.player.pause()  # nobody would see it
        session.say_status()

    def hand_over(self) -> None:
        """The page that directed has gone: whoever directs now finds that nothing moves, and is told so."""
        session, desk, director = self.session, self.session.desk, self.session.pages.director
        if director is None:
            return
        stopped = desk is not None and desk.player.mode == "live"
        if desk is not None and stopped:
            desk.player.pause()
        text = "You direct now; time was stopped." if stopped else "You direct now."
        self.outlet.say(director, Notice("info", text))
        session.say_status()

    def _wish(self, page: int, wishes: Wishes) -> None:
        known = self.session.pages.get(page)
        if known is not None:
            self.session.publisher.hear_wishes(self.session.desk, known, wishes)
