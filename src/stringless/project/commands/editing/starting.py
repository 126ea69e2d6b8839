"""Whether the pose that a motion begins with stays, so that it goes on from where the take is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stringless.editing.editor import Editor
from stringless.project.commands.registry import command

if TYPE_CHECKING:
    from stringless.project.project import Project

POSE = ("position", "rotation")


@command("keep or free the start")
def edit_keep_start(project: Project, on: bool = True) -> None:
    """Keep the pose that the motion begins with, or let edits change it; its velocities may change in any case."""
    with project.edits.changing() as editor:
        keep_start(editor, bool(on))


def keep_start(editor: Editor, on: bool) -> None:
    """Lock places and turns of all bodies at the start, or unlock them."""
    (editor.lock if on else editor.unlock)(*POSE)


def keeps_start(editor: Editor) -> bool:
    """Whether no edit can change the pose that the motion begins with."""
    locked = editor.locked
    return all(locked[c] for c, column in enumerate(editor.every) if column.attribute == "q")
