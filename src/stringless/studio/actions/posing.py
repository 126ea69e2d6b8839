"""Poses and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stringless.errors import InputError
from stringless.studio.actions.registry import action

if TYPE_CHECKING:
    from stringless.studio.posing import Keep
    from stringless.studio.session import Session


@action()
def begin_pose(session: Session, page: int, character: str | int | None = None) -> None:
    """Begin a pose of a character: hands now move a ghost of it by its bones."""
    session.opened().begin_pose(character)


@action()
def end_pose(session: Session, page: int, keep: Keep = "key", time: float | None = None) -> Any:
    """End the pose and make a key of it, at the time looked at if no other is given, or a goal, or nothing."""
    desk = session.opened()
    if desk.posing is None:
        raise InputError("nothing is being posed; begin a pose first")
    return desk.end_pose(keep, time)


@action()
def auto_key(session: Session, page: int, on: bool) -> None:
    """Choose whether every change of a pose sets a key by itself."""
    session.opened().auto_key = bool(on)


@action()
def key(session: Session, page: int, character: str | int | None = None, time: float | None = None) -> dict[str, int]:
    """Set a key of the pose that is looked at, on a track that is made if there is none."""
    desk = session.opened()
    if desk.posing is not None and character is None:
        return desk.keep_key(time)
    index = desk.project.sim.director.find_character(character)
    return desk.set_key(index, desk.q, time)
