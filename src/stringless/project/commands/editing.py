"""The motion editor: opening a motion, what happens in it, what is wanted of it, and keeping it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stringless.editing.course import Course
from stringless.editing.data import controls_data, controls_from, transition_data, transition_from
from stringless.editing.editor import Editor
from stringless.editing.opening import configurations, open_present, open_take, record, shown_as
from stringless.errors import InputError
from stringless.model.pose import rotation_matrix
from stringless.project.commands.registry import command
from stringless.project.commands.scene import rebuild

if TYPE_CHECKING:
    from stringless.project.project import Project

ORIGIN = (0.0, 0.0, 0.0)
ROUNDED = 1e-6
"""What rounding to single precision may change of a moment [s]."""
NAILS = {
    "point": "nail", "velocity": "nail_velocity", "rotation": "nail_rotation", "spin": "nail_spin", "center": "nail_center",
    "center velocity": "nail_center_velocity", "joint": "nail_joint",
}  # fmt: skip
"""What makes a nail of each kind."""


# --- opening and closing ---


@command("edit the take")
def edit_open(
    project: Project, lane: int | str | None = None, begin: float | None = None, end: float | None = None
) -> str:
    """Open what is on record for editing, all of a lane or from a time to another; says why it ends early if it does."""
    project.edits.require_closed()
    chosen = project.take.lane(project.position.lane if lane is None else lane)
    at = project.take.begin(chosen.id) if begin is None else begin
    if project.take.owner(at, chosen.id).scene != project.recorded_scene:
        raise InputError(f"lane '{chosen.name}' shows another scene than is open now; go to a moment of it first")
    opened = open_take(project.sim, lane=chosen.id, begin=begin, end=end)
    project.edits.open(opened.editor, opened.lane, opened.begin)
    return opened.note


@command("edit from here")
def edit_start(project: Project, duration: float = 1.0, dt: float | None = None) -> None:
    """Open the motion that the character would have from the present moment on, left to itself, for so many seconds."""
    position = project.position
    editor = open_present(project.sim, float(duration), dt=dt)
    project.edits.open(editor, position.lane, project.sim.time)


@command("edit the study")
def edit_study(project: Project) -> None:
    """Open the motion that the scene carries to be edited."""
    study = project.scene().study
    if study is None:
        raise InputError(f"scene '{project.scene().name}' carries no motion to edit; use edit_open() or edit_start()")
    project.edits.open_data(dict(study))


@command("close the editor")
def edit_close(project: Project) -> None:
    """Close the editor; the motion is thrown away, and undo brings it back."""
    project.edits.close()


@command("keep the motion {name}")
def edit_keep(project: Project, name: str = "", close: bool = True) -> int:
    """Make the edited motion a lane of the take, to direct from any moment of it; the number of the lane.

    A character that is held in its scene and lets go goes on in a scene in which its root is free.
    """
    edits, here = project.edits, project.position
    editor, data = edits.editor(), edits.data
    assert data is not None
    for miss in editor.run.misses:
        raise InputError(
            f"transition {miss.transition + 1} of the motion misses its bar by {miss.gap:.3g} m, and would hold on to nothing; "
            "solve first, or take the transition out"
        )
    form = shown_as(editor).model
    is_freed = form is not editor.model
    if is_freed and not close:
        raise InputError(
            "the motion lets go of what holds its root, and is kept in another scene: close=False cannot be had"
        )
    try:
        if is_freed:
            start = {"q": configurations(editor, np.zeros(1))[0], "v": (), "study": None}
            rebuild(project, list(form.specs), tuple(editor.model.gravity), **start)
        elif data["lane"] is not None:
            project.go_to(data["begin"], data["lane"])
        if is_freed or data["lane"] is None:
            project.sim.state.time = data["begin"]
        record(project.sim, editor)
        project.finish()
        if name:
            project.take.rename(project.take.current, name)
    except BaseException:
        if here.lane is not None:
            project.go_to(here.time, here.lane)
        raise
    if close:
        edits.data = None
    return project.take.current


# --- what happens in it ---


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
    if surface is None:
        editor = project.edits.editor()
        seen = editor.see(moment(editor, time))
        index, at = project.sim.model.body(body).index, np.array(point, float)
        v = seen.point_velocity(index, at)[0]
        if not np.linalg.norm(v) > 1e-6:
            raise InputError(f"body '{body}' stands still at {time:g} s, and meets nothing; give a plane")
        normal = -v / np.linalg.norm(v)
        surface = {"plane": {"point": seen.point(index, at)[0].tolist(), "normal": normal.tolist()}}
    what = {"kind": "bounce", "body": body, "point": list(point), "restitution": restitution, "when": surface}
    return _insert(project, time, what)


@command("take out what happens")
def edit_cut(project: Project, index: int) -> None:
    """Take a transition out, by its place among them."""
    happens = _happens(project)
    if not 0 <= index < len(happens):
        raise InputError(f"there is no transition {index}; there are {len(happens)}, counted from 0")
    _transit(project, happens[:index] + happens[index + 1 :], {k: k + (k >= index) for k in range(len(happens) - 1)})


@command("move in time")
def edit_retime(project: Project, time: float, to: float, solve: bool = True) -> None:
    """Let what happens at a moment happen at another: a transition, what is nailed then, or else the pose of then."""
    with project.edits.changing() as editor:
        editor.retime(moment(editor, time), moment(editor, to))
        if solve and editor.nails:
            editor.solve()


def moment(editor: Editor, time: float) -> float:
    """A moment of the motion; one that is outside by rounding is its beginning or its end."""
    near = min(max(float(time), 0.0), editor.course.duration)
    return near if abs(near - time) < ROUNDED else float(time)


def _happens(project: Project) -> list[dict[str, Any]]:
    """The transitions as they are now: times that were edited are theirs."""
    editor = project.edits.editor()
    out = [transition_data(editor.model, t) for t in editor.course.transitions]
    for entry, time in zip(out, editor.controls.times, strict=True):
        if np.isfinite(time):
            entry["when"] = {**entry["when"], "time": float(time)}
    return out


def _insert(project: Project, time: float, what: dict[str, Any]) -> int:
    happens, times = _happens(project), project.edits.editor().times
    at = sum(t < time for t in times)
    _transit(project, [*happens[:at], what, *happens[at:]], {k + (k >= at): k for k in range(len(happens))})
    return at


def _transit(project: Project, happens: list[dict[str, Any]], known: dict[int, int]) -> None:
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


# --- what is wanted ---


@command("nail {body}")
def edit_nail(
    project: Project, body: str = "", time: float = 0.0, kind: str = "point", target: Any = None, point: Any = ORIGIN,
    strength: float = 1.0, nail: int | None = None,
) -> int:  # fmt: skip
    """Want something of a body at a moment: that a point is at the target, or as it is; returns its number.

    Kinds are point, velocity, rotation (a quaternion x, y, z, w or a matrix), spin, joint, center and center velocity. With
    the number of a nail that is there, it is replaced.
    """
    with project.edits.changing() as editor:
        if kind not in NAILS:
            raise InputError(f"a nail of kind '{kind}' is unknown; choose one of: {', '.join(NAILS)}")
        more: dict[str, Any] = {"time": moment(editor, time), "strength": float(strength)}
        if nail is not None:
            editor.remove(nail)
            more["id"] = nail
        more["target"] = None if target is None else _target(kind, target)
        if kind in ("point", "velocity"):
            more["point"] = point
        make = getattr(editor, NAILS[kind])
        which = editor.model.body(body).index if kind == "joint" else body
        made = make(**more) if kind.startswith("center") else make(which, **more)
        if nail is not None:
            editor.nails.sort(key=lambda nail: nail.id)
        return made.id


def _target(kind: str, target: Any) -> Any:
    return rotation_matrix(tuple(target)) if kind == "rotation" and len(target) == 4 else target


@command("take a nail out")
def edit_unnail(project: Project, nail: int) -> None:
    """Want this no more, by the number of the nail."""
    with project.edits.changing() as editor:
        editor.remove(nail)


@command("weigh a nail")
def edit_strength(project: Project, nail: int, strength: float) -> None:
    """Say how much a nail counts beside others that cannot all be had."""
    with project.edits.changing() as editor:
        editor.constraint(nail).strength = _positive("strength", strength)


@command("weigh kinds of nails")
def edit_strengths(project: Project, strengths: dict[str, float]) -> None:
    """Say how much each kind of nail counts."""
    with project.edits.changing() as editor:
        for kind, strength in strengths.items():
            if kind not in editor.strengths:
                raise InputError(f"a nail of kind '{kind}' is unknown; choose one of: {', '.join(editor.strengths)}")
            editor.strengths[kind] = _positive("strength", strength)


def _positive(name: str, value: float) -> float:
    if not (isinstance(value, (int, float)) and np.isfinite(value) and value > 0):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"{name} is {value!r}; expected a finite number above 0")
    return float(value)


# --- what may change ---


@command("lock {body}")
def edit_lock(project: Project, attributes: list[str] | None = None, body: str | None = None) -> None:
    """Keep attributes as they are, all if none is named: of the joint that carries a body, or of everything."""
    with project.edits.changing() as editor:
        editor.lock(*(attributes or ()), body=body or None)


@command("unlock {body}")
def edit_unlock(project: Project, attributes: list[str] | None = None, body: str | None = None) -> None:
    """Let attributes change again."""
    with project.edits.changing() as editor:
        editor.unlock(*(attributes or ()), body=body or None)


@command("weigh what may change")
def edit_weigh(project: Project, masses: dict[str, float]) -> None:
    """Say how much attributes resist being changed, 1 if nothing is said."""
    with project.edits.changing() as editor:
        editor.weigh(masses)


@command("allow other things to change")
def edit_allow(
    project: Project, gravity: bool | None = None, masses: bool | None = None, push: bool | None = None,
    times: bool | None = None, muscles: dict[str, int] | None = None,
) -> None:  # fmt: skip
    """Choose what an edit may change beside the start.

    Gravity, masses, velocities that are added at transitions (`push`), times of transitions, and efforts of joints by how many
    numbers each (`muscles`). What is not named stays as it is.
    """
    editor = project.edits.editor()
    allowed = {name: name in editor.allowed for name in ("gravity", "masses")}
    allowed |= {name: bool(on) for name, on in (("gravity", gravity), ("masses", masses)) if on is not None}
    happens = _happens(project)
    for entry in happens:
        if push is not None:
            entry["push"] = bool(push)
        if times is not None and "time" in entry["when"]:
            entry["when"]["free"] = bool(times)
    chosen = dict(editor.muscles) if muscles is None else muscles
    controls = controls_data(editor.controls)
    if chosen != dict(editor.muscles):
        controls.pop("muscles", None)
    names = [name for name, on in allowed.items() if on]
    project.edits.rebuild(transitions=happens, controls=controls, allowed=names, muscles=chosen)


# --- editing ---


@command("solve")
def edit_solve(
    project: Project, nails_only: bool = False, iterations: int = 50, found: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Change the motion until all nails are met, or nothing helps any more; what came of it.

    `found` are the controls that such a search has led to already.
    """
    with project.edits.changing() as editor:
        if found is not None:
            editor.put(controls_from(found))
            return {"error": editor.error(), "iterations": 0, "message": ""}
        edits = editor.solve(iterations=iterations, nails_only=nails_only)
        return {"error": editor.error(), "iterations": len(edits), "message": edits[-1].message if edits else ""}


