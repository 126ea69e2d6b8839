"""What pages are told of the motion that is open in the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stringless.editing.constraints import Constraint
from stringless.editing.data import transition_data
from stringless.editing.editor import DONE, Editor
from stringless.editing.plan import Touch
from stringless.model.pose import quaternion_from_matrix
from stringless.project.commands.editing.starting import keeps_start
from stringless.studio.messages import Edit, NailInfo, TransitionInfo, Vector

if TYPE_CHECKING:
    from stringless.studio.editing.bench import Bench

Floats = NDArray[np.float64]


def closed(epoch: int, revision: int) -> Edit:
    """That no motion is open."""
    return Edit(
        open=False, epoch=epoch, lane=None, begin=0.0, duration=0.0, revision=revision, times=[], transitions=[], bars=[],
        nails=[], locked=[], keeps_start=False, masses={}, strengths={}, options={}, error=0.0, worst=0.0, done=DONE, warning="",
        refused=False, held=False, busy=False, columns=0, bodies=0, samples=b"", poses=b"", before=b"", centers=b"",
    )  # fmt: skip


def describe_edit(bench: Bench, epoch: int, revision: int) -> Edit:
    """The motion as it is now, and what is wanted of it."""
    editor, data = bench.editor, bench.data
    path, before = bench.paths()
    nails = describe_nails(editor)
    return Edit(
        open=True,
        epoch=epoch,
        lane=data["lane"],
        begin=data["begin"],
        duration=editor.course.duration,
        revision=revision,
        times=list(editor.times),
        transitions=describe_transitions(editor),
        bars=bars_of(bench),
        nails=nails,
        locked=[(attribute, body) for attribute, body in data["locked"]],
        keeps_start=keeps_start(editor),
        masses=dict(editor.masses),
        strengths=dict(editor.strengths),
        options=options_of(editor),
        error=total_error(editor, nails),
        worst=max((nail.error for nail in nails), default=0.0),
        done=DONE,
        warning=bench.search.warning,
        refused=bench.search.refused and bool(bench.search.warning),
        held=bench.held,
        busy=bench.busy,
        columns=len(editor.columns),
        bodies=editor.model.body_count,
        samples=_packed(path.times),
        poses=_packed(path.poses),
        before=b"" if before is None else _packed(before.poses),
        centers=_packed(path.centers),
    )


def total_error(editor: Editor, nails: list[NailInfo]) -> float:
    """Of all nails together, with their strengths, and of bars that are missed."""
    errors = [editor.strength(wish) * nail.error for wish, nail in zip(editor.nails, nails, strict=True)]
    return float(np.linalg.norm([*errors, *(miss.gap + miss.wanted for miss in editor.run.misses)]))


def options_of(editor: Editor) -> dict[str, Any]:
    """Everything that could be allowed to change beside the start, and whether it is."""
    happens = [transition_data(editor.model, t) for t in editor.course.transitions]
    timed = [entry["when"]["free"] for entry in happens if "time" in entry["when"]]
    return {
        "gravity": "gravity" in editor.allowed,
        "masses": "masses" in editor.allowed,
        "push": bool(happens) and all(entry["push"] for entry in happens),
        "times": bool(timed) and all(timed),
        "muscles": dict(editor.muscles),
    }


def bars_of(bench: Bench) -> list[dict[str, Any]]:
    """Bars that something waits for, did when the motion was opened, or does in the study of its scene."""
    out: list[dict[str, Any]] = []
    for told in (bench.data, bench.data.get("first", {}), bench.project.scene().study or {}):
        waits = [entry["when"] for entry in told.get("transitions", ())]
        out += [when for when in waits if "bar" in when and when not in out]
    return out


def describe_transitions(editor: Editor) -> list[TransitionInfo]:
    """What happens in the motion."""
    out: list[TransitionInfo] = []
    missed = {miss.transition: miss.gap for miss in editor.run.misses}
    for index, (transition, time) in enumerate(zip(editor.course.transitions, editor.times, strict=True)):
        data = transition_data(editor.model, transition)
        when = data["when"]
        met = transition.moment.surface.name if isinstance(transition.moment, Touch) else ""
        out.append(
            TransitionInfo(
                index=index,
                kind=data["kind"],
                body=data.get("body", ""),
                point=_vector(data.get("point", (0.0, 0.0, 0.0))),
                time=time,
                free=when.get("free", False),
                surface=None if "time" in when else when,
                missed=index in missed,
                gap=missed.get(index, 0.0),
                text=_sentence(data, met, time, missed.get(index, 0.0)),
                data=data,
            )
        )
    return out


def _sentence(data: dict[str, Any], met: str, time: float, gap: float) -> str:
    """What happens where it meets something, or at a time, for people to read; a bar may be missed by a gap [m]."""
    when = f"where it meets the {met}, at {time:.2f} s" if met else f"at {time:.2f} s"
    body = data.get("body", "").replace("_", " ")
    if gap > 0:
        return f"Misses the {met} with {body} by {100 * gap:.2g} cm, at {time:.2f} s."
    if data["kind"] == "release":
        return f"Lets go {when}."
    what = f"Holds on with {body}" if data["kind"] == "grip" else f"{body} bounces"
    return f"{what} {when}."


def describe_nails(editor: Editor) -> list[NailInfo]:
    """What is wanted, and how far the motion is from it."""
    if not editor.nails:
        return []
    run = editor.course.walk(editor.controls, (), [nail.time for nail in editor.nails])
    out: list[NailInfo] = []
    for nail, sighting in zip(editor.nails, run.sightings, strict=True):
        seen = sighting.bodies
        point = getattr(nail, "point", None)
        at = np.zeros(3) if point is None else point
        missing = nail.error(seen)[0]
        whole = nail.kind.startswith("center")
        target, now = _told(nail, missing, seen.R)
        out.append(
            NailInfo(
                id=nail.id,
                kind=nail.kind,
                body="" if whole else editor.model.specs[nail.body].name,
                time=nail.time,
                target=target,
                point=_vector(at),
                strength=nail.strength,
                now=now,
                place=_vector(seen.center()[0] if whole else seen.point(nail.body, at)[0]),
                error=float(np.linalg.norm(missing)),
            )
        )
    return out


def _told(nail: Constraint, missing: Floats, turns: Floats) -> tuple[list[float], list[float]]:
    """Target and what there is of it, as a page knows them."""
    if nail.kind == "rotation":
        base = getattr(nail, "base", -1)
        now = turns[nail.body] if base < 0 else turns[base].T @ turns[nail.body]
        return [list(map(float, quaternion_from_matrix(turn))) for turn in (nail.target, now)]  # pyright: ignore[reportReturnType]
    target = nail.target.ravel()
    return target.tolist(), (target - missing).tolist() if target.shape == missing.shape else []


def _vector(values: Any) -> Vector:
    x, y, z = values
    return float(x), float(y), float(z)


def _packed(values: Floats) -> bytes:
    return values.astype("<f4").tobytes()
