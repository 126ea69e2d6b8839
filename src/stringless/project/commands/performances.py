"""Performances: motions that a script directs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stringless.errors import InputError
from stringless.model.checks import suggest
from stringless.performances import PERFORMANCES
from stringless.project.commands.registry import command

if TYPE_CHECKING:
    from stringless.project.project import Project


@command("play {name}")
def perform(project: Project, name: str) -> None:
    """Let a built-in performance play, in its own scene and from the start of that; everything is recorded."""
    if name not in PERFORMANCES:
        raise InputError(f"there is no performance '{name}'. {suggest(name, PERFORMANCES)}")
    if project.sim.time > 0:
        raise InputError(f"performance '{name}' plays from the start; open its scene '{PERFORMANCES[name].scene}' anew")
    PERFORMANCES[name](film=0, sim=project.sim, each=project.watch).perform()
