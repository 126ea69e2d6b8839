"""The journal as a Python program."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from stringless.project.journal import Entry

if TYPE_CHECKING:
    from stringless.project.project import Project


def write_script(project: Project) -> str:
    """A program that does everything again, in a project of its own."""
    name = "untitled" if project.path is None else project.path.stem
    lines = [f'"""What was done in project {name!r}."""', "", "import stringless as sl", ""]
    lines.append(f"project = sl.Project.create({_format_source(project)})")
    for entries in project.journal.list_groups():
        gesture = len(entries) > 1 and "label" in entries[0]  # not so if several were lost in a row
        if gesture:
            lines.append(f"with project.gesture({entries[0]['label']!r}):")
        lines += [("    " if gesture else "") + format_entry(entry) for entry in entries]
    return "\n".join(lines) + "\n"


def format_entry(entry: Entry, longest: float = math.inf) -> str:
    """One entry as a line of Python; longer arguments are left out."""
    if "do" not in entry:
        return "# something was lost here when a damaged file was rescued"
    if entry["do"] in ("undo", "redo"):
        return f"project.{entry['do']}()"
    texts = {name: repr(value) for name, value in entry["with"].items()}
    arguments = "".join(f", {name}={text if len(text) <= longest else '...'}" for name, text in texts.items())
    return f"project.do({entry['do']!r}{arguments})"


def _format_source(project: Project) -> str:
    """Arguments of `create`: the scene that the project has begun with, its options and its settings."""
    first = project.store.get("first")
    source = repr(first["source"]) if first["source"] else f"sl.Project.first_scene({str(project.path)!r})"
    options = f", options={first['options']!r}" if first["source"] and first.get("options") else ""
    return source + options + "".join(f", {name}={value!r}" for name, value in first["settings"].items())
