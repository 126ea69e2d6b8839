"""Exporting: the take as a file that other programs read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from stringless.errors import InputError
from stringless.formats.output.clip import Clip
from stringless.formats.registry import Writer, find_writer
from stringless.project.exporting import clip_of
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
    options: dict[str, Any] | None = None,
) -> int:
    """Write the take for other programs, while the simulation goes on; returns the number of the job."""
    wanted = Path(f"take.{format}")
    writer = find_writer(wanted, "motion")
    writer.check_options(options or {})
    desk = session.opened()
    project = desk.project
    clip = clip_of(project, lane=lane, start=start, end=end)
    title = f"{clip.scene} {clip.name}" if desk.unsaved else desk.title
    called = f"{plain_name(name or title)}{wanted.suffix}"
    return session.jobs.begin(
        f"Export {called}", lambda job: _write(session, job, writer, clip, called, options or {})
    ).id


def _write(session: Session, job: Job, writer: Writer, clip: Clip, called: str, options: dict[str, Any]) -> None:
    """Write a clip into a folder of the job's own, so that no two get in each other's way."""
    folder = session.shelf.export_folder(session.name, job.id)
    writer.call(clip, folder / called, options=options, progress=job.report)
    job.file = folder / called


def plain_name(name: str) -> str:
    """A name that every disk can hold and no path can hide in."""
    return "".join(c if c.isalnum() or c in " -_" else "-" for c in name).strip()[:80] or "export"


@action()
def cancel_job(session: Session, page: int, job: int) -> None:
    """Stop something that goes on beside everything else."""
    found = session.jobs.get(job)
    if found is None or found.state != "running":
        raise InputError(f"there is no job {job!r} that could be cancelled")
    found.stop.set()
