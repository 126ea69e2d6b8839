"""The take: its branches, the pieces that are joined, and markers, which are named times."""

import sys
from contextlib import closing
from typing import Annotated, Any

from msgspec import Meta

from stringless.errors import InputError
from stringless.performances import find_performance
from stringless.project.commands.registry import Project, command
from stringless.timeline.patch import apply
from stringless.timeline.take import Branch, Warp

Finite = Annotated[float, Meta(ge=-sys.float_info.max, le=sys.float_info.max)]
Readable = Annotated[str, Meta(pattern=r"\S")]


@command("call it {name}")
def rename_lane(project: Project, lane: int | str, name: str) -> None:
    """Give a branch a name."""
    project.take.rename(lane, name)


@command("delete branch {lane}")
def delete_lane(project: Project, lane: int | str) -> None:
    """Hide a branch; one must be left."""
    chosen = project.take.branch(lane)
    if all(other.deleted for other in project.take.branches.values() if other is not chosen):
        raise InputError(f"'{chosen.name}' is the only branch; record another one first")
    project.take.delete(chosen.id)


@command("restore branch {lane}")
def restore_lane(project: Project, lane: int | str) -> None:
    """Restore a deleted branch."""
    project.take.delete(lane, deleted=False)


@command("join pieces")
def join(project: Project, pieces: list[Any]) -> None:
    """Choose pieces of branches, each a branch, a start and an end, that follow each other when exported."""
    take = project.take
    chosen: list[dict[str, Any]] = []
    for piece in pieces:
        if isinstance(piece, dict) and set(piece) == {"lane", "start", "end"}:
            piece = [piece["lane"], piece["start"], piece["end"]]
        if not isinstance(piece, (list, tuple)) or len(piece) != 3:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"a piece is {piece!r}; expected a branch, a start and an end, as [1, 0.0, 0.5]")
        branch, start, end = take.branch(piece[0]), float(piece[1]), float(piece[2])
        first, last = take.begin(branch.id), take.end(branch.id)
        if not first <= start < end <= last:
            raise InputError(
                f"branch '{branch.name}' runs from {first:.4g} s to {last:.4g} s; found {start:g} to {end:g}"
            )
        chosen.append({"lane": branch.id, "start": start, "end": end})
    project.sequence = chosen


@command("mark {name}")
def mark(project: Project, name: Readable, time: Finite | None = None) -> None:
    """Mark a time, the present one if not given; a marker of that name moves."""
    at = project.sim.time if time is None else time
    others = [marker for marker in project.markers if marker["name"] != name]
    project.markers = sorted([*others, {"name": name, "time": float(at)}], key=lambda marker: marker["time"])


@command("remove mark {name}")
def unmark(project: Project, name: str) -> None:
    """Remove a marker."""
    kept = [marker for marker in project.markers if marker["name"] != name]
    if len(kept) == len(project.markers):
        names = ", ".join(f"'{marker['name']}'" for marker in project.markers) or "none"
        raise InputError(f"there is no marker '{name}'; there are: {names}")
    project.markers = kept


@command("simulate", steers=True)
def advance(project: Project, seconds: float | None = None, steps: int | None = None) -> None:
    """Simulate on, for so many seconds or steps, and keep it."""
    if (seconds is None) == (steps is None):
        raise InputError("say either how many seconds or how many steps to simulate")
    count = round(seconds / project.sim.config.dt) if seconds is not None else steps
    assert count is not None
    try:
        project.advance(count)
    finally:
        project.keep()


@command("go to {time:.2f} s")
def go_to(project: Project, time: float, lane: int | str | None = None, bring_keyframes: bool = False) -> None:
    """Go to a time on record, with the commands of then and the parameters of now.

    With `bring_keyframes` the keyframes of now come along, to be played from there.
    """
    _check_not_deleted(project.take.branch(project.position.branch if lane is None else lane))
    scene = project.scene_data
    made = project.sim.director.as_data()["keyframes"] if bring_keyframes and project.sim.has_director else []
    project.go_to(time, lane)
    if made and project.scene_data == scene:
        _bring_keyframes(project, made)


def _check_not_deleted(branch: Branch) -> None:
    if branch.deleted:
        raise InputError(f"branch '{branch.name}' was deleted; restore it first, with restore_lane(lane={branch.id})")


def _bring_keyframes(project: Project, made: list[dict[str, Any]]) -> None:
    """Have these tracks too; one that was there already gets their keys, and plays on as it did."""
    director = project.sim.director
    data = director.as_data()
    tracks = {track["id"]: track for track in data["keyframes"]}
    for track in made:
        then = tracks.get(track["id"])
        keys = {"times": track["times"], "poses": track["poses"]}
        tracks[track["id"]] = {**track, "playing": False} if then is None else {**then, **keys}
    if list(tracks.values()) != data["keyframes"]:
        director.restore_data({**data, "keyframes": list(tracks.values())})


@command("warp {lane}")
def warp(
    project: Project,
    start: float | None = None,
    end: float | None = None,
    factor: float | None = None,
    knots: list[tuple[float, float]] | None = None,
    lane: int | str | None = None,
    until: float | None = None,
    name: str = "",
) -> int:
    """Replay the commands of a stretch, `factor` times as long or through `knots`, as a new branch; returns its number.

    The stretch is a whole branch if neither start nor end are given. Knots are pairs of a recorded and a new time. Commands
    after the stretch are shifted and replayed as well, up to the recorded time `until` or the end of the branch.
    """
    take = project.take
    if name:
        take.check_name(name)
    warping = project.prepared or prepare_warp(project, start, end, factor, knots, lane, until)
    with closing(warping):
        warping.simulate(lambda _: project.watch() if project.watch else None)
        made = warping.keep()
    if name:
        take.rename(made.id, name)
    how = "" if factor is None else f", {factor:g}×"
    project.label = f"warp '{take.branch(project.position.branch if lane is None else lane).name}'{how}"
    project.journal.hide_before(made.id)
    return made.id


def prepare_warp(
    project: Project,
    start: float | None = None,
    end: float | None = None,
    factor: float | None = None,
    knots: list[tuple[float, float]] | None = None,
    lane: int | str | None = None,
    until: float | None = None,
) -> Warp:
    """What the command `warp` does, up to the simulation."""
    chosen = project.take.branch(project.position.branch if lane is None else lane)
    _check_not_deleted(chosen)
    return project.take.prepare_warp(start, end, factor, knots=knots, branch=chosen.id, until=until)


@command("change by a script")
def change(project: Project, patch: dict[str, object]) -> None:
    """Change the document directly."""
    project.restore_document(apply(project.document, patch))


@command("play {name}")
def perform(project: Project, name: str) -> None:
    """Let a built-in performance play, in its own scene and from the start of that; everything is recorded."""
    act = find_performance(name)
    if project.sim.time > 0:
        raise InputError(f"performance '{name}' plays from the start; open its scene '{act.scene}' again")
    act(sim=project.sim, each=project.watch).perform()
