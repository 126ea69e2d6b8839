"""The document: everything that a person has made and may want back, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stringless.simulation.inputs import complete_parameters

if TYPE_CHECKING:
    from stringless.project.project import Project

Document = dict[str, Any]
FED = ("function", "stream")
"""Targets that move from outside: where they are now is no part of the document."""
PASSING = ("view",)
"""Parameters that are not made by hand: the camera. A take has them, undo does not."""


def lasting(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters that are part of a document."""
    return {name: value for name, value in parameters.items() if name not in PASSING}


def with_all_parameters(document: Document) -> Document:
    """A document of an earlier version, with the parameters that have come since."""
    return document | {"parameters": lasting(complete_parameters(document["parameters"]))}


def read_document(project: Project, before: Document) -> Document:
    """The document as it is now; `before` is what it was."""
    renamed: dict[str, Any] = {}
    for branch in project.take.branches.values():
        changes = {"name": branch.name} if branch.name != branch.first_name else {}
        changes |= {"deleted": True} if branch.deleted else {}
        if changes:
            renamed[str(branch.id)] = changes
    return {
        "scene": project.scene_data,
        "parameters": lasting(project.sim.parameters()),
        "director": _read_director(project, before.get("director")),
        "lanes": renamed,
        "sequence": list(project.sequence),
        "markers": list(project.markers),
        "edit": project.edits.data,
    }


def _read_director(project: Project, before: Any) -> Any:
    data = project.sim.director.commands() if project.sim.has_director else None
    if data is not None:
        known = {goal["id"]: goal.get("target") for goal in before["goals"]} if before else {}
        for goal in data["goals"]:
            old, kind = known.get(goal["id"]), goal.get("target", {}).get("kind")
            if old and kind in FED and kind == old["kind"]:
                goal["target"] = old
    return data
