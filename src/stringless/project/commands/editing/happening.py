"""What happens in a motion: grips, releases, bounces, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stringless.editing.course import Course
from stringless.editing.data import controls_data, transition_data, transition_from
from stringless.errors import InputError
from stringless.project.commands.editing.moments import ORIGIN, moment
from stringless.project.commands.registry import command

if TYPE_CHECKING:
    from stringless.project.project import Project

CHANGES = {
    "grip": ("kind", "axis", "surface", "time"),
    "release": ("time",),
    "bounce": ("restitution", "surface", "time"),
}
"""What each kind of transition has that can be changed."""


@command("grip {body}")
def edit_grip(
    project: Project, body: str, time: float, point: Any = ORIGIN, kind: str = "ball", axis: Any = None, free: bool = False,
    surface: Any = None,
) -> int:  # fmt: skip
    """Hold a point of a body from a moment on, by a ball or a hinge; with a surface, when the point meets it.

    Returns its place among the transitions. `free` lets edits move the time.
    """
    when = {"time": time, "free": free} if surface is None else surface
    what = {"kind": "grip", "body": body, "point": list(point), "hold": kind, "when": when}
    return _insert(project, time, what | ({} if axis is None else {"axis": list(axis)}))


@command("let go")
def edit_release(project: Project, time: float, free: bool = False) -> int:
    """Let go of everything at a moment."""
    return _insert(project, time, {"kind": "release", "when": {"time": time, "free": free}})


@command("bounce {body}")
def edit_bounce(
    project: Project, body: str, time: float, point: Any = ORIGIN, restitution: float = 1.0, surface: Any = None
) -> int:
    """Let a point of a body bounce off a plane; off one that it meets squarely at this moment if none is given."""
    surface = _across(project, body, time, point) if surface is None else surface
    what = {"kind": "bounce", "body": body, "point": list(point), "restitution": restitution, "when": surface}
    return _insert(project, time, what)


@command("change what happens")
def edit_happening(
    project: Project, index: int, kind: str | None = None, axis: Any = None, restitution: float | None = None,
    surface: Any = None, time: float | None = None,
) -> None:  # fmt: skip
    """Change a transition, by its place among them; what is not said stays.

    A grip may hold by another `kind`, wait for a `surface`, or for a `time` alone. A bounce may have another restitution, and go
    off another `surface`, or off the plane that it meets squarely at a `time`.
    """
    happens = _known(project, index)
    entry = happens[index]
    said = {"kind": kind, "axis": axis, "restitution": restitution, "surface": surface, "time": time}
    said = {name: value for name, value in said.items() if value is not None}
    for name in said.keys() - set(CHANGES[entry["kind"]]):
        raise InputError(
            f"transition {index} is a {entry['kind']}, which has no {name}; choose from: {', '.join(CHANGES[entry['kind']])}"
        )
    if "kind" in said:
        entry.pop("axis", None)
        entry["hold"] = kind
    entry |= {name: said[name] for name in ("axis", "restitution") if name in said}
    if surface is not None or time is not None:
        entry["when"] = _when(project, entry, time) if surface is None else surface
    transit(project, happens, {k: k for k in range(len(happens))})


def _when(project: Project, entry: dict[str, Any], time: Any) -> dict[str, Any]:
    """When a transition happens that is moved to a time: a bounce needs something to go off then."""
    if entry["kind"] != "bounce":
        return {"time": time, "free": entry["when"].get("free", True)}
    # Where it has bounced, it flies the other way already.
    return _across(project, entry["body"], max(time - project.edits.editor().course.dt, 0.0), entry["point"])


@command("take out what happens")
def edit_cut(project: Project, index: int) -> None:
    """Take a transition out, by its place among them."""
    happens = _known(project, index)
    transit(project, happens[:index] + happens[index + 1 :], {k: k + (k >= index) for k in range(len(happens) - 1)})


@command("move in time")
def edit_retime(project: Project, time: float, to: float, solve: bool = True) -> None:
    """Let what happens at a moment happen at another: a transition, what is nailed then, or else the pose of then."""
    with project.edits.changing() as editor:
        editor.retime(moment(editor, time), moment(editor, to))
        if solve and editor.nails:
            editor.solve()


def happens_in(project: Project) -> list[dict[str, Any]]:
    """The transitions as they are now: times that were edited are theirs."""
    editor = project.edits.editor()
    out = [transition_data(editor.model, t) for t in editor.course.transitions]
    for entry, time in zip(out, editor.controls.times, strict=True):
        if np.isfinite(time):
            entry["when"] = {**entry["when"], "time": float(time)}
    return out


def _known(project: Project, index: int) -> list[dict[str, Any]]:
    """All transitions, if there is one of this number."""
    happens = happens_in(project)
    if not 0 <= index < len(happens):
        raise InputError(f"there is no transition {index}; there are {len(happens)}, counted from 0")
    return happens


def _across(project: Project, body: str, time: float, point: Any) -> dict[str, Any]:
    """The plane that a point of a body meets squarely at a moment."""
    editor = project.edits.editor()
    seen = editor.see(moment(editor, time))
    index, at = project.sim.model.body(body).index, np.array(point, float)
    v = seen.point_velocity(index, at)[0]
    if not np.linalg.norm(v) > 1e-6:
        raise InputError(f"body '{body}' stands still at {time:g} s, and meets nothing; give a plane")
    normal = -v / np.linalg.norm(v)
    return {"plane": {"point": seen.point(index, at)[0].tolist(), "normal": normal.tolist()}}


def _insert(project: Project, time: float, what: dict[str, Any]) -> int:
    happens, times = happens_in(project), project.edits.editor().times
    at = sum(t < time for t in times)
    transit(project, [*happens[:at], what, *happens[at:]], {k + (k >= at): k for k in range(len(happens))})
    return at


def transit(project: Project, happens: list[dict[str, Any]], known: dict[int, int]) -> None:
    """Go on with other transitions; `known` says which was which, so that what was added there stays."""
    editor = project.edits.editor()
    transitions, course = [transition_from(entry) for entry in happens], editor.course
    shapes = [c.model.nv for c in Course(editor.model, transitions, course.duration, course.dt).configurations[1:]]
    controls, pushes = editor.controls, []
    for k, size in enumerate(shapes):
        old = controls.pushes[known[k]] if k in known else np.zeros(0)
        pushes.append(old.tolist() if len(old) == size else [0.0] * size)
    times = [entry["when"].get("time") for entry in happens]
    project.edits.rebuild(transitions=happens, controls={**controls_data(controls), "times": times, "pushes": pushes})
