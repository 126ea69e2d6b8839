"""Exports: the take as a file for other programs, written by a job in the background."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from stringless.errors import InputError
from stringless.formats.clip import Clip
from stringless.formats.exports import Writer, writer_of
from stringless.project.exports import make_clip
from stringless.studio.actions.registry import action

if TYPE_CHECKING:
    from stringless.studio.jobs import Job
    from stringless.studio.session import Session


@action()
def export(
    session: Session,
    page: int,
    format: str = "glb",  # noqa: A002
    lane: int | str | None = None,
    start: float | None = None,
    end: float | None = None,
    name: str | None = None,
) -> int:
    """Write the take for other programs, while the simulation goes on; returns the number of the job."""
    state = session.require_state()
    clip = make_clip(state.project, lane=lane, start=start, end=end)
    title = f"{clip.scene} {clip.name}" if state.unsaved else state.title
    file_name = f"{clean_name(name or title)}.{format}"
    writer = writer_of(Path(file_name))
    return session.jobs.begin(f"Export {file_name}", lambda job: _write(session, job, writer, clip, file_name)).id


def _write(session: Session, job: Job, writer: Writer, clip: Clip, file_name: str) -> None:
    """Write a clip into a folder of the job's own, so that no two get in each other's way."""
    folder = session.storage.make_export_folder(session.name, job.id)
    writer(folder / file_name, clip, world=True, progress=job.report)
    job.file = folder / file_name


def clean_name(name: str) -> str:
    """A name that every disk can hold and no path can hide in."""
    return "".join(c if c.isalnum() or c in " -_" else "-" for c in name).strip()[:80] or "export"


@action()
def cancel_job(session: Session, page: int, job: int) -> None:
    """Stop something that goes on beside everything else."""
    found = session.jobs.get(job)
    if found is None or found.state != "running":
        raise InputError(f"there is no job {job!r} that could be cancelled")
    found.stop.set()
