"""Hands that hold a motion: what each wants of it, and what is written down when it has let go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stringless.editing.constraints import Constraint
from stringless.editing.editor import Editor
from stringless.errors import InputError
from stringless.model.pose import rotation_matrix
from stringless.project.commands.editing.bending import nearest_coordinates
from stringless.project.commands.editing.dragging import hold, turn_of
from stringless.studio.messages import Grab, Move

SAID = ("time", "what", "nail")
"""What a grab of a motion says by its options."""
TURNS = ("turn", "bend", "rotation", "joint")
"""What is led by an orientation; of a joint, as its parent sees it."""


@dataclass
class Hand:
    """A hand and what it wants of the motion."""

    wish: Constraint
    body: str
    what: str
    nail: int | None
    """The nail whose target it moves, if it does."""
    target: list[float] | None = None
    """As it was said last."""

    def lead(self, editor: Editor, move: Move) -> bool:
        """Want something else; whether the hand has moved."""
        turns = self.what in TURNS
        said = move.orientation if turns else move.target
        if said is None:
            return False
        if not np.all(np.isfinite(said)):
            raise InputError(f"a hand cannot move to {list(said)}; expected finite numbers")
        if self.what == "joint":
            said = nearest_coordinates(editor.model, self.body, rotation_matrix(said)).tolist()
        goal = turn_of(editor, self.body, said, bends=self.what == "bend") if turns and self.what != "joint" else said
        self.wish.target = np.array(goal, float).reshape(self.wish.target.shape)
        self.target = list(said)
        return True

    def arguments(self) -> dict[str, Any]:
        """Of the command that says what it has done."""
        if self.nail is not None:
            return {"nail": self.nail, "target": self.target}
        point = getattr(self.wish, "point", np.zeros(3)).tolist()
        return {"body": self.body, "time": self.wish.time, "what": self.what, "target": self.target, "point": point}


def take_hold(editor: Editor, grab: Grab) -> Hand:
    """A hand that holds what a grab says: a nail, or a body at a moment."""
    options = grab.options
    unknown = [name for name in options if name not in SAID]
    if unknown:
        raise InputError(f"option '{unknown[0]}' of a grab of the motion is unknown; choose one of: {', '.join(SAID)}")
    nail, what = options.get("nail"), options.get("what", "point")
    if nail is not None:
        wish = editor.constraint(nail)
        return Hand(wish, editor.model.specs[wish.body].name, wish.kind, nail)
    target = grab.orientation if what in TURNS else grab.target
    wish = hold(editor, grab.bone, options.get("time", 0.0), target, what, grab.point)
    return Hand(wish, grab.bone, what, None, None if target is None else list(target))
