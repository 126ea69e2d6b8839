"""Files: save, save as, recent projects, contents of folders, and exports, which jobs write in the background."""

import os
from pathlib import Path
from typing import Any

from stringless.errors import InputError
from stringless.formats.registry import find_writer
from stringless.project import Project
from stringless.project.exports import make_clip
from stringless.project.project import ENDING
from stringless.studio.actions.registry import Session, action
from stringless.studio.files import list_taken
from stringless.studio.jobs import Job
from stringless.studio.session_state import SessionState

LONGEST = 200
"""Bytes of a name: disks take 255, and files beside it have longer ones."""


@action()
def save(state: SessionState) -> str:
    """Return when everything is on the disk; returns the path, empty if the project has no file of its own yet."""
    state.project.save()
    return "" if state.unsaved else str(state.project.path)


@action()
def save_as(session: Session, state: SessionState, path: str, overwrite: bool = False) -> str:
    """Give the project a file of its own, or another one, and continue in that; returns the path."""
    named = path if path.endswith(ENDING) else f"{path}{ENDING}"
    length = len(os.fsencode(Path(named).name)) - len(ENDING)
    if length > LONGEST:
        raise InputError(
            f"the name is too long: it takes {length} bytes, and at most {LONGEST} fit; choose a shorter one"
        )
    chosen, former = session.reachable.inside(named), state.project.path
    if chosen == former:
        return save(state)
    shown = state.player.state
    state.workspace.finish()
    state.stop()
    session.notifier.send_scene(state)
    with session.show_progress("Saving"):
        state.project.save_as(chosen, overwrite=overwrite)
        fresh = SessionState(Project.open(chosen), state.epoch, unsaved=False, rate=state.player.clock.rate)
        session.open_state(fresh)
    if shown.mode == "paused":
        fresh.player.restore(shown)
    session.storage.add_recent(chosen, fresh.title)
    if state.unsaved and former is not None:
        session.storage.discard(former)
    return str(chosen)


@action(for_all=True)
def recent(session: Session) -> list[dict[str, Any]]:
    """Projects that were open of late, and those that were never saved: path, title, time."""
    here = None if session.state is None else str(session.state.project.path)
    return [row for row in session.storage.list_recent() if row["path"] != here]


@action(for_all=True)
def folders(session: Session) -> list[str]:
    """Folders whose files can be opened and written."""
    return [str(folder) for folder in session.folders.all]


@action(for_all=True)
def files(session: Session, folder: str) -> list[dict[str, Any]]:
    """What there is in a folder that can be opened: name, path, kind, size, time."""
    place = session.folders.inside(folder)
    if not place.is_dir():
        raise InputError(f"'{place}' is no folder")
    found: list[dict[str, Any]] = []
    taken = list_taken()
    for path in sorted(place.iterdir()):
        kind = "folder" if path.is_dir() else taken.get(path.suffix.lower(), "") if path.is_file() else ""
        if kind and not path.name.startswith("."):
            about = path.stat()
            row = {"name": path.name, "path": str(path), "kind": kind, "size": about.st_size, "time": about.st_mtime}
            found.append(row)
    return found


@action()
def export(
    session: Session,
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
    state = session.require_state()
    clip = make_clip(state.project, branch=lane, start=start, end=end)
    title = f"{clip.scene} {clip.name}" if state.unsaved else state.title
    file_name = f"{clean_name(name or title)}{wanted.suffix}"

    def write(job: Job) -> None:
        file = session.storage.make_export_folder(session.name, job.id) / file_name
        writer.call(clip, file, options=options or {}, progress=job.report)
        job.file = file

    return session.jobs.begin(f"Export {file_name}", write).id


def clean_name(name: str) -> str:
    """A name that every disk can hold and no path can hide in."""
    return "".join(c if c.isalnum() or c in " -_" else "-" for c in name).strip()[:80] or "export"


@action()
def cancel_job(session: Session, job: int) -> None:
    """Cancel a job."""
    found = session.jobs.get(job)
    if found is None or found.state != "running":
        raise InputError(f"there is no job {job!r} that could be cancelled")
    found.stop.set()
