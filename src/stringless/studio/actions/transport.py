"""Transport: live, pause, replay, single frames, speed, undo and redo."""

import math
from typing import Annotated

from msgspec import Meta

from stringless.project import Project
from stringless.studio.actions.registry import Session, action

AGO = 0.25
"""How far before a trouble `back` stands [s]."""
Frames = Annotated[int, Meta(ge=-1000, le=1000)]
Seconds = Annotated[float, Meta(ge=0, le=1e9)]


@action()
def live(session: Session, page: int) -> None:
    """Simulate on from the time that is shown."""
    state = session.require_state()
    state.pose = None
    state.resume()


@action()
def pause(session: Session, page: int) -> None:
    """Pause."""
    session.require_state().player.pause()


@action()
def replay(
    session: Session,
    page: int,
    start: float | None = None,
    end: float | None = None,
    loop: bool = False,
    lane: int | None = None,
) -> None:
    """Show what is on record, from a time to another, over and over if `loop`."""
    state = session.require_state()
    take, player = state.project.take, state.player
    if start is None and take.branches:
        here = player.branch if lane is None else lane
        finished = player.time >= take.end(here) - 1.0 / take.rate
        start = take.begin(here) if finished else None  # at the end there is nothing left to show
    player.replay(start, end, branch=lane, loop=loop)
    state.hands.release_all()


@action()
def present(session: Session, page: int) -> None:
    """Show the simulation itself again."""
    player = session.require_state().player
    if player.mode == "live":
        player.pause()
    player.present()


@action()
def step(session: Session, page: int, frames: Frames = 1) -> None:
    """Go by single frames, back if less than 0; at the end of the record by simulating."""
    player = session.require_state().player
    if player.mode == "live":
        player.pause()
    player.step(frames)


@action()
def speed(session: Session, page: int, rate: float) -> None:
    """Choose how fast time passes: 1/32 to 4 or more, 1 is real time; -1 is as fast as possible."""
    session.require_state().player.clock.rate = math.inf if rate == -1 else rate


@action()
def back(session: Session, page: int, seconds: Seconds = AGO) -> None:
    """After a divergence: go back to a little before it; parameters that were changed just before are restored."""
    restored = session.require_state().go_back(seconds)
    if restored:
        session.notifier.notify("info", f"Changed back, because it may be what went wrong: {restored}.")


@action()
def undo(session: Session, page: int) -> str:
    """Take back the last thing that was done; says which."""
    project = _release_all(session)
    project.history.last()  # raises if there is nothing
    session.require_state().stop()
    return project.undo()


@action()
def redo(session: Session, page: int) -> str:
    """Do again what was taken back last; says what."""
    project = _release_all(session)
    project.history.next()  # raises if there is nothing
    session.require_state().stop()
    return project.redo()


def _release_all(session: Session) -> Project:
    state = session.require_state()
    state.workspace.finish()
    state.hands.release_all()
    return state.project


@action()
def begin_gesture(session: Session, page: int, label: str = "change") -> None:
    """Let everything until `end_gesture` be one step of undo, as when a slider is dragged."""
    session.require_state().hands.begin_gesture(page, label)


@action()
def end_gesture(session: Session, page: int) -> None:
    """End what `begin_gesture` has begun; nothing if that was ended already."""
    session.require_state().hands.end_gesture(page)
