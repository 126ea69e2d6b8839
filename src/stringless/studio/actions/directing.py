"""Who directs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stringless.studio.actions.registry import action
from stringless.studio.commanding import run_command

if TYPE_CHECKING:
    from stringless.studio.session import Session


@action(for_all=True)
def direct(session: Session, page: int, **joints: Any) -> None:
    """Let this page direct from now on; with `joints` or `character`, let the director have those, as the command does."""
    if joints:
        session.require_director(page)
        run_command(session.opened(), "direct", joints)
        return
    former = session.pages.director
    if former is not None and former != page and session.desk is not None:
        session.desk.let_go(former)
    session.pages.direct(page)
