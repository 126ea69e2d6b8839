"""Time: live, pause, replay, step by step, how fast."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from stringless.errors import InputError
from stringless.studio.actions.registry import action

if TYPE_CHECKING:
    from stringless.studio.session import Session

AGO = 0.25
"""How far before a trouble `back` stands [s]."""
MOST_FRAMES = 1000


@action()
def live(session: Session, page: int) -> None:
    """Simulate on from what is looked at."""
    desk = session.opened()
    desk.end_pose("none")
    desk.go_on()


@action()
def pause(session: Session, page: int) -> None:
    """Stand still."""
    session.opened().player.pause()


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
    desk = session.opened()
    take, player = desk.project.take, desk.player
    if start is None and take.branches:
        here = player.lane if lane is None else lane
        finished = player.time >= take.end(here) - 1.0 / take.rate
        start = take.begin(here) if finished else None  # at the end there is nothing left to show
    player.replay(start, end, lane=lane, loop=loop)
    desk.hands.drop()


@action()
def present(session: Session, page: int) -> None:
    """Look at the simulation itself again."""
    desk = session.opened()
    if desk.player.mode == "live":
        desk.player.pause()
    desk.player.present()


@action()
def step(session: Session, page: int, frames: int = 1) -> None:
    """Go by single frames, back if less than 0; at the end of the record by simulating."""
    if not isinstance(frames, int) or abs(frames) > MOST_FRAMES:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"cannot go by {frames!r} frames; expected a whole number up to {MOST_FRAMES}")
    desk = session.opened()
    if desk.player.mode == "live":
        desk.player.pause()
    desk.player.step(frames)


@action()
def speed(session: Session, page: int, rate: float) -> None:
    """Choose how fast time passes: 1/32 to 4 or more, 1 is real time; -1 is as fast as possible."""
    session.opened().player.clock.rate = math.inf if rate == -1 else rate


@action()
def back(session: Session, page: int, seconds: float = AGO) -> None:
    """After a trouble: stand a little before it and forget it; parameters that were changed just before are changed back."""
    if not (isinstance(seconds, (int, float)) and 0 <= seconds < math.inf):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"cannot go back by {seconds!r} s; expected a number of 0 or more")
    again = session.opened().back(seconds)
    if again:
        session.notice("info", f"Changed back, because it may be what went wrong: {again}.")
