"""Transport: live, pause, replay, single frames, speed, undo and redo."""

import math
from typing import Annotated

from msgspec import Meta

from stringless.studio.actions.registry import Session, action
from stringless.studio.session_state import SessionState

AGO = 0.25
"""How far before a trouble `back` stands [s]."""
Frames = Annotated[int, Meta(ge=-1000, le=1000)]
Seconds = Annotated[float, Meta(ge=0, le=1e9)]


@action()
def live(state: SessionState) -> None:
    """Simulate on from the time that is shown."""
    state.pose = None
    state.resume()


@action()
def pause(state: SessionState) -> None:
    """Pause."""
    state.player.pause()


@action()
def replay(
    state: SessionState,
    start: float | None = None,
    end: float | None = None,
    loop: bool = False,
    lane: int | None = None,
) -> None:
    """Show what is on record, from a time to another, over and over if `loop`."""
    take, player = state.project.take, state.player
    if start is None and take.branches:
        here = player.branch if lane is None else lane
        finished = player.time >= take.end(here) - 1.0 / take.rate
        start = take.begin(here) if finished else None  # at the end there is nothing left to show
    player.replay(start, end, branch=lane, loop=loop)
    state.hands.release_all()


@action()
def present(state: SessionState) -> None:
    """Show the simulation itself again."""
    player = state.player
    if player.mode == "live":
        player.pause()
    player.present()


@action()
def step(state: SessionState, frames: Frames = 1) -> None:
    """Go by single frames, back if less than 0; at the end of the record by simulating."""
    player = state.player
    if player.mode == "live":
        player.pause()
    player.step(frames)


@action()
def speed(state: SessionState, rate: float) -> None:
    """Choose how fast time passes: 1/32 to 4 or more, 1 is real time; -1 is as fast as possible."""
    state.player.clock.rate = math.inf if rate == -1 else rate


@action()
def back(session: Session, state: SessionState, seconds: Seconds = AGO) -> None:
    """After a divergence: go back to a little before it; parameters that were changed just before are restored."""
    restored = state.go_back(seconds)
    if restored:
        session.notifier.notify("info", f"Changed back, because it may be what went wrong: {restored}.")


@action()
def undo(state: SessionState) -> str:
    """Take back the last thing that was done; says which."""
    _release_all(state)
    state.project.history.last()  # raises if there is nothing
    state.stop()
    return state.project.undo()


@action()
def redo(state: SessionState) -> str:
    """Do again what was taken back last; says what."""
    _release_all(state)
    state.project.history.next()  # raises if there is nothing
    state.stop()
    return state.project.redo()


def _release_all(state: SessionState) -> None:
    state.workspace.finish()
    state.hands.release_all()


@action()
def begin_gesture(state: SessionState, page: int, label: str = "change") -> None:
    """Let everything until `end_gesture` be one step of undo, as when a slider is dragged."""
    state.hands.begin_gesture(page, label)


@action()
def end_gesture(state: SessionState, page: int) -> None:
    """End what `begin_gesture` has begun; nothing if that was ended already."""
    state.hands.end_gesture(page)