@command("drag {body}")
def edit_drag(
    project: Project, body: str = "", time: float = 0.0, target: Any = None, what: str = "point", point: Any = ORIGIN,
    nail: int | None = None, found: dict[str, Any] | None = None,
) -> None:  # fmt: skip
    """Drag the motion at a moment: a point of a body, the centre of gravity or, by a quaternion, how the body is turned.

    `what` is point, center, turn (in the world) or bend (in the parent body).

    With the number of a `nail` it is the nail's target that is moved. `found` are the controls that a hand has found; if not
    given, they are looked for.
    """
    with project.edits.changing() as editor:
        if nail is not None:
            constraint = editor.constraint(nail)
            constraint.target = np.array(_target(constraint.kind, target), float).reshape(constraint.target.shape)
        if found is not None:
            editor.put(controls_from(found))
            return
        held = None if nail is not None else hold(editor, body, float(time), target, what, point)
        editor.solve()
        if held is not None:
            editor.remove(held)


def hold(editor: Editor, body: str, time: float, target: Any, what: str, point: Any) -> Any:
    """What a hand wants while it drags."""
    time = moment(editor, time)
    if what == "point":
        goal = editor.point(body, time, point) if target is None else target
        return editor.drag(body, time=time, target=goal, point=point)
    if what == "center":
        return editor.drag_center(time=time, target=editor.see(time).center()[0] if target is None else target)
    if what in ("turn", "bend"):
        bends = what == "bend"
        goal = _turned(editor, body, time, bends) if target is None else rotation_matrix(tuple(target))
        return editor.turn(body, time=time, target=goal, joint=bends)
    raise InputError(f"cannot drag '{what}' of a motion; expected point, center, turn or bend")


def _turned(editor: Editor, body: str, time: float, bends: bool) -> Any:
    """How a body is turned in the world or, as a joint, in its parent."""
    seen, index = editor.see(time), editor.model.body(body).index
    parent = int(editor.model.tree["parent"][index])
    return seen.R[parent].T @ seen.R[index] if bends and parent >= 0 else seen.R[index]
