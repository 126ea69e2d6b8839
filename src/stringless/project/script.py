"""The journal as a Python program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stringless.project.project import Project


def script_of(project: Project) -> str:
    """A program that does everything again, in a project of its own."""
    first = _first_scene(project)
    lines = [f'"""What was done in project {_name(project)!r}."""', "", "import stringless as sl", ""]
    lines += [f"project = sl.Project.create({first})"]
    gesture = 0
    for group, entries in _groups(project):
        label = entries[0]["label"]
        if len(entries) > 1:
            lines.append(f"with project.gesture({label!r}):")
            gesture = 4
        lines += [" " * gesture + line_of(entry) for entry in entries]
        gesture = 0
        del group
    return "\n".join(lines) + "\n"


def line_of(entry: dict[str, Any]) -> str:
    """One entry as a line of Python."""
    if entry["do"] in ("undo", "redo"):
        return f"project.{entry['do']}()"
    given = "".join(f", {name}={value!r}" for name, value in entry["with"].items())
    return f"project.do({entry['do']!r}{given})"


def _groups(project: Project) -> list[tuple[int, list[dict[str, Any]]]]:
    groups: list[tuple[int, list[dict[str, Any]]]] = []
    for _, entry in project.store.journal():
        if not groups or groups[-1][0] != entry["group"]:
            groups.append((entry["group"], []))
        groups[-1][1].append(entry)
    return groups


def _first_scene(project: Project) -> str:
    first = project.store.get("first")
    source = repr(first["source"]) if first["source"] else f"sl.Project.first_scene({str(project.path)!r})"
    settings = "".join(f", {name}={value!r}" for name, value in first["settings"].items())
    return source + settings


def _name(project: Project) -> str:
    return "untitled" if project.path is None else project.path.stem
