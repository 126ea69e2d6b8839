"""The take: its branches, the pieces that are joined, and markers, which are named times."""

import math
from typing import Any

from stringless.errors import InputError
from stringless.project.commands.registry import Project, command


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
        lane, start, end = take.branch(piece[0]), float(piece[1]), float(piece[2])
        first, last = take.begin(lane.id), take.end(lane.id)
        if not first <= start < end <= last:
            raise InputError(
                f"branch '{lane.name}' runs from {first:.4g} s to {last:.4g} s; found {start:g} to {end:g}"
            )
        chosen.append({"lane": lane.id, "start": start, "end": end})
    project.sequence = chosen


@command("mark {name}")
def mark(project: Project, name: str, time: float | None = None) -> None:
    """Mark a time, the present one if not given; a marker of that name moves."""
    at = project.sim.time if time is None else time
    if not (name.strip() and math.isfinite(at)):
        raise InputError(f"cannot mark {at} s as {name!r}; expected a finite time and a name that can be read")
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
