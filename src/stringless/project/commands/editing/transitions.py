"""Transitions of a motion: grips, releases, bounces, and when they happen."""

from typing import Any

import numpy as np

from stringless.editing.course import Course
from stringless.editing.data import controls_data, read_transition, transition_data
from stringless.editing.editor import Editor
from stringless.errors import InputError
from stringless.project.commands.editing.nails import ORIGIN, snap_time
from stringless.project.commands.registry import Project, command

Data = dict[str, Any]
CHANGES = {
    "grip": ("kind", "axis", "surface", "time"),
    "release": ("time",),
    "bounce": ("restitution", "surface", "time"),
}
"""What can be changed of each kind of transition."""


@command("grip {body}")
def edit_grip(
    project: Project,
    body: str,
    time: float,
    point: Any = ORIGIN,
    kind: str = "ball",
    axis: Any = None,
    free: bool = False,
    surface: Any = None,
) -> int:
    """Hold a point of a body from a time on, by a ball or a hinge; with a surface, when the point meets it.

    Returns its place among the transitions. `free` lets edits move the time.
    """
    when = {"time": time, "free": free} if surface is None else surface
    data = {"kind": "grip", "body": body, "point": list(point), "hold": kind, "when": when}
    return _insert(project, time, data | ({} if axis is None else {"axis": list(axis)}))


@command("let go")
def edit_release(project: Project, time: float, free: bool = False) -> int:
    """Let go of everything at a time."""
    return _insert(project, time, {"kind": "release", "when": {"time": time, "free": free}})


@command("bounce {body}")
def edit_bounce(
    project: Project, body: str, time: float, point: Any = ORIGIN, restitution: float = 1.0, surface: Any = None
) -> int:
    """Let a point of a body bounce off a plane; off one that it meets squarely at this time if none is given."""
    when = _find_plane(project, body, time, point) if surface is None else surface
    data = {"kind": "bounce", "body": body, "point": list(point), "restitution": restitution, "when": when}
    return _insert(project, time, data)


@command("change what happens")
def edit_happening(
    project: Project,
    index: int,
    kind: str | None = None,
    axis: Any = None,
    restitution: float | None = None,
    surface: Any = None,
    time: float | None = None,
) -> None:
    """Change a transition, by its place among them; what is not said stays.

    A grip may hold by another `kind`, wait for a `surface`, or for a `time` alone. A bounce may have another restitution, and go
    off another `surface`, or off the plane that it meets squarely at a `time`.
    """
    data = _list_with(project, index)
    entry = data[index]
    given = {"kind": kind, "axis": axis, "restitution": restitution, "surface": surface, "time": time}
    given = {name: value for name, value in given.items() if value is not None}
    for name in given.keys() - set(CHANGES[entry["kind"]]):
        raise InputError(
            f"transition {index} is a {entry['kind']}, which has no {name}; choose from: {', '.join(CHANGES[entry['kind']])}"
        )
    if "kind" in given:
        entry.pop("axis", None)
        entry["hold"] = kind
    entry |= {name: given[name] for name in ("axis", "restitution") if name in given}
    if surface is not None:
        entry["when"] = surface
    elif time is not None and entry["kind"] == "bounce":
        # Where it has bounced, it flies the other way already.
        before = max(time - project.edits.editor().course.dt, 0.0)
        entry["when"] = _find_plane(project, entry["body"], before, entry["point"])
    elif time is not None:
        entry["when"] = {"time": time, "free": entry["when"].get("free", True)}
    _replace(project, data, {k: k for k in range(len(data))})


@command("take out what happens")
def edit_cut(project: Project, index: int) -> None:
    """Take a transition out, by its place among them."""
    data = _list_with(project, index)
    _replace(project, data[:index] + data[index + 1 :], {k: k + (k >= index) for k in range(len(data) - 1)})


@command("move in time")
def edit_retime(editor: Editor, time: float, to: float, solve: bool = True) -> None:
    """Move what happens at one time to another: a transition, the nails of that time, or else the pose."""
    editor.retime(snap_time(editor, time), snap_time(editor, to))
    if solve and editor.nails:
        editor.solve()


def list_transitions(project: Project) -> list[Data]:
    """The transitions as they are now, with times that were edited."""
    editor = project.edits.editor()
    out = [transition_data(editor.model, t) for t in editor.course.transitions]
    for entry, time in zip(out, editor.controls.times, strict=True):
        if np.isfinite(time):
            entry["when"] = {**entry["when"], "time": float(time)}
    return out


def _list_with(project: Project, index: int) -> list[Data]:
    """All transitions, among which this one must be."""
    data = list_transitions(project)
    if not 0 <= index < len(data):
        raise InputError(f"there is no transition {index}; there are {len(data)}, counted from 0")
    return data


def _find_plane(project: Project, body: str, time: float, point: Any) -> Data:
    """The plane that a point of a body meets squarely at a time."""
    editor = project.edits.editor()
    bodies = editor.find_bodies(snap_time(editor, time))
    index, at = project.sim.model.body(body).index, np.array(point, float)
    v = bodies.point_velocity(index, at)[0]
    if not np.linalg.norm(v) > 1e-6:
        raise InputError(f"body '{body}' stands still at {time:g} s, and meets nothing; give a plane")
    normal = -v / np.linalg.norm(v)
    return {"plane": {"point": bodies.point(index, at)[0].tolist(), "normal": normal.tolist()}}


def _insert(project: Project, time: float, new: Data) -> int:
    data, times = list_transitions(project), project.edits.editor().times
    at = sum(t < time for t in times)
    _replace(project, [*data[:at], new, *data[at:]], {k + (k >= at): k for k in range(len(data))})
    return at


def _replace(project: Project, data: list[Data], known: dict[int, int]) -> None:
    """Replace all transitions; `known` maps new to old positions, so that velocities that were added there stay."""
    editor = project.edits.editor()
    controls, course = editor.controls, editor.course
    new = Course(editor.model, [read_transition(entry) for entry in data], course.duration, course.dt)
    pushes: list[list[float]] = []
    for k, configuration in enumerate(new.configurations[1:]):
        old, size = controls.pushes[known[k]] if k in known else np.zeros(0), configuration.model.nv
        pushes.append(old.tolist() if len(old) == size else [0.0] * size)
    times = [entry["when"].get("time") for entry in data]
    project.edits.rebuild(transitions=data, controls={**controls_data(controls), "times": times, "pushes": pushes})
