"""What to take back after a trouble: parameters that were changed just before it came."""

from __future__ import annotations

from typing import Any

from stringless.project import Project
from stringless.timeline.patch import apply

SUSPECT = 2.0
"""A change counts as the cause if no more than this was simulated since [s]."""
LOOKED_AT = 1000
"""Entries of the journal that are searched."""


def parameters_before(project: Project) -> dict[str, Any]:
    """What the newest change of parameters has changed, as it was before; nothing if that was long ago."""
    last = project.store.journal_length
    entries = dict(project.store.journal(after=max(last - LOOKED_AT, 0)))
    steps = {number: step for step in project.history.done for number in step.entries}
    simulated = 0.0
    for number, entry in sorted(entries.items(), reverse=True):
        if entry.get("do") == "advance":
            simulated += entry["to"][2] - entry["at"][2]
        if simulated > SUSPECT:
            break
        if entry.get("do") == "configure" and number in steps:
            changes = [entries[k] for k in steps[number].entries if k in entries and entries[k]["do"] == "configure"]
            return _taken_back(project, changes)
    return {}


def _taken_back(project: Project, changes: list[dict[str, Any]]) -> dict[str, Any]:
    now = project.sim.parameters()
    document: dict[str, Any] = {"parameters": now}
    for entry in reversed(changes):
        ours = {path: value for path, value in entry["back"].items() if path.startswith("/parameters/")}
        document = apply(document, ours)
    return {name: value for name, value in document["parameters"].items() if value != now.get(name)}


def in_words(parameters: dict[str, Any]) -> str:
    """That parameters are what they were, for people to read."""
    return ", ".join(_in_words(name, value) for name, value in parameters.items())


def _in_words(name: str, value: Any) -> str:
    if name == "dt":
        return f"the step is {value * 1e3:g} ms again"
    if isinstance(value, dict):
        return f"the {name} is as before again"
    shown = f"{value:g}" if isinstance(value, float) else str(value)
    return f"{name.replace('_', ' ')} is {shown} again"
