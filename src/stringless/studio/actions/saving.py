"""Files: save, save as, what was open of late, what there is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stringless.errors import InputError
from stringless.project import Project
from stringless.project.project import ENDING
from stringless.studio.actions.registry import action
from stringless.studio.desk import Desk
from stringless.studio.files import list_taken

if TYPE_CHECKING:
    from stringless.studio.session import Session

LONGEST = 200
"""Bytes of a name: disks take 255, and files beside it have longer ones."""


@action()
def save(session: Session, page: int) -> str:
    """Come back when everything is safe on the disk; says where, nothing if it has no file of its own yet."""
    desk = session.opened()
    desk.project.save()
    return "" if desk.unsaved else str(desk.project.path)


@action()
def save_as(session: Session, page: int, path: str, overwrite: bool = False) -> str:
    """Give the project a file of its own, or another one, and go on in that; says where."""
    desk = session.opened()
    named = path if path.endswith(ENDING) else f"{path}{ENDING}"
    length = len(os.fsencode(Path(named).name)) - len(ENDING)
    if length > LONGEST:
        raise InputError(
            f"the name is too long: it takes {length} bytes, and at most {LONGEST} fit; choose a shorter one"
        )
    chosen = session.reachable.inside(named)
    if chosen == desk.project.path:
        return save(session, page)
    look = desk.player.look()
    desk.bench.finish()
    desk.stand()
    session.teller.tell_scene(desk)
    with session.doing("Saving"):
        desk.project.save_as(chosen, overwrite=overwrite)
        rate, former, unsaved = desk.player.clock.rate, desk.project.path, desk.unsaved
        fresh = Desk(Project.open(chosen), desk.epoch, unsaved=False, rate=rate)
        session.put_on_desk(fresh)
    if look.mode == "paused":
        fresh.player.look_again(look)
    session.shelf.note(chosen, fresh.title)
    if unsaved and former is not None:
        session.shelf.discard(former)
    return str(chosen)


@action(for_all=True)
def recent(session: Session, page: int) -> list[dict[str, Any]]:
    """Projects that were open of late, and those that were never saved: path, title, time."""
    here = None if session.desk is None else str(session.desk.project.path)
    return [row for row in session.shelf.recent() if row["path"] != here]


@action(for_all=True)
def folders(session: Session, page: int) -> list[str]:
    """Folders whose files can be opened and written."""
    return [str(folder) for folder in session.folders.all]


@action(for_all=True)
def files(session: Session, page: int, folder: str) -> list[dict[str, Any]]:
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
            found.append(
                {"name": path.name, "path": str(path), "kind": kind, "size": about.st_size, "time": about.st_mtime}
            )
    return found
