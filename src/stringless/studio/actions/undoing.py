"""Undo and redo, and what counts as one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stringless.studio.actions.registry import action

if TYPE_CHECKING:
    from stringless.studio.session import Session


@action()
def undo(session: Session, page: int) -> str:
    """Take back the last thing that was done; says which."""
    return _travel(session, "undo")


@action()
def redo(session: Session, page: int) -> str:
    """Do again what was taken back last; says what."""
    return _travel(session, "redo")


def _travel(session: Session, way: str) -> str:
    desk = session.opened()
    desk.bench.finish()
    desk.hands.drop()
    history = desk.project.history
    history.last() if way == "undo" else history.next()  # says so if there is nothing
    desk.stand()
    return desk.project.undo() if way == "undo" else desk.project.redo()


@action()
def begin_gesture(session: Session, page: int, label: str = "change") -> None:
    """Let everything until `end_gesture` be one step of undo, as when a slider is dragged."""
    session.opened().hands.begin_gesture(page, label)


@action()
def end_gesture(session: Session, page: int) -> None:
    """End what `begin_gesture` has begun; nothing if that was ended already."""
    session.opened().hands.end_gesture(page)
