"""Where everything is that a frame tells: all poses, or bodies in their parents where most joints are held."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless.engines import AdaptiveEngine
from stringless.studio import frames, showing
from stringless.studio.desk import Desk
from stringless.studio.frames import Places
from stringless.studio.messages import Wishes
from stringless.studio.showing import Drawn
from stringless.timeline.chunk import Frame

NO_GOALS = np.zeros((0, frames.GOAL))


class Seen(NamedTuple):
    """Where everything is, as a frame tells it."""

    poses: NDArray[np.float64]
    nodes: NDArray[np.float64]
    center: NDArray[np.float64]
    contacts: NDArray[np.float64]
    goals: NDArray[np.float64]
    flagged: NDArray[np.uint32]
    touching: bool
    places: Places | None = None


def see(desk: Desk, frame: Frame | None, wishes: list[Wishes]) -> Seen:
    """What is looked at: a frame on record, or the simulation itself if None."""
    sim = desk.project.sim
    held = isinstance(sim.engine, AdaptiveEngine) and desk.painter.model is sim.model
    return _placed(desk, frame, wishes) if held else _drawn(desk, frame, wishes)


def _drawn(desk: Desk, frame: Frame | None, wishes: list[Wishes]) -> Seen:
    """All poses, worked out."""
    player, project = desk.player, desk.project
    sim = project.sim
    if frame is None:
        drawn = desk.painter.of_simulation(sim)
        points, forces = sim.touching_points()
    else:
        frame, drawn = desk.painter.of_record(project.take, player.time, player.lane)
        points, forces = frame.points, frame.forces
    contacts = _contacts(desk, drawn, points, forces, wishes)
    goals = showing.goals(sim, drawn) if frame is None else NO_GOALS
    flagged = showing.flagged(sim, drawn.nodes) if _is_flagged(desk, wishes) else showing.NO_NUMBERS
    return Seen(drawn.poses, drawn.nodes, drawn.center, contacts, goals, flagged, len(points) > 0)


def _placed(desk: Desk, frame: Frame | None, wishes: list[Wishes]) -> Seen:
    """Bodies in their parents: nobody can be directed there, and there is no flesh."""
    player, sim, painter = desk.player, desk.project.sim, desk.painter
    q, v = (sim.q, sim.v) if frame is None else (frame.q, frame.v)
    points, forces = sim.touching_points() if frame is None else (frame.points, frame.forces)
    contacts = np.zeros((0, 6))
    if len(points) and any(w.contacts for w in wishes):
        drawn = painter.of_simulation(sim) if frame is None else painter.of_frame(frame)
        contacts = _contacts(desk, drawn, points, forces, wishes)
    center = painter.placer.center(player.time, q, v, running=player.mode != "paused")
    nothing = np.zeros((0, 7)), np.zeros((0, 3))
    places = painter.placer.look(q)
    return Seen(*nothing, center, contacts, NO_GOALS, showing.NO_NUMBERS, len(points) > 0, places)


def _contacts(
    desk: Desk, drawn: Drawn, points: NDArray[np.int64], forces: NDArray[np.float64], wishes: list[Wishes]
) -> NDArray[np.float64]:
    if not any(w.contacts for w in wishes) or desk.painter.model is not desk.project.sim.model:
        return np.zeros((0, 6))
    return showing.contacts(desk.project.sim, drawn, points, forces)


def _is_flagged(desk: Desk, wishes: list[Wishes]) -> bool:
    return any(w.flagged for w in wishes) and desk.painter.model is desk.project.sim.model
