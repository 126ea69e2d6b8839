"""Looking: at the script, at paths through space, at curves over time, and whether that counts. No document is changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from stringless.engines import Feature
from stringless.errors import InputError
from stringless.studio.actions.registry import action
from stringless.timeline.chunk import Frame

if TYPE_CHECKING:
    from stringless.studio.desk import Desk
    from stringless.studio.session import Session

MOST = 2000
"""Points of a path or curve."""


@action(for_all=True)
def script(session: Session, page: int) -> str:
    """Everything that was done, as a Python program."""
    return session.opened().project.script()


@action(for_all=True)
def trail(
    session: Session,
    page: int,
    bone: str = "",
    start: float | None = None,
    end: float | None = None,
    count: int = 200,
    lane: int | None = None,
) -> list[list[float]]:
    """The path of a bone through space, or of the centre of gravity if none is named."""
    desk = session.opened()
    body = desk.painter.model.body(bone).index if bone else -1
    found: list[list[float]] = []
    for frame in _frames(desk, lane, start, end, count):
        drawn = desk.painter.of_frame(frame)
        found.append((drawn.poses[body, :3] if bone else drawn.center[:3]).tolist())
    return found


@action(for_all=True)
def curves(
    session: Session,
    page: int,
    lane: int | None = None,
    start: float | None = None,
    end: float | None = None,
    count: int = 400,
) -> dict[str, Any]:
    """Over time: the height of the centre of gravity, and how much every joint was given."""
    desk = session.opened()
    model = desk.painter.model
    driven = [joint for joint in model.joints if joint.nv and joint.spec.actuated]
    found: dict[str, Any] = {"time": [], "height": [], "effort": {joint.name: [] for joint in driven}}
    for frame in _frames(desk, lane, start, end, count):
        found["time"].append(frame.time)
        found["height"].append(float(desk.painter.of_frame(frame).center[1]))
        for joint in driven:
            efforts = frame.effort[joint.v_slice]
            found["effort"][joint.name].append(float(efforts[0] if joint.nv == 1 else np.linalg.norm(efforts)))
    return found


@action()
def follow_view(session: Session, page: int, on: bool = True) -> None:
    """Spend joints where the page that directs sees them, with engine `adaptive`, or alike everywhere."""
    desk = session.opened()
    desk.project.sim.engine.require(Feature.LEVEL_OF_DETAIL)
    desk.follows_view = on
    desk.look_from(session.pages.view)


def _frames(desk: Desk, lane: int | None, start: float | None, end: float | None, count: int) -> Iterator[Frame]:
    """Frames at evenly spaced times, each once; only those that show the scene that is looked at."""
    if not isinstance(count, int) or not 2 <= count <= MOST:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"cannot give {count!r} points; expected a whole number of 2 to {MOST}")
    take = desk.project.take
    number = desk.player.lane if lane is None else lane
    if number is None:
        return
    first, last = take.begin(number), take.end(number)
    start, end = first if start is None else max(start, first), last if end is None else min(end, last)
    seen = -1
    for time in np.linspace(start, end, count) if end >= start else ():
        frame = take.frame(float(time), number)
        if frame.step != seen and desk.scene_at(float(time), number).model is desk.painter.model:
            seen = frame.step
            yield frame
