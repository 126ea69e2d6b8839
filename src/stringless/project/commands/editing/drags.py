"""Changes of a motion: solving for its nails, and drags."""

from typing import Any

import numpy as np

from stringless.editing.data import controls_from
from stringless.editing.editor import Editor
from stringless.errors import InputError
from stringless.model.pose import rotation_matrix
from stringless.project.commands.editing.bends import find_nearest_bend
from stringless.project.commands.editing.nails import ORIGIN, read_target, snap_time
from stringless.project.commands.registry import Project, command


@command("solve")
def edit_solve(
    project: Project, nails_only: bool = False, nearest: bool = False, iterations: int = 50,
    found: dict[str, Any] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Change the motion until all nails are met, or nothing helps any more; what came of it.

    If not all can be had, the motion stays, or is the one that comes `nearest` to all; nails of more strength are met better.
    `found` are the controls that such a search has led to already.
    """
    with project.edits.changing() as editor:
        if found is not None:
            editor.put(controls_from(found))
            return {"error": editor.error(), "iterations": 0, "message": ""}
        edits = editor.solve(iterations=iterations, nails_only=nails_only, nearest=nearest)
        return {"error": editor.error(), "iterations": len(edits), "message": edits[-1].message if edits else ""}


@command("drag {body}")
def edit_drag(
    project: Project, body: str = "", time: float = 0.0, target: Any = None, what: str = "point", point: Any = ORIGIN,
    nail: int | None = None, found: dict[str, Any] | None = None,
) -> None:  # fmt: skip
    """Drag the motion at a time: a point of a body, the centre of gravity or, by a quaternion, how the body is turned.

    `what` is point, center, turn (in the world) or bend (in the parent body).

    With the number of a `nail` it is the nail's target that is moved. `found` are the controls that a hand has found; if not
    given, they are looked for.
    """
    with project.edits.changing() as editor:
        if nail is not None:
            constraint = editor.constraint(nail)
            constraint.target = np.array(read_target(constraint.kind, target), float).reshape(constraint.target.shape)
        if found is not None:
            editor.put(controls_from(found))
            return
        held = None if nail is not None else add_drag(editor, body, float(time), target, what, point)
        editor.solve()
        if held is not None:
            editor.remove(held)


def add_drag(editor: Editor, body: str, time: float, target: Any, what: str, point: Any) -> Any:
    """Add the constraint of a drag."""
    time = snap_time(editor, time)
    if what == "point":
        goal = editor.point(body, time, point) if target is None else target
        return editor.drag(body, time=time, target=goal, point=point)
    if what == "center":
        return editor.drag_center(time=time, target=editor.see(time).center()[0] if target is None else target)
    if what in ("turn", "bend"):
        bends = what == "bend"
        if target is None:
            goal = _find_present_rotation(editor, body, time, bends)
        else:
            goal = find_rotation(editor, body, target, bends=bends)
        return editor.turn(body, time=time, target=goal, joint=bends)
    raise InputError(f"cannot drag '{what}' of a motion; expected point, center, turn or bend")


def find_rotation(editor: Editor, body: str, target: Any, *, bends: bool) -> Any:
    """A wanted rotation as a matrix; if a joint is bent, the nearest that it can do."""
    goal = rotation_matrix(tuple(target))
    return find_nearest_bend(editor.model, body, goal) if bends else goal


def _find_present_rotation(editor: Editor, body: str, time: float, bends: bool) -> Any:
    """The rotation of a body in the world or, if its joint is bent, in its parent."""
    seen, index = editor.see(time), editor.model.body(body).index
    parent = int(editor.model.tree["parent"][index])
    return seen.R[parent].T @ seen.R[index] if bends and parent >= 0 else seen.R[index]
