"""The edit message: the motion that is open in the editor, and its constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stringless.editing.constraints import Constraint
from stringless.editing.data import transition_data
from stringless.editing.editor import DONE, Editor
from stringless.editing.plan import Touch
from stringless.model.pose import quaternion_from_matrix
from stringless.project.commands.editing.freedoms import keeps_start
from stringless.spatial.arrays import FloatArray
from stringless.studio.builders import copy_fields, make_vector
from stringless.studio.frames import pack_array
from stringless.studio.messages import Edit, NailInfo, TransitionInfo

if TYPE_CHECKING:
    from stringless.studio.editing.workspace import EditWorkspace


def build_edit(workspace: EditWorkspace, epoch: int, revision: int) -> Edit:
    """The motion as it is now, and its constraints; an empty message if none is open."""
    if not workspace.is_open:
        return Edit(open=False, epoch=epoch, revision=revision, done=DONE)
    editor, data, search = workspace.editor, workspace.data, workspace.search
    samples, before = workspace.sample()
    nails = _list_nails(editor)
    return Edit(
        open=True,
        epoch=epoch,
        lane=data["lane"],
        begin=data["begin"],
        duration=editor.course.duration,
        revision=revision,
        times=list(editor.times),
        transitions=_list_transitions(editor),
        bars=_list_bars(workspace),
        nails=nails,
        locked=[(attribute, body) for attribute, body in data["locked"]],
        keeps_start=keeps_start(editor),
        masses=dict(editor.masses),
        strengths=dict(editor.strengths),
        options=_list_options(editor),
        error=_find_total_error(editor, nails),
        worst=max((nail.error for nail in nails), default=0.0),
        done=DONE,
        warning=search.warning,
        refused=search.refused and bool(search.warning),
        held=workspace.is_held,
        busy=search.is_running,
        columns=len(editor.columns),
        bodies=editor.model.body_count,
        samples=pack_array(samples.times),
        poses=pack_array(samples.poses),
        before=b"" if before is None else pack_array(before.poses),
        centers=pack_array(samples.centers),
    )


def _find_total_error(editor: Editor, nails: list[NailInfo]) -> float:
    """Of all nails together, with their strengths, and of bars that are missed."""
    errors = [editor.strength(constraint) * nail.error for constraint, nail in zip(editor.nails, nails, strict=True)]
    return float(np.linalg.norm([*errors, *(miss.gap + miss.wanted for miss in editor.run.misses)]))


def _list_options(editor: Editor) -> dict[str, Any]:
    """What could be allowed to change beside the initial state, and whether it is."""
    transitions = [transition_data(editor.model, t) for t in editor.course.transitions]
    timed = [entry["when"]["free"] for entry in transitions if "time" in entry["when"]]
    return {
        "gravity": "gravity" in editor.allowed,
        "masses": "masses" in editor.allowed,
        "push": bool(transitions) and all(entry["push"] for entry in transitions),
        "times": bool(timed) and all(timed),
        "muscles": dict(editor.muscles),
    }


def _list_bars(workspace: EditWorkspace) -> list[dict[str, Any]]:
    """Bars that trigger a transition now, did when the motion was opened, or do in the study of its scene."""
    out: list[dict[str, Any]] = []
    for data in (workspace.data, workspace.data.get("first", {}), workspace.project.scene().study or {}):
        events = [entry["when"] for entry in data.get("transitions", ())]
        out += [when for when in events if "bar" in when and when not in out]
    return out


def _list_transitions(editor: Editor) -> list[TransitionInfo]:
    gaps = {miss.transition: miss.gap for miss in editor.run.misses}
    out: list[TransitionInfo] = []
    for index, (transition, time) in enumerate(zip(editor.course.transitions, editor.times, strict=True)):
        data = transition_data(editor.model, transition)
        when, gap = data["when"], gaps.get(index, 0.0)
        surface = transition.timing.surface.name if isinstance(transition.timing, Touch) else ""
        out.append(
            TransitionInfo(
                index=index,
                kind=data["kind"],
                body=data.get("body", ""),
                point=make_vector(data.get("point", (0.0, 0.0, 0.0))),
                time=time,
                free=when.get("free", False),
                surface=None if "time" in when else when,
                missed=index in gaps,
                gap=gap,
                text=_describe_transition(data, surface, time, gap),
                data=data,
            )
        )
    return out


def _describe_transition(data: dict[str, Any], surface: str, time: float, gap: float) -> str:
    """A sentence about a transition at a time, or at a surface, which the body may miss by a gap [m]."""
    when = f"where it meets the {surface}, at {time:.2f} s" if surface else f"at {time:.2f} s"
    body = data.get("body", "").replace("_", " ")
    if gap > 0:
        return f"Misses the {surface} with {body} by {100 * gap:.2g} cm, at {time:.2f} s."
    if data["kind"] == "release":
        return f"Lets go {when}."
    what = f"Holds on with {body}" if data["kind"] == "grip" else f"{body} bounces"
    return f"{what} {when}."


def _list_nails(editor: Editor) -> list[NailInfo]:
    if not editor.nails:
        return []
    run = editor.course.walk(editor.controls, (), [nail.time for nail in editor.nails])
    out: list[NailInfo] = []
    for nail, observation in zip(editor.nails, run.observations, strict=True):
        bodies, point = observation.bodies, getattr(nail, "point", None)
        point = np.zeros(3) if point is None else point
        missing = nail.find_error(bodies)[0]
        whole = nail.kind.startswith("center")
        target, now = _find_target(nail, missing, bodies.R)
        out.append(
            copy_fields(
                NailInfo,
                nail,
                body="" if whole else editor.model.specs[nail.body].name,
                target=target,
                point=make_vector(point),
                now=now,
                place=make_vector(bodies.center()[0] if whole else bodies.point(nail.body, point)[0]),
                error=float(np.linalg.norm(missing)),
            )
        )
    return out


def _find_target(nail: Constraint, missing: FloatArray, rotations: FloatArray) -> tuple[list[float], list[float]]:
    """Target and present value of a nail, as a page knows them."""
    if nail.kind == "rotation":
        base = getattr(nail, "base", -1)
        now = rotations[nail.body] if base < 0 else rotations[base].T @ rotations[nail.body]
        return [list(map(float, quaternion_from_matrix(turn))) for turn in (nail.target, now)]  # pyright: ignore[reportReturnType]
    target = nail.target.ravel()
    return target.tolist(), (target - missing).tolist() if target.shape == missing.shape else []
