"""Exports: from a take on record to a file that other programs read."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from stringless.errors import InputError, renamed_arguments
from stringless.formats.output.clip import Clip, Progress, thinned
from stringless.formats.registry import find_writer
from stringless.model import Model, Scene
from stringless.project.project import Project
from stringless.simulation import Simulation
from stringless.simulation.recorder import Recorder
from stringless.timeline.chunk import Frame
from stringless.timeline.take import Branch, Piece, Take

Source = Simulation | Project


@renamed_arguments(lane="branch")
def export(
    source: Source | Take,
    path: str | os.PathLike[str],
    *,
    branch: int | str | None = None,
    start: float | None = None,
    end: float | None = None,
    rate: float = 60.0,
    progress: Progress | None = None,
    **options: Any,
) -> Path:
    """Write what was simulated to a file whose suffix tells the format; gives the path.

    Args:
        source: a simulation, its take, or a project.
        path: where to write; `.glb` is skeleton and deforming surface, for Blender, three.js and most others, `.html` a page that
            plays the motion.
        branch: number or name of the branch; the present one if not given. A project whose pieces were joined, and of which
            neither branch nor times are asked for, gives those pieces.
        start: first time [s]; the beginning if not given.
        end: last time [s]; the end if not given.
        rate: frames per second; there are never more than were recorded.
        progress: told what share is done, from 0 to 1. What it raises ends the export, and no file is left.
        options: what the format's writer takes, for example `world=False` for a GLB file, without the shapes of the world.

    Raises:
        InputError: unknown suffix, an option that does not fit, nothing on record there, or the file cannot be written.
    """
    target = Path(path)
    writer = find_writer(target, "motion")
    writer.check_options(options)
    if not target.parent.is_dir():
        raise InputError(f"there is no folder '{target.parent}' to write '{target.name}' into")
    clip = make_clip(source, branch=branch, start=start, end=end, rate=rate)
    writer.call(clip, target, options=options, progress=progress or (lambda _: None))
    return target


def make_clip(
    source: Source | Take,
    *,
    branch: int | str | None = None,
    start: float | None = None,
    end: float | None = None,
    rate: float = 60.0,
) -> Clip:
    """What `export` writes, taken from the record; it may be written while the simulation goes on."""
    if isinstance(source, Take):
        source = _find_simulation(source)
    if not isinstance(source, Source):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"cannot export {type(source).__name__}; expected a simulation, its take, or a project")
    if isinstance(source, Project) and source.sequence and branch is None and start is None and end is None:
        pieces = [Piece(piece["lane"], piece["start"], piece["end"]) for piece in source.sequence]
        branches = [source.take.branch(piece.branch) for piece in pieces]
        return _thin_frames(source, branches, "joined pieces", source.take.joined(pieces), rate)
    branch = source.position.branch if branch is None else branch
    if branch is None:
        raise InputError("nothing was simulated yet, so there is nothing to export; simulate something first")
    chosen = source.take.branch(branch)
    begin, last = _find_first_alike(source, chosen), source.take.end(chosen.id)
    first, final = begin if start is None else start, last if end is None else end
    if not begin <= first <= final <= last:
        raise InputError(
            f"branch '{chosen.name}' cannot be exported from {first:.3f} s to {final:.3f} s; "
            f"it goes from {begin:.3f} s to {last:.3f} s"
        )
    return _thin_frames(source, [chosen], chosen.name, source.take.frames(first, final, chosen.id), rate)


def _find_simulation(take: Take) -> Simulation:
    """The simulation that records a take, which knows the scene; a take of a project may hold several."""
    recorder = take.replayer
    if not isinstance(recorder, Recorder) or any(branch.scene != recorder.scene for branch in take.branches.values()):
        raise InputError("this take does not know which scene it shows; export the project that it belongs to")
    return recorder.sim


def _find_first_alike(source: Source, branch: Branch) -> float:
    """Time since which a branch and its ancestors have looked alike: another scene may have been opened before [s]."""
    take, begin = source.take, branch.begin
    for piece in reversed(take.lineage(branch.id)):
        if not _look_alike(source, take.branch(piece.branch), branch):
            break
        begin = piece.start
    return begin


def _look_alike(source: Source, one: Branch, other: Branch) -> bool:
    """Whether one model can draw the frames of two branches; a mass or a limit may have been changed between them."""
    if one.scene == other.scene:
        return True
    return _list_drawn(_find_scene(source, one).model) == _list_drawn(_find_scene(source, other).model)


def _list_drawn(model: Model) -> list[object]:
    parts = [
        (spec.name, spec.parent, spec.place, spec.joint.kind, spec.joint.axes, spec.shapes) for spec in model.specs
    ]
    flesh = model.flesh.specs if model.flesh is not None else ()
    skins = [(part.name, part.vertices.tobytes(), part.weights.tobytes(), part.bones) for part in flesh]
    return [parts, skins]


def _thin_frames(source: Source, branches: list[Branch], name: str, frames: Iterable[Frame], rate: float) -> Clip:
    if not all(_look_alike(source, branch, branches[0]) for branch in branches):
        raise InputError("the joined pieces show different scenes, which one file cannot hold; export them one by one")
    scene = _find_scene(source, branches[0])
    kept = thinned(frames, rate)
    if not kept:
        raise InputError(f"there is no frame of '{name}' in that time; ask for a longer one")
    return Clip(scene, kept, name, rate)


def _find_scene(source: Source, branch: Branch) -> Scene:
    """The scene that a branch was recorded with."""
    return source.scenes.find(branch.scene, source.scene_data) if isinstance(source, Project) else source.scene
