"""Moving in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stringless.errors import InputError
from stringless.project.commands.registry import command

if TYPE_CHECKING:
    from stringless.project.project import Project


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


@command("go to {time} s")
def go_to(project: Project, time: float, lane: int | str | None = None) -> None:
    """Go to a moment on record, with the commands of then and the parameters of now."""
    chosen = project.take.lane(project.position.lane if lane is None else lane)
    if chosen.deleted:
        raise InputError(f"lane '{chosen.name}' was deleted; bring it back first, with restore_lane(lane={chosen.id})")
    project.go_to(time, lane)


@command("change by a script")
def change(project: Project, patch: dict[str, object]) -> None:
    """Change the document directly."""
    project.change(patch)
