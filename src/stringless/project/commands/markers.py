"""Markers: named times."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from stringless.errors import InputError
from stringless.project.commands.registry import command

if TYPE_CHECKING:
    from stringless.project.project import Project


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
