"""Exporting: the take as a file that other programs read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stringless.errors import InputError
from stringless.studio.actions.registry import action

if TYPE_CHECKING:
    from stringless.studio.session import Session

FORMATS: list[str] = []
"""Kinds of files that can be written."""


@action()
def cancel_job(session: Session, page: int, job: int) -> None:
    """Stop something that goes on beside everything else."""
    found = session.jobs.get(job)
    if found is None or found.state != "running":
        raise InputError(f"there is no job {job!r} that could be cancelled")
    found.stop.set()
