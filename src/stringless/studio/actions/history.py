"""History: undo and redo, and what counts as one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stringless.studio.actions.registry import action

if TYPE_CHECKING:
    from stringless.project import Project
    from stringless.studio.session import Session


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
