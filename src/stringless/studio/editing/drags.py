"""Drags of a motion: the constraint that a hand adds, and the command that is written down when it has let go."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from stringless.editing.constraints import Constraint
from stringless.editing.editor import Editor
from stringless.errors import InputError
from stringless.model.pose import rotation_matrix
from stringless.project.commands.editing.drags import add_drag, find_nearest_coordinates, find_rotation
from stringless.studio.messages import Grab, Move

OPTIONS = ("time", "what", "nail")
"""Options of a grab of a motion."""
TURNS = ("turn", "bend", "rotation", "joint")
"""Drags that are led by an orientation; that of a joint is relative to its parent."""


@dataclass
class MotionDrag:
    """A hand and its constraint on the motion."""

    constraint: Constraint
    body: str
    what: str
    nail: int | None
    """The nail whose target it moves, if it does."""
    target: list[float] | None = None
    """As it was given last."""

    def move(self, editor: Editor, move: Move) -> bool:
        """Move the target of the constraint; whether the hand has moved."""
        turns = self.what in TURNS
        target = move.orientation if turns else move.target
        if target is None:
            return False
        if not np.all(np.isfinite(target)):
            raise InputError(f"a hand cannot move to {list(target)}; expected finite numbers")
        goal: Any = target
        if self.what == "joint":
            goal = target = find_nearest_coordinates(editor.model, self.body, rotation_matrix(target)).tolist()
        elif turns:
            goal = find_rotation(editor, self.body, target, bends=self.what == "bend")
        self.constraint.target = np.array(goal, float).reshape(self.constraint.target.shape)
        self.target = list(target)
        return True

    def list_arguments(self) -> dict[str, Any]:
        """Arguments of the command that repeats it."""
        if self.nail is not None:
            return {"nail": self.nail, "target": self.target}
        point = getattr(self.constraint, "point", np.zeros(3)).tolist()
        return {
            "body": self.body,
            "time": self.constraint.time,
            "what": self.what,
            "target": self.target,
            "point": point,
        }


def begin_drag(editor: Editor, grab: Grab) -> MotionDrag:
    """The drag of a nail, or of a body at a time."""
    options = grab.options
    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        raise InputError(
            f"option '{unknown[0]}' of a grab of the motion is unknown; choose one of: {', '.join(OPTIONS)}"
        )
    nail, what = options.get("nail"), options.get("what", "point")
    if nail is not None:
        constraint = editor.constraint(nail)
        return MotionDrag(constraint, editor.model.specs[constraint.body].name, constraint.kind, nail)
    target = grab.orientation if what in TURNS else grab.target
    constraint = add_drag(editor, grab.bone, options.get("time", 0.0), target, what, grab.point)
    return MotionDrag(constraint, grab.bone, what, None, None if target is None else list(target))
