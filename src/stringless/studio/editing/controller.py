"""The commands of the editor: what waits for its kernels or for a search, and what pages are told."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from stringless.errors import StringlessError
from stringless.project.commands import COMMANDS, editing
from stringless.project.commands.editing.freedoms import describe_jump
from stringless.studio.builders.edit import build_edit
from stringless.studio.compilation import EditorKernels
from stringless.studio.editing.search import LONGEST
from stringless.studio.editing.workspace import InterruptedSearch
from stringless.studio.messages import Answer, Do, Edit, Refusal
from stringless.studio.session_state import SessionState

if TYPE_CHECKING:
    from stringless.studio.session import Session

EVERY = 1 / 30
"""Shortest time between two messages [s]."""
SHARE = 2.0
"""At least so many times the time that building a message takes passes before the next."""
LATER = object()
"""In place of an answer that is sent when it is known."""
NAMES = tuple(name for name, spec in COMMANDS.items() if spec.run.__module__.startswith(f"{editing.__name__}."))
"""Commands of the editor."""
OPENING = ("edit_open", "edit_start", "edit_study")
FINAL = ("edit_solve", "edit_retime", "edit_drag", "edit_close")
"""Commands that end a search for good: they begin another, or there is nothing to search for."""
SEARCH = -1
"""In place of a page: a search holds a gesture open until it has ended."""

JUMP = (
    "The kept motion begins in another pose than the take has at {time:.2f} s: playing on from the take shows that {what}. "
    "If it should not, undo, keep the start and edit again."
)


class EditController:
    """Runs the commands of the editor for a session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.kernels = EditorKernels()
        self._waiting: list[tuple[int, Do, SessionState]] = []
        self._sent: Edit | None = None
        self._next = 0.0
        self._revision = 0

    # --- what pages ask for ---

    def run(self, page: int, do: Do, state: SessionState) -> Any:
        """Carry out a command of the editor; `LATER` if it has to wait for kernels, or for a search."""
        workspace = state.workspace
        if not self.kernels.is_ready:
            self.prepare(state)
            return self._wait(page, do, state)
        arguments = COMMANDS[do.command].bind(do.arguments)
        if do.command == "edit_keep" and workspace.search.is_running and not workspace.is_held:
            return self._wait(page, do, state)  # until the search has ended
        interrupted = workspace.finish()
        if interrupted is not None and do.command not in (*OPENING, *FINAL):
            return self._run_and_resume(do, state, arguments, interrupted)
        if do.command in OPENING and state.player.mode == "live":
            state.player.pause()
        if do.command == "edit_solve" and arguments.get("found") is None:
            return self._search(page, do, state, arguments)
        if do.command == "edit_retime" and arguments.get("solve", True):
            state.hands.begin_gesture(SEARCH, COMMANDS[do.command].format_label({}))
            try:
                state.run_command(do.command, {**arguments, "solve": False})
            except BaseException:
                state.hands.end_gesture(SEARCH)
                raise
            return self._search(page, do, state, {}, LONGEST)
        if do.command == "edit_keep":
            jump = _describe_jump(state)
            result = state.run_command(do.command, arguments)
            if jump:
                self.session.notifier.notify("info", jump)
            state.player.seek(state.project.take.branch(result).begin, result)
            return result
        if do.command == "edit_open":
            arguments = {"lane": state.player.branch, **arguments}
        result = state.run_command(do.command, arguments)
        if do.command == "edit_open" and result:
            state.player.present()  # it may be of another scene
            self.session.notifier.notify("info", result)
        return result

    def _wait(self, page: int, do: Do, state: SessionState) -> Any:
        self._waiting.append((page, do, state))
        return LATER

    def _search(
        self, page: int, do: Do, state: SessionState, arguments: dict[str, Any], longest: float = math.inf
    ) -> Any:
        """Begin a search for a motion; the answer is sent when it has ended."""

        def report(result: dict[str, Any]) -> None:
            if do.command == "edit_retime":
                state.hands.end_gesture(SEARCH)
            self.session.outlet.send(page, Answer(do.id, result))

        state.workspace.update()
        state.workspace.solve(arguments, report, longest)
        self._send(state)  # an iteration may take a while, and pages should see at once that one is made
        return LATER

    def _run_and_resume(
        self, do: Do, state: SessionState, arguments: dict[str, Any], interrupted: InterruptedSearch
    ) -> Any:
        """Carry out a command in the middle of a search, which continues with what is wanted now: one step of undo."""
        state.hands.begin_gesture(SEARCH, COMMANDS[do.command].format_label(arguments))
        try:
            return state.run_command(do.command, arguments)
        finally:
            state.workspace.resume(interrupted, lambda _: state.hands.end_gesture(SEARCH))

    def prepare(self, state: SessionState) -> None:
        """Compile what the editor needs."""
        self.kernels.prepare(state.kernels)

    def open(self, state: SessionState) -> None:
        """Prepare for what was opened: the motion that a scene carries is opened in the editor at once."""
        project = state.project
        if project.edits.data is not None:
            self.prepare(state)
        elif project.scene().study is not None and not project.history.done and not project.take.branches:
            self.prepare(state)
            self._wait(0, Do(0, "edit_study"), state)

    def greet(self, page: int) -> None:
        """Tell a page that has connected."""
        if self._sent is not None:
            self.session.outlet.send_latest(page, self._sent)

    # --- in every turn ---

    def tick(self, state: SessionState) -> None:
        """Search for a while, and send what was found."""
        if state.project.edits.data is not None and not self.kernels.is_ready:
            self.prepare(state)
        if self.kernels.is_ready:
            self._run_waiting()
            self._advance_search(state)
        now = time.perf_counter()
        if now >= self._next:
            self._send(state)
            self._next = now + max(EVERY, SHARE * (time.perf_counter() - now))

    def _run_waiting(self) -> None:
        session, waiting = self.session, self._waiting
        self._waiting = []
        for page, do, state in waiting:
            if state is not session.state:
                session.outlet.send(page, Refusal(do.id, f"'{do.command}' came too late: something else was opened"))
            elif page == 0:
                session.guard(lambda do=do, state=state: self._open_study(do, state))
            else:
                session.dispatcher.run(page, do)

    def _open_study(self, do: Do, state: SessionState) -> None:
        try:
            state.run_command(do.command, do.arguments)
        except StringlessError as error:
            self.session.notifier.notify("warning", f"The motion of this scene cannot be edited: {error}")

    def _advance_search(self, state: SessionState) -> None:
        workspace = state.workspace
        try:
            workspace.update()
            workspace.tick()
        except StringlessError as error:
            self.session.notifier.notify("warning", f"The motion cannot be edited: {error}")
        if workspace.has_written:
            workspace.has_written = False
            self.session.notifier.send_changes()

    def _send(self, state: SessionState) -> None:
        workspace, sent = state.workspace, self._sent
        is_stale = sent is None or sent.epoch != state.epoch or sent.open != workspace.is_open
        if not (is_stale or workspace.is_changed) or not self.session.pages.all:
            return
        self._revision += 1
        self._sent = build_edit(workspace, state.epoch, self._revision)
        self.session.outlet.send_latest(None, self._sent)
        workspace.is_changed = False


def _describe_jump(state: SessionState) -> str:
    """What people should know before they play from the take into the motion that is open; empty if nothing."""
    edits, take = state.project.edits, state.project.take
    data = edits.data
    if data is None or data["lane"] is None or data["begin"] <= take.begin(data["lane"]):
        return ""
    what = describe_jump(edits.editor(), data)
    return JUMP.format(time=data["begin"], what=what) if what else ""
