"""Undo and redo."""

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
    desk.hands.drop()
    history = desk.project.history
    history.last() if way == "undo" else history.next()  # says so if there is nothing
    desk.stand()
    return desk.project.undo() if way == "undo" else desk.project.redo()
