"""The motion editor: actions beside its commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stringless.studio.actions.registry import action

if TYPE_CHECKING:
    from stringless.studio.session import Session


@action(for_all=True)
def edit_prepare(session: Session, page: int) -> bool:
    """Compile what the motion editor needs, before it is needed; whether that is done already."""
    session.editing.prepare(session.require_state())
    return session.editing.kernels.is_ready


@action()
def edit_stop(session: Session, page: int) -> None:
    """Look for no better motion any more: it stays as it was found so far."""
    session.require_state().workspace.search.stop()
