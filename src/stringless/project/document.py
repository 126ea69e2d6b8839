"""The document: all that a person has made and may want back, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stringless.simulation.inputs import completed

if TYPE_CHECKING:
    from stringless.project.project import Project

Document = dict[str, Any]
FED = ("function", "stream")
"""Targets that move from outside: where they just are is no part of the document."""


PASSING = ("view",)
"""Parameters that nobody has made: from where somebody looks. A take knows them, undo does not."""


def lasting(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters that are part of a document."""
    return {name: value for name, value in parameters.items() if name not in PASSING}


def with_all_parameters(document: Document) -> Document:
    """A document as an earlier version wrote it, with the parameters that have come since."""
    return document | {"parameters": lasting(completed(document["parameters"]))}


def read_document(project: Project, before: Document) -> Document:
    """The document as it is now; `before` is what it was."""
    return {
        "scene": project.scene_data,
        "parameters": lasting(project.sim.parameters()),
        "director": _director(project, before.get("director")),
        "lanes": {
            str(lane.id): ({"name": lane.name} if lane.name != lane.first_name else {})
            | ({"deleted": True} if lane.deleted else {})
            for lane in project.take.branches.values()
            if lane.deleted or lane.name != lane.first_name
        },
        "sequence": list(project.sequence),
        "markers": list(project.markers),
        "edit": project.edits.data,
    }


def _director(project: Project, before: Any) -> Any:
    sim = project.sim
    data = sim.director.commands() if sim.has_director else None
    if data is None:
        return None
    known = {goal["id"]: goal for goal in before["goals"]} if before else {}
    for goal in data["goals"]:
        old = known.get(goal["id"], {}).get("target")
        if old and goal.get("target", {}).get("kind") in FED and goal["target"]["kind"] == old["kind"]:
            goal["target"] = old
    return data
