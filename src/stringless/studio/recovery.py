"""Recovery: work that was left when the studio ended unexpectedly, and parameters to restore after a trouble."""

import contextlib
import re
import time
from pathlib import Path
from typing import Any

from stringless.errors import StringlessError
from stringless.project import Project
from stringless.project.commands import COMMANDS
from stringless.project.journal import History, Journal
from stringless.studio.storage import Storage
from stringless.timeline.patch import apply
from stringless.timeline.store import Store

MOST = 5
"""Files that are searched when the studio starts, newest first."""
AUTOMATIC = COMMANDS["perform"].format_label({"name": ""}), COMMANDS["edit_study"].format_label({})
"""How the labels of steps begin that opening something makes by itself."""
DATE = re.compile(r" \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d.*$")
SUSPECT = 2.0
"""A change counts as the cause of a trouble if no more than this was simulated since [s]."""
SEARCHED = 1000
"""Entries of the journal that are searched for it."""


def describe_contents(journal: Journal) -> str:
    """What a project contains, in words."""
    document, store = journal.document, journal.store
    edit, branches = document["edit"], document["lanes"]
    takes = sum(not branches.get(str(number), {}).get("deleted", False) for number in store.branches())
    nails = 0 if edit is None else len(edit["nails"])
    steps = len(journal.history.done)
    parts = [
        *([f"an edit with {_count(nails, 'nail')}" if nails else "an edit"] if edit is not None else []),
        *([_count(takes, "take")] if takes else []),
        *([f"{_count(steps, 'step')} that can be undone"] if steps else []),
    ]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts) or "nothing was done yet"


def find_unclosed(storage: Storage) -> tuple[Path, str] | None:
    """The newest unsaved project with changes that was open when the studio ended, and its description."""
    for path in storage.list_unclosed()[:MOST]:
        with contextlib.suppress(StringlessError, OSError), Store.open(path, readonly=True) as store:
            journal = Journal(store)
            if store.recovered is not None and has_changes(journal.history):
                title, when = DATE.sub("", path.stem), _format_time(store.recovered.last_commit)
                return path, f"{title}, {when}: {describe_contents(journal)}"
    return None


def has_changes(history: History) -> bool:
    """Whether anything was done that could be undone, besides opening a performance or a study."""
    steps = [*history.done, *history.undone]
    return len(steps) > 1 or any(not step.label.startswith(AUTOMATIC) for step in steps)


def find_suspects(project: Project) -> dict[str, Any]:
    """Parameters that were changed just before a trouble, with their former values."""
    last = project.store.journal_length
    entries = dict(project.store.journal(after=max(last - SEARCHED, 0)))
    steps = {number: step for step in project.history.done for number in step.entries}
    simulated = 0.0
    for number, entry in sorted(entries.items(), reverse=True):
        if entry.get("do") == "advance":
            simulated += entry["to"][2] - entry["at"][2]
        if simulated > SUSPECT:
            break
        if entry.get("do") == "configure" and number in steps:
            changes = [entries[k] for k in steps[number].entries if k in entries and entries[k]["do"] == "configure"]
            return _find_former_values(project, changes)
    return {}


def _find_former_values(project: Project, changes: list[dict[str, Any]]) -> dict[str, Any]:
    now = project.sim.parameters()
    document: dict[str, Any] = {"parameters": now}
    for entry in reversed(changes):
        back = {path: value for path, value in entry["back"].items() if path.startswith("/parameters/")}
        document = apply(document, back)
    return {name: value for name, value in document["parameters"].items() if value != now.get(name)}


def describe_restored(parameters: dict[str, Any]) -> str:
    """That parameters have their former values, in words."""
    return ", ".join(_describe_value(name, value) for name, value in parameters.items())


def _describe_value(name: str, value: Any) -> str:
    if name == "dt":
        return f"the step is {value * 1e3:g} ms again"
    if isinstance(value, dict):
        return f"the {name} is as before again"
    shown = f"{value:g}" if isinstance(value, float) else str(value)
    return f"{name.replace('_', ' ')} is {shown} again"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _format_time(moment: float) -> str:
    then, now = time.localtime(moment), time.localtime()
    return time.strftime("%H:%M today" if then[:3] == now[:3] else "%Y-%m-%d %H:%M", then)
