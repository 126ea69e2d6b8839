"""From a take on record to a file that other programs read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from stringless.errors import InputError
from stringless.formats.output.clip import Clip, Progress, thinned
from stringless.formats.registry import find_writer
from stringless.model import Model, Scene
from stringless.project.project import Project
from stringless.simulation import Simulation
from stringless.timeline.chunk import Frame
from stringless.timeline.take import Lane, Piece


def export(
    source: Simulation | Project,
    path: str | os.PathLike[str],
    *,
    lane: int | str | None = None,
    start: float | None = None,
    end: float | None = None,
    rate: float = 60.0,
    progress: Progress | None = None,
    **options: Any,
) -> Path:
    """Write what was simulated to a file whose suffix tells the format; gives the path.

    Args:
        source: a simulation or a project.
        path: where to write; `.glb` is skeleton and deforming surface, for Blender, three.js and most others.
        lane: number or name of the lane; the present one if not given. A project whose pieces were joined, and of which
            neither lane nor times are asked for, gives those pieces.
        start: first moment [s]; the beginning if not given.
        end: last moment [s]; the end if not given.
        rate: frames per second; there are never more than were recorded.
        progress: told what share is done, from 0 to 1. What it raises ends the export, and no file is left.
        options: what the format's writer takes, for example `world=False` for a GLB file, which leaves out what stands around.

    Raises:
        InputError: unknown suffix, an option that does not fit, nothing on record there, or the file cannot be written.
    """
    target = Path(path)
    writer = find_writer(target, "motion")
    writer.check_options(options)
    if not target.parent.is_dir():
        raise InputError(f"there is no folder '{target.parent}' to write '{target.name}' into")
    clip = clip_of(source, lane=lane, start=start, end=end, rate=rate)
    writer.call(clip, target, options=options, progress=progress or _ignore)
    return target


def clip_of(
    source: Simulation | Project,
    *,
    lane: int | str | None = None,
    start: float | None = None,
    end: float | None = None,
    rate: float = 60.0,
) -> Clip:
    """What `export` writes, taken from the record; it may be written while the simulation goes on."""
    if not isinstance(source, Simulation | Project):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"cannot export {type(source).__name__}; expected a simulation or a project")
    if isinstance(source, Project) and source.sequence and lane is None and start is None and end is None:
        pieces = [Piece(**piece) for piece in source.sequence]
        lanes = [source.take.lane(piece.lane) for piece in pieces]
        return _clip(source, lanes, "joined pieces", source.take.joined(pieces), rate)
    chosen = _lane(source, lane)
    begin, last = _alike_since(source, chosen), source.take.end(chosen.id)
    first, final = begin if start is None else start, last if end is None else end
    if not begin <= first <= final <= last:
        raise InputError(
            f"lane '{chosen.name}' cannot be exported from {first:.3f} s to {final:.3f} s; "
            f"it goes from {begin:.3f} s to {last:.3f} s"
        )
    return _clip(source, [chosen], chosen.name, source.take.frames(first, final, chosen.id), rate)


def _lane(source: Simulation | Project, lane: int | str | None) -> Lane:
    """The lane that is asked for."""
    if lane is None:
        lane = source.position.lane
    if lane is None:
        raise InputError("nothing was simulated yet, so there is nothing to export; simulate something first")
    return source.take.lane(lane)


def _alike_since(source: Simulation | Project, lane: Lane) -> float:
    """Since when a lane, or what it came from, has looked as it does: another scene may have been opened before [s]."""
    take, begin = source.take, lane.begin
    for piece in reversed(take.lineage(lane.id)):
        if not _look_alike(source, take.lane(piece.lane), lane):
            break
        begin = piece.start
    return begin


def _look_alike(source: Simulation | Project, one: Lane, other: Lane) -> bool:
    """Whether frames of two lanes can be drawn with one model; a mass or a stop may have been changed between them."""
    if one.scene == other.scene:
        return True
    return _look(_scene(source, one).model) == _look(_scene(source, other).model)


def _look(model: Model) -> list[object]:
    """What is drawn of a model."""
    parts = [
        (spec.name, spec.parent, spec.place, spec.joint.kind, spec.joint.axes, spec.shapes) for spec in model.specs
    ]
    flesh = model.flesh.specs if model.flesh is not None else ()
    skins = [(part.name, part.vertices.tobytes(), part.weights.tobytes(), part.bones) for part in flesh]
    return [parts, skins]


def _clip(source: Simulation | Project, lanes: list[Lane], name: str, frames: Iterable[Frame], rate: float) -> Clip:
    if not all(_look_alike(source, lane, lanes[0]) for lane in lanes):
        raise InputError("the joined pieces show different scenes, which one file cannot hold; export them one by one")
    scene = _scene(source, lanes[0])
    kept = thinned(frames, rate)
    if not kept:
        raise InputError(f"there is no frame of '{name}' in that time; ask for a longer one")
    return Clip(scene.model, kept, name, scene.name, rate)


def _scene(source: Simulation | Project, lane: Lane) -> Scene:
    """The scene that a lane was recorded with."""
    if isinstance(source, Project):
        known = source.store.get("scenes") or {}
        return source.scene(known.get(lane.scene))
    return source.scene


def _ignore(_: float) -> None:
    """Nobody wants to know."""
