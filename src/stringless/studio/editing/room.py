"""The editor's room in a session: what waits for its kernels, when the motion is searched for, and what pages hear of it."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from stringless.errors import StringlessError
from stringless.project.commands import COMMANDS, editing
from stringless.project.commands.editing.starting import jump_at_start
from stringless.studio.commanding import run_command
from stringless.studio.desk import Desk
from stringless.studio.editing.bench import Cut
from stringless.studio.editing.searching import LONGEST
from stringless.studio.editing.view import closed, describe_edit
from stringless.studio.editing.warming import Warming
from stringless.studio.messages import Answer, Do, Edit, Refusal

if TYPE_CHECKING:
    from stringless.studio.session import Session

EVERY = 1 / 30
"""How often pages are told at most [s]."""
SHARE = 2.0
"""At least so many times what telling takes passes before it is done again."""
LATER = object()
"""In the place of an answer that comes when it is known."""
NAMES = tuple(name for name, spec in COMMANDS.items() if spec.run.__module__.startswith(f"{editing.__name__}."))
"""Commands of the editor."""
OPENING = ("edit_open", "edit_start", "edit_study")
AFRESH = ("edit_solve", "edit_retime", "edit_drag", "edit_close")
"""Commands after which a search does not go on that they came into the middle of: they begin another, or there is nothing."""
SEARCH = -1
"""In the place of a page: a search holds a gesture open until it has ended."""

ELSEWHERE = (
    "The kept motion begins in another pose than the take has at {time:.2f} s: whoever plays on from the take sees that {what}. "
    "If it should not, undo, keep the start and edit again."
)


class Room:
    """What a session knows of the editor."""

    def __init__(self, session: Session) -> None:
        """Nobody edits yet."""
        self.session = session
        self.warming = Warming()
        self._waiting: list[tuple[int, Do, Desk]] = []
        self._told: Edit | None = None
        self._next = 0.0
        self._revision = 0

    # --- what pages ask for ---

    def do(self, page: int, do: Do, desk: Desk) -> Any:
        """Carry out a command of the editor; `LATER` if it has to wait for kernels, or for a search."""
        if not self.warming.ready:
            self.prepare(desk)
            self._waiting.append((page, do, desk))
            return LATER
        arguments = COMMANDS[do.command].bound(do.arguments)
        if do.command == "edit_keep" and desk.bench.busy and not desk.bench.held:
            self._waiting.append((page, do, desk))  # until the search has ended
            return LATER
        cut = desk.bench.finish()
        if cut is not None and do.command not in (*OPENING, *AFRESH):
            return self._do_meanwhile(do, desk, arguments, cut)
        if do.command in OPENING and desk.player.mode == "live":
            desk.player.pause()
        if do.command == "edit_solve" and arguments.get("found") is None:
            return self._search(page, do, desk, arguments)
        if do.command == "edit_retime" and arguments.get("solve", True):
            desk.hands.begin_gesture(SEARCH, COMMANDS[do.command].label({}))
            try:
                run_command(desk, do.command, {**arguments, "solve": False})
            except BaseException:
                desk.hands.end_gesture(SEARCH)
                raise
            return self._search(page, do, desk, {}, LONGEST)
        if do.command == "edit_open":
            arguments = {"lane": desk.player.lane, **arguments}
        jump = _jump(desk) if do.command == "edit_keep" else ""
        result = run_command(desk, do.command, arguments)
        if do.command == "edit_keep":
            if jump:
                self.session.notice("info", jump)
            desk.player.seek(desk.project.take.branch(result).begin, result)
        if do.command == "edit_open" and result:
            desk.player.present()  # it may be of another scene
            self.session.notice("info", result)
        return result

    def _search(self, page: int, do: Do, desk: Desk, arguments: dict[str, Any], longest: float = math.inf) -> Any:
        """Begin to look for a motion; the answer comes when it was found."""

        def found(result: dict[str, Any]) -> None:
            if do.command == "edit_retime":
                desk.hands.end_gesture(SEARCH)
            self.session.outlet.say(page, Answer(do.id, result))

        desk.bench.sync()
        desk.bench.solve(arguments, found, longest)
        self._tell(desk)  # a try may take a while, and pages should see at once that one is made
        return LATER

    def _do_meanwhile(self, do: Do, desk: Desk, arguments: dict[str, Any], cut: Cut) -> Any:
        """Carry out a command in the middle of a search, which goes on with what is wanted since: one step of undo."""
        desk.hands.begin_gesture(SEARCH, COMMANDS[do.command].label(arguments))
        try:
            return run_command(desk, do.command, arguments)
        finally:
            desk.bench.resume(cut, lambda _: desk.hands.end_gesture(SEARCH))

    def prepare(self, desk: Desk) -> None:
        """Compile what the editor needs."""
        self.warming.begin(desk.kernels)

    def opened(self, desk: Desk) -> None:
        """Something was put on the desk: a scene that carries a motion to edit is opened in the editor at once."""
        project = desk.project
        if project.edits.data is not None:
            self.prepare(desk)
        elif project.scene().study is not None and not project.history.done and not project.take.branches:
            self.prepare(desk)
            self._waiting.append((0, Do(0, "edit_study"), desk))

    # --- once around ---

    def turn(self, desk: Desk) -> None:
        """Search for a while, and tell what has come of it."""
        if desk.project.edits.data is not None and not self.warming.ready:
            self.prepare(desk)
        if self.warming.ready:
            self._take_up()
            self._work(desk)
        now = time.perf_counter()
        if now >= self._next:
            self._tell(desk)
            self._next = now + max(EVERY, SHARE * (time.perf_counter() - now))

    def _take_up(self) -> None:
        """Do what has waited."""
        waiting, self._waiting = self._waiting, []
        for page, do, desk in waiting:
            if desk is not self.session.desk:
                self.session.outlet.say(
                    page, Refusal(do.id, f"'{do.command}' came too late: something else was opened")
                )
            elif page == 0:
                self.session.guarded(lambda do=do, desk=desk: self._do_it(do, desk))
            else:
                self.session.answer(page, do)

    def _do_it(self, do: Do, desk: Desk) -> None:
        try:
            run_command(desk, do.command, do.arguments)
        except StringlessError as error:
            self.session.notice("warning", f"The motion of this scene cannot be edited: {error}")

    def _work(self, desk: Desk) -> None:
        bench = desk.bench
        try:
            bench.sync()
            bench.tick()
        except StringlessError as error:
            self.session.notice("warning", f"The motion cannot be edited: {error}")
        if bench.wrote:
            bench.wrote = False
            self.session.tell_changes()

    def _tell(self, desk: Desk) -> None:
        bench, told = desk.bench, self._told
        stale = told is None or told.epoch != desk.epoch or told.open != bench.is_open
        if not (stale or bench.changed) or not self.session.pages.all:
            return
        self._revision += 1
        make = describe_edit(bench, desk.epoch, self._revision) if bench.is_open else closed(desk.epoch, self._revision)
        self._told = make
        self.session.outlet.newest(None, make)
        bench.changed = False

    def greet(self, page: int) -> None:
        """Tell a page that has come."""
        if self._told is not None:
            self.session.outlet.newest(page, self._told)


def _jump(desk: Desk) -> str:
    """What people should know before they play from the take into the motion that is open; empty if nothing."""
    edits, take = desk.project.edits, desk.project.take
    data = edits.data
    if data is None or data["lane"] is None or data["begin"] <= take.begin(data["lane"]):
        return ""
    what = jump_at_start(edits.editor(), data)
    return ELSEWHERE.format(time=data["begin"], what=what) if what else ""
