"""Nails: the constraints of a motion, and their weights."""

import sys
from typing import Annotated, Any

from msgspec import Meta

from stringless.editing.editor import Editor
from stringless.errors import InputError
from stringless.model.pose import rotation_matrix
from stringless.project.commands.registry import Project, command

Positive = Annotated[float, Meta(gt=0.0, le=sys.float_info.max)]
ORIGIN = (0.0, 0.0, 0.0)
ROUNDED = 1e-6
"""Rounding of a time to single precision [s]."""
NAILS = ("point", "velocity", "rotation", "spin", "center", "center velocity", "joint")


@command("nail {body}")
def edit_nail(
    project: Project,
    editor: Editor,
    body: str = "",
    time: float = 0.0,
    kind: str = "point",
    target: Any = None,
    point: Any = ORIGIN,
    strength: float = 1.0,
    nail: int | None = None,
) -> int:
    """Constrain a body at a time: a point is to be at the target, or as it is; returns the number of the nail.

    Kinds are point, velocity, rotation (a quaternion x, y, z, w or a matrix), spin, joint, center and center velocity. With
    the number of a nail that is there, it is replaced.
    """
    if kind not in NAILS:
        raise InputError(f"a nail of kind '{kind}' is unknown; choose one of: {', '.join(NAILS)}")
    more: dict[str, Any] = {"time": snap_time(editor, time), "strength": float(strength)}
    if nail is not None:
        moved = editor.constraint(nail).time != more["time"]
        project.label = f"move the nail of {body} in time" if moved else f"change the nail of {body}"
        editor.remove(nail)
        more["id"] = nail
    more["target"] = None if target is None else read_target(kind, target)
    if kind in ("point", "velocity"):
        more["point"] = point
    make = editor.nail if kind == "point" else getattr(editor, f"nail_{kind.replace(' ', '_')}")
    which = editor.model.body(body).index if kind == "joint" else body
    made = make(**more) if kind.startswith("center") else make(which, **more)
    if nail is not None:
        editor.nails.sort(key=lambda nail: nail.id)
    return made.id


def read_target(kind: str, target: Any) -> Any:
    """A target as the editor takes it: for a rotation a matrix."""
    return rotation_matrix(tuple(target)) if kind == "rotation" and len(target) == 4 else target


@command("take a nail out")
def edit_unnail(editor: Editor, nail: int) -> None:
    """Remove a nail by its number."""
    editor.remove(nail)


@command("weigh a nail")
def edit_strength(editor: Editor, nail: int, strength: Positive) -> None:
    """Say how much a nail counts beside others that cannot all be had."""
    editor.constraint(nail).strength = float(strength)


@command("weigh kinds of nails")
def edit_strengths(editor: Editor, strengths: dict[str, Positive]) -> None:
    """Say how much each kind of nail counts."""
    for kind, strength in strengths.items():
        if kind not in editor.strengths:
            raise InputError(f"a nail of kind '{kind}' is unknown; choose one of: {', '.join(editor.strengths)}")
        editor.strengths[kind] = float(strength)


def snap_time(editor: Editor, time: float) -> float:
    """A time of the motion; one that is outside by rounding is its beginning or its end."""
    near = min(max(float(time), 0.0), editor.course.duration)
    return near if abs(near - time) < ROUNDED else float(time)
