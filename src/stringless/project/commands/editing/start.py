"""The start of a motion: whether its initial pose stays, so that it continues from where the take is."""

from typing import Any

import numpy as np

from stringless.editing.editor import Editor
from stringless.kinematics.bodies import body_poses
from stringless.project.commands.registry import Project, command

POSE = ("position", "rotation")
SEEN = 1e-3
"""A smaller jump is not seen [m, rad]."""


@command("keep or free the start")
def edit_keep_start(project: Project, on: bool = True) -> None:
    """Keep the pose that the motion begins with, or let edits change it; its velocities may change in any case."""
    with project.edits.changing() as editor:
        lock_start(editor, bool(on))


def lock_start(editor: Editor, on: bool) -> None:
    """Lock positions and rotations of all bodies at the start, or unlock them."""
    (editor.lock if on else editor.unlock)(*POSE)


def keeps_start(editor: Editor) -> bool:
    """Whether no edit can change the initial pose."""
    locked = editor.locked
    return all(locked[c] for c, column in enumerate(editor.every) if column.attribute == "q")


def describe_jump(editor: Editor, data: dict[str, Any]) -> str:
    """What jumps, and how far, where the edited motion leaves the take; empty if nothing does."""
    model = editor.model
    was, now = (body_poses(model, np.array(q, float)) for q in (data["first"]["controls"]["q"], editor.controls.q))
    ways = np.linalg.norm(now.position - was.position, axis=1)
    far = int(ways.argmax())
    if ways[far] > SEEN:
        return f"{model.specs[far].name} jumps by {100 * ways[far]:.2g} cm"
    # The angle of a rotation from its trace: tr R = 1 + 2 cos.
    traces = np.einsum("bij,bij->b", now.rotation, was.rotation)
    turns = np.arccos(np.clip((traces - 1.0) / 2.0, -1.0, 1.0))
    far = int(turns.argmax())
    return f"{model.specs[far].name} turns by {np.degrees(turns[far]):.2g}°" if turns[far] > SEEN else ""
